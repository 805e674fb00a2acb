"""A match's channel: the one function that brings it up to date, whatever has changed.

It may run any number of times.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import discord

from bot.app import moderation, play, reports, tasks
from bot.app.sitting import Happening, Sitting
from bot.app.turns import between, last_throw, serves, since_posted, told_from
from bot.delivery.clocks import removal
from bot.delivery.outlets import (
    THREAD_ARCHIVED,
    TOO_OLD,
    UNKNOWN_CHANNEL,
    UNKNOWN_MESSAGE,
    AppClient,
    Channel,
    match_link,
    require_code,
)
from bot.delivery.reach import (
    is_place_lost,
    is_unshown,
    parent_of,
    repost,
    stop_match,
)
from bot.delivery.threads import LINGERS, Place, place_of
from bot.store import Job, MatchRow, Posted, QueuedJob
from bot.views.card import Card
from bot.views.clock import call_card
from bot.views.turn import closed_card, end_card, turn_card
from bot.words import match as words
from bot.words.reach import thread_gone
from bot.words.reader import Reader
from engine.match import Match, Phase

log = logging.getLogger(__name__)


class Closing(NamedTuple):
    """A message whose turn is over: its match, its channel, and its versions.

    It covers the versions from `since` to `until`, and its picture shows the version `shown`.
    """

    match: int
    channel: int
    since: int
    until: int
    shown: int


async def show_match(client: AppClient, job: QueuedJob) -> bool:
    """Bring a match's channel up to date.

    That edits the message of the turn, or posts the next one and closes the one before.
    """
    try:
        return await _brought_up_to_date(client, job)
    except discord.HTTPException as error:
        if not is_place_lost(error) or job.guild in client.app.lost:
            raise
        sitting = await play.load(client.app, int(job.key))
        if await _show_elsewhere(client, sitting, job, error):
            return True
        fresh = tasks.FRESH in job.detail
        await stop_match(client, sitting, again=fresh and not job.tries)
        if isinstance(error, discord.NotFound):
            # The players were told how it is shown elsewhere.
            return False
        # A permission may come back, and a thread be unlocked.
        raise


async def _show_elsewhere(
    client: AppClient, sitting: Sitting, job: QueuedJob, why: discord.HTTPException
) -> bool:
    """Show a match whose place is lost in its thread's channel, or where it was before.

    Returns False if that fails too.
    """
    row = sitting.row
    say = Channel(client, row.guild, row.channel).reader
    places = [Place(row.parent, thread_gone(say))] if row.parent else []
    if job.detail.get(tasks.FRESH) not in (None, row.channel):
        places.insert(0, Place(row.channel, parent=row.parent))
    for place in places:
        try:
            await _post(Channel(client, row.guild, place.channel), sitting, job, place)
        except discord.HTTPException as error:
            if not is_place_lost(error):
                raise
        else:
            log.warning("match %d goes on in channel %d: %s", row.id, place.channel, why)
            return True
    return False


async def _brought_up_to_date(client: AppClient, job: QueuedJob) -> bool:
    sitting = await play.load(client.app, int(job.key))
    here = Channel(client, sitting.row.guild, sitting.row.channel)
    fresh = _fresh(job, sitting.row)
    if sitting.row.message and not fresh and await _stays(here, sitting):
        is_current = sitting.row.shown == sitting.match.version and tasks.AGAIN not in job.detail
        anew = tasks.LUCK in job.detail or not is_current
        if not anew and not await is_unshown(client.app, sitting):
            return False
        if await _edited(here, sitting, job):
            return True
        if is_current and job.detail.get(tasks.LUCK):
            # Nobody misses the last message of a match that is over.
            return False
        # Somebody deleted the message, or it can't be changed, or its thread is archived: post a
        # new one.
    if fresh:
        restored: int | None = job.detail.get(tasks.RESTORED)
        remark = "" if restored is None else words.restored(here.reader, restored)
        place = Place(fresh, remark, parent=parent_of(client, here.guild, fresh))
    else:
        place = await place_of(here, sitting)
    await _post(replace(here, id=place.channel), sitting, job, place)
    return True


def _fresh(job: QueuedJob, row: MatchRow) -> int | None:
    """Return the channel in which a job wants a new message; None where it is there already.

    A job that is renewed while it is done comes with what was wanted before, too.
    """
    fresh: int | None = job.detail.get(tasks.FRESH)
    known = tasks.PAST in job.detail and fresh == row.channel
    posted = known and row.message not in (None, job.detail[tasks.PAST])
    return None if posted else fresh


async def _stays(here: Channel, sitting: Sitting) -> bool:
    """Whether the live message is edited: in its own turn, or with one message a match."""
    return serves(sitting) or (await here.server()).single


async def _edited(channel: Channel, sitting: Sitting, job: QueuedJob) -> bool:
    """Change the live message to the match's present state; return False if it can't be changed."""
    client = channel.client
    row = sitting.row
    version = sitting.match.version
    assert row.message is not None
    turned = not serves(sitting)
    # Who plays alone has read of their own throw in the message before.
    happened = since_posted(sitting) or (() if sitting.alone else last_throw(sitting))
    since, notice = row.since, _notice(sitting)
    if turned:
        happened = between(sitting, told_from(sitting), version)
        since = _since(sitting)
    card = await _next_card(client, channel.reader, sitting, happened)
    try:
        await channel.edit(row.message, card)
    except discord.HTTPException as error:
        if error.code not in (UNKNOWN_MESSAGE, UNKNOWN_CHANNEL, THREAD_ARCHIVED, TOO_OLD):
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
        # No edit notifies anybody.
        call = call_card(channel.reader, sitting, match_link(row))
        notice = await channel.post(call, f"call in match {row.id} at {version}")
        later = await _called_later(channel, sitting, card)
    posted = Posted(row.message, channel.id, since, version, notice, row.parent, row.notice)
    await _remember(client, sitting, posted, job, later)
    return True


async def _remember(
    client: AppClient, sitting: Sitting, posted: Posted, job: QueuedJob, jobs: Sequence[Job]
) -> None:
    """Save which message is live now, and what follows; what called to an earlier act is removed.

    Time runs on if the match could be shown nowhere before.
    """
    app = client.app
    jobs = [*jobs, *_left_behind(client, sitting)]
    watch = tasks.watch(sitting.id, app.clock())
    remove = removal(client, sitting)
    app.take(await app.store.matches.posted(sitting.id, posted, job, jobs, remove, watch))
    _note_shown(client, sitting)
    if posted.message is not None and client.deletions.has(posted.message):
        await repost(client, posted.channel, [posted.message])


def _note_shown(client: AppClient, sitting: Sitting) -> None:
    """Note how long people waited for a change to appear, if the message shows something new."""
    if sitting.row.shown != sitting.match.version:
        client.app.measures.shown((client.app.clock() - sitting.row.touched) / 1000)


def _since(sitting: Sitting) -> int:
    """Return the first version whose events are a new message's own: its turn's, or the end's."""
    over = sitting.match.phase is Phase.OVER
    return told_from(sitting) if sitting.alone or over else sitting.match.version


