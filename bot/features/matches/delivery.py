"""A match's channel: the one function that brings it up to date, whatever has changed.

It may run any number of times. A press under the live message has it run with the answer to it,
which edits that message, or closes it while the next one is posted: one request that Discord does
not count. Only what takes long is acknowledged before, and then the message is changed like any
other.
"""

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import discord
from cachetools import LRUCache

from bot.features.matches import cards, loading
from bot.features.matches import texts as words
from bot.features.matches.jobs import (
    COMPUTER_TURNS,
    ArchiveThread,
    CloseTurn,
    MentionPlayer,
    RemoveMessage,
    ShowMatch,
    WatchClock,
)
from bot.features.matches.places import (
    ARCHIVE_DELAY_MS,
    MatchPlace,
    build_match_link,
    choose_place,
    find_parent,
    is_place_lost,
    is_unshowable,
    repost_deleted,
    stop_match,
)
from bot.features.matches.rows import LiveMessage, MatchRow
from bot.features.matches.session import (
    MatchSession,
    SessionCache,
    Transition,
    find_start_version,
    find_throw_version,
    has_acted,
    is_message_current,
    list_shown_transitions,
    list_transitions,
)
from bot.features.matches.store import Matches
from bot.features.matches.texts import explain_lost_thread
from bot.platform.context import App
from bot.platform.db.rows import Job, QueuedJob
from bot.platform.i18n.reader import Reader
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.interruptions import SAVED_CHECKS
from bot.platform.jobs.restored import REPOST_JOBS
from bot.platform.jobs.runner import Done, JobResult, Removed
from bot.platform.people import COMPUTERS
from bot.platform.ui import app_client
from bot.platform.ui.answers import RECEIVED_AT_KEY, InteractionAnswer
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.card import Card
from bot.platform.ui.channels import ServerChannel, delete_message, list_missing_here
from bot.platform.ui.dispatch import announce_delay, announce_retry, is_done_within
from engine.match import Match, Phase

log = logging.getLogger(__name__)


@handles(ShowMatch)
async def show_match(
    client: AppClient, job: ShowMatch, queued: QueuedJob, answer: InteractionAnswer | None = None
) -> JobResult:
    """Bring a match's channel up to date.

    That edits the message of the turn, or posts the next one and closes the one before. The answer
    to a press on the live message is what becomes of that message.
    """
    try:
        return await _update_channel(client, job, queued, answer)
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
    finally:
        client.app.get_part(SessionCache).mark_touched(job.match)


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
    remark = explain_lost_thread(say, is_locked=app_client.is_thread_closed(why))
    places = [MatchPlace(row.parent, remark)] if row.parent else []
    if job.fresh not in (None, row.channel):
        # The new place failed, so the one where the match was shown until now comes first.
        places.insert(0, MatchPlace(row.channel, parent=row.parent))
    for place in places:
        try:
            await _post_message(_get_channel(client, row, place.channel), session, queued, place)
        except discord.HTTPException as error:
            if not is_place_lost(error):
                raise
        else:
            log.warning("match %d continues in channel %d: %s", row.id, place.channel, why)
            return True
    return False


def _get_channel(client: AppClient, row: MatchRow, channel: int) -> ServerChannel:
    # Nobody can play in a locked thread, so the match goes on in its channel.
    return ServerChannel(client, row.guild, channel, opens_locked=False)


async def _update_channel(
    client: AppClient, job: ShowMatch, queued: QueuedJob, answer: InteractionAnswer | None
) -> JobResult:
    session = await _load_session_to_show(client.app, job.match, is_just_saved=answer is not None)
    if answer and not is_live_message_pressed(answer, session):
        answer = None
    here = _get_channel(client, session.row, session.row.channel)
    fresh = _find_fresh_channel(job, session.row)
    if session.row.message and not fresh and await _may_edit_message(here, session):
        is_current = session.row.shown == session.match.version and not job.again
        is_stale = job.luck or not is_current
        # A stopped match is edited although nothing is new: that it works lets its time run again.
        if not is_stale and not await is_unshowable(client.app, session):
            return Done()
        if await _edit_message(here, session, queued, answer):
            return Removed()
        if is_current and job.luck:
            # Nobody misses the last message of a match that is over.
            return Done()
        # Somebody deleted the message, or it can't be changed, or its thread is locked: post a new
        # one.
    if fresh:
        remark = ""
        if job.restored is not None:
            remark = words.format_restore_notice(here.reader, job.restored)
        place = MatchPlace(fresh, remark, parent=find_parent(client, here.guild, fresh))
    elif session.row.message is not None:
        # A match that has a message stays where it is, even if its server asks for threads since.
        place = MatchPlace(session.row.channel, parent=session.row.parent)
    else:
        place = await choose_place(here, session)
    there = replace(here, id=place.channel)
    is_restored = job.restored is not None
    await _post_message(there, session, queued, place, answer, is_restored=is_restored)
    return Removed()


