"""Notifications: of a match to its followers and in a channel, of a challenge to subscribers."""

import logging

import discord

from bot.features.challenges.store import Challenges
from bot.features.challenges.tables import Challenge
from bot.features.matches import loading
from bot.features.matches.loading import is_match_open, is_match_visible
from bot.features.matches.places import find_match_link
from bot.features.matches.session import MatchSession
from bot.features.notifications import cards
from bot.features.notifications.jobs import (
    AnnounceMatch,
    MatchNews,
    NotifyFollower,
    NotifyFollowers,
    NotifySubscriber,
    NotifySubscribers,
    NotifyWhen,
)
from bot.features.notifications.service import end_matching_subscriptions, end_subscriptions
from bot.features.notifications.store import Follows, Subscriptions
from bot.platform.context import NO_SERVER
from bot.platform.db.rows import QueuedJob
from bot.platform.i18n.reader import Reader
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import Done, JobResult, Removed, Reschedule
from bot.platform.ui.access import NoMemberError, fetch_member
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.channels import DirectMessages, ServerChannel
from engine.match import Phase

log = logging.getLogger(__name__)

MAX_NOTIFIED = 50
"""People who are notified of one challenge."""


async def confirm_follow(
    client: AppClient, say: Reader, session: MatchSession, person: int, often: NotifyWhen
) -> bool:
    """Confirm to somebody by direct message that they follow a match; return False if that fails.

    Then they no longer follow it.
    """
    now = client.app.clock()
    card = cards.follow_card(say, session, often, await find_match_link(client, session.row))
    name = f"follows match {session.id} since {now}"
    if await DirectMessages(client, person).try_post(card, name):
        return True
    # Nothing would ever reach them, and they would count among the matches that they may follow.
    await client.app.store.get(Follows).remove(session.id, person)
    return False


@handles(NotifyFollowers)
async def notify_followers(client: AppClient, job: NotifyFollowers, _: QueuedJob) -> JobResult:
    """Enqueue a job for each follower who is to be notified of a match now."""
    app = client.app
    session = await loading.load_session(app, job.match)
    over = session.match.phase is Phase.OVER
    recipients = [
        person
        for person, often in (await app.store.get(Follows).load_followers(session.id)).items()
        if over or often is NotifyWhen.TURN
    ]
    now = app.clock()
    # One job each: if one message fails, only that one is tried again.
    jobs = [NotifyFollower(session.id, person).build_job(now) for person in recipients]
    await app.enqueue(session.row.guild, jobs)
    return Done()


@handles(NotifyFollower)
async def notify_follower(client: AppClient, job: NotifyFollower, _: QueuedJob) -> JobResult:
    """Notify one person of a match's state.

    Somebody who no longer takes direct messages, or has left the server, no longer follows it.
    """
    match, person = job.match, job.person
    app = client.app
    follows = app.store.get(Follows)
    # They may have stopped following while the job waited.
    if await follows.load_follow(match, person) is None:
        return Done()
    session = await loading.load_session(app, match)
    row = session.row
    may_see = await _may_still_see(client, session, person)
    if may_see is None:
        return Done()
    if not may_see:
        log.info("user %d may no longer see match %d, so stops following it", person, match)
        await follows.remove(match, person)
        return Done()
    say = await client.load_direct_reader(person, row.guild)
    # By the version: a retry sends nothing twice, and the next turn is a message of its own.
    name = f"match {match} for {person} at {session.match.version}"
    card = cards.turn_news_card(say, session, await find_match_link(client, row))
    if not await DirectMessages(client, person).try_post(card, name):
        await follows.remove(match, person)
        return Done()
    if session.match.phase is Phase.OVER:
        await follows.remove(match, person)
    return Done()


async def _may_still_see(client: AppClient, session: MatchSession, person: int) -> bool | None:
    """Return whether a follower may see a match as when they began; None if that isn't known.

    They may as a player, or as a member of its server who sees its channel.
    """
    row = session.row
    if session.has_sat(person):
        return True
    if row.guild == NO_SERVER:
        return False
    try:
        member = await fetch_member(client, row.guild, person)
    except NoMemberError:
        return False
    if await is_match_open(client.app, row):
        return True
    if member is None:
        return None
    return await is_match_visible(client.app, row, row.guild, person)


