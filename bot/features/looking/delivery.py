"""Notices: those who look for a game hear of an open challenge by direct message."""

import logging

import discord

from bot.features.looking import service
from bot.features.looking.cards import notice_card
from bot.features.looking.jobs import NotifySubscriber, NotifySubscribers
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import Done, JobResult, Removed, Reschedule
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.channels import DirectMessages, ServerChannel
from bot.platform.ui.membership import NoMemberError, fetch_member
from bot.store import Challenge, QueuedJob

log = logging.getLogger(__name__)


@handles(NotifySubscribers)
async def notify_subscribers(
    client: AppClient, job: NotifySubscribers, queued: QueuedJob
) -> JobResult:
    """Enqueue a job for each subscriber who may be notified of a challenge now.

    In the server's quiet hours that waits for their end.
    """
    app = client.app
    challenge = await app.store.challenges.get(job.challenge)
    now = app.clock()
    if challenge is None or not _is_open(challenge, now):
        return Done()
    channel = ServerChannel(client, challenge.guild, challenge.channel)
    if quiet := await channel.load_quiet_end():
        return Reschedule(job.make_job(quiet))
    people = await app.store.subscriptions.find_due(challenge.id, now, service.MOST_NOTIFIED)
    # One job each: if one message fails, only that one is tried again.
    jobs = [NotifySubscriber(challenge.id, person).make_job(now) for person in people]
    app.take(await app.store.subscriptions.replace_job(queued, jobs))
    return Removed()


@handles(NotifySubscriber)
async def notify_subscriber(
    client: AppClient, job: NotifySubscriber, queued: QueuedJob
) -> JobResult:
    """Notify one subscriber of a challenge that is still open and that they may accept.

    Somebody who takes no direct messages, or has left the server, is no longer subscribed.
    """
    app, person = client.app, job.person
    store = app.store.subscriptions
    challenge = await app.store.challenges.get(job.challenge)
    if challenge is None or not _is_open(challenge, app.clock()):
        return Done()
    channel = ServerChannel(client, challenge.guild, challenge.channel)
    if quiet := await channel.load_quiet_end():
        return Reschedule(job.make_job(quiet))
    server = client.get_guild(challenge.guild)
    if server is None or not await _may_accept(client, server, challenge, person):
        return Done()
    # Last, so that what somebody may not accept does not count as the notice of an hour.
    if not await store.claim_notice(challenge.id, person, app.clock()):
        return Done()
    names = await app.load_names([seat.person for seat in challenge.seats])
    say = await client.load_direct_reader(person, challenge.guild)
    card = notice_card(say, challenge, names, server.name)
    try:
        await DirectMessages(client, person).post(card, f"challenge {challenge.id} for {person}")
    except (discord.Forbidden, discord.NotFound) as error:
        log.info(
            "user %d accepts no direct messages, so is no longer subscribed: %s", person, error
        )
        await service.end_matching_subscriptions(app, person, challenge.guild, challenge.game)
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
    role = (await client.app.store.servers.get(challenge.guild)).role
    try:
        member = await fetch_member(client, server.id, person)
    except NoMemberError:
        log.info("user %d has left server %d, so is no longer subscribed", person, server.id)
        await service.end_subscriptions(client.app, person, server.id)
        return False
    if member is None:
        return role is None and where.permissions_for(server.default_role).view_channel
    has_role = role is None or member.get_role(role) is not None
    return has_role and where.permissions_for(member).view_channel


def _is_private_thread(where: object) -> bool:
    return isinstance(where, discord.Thread) and (where.parent is None or where.is_private())
