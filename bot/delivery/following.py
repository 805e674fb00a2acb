"""Notifications: a match's followers hear how it goes, a server which matches begin and end."""

import logging

import discord

from bot.app import play, tasks
from bot.app.sitting import Sitting
from bot.delivery.outlets import AppClient, Channel, Direct
from bot.delivery.reach import link_of
from bot.store import Often, QueuedJob
from bot.views.following import following_card, news_card, news_of_turn_card
from bot.words.reader import Reader
from engine.match import Phase

log = logging.getLogger(__name__)


async def greet(
    client: AppClient, say: Reader, sitting: Sitting, person: int, often: Often
) -> bool:
    """Confirm to somebody by direct message that they follow a match; return False if that fails.

    Then they no longer follow it.
    """
    now = client.app.clock()
    try:
        card = following_card(say, sitting, often, await link_of(client, sitting.row))
        await Direct(client, person).post(card, f"follows match {sitting.id} since {now}")
    except (discord.Forbidden, discord.NotFound) as error:
        log.info(
            "%d accepts no direct messages and cannot follow match %d: %s",
            person,
            sitting.id,
            error,
        )
        await client.app.store.follows.remove(sitting.id, person)
        return False
    return True


async def tell_followers(client: AppClient, job: QueuedJob) -> bool:
    """Enqueue a job for each follower who is to be notified of a match now."""
    app = client.app
    sitting = await play.load(app, int(job.key))
    over = sitting.match.phase is Phase.OVER
    told = [
        person
        for person, often in (await app.store.follows.of(sitting.id)).items()
        if over or often is Often.TURN
    ]
    now = app.clock()
    wishes = [tasks.tell_follower(sitting.id, person, now) for person in told]
    app.take(await app.store.jobs.add(sitting.row.guild, wishes))
    return False


async def tell_follower(client: AppClient, job: QueuedJob) -> bool:
    """Notify one person of a match's state.

    Somebody who no longer takes direct messages no longer follows it.
    """
    match, person = map(int, job.key.split())
    app = client.app
    if await app.store.follows.get(match, person) is None:
        return False
    sitting = await play.load(app, match)
    row = sitting.row
    say = Channel(client, row.guild, row.channel).reader
    name = f"match {match} for {person} at {sitting.match.version}"
    try:
        await Direct(client, person).post(
            news_of_turn_card(say, sitting, await link_of(client, row)), name
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
    if sitting.match.phase is Phase.OVER:
        await app.store.follows.remove(match, person)
    return False


async def tell_news(client: AppClient, job: QueuedJob) -> bool:
    """Announce, in the channel that a server has chosen, that a match has begun or is over."""
    match, what = job.key.split()
    sitting = await play.load(client.app, int(match))
    row = sitting.row
    where = (await client.app.store.servers.get(row.guild)).news
    over = sitting.match.phase is Phase.OVER
    # Whoever plays alone is not news; and of a match that is over at once its end tells enough.
    if where is None or sitting.alone or over is not (what == tasks.ENDED):
        return False
    channel = Channel(client, row.guild, where)
    try:
        await channel.post(
            news_card(channel.reader, sitting, await link_of(client, row)),
            f"match {match} has {what}",
        )
    except (discord.Forbidden, discord.NotFound) as error:
        # Told days later it would be no news.
        log.info("the news of match %s could not be told in %d: %s", match, where, error)
    return False
