"""A match's channel: the one function that brings it up to date, whatever has changed.

It may run any number of times.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

import discord

from bot.features.matches import loading
from bot.features.matches import texts as words
from bot.features.matches.cards import end_card, mention_card, turn_card
from bot.features.matches.closing import close_by_press, make_close_jobs
from bot.features.matches.extensions import load_end_sections
from bot.features.matches.presses import Presses, answer_press
from bot.features.matches.reach import (
    find_parent,
    is_place_lost,
    is_unshowable,
    repost_deleted,
    stop_match,
)
from bot.features.matches.reach_texts import explain_lost_thread
from bot.features.matches.session import MatchSession, Transition
from bot.features.matches.threads import ARCHIVE_DELAY_MS, MatchPlace, choose_place
from bot.features.matches.turns import (
    find_start_version,
    is_message_current,
    list_shown_transitions,
    list_transitions,
)
from bot.platform.context import App
from bot.platform.i18n.reader import Reader
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.kinds import (
    ArchiveThread,
    MentionPlayer,
    RemoveMessage,
    ShowMatch,
    WatchClock,
)
from bot.platform.jobs.runner import Done, JobResult, Removed
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.card import Card
from bot.platform.ui.channels import ServerChannel
from bot.platform.ui.failures import (
    MESSAGE_TOO_OLD,
    THREAD_ARCHIVED,
    UNKNOWN_CHANNEL,
    UNKNOWN_MESSAGE,
)
from bot.platform.ui.places import build_match_link
from bot.store import Job, LiveMessage, MatchRow, QueuedJob
from engine.match import Phase

log = logging.getLogger(__name__)


@handles(ShowMatch)
async def show_match(client: AppClient, job: ShowMatch, queued: QueuedJob) -> JobResult:
    """Bring a match's channel up to date.

    That edits the message of the turn, or posts the next one and closes the one before.
    """
    try:
        return await _update_channel(client, job, queued)
    except discord.HTTPException as error:
        # If all of the server is lost, no other place in it helps: the job waits for its return.
        if not is_place_lost(error) or queued.guild in client.app.lost:
            raise
        session = await loading.load_session(client.app, job.match)
        if await _show_elsewhere(client, session, job, queued, error):
            return Removed()
        # Somebody who has just asked for the match here is notified of the failure, once and not at
        # each retry.
        await stop_match(client, session, again=job.fresh is not None and not queued.tries)
        if isinstance(error, discord.NotFound):
            # The players were notified how it can be shown elsewhere.
            return Done()
        # A permission may come back, and a thread be unlocked.
        raise


async def _show_elsewhere(
    client: AppClient,
    session: MatchSession,
    job: ShowMatch,
    queued: QueuedJob,
    why: discord.HTTPException,
) -> bool:
    """Show a match whose place is lost in its thread's channel, or where it was before.

    Returns False if that fails too.
    """
    row = session.row
    say = ServerChannel(client, row.guild, row.channel).reader
    places = [MatchPlace(row.parent, explain_lost_thread(say))] if row.parent else []
    if job.fresh not in (None, row.channel):
        # The new place failed, so the one where the match was shown until now comes first.
        places.insert(0, MatchPlace(row.channel, parent=row.parent))
    for place in places:
        try:
            await _post_message(
                ServerChannel(client, row.guild, place.channel), session, queued, place
            )
        except discord.HTTPException as error:
            if not is_place_lost(error):
                raise
        else:
            log.warning("match %d continues in channel %d: %s", row.id, place.channel, why)
            return True
    return False


async def _update_channel(client: AppClient, job: ShowMatch, queued: QueuedJob) -> JobResult:
    session = await loading.load_session(client.app, job.match)
    here = ServerChannel(client, session.row.guild, session.row.channel)
    fresh = _find_fresh_channel(job, session.row)
    if session.row.message and not fresh and await _may_edit_message(here, session):
        is_current = session.row.shown == session.match.version and not job.again
        is_stale = job.luck or not is_current
        # A stopped match is edited although nothing is new: that it works lets its time run again.
        if not is_stale and not await is_unshowable(client.app, session):
            return Done()
        if await _edit_message(here, session, queued):
            return Removed()
        if is_current and job.luck:
            # Nobody misses the last message of a match that is over.
            return Done()
        # Somebody deleted the message, or it can't be changed, or its thread is archived: post a
        # new one.
    if fresh:
        remark = ""
        if job.restored is not None:
            remark = words.format_restore_notice(here.reader, job.restored)
        place = MatchPlace(fresh, remark, parent=find_parent(client, here.guild, fresh))
    else:
        place = await choose_place(here, session)
    there = replace(here, id=place.channel)
    await _post_message(there, session, queued, place, is_restored=job.restored is not None)
    return Removed()


def _find_fresh_channel(job: ShowMatch, row: MatchRow) -> int | None:
    """Return the channel in which a job wants a new message; None where it is there already.

    A job that is renewed while it is done comes with what was wanted before, too.
    """
    known = job.past is not None and job.fresh == row.channel
    posted = known and row.message not in (None, job.past)
    return None if posted else job.fresh


async def _may_edit_message(here: ServerChannel, session: MatchSession) -> bool:
    """Whether the live message is edited: in its own turn, or with one message a match."""
    return is_message_current(session) or (await here.load_server()).single


async def _edit_message(channel: ServerChannel, session: MatchSession, job: QueuedJob) -> bool:
    """Change the live message to the match's present state; return False if it can't be changed."""
    client = channel.client
    row = session.row
    version = session.match.version
    assert row.message is not None
    turned = not is_message_current(session)
    happened = list_shown_transitions(session)
    since, notice = row.since, _find_notice(session)
    # With one message a match the edit shows a later turn than the one it was posted for.
    if turned:
        happened = list_transitions(session, find_start_version(session), version)
        since = _find_first_version(session)
    card = await _prepare_next_card(client, channel.reader, session, happened)
    # It has controls again, if a press had closed it.
    client.app.get_part(Presses).forget_closed(row.message)
    try:
        if not await answer_press(client.app, row.message, version, card):
            await channel.edit(row.message, card)
    except discord.HTTPException as error:
        if error.code not in (UNKNOWN_MESSAGE, UNKNOWN_CHANNEL, THREAD_ARCHIVED, MESSAGE_TOO_OLD):
            raise
        log.info(
            "message %d of match %d is gone or can no longer be edited: %s",
            row.message,
            row.id,
            error,
        )
        return False
    later: Sequence[Job] = []
    if turned and card.ping:
        later = await _make_mention_jobs(channel, session, card)
        # No edit notifies anybody, and in quiet hours no message may: the call waits for their end.
        if not later:
            call = mention_card(channel.reader, session, build_match_link(row))
            notice = await channel.post(call, f"call in match {row.id} at {version}")
    posted = LiveMessage(row.message, channel.id, since, version, notice, row.parent, row.notice)
    await _save_live_message(client, session, posted, job, later)
    return True


async def _save_live_message(
    client: AppClient,
    session: MatchSession,
    posted: LiveMessage,
    job: QueuedJob,
    jobs: Sequence[Job],
) -> None:
    """Save which message is live now, and what follows; what called to an earlier act is removed.

    Time runs on if the match could be shown nowhere before.
    """
    app = client.app
    jobs = [*jobs, *_make_archive_jobs(client, session)]
    watch = WatchClock(session.id).make_job(app.clock())
    remove = make_removal(client, session)
    app.take(
        await app.store.matches.save_live_message(session.id, posted, job, jobs, remove, watch)
    )
    app.get_part(Presses).mark_seen(session.id, session.match.version)
    _measure_delay(client, session)
    # It may have been deleted before it was stored, when nobody could tell whose message it was.
    if posted.message is not None and client.deletions.has_message(posted.message):
        await repost_deleted(client, posted.channel, [posted.message])


def _measure_delay(client: AppClient, session: MatchSession) -> None:
    """Note how long people waited for a change to appear, if the message shows something new."""
    if session.row.shown != session.match.version:
        client.app.measures.record_show_delay((client.app.clock() - session.row.touched) / 1000)


def _find_first_version(session: MatchSession) -> int:
    """Return the first version whose events are a new message's own: its turn's, or the end's."""
    over = session.match.phase is Phase.OVER
    return find_start_version(session) if session.is_solo or over else session.match.version