async def _load_session_to_show(app: App, match: int, *, is_just_saved: bool) -> MatchSession:
    """Return a match as it stands.

    What a press has saved a moment ago needs no second look, unless something came in between.
    """
    saved = app.get_part(SessionCache).take_saved(match) if is_just_saved else None
    # How it has ended, and a thread that was opened for it, are found in the store alone.
    if saved and saved.row.message is not None and saved.match.phase is not Phase.OVER:
        return saved
    return await loading.load_session(app, match)


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


async def _edit_message(
    channel: ServerChannel,
    session: MatchSession,
    job: QueuedJob,
    answer: InteractionAnswer | None,
) -> bool:
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
    elif (await channel.load_server()).single and not has_acted(session, since):
        # No message above it tells what was played before the dice were thrown for somebody.
        happened = list_transitions(session, find_throw_version(session, since), version)
    card = await _build_next_card(client, channel.reader, session, happened)
    # It has controls again, if an answer had closed it.
    client.app.get_part(ClosedMessages).pop(row.message)
    try:
        if not (answer and await respond_by_card(answer, card)):
            # The thread of a match whose end is shown was archived for good.
            is_ended = session.match.phase is Phase.OVER and row.shown == version
            await channel.edit(row.message, card, reopens=not is_ended)
    except discord.HTTPException as error:
        if error.code not in (
            app_client.UNKNOWN_MESSAGE,
            app_client.UNKNOWN_CHANNEL,
            app_client.THREAD_ARCHIVED,
            app_client.MESSAGE_TOO_OLD,
        ):
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
        later = await _build_mention_jobs(channel, session, card)
        # No edit notifies anybody, and in quiet hours no message may: the call waits for their end.
        if not later:
            call = cards.mention_card(channel.reader, session, build_match_link(row))
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
    jobs = [*jobs, *_build_archive_jobs(client, session)]
    watch = WatchClock(session.id).build_job(app.clock())
    remove = build_removal(client, session)
    app.take(
        await app.store.get(Matches).save_live_message(session.id, posted, job, jobs, remove, watch)
    )
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
    answer: InteractionAnswer | None = None,
    *,
    is_restored: bool = False,
) -> None:
    client = channel.client
    row = session.row
    version = session.match.version
    card = await _build_next_card(
        client,
        channel.reader,
        session,
        list_transitions(session, find_start_version(session), version),
    )
    # Showing a match again, here or elsewhere, mentions nobody again.
    if row.shown == version and not is_restored:
        card = replace(card, ping=None)
    if place.remark:
        card = replace(card, small="\n".join(filter(None, (card.small, place.remark))))
    # What the computer did after the turn is shown in the next message.
    until = find_start_version(session) if session.is_solo else version
    closing_answer = asyncio.create_task(_close_by_answer(client, session, until, answer))
    try:
        # The name does not depend on the version, so after a kill between posting and storing the
        # same message is found.
        message = await channel.post(card, f"match {row.id} after {row.message}")
    finally:
        is_closed = await closing_answer
    closing: Sequence[Job] = []
    if row.message != message and not is_closed:
        closing = await build_close_jobs(channel, row, until)
    later = await _build_mention_jobs(channel, session, card)
    notice, since = _find_notice(session), _find_first_version(session)
    posted = LiveMessage(message, place.channel, since, version, notice, place.parent, row.notice)
    await _save_live_message(client, session, posted, job, [*closing, *later])


async def _build_mention_jobs(
    channel: ServerChannel, session: MatchSession, card: Card
) -> Sequence[Job]:
    """Return the job that calls, when the quiet hours end, the person whom a card calls.

    In quiet hours nobody is called.
    """
    quiet = await channel.load_quiet_end()
    if card.ping is None or quiet is None:
        return []
    return [MentionPlayer(session.id, session.match.version).build_job(quiet)]


