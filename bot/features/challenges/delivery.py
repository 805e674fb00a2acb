"""A challenge's message, and its lapse."""

import asyncio
from collections import defaultdict
from collections.abc import Collection

import discord

from bot.features.challenges import service as challenges
from bot.features.challenges.cards import challenge_card
from bot.features.challenges.service import LapseChallenge, RepostChallenge, ShowChallenge
from bot.features.challenges.store import Challenges
from bot.features.challenges.tables import Challenge
from bot.features.challenges.texts import (
    format_challenge_reminder,
)
from bot.features.matches.clock import IDLE_LIMIT_MS
from bot.features.matches.places import THREAD_ANCHORS
from bot.platform.context import HEARTBEAT_MS, App
from bot.platform.db.jobs import Subject
from bot.platform.db.preferences import Reminder
from bot.platform.db.rows import Job, QueuedJob
from bot.platform.i18n.reader import Reader
from bot.platform.jobs.destinations import loads_channels
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.restored import REPOST_JOBS
from bot.platform.jobs.runner import Done, JobResult, Removed, Reschedule
from bot.platform.people import DiscordPerson
from bot.platform.ui import channels
from bot.platform.ui.access import is_member
from bot.platform.ui.app_client import FAILURES, UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, AppClient
from bot.platform.ui.card import Card, text_only_card
from engine import dice


@handles(ShowChallenge)
async def show_challenge(client: AppClient, job: ShowChallenge, queued: QueuedJob) -> JobResult:
    """Post a challenge, or bring its message up to date."""
    challenge = await client.app.store.get(Challenges).load_challenge(job.challenge)
    if challenge is None:
        return Done()
    channel = _get_channel(client, challenge)
    async with channels.report_closed_thread(channel, challenge.challenger, _name_challenge):
        return await _update_message(channel, challenge, queued)


def _name_challenge(say: Reader) -> str:
    # Translators: fills "I can't bring {subject} up to date".
    return say("your challenge")


async def _update_message(
    channel: channels.ServerChannel, challenge: Challenge, queued: QueuedJob
) -> JobResult:
    client = channel.client
    card = await _build_card(client, channel, challenge, posted=challenge.message is not None)
    try:
        if challenge.message is not None:
            await channel.edit(challenge.message, card)
            return Done()
        message = await channel.post(card, f"challenge {challenge.id}")
    except discord.NotFound as error:
        if not _is_message_gone(error):
            raise
        # Somebody has deleted the message with the buttons, which withdraws the challenge.
        await challenges.withdraw_lost(client.app, challenge.id)
        return Done()
    await _enqueue_repost(channel, challenge, card, message)
    await _save_message(client, challenge, message, done=queued)
    return Removed()


async def _save_message(
    client: AppClient,
    challenge: Challenge,
    message: int,
    before: int | None = None,
    done: QueuedJob | None = None,
) -> None:
    """Keep which message shows a challenge; only one may have the buttons, so another goes."""
    # The bot is bound only by a message posted before all seats are taken.
    shown = dice.COMMITMENT_DIGITS if challenge.state == "open" else None
    store = client.app.store.get(Challenges)
    if not await store.save_message(challenge.id, message, before, done, posted_digits=shown):
        await channels.delete_message(client, challenge.channel, message)


def _is_message_gone(error: discord.NotFound) -> bool:
    """Whether Discord says that a message, or its channel, no longer exists."""
    return error.code in (UNKNOWN_MESSAGE, UNKNOWN_CHANNEL)


async def can_start_match(client: AppClient, challenge: Challenge) -> bool:
    """Whether a match can begin in a challenge's channel.

    A lost challenge is withdrawn, and one whose challenger has left the server.
    """
    server = client.get_guild(challenge.guild)
    known = server is not None and server.get_channel_or_thread(challenge.channel) is not None
    # A thread that is not known may be archived: what is posted there opens it again.
    if known and not channels.can_post(client, challenge.guild, challenge.channel):
        return False
    if await withdraw_if_lost(client, challenge):
        return False
    if await is_member(client, challenge.guild, challenge.challenger):
        return True
    await challenges.withdraw_for(client.app, challenge.id)
    return False


async def withdraw_if_lost(client: AppClient, challenge: Challenge) -> bool:
    """Withdraw a challenge whose message or channel is gone; return True if it was withdrawn."""
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


