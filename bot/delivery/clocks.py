"""What a match's clock brings about: a reminder, a call to those who may claim it, its end."""

import logging
from collections.abc import Callable

import discord

from bot.app import clocks, outages, play, tasks
from bot.app.clocks import CALLED, REMINDED
from bot.app.errors import Declined, MovedOn
from bot.app.sitting import Sitting
from bot.app.turns import acted
from bot.delivery.outlets import AppClient, Channel, Direct, match_link, take_away
from bot.store import Habit, Job, QueuedJob, Reminder
from bot.views.card import Card
from bot.views.clock import call_card, late_card, reminder_card
from bot.words.reader import Reader
from engine.match import Phase

log = logging.getLogger(__name__)


async def watch(client: AppClient, job: QueuedJob) -> bool:
    """Do what a match's clock asks for now, and come again when it asks for more."""
    app = client.app
    sitting = await play.load(app, int(job.key))
    now = sitting.now
    if sitting.match.phase is Phase.OVER:
        return False
    if not sitting.certain:
        # Whoever is late may be so for want of a way to act, or by a clock that is wrong.
        return await _wait(client, sitting, job, now + outages.BEAT, _read_called(sitting, job))
    times = clocks.times(sitting)
    ends = times.ends if times else await clocks.untouched_until(app, sitting.row)
    if now >= ends:
        return await _close(client, sitting, job)
    if times is None:
        return await _wait(client, sitting, job, ends)
    done = _read_called(sitting, job)
    if now >= times.out:
        if done != CALLED:
            quiet = await _channel(client, sitting).quiet()
            if quiet and quiet < ends:
                await _show_again(client, sitting)
                return await _wait(client, sitting, job, quiet, done)
            await _call(client, sitting)
        return await _wait(client, sitting, job, ends, CALLED)
    if now >= times.reminds:
        if not done:
            quiet = await _channel(client, sitting).quiet()
            if quiet and quiet < times.out:
                return await _wait(client, sitting, job, quiet)
            # If quiet hours last until it is too late nobody is notified, but the text is there to
            # read.
            await _remind(client, sitting)
            # Its message may be gone unseen, and is what the reminder leads to.
            await _show_again(client, sitting)
        return await _wait(client, sitting, job, times.out, REMINDED)
    # The time was moved by an outage or an absence, and the message tells the old one.
    await _show_again(client, sitting)
    return await _wait(client, sitting, job, times.reminds)


def _read_called(sitting: Sitting, job: QueuedJob) -> str:
    """Return what a job has done for the running time: a reminder or a call; empty for neither."""
    if job.detail.get("since") != sitting.clock.since:
        return ""
    done: str = job.detail.get("called") or ""
    return done


async def _show_again(client: AppClient, sitting: Sitting) -> None:
    """Show in the match's message what its clock says now."""
    app = client.app
    app.take(
        await app.store.jobs.add(sitting.row.guild, [tasks.show_again(sitting.id, app.clock())])
    )


async def _wait(
    client: AppClient, sitting: Sitting, job: QueuedJob, due: int, called: str = ""
) -> bool:
    """Enqueue the job again for that time, unless the match has moved on.

    Then the action that moved it on has enqueued another.
    """
    app = client.app
    wish = tasks.watch(sitting.id, due, since=sitting.clock.since, called=called)
    renewed = await app.store.jobs.renew(job, wish)
    app.take(renewed)
    return bool(renewed)


async def _close(client: AppClient, sitting: Sitting, job: QueuedJob) -> bool:
    try:
        await play.close(client.app, sitting)
    except MovedOn:
        log.info(
            "match %d moved on from version %d as its time was over",
            sitting.id,
            sitting.match.version,
        )
    except Declined:
        # The clock was set, or people could not act, since the match was loaded.
        later = client.app.clock() + outages.BEAT
        return await _wait(client, sitting, job, later, _read_called(sitting, job))
    return False


