"""Posting the puzzle of the day, and closing the message of the last one."""

import asyncio
import logging
from collections.abc import Sequence

import discord

from bot.features.daily_puzzle.cards import daily_puzzle_card, past_puzzle_card
from bot.features.daily_puzzle.jobs import ClosePuzzlePost, PostDailyPuzzle
from bot.features.daily_puzzle.service import forget_old_answers, load_daily_post
from bot.features.puzzles.match_puzzles import find_puzzle
from bot.features.schedules.delivery import PostTask, PreparedPost, post_on_schedule
from bot.features.schedules.rows import PostKind, ScheduledPost
from bot.features.schedules.service import PostSchedule
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import Done, JobResult
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.channels import ServerChannel
from bot.platform.ui.places import build_link
from bot.store import Job, QueuedJob

log = logging.getLogger(__name__)


@handles(PostDailyPuzzle)
async def post_daily_puzzle(
    client: AppClient, job: PostDailyPuzzle, queued: QueuedJob
) -> JobResult:
    """Post the puzzle of the day where a server has chosen it."""
    task = PostTask(
        post=PostKind.PUZZLE,
        prepare=_prepare_post,
        make_job=job.make_job,
        list_jobs=_list_closing_jobs,
    )
    return await post_on_schedule(client, job.server, task, queued)


async def _prepare_post(channel: ServerChannel, schedule: PostSchedule) -> PreparedPost:
    app = channel.client.app
    daily = await load_daily_post(app, schedule)
    await forget_old_answers(app, schedule)
    chosen = schedule.chosen
    link = None
    if chosen.place is not None and chosen.message is not None:
        link = build_link(chosen.guild, chosen.place, chosen.message)
    card = await asyncio.to_thread(daily_puzzle_card, channel.reader, daily, link)
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
    return (closing.make_job(now),)


@handles(ClosePuzzlePost)
async def close_puzzle_post(client: AppClient, job: ClosePuzzlePost, _: QueuedJob) -> JobResult:
    """Take the button from the message of a puzzle, and let it point to the solution."""
    puzzle = await find_puzzle(client.app, job.puzzle)
    if puzzle is None:
        return Done()
    channel = ServerChannel(client, job.server, job.channel)
    link = build_link(job.server, job.next_channel, job.next_message)
    card = await asyncio.to_thread(past_puzzle_card, channel.reader, puzzle, link)
    try:
        await channel.edit(job.message, card)
    except (discord.Forbidden, discord.NotFound) as error:
        if error.code == 0:
            raise
        log.info("could not close the puzzle in message %d: %s", job.message, error)
    return Done()
