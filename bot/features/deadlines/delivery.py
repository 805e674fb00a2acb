"""What a match's clock brings about: a reminder, a call to those who may claim it, its end."""

import logging
from collections.abc import Sequence

import discord

from bot.features.matches import clock as clocks
from bot.features.matches import loading
from bot.features.matches import service as play
from bot.features.matches.cards import mention_card
from bot.features.matches.clock import CALLED, REMINDED
from bot.features.matches.controls import timeout_controls
from bot.features.matches.delivery import build_removal
from bot.features.matches.jobs import FOLLOW_UPS, MentionPlayer, ShowMatch, WatchClock
from bot.features.matches.places import build_match_link
from bot.features.matches.service import close_match
from bot.features.matches.session import MatchSession, has_acted
from bot.features.matches.store import Matches
from bot.features.matches.texts import format_claim_notice, format_reminder
from bot.platform.context import HEARTBEAT_MS
from bot.platform.db.jobs import JobPayload, Subject
from bot.platform.db.preferences import PlayerPreferences, Reminder
from bot.platform.db.rows import Job, QueuedJob
from bot.platform.i18n.reader import DeclinedError, Reader, StaleMatchError
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import Done, JobResult, Reschedule
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.card import Card
from bot.platform.ui.channels import DirectMessages, ServerChannel
from engine.match import Phase

log = logging.getLogger(__name__)


class ThrowAutomatically(JobPayload, kind="throw", about=Subject.MATCH, is_timed=True):
    """Throw for the one who is to throw at a version of a match, if they want automatic throws."""

    match: int
    version: int


@handles(WatchClock)
async def watch_clock(client: AppClient, job: WatchClock, _: QueuedJob) -> JobResult:
    """Do what a match's clock asks for now, and come again when it asks for more."""
    app = client.app
    session = await loading.load_session(app, job.match)
    now = session.now
    if session.match.phase is Phase.OVER:
        return Done()
    if not session.certain:
        # They may be late because they couldn't act, or because a clock is wrong.
        return _watch_again(session, now + HEARTBEAT_MS, _find_stage(session, job))
    times = clocks.compute_deadlines(session)
    # Without a running clock only a match that nobody touches has an end to wait for.
    ends = times.ends if times else await clocks.compute_idle_deadline(app, session.row)
    if now >= ends:
        return await _close_match(client, session, job)
    if times is None:
        return _watch_again(session, ends)
    done = _find_stage(session, job)
    if now >= times.out:
        if done != CALLED:
            quiet = await _get_channel(client, session).load_quiet_end()
            # A call that waited for longer than the match lasts would never come, so it is posted
            # now, although it notifies nobody.
            if quiet and quiet < ends:
                # The message offers the claim at once: only the mention waits for the morning.
                await _refresh_message(client, session)
                return _watch_again(session, quiet, done)
            await _notify_claimants(client, session)
        return _watch_again(session, ends, CALLED)
    if now >= times.reminds:
        if not done:
            quiet = await _get_channel(client, session).load_quiet_end()
            if quiet and quiet < times.out:
                return _watch_again(session, quiet)
            # If quiet hours last until it is too late nobody is notified, but the text is there to
            # read.
            await _remind_player(client, session)
            # Its message may be gone unseen, and is what the reminder leads to.
            await _refresh_message(client, session)
        return _watch_again(session, times.out, REMINDED)
    # The time was moved by an outage or an absence, and the message tells the old one.
    await _refresh_message(client, session)
    return _watch_again(session, times.reminds)


def _find_stage(session: MatchSession, job: WatchClock) -> str:
    """Return what a job has done for the running time: a reminder or a call; empty for neither."""
    return job.called if job.since == session.clock.since else ""


async def _refresh_message(client: AppClient, session: MatchSession) -> None:
    """Show in the match's message what its clock says now."""
    app = client.app
    job = ShowMatch(session.id, again=True).build_job(app.clock())
    await app.enqueue(session.row.guild, [job])


def _watch_again(session: MatchSession, due: int, called: str = "") -> Reschedule:
    """Watch the clock again then, unless the match has moved on.

    Then the action that moved it on has enqueued another job.
    """
    return Reschedule(WatchClock(session.id, session.clock.since, called).build_job(due))


async def _close_match(client: AppClient, session: MatchSession, job: WatchClock) -> JobResult:
    try:
        await close_match(client.app, session)
    except StaleMatchError:
        log.info(
            "match %d moved on from version %d as its time was over",
            session.id,
            session.match.version,
        )
    except DeclinedError:
        # The clock was set, or people could not act, since the match was loaded.
        later = client.app.clock() + HEARTBEAT_MS
        return _watch_again(session, later, _find_stage(session, job))
    return Done()