@channels.CHANNEL_DELETIONS.add(1)
async def withdraw_in_channel(client: AppClient, _: int, channel: int) -> None:
    """Withdraw the open challenges of a channel or thread that is gone."""
    app = client.app
    for challenge in await app.store.get(Challenges).load_open_in_channel(channel, app.clock()):
        await challenges.withdraw_lost(app, challenge.id)


@channels.MESSAGE_DELETIONS.add(1)
async def withdraw_deleted(client: AppClient, channel: int, messages: Collection[int]) -> None:
    """Withdraw the open challenges whose messages somebody has deleted."""
    app = client.app
    for challenge in await app.store.get(Challenges).load_open_in_channel(channel, app.clock()):
        if challenge.message in messages:
            await challenges.withdraw_lost(app, challenge.id)


def _get_channel(client: AppClient, challenge: Challenge) -> channels.ServerChannel:
    return channels.ServerChannel(client, challenge.guild, challenge.channel)


async def _build_card(
    client: AppClient,
    channel: channels.ServerChannel,
    challenge: Challenge,
    *,
    posted: bool = False,
) -> Card:
    people = [seat.person for seat in challenge.seats]
    if challenge.opponent:
        people.append(challenge.opponent)
    known = await client.app.store.people.load_names(people)
    return challenge_card(channel.reader, challenge, known, posted=posted)


async def _enqueue_repost(
    channel: channels.ServerChannel, challenge: Challenge, card: Card, message: int
) -> None:
    """Enqueue the job that calls, when the quiet hours end, the person whom a card calls."""
    quiet = await channel.load_quiet_end()
    if card.ping is None or quiet is None:
        return
    app = channel.client.app
    repost = RepostChallenge(challenge.id, message).build_job(quiet)
    await app.enqueue(challenge.guild, [repost])


@handles(RepostChallenge)
async def repost_challenge(client: AppClient, job: RepostChallenge, _: QueuedJob) -> JobResult:
    """Post a challenge again, and remove the old message, once the quiet hours are over."""
    app = client.app
    challenge = await app.store.get(Challenges).load_challenge(job.challenge)
    if challenge is None:
        return Done()
    channel = _get_channel(client, challenge)
    if challenge.message == job.message:
        if challenge.state != "open":
            return Done()
        quiet = await channel.load_quiet_end()
        if quiet:
            # The server has changed its quiet hours meanwhile.
            return Reschedule(job.build_job(quiet))
        card = await _build_card(client, channel, challenge)
        message = await channel.post(card, f"challenge {challenge.id} after quiet hours")
        await _save_message(client, challenge, message, job.message)
    # An answer that came while it was posted again has changed the old message.
    shown = ShowChallenge(challenge.id).build_job(app.clock())
    await app.enqueue(challenge.guild, [shown])
    await channels.delete_message(client, challenge.channel, job.message)
    return Done()


@REPOST_JOBS.add()
async def build_repost_jobs(client: AppClient, _: int) -> dict[int, list[Job]]:
    """Return the jobs, by server, that post open challenges again."""
    now = client.app.clock()
    jobs: dict[int, list[Job]] = defaultdict(list)
    for challenge in await client.app.store.get(Challenges).load_open():
        if challenge.message is not None:
            repost = RepostChallenge(challenge.id, challenge.message)
            jobs[challenge.guild].append(repost.build_job(now))
    return jobs


@handles(LapseChallenge)
async def lapse_challenge(client: AppClient, job: LapseChallenge, _: QueuedJob) -> JobResult:
    """Let a challenge lapse whose time is over, but not while nobody can answer it."""
    app = client.app
    challenge = await app.store.get(Challenges).load_challenge(job.challenge)
    if challenge is None or challenge.state != "open":
        return Done()
    now = app.clock()
    later = _find_next_check(app, challenge, now)
    if later is None:
        return await _close_lapsed(client, challenge, job)
    if challenge.expires <= now:
        return Reschedule(job.build_job(later))
    if challenge.ladder is None:
        # Its message says when it would have lapsed without the outage.
        shown = ShowChallenge(challenge.id).build_job(now)
        await app.enqueue(challenge.guild, [shown])
        return Reschedule(job.build_job(later))
    return await _watch_ladder_challenge(client, challenge, job, now)