@handles(AnnounceMatch)
async def announce_match(client: AppClient, job: AnnounceMatch, _: QueuedJob) -> JobResult:
    """Announce, in the channel that a server has chosen, that a match has begun or is over."""
    session = await loading.load_session(client.app, job.match)
    row = session.row
    where = (await client.app.store.servers.load_settings(row.guild)).news
    over = session.match.phase is Phase.OVER
    # Solo play is no news, and a match that is over at once has its end message.
    if where is None or session.is_solo or over is not (job.news is MatchNews.ENDED):
        return Done()
    if not await is_match_open(client.app, row, where):
        log.info("match %d is not announced where some can't see its channel", row.id)
        return Done()
    channel = ServerChannel(client, row.guild, where)
    try:
        await channel.post(
            cards.match_news_card(channel.reader, session, await find_match_link(client, row)),
            f"match {job.match} has {job.news}",
        )
    except (discord.Forbidden, discord.NotFound) as error:
        # Told days later it would be no news.
        log.info("could not announce match %d in channel %d: %s", job.match, where, error)
    return Done()


@handles(NotifySubscribers)
async def notify_subscribers(
    client: AppClient, job: NotifySubscribers, queued: QueuedJob
) -> JobResult:
    """Enqueue a job for each subscriber who may be notified of a challenge now.

    In the server's quiet hours that waits for their end.
    """
    app = client.app
    challenge = await app.store.get(Challenges).load_challenge(job.challenge)
    now = app.clock()
    if challenge is None or not _is_open(challenge, now):
        return Done()
    channel = ServerChannel(client, challenge.guild, challenge.channel)
    if quiet := await channel.load_quiet_end():
        return Reschedule(job.build_job(quiet))
    people = await app.store.get(Subscriptions).find_due(challenge.id, now, MAX_NOTIFIED)
    # One job each: if one message fails, only that one is tried again.
    jobs = [NotifySubscriber(challenge.id, person).build_job(now) for person in people]
    app.take(await app.store.get(Subscriptions).replace_job(queued, jobs))
    return Removed()


@handles(NotifySubscriber)
async def notify_subscriber(
    client: AppClient, job: NotifySubscriber, queued: QueuedJob
) -> JobResult:
    """Notify one subscriber of a challenge that is still open and that they may accept.

    Somebody who takes no direct messages, or has left the server, is no longer subscribed.
    """
    app, person = client.app, job.person
    store = app.store.get(Subscriptions)
    challenge = await app.store.get(Challenges).load_challenge(job.challenge)
    if challenge is None or not _is_open(challenge, app.clock()):
        return Done()
    channel = ServerChannel(client, challenge.guild, challenge.channel)
    if quiet := await channel.load_quiet_end():
        return Reschedule(job.build_job(quiet))
    server = client.get_guild(challenge.guild)
    if server is None or not await _may_accept(client, server, challenge, person):
        return Done()
    # Last, so that what somebody may not accept does not count as the notice of an hour.
    if not await store.claim_notice(challenge.id, person, app.clock()):
        return Done()
    names = await app.load_names([seat.person for seat in challenge.seats])
    say = await client.load_direct_reader(person, challenge.guild)
    card = cards.notice_card(say, challenge, names, server.name)
    if not await DirectMessages(client, person).try_post(
        card, f"challenge {challenge.id} for {person}"
    ):
        await end_matching_subscriptions(app, person, challenge.guild, challenge.game)
        return Done()
    await store.finish_notice(challenge.id, person, queued)
    return Removed()


def _is_open(challenge: Challenge, now: int) -> bool:
    return challenge.state == "open" and challenge.expires > now


async def _may_accept(
    client: AppClient, server: discord.Guild, challenge: Challenge, person: int
) -> bool:
    """Whether somebody is in a server, sees a challenge there and has the role that players need.

    Somebody who has left is no longer subscribed; where Discord doesn't tell, they count as
    present.
    """
    where = server.get_channel_or_thread(challenge.channel)
    if where is None or _is_private_thread(where):
        # It is gone, or nobody knows who sees it.
        return False
    role = (await client.app.store.servers.load_settings(challenge.guild)).role
    try:
        member = await fetch_member(client, server.id, person)
    except NoMemberError:
        log.info("user %d has left server %d, so is no longer subscribed", person, server.id)
        await end_subscriptions(client.app, person, server.id)
        return False
    if member is None:
        return role is None and where.permissions_for(server.default_role).view_channel
    has_role = role is None or member.get_role(role) is not None
    return has_role and where.permissions_for(member).view_channel


def _is_private_thread(where: object) -> bool:
    return isinstance(where, discord.Thread) and (where.parent is None or where.is_private())
