"""Puzzles: /puzzle, its menus and buttons, and the daily post of one."""

import asyncio
import logging
from collections.abc import Sequence
from functools import partial

import discord
from discord import app_commands

from bot.features.matches.interactions import PLAY_TARGETS, TypedPlayTarget
from bot.features.posts.commands import POST_CHOICES, PostChoice
from bot.features.posts.delivery import PostTask, PreparedPost, post_on_schedule
from bot.features.posts.rows import PostKind, ScheduledPost
from bot.features.posts.service import PostSchedule
from bot.features.puzzles import cards, match_puzzles, service
from bot.features.puzzles import cards as puzzle_views
from bot.features.puzzles import service as puzzles
from bot.features.puzzles.match_puzzles import OwnPuzzle, find_puzzle
from bot.features.puzzles.texts import format_puzzle_schedule
from bot.features.servers.service import ZONE_JOBS
from bot.platform.context import App
from bot.platform.db.jobs import JobPayload, Subject
from bot.platform.db.rows import Job, QueuedJob
from bot.platform.i18n.reader import DeclinedError, Reader, UnknownControlError, mark_text
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import Done, JobResult
from bot.platform.ui.access import is_bot_member, require_server
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.card import Card
from bot.platform.ui.channels import ServerChannel, build_link, require_permissions
from bot.platform.ui.controls import get_selection
from bot.platform.ui.declarations import command, press
from bot.platform.ui.layout import strip_controls

log = logging.getLogger(__name__)


class PostDailyPuzzle(
    JobPayload,
    kind="post puzzle",
    about=Subject.SERVER,
    is_timed=True,
    needs_server=True,
    posts_elsewhere=True,
):
    """Post the puzzle of the day in a server, with the solution of the last one."""

    server: int


class ClosePuzzlePost(
    JobPayload,
    kind="close puzzle",
    about=Subject.SERVER,
    key="{server} {message}",
    needs_server=True,
    posts_elsewhere=True,
):
    """Close the message of a puzzle whose solution is told in the message of the next one."""

    server: int
    message: int
    channel: int
    puzzle: str
    next_channel: int
    next_message: int


@ZONE_JOBS.add()
def follow_zone(server: int, now: int) -> Job:
    """Post the puzzle by the new clocks of a server."""
    return PostDailyPuzzle(server).build_job(now)


@handles(PostDailyPuzzle)
async def post_daily_puzzle(
    client: AppClient, job: PostDailyPuzzle, queued: QueuedJob
) -> JobResult:
    """Post the puzzle of the day where a server has chosen it."""
    task = PostTask(
        post=PostKind.PUZZLE,
        prepare=_build_post,
        build_job=job.build_job,
        list_jobs=_list_closing_jobs,
    )
    return await post_on_schedule(client, job.server, task, queued)


async def _build_post(channel: ServerChannel, schedule: PostSchedule) -> PreparedPost:
    app = channel.client.app
    daily = await service.load_daily_post(app, schedule)
    await service.forget_old_answers(app, schedule)
    chosen = schedule.chosen
    link = None
    if chosen.place is not None and chosen.message is not None:
        link = build_link(chosen.guild, chosen.place, chosen.message)
    card = await asyncio.to_thread(cards.daily_puzzle_card, channel.reader, daily, link)
    return PreparedPost(card, daily.puzzle.id)


def _list_closing_jobs(before: ScheduledPost, after: ScheduledPost, now: int) -> Sequence[Job]:
    """Return the job that closes the message of the last puzzle, if there was one."""
    place, message, puzzle = before.place, before.message, before.subject
    next_place, next_message = after.place, after.message
    if place is None or message is None or puzzle is None:
        return ()
    assert next_place is not None
    assert next_message is not None
    closing = ClosePuzzlePost(before.guild, message, place, puzzle, next_place, next_message)
    return (closing.build_job(now),)


@handles(ClosePuzzlePost)
async def close_puzzle_post(client: AppClient, job: ClosePuzzlePost, _: QueuedJob) -> JobResult:
    """Take the button from the message of a puzzle, and let it point to the solution."""
    puzzle = await find_puzzle(client.app, job.puzzle)
    if puzzle is None:
        return Done()
    channel = ServerChannel(client, job.server, job.channel)
    link = build_link(job.server, job.next_channel, job.next_message)
    card = await asyncio.to_thread(cards.past_puzzle_card, channel.reader, puzzle, link)
    try:
        await channel.edit(job.message, card)
    except (discord.Forbidden, discord.NotFound) as error:
        if error.code == 0:
            raise
        log.info("could not close the puzzle in message %d: %s", job.message, error)
    return Done()


TODAY = "today"
"""The puzzle of the day, which is everybody's."""


class OwnPuzzlesPrivateError(DeclinedError):
    sentence = mark_text(
        "Your own puzzles are only for you. Leave out `share`, or share today's puzzle."
    )


