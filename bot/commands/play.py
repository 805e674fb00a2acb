"""Playing: /roll, /move, /undo, /draw, /resign, and the buttons and menus of a match."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

import discord
from discord import app_commands

from bot.app import play, puzzles, substitution, trying
from bot.app.errors import DeclinedError, DeclineReason
from bot.app.people import DiscordPerson
from bot.app.play import Action, ActionResult
from bot.app.puzzles import find_open_puzzle
from bot.app.session import MatchSession
from bot.app.substitution import SeatOffer
from bot.app.suggest import suggest_plays
from bot.commands.asking import (
    Commands,
    Presses,
    in_all_contexts,
    in_servers,
    is_bot_member,
    make_action,
    require_member,
    respond,
)
from bot.commands.bringing import finish_elsewhere
from bot.commands.choosing import MATCH_DESCRIPTION, find_session, find_waiting_sessions
from bot.commands.ids import get_selection, parse_number, require_control, split_id
from bot.commands.puzzle import play_in_puzzle
from bot.delivery.outlets import (
    Interaction,
    InteractionAnswer,
    build_match_link,
    log_answer_failures,
)
from bot.views import controls
from bot.views.card import text_only_card
from bot.views.trying import confirm_turn_card
from bot.words import moderation as words
from engine.games import GAMES
from engine.match import BREAK, SIDE, SIX
from render.characters import utf16_length

DECLINE = "decline"
"""What is typed to decline a draw."""
LONGEST_PLAY = 200
"""Characters that a typed play may have; the longest that a throw allows has about half as many."""

CommandAction = Callable[[InteractionAnswer, Action, str], Awaitable[None]]


async def _roll_dice(answer: InteractionAnswer, action: Action, _: str) -> None:
    await finish_action(answer, await play.roll(answer.interaction.client.app, action))


async def _play_moves(answer: InteractionAnswer, action: Action, text: str) -> None:
    if report := await _play_or_confirm(answer, action, text):
        await finish_action(answer, report)


async def _play_or_confirm(
    answer: InteractionAnswer, action: Action, text: str
) -> ActionResult | None:
    """Play moves, or ask first whether they end the turn, where the player prefers that."""
    app = answer.interaction.client.app
    trial = await trying.find_trial_to_confirm(app, action, text)
    if trial is None:
        return await play.play_moves(app, action, text)
    await answer.send(confirm_turn_card(answer.reader, trial))
    return None


async def _undo_moves(answer: InteractionAnswer, action: Action, what: str) -> None:
    await finish_action(
        answer, await play.take_back(answer.interaction.client.app, action, whole=what == "turn")
    )


async def _offer_or_decline_draw(answer: InteractionAnswer, action: Action, what: str) -> None:
    deed = play.decline_draw if what == DECLINE else play.offer_draw
    await finish_action(answer, await deed(answer.interaction.client.app, action))


async def _hand_over_seat(answer: InteractionAnswer, action: Action, taker: str) -> None:
    app = answer.interaction.client.app
    person = parse_number(taker)
    names = await app.store.people.load_display_names([person])
    if person not in names:
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    await finish_action(
        answer, await substitution.offer_own_seat(app, action, DiscordPerson(person, names[person]))
    )


async def _resign_match(answer: InteractionAnswer, action: Action, _: str) -> None:
    await finish_action(answer, await play.resign_match(answer.interaction.client.app, action))


COMMAND_ACTIONS: Mapping[str, CommandAction] = {
    "roll": _roll_dice,
    "move": _play_moves,
    "undo": _undo_moves,
    "draw": _offer_or_decline_draw,
    "resign": _resign_match,
    "substitute": _hand_over_seat,
}
"""What each typed command does in a match, told what was typed with it."""


@app_commands.command()
@in_servers
@app_commands.describe(match=MATCH_DESCRIPTION)
async def roll(interaction: Interaction, match: int | None = None) -> None:
    """Roll the dice in your match in this channel."""
    await _respond_to_command(interaction, "roll", "", match)


@app_commands.command()
@in_all_contexts
@app_commands.rename(text="play")
@app_commands.describe(
    text="Moves, such as a-g b-f; bar-c enters a man, t-off bears one off", match=MATCH_DESCRIPTION
)
async def move(
    interaction: Interaction,
    text: app_commands.Range[str, 1, LONGEST_PLAY],
    match: int | None = None,
) -> None:
    """Play your throw, or answer the puzzle you opened here."""
    puzzle = find_open_puzzle(
        interaction.client.app, interaction.channel_id or 0, interaction.user.id
    )
    if puzzle is None or match is not None:
        await _respond_to_command(interaction, "move", text, match)
        return

    async def work(answer: InteractionAnswer) -> None:
        if is_bot_member(interaction) and await find_waiting_sessions(interaction, "move"):
            await _play_waiting_match(answer, text)
        else:
            await answer.send(await play_in_puzzle(answer, puzzle, text))

    await respond(interaction, work, everywhere=True)


async def _play_waiting_match(answer: InteractionAnswer, text: str) -> None:
    """Play in the match that waits for the move.

    A person who has opened a puzzle is told that the move was not played there.
    """
    interaction = answer.interaction
    session = await find_session(answer, "move", text)
    if session and await _play_or_confirm(answer, make_action(interaction, session.id), text):
        say = answer.reader
        with log_answer_failures(interaction):
            note = say(
                "Played in match {match}, which takes priority here. Use the menus to answer the "
                "puzzle.",
                match=session.id,
            )
            await answer.send(text_only_card(note))


@app_commands.command()
@in_servers
@app_commands.describe(
    what="Your last move, or all your moves since the throw", match=MATCH_DESCRIPTION
)
@app_commands.choices(
    what=[
        app_commands.Choice(name="the last move", value="move"),
        app_commands.Choice(name="the whole turn", value="turn"),
    ]
)
async def undo(interaction: Interaction, what: str = "move", match: int | None = None) -> None:
    """Take back moves until the next throw."""
    await _respond_to_command(interaction, "undo", what, match)


@app_commands.command()
@in_servers
@app_commands.describe(match=MATCH_DESCRIPTION)
async def resign(interaction: Interaction, match: int | None = None) -> None:
    """Resign your match in this channel."""
    await _respond_to_command(interaction, "resign", "", match)


@app_commands.command()
@in_servers
@app_commands.describe(
    what="Offer a draw (or accept one offered to you), or decline one", match=MATCH_DESCRIPTION
)
@app_commands.choices(
    what=[
        app_commands.Choice(name="offer or accept a draw", value="offer"),
        app_commands.Choice(name="decline a draw", value=DECLINE),
    ]
)
async def draw(interaction: Interaction, what: str = "offer", match: int | None = None) -> None:
    """Offer a draw in your match in this channel, or answer one."""
    await _respond_to_command(interaction, "draw", what, match)


@app_commands.command()
@in_servers
@app_commands.describe(player="The person to ask to take your place", match=MATCH_DESCRIPTION)
async def substitute(
    interaction: Interaction, player: discord.User, match: int | None = None
) -> None:
    """Hand over your seat in a team to somebody else."""

    async def work(answer: InteractionAnswer) -> None:
        taker = require_member(player)
        substitution.require_human(taker)
        # The name is asked for again when it is said in which match.
        await interaction.client.app.save_people(taker)
        if session := await find_session(answer, "substitute", str(taker.id), match):
            await run_command(answer, "substitute", session.id, str(taker.id))

    await respond(interaction, work)


async def _respond_to_command(
    interaction: Interaction, command: str, text: str, match: int | None
) -> None:
    async def work(answer: InteractionAnswer) -> None:
        if session := await find_session(answer, command, text, match):
            await run_command(answer, command, session.id, text)

    await respond(interaction, work)


async def run_command(answer: InteractionAnswer, command: str, match: int, text: str) -> None:
    """Carry out a typed command in a match; the channel shows what came of it."""
    await COMMAND_ACTIONS[command](answer, make_action(answer.interaction, match), text)


async def finish_action(answer: InteractionAnswer, report: ActionResult) -> None:
    """End the answer to an action that is saved.

    The match's own channel shows it; elsewhere a link leads there.
    """
    session = report.session
    if await finish_elsewhere(answer, session):
        return
    there = build_match_link(session.row)
    say = answer.reader
    elsewhere = text_only_card(
        say("Done. [Match {match} continues here]({link}).", match=session.id, link=there)
    )
    await answer.finish_in(session.row.channel, elsewhere)


async def offer_plays(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the legal continuations of what was typed, in the match it is meant for."""
    return await _list_continuations(await _find_own_turns(interaction), typed)


