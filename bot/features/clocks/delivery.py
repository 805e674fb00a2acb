"""What a match's clock brings about: a reminder, a call to those who may claim it, its end."""

import logging

import discord

from bot.features.clocks.cards import reminder_card, timeout_card
from bot.features.matches import clock as clocks
from bot.features.matches import endings, loading
from bot.features.matches import service as play
from bot.features.matches.cards import mention_card
from bot.features.matches.clock import CALLED, REMINDED
from bot.features.matches.delivery import make_removal
from bot.features.matches.session import MatchSession
from bot.features.matches.turns import has_acted
from bot.platform import outages
from bot.platform.errors import DeclinedError, StaleMatchError
from bot.platform.i18n.reader import Reader
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.kinds import (
    MentionPlayer,
    ShowMatch,
    ThrowAutomatically,
    WatchClock,
)
from bot.platform.jobs.runner import Done, JobResult, Reschedule
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.card import Card
from bot.platform.ui.channels import DirectMessages, ServerChannel
from bot.platform.ui.places import build_match_link
from bot.store import PlayerPreferences, QueuedJob, Reminder
from engine.match import Phase

log = logging.getLogger(__name__)


@handles(WatchClock)
async def watch_clock(client: AppClient, job: WatchClock, _: QueuedJob) -> JobResult:
    """Do what a match's clock asks for now, and come again when it asks for more."""
    app = client.app
    session = await loading.load_session(app, job.match)
    now = session.now
    if session.match.phase is Phase.OVER:
        return Done()
    if not session.certain:
        # Whoever is late may be so for want of a way to act, or by a clock that is wrong.
        return _watch_again(session, now + outages.HEARTBEAT_MS, _find_stage(session, job))
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
    shown = ShowMatch(session.id, again=True).make_job(app.clock())
    await app.enqueue(session.row.guild, [shown])


def _watch_again(session: MatchSession, due: int, called: str = "") -> Reschedule:
    """Watch the clock again then, unless the match has moved on.

    Then the action that moved it on has enqueued another job.
    """
    return Reschedule(WatchClock(session.id, session.clock.since, called).make_job(due))


async def _close_match(client: AppClient, session: MatchSession, job: WatchClock) -> JobResult:
    try:
        await endings.close_match(client.app, session)
    except StaleMatchError:
        log.info(
            "match %d moved on from version %d as its time was over",
            session.id,
            session.match.version,
        )
    except DeclinedError:
        # The clock was set, or people could not act, since the match was loaded.
        later = client.app.clock() + outages.HEARTBEAT_MS
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
        if await _send_direct(client, person, reminder_card(own, session, link), name):
            return
    card = reminder_card(_get_reader(client, session), session, link)
    await _post_notice(client, session, card, name)


async def _send_direct(client: AppClient, person: int, card: Card, name: str) -> bool:
    try:
        await DirectMessages(client, person).post(card, name)
    except discord.HTTPException as error:
        log.info(
            "user %d accepts no direct messages, so is reminded in the channel: %s", person, error
        )
        return False
    return True


async def _notify_claimants(client: AppClient, session: MatchSession) -> None:
    """Tell those who wait that they may claim the match, and let its message say so."""
    card = timeout_card(_get_reader(client, session), session, build_match_link(session.row))
    await _post_notice(
        client, session, card, f"time over in match {session.id} at {session.clock.since}"
    )
    await _refresh_message(client, session)


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
        return Reschedule(job.make_job(quiet))
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
        await app.store.matches.save_notice(row.id, notice, version, make_removal(client, session))
    )


@handles(ThrowAutomatically)
async def throw_automatically(
    client: AppClient, job: ThrowAutomatically, _: QueuedJob
) -> JobResult:
    """Throw for somebody who wants automatic throws, unless something was done meanwhile."""
    app = client.app
    session = await loading.load_session(app, job.match)
    # Any action since then means that the person is there, and can throw or take back.
    if session.match.version == job.version and session.match.phase is Phase.THROW:
        await play.throw_automatically(app, session)
    return Done()


def _get_reader(client: AppClient, session: MatchSession) -> Reader:
    return _get_channel(client, session).reader


def _get_channel(client: AppClient, session: MatchSession) -> ServerChannel:
    return ServerChannel(client, session.row.guild, session.row.channel)
