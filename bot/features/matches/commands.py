"""Playing: /roll, /move, /undo, draws and resigning, and the buttons and menus of a match."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from discord import app_commands

from bot.features.matches import endings
from bot.features.matches import service as play
from bot.features.matches import texts as words
from bot.features.matches.action_buttons import ACT
from bot.features.matches.cards import turn_card
from bot.features.matches.closing import close_pressed_message
from bot.features.matches.event_texts import describe_transitions
from bot.features.matches.extensions import (
    TypedPlayTarget,
    find_typed_play_target,
    prepare_confirmation,
)
from bot.features.matches.interactions import make_action
from bot.features.matches.loading import load_visible_session
from bot.features.matches.match_choice import (
    MATCH_DESCRIPTION,
    find_session,
    find_waiting_sessions,
    match_action,
    match_command,
    run_in_chosen_match,
)
from bot.features.matches.more import resign_card
from bot.features.matches.moving import finish_elsewhere
from bot.features.matches.play_controls import MAN, PLAY
from bot.features.matches.presses import find_pressed_message, respond_by_card, wait_for_change
from bot.features.matches.service import Action, ActionResult
from bot.features.matches.session import (
    MatchSession,
    require_player,
    require_running,
    require_turn,
)
from bot.features.matches.suggestions import suggest_plays
from bot.features.matches.turns import list_shown_transitions
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason, StaleMatchError
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.card import text_only_card
from bot.platform.ui.channels import ServerChannel
from bot.platform.ui.controls import LONGEST_ENTRY
from bot.platform.ui.declarations import command, press
from bot.platform.ui.groups import match_group
from bot.platform.ui.ids import get_selection
from bot.platform.ui.membership import Where, is_bot_member, require_place
from bot.platform.ui.places import build_match_link, is_direct
from engine.games import GAMES
from engine.match import BREAK, SIDE, SIX
from render.characters import utf16_length

DECLINE = "decline"
"""What is typed to decline a draw."""
LONGEST_PLAY = 200
"""Characters that a typed play may have; the longest that a throw allows has about half as many."""


@match_command()
async def roll(answer: InteractionAnswer, match: int) -> None:
    """Roll the dice in your match in this channel."""
    await finish_action(answer, await play.roll(answer.app, make_action(answer, match)))


@command(everywhere=True)
@app_commands.rename(text="play")
@app_commands.describe(
    text="Moves, such as a-g b-f; bar-c enters a man, t-off bears one off", match=MATCH_DESCRIPTION
)
async def move(
    answer: InteractionAnswer,
    text: app_commands.Range[str, 1, LONGEST_PLAY],
    match: int | None = None,
) -> None:
    """Play your throw, or answer the puzzle you opened here."""
    interaction = answer.interaction
    target = find_typed_play_target(answer.app, answer.channel, answer.person.id)
    if target is None or match is not None:
        # The command works everywhere for the sake of other targets; a match needs its place.
        require_place(interaction, Where.DIRECT)
        await run_in_chosen_match(answer, "move", text, match)
    elif _may_have_match(interaction) and await find_waiting_sessions(interaction, "move"):
        await _play_waiting_match(answer, target, text)
    else:
        await answer.send(await target.play(answer, text))


def _may_have_match(interaction: Interaction) -> bool:
    """Whether matches are played where something is asked for."""
    return is_bot_member(interaction) or is_direct(interaction)


@match_action("move")
async def _play_in_match(answer: InteractionAnswer, match: int, text: str) -> None:
    await _play_moves(answer, make_action(answer, match), text)


async def _play_moves(answer: InteractionAnswer, action: Action, text: str) -> None:
    if report := await _play_or_confirm(answer, action, text):
        await finish_action(answer, report)


async def _play_or_confirm(
    answer: InteractionAnswer, action: Action, text: str
) -> ActionResult | None:
    """Play moves, or ask first whether they end the turn, where the player prefers that."""
    question = await prepare_confirmation(answer, action, text)
    if question is None:
        return await play.play_moves(answer.app, action, text)
    await answer.send(question)
    return None


async def _play_waiting_match(
    answer: InteractionAnswer, target: TypedPlayTarget, text: str
) -> None:
    """Play in the match that waits for the move, and say that it was not played elsewhere."""
    session = await find_session(answer, "move", text)
    if session and await _play_or_confirm(answer, make_action(answer, session.id), text):
        with log_answer_failures(answer.interaction):
            note = target.explain_priority(answer.reader, session.id)
            await answer.send(text_only_card(note))


@match_command()
@app_commands.describe(what="Your last move, or all your moves since the throw")
@app_commands.choices(
    what=[
        app_commands.Choice(name="the last move", value="move"),
        app_commands.Choice(name="the whole turn", value="turn"),
    ]
)
async def undo(answer: InteractionAnswer, match: int, what: str = "move") -> None:
    """Take back moves until the next throw."""
    action = make_action(answer, match)
    await finish_action(answer, await play.take_back(answer.app, action, whole=what == "turn"))


@match_command(group=match_group)
@app_commands.describe(what="Offer a draw (or accept one offered to you), or decline one")
@app_commands.choices(
    what=[
        app_commands.Choice(name="offer or accept a draw", value="offer"),
        app_commands.Choice(name="decline a draw", value=DECLINE),
    ]
)
async def draw(answer: InteractionAnswer, match: int, what: str = "offer") -> None:
    """Offer a draw in your match in this channel, or answer one."""
    deed = endings.decline_draw if what == DECLINE else endings.offer_draw
    await finish_action(answer, await deed(answer.app, make_action(answer, match)))


@match_command(group=match_group)
async def resign(answer: InteractionAnswer, match: int) -> None:
    """Resign your match in this channel; you're asked first."""
    session = await load_visible_session(answer.app, match, answer.guild, answer.person.id)
    require_running(session)
    require_player(session, answer.person.id)
    await answer.send(resign_card(answer.reader, session))