def _build_archive_jobs(client: AppClient, session: MatchSession) -> Sequence[Job]:
    """Return the job to archive a match's thread a while after the match is over."""
    if session.row.thread is None or session.match.phase is not Phase.OVER:
        return []
    return [ArchiveThread(session.row.thread).build_job(client.app.clock() + ARCHIVE_DELAY_MS)]


def _find_notice(session: MatchSession) -> int | None:
    """Return the message that still calls somebody to act; None if they have acted since.

    Dice that are thrown for them are no act of theirs.
    """
    shown = session.row.shown
    happened = list_transitions(session, shown, session.match.version)
    passes = any(each.after.acting_player != each.before.acting_player for each in happened)
    return None if passes or has_acted(session, shown) else session.row.notice


async def _build_next_card(
    client: AppClient, say: Reader, session: MatchSession, happened: Sequence[Transition]
) -> Card:
    if session.match.phase is not Phase.OVER:
        return cards.turn_card(say, session, happened)
    return await build_end_card(client.app, say, session, happened)


async def build_end_card(
    app: App, say: Reader, session: MatchSession, happened: Sequence[Transition] | None = None
) -> Card:
    """Return the last message of a match, which tells what happened: the last event by default."""
    sections = await cards.load_end_sections(app, say, session)
    return cards.end_card(
        say, session, session.recent[-1:] if happened is None else happened, sections
    )


def build_removal(client: AppClient, session: MatchSession) -> Callable[[int], Job]:
    """Return a function that makes the job to remove a call to act from a match's channel."""
    row = session.row
    # Taken now, as the job is stored later, in a transaction that knows no clock.
    now = client.app.clock()
    return lambda message: RemoveMessage(message, row.id, row.channel).build_job(now)


@SAVED_CHECKS.add()
async def is_action_saved(app: App, person: int, cause: str) -> bool:
    """Return whether something that a person did in a match is saved with that cause."""
    return await app.store.get(Matches).is_saved(person, cause)


MAX_HOLD_S = 1.3
"""Seconds since it came for which a press waits for its change, before it is acknowledged.

It is saved by then, so that it needs no note of what would be lost.
"""
MAX_CLOSED = 1000
"""Messages of which it is remembered that they are closed."""


class ClosedMessages:
    """The messages that answers have closed before the next one was posted."""

    def __init__(self) -> None:
        self._closed: LRUCache[int, None] = LRUCache(MAX_CLOSED)

    def add(self, message: int) -> None:
        """Remember that a message is closed."""
        self._closed[message] = None

    def pop(self, message: int) -> bool:
        """Return whether a message is known to be closed, and forget it."""
        return self._closed.pop(message, self) is None


def is_live_message_pressed(answer: InteractionAnswer, session: MatchSession) -> bool:
    """Whether a control under a match's live message was pressed, and may be answered there."""
    message = answer.interaction.message
    return (
        answer.is_component
        and message is not None
        and message.id == session.row.message
        and not message.flags.ephemeral
        # Where the bot may not post, the answer says so (`finish_elsewhere`).
        and not list_missing_here(answer.interaction)
    )


async def wait_for_board(answer: InteractionAnswer, session: MatchSession) -> None:
    """Wait until the press that has brought a change is answered by it, or takes too long.

    Then it goes on while the person reads that their turn is on its way.
    """
    # With one message a match it changes once the computer has had its turn.
    builders = COMPUTER_TURNS.list_functions() if session.is_computer_acting else []
    turns = [build(session.id) for build in builders]
    for job in (each.build_job(0) for each in (*turns, ShowMatch(session.id))):
        doing = answer.client.runner.find_task(job.kind, job.key)
        over = answer.client.runner.watch_job(job.kind, job.key)
        if doing is None or over is None:
            continue
        # Also where the press is answered by then: the next board may still be missing.
        doing.add_done_callback(partial(_announce_failure, answer, over))
        if not await _is_answered_in_time(answer, doing):
            announce_delay(answer, doing)
            return


def _announce_failure(
    answer: InteractionAnswer, over: asyncio.Future[None], tried: asyncio.Future[None]
) -> None:
    if not over.done() and not tried.cancelled():
        announce_retry(answer, over)


