"""What people choose about how they play, and how long they are away."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.app import clocks, play, tasks
from bot.app.context import App
from bot.app.errors import Declined, Why
from bot.app.people import Person
from bot.app.zones import instant_of, wall_time, zone_or_utc
from bot.store import Habit, Pause, Reminder

DAYS_A_YEAR = 30
"""Days of a calendar year for which somebody's clocks may stand still."""


async def choose(
    app: App,
    person: Person,
    *,
    reminder: Reminder | None,
    throws: bool | None,
    confirms: bool | None,
    zone: str | None,
) -> Habit:
    """Change what is given of somebody's habit and return it."""
    before = habit = await app.store.habits.get(person.id)
    if reminder is not None:
        habit = replace(habit, reminder=reminder)
    if throws is not None:
        habit = replace(habit, throws=throws)
    if confirms is not None:
        habit = replace(habit, confirms=confirms)
    if zone is not None:
        habit = replace(habit, zone=zone)
    if habit != before:
        await app.remember(person)
        await app.store.habits.set(person.id, habit)
    return habit


@dataclass(frozen=True, slots=True)
class Vacation:
    """Until when somebody is away (None if they are not), and the days left to them this year.

    Days and years are those of `zone`, which they have chosen, or of UTC.
    """

    until: int | None
    left: int
    zone: str | None


async def vacation(app: App, person: int) -> Vacation:
    """Return whether somebody is away, and what is left of their year."""
    now = app.clock()
    chosen = (await app.store.habits.get(person)).zone
    zone = zone_or_utc(chosen)
    year = wall_time(now, zone).year
    first, last = datetime(year, 1, 1), datetime(year + 1, 1, 1)  # noqa: DTZ001 - as clocks show it
    pauses = await app.store.pauses.bearing_on([person], instant_of(first, zone), guild=None)
    away = [pause for pause in pauses if pause.person == person]
    # A day on which the clocks change is a day like any other.
    used = sum(
        (
            min(wall_time(pause.ended, zone), last) - max(wall_time(pause.began, zone), first)
            for pause in away
        ),
        timedelta(),
    )
    there = [pause.ended for pause in away if pause.began <= now < pause.ended]
    # A day that has begun is used.
    left = DAYS_A_YEAR - -(-used // timedelta(days=1))
    return Vacation(max(there, default=None), left, chosen)


async def go_away(app: App, person: Person, days: int) -> Vacation:
    """Stop somebody's clocks for some days; raises Declined if the year has too few left.

    The days end at the time of day at which they began, by the clocks of the person's zone.
    """
    before = await vacation(app, person.id)
    if before.until is not None:
        raise Declined(Why.AWAY_ALREADY, until=before.until)
    if days > before.left:
        raise Declined(Why.TOO_FEW_DAYS, left=before.left, year=DAYS_A_YEAR)
    now = app.clock()
    await app.remember(person)
    zone = zone_or_utc(before.zone)
    back = (wall_time(now, zone) + timedelta(days=days)).replace(tzinfo=zone, fold=1)
    await app.store.pauses.add(Pause(person.id, now, round(back.timestamp() * 1000)))
    await _tell_opponents(app, person.id)
    return await vacation(app, person.id)


async def come_back(app: App, person: Person) -> Vacation:
    """Let somebody's clocks run again; raises Declined if they already run."""
    if not await app.store.pauses.come_back(person.id, app.clock()):
        raise Declined(Why.NOT_AWAY)
    await _tell_opponents(app, person.id)
    return await vacation(app, person.id)


async def _tell_opponents(app: App, person: int) -> None:
    """Show and watch again the matches whose clocks change because somebody is away, or is back.

    Those are the matches in which it is their turn. Nobody is reminded twice of the same turn.
    """
    now = app.clock()
    for row in await app.store.matches.running_of(person):
        sitting = await play.load(app, row.id)
        turn = sitting.clock.turn
        if turn and sitting.at(*turn[1:]) == person:
            wishes = (tasks.show_again(row.id, now), clocks.watched(sitting, now))
            app.take(await app.store.jobs.add(row.guild, wishes))
