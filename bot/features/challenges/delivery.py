"""A challenge's message, and its lapse."""

import asyncio
from collections.abc import Collection

import discord

from bot.features.challenges import service as challenges
from bot.features.challenges.cards import challenge_card
from bot.features.matches.clock import IDLE_LIMIT_MS
from bot.platform import outages
from bot.platform.context import App
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.kinds import LapseChallenge, RepostChallenge, ShowChallenge
from bot.platform.jobs.runner import Done, JobResult, Removed, Reschedule
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.card import Card
from bot.platform.ui.channels import ServerChannel, delete_message
from bot.platform.ui.failures import FAILURES, UNKNOWN_CHANNEL, UNKNOWN_MESSAGE
from bot.platform.ui.places import can_post
from bot.store import Challenge, QueuedJob
from engine import dice


@handles(ShowChallenge)
async def show_challenge(client: AppClient, job: ShowChallenge, queued: QueuedJob) -> JobResult:
    """Post a challenge, or bring its message up to date."""
    store = client.app.store
    challenge = await store.challenges.get(job.challenge)
    if challenge is None:
        return Done()
    channel = _get_channel(client, challenge)
    if challenge.message is None:
        card = await _prepare_card(client, channel, challenge)
        try:
            message = await channel.post(card, f"challenge {challenge.id}")
        except discord.NotFound as error:
            if not _is_message_gone(error):
                raise
            await challenges.withdraw_lost(client.app, challenge.id)
            return Done()
        await _enqueue_repost(channel, challenge, card, message)
        # Another message shows it by now, and only one may have the buttons.
        shown = _count_posted_digits(challenge)
        if not await store.challenges.save_message(
            challenge.id, message, done=queued, posted_digits=shown
        ):
            await delete_message(client, challenge.channel, message)
        return Removed()
    card = await _prepare_card(client, channel, challenge, posted=True)
    try:
        await channel.edit(challenge.message, card)
    except discord.NotFound as error:
        if not _is_message_gone(error):
            raise
        # Somebody has deleted the message with the buttons, which withdraws the challenge.
        await challenges.withdraw_lost(client.app, challenge.id)
    return Done()


def _count_posted_digits(challenge: Challenge) -> int | None:
    """Return how many digits of its commitment a new message shows; None if that is too late.

    Only a message that is posted while a seat is free binds whoever draws the secrets.
    """
    return dice.COMMITMENT_DIGITS if challenge.state == "open" else None


def _is_message_gone(error: discord.NotFound) -> bool:
    """Whether Discord says that a message, or its channel, no longer exists."""
    return error.code in (UNKNOWN_MESSAGE, UNKNOWN_CHANNEL)


async def can_start_match(client: AppClient, challenge: Challenge) -> bool:
    """Whether a match can begin in a challenge's channel; a lost challenge is withdrawn."""
    server = client.get_guild(challenge.guild)
    known = server is not None and server.get_channel_or_thread(challenge.channel) is not None
    # A thread that is not known may be archived: what is posted there opens it again.
    if known and not can_post(client, challenge.guild, challenge.channel):
        return False
    return not await withdraw_if_lost(client, challenge)


async def withdraw_if_lost(client: AppClient, challenge: Challenge) -> bool:
    """Withdraw a challenge whose message or channel is gone; return True if it was withdrawn.

    Nobody can answer such a challenge.
    """
    if challenge.message is None:
        # It is being posted: then its job finds out.
        return False
    channel = client.get_partial_messageable(challenge.channel)
    try:
        await channel.fetch_message(challenge.message)
    except discord.NotFound as error:
        if not _is_message_gone(error):
            return False
    except FAILURES:
        # If the bot may not read the channel's history, nobody knows whether the message is there.
        return False
    else:
        return False
    await challenges.withdraw_lost(client.app, challenge.id)
    return True


async def drop_lost_challenges(client: AppClient, person: int) -> list[Challenge]:
    """Withdraw the lost ones of a person's open challenges, and return the others."""
    app = client.app
    found = await challenges.load_open_challenges(app, person)
    # All at once: each asks Discord, and the person waits for the answer.
    lost = await asyncio.gather(*(withdraw_if_lost(client, each) for each in found))
    return [each for each, is_lost in zip(found, lost, strict=True) if not is_lost]