@command(everywhere=True, public_option="share")
@app_commands.describe(
    which="Today's, or one of your own blunders (default: today's)",
    share="Show it to everyone here; each person still solves it alone",
)
@app_commands.choices(
    which=[
        app_commands.Choice(name="today's", value=TODAY),
        app_commands.Choice(name="mine", value=cards.MINE),
    ]
)
async def puzzle(answer: InteractionAnswer, which: str = TODAY, share: bool = False) -> None:
    """Find the best play in today's position, or where you went wrong."""
    if which == cards.MINE:
        if share:
            raise OwnPuzzlesPrivateError
        await answer.send(await _open_own(answer))
        return
    if answer.private:
        await answer.send(await _open_today(answer))
        return
    require_permissions(answer.interaction)
    owner = _find_puzzle_owner(answer)
    today = await puzzles.load_daily_puzzle(answer.app, owner, answer.person.id)
    await answer.send(cards.public_puzzle_card(answer.reader, today.puzzle))


def _find_puzzle_owner(answer: InteractionAnswer) -> service.PuzzlePlace:
    """Return whose puzzle is asked for.

    It is the server's, or the person's own where the bot is not a member.
    """
    if not is_bot_member(answer.interaction):
        return service.PuzzlePlace(service.PERSON, answer.person.id)
    return service.PuzzlePlace(service.SERVER, answer.guild)


async def _open_today(
    answer: InteractionAnswer, tried: service.PuzzleAttempt | None = None
) -> Card:
    """Return the card on which somebody solves the puzzle of today, as far as they have played."""
    app, person = answer.app, answer.person.id
    today = await puzzles.load_daily_puzzle(app, _find_puzzle_owner(answer), person)
    puzzles.remember_open_puzzle(app, answer.channel, person, today.puzzle)
    return await asyncio.to_thread(cards.puzzle_card, answer.reader, today, person, tried)


async def _open_own(answer: InteractionAnswer, tried: service.PuzzleAttempt | None = None) -> Card:
    """Return the card of one's own puzzle: the next, or one as far as it is played."""
    app, person = answer.app, answer.person.id
    shown = tried.puzzle if tried else await match_puzzles.load_next_puzzle(app, answer.asker)
    assert isinstance(shown, OwnPuzzle)
    puzzles.remember_open_puzzle(app, answer.channel, person, shown)
    return await asyncio.to_thread(cards.own_puzzle_card, answer.reader, shown, person, tried)


async def _reopen_own(answer: InteractionAnswer, name: str) -> Card:
    """Return the card of one's own puzzle from its beginning."""
    found = await match_puzzles.load_own_puzzle(answer.app, answer.asker, name)
    return await _open_own(answer, service.PuzzleAttempt(found, found.match, ""))


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
    if match_puzzles.is_own_puzzle(name):
        return await _play_in_own(answer, name, text)
    found = await puzzles.attempt_play(app, _find_puzzle_owner(answer), person, name, text)
    if isinstance(found, service.PuzzleResult):
        puzzles.forget_open_puzzle(app, answer.channel, person)
        shareable = is_bot_member(answer.interaction)
        return await asyncio.to_thread(
            cards.answer_card, answer.reader, found, person, shareable=shareable
        )
    return await _open_today(answer, found)


async def _play_in_own(answer: InteractionAnswer, name: str, text: str) -> Card:
    person = answer.person.id
    found = await puzzles.attempt_own_play(answer.app, answer.asker, name, text)
    if isinstance(found, service.PuzzleAttempt):
        return await _open_own(answer, found)
    puzzles.forget_open_puzzle(answer.app, answer.channel, person)
    return await asyncio.to_thread(cards.own_answer_card, answer.reader, found, person)


@press(cards.PUZZLE, everywhere=True)
async def act_in_puzzle(
    answer: InteractionAnswer, act: str, name: str = "", menu: str = ""
) -> None:
    """Open a puzzle, play in it or share it; a menu gives its number and the moves so far."""
    match act:
        case puzzle_views.OPEN if match_puzzles.is_own_puzzle(name):
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
            raise UnknownControlError


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
        cards.share_card(channel.reader, found, person, streak.streak),
        f"puzzle {streak.day} of {person}",
    )
    message = interaction.message
    if message is not None and message.flags.ephemeral:
        say = answer.reader
        with log_answer_failures(interaction):
            await answer.edit_message(strip_controls(message, say("Shared in the channel.")))


@POST_CHOICES.add(10)
def _get_puzzle_choice() -> PostChoice:
    return PostChoice(
        post=PostKind.PUZZLE,
        label=mark_text("**Daily puzzle**\n-# Where it's posted, with the last one's solution"),
        build_job=follow_zone,
        format_schedule=format_puzzle_schedule,
        clean_up=service.forget_answers,
    )
