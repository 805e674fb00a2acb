"""Puzzles: /puzzle, the menus in which one is solved, and the button that tells of it."""

import asyncio
from functools import partial

from discord import app_commands

from bot.features.matches.extensions import PLAY_TARGETS, TypedPlayTarget
from bot.features.puzzles import cards as puzzle_views
from bot.features.puzzles import own
from bot.features.puzzles import service as puzzles
from bot.features.puzzles.cards import (
    MINE,
    PUZZLE,
    answer_card,
    own_answer_card,
    own_puzzle_card,
    public_puzzle_card,
    puzzle_card,
    share_card,
)
from bot.features.puzzles.own import OwnPuzzle
from bot.features.puzzles.service import PERSON, SERVER, PuzzleAttempt, PuzzlePlace, PuzzleResult
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.i18n.reader import Reader
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.card import Card
from bot.platform.ui.channels import ServerChannel
from bot.platform.ui.declarations import command, press
from bot.platform.ui.ids import get_selection
from bot.platform.ui.layout import strip_controls
from bot.platform.ui.membership import is_bot_member, require_server
from bot.platform.ui.places import require_permissions

TODAY = "today"
"""The puzzle of the day, which is everybody's."""


@command(everywhere=True, public_option="share")
@app_commands.describe(
    which="Today's, or one of your own blunders (default: today's)",
    share="Show it to everyone here; each person still solves it alone",
)
@app_commands.choices(
    which=[
        app_commands.Choice(name="today's", value=TODAY),
        app_commands.Choice(name="mine", value=MINE),
    ]
)
async def puzzle(answer: InteractionAnswer, which: str = TODAY, share: bool = False) -> None:
    """Find the best play in today's position, or where you went wrong."""
    if which == MINE:
        if share:
            raise DeclinedError(DeclineReason.OWN_PUZZLES_PRIVATE)
        await answer.send(await _open_own(answer))
        return
    if answer.private:
        await answer.send(await _open_today(answer))
        return
    require_permissions(answer.interaction)
    owner = _find_puzzle_owner(answer)
    today = await puzzles.load_daily_puzzle(answer.app, owner, answer.person.id)
    await answer.send(public_puzzle_card(answer.reader, today.puzzle))


def _find_puzzle_owner(answer: InteractionAnswer) -> PuzzlePlace:
    """Return whose puzzle is asked for.

    It is the server's, or the person's own where the bot is not a member.
    """
    if not is_bot_member(answer.interaction):
        return PuzzlePlace(PERSON, answer.person.id)
    return PuzzlePlace(SERVER, answer.guild)


async def _open_today(answer: InteractionAnswer, tried: PuzzleAttempt | None = None) -> Card:
    """Return the card on which somebody solves the puzzle of today, as far as they have played."""
    app, person = answer.app, answer.person.id
    today = await puzzles.load_daily_puzzle(app, _find_puzzle_owner(answer), person)
    puzzles.remember_open_puzzle(app, answer.channel, person, today.puzzle)
    return await asyncio.to_thread(puzzle_card, answer.reader, today, person, tried)


async def _open_own(answer: InteractionAnswer, tried: PuzzleAttempt | None = None) -> Card:
    """Return the card of one's own puzzle: the next, or one as far as it is played."""
    app, person = answer.app, answer.person.id
    shown = tried.puzzle if tried else await own.load_next_puzzle(app, answer.asker)
    assert isinstance(shown, OwnPuzzle)
    puzzles.remember_open_puzzle(app, answer.channel, person, shown)
    return await asyncio.to_thread(own_puzzle_card, answer.reader, shown, person, tried)


async def _reopen_own(answer: InteractionAnswer, name: str) -> Card:
    """Return the card of one's own puzzle from its beginning."""
    found = await own.load_own_puzzle(answer.app, answer.asker, name)
    return await _open_own(answer, PuzzleAttempt(found, found.match, ""))


