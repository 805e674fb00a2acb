"""Playing: /roll, /move, /undo, /draw, /resign, and the buttons and menus of a match."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

import discord
from discord import app_commands

from bot.app import play, puzzles, substitution, trying
from bot.app.errors import Declined, Why
from bot.app.people import Person
from bot.app.play import Action, Report
from bot.app.puzzles import opened_in
from bot.app.sitting import Sitting
from bot.app.substitution import Offer
from bot.app.suggest import suggestions
from bot.commands.asking import (
    Commands,
    Presses,
    action_of,
    answered,
    anywhere,
    in_servers,
    is_member,
    present,
)
from bot.commands.bringing import end_unshown
from bot.commands.choosing import MATCH, find_sitting, waiting_for
from bot.commands.ids import number_of, parts, picked, require_shown
from bot.commands.puzzle import solve
from bot.delivery.outlets import Answer, Interaction, after_saving, match_link
from bot.views import controls
from bot.views.card import said
from bot.views.trying import confirming_card
from bot.words import moderation as words
from engine.games import GAMES
from engine.match import BREAK, SIDE, SIX
from render.characters import length

DECLINE = "decline"
"""What is typed to decline a draw."""
LONGEST_PLAY = 200
"""Characters that a typed play may have; the longest that a throw allows has about half as many."""

Typed = Callable[[Answer, Action, str], Awaitable[None]]


async def _roll(answer: Answer, action: Action, _: str) -> None:
    await shown(answer, await play.roll(answer.interaction.client.app, action))


async def _move(answer: Answer, action: Action, text: str) -> None:
    if report := await _moved(answer, action, text):
        await shown(answer, report)


async def _moved(answer: Answer, action: Action, text: str) -> Report | None:
    """Play moves, or ask first whether they end the turn, where the player prefers that."""
    app = answer.interaction.client.app
    trial = await trying.to_confirm(app, action, text)
    if trial is None:
        return await play.move(app, action, text)
    await answer.tell(confirming_card(answer.reader, trial))
    return None


async def _undo(answer: Answer, action: Action, what: str) -> None:
    await shown(
        answer, await play.take_back(answer.interaction.client.app, action, whole=what == "turn")
    )


async def _draw(answer: Answer, action: Action, what: str) -> None:
    deed = play.decline_draw if what == DECLINE else play.draw
    await shown(answer, await deed(answer.interaction.client.app, action))


async def _substitute(answer: Answer, action: Action, taker: str) -> None:
    app = answer.interaction.client.app
    person = number_of(taker)
    names = await app.store.people.names([person])
    if person not in names:
        raise Declined(Why.UNKNOWN_CONTROL)
    await shown(answer, await substitution.hand_over(app, action, Person(person, names[person])))


async def _resign(answer: Answer, action: Action, _: str) -> None:
    await shown(answer, await play.resign(answer.interaction.client.app, action))


TYPED: Mapping[str, Typed] = {
    "roll": _roll,
    "move": _move,
    "undo": _undo,
    "draw": _draw,
    "resign": _resign,
    "substitute": _substitute,
}
"""What each typed command does in a match, told what was typed with it."""


@app_commands.command()
@in_servers
@app_commands.describe(match=MATCH)
async def roll(interaction: Interaction, match: int | None = None) -> None:
    """Roll the dice in your match in this channel."""
    await _typed(interaction, "roll", "", match)


@app_commands.command()
@anywhere
@app_commands.rename(text="play")
@app_commands.describe(
    text="Moves, such as a-g b-f; bar-c enters a man, t-off bears one off", match=MATCH
)
async def move(
    interaction: Interaction,
    text: app_commands.Range[str, 1, LONGEST_PLAY],
    match: int | None = None,
) -> None:
    """Play your throw, or answer the puzzle you opened here."""
    puzzle = opened_in(interaction.client.app, interaction.channel_id or 0, interaction.user.id)
    if puzzle is None or match is not None:
        await _typed(interaction, "move", text, match)
        return

    async def work(answer: Answer) -> None:
        if is_member(interaction) and await waiting_for(interaction, "move"):
            await _move_first(answer, text)
        else:
            await answer.tell(await solve(answer, puzzle, text))

    await answered(interaction, work, everywhere=True)


async def _move_first(answer: Answer, text: str) -> None:
    """Play in the match that waits for the move.

    A person who has opened a puzzle is told that the move was not played there.
    """
    interaction = answer.interaction
    sitting = await find_sitting(answer, "move", text)
    if sitting and await _moved(answer, action_of(interaction, sitting.id), text):
        say = answer.reader
        with after_saving(interaction):
            note = say(
                "Played in match {match}, which takes priority here. Use the menus to answer the "
                "puzzle.",
                match=sitting.id,
            )
            await answer.tell(said(note))


@app_commands.command()
@in_servers
@app_commands.describe(what="Your last move, or all your moves since the throw", match=MATCH)
@app_commands.choices(
    what=[
        app_commands.Choice(name="the last move", value="move"),
        app_commands.Choice(name="the whole turn", value="turn"),
    ]
)
async def undo(interaction: Interaction, what: str = "move", match: int | None = None) -> None:
    """Take back moves until the next throw."""
    await _typed(interaction, "undo", what, match)


@app_commands.command()
@in_servers
@app_commands.describe(match=MATCH)
async def resign(interaction: Interaction, match: int | None = None) -> None:
    """Resign your match in this channel."""
    await _typed(interaction, "resign", "", match)


@app_commands.command()
@in_servers
@app_commands.describe(
    what="Offer a draw (or accept one offered to you), or decline one", match=MATCH
)
@app_commands.choices(
    what=[
        app_commands.Choice(name="offer or accept a draw", value="offer"),
        app_commands.Choice(name="decline a draw", value=DECLINE),
    ]
)
async def draw(interaction: Interaction, what: str = "offer", match: int | None = None) -> None:
    """Offer a draw in your match in this channel, or answer one."""
    await _typed(interaction, "draw", what, match)


@app_commands.command()
@in_servers
@app_commands.describe(player="The person to ask to take your place", match=MATCH)
async def substitute(
    interaction: Interaction, player: discord.User, match: int | None = None
) -> None:
    """Hand over your seat in a team to somebody else."""

    async def work(answer: Answer) -> None:
        taker = present(player)
        substitution.require_person(taker)
        # The name is asked for again when it is said in which match.
        await interaction.client.app.remember(taker)
        if sitting := await find_sitting(answer, "substitute", str(taker.id), match):
            await do(answer, "substitute", sitting.id, str(taker.id))

    await answered(interaction, work)


async def _typed(interaction: Interaction, command: str, text: str, match: int | None) -> None:
    async def work(answer: Answer) -> None:
        if sitting := await find_sitting(answer, command, text, match):
            await do(answer, command, sitting.id, text)

    await answered(interaction, work)


async def do(answer: Answer, command: str, match: int, text: str) -> None:
    """Carry out a typed command in a match; the channel shows what came of it."""
    await TYPED[command](answer, action_of(answer.interaction, match), text)


async def shown(answer: Answer, report: Report) -> None:
    """End the answer to an action that is saved.

    The match's own channel shows it; elsewhere a link leads there.
    """
    sitting = report.sitting
    if await end_unshown(answer, sitting):
        return
    there = match_link(sitting.row)
    say = answer.reader
    elsewhere = said(
        say("Done. [Match {match} continues here]({link}).", match=sitting.id, link=there)
    )
    await answer.finish_where(sitting.row.channel, elsewhere)


async def continuations(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the legal continuations of what was typed, in the match it is meant for."""
    return await _go_on(await _to_play(interaction), typed)