async def _close_lapsed(client: AppClient, challenge: Challenge, job: LapseChallenge) -> JobResult:
    app = client.app
    if challenge.ladder is not None and await is_void(client, challenge):
        await challenges.withdraw_for(app, challenge.id)
        return Done()
    if until := await challenges.postpone_for_absence(app, challenge):
        reminds = max(app.clock(), until - challenges.REMIND_MS)
        return Reschedule(LapseChallenge(job.challenge).build_job(reminds))
    await challenges.lapse_challenge(app, challenge)
    return Done()


async def _watch_ladder_challenge(
    client: AppClient, challenge: Challenge, job: LapseChallenge, now: int
) -> JobResult:
    """Remind whoever has to answer a challenge on a ladder, once it expires within a day."""
    app, reminds = client.app, challenge.expires - challenges.REMIND_MS
    shown = ShowChallenge(challenge.id).build_job(now)
    if now < reminds:
        # It was put off, and its message says when it would have expired.
        await app.enqueue(challenge.guild, [shown])
        return Reschedule(job.build_job(reminds))
    # An outage may have put it off a little since.
    if job.reminded is not None and reminds < job.reminded:
        return Reschedule(job.build_job(challenge.expires))
    if not app.is_time_running(challenge.guild) or challenge.guild in app.lost:
        return Reschedule(job.build_job(min(now + HEARTBEAT_MS, challenge.expires)))
    if await is_void(client, challenge):
        await challenges.withdraw_for(app, challenge.id)
        return Done()
    if not await challenges.is_opponent_away(app, challenge):
        await _remind_challenged(client, challenge)
    done = LapseChallenge(challenge.id, reminded=challenge.expires)
    return Reschedule(done.build_job(challenge.expires))


async def _remind_challenged(client: AppClient, challenge: Challenge) -> None:
    """Remind somebody of a challenge: by direct message if they want that, or by a new message."""
    app, person = client.app, challenge.opponent
    assert person is not None
    chosen = await app.store.preferences.load_preferences(person)
    if chosen.reminder is Reminder.NEVER:
        return
    if chosen.reminder is Reminder.DIRECT:
        names = await app.load_names([challenge.challenger])
        link = channels.build_link(challenge.guild, challenge.channel, challenge.message or 0)
        own = await client.load_direct_reader(person, challenge.guild)
        text = format_challenge_reminder(own, challenge, names[challenge.challenger], link)
        name = f"reminder of challenge {challenge.id} until {challenge.expires}"
        sent = channels.DirectMessages(client, person)
        if await sent.try_post(text_only_card(text), name, (discord.HTTPException,)):
            return
    if challenge.message is not None:
        repost = RepostChallenge(challenge.id, challenge.message).build_job(app.clock())
        await app.enqueue(challenge.guild, [repost])


async def decline_or_withdraw(
    client: AppClient, number: int, guild: int, person: DiscordPerson
) -> None:
    """Decline a challenge, or withdraw one's own or one on a ladder that is void, from anywhere.

    Raises DeclinedError for somebody whom it doesn't concern.
    """
    app = client.app
    challenge = await challenges.find_open_challenge(app, number, guild, person.id)
    is_withdrawn = challenge.ladder is not None and await is_void(client, challenge)
    await challenges.decline_challenge(app, number, guild, person, is_void=is_withdrawn)


async def is_void(client: AppClient, challenge: Challenge) -> bool:
    """Return whether a challenge can come to nothing: its challenger has left, or there is a block.

    On a ladder this costs the challenged player nothing.
    """
    if not await is_member(client, challenge.guild, challenge.challenger):
        return True
    return await challenges.has_block(client.app, challenge)


def _find_next_check(app: App, challenge: Challenge, now: int) -> int | None:
    """Return when to check again whether a challenge has lapsed; None if it has."""
    if challenge.expires > now:
        return challenge.expires
    if not app.is_time_running(challenge.guild):
        return now + HEARTBEAT_MS
    if challenge.guild in app.lost and now < challenge.expires + IDLE_LIMIT_MS:
        # A server that is lost may come back, so its challenges are kept for a while.
        return now + challenges.LIFETIME_MS
    return None


loads_channels(Subject.CHALLENGE)(
    lambda store, numbers: store.get(Challenges).load_channels(numbers)
)


@THREAD_ANCHORS.add()
async def load_thread_anchor(app: App, match: int) -> int | None:
    """Return the message of the challenge from which a match began, or None."""
    challenge = await app.store.get(Challenges).load_by_match(match)
    return challenge.message if challenge else None