async def _is_answered_in_time(answer: InteractionAnswer, doing: asyncio.Task[None]) -> bool:
    if answer.is_acknowledged:
        return False
    left_s = MAX_HOLD_S + answer.interaction.extras[RECEIVED_AT_KEY] - time.monotonic()
    # What is still under way once it is answered is the next board.
    return await is_done_within(doing, left_s) or answer.is_acknowledged


async def respond_by_card(answer: InteractionAnswer, card: Card) -> bool:
    """Answer a press by what everyone sees in place of its message; return False if that fails."""
    try:
        return await answer.respond_by_edit(card, public=True)
    except app_client.UnansweredError as error:
        log.info(
            "the answer to %s does not change its message: %s",
            answer.interaction.id,
            app_client.describe_error(error),
        )
        return False


async def close_pressed_message(answer: InteractionAnswer, session: MatchSession) -> None:
    """Answer a press that ends a turn by closing its message, before the next one is posted."""
    if await _respond_by_closing(answer, session, session.match.version):
        assert session.row.message is not None
        answer.app.get_part(ClosedMessages).add(session.row.message)


async def _close_by_answer(
    client: AppClient, session: MatchSession, until: int, answer: InteractionAnswer | None
) -> bool:
    """Close the match's message by the answer to a press, unless one has closed it before.

    Return whether it is closed.
    """
    message = session.row.message
    if message is not None and client.app.get_part(ClosedMessages).pop(message):
        return True
    return answer is not None and await _respond_by_closing(answer, session, until)


async def _respond_by_closing(answer: InteractionAnswer, session: MatchSession, until: int) -> bool:
    job = _build_close_job(session.row, until)
    return await respond_by_card(answer, await _build_past_card(answer.client, session, job))


def _build_close_job(row: MatchRow, until: int) -> CloseTurn:
    assert row.message is not None
    return CloseTurn(row.message, row.id, row.channel, row.since, until, row.shown)


async def build_close_jobs(channel: ServerChannel, row: MatchRow, until: int) -> Sequence[Job]:
    """Return the job that closes a match's message, covering all until a version, or removes it.

    It is removed in servers with one message a match; no job is needed without a message.
    """
    if row.message is None:
        return []
    now = channel.client.app.clock()
    if (await channel.load_server()).single:
        return [RemoveMessage(row.message, row.id, row.channel).build_job(now)]
    return [_build_close_job(row, until).build_job(now)]


@REPOST_JOBS.add(-1)
async def build_repost_jobs(client: AppClient, restored: int) -> dict[int, list[Job]]:
    """Return the jobs, by server, that post running matches, and close their older messages."""
    now = client.app.clock()
    jobs: dict[int, list[Job]] = defaultdict(list)
    for row in await client.app.store.get(Matches).load_running():
        people = [seat for seat in row.seats if seat.person not in COMPUTERS]
        channel = ServerChannel(client, row.guild, row.channel)
        # A person alone with the computer has read in the older message as much as they may know.
        until = row.version if len(people) > 1 else row.since
        jobs[row.guild] += await build_close_jobs(channel, row, until)
        renewed = ShowMatch(row.id, fresh=row.channel, past=row.message or 0, restored=restored)
        jobs[row.guild].append(renewed.build_job(now))
    return jobs


@handles(CloseTurn)
async def close_turn(client: AppClient, job: CloseTurn, _: QueuedJob) -> JobResult:
    """Remove the controls of a message whose turn is over, and add what was played.

    Its picture stays.
    """
    session = await loading.load_session(client.app, job.match)
    channel = ServerChannel(client, session.row.guild, job.channel, opens_locked=False)
    card = await _build_past_card(client, session, job)
    try:
        await channel.edit(job.message, card)
    except discord.NotFound as error:
        app_client.require_error_code(error)
        log.info("message %d of a past turn is gone", job.message)
    except discord.HTTPException as error:
        if job.channel == session.row.channel or not is_place_lost(error):
            raise
        # The match has moved, perhaps because this place was lost; then its old message stays.
        log.info("could not clear message %d after its match moved: %s", job.message, error)
    return Done()


async def _build_past_card(client: AppClient, session: MatchSession, job: CloseTurn) -> Card:
    happened = list_transitions(session, job.since, job.until)
    if len(happened) < job.until - job.since:
        # The session remembers the latest transitions only, and this job may come long after its
        # turn.
        everything = await loading.load_history(client.app, session.row)
        happened = everything[job.since : job.until]
    channel = ServerChannel(client, session.row.guild, job.channel)
    return cards.past_turn_card(
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