async def _remind_player(client: AppClient, session: MatchSession) -> None:
    """Remind the one to act if they want that: by direct message if possible, or in the channel."""
    person = session.person_to_act
    how = session.preferences.get(person, PlayerPreferences()).reminder
    if how is Reminder.NEVER:
        return
    name = f"reminder of match {session.id} at {session.clock.since}"
    link = build_match_link(session.row)
    if how is Reminder.DIRECT:
        own = await client.load_direct_reader(person, session.row.guild)
        card, sent = reminder_card(own, session, link), DirectMessages(client, person)
        if await sent.try_post(card, name, (discord.HTTPException,)):
            return
    card = reminder_card(_get_reader(client, session), session, link)
    await _post_notice(client, session, card, name)


async def _notify_claimants(client: AppClient, session: MatchSession) -> None:
    """Tell those who wait that they may claim the match, and let its message say so."""
    card = timeout_card(_get_reader(client, session), session, build_match_link(session.row))
    await _post_notice(
        client, session, card, f"time over in match {session.id} at {session.clock.since}"
    )
    await _refresh_message(client, session)


def reminder_card(say: Reader, session: MatchSession, link: str) -> Card:
    """Return what reminds the one to act; `link` leads to the match's message."""
    return Card(texts=(format_reminder(say, session, link),), ping=session.person_to_act)


def timeout_card(say: Reader, session: MatchSession, link: str) -> Card:
    """Return the card that calls those who wait to claim a match or give more time.

    The first of them is notified.
    """
    return Card(
        texts=(format_claim_notice(say, session, link),),
        controls=timeout_controls(say, session),
        ping=session.waiting_players[0],
    )


@handles(MentionPlayer)
async def mention_player(client: AppClient, job: MentionPlayer, _: QueuedJob) -> JobResult:
    """Call the one whose turn came in quiet hours, now over, unless they have acted since."""
    app = client.app
    now = app.clock()
    session = await loading.load_session(app, job.match)
    if (
        session.match.phase is Phase.OVER
        or has_acted(session, job.version)
        or _has_clock_notified(session, now)
    ):
        return Done()
    quiet = await _get_channel(client, session).load_quiet_end()
    if quiet:
        # The server has changed its quiet hours meanwhile.
        return Reschedule(job.build_job(quiet))
    card = mention_card(_get_reader(client, session), session, build_match_link(session.row))
    await _post_notice(
        client, session, card, f"call after quiet hours in match {session.id} at {job.version}"
    )
    return Done()


def _has_clock_notified(session: MatchSession, now: int) -> bool:
    """Whether the match's clock notifies somebody by now, so that another message adds nothing."""
    times = clocks.compute_deadlines(session)
    if times is None:
        return False
    reminded = (
        session.preferences.get(session.person_to_act, PlayerPreferences()).reminder
        is not Reminder.NEVER
    )
    return now >= (times.reminds if reminded else times.out)


async def _post_notice(client: AppClient, session: MatchSession, card: Card, name: str) -> None:
    """Post what calls somebody to act; it is taken away when the match goes on."""
    row = session.row
    try:
        notice = await _get_channel(client, session).post(card, name)
    except (discord.Forbidden, discord.NotFound) as error:
        # The match's own message fails as well, and that is reported; its time still runs.
        log.info("could not mention anybody in match %d: %s", session.id, error)
        return
    app = client.app
    version = session.match.version
    app.take(
        await app.store.get(Matches).save_notice(
            row.id, notice, version, build_removal(client, session)
        )
    )


@handles(ThrowAutomatically)
async def throw_automatically(
    client: AppClient, job: ThrowAutomatically, _: QueuedJob
) -> JobResult:
    """Throw for somebody who wants automatic throws, unless something was done meanwhile."""
    app = client.app
    session = await loading.load_session(app, job.match)
    # Any action since then means that the person is there, and can throw or take back.
    if session.match.version != job.version:
        return Done()
    if session.throw_delay_ms is None:
        # They throw themselves since then, and their message has no button for that.
        await _refresh_message(client, session)
    else:
        await play.throw_automatically(app, session)
    return Done()


@FOLLOW_UPS.add(-1)
def build_throw_jobs(before: MatchSession, after: MatchSession, now: int) -> Sequence[Job]:
    """Throw the dice for those who want it, once the time to take back the last play has passed."""
    delay = after.throw_delay_ms
    if delay is None:
        return []
    return [ThrowAutomatically(after.id, after.match.version).build_job(now + delay)]


def _get_reader(client: AppClient, session: MatchSession) -> Reader:
    return _get_channel(client, session).reader


def _get_channel(client: AppClient, session: MatchSession) -> ServerChannel:
    return ServerChannel(client, session.row.guild, session.row.channel)