async def finish_action(answer: InteractionAnswer, report: ActionResult) -> None:
    """End the answer to an action that is saved.

    A press is answered by what becomes of its message, a command in a line for the one who typed
    it. The match's own channel shows what has changed; elsewhere a link leads there.
    """
    session = report.session
    if await finish_elsewhere(answer, session):
        return
    if message := find_pressed_message(answer, session):
        await _answer_by_change(answer, session, message)
        return
    say = answer.reader
    if answer.channel != session.row.channel:
        there = build_match_link(session.row)
        told = say("Done. [Match {match} continues here]({link}).", match=session.id, link=there)
    elif answer.is_component and not answer.is_private_message:
        await answer.finish()
        return
    else:
        happened = describe_transitions(say, session, report.transitions)
        # Translators: what the reader asked for has happened.
        told = happened or words.format_result(say, session) or say("Done.")
    with log_answer_failures(answer.interaction):
        # A private message whose button was pressed has done its part, and says the result itself.
        if answer.is_private_message:
            await answer.edit_message(text_only_card(told))
        else:
            await answer.send(text_only_card(told))


async def _answer_by_change(answer: InteractionAnswer, session: MatchSession, message: int) -> None:
    """End the answer to a press by what becomes of its message."""
    channel = ServerChannel(answer.client, session.row.guild, session.row.channel)
    with log_answer_failures(answer.interaction):
        if session.is_computer_acting and not (await channel.load_server()).single:
            # The next message comes when the computer has acted; this one needs not wait for it.
            await close_pressed_message(answer, session)
        else:
            await wait_for_change(answer, session, message)
    await answer.finish()


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
    # With several matches nobody knows yet which of them the moves are for.
    return _make_choices(
        await asyncio.to_thread(suggest_plays, mine[0].match, typed) if len(mine) == 1 else []
    )


def _make_choices(texts: Iterable[str]) -> list[app_commands.Choice[str]]:
    return [
        app_commands.Choice(name=text, value=text)
        for text in texts
        # One choice that is too long makes Discord refuse them all, and half a play is no use.
        if utf16_length(text) <= LONGEST_ENTRY
    ]


@move.autocomplete("text")
async def _plays_like(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the legal continuations in the person's match.

    Where no match waits, they are those of what else the person may mean.
    """
    target = find_typed_play_target(
        interaction.client.app, interaction.channel_id or 0, interaction.user.id
    )
    mine = await _find_own_turns(interaction)
    if target is None or interaction.namespace.match is not None or mine:
        return await _list_continuations(mine, typed)
    return _make_choices(await asyncio.to_thread(target.suggest, typed))


CHOICES = {
    SIX,
    SIDE.name,
    BREAK,
    *(option.name for game in GAMES.values() for option in game.options),
}
"""What a button can settle."""


UNVERSIONED: Mapping[str, Callable[[App, Action], Awaitable[ActionResult]]] = {
    "resign": endings.resign_match,
    "abort": endings.abort_match,
    "offer": endings.offer_draw,
}
"""What a button does in the match as it stands, whatever has happened since it was shown."""


@press(ACT, direct=True, edits_public=True)
async def act_in_match(
    answer: InteractionAnswer, match: int, version: int, act: str, value: str = ""
) -> None:
    """Carry out a button of a match for the state in which it was shown."""
    app, action = answer.app, make_action(answer, match, version)
    match act:
        case "roll":
            report = await play.roll(app, action)
        case "move":
            await _play_moves(answer, action, value)
            return
        case "back":
            report = await play.take_back(app, action)
        case anytime if anytime in UNVERSIONED:
            report = await UNVERSIONED[anytime](app, make_action(answer, match))
        case "leave":
            report = await play.leave_numbers(app, action)
        case "claim":
            report = await endings.claim_match(app, action)
        case "grant":
            report = await play.grant_time(app, action)
        case "agree":
            report = await endings.accept_draw(app, action)
        case "decline":
            report = await endings.decline_draw(app, action)
        case choice if choice in CHOICES:
            report = await play.make_choice(app, action, choice, value)
        case _:
            # Messages outlive the program that posted them, so a button may be of another version.
            raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    await finish_action(answer, report)


@press(PLAY, direct=True, edits_public=True)
async def play_from_menu(answer: InteractionAnswer, match: int, version: int, _: str) -> None:
    """Play what was picked from a menu of plays, or of next moves."""
    selected = get_selection(answer.interaction)
    await _play_moves(answer, make_action(answer, match, version), selected)


@press(MAN, direct=True, edits_public=True)
async def choose_man(answer: InteractionAnswer, match: int, version: int, place: str) -> None:
    """Offer the moves of one man, or, without a place, all men again."""
    app = answer.app
    # While the lock is held nothing happens that this answer could hide.
    async with app.get_match_lock(match):
        session = await load_visible_session(app, match, answer.guild, answer.person.id)
        require_turn(session, answer.person.id)
        message = find_pressed_message(answer, session)
        if message is None or version != session.match.version:
            raise StaleMatchError(match)
        man = session.match.rules.board.places_by_name.get(place)
        card = turn_card(answer.public_reader, session, list_shown_transitions(session), man)
        assert card.picture is not None
        kept = replace(card, picture=replace(card.picture, shows=None), ping=None)
        if not await respond_by_card(answer, kept):
            channel = ServerChannel(answer.client, session.row.guild, session.row.channel)
            with log_answer_failures(answer.interaction):
                await channel.edit(message, kept)