async def _to_play(interaction: Interaction) -> list[Sitting]:
    """Return the matches of this channel in which it is the person's turn.

    Where one of them was chosen, return that one.
    """
    chosen = interaction.namespace.match
    return [each for each in await waiting_for(interaction, "move") if chosen in (None, each.id)]


async def _go_on(mine: Sequence[Sitting], typed: str) -> list[app_commands.Choice[str]]:
    return _offered(
        await asyncio.to_thread(suggestions, mine[0].match, typed) if len(mine) == 1 else []
    )


def _offered(texts: Iterable[str]) -> list[app_commands.Choice[str]]:
    return [
        app_commands.Choice(name=text, value=text)
        for text in texts
        if length(text) <= controls.LONGEST_ENTRY
    ]


@move.autocomplete("text")
async def _plays_like(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the legal continuations in the person's match.

    Where no match waits, they are those in the puzzle that the person has opened.
    """
    puzzle = opened_in(interaction.client.app, interaction.channel_id or 0, interaction.user.id)
    mine = await _to_play(interaction)
    if puzzle is None or interaction.namespace.match is not None or mine:
        return await _go_on(mine, typed)
    return _offered(await asyncio.to_thread(puzzles.continuations, puzzle, typed))


CHOICES = {
    SIX,
    SIDE.name,
    BREAK,
    *(option.name for game in GAMES.values() for option in game.options),
}
"""What a button can settle."""


async def _act(interaction: Interaction, rest: str) -> None:
    """Carry out a button of a match for the state in which it was shown.

    The id is `match:version:act[:value]`.
    """
    match, version, deed = parts(rest, 3)
    act, _, value = deed.partition(":")
    action = action_of(interaction, number_of(match), number_of(version))

    async def work(answer: Answer) -> None:
        app = interaction.client.app
        match act:
            case "roll":
                report = await play.roll(app, action)
            case "back":
                report = await play.take_back(app, action)
            case "leave":
                report = await play.leave(app, action)
            case "claim":
                report = await play.claim(app, action)
            case "grant":
                report = await play.grant(app, action)
            case "agree":
                report = await play.accept_draw(app, action)
            case "decline":
                report = await play.decline_draw(app, action)
            case choice if choice in CHOICES:
                report = await play.choose(app, action, choice, value)
            case _:
                raise Declined(Why.UNKNOWN_CONTROL)
        await shown(answer, report)

    await answered(interaction, work)


async def _seat(interaction: Interaction, rest: str) -> None:
    """Take a seat that is offered, or leave it to its holder: `act:match:holder:taker:by`."""
    require_shown(interaction, f"{controls.SEAT}:{rest}")
    act, *numbers = parts(rest, 5)
    offer = Offer(*map(number_of, numbers))

    async def work(answer: Answer) -> None:
        say = interaction.client.reader(interaction.guild_locale or interaction.locale)
        if act == "take":
            report = await substitution.take(
                interaction.client.app, action_of(interaction, offer.match), offer
            )
            told = words.seat_taken(say, report.sitting, offer)
        else:
            substitution.require_concerned(interaction.user.id, offer)
            told = words.seat_left(say, offer, interaction.user.id)
        with after_saving(interaction):
            await answer.replace(said(told))

    await answered(interaction, work)


async def _play(interaction: Interaction, rest: str) -> None:
    """Play what was picked from a menu of plays, or of next moves: `match:version:menu`."""
    match, version, _ = parts(rest, 3)
    action = action_of(interaction, number_of(match), number_of(version))

    async def work(answer: Answer) -> None:
        await _move(answer, action, picked(interaction))

    await answered(interaction, work)


COMMANDS: Commands = (roll, move, undo, draw, resign, substitute)
PRESSES: Presses = {controls.ACT: _act, controls.PLAY: _play, controls.SEAT: _seat}