async def _post(channel: Channel, sitting: Sitting, job: QueuedJob, place: Place) -> None:
    client = channel.client
    row = sitting.row
    version = sitting.match.version
    card = await _next_card(
        client, channel.reader, sitting, between(sitting, told_from(sitting), version)
    )
    if place.remark:
        card = replace(card, small="\n".join(filter(None, (card.small, place.remark))))
    # The name does not depend on the version, so after a kill between posting and storing the same
    # message is found.
    message = await channel.post(card, f"match {row.id} after {row.message}")
    closing: Sequence[Job] = []
    if row.message != message:
        # What the computer did after the turn is told in the next message.
        closing = await close_message(
            channel, row, told_from(sitting) if sitting.alone else version
        )
    later = await _called_later(channel, sitting, card)
    notice, since = _notice(sitting), _since(sitting)
    posted = Posted(message, place.channel, since, version, notice, place.parent, row.notice)
    await _remember(client, sitting, posted, job, [*closing, *later])


async def _called_later(channel: Channel, sitting: Sitting, card: Card) -> Sequence[Job]:
    """Return the job that calls, when the quiet hours end, the person whom a card calls.

    In quiet hours nobody is called.
    """
    quiet = await channel.quiet()
    if card.ping is None or quiet is None:
        return []
    return [tasks.call(sitting.id, sitting.match.version, quiet)]


def _left_behind(client: AppClient, sitting: Sitting) -> Sequence[Job]:
    """Return the job to archive a match's thread a while after the match is over."""
    if sitting.row.thread is None or sitting.match.phase is not Phase.OVER:
        return []
    return [tasks.archive(sitting.row.thread, client.app.clock() + LINGERS)]


def _notice(sitting: Sitting) -> int | None:
    """Return the message that still calls somebody to act; None if the match has gone on since."""
    return sitting.row.notice if sitting.row.shown == sitting.match.version else None


async def _next_card(
    client: AppClient, say: Reader, sitting: Sitting, happened: Sequence[Happening]
) -> Card:
    if sitting.match.phase is not Phase.OVER:
        return turn_card(say, sitting, happened)
    app = client.app
    changes = await app.store.ratings.changes(sitting.id)
    everything = await play.history(app, sitting.row)
    report = await reports.kept(app, sitting)
    ruling = await moderation.latest(app, sitting)
    # The luck of a long match takes a while to count.
    return await asyncio.to_thread(
        end_card, say, sitting, happened, everything, changes, report, ruling
    )


async def close_message(channel: Channel, row: MatchRow, until: int) -> Sequence[Job]:
    """Return the job that closes a match's message, covering all until a version, or removes it.

    It is removed in servers with one message a match; no job is needed without a message.
    """
    if row.message is None:
        return []
    now = channel.client.app.clock()
    if (await channel.server()).single:
        return [tasks.remove(row.message, row.id, row.channel, now)]
    closing = Closing(row.id, row.channel, row.since, until, row.shown)
    return [Job(tasks.CLOSE_TURN, str(row.message), now, closing._asdict())]


async def close_turn(client: AppClient, job: QueuedJob) -> bool:
    """Remove the controls of a message whose turn is over, and add what was played.

    Its picture stays.
    """
    closing = Closing(**job.detail)
    sitting = await play.load(client.app, closing.match)
    happened = between(sitting, closing.since, closing.until)
    if len(happened) < closing.until - closing.since:
        everything = await play.history(client.app, sitting.row)
        happened = everything[closing.since : closing.until]
    channel = Channel(client, sitting.row.guild, closing.channel)
    card = closed_card(
        channel.reader, sitting, happened, _at(happened, sitting.match, closing.shown)
    )
    try:
        await channel.edit(int(job.key), card)
    except discord.NotFound as error:
        require_code(error)
        log.info("message %s of a past turn is gone", job.key)
    except discord.HTTPException as error:
        if closing.channel == sitting.row.channel or not is_place_lost(error):
            raise
        log.info("could not clear message %s after its match moved: %s", job.key, error)
    return False


def _at(happened: Sequence[Happening], now: Match, version: int) -> Match:
    """Return the match as it was at one version."""
    return next((each.before for each in happened if each.before.version == version), now)
