"""Notifications: a match's followers hear how it goes, a server which matches begin and end."""

import logging

import discord

from bot.features.following.cards import follow_card, match_news_card, turn_news_card
from bot.features.following.jobs import AnnounceMatch, MatchNews, NotifyFollower, NotifyFollowers
from bot.features.matches import loading
from bot.features.matches.reach import find_match_link
from bot.features.matches.session import MatchSession
from bot.platform.direct import NO_SERVER
from bot.platform.i18n.reader import Reader
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import Done, JobResult
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.channels import DirectMessages, ServerChannel
from bot.platform.ui.membership import is_member
from bot.store import NotifyWhen, QueuedJob
from engine.match import Phase

log = logging.getLogger(__name__)


async def confirm_follow(
    client: AppClient, say: Reader, session: MatchSession, person: int, often: NotifyWhen
) -> bool:
    """Confirm to somebody by direct message that they follow a match; return False if that fails.

    Then they no longer follow it.
    """
    now = client.app.clock()
    try:
        card = follow_card(say, session, often, await find_match_link(client, session.row))
        await DirectMessages(client, person).post(card, f"follows match {session.id} since {now}")
    except (discord.Forbidden, discord.NotFound) as error:
        log.info(
            "user %d accepts no direct messages, so cannot follow match %d: %s",
            person,
            session.id,
            error,
        )
        # Nothing would ever reach them, and they would count among the matches that they may
        # follow.
        await client.app.store.follows.remove(session.id, person)
        return False
    return True


@handles(NotifyFollowers)
async def notify_followers(client: AppClient, job: NotifyFollowers, _: QueuedJob) -> JobResult:
    """Enqueue a job for each follower who is to be notified of a match now."""
    app = client.app
    session = await loading.load_session(app, job.match)
    over = session.match.phase is Phase.OVER
    told = [
        person
        for person, often in (await app.store.follows.load_followers(session.id)).items()
        if over or often is NotifyWhen.TURN
    ]
    now = app.clock()
    # One job each: if one message fails, only that one is tried again.
    jobs = [NotifyFollower(session.id, person).make_job(now) for person in told]
    await app.enqueue(session.row.guild, jobs)
    return Done()


@handles(NotifyFollower)
async def notify_follower(client: AppClient, job: NotifyFollower, _: QueuedJob) -> JobResult:
    """Notify one person of a match's state.

    Somebody who no longer takes direct messages, or has left the server, no longer follows it.
    """
    match, person = job.match, job.person
    app = client.app
    # They may have stopped following while the job waited.
    if await app.store.follows.get(match, person) is None:
        return Done()
    session = await loading.load_session(app, match)
    row = session.row
    if not await _may_still_see(client, session, person):
        log.info("user %d may no longer see match %d, so stops following it", person, match)
        await app.store.follows.remove(match, person)
        return Done()
    say = await client.load_direct_reader(person, row.guild)
    # By the version: a retry sends nothing twice, and the next turn is a message of its own.
    name = f"match {match} for {person} at {session.match.version}"
    try:
        await DirectMessages(client, person).post(
            turn_news_card(say, session, await find_match_link(client, row)), name
        )
    except (discord.Forbidden, discord.NotFound) as error:
        log.info(
            "user %d no longer accepts direct messages, so stops following match %d: %s",
            person,
            match,
            error,
        )
        await app.store.follows.remove(match, person)
        return Done()
    if session.match.phase is Phase.OVER:
        await app.store.follows.remove(match, person)
    return Done()


async def _may_still_see(client: AppClient, session: MatchSession, person: int) -> bool:
    """Whether a follower may see a match as when they began: as a player, or in its server."""
    if session.has_sat(person):
        return True
    guild = session.row.guild
    return guild != NO_SERVER and await is_member(client, guild, person)


@handles(AnnounceMatch)
async def announce_match(client: AppClient, job: AnnounceMatch, _: QueuedJob) -> JobResult:
    """Announce, in the channel that a server has chosen, that a match has begun or is over."""
    session = await loading.load_session(client.app, job.match)
    row = session.row
    where = (await client.app.store.servers.get(row.guild)).news
    over = session.match.phase is Phase.OVER
    # Whoever plays alone is not news; and of a match that is over at once its end tells enough.
    if where is None or session.is_solo or over is not (job.news is MatchNews.ENDED):
        return Done()
    channel = ServerChannel(client, row.guild, where)
    try:
        await channel.post(
            match_news_card(channel.reader, session, await find_match_link(client, row)),
            f"match {job.match} has {job.news}",
        )
    except (discord.Forbidden, discord.NotFound) as error:
        # Told days later it would be no news.
        log.info("could not announce match %d in channel %d: %s", job.match, where, error)
    return Done()
