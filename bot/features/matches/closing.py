"""Closing the message of a turn that is over: its controls go, and what was played is added."""

import logging
from collections.abc import Sequence

import discord

from bot.features.matches import loading
from bot.features.matches.cards import past_turn_card
from bot.features.matches.presses import Presses, respond_by_card
from bot.features.matches.reach import is_place_lost
from bot.features.matches.session import MatchSession, Transition
from bot.features.matches.turns import list_transitions
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.kinds import CloseTurn, RemoveMessage
from bot.platform.jobs.runner import Done, JobResult
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.card import Card
from bot.platform.ui.channels import ServerChannel, delete_message
from bot.platform.ui.failures import require_error_code
from bot.store import Job, MatchRow, QueuedJob
from engine.match import Match

log = logging.getLogger(__name__)


async def close_by_press(client: AppClient, session: MatchSession, until: int) -> bool:
    """Close the match's message by the answer to a press under it, unless one has closed it.

    Return whether it is closed.
    """
    row, app = session.row, client.app
    if row.message is None:
        return False
    if app.get_part(Presses).forget_closed(row.message):
        return True
    press = app.get_part(Presses).take(row.message, session.match.version)
    if press is None:
        return False
    try:
        card = await _prepare_past_card(client, session, _make_close_job(row, until))
        return await respond_by_card(press.answer, card)
    finally:
        press.settled.set()


async def close_pressed_message(answer: InteractionAnswer, session: MatchSession) -> None:
    """Answer a press that ends a turn by closing its message, before the next one is posted."""
    row, client = session.row, answer.client
    assert row.message is not None
    job = _make_close_job(row, session.match.version)
    if await respond_by_card(answer, await _prepare_past_card(client, session, job)):
        client.app.get_part(Presses).mark_closed(row.message)


def _make_close_job(row: MatchRow, until: int) -> CloseTurn:
    assert row.message is not None
    return CloseTurn(row.message, row.id, row.channel, row.since, until, row.shown)


async def make_close_jobs(channel: ServerChannel, row: MatchRow, until: int) -> Sequence[Job]:
    """Return the job that closes a match's message, covering all until a version, or removes it.

    It is removed in servers with one message a match; no job is needed without a message.
    """
    if row.message is None:
        return []
    now = channel.client.app.clock()
    if (await channel.load_server()).single:
        return [RemoveMessage(row.message, row.id, row.channel).make_job(now)]
    return [_make_close_job(row, until).make_job(now)]


@handles(CloseTurn)
async def close_turn(client: AppClient, job: CloseTurn, _: QueuedJob) -> JobResult:
    """Remove the controls of a message whose turn is over, and add what was played.

    Its picture stays.
    """
    session = await loading.load_session(client.app, job.match)
    channel = ServerChannel(client, session.row.guild, job.channel)
    card = await _prepare_past_card(client, session, job)
    try:
        await channel.edit(job.message, card)
    except discord.NotFound as error:
        require_error_code(error)
        log.info("message %d of a past turn is gone", job.message)
    except discord.HTTPException as error:
        if job.channel == session.row.channel or not is_place_lost(error):
            raise
        # The match has moved, perhaps because this place was lost; then its old message stays.
        log.info("could not clear message %d after its match moved: %s", job.message, error)
    return Done()


async def _prepare_past_card(client: AppClient, session: MatchSession, job: CloseTurn) -> Card:
    happened = list_transitions(session, job.since, job.until)
    if len(happened) < job.until - job.since:
        # The session remembers the latest transitions only, and this job may come long after its
        # turn.
        everything = await loading.load_history(client.app, session.row)
        happened = everything[job.since : job.until]
    channel = ServerChannel(client, session.row.guild, job.channel)
    return past_turn_card(
        channel.reader, session, happened, _find_match_at(happened, session.match, job.shown)
    )


def _find_match_at(happened: Sequence[Transition], now: Match, version: int) -> Match:
    """Return the match as it was at one version."""
    return next((each.before for each in happened if each.before.version == version), now)


@handles(RemoveMessage)
async def remove_message(client: AppClient, job: RemoveMessage, _: QueuedJob) -> JobResult:
    """Take a message of ours away."""
    await delete_message(client, job.channel, job.message)
    return Done()