async def _remind(client: AppClient, sitting: Sitting) -> None:
    """Remind the one to act if they want that: by direct message if possible, or in the channel."""
    person = sitting.to_act
    how = sitting.habits.get(person, Habit()).reminder
    if how is Reminder.NEVER:
        return
    name = f"reminder of match {sitting.id} at {sitting.clock.since}"
    if how is Reminder.DIRECT and await _sent(client, person, _reminder(client, sitting), name):
        return
    await _notice(client, sitting, _reminder(client, sitting), name)


def _reminder(client: AppClient, sitting: Sitting) -> Card:
    return reminder_card(_reader(client, sitting), sitting, match_link(sitting.row))


async def _sent(client: AppClient, person: int, card: Card, name: str) -> bool:
    try:
        await Direct(client, person).post(card, name)
    except discord.HTTPException as error:
        log.info("%d takes no direct message, so is reminded in the channel: %s", person, error)
        return False
    return True


async def _call(client: AppClient, sitting: Sitting) -> None:
    """Tell those who wait that they may claim the match, and let its message say so."""
    card = late_card(_reader(client, sitting), sitting, match_link(sitting.row))
    await _notice(
        client, sitting, card, f"time over in match {sitting.id} at {sitting.clock.since}"
    )
    await _show_again(client, sitting)


async def call(client: AppClient, job: QueuedJob) -> bool:
    """Call the one whose turn came in quiet hours, now over, unless they have acted since."""
    app = client.app
    now = app.clock()
    sitting = await play.load(app, int(job.key))
    version = job.detail["version"]
    if sitting.match.phase is Phase.OVER or acted(sitting, version) or _clock_calls(sitting, now):
        return False
    quiet = await _channel(client, sitting).quiet()
    if quiet:
        # The server has changed its quiet hours meanwhile.
        renewed = await app.store.jobs.renew(job, tasks.call(sitting.id, version, quiet))
        app.take(renewed)
        return bool(renewed)
    card = call_card(_reader(client, sitting), sitting, match_link(sitting.row))
    await _notice(
        client, sitting, card, f"call after quiet hours in match {sitting.id} at {version}"
    )
    return False


def _clock_calls(sitting: Sitting, now: int) -> bool:
    """Whether the match's clock notifies somebody by now, so that another message adds nothing."""
    times = clocks.times(sitting)
    if times is None:
        return False
    reminded = sitting.habits.get(sitting.to_act, Habit()).reminder is not Reminder.NEVER
    return now >= (times.reminds if reminded else times.out)


async def _notice(client: AppClient, sitting: Sitting, card: Card, name: str) -> None:
    """Post what calls somebody to act; it is taken away when the match goes on."""
    row = sitting.row
    try:
        notice = await _channel(client, sitting).post(card, name)
    except (discord.Forbidden, discord.NotFound) as error:
        # The match's own message fails as well, and that is reported; its time still runs.
        log.info("could not mention anybody in match %d: %s", sitting.id, error)
        return
    app = client.app
    version = sitting.match.version
    app.take(await app.store.matches.noticed(row.id, notice, version, removal(client, sitting)))


def removal(client: AppClient, sitting: Sitting) -> Callable[[int], Job]:
    """Return a function that makes the job to remove a call to act from a match's channel."""
    row = sitting.row
    now = client.app.clock()
    return lambda message: tasks.remove(message, row.id, row.channel, now)


async def remove(client: AppClient, job: QueuedJob) -> bool:
    """Take a message of ours away."""
    await take_away(client, job.detail["channel"], int(job.key))
    return False


async def throw(client: AppClient, job: QueuedJob) -> bool:
    """Throw for somebody who wants automatic throws, unless something was done meanwhile."""
    app = client.app
    sitting = await play.load(app, int(job.key))
    if sitting.match.version == job.detail["version"] and sitting.match.phase is Phase.THROW:
        await play.throw_for(app, sitting)
    return False


def _reader(client: AppClient, sitting: Sitting) -> Reader:
    return _channel(client, sitting).reader


def _channel(client: AppClient, sitting: Sitting) -> Channel:
    return Channel(client, sitting.row.guild, sitting.row.channel)
