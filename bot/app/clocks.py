"""The clocks of matches: what stops them, when they run out, and what follows then."""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from bot.app import outages, tasks
from bot.app.computer import COMPUTERS
from bot.app.context import App
from bot.app.errors import Declined, Why
from bot.app.sitting import Happening, Sitting, require_running
from bot.store import Former, Job, MatchRow, Pause, Seat
from engine import clock
from engine.clock import DAY, Clock, Pace, Stop
from engine.match import Match
from engine.position import Side

UNTOUCHED = 60 * DAY
"""Milliseconds after which a match that nobody touches is closed."""
REMINDED, CALLED = "reminded", "called"
"""Who was notified that a turn's time runs out: the one to act, and at the end those who wait."""


def pace_of(row: MatchRow) -> Pace:
    """Return the pace of a match."""
    return clock.read_pace(row.pace)


async def stops_of(app: App, row: MatchRow, match: Match) -> tuple[Stop, ...]:
    """Return the times for which a match's clocks stand still, also later; empty without clocks."""
    if not pace_of(row).limited:
        return ()
    left = [former.until for former in row.former]
    instants = await app.store.matches.instants(row.id, left) if left else {}
    return stops_by(
        row,
        match,
        instants,
        await app.store.pauses.bearing_on(may_pause(row), row.created, row.guild, [row.id]),
    )


def may_pause(row: MatchRow) -> Collection[int]:
    """Return the people whose absences stop clocks of a match: everyone who sits or sat there.

    It is empty unless the match lasts for days.
    """
    if not pace_of(row).slow:
        return ()
    sat: tuple[Seat | Former, ...] = (*row.seats, *row.former)
    return {each.person for each in sat} - COMPUTERS


def stops_by(
    row: MatchRow, match: Match, instants: Mapping[int, int], pauses: Iterable[Pause]
) -> tuple[Stop, ...]:
    """Return the stops that pauses make in a match's clocks, in the order in which they begin.

    It is empty if the match has no clocks. An absence stops the clock of a seat for as long as the
    person who is away sits there. `instants` gives the instant of a version, and needs those at
    which seats were taken over.
    """
    pausing = may_pause(row)
    sat = [tenure for tenure in _tenures(row, instants) if tenure.person in pausing]
    concerning = [pause for pause in pauses if pause.match in (None, row.id)]
    stops = [stop for pause in concerning for stop in _stops(pause, sat, match)]
    return tuple(sorted(stops, key=attrgetter("began")))


@dataclass(frozen=True, slots=True)
class _Tenure:
    """Somebody sits in a seat from one instant to another."""

    person: int
    side: Side
    number: int
    since: int
    until: float


def _tenures(row: MatchRow, instants: Mapping[int, int]) -> Sequence[_Tenure]:
    """Return who has sat in the seats of a match, and when."""
    tenures = []
    for seat in row.seats:
        since = row.created
        for left in row.former:
            if (left.side, left.number) == (seat.side, seat.number):
                until = instants[left.until]
                tenures.append(_Tenure(left.person, Side(seat.side), seat.number, since, until))
                since = until
        tenures.append(_Tenure(seat.person, Side(seat.side), seat.number, since, math.inf))
    return tenures


def _stops(pause: Pause, sat: Iterable[_Tenure], match: Match) -> Iterator[Stop]:
    if pause.person is None:
        yield Stop(pause.began, pause.ended)
        return
    for tenure in sat:
        began, ended = max(pause.began, tenure.since), min(pause.ended, tenure.until)
        if tenure.person == pause.person and began < ended:
            side = tenure.side.other if match.swapped else tenure.side
            yield Stop(began, int(ended), side, tenure.number)


def begun(row: MatchRow, match: Match) -> Clock:
    """Return the clock of a match before anything has happened in it."""
    return clock.begun(pace_of(row), match, row.created)


def folded(start: Clock, happened: Iterable[Happening], stops: Sequence[Stop]) -> Clock:
    """Return the clock after what happened."""
    for each in happened:
        start = clock.after(start, each.event, each.after, each.at, stops)
    return start


@dataclass(frozen=True, slots=True)
class Moment:
    """When a match is looked at, and whether the clock was known to be right by then."""

    now: int
    known: bool
    can_act: bool


def moment(app: App, guild: int) -> Moment:
    """Return the current time for a match of a server.

    Call it before you read when the match's clock stood still: every outage up to a moment that is
    known to be right was saved before that moment. If you call it afterwards, an outage that was
    noted in between is missing.
    """
    return Moment(app.clock(), not app.clock_was_set, outages.is_running(app, guild))


def judged(sitting: Sitting, when: Moment) -> Sitting:
    """Return a match with the time of looking at it, and whether the one to act is out of time.

    Nobody is out of time while the time is not known.
    """
    out = clock.runs_out(sitting.clock, sitting.stops)
    late = out is not None and out <= when.now
    return replace(sitting, now=when.now, late=late and when.known, certain=when.can_act)


async def untouched_until(app: App, row: MatchRow) -> int:
    """Return when an untouched match is closed; time in which nobody could act does not count.

    A place that nobody can reach for that long again counts as gone for good, and the match is
    closed all the same.
    """
    pauses = await app.store.pauses.bearing_on([], row.touched, row.guild, [row.id])
    missed = [pause.ended - max(pause.began, row.touched) for pause in pauses]
    return row.touched + UNTOUCHED + sum(min(each, UNTOUCHED) for each in missed)


@dataclass(frozen=True, slots=True)
class Times:
    """When the one to act is reminded, when their time runs out, and when the match then ends."""

    reminds: int
    out: int
    ends: int


def times(sitting: Sitting) -> Times | None:
    """Return the times of the clock of the one to act; None if nobody's time runs."""
    reminds = clock.reminds(sitting.clock, sitting.stops)
    out = clock.runs_out(sitting.clock, sitting.stops)
    ends = clock.ends(sitting.clock, sitting.stops)
    if reminds is None or out is None or ends is None:
        return None
    return Times(reminds, out, ends)


def watched(sitting: Sitting, now: int) -> Job:
    """Return the job to watch a match when its clock next needs it; at once if the match is over.

    A player who has just acted needs no reminder of the turn that goes on.
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
    if not (sitting.late and sitting.certain):
        raise Declined(Why.TIME_LEFT, match=sitting.id)