async def _post_message(
    channel: ServerChannel,
    session: MatchSession,
    job: QueuedJob,
    place: MatchPlace,
    *,
    is_restored: bool = False,
) -> None:
    client = channel.client
    row = session.row
    version = session.match.version
    card = await _prepare_next_card(
        client,
        channel.reader,
        session,
        list_transitions(session, find_start_version(session), version),
    )
    # Whoever has a match shown anew, here or elsewhere, calls nobody once more.
    if row.shown == version and not is_restored:
        card = replace(card, ping=None)
    if place.remark:
        card = replace(card, small="\n".join(filter(None, (card.small, place.remark))))
    # What the computer did after the turn is shown in the next message.
    until = find_start_version(session) if session.is_solo else version
    closing_press = asyncio.create_task(close_by_press(client, session, until))
    try:
        # The name does not depend on the version, so after a kill between posting and storing the
        # same message is found.
        message = await channel.post(card, f"match {row.id} after {row.message}")
    finally:
        is_closed = await closing_press
    closing: Sequence[Job] = []
    if row.message != message and not is_closed:
        closing = await make_close_jobs(channel, row, until)
    later = await _make_mention_jobs(channel, session, card)
    notice, since = _find_notice(session), _find_first_version(session)
    posted = LiveMessage(message, place.channel, since, version, notice, place.parent, row.notice)
    await _save_live_message(client, session, posted, job, [*closing, *later])