async def withdraw_in_channel(client: AppClient, channel: int) -> None:
    """Withdraw the open challenges of a channel or thread that is gone."""
    app = client.app
    for challenge in await app.store.challenges.load_open_in_channel(channel, app.clock()):
        await challenges.withdraw_lost(app, challenge.id)


async def withdraw_deleted(client: AppClient, channel: int, messages: Collection[int]) -> None:
    """Withdraw the open challenges whose messages somebody has deleted."""
    app = client.app
    for challenge in await app.store.challenges.load_open_in_channel(channel, app.clock()):
        if challenge.message in messages:
            await challenges.withdraw_lost(app, challenge.id)


def _get_channel(client: AppClient, challenge: Challenge) -> ServerChannel:
    return ServerChannel(client, challenge.guild, challenge.channel)


async def _prepare_card(
    client: AppClient, channel: ServerChannel, challenge: Challenge, *, posted: bool = False
) -> Card:
    people = [seat.person for seat in challenge.seats]
    if challenge.opponent:
        people.append(challenge.opponent)
    known = await client.app.store.people.load_names(people)
    return challenge_card(channel.reader, challenge, known, posted=posted)


async def _enqueue_repost(
    channel: ServerChannel, challenge: Challenge, card: Card, message: int
) -> None:
    """Enqueue the job that calls, when the quiet hours end, the person whom a card calls."""
    quiet = await channel.load_quiet_end()
    if card.ping is None or quiet is None:
        return
    app = channel.client.app
    repost = RepostChallenge(challenge.id, message).make_job(quiet)
    await app.enqueue(challenge.guild, [repost])


@handles(RepostChallenge)
async def repost_challenge(client: AppClient, job: RepostChallenge, _: QueuedJob) -> JobResult:
    """Post a challenge again, and remove the old message, once the quiet hours are over.

    In those hours its message notified nobody.
    """
    app = client.app
    challenge = await app.store.challenges.get(job.challenge)
    if challenge is None:
        return Done()
    channel = _get_channel(client, challenge)
    if challenge.message == job.message:
        if challenge.state != "open":
            return Done()
        quiet = await channel.load_quiet_end()
        if quiet:
            # The server has changed its quiet hours meanwhile.
            return Reschedule(job.make_job(quiet))
        card = await _prepare_card(client, channel, challenge)
        message = await channel.post(card, f"challenge {challenge.id} after quiet hours")
        if not await app.store.challenges.save_message(
            challenge.id, message, job.message, posted_digits=_count_posted_digits(challenge)
        ):
            await delete_message(client, challenge.channel, message)
    # Whoever has answered it while it was posted again has had the old message changed.
    shown = ShowChallenge(challenge.id).make_job(app.clock())
    await app.enqueue(challenge.guild, [shown])
    await delete_message(client, challenge.channel, job.message)
    return Done()


@handles(LapseChallenge)
async def lapse_challenge(client: AppClient, job: LapseChallenge, _: QueuedJob) -> JobResult:
    """Let a challenge lapse whose time is over, but not while nobody can answer it."""
    app = client.app
    challenge = await app.store.challenges.get(job.challenge)
    if challenge is None or challenge.state != "open":
        return Done()
    now = app.clock()
    later = _find_next_check(app, challenge, now)
    if later is None and (until := await challenges.postpone_for_absence(app, challenge)):
        return Reschedule(job.make_job(until))
    if later is None:
        await challenges.lapse_challenge(app, challenge)
        return Done()
    if challenge.expires > now:
        # Its message says when it would have lapsed without the outage.
        shown = ShowChallenge(challenge.id).make_job(now)
        await app.enqueue(challenge.guild, [shown])
    return Reschedule(job.make_job(later))


def _find_next_check(app: App, challenge: Challenge, now: int) -> int | None:
    """Return when to check again whether a challenge has lapsed; None if it has."""
    if challenge.expires > now:
        return challenge.expires
    if not outages.is_time_running(app, challenge.guild):
        return now + outages.HEARTBEAT_MS
    if challenge.guild in app.lost and now < challenge.expires + IDLE_LIMIT_MS:
        # A server that is lost may come back, so its challenges are kept for a while.
        return now + challenges.LIFETIME_MS
    return None
