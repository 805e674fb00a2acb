"""Notifications: a match's followers hear how it goes, a server which matches begin and end."""

import logging

import discord

from bot.app import play, tasks
from bot.app.session import MatchSession
from bot.delivery.outlets import AppClient, DirectMessages, ServerChannel
from bot.delivery.reach import find_match_link
from bot.store import NotifyWhen, QueuedJob
from bot.views.following import follow_card, match_news_card, turn_news_card
from bot.words.reader import Reader
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
            "%d accepts no direct messages and cannot follow match %d: %s",
            person,
            session.id,
            error,
        )
        await client.app.store.follows.remove(session.id, person)
        return False
    return True


async def notify_followers(client: AppClient, job: QueuedJob) -> bool:
    """Enqueue a job for each follower who is to be notified of a match now."""
    app = client.app
    session = await play.load_session(app, int(job.key))
    over = session.match.phase is Phase.OVER
    told = [
        person
        for person, often in (await app.store.follows.load_followers(session.id)).items()
        if over or often is NotifyWhen.TURN
    ]
    now = app.clock()
    jobs = [tasks.notify_follower_job(session.id, person, now) for person in told]
    app.take(await app.store.jobs.enqueue(session.row.guild, jobs))
    return False


async def notify_follower(client: AppClient, job: QueuedJob) -> bool:
    """Notify one person of a match's state.

    Somebody who no longer takes direct messages no longer follows it.
    """
    match, person = map(int, job.key.split())
    app = client.app
    if await app.store.follows.get(match, person) is None:
        return False
    session = await play.load_session(app, match)
    row = session.row
    say = ServerChannel(client, row.guild, row.channel).reader
    name = f"match {match} for {person} at {session.match.version}"
    try:
        await DirectMessages(client, person).post(
            turn_news_card(say, session, await find_match_link(client, row)), name
        )
    except (discord.Forbidden, discord.NotFound) as error:
        log.info(
            "%d takes no direct message any more, so follows match %d no more: %s",
            person,
            match,
            error,
        )
        await app.store.follows.remove(match, person)
        return False
    if session.match.phase is Phase.OVER:
        await app.store.follows.remove(match, person)
    return False


async def announce_match(client: AppClient, job: QueuedJob) -> bool:
    """Announce, in the channel that a server has chosen, that a match has begun or is over."""
    match, what = job.key.split()
    session = await play.load_session(client.app, int(match))
    row = session.row
    where = (await client.app.store.servers.get(row.guild)).news
    over = session.match.phase is Phase.OVER
    # Whoever plays alone is not news; and of a match that is over at once its end tells enough.
    if where is None or session.is_solo or over is not (what == tasks.ENDED):
        return False
    channel = ServerChannel(client, row.guild, where)
    try:
        await channel.post(
            match_news_card(channel.reader, session, await find_match_link(client, row)),
            f"match {match} has {what}",
        )
    except (discord.Forbidden, discord.NotFound) as error:
        # Told days later it would be no news.
        log.info("the news of match %s could not be told in %d: %s", match, where, error)
    return False