async def _make_mention_jobs(
    channel: ServerChannel, session: MatchSession, card: Card
) -> Sequence[Job]:
    """Return the job that calls, when the quiet hours end, the person whom a card calls.

    In quiet hours nobody is called.
    """
    quiet = await channel.load_quiet_end()
    if card.ping is None or quiet is None:
        return []
    return [MentionPlayer(session.id, session.match.version).make_job(quiet)]


def _make_archive_jobs(client: AppClient, session: MatchSession) -> Sequence[Job]:
    """Return the job to archive a match's thread a while after the match is over."""
    if session.row.thread is None or session.match.phase is not Phase.OVER:
        return []
    return [ArchiveThread(session.row.thread).make_job(client.app.clock() + ARCHIVE_DELAY_MS)]


def _find_notice(session: MatchSession) -> int | None:
    """Return the message that still calls somebody to act; None if the match has gone on since."""
    return session.row.notice if session.row.shown == session.match.version else None


async def _prepare_next_card(
    client: AppClient, say: Reader, session: MatchSession, happened: Sequence[Transition]
) -> Card:
    if session.match.phase is not Phase.OVER:
        return turn_card(say, session, happened)
    return await prepare_end_card(client.app, say, session, happened)


async def prepare_end_card(
    app: App, say: Reader, session: MatchSession, happened: Sequence[Transition] | None = None
) -> Card:
    """Return the last message of a match, which tells what happened: the last event by default."""
    sections = await load_end_sections(app, say, session)
    return end_card(say, session, session.recent[-1:] if happened is None else happened, sections)


def make_removal(client: AppClient, session: MatchSession) -> Callable[[int], Job]:
    """Return a function that makes the job to remove a call to act from a match's channel."""
    row = session.row
    # Taken now, as the job is stored later, in a transaction that knows no clock.
    now = client.app.clock()
    return lambda message: RemoveMessage(message, row.id, row.channel).make_job(now)
