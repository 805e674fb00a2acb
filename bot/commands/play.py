"""Playing: /roll, /move, /undo, /resign, and the buttons and menus of a match."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from discord import app_commands

from bot.app import play, trying
from bot.app.errors import Declined, Why
from bot.app.play import Action, Report, load
from bot.app.puzzles import continuations, opened_in
from bot.app.suggest import suggestions
from bot.commands.asking import Commands, Presses, action_of, answered, picked
from bot.commands.choosing import MATCH, find_sitting, waits_for
from bot.commands.puzzle import solve
from bot.delivery.outlets import Answer, Interaction, after_saving, link
from bot.views import controls
from bot.views.card import said
from bot.views.trying import confirming_card
from engine.games import GAMES
from engine.match import BREAK, SIDE, SIX, Phase

LONGEST_PLAY = 200
"""Characters that a typed play may have; the longest that a throw allows has about half as many."""

Typed = Callable[[Answer, Action, str], Awaitable[None]]


async def _roll(answer: Answer, action: Action, _: str) -> None:
    await shown(answer, await play.roll(answer.interaction.client.app, action))


async def _move(answer: Answer, action: Action, text: str) -> None:
    """Play moves, or ask first whether they are to end the turn where the player wishes to be asked."""
    app = answer.interaction.client.app
    trial = await trying.to_confirm(app, action, text)
    if trial is None:
        await shown(answer, await play.move(app, action, text))
    else:
        await answer.tell(confirming_card(answer.reader, trial))


async def _undo(answer: Answer, action: Action, what: str) -> None:
    await shown(answer, await play.take_back(answer.interaction.client.app, action, whole=what == "turn"))


async def _resign(answer: Answer, action: Action, _: str) -> None:
    await shown(answer, await play.resign(answer.interaction.client.app, action))


TYPED: Mapping[str, Typed] = {"roll": _roll, "move": _move, "undo": _undo, "resign": _resign}
"""What each typed command does in a match, told what was typed with it."""


@app_commands.command()
@app_commands.guild_only()
@app_commands.describe(match=MATCH)
async def roll(interaction: Interaction, match: int | None = None) -> None:
    """Throw the dice of your match in this channel."""
    await _typed(interaction, "roll", "", match)


@app_commands.command()
@app_commands.rename(text="play")
@app_commands.describe(text="Moves, such as a-g b-f; bar-c enters a man, t-off bears one off", match=MATCH)
async def move(
    interaction: Interaction, text: app_commands.Range[str, 1, LONGEST_PLAY], match: int | None = None
) -> None:
    """Play your throw, or answer the puzzle that you opened here."""
    puzzle = opened_in(interaction.client.app, interaction.channel_id or 0, interaction.user.id)
    if puzzle is None or match is not None:
        await _typed(interaction, "move", text, match)
        return

    async def work(answer: Answer) -> None:
        if await waits_for(interaction, "move"):
            await _move_first(answer, text)
        else:
            await answer.tell(await solve(answer, puzzle, text))

    await answered(interaction, work)


async def _move_first(answer: Answer, text: str) -> None:
    """Play in the match that waits for it, and tell one who has opened a puzzle that it was not meant."""
    interaction = answer.interaction
    if sitting := await find_sitting(answer, "move", text):
        await play.move(interaction.client.app, action_of(interaction, sitting.id), text)
        say = answer.reader
        with after_saving(interaction):
            note = say(
                "Played in match {match}, which comes first here; the puzzle has its own menus.", match=sitting.id
            )
            await answer.tell(said(note))


@app_commands.command()
@app_commands.guild_only()
@app_commands.describe(what="Your last move, or everything since your throw", match=MATCH)
@app_commands.choices(
    what=[
        app_commands.Choice(name="the last move", value="move"),
        app_commands.Choice(name="the whole turn", value="turn"),
    ]
)
async def undo(interaction: Interaction, what: str = "move", match: int | None = None) -> None:
    """Take back, until the next throw."""
    await _typed(interaction, "undo", what, match)


@app_commands.command()
@app_commands.guild_only()
@app_commands.describe(match=MATCH)
async def resign(interaction: Interaction, match: int | None = None) -> None:
    """Give up your match in this channel."""
    await _typed(interaction, "resign", "", match)


async def _typed(interaction: Interaction, command: str, text: str, match: int | None) -> None:
    async def work(answer: Answer) -> None:
        if sitting := await find_sitting(answer, command, text, match):
            await do(answer, command, sitting.id, text)

    await answered(interaction, work)


async def do(answer: Answer, command: str, match: int, text: str) -> None:
    """Carry out a typed command in a match; the channel shows what came of it."""
    await TYPED[command](answer, action_of(answer.interaction, match), text)


async def shown(answer: Answer, report: Report) -> None:
    """End the answer to an action that is saved: the match's own channel shows it, and elsewhere a link leads there."""
    sitting = report.sitting
    there = link(sitting.row.guild, sitting.row.channel, sitting.row.message)
    say = answer.reader
    elsewhere = said(say("Done; [match {match} goes on here]({link}).", match=sitting.id, link=there))
    await answer.finish_where(sitting.row.channel, elsewhere)


@move.autocomplete("text")
async def plays_like(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the legal continuations of what was typed, in the match it is meant for."""
    app = interaction.client.app
    chosen = interaction.namespace.match
    rows = await app.store.matches.running_in(interaction.channel_id or 0)
    sittings = [await load(app, row.id) for row in rows if chosen in (None, row.id)]
    playing = [each for each in sittings if each.match.phase in (Phase.PLAY, Phase.OFFER)]
    mine = [each for each in playing if each.to_act == interaction.user.id]
    puzzle = opened_in(app, interaction.channel_id or 0, interaction.user.id)
    if len(mine) == 1:
        found = await asyncio.to_thread(suggestions, mine[0].match, typed)
    elif puzzle is not None and not mine and chosen is None:
        found = await asyncio.to_thread(continuations, puzzle, typed)
    else:
        found = []
    return [app_commands.Choice(name=text, value=text) for text in found if len(text) <= controls.LONGEST_ENTRY]


CHOICES = {SIX, SIDE.name, BREAK, *(option.name for game in GAMES.values() for option in game.options)}
"""What a button can settle."""


async def _act(interaction: Interaction, rest: str) -> None:
    """Carry out a button of a match for the state in which it was shown: `match:version:act[:value]`."""
    match, version, act, *value = rest.split(":")
    action = action_of(interaction, int(match), int(version))

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
            case choice if choice in CHOICES and value:
                report = await play.choose(app, action, choice, value[0])
            case _:
                raise Declined(Why.UNKNOWN_CONTROL)
        await shown(answer, report)

    await answered(interaction, work)


async def _play(interaction: Interaction, rest: str) -> None:
    """Play what was picked from a menu of plays, or of next moves: `match:version:menu`."""
    match, version, _ = rest.split(":")
    action = action_of(interaction, int(match), int(version))

    async def work(answer: Answer) -> None:
        await _move(answer, action, picked(interaction))

    await answered(interaction, work)


COMMANDS: Commands = (roll, move, undo, resign)
PRESSES: Presses = {controls.ACT: _act, controls.PLAY: _play}