async def _find_own_turns(interaction: Interaction) -> list[MatchSession]:
    """Return the matches of this channel in which it is the person's turn.

    Where one of them was chosen, return that one.
    """
    chosen = interaction.namespace.match
    return [
        each
        for each in await find_waiting_sessions(interaction, "move")
        if chosen in (None, each.id)
    ]


async def _list_continuations(
    mine: Sequence[MatchSession], typed: str
) -> list[app_commands.Choice[str]]:
    return _make_choices(
        await asyncio.to_thread(suggest_plays, mine[0].match, typed) if len(mine) == 1 else []
    )


def _make_choices(texts: Iterable[str]) -> list[app_commands.Choice[str]]:
    return [
        app_commands.Choice(name=text, value=text)
        for text in texts
        if utf16_length(text) <= controls.LONGEST_ENTRY
    ]


@move.autocomplete("text")
async def _plays_like(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the legal continuations in the person's match.

    Where no match waits, they are those in the puzzle that the person has opened.
    """
    puzzle = find_open_puzzle(
        interaction.client.app, interaction.channel_id or 0, interaction.user.id
    )
    mine = await _find_own_turns(interaction)
    if puzzle is None or interaction.namespace.match is not None or mine:
        return await _list_continuations(mine, typed)
    return _make_choices(await asyncio.to_thread(puzzles.suggest_continuations, puzzle, typed))


CHOICES = {
    SIX,
    SIDE.name,
    BREAK,
    *(option.name for game in GAMES.values() for option in game.options),
}
"""What a button can settle."""


async def _handle_act(interaction: Interaction, rest: str) -> None:
    """Carry out a button of a match for the state in which it was shown.

    The id is `match:version:act[:value]`.
    """
    match, version, deed = split_id(rest, 3)
    act, _, value = deed.partition(":")
    action = make_action(interaction, parse_number(match), parse_number(version))

    async def work(answer: InteractionAnswer) -> None:
        app = interaction.client.app
        match act:
            case "roll":
                report = await play.roll(app, action)
            case "back":
                report = await play.take_back(app, action)
            case "leave":
                report = await play.leave_numbers(app, action)
            case "claim":
                report = await play.claim_match(app, action)
            case "grant":
                report = await play.grant_time(app, action)
            case "agree":
                report = await play.accept_draw(app, action)
            case "decline":
                report = await play.decline_draw(app, action)
            case choice if choice in CHOICES:
                report = await play.make_choice(app, action, choice, value)
            case _:
                raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
        await finish_action(answer, report)

    await respond(interaction, work)


async def _handle_seat(interaction: Interaction, rest: str) -> None:
    """Take a seat that is offered, or leave it to its holder: `act:match:holder:taker:by`."""
    require_control(interaction, f"{controls.SEAT}:{rest}")
    act, *numbers = split_id(rest, 5)
    offer = SeatOffer(*map(parse_number, numbers))

    async def work(answer: InteractionAnswer) -> None:
        say = interaction.client.get_reader(interaction.guild_locale or interaction.locale)
        if act == "take":
            report = await substitution.take_seat(
                interaction.client.app, make_action(interaction, offer.match), offer
            )
            told = words.format_takeover(say, report.session, offer)
        else:
            substitution.require_concerned(interaction.user.id, offer)
            told = words.format_closed_offer(say, offer, interaction.user.id)
        with log_answer_failures(interaction):
            await answer.edit_message(text_only_card(told))

    await respond(interaction, work)


async def _handle_play(interaction: Interaction, rest: str) -> None:
    """Play what was picked from a menu of plays, or of next moves: `match:version:menu`."""
    match, version, _ = split_id(rest, 3)
    action = make_action(interaction, parse_number(match), parse_number(version))

    async def work(answer: InteractionAnswer) -> None:
        await _play_moves(answer, action, get_selection(interaction))

    await respond(interaction, work)


COMMANDS: Commands = (roll, move, undo, draw, resign, substitute)
PRESSES: Presses = {
    controls.ACT: _handle_act,
    controls.PLAY: _handle_play,
    controls.SEAT: _handle_seat,
}