@PLAY_TARGETS.add()
def find_puzzle_target(app: App, channel: int, person: int) -> TypedPlayTarget | None:
    """Let a typed play answer the puzzle that somebody has opened in a channel."""
    name = puzzles.find_open_puzzle(app, channel, person)
    if name is None:
        return None
    return TypedPlayTarget(
        play=lambda answer, text: play_in_puzzle(answer, name, text),
        suggest=partial(puzzles.suggest_continuations, app, person, name),
        explain_priority=_explain_priority,
    )


def _explain_priority(say: Reader, match: int) -> str:
    return say(
        "Played in match {match}, which takes priority here. Use the menus to answer the puzzle.",
        match=match,
    )


async def play_in_puzzle(answer: InteractionAnswer, name: str, text: str) -> Card:
    """Play in a puzzle.

    The card continues while the play is not complete, and then gives its evaluation.
    """
    app, person = answer.app, answer.person.id
    if own.is_own_puzzle(name):
        return await _play_in_own(answer, name, text)
    found = await puzzles.attempt_play(app, _find_puzzle_owner(answer), person, name, text)
    if isinstance(found, PuzzleResult):
        puzzles.forget_open_puzzle(app, answer.channel, person)
        shareable = is_bot_member(answer.interaction)
        return await asyncio.to_thread(
            answer_card, answer.reader, found, person, shareable=shareable
        )
    return await _open_today(answer, found)


async def _play_in_own(answer: InteractionAnswer, name: str, text: str) -> Card:
    person = answer.person.id
    found = await puzzles.attempt_own_play(answer.app, answer.asker, name, text)
    if isinstance(found, PuzzleAttempt):
        return await _open_own(answer, found)
    puzzles.forget_open_puzzle(answer.app, answer.channel, person)
    return await asyncio.to_thread(own_answer_card, answer.reader, found, person)


@press(PUZZLE, everywhere=True)
async def act_in_puzzle(
    answer: InteractionAnswer, act: str, name: str = "", menu: str = ""
) -> None:
    """Open a puzzle, play in it or share it; a menu gives its number and the moves so far."""
    match act:
        case puzzle_views.OPEN if own.is_own_puzzle(name):
            await _show_card(answer, await _reopen_own(answer, name))
        case puzzle_views.OPEN:
            await _show_card(answer, await _open_today(answer))
        case puzzle_views.MINE:
            await _show_card(answer, await _open_own(answer))
        case puzzle_views.PLAY:
            # The id ends in the menu's number and the moves made so far, with a colon between.
            so_far = menu.partition(":")[2]
            text = f"{so_far} {get_selection(answer.interaction)}".strip()
            await _show_card(answer, await play_in_puzzle(answer, name, text))
        case puzzle_views.SHARE:
            require_server(answer.interaction)
            await _share_result(answer, name)
        case _:
            raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)


async def _show_card(answer: InteractionAnswer, card: Card) -> None:
    """Show a solver how the puzzle goes on.

    It replaces their own card, or is sent beside a message that everyone sees.
    """
    # An ephemeral message is the solver's own; any other is seen by everyone and stays.
    message = answer.interaction.message
    if message is not None and message.flags.ephemeral:
        await answer.edit_message(card)
    else:
        await answer.send(card)


async def _share_result(answer: InteractionAnswer, name: str) -> None:
    """Tell the channel that somebody solved the puzzle; the button goes, since once is enough."""
    interaction, person = answer.interaction, answer.person.id
    require_permissions(interaction)
    found, streak = await puzzles.load_solved_puzzle(
        answer.app, _find_puzzle_owner(answer), person, name
    )
    channel = ServerChannel(answer.client, answer.guild, answer.channel)
    # Posted first: if that fails the button stays, and can be pressed again.
    await channel.post(
        share_card(channel.reader, found, person, streak.streak), f"puzzle {streak.day} of {person}"
    )
    message = interaction.message
    if message is not None and message.flags.ephemeral:
        say = answer.reader
        with log_answer_failures(interaction):
            await answer.edit_message(strip_controls(message, say("Shared in the channel.")))
