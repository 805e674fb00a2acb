"""The clocks of matches: what stops them, when they run out, and what follows then."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.app import tasks
from bot.app.computer import COMPUTERS
from bot.app.context import App
from bot.app.errors import Declined, Why
from bot.app.sitting import Happening, Sitting, require_running
from bot.store import Job, MatchRow, Pause
from engine import clock
from engine.clock import DAY, Clock, Pace, Stop
from engine.match import Match
from engine.position import Side

UNTOUCHED = 60 * DAY
"""Milliseconds after which a match that nobody touches is closed."""
REMINDED, CALLED = "reminded", "called"
"""Who has been told that a turn's time runs out: the one to act, and in the end those who wait."""


def pace_of(row: MatchRow) -> Pace:
    """Return the pace of a match."""
    return clock.read_pace(row.pace)


async def stops_of(app: App, row: MatchRow, match: Match) -> tuple[Stop, ...]:
    """Return the times for which the clocks of a match have stood still, or will; nothing where it has none."""
    if not pace_of(row).limited:
        return ()
    return stops_by(row, match, await app.store.pauses.bearing_on(may_pause(row), row.created, row.guild))


def may_pause(row: MatchRow) -> list[int]:
    """Return the people whose absences stop the clocks of a match."""
    slow = pace_of(row).slow
    return [seat.person for seat in row.seats if slow and seat.person not in COMPUTERS]


def stops_by(row: MatchRow, match: Match, pauses: Iterable[Pause]) -> tuple[Stop, ...]:
    """Return what pauses of its people, and of its server, are to the clocks of a match that has any."""
    return tuple(_stop(row, match, pause) for pause in pauses)


def _stop(row: MatchRow, match: Match, pause: Pause) -> Stop:
    if pause.person is None:
        return Stop(pause.began, pause.ended)
    seat = next(seat for seat in row.seats if seat.person == pause.person)
    sat = Side(seat.side)
    return Stop(pause.began, pause.ended, sat.other if match.swapped else sat, seat.number)


def begun(row: MatchRow, match: Match) -> Clock:
    """Return the clock of a match before anything has happened in it."""
    return clock.begun(pace_of(row), match, row.created)


def folded(start: Clock, happened: Iterable[Happening], stops: Sequence[Stop]) -> Clock:
    """Return the clock after what happened."""
    for each in happened:
        start = clock.after(start, each.event, each.after, each.at, stops)
    return start


def judged(app: App, sitting: Sitting) -> Sitting:
    """Return a match that knows whether the one to act is out of time; nobody is while nobody knows the time."""
    out = clock.runs_out(sitting.clock, sitting.stops)
    late = out is not None and out <= app.clock()
    return replace(sitting, late=late and not app.clock_was_set)


async def untouched_until(app: App, row: MatchRow) -> int:
    """Return when a match is closed that nobody touches: time in which nobody could is not counted."""
    outages = await app.store.pauses.bearing_on([], row.touched, row.guild)
    missed = sum(pause.ended - max(pause.began, row.touched) for pause in outages)
    return row.touched + UNTOUCHED + missed


@dataclass(frozen=True, slots=True)
class Times:
    """When whoever is to act is reminded, when their time has run out, and when the match ends by that."""

    reminds: int
    out: int
    ends: int


def times(sitting: Sitting) -> Times | None:
    """Return what comes of the clock of whoever is to act; None where nobody's time runs."""
    reminds = clock.reminds(sitting.clock, sitting.stops)
    out = clock.runs_out(sitting.clock, sitting.stops)
    ends = clock.ends(sitting.clock, sitting.stops)
    if reminds is None or out is None or ends is None:
        return None
    return Times(reminds, out, ends)


def watched(sitting: Sitting, now: int) -> Job:
    """Wish that a match be looked after when its clock next asks for it; at once if it is over.

    Whoever has just acted needs no reminder of the turn that goes on.
    """
    found = times(sitting)
    since = sitting.clock.since
    if sitting.match.outcome is not None:
        return tasks.watch(sitting.id, now)
    if found is None:
        return tasks.watch(sitting.id, now + UNTOUCHED)
    if now < found.reminds:
        return tasks.watch(sitting.id, found.reminds)
    if now < found.out:
        return tasks.watch(sitting.id, found.out, since=since, called=REMINDED)
    return tasks.watch(sitting.id, found.ends, since=since, called=CALLED)


def require_late(sitting: Sitting, person: int) -> None:
    """Raise Declined unless the side to act is out of time, and that person plays on the other."""
    require_running(sitting)
    if person not in sitting.waiting:
        raise Declined(Why.NOT_WAITING, match=sitting.id)
    if not sitting.late:
        raise Declined(Why.TIME_LEFT, match=sitting.id)
