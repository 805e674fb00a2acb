"""The clocks of matches: what stops them, when they run out, and what follows then."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from bot.features.matches.rows import FormerHolder, MatchRow, Seat
from bot.features.matches.session import MatchSession, Transition, require_running
from bot.features.matches.store import Matches
from bot.platform.context import App
from bot.platform.db.rows import Pause
from bot.platform.i18n.reader import DeclinedError, mark_text
from bot.platform.people import COMPUTERS
from engine import clock
from engine.clock import DAY, Clock, ClockStop, Pace
from engine.match import Match
from engine.position import Side

IDLE_LIMIT_MS = 60 * DAY
"""Milliseconds after which a match that nobody touches is closed."""
REMINDED, CALLED = "reminded", "called"
"""Who was notified that a turn's time runs out: the one to act, and at the end those who wait."""


class NotWaitingError(DeclinedError):
    match: int
    sentence = mark_text(
        "Only the players waiting for the other side in match {match} can claim the win or "
        "give more time."
    )


class TimeLeftError(DeclinedError):
    match: int
    sentence = mark_text("There's still time left in match {match}.")


def get_pace(row: MatchRow) -> Pace:
    """Return the pace of a match."""
    return clock.parse_pace(row.pace)


async def load_stops(app: App, row: MatchRow, match: Match) -> tuple[ClockStop, ...]:
    """Return the times for which a match's clocks stand still, also later; empty without clocks."""
    if not get_pace(row).is_limited:
        return ()
    # Takeovers are stored by version, while stops need instants.
    left = [former.until for former in row.former]
    instants = await app.store.get(Matches).load_instants(row.id, left) if left else {}
    return compute_stops(
        row,
        match,
        instants,
        await app.store.pauses.load_relevant(
            find_pausing_people(row), row.created, row.guild, [row.id]
        ),
    )


def find_pausing_people(row: MatchRow) -> Collection[int]:
    """Return the people whose absences stop clocks of a match: everyone who sits or sat there.

    It is empty unless the match lasts for days.
    """
    if not get_pace(row).is_slow:
        return ()
    sat: tuple[Seat | FormerHolder, ...] = (*row.seats, *row.former)
    return {each.person for each in sat} - COMPUTERS


def compute_stops(
    row: MatchRow, match: Match, instants: Mapping[int, int], pauses: Iterable[Pause]
) -> tuple[ClockStop, ...]:
    """Return the stops that pauses make in a match's clocks, in the order in which they begin.

    It is empty if the match has no clocks. An absence stops the clock of a seat for as long as the
    person who is away sits there, but for no more days in all than the match allows. `instants`
    gives the instant of a version, and needs those at which seats were taken over.
    """
    pausing = find_pausing_people(row)
    sat = [tenure for tenure in _list_tenures(row, instants) if tenure.person in pausing]
    concerning = [pause for pause in pauses if pause.match in (None, row.id)]
    left = _AwayTime(row.away_days)
    in_order = sorted(concerning, key=attrgetter("began"))
    stops = [
        stop
        for pause in in_order
        for stop in _list_stops(left.limit_pause(pause, row.created), sat, match)
    ]
    return tuple(sorted(stops, key=attrgetter("began")))


class _AwayTime:
    """How long each person's absences can still stop their clock in a match."""

    def __init__(self, days: int | None) -> None:
        self._days = days
        self._used: Counter[int] = Counter()

    def limit_pause(self, pause: Pause, since: int) -> Pause:
        """Return as much of a pause as counts, of those after it is called in their order."""
        if pause.person is None or self._days is None:
            return pause
        # What was before the match began uses up none of its days.
        began = max(pause.began, since)
        left = DAY * self._days - self._used[pause.person]
        ended = min(pause.ended, began + left)
        self._used[pause.person] += max(ended - began, 0)
        return replace(pause, ended=max(ended, pause.began))


@dataclass(frozen=True, slots=True)
class _Tenure:
    """Somebody sits in a seat from one instant to another."""

    person: int
    side: Side
    number: int
    since: int
    until: float


def _list_tenures(row: MatchRow, instants: Mapping[int, int]) -> Sequence[_Tenure]:
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


def _list_stops(pause: Pause, sat: Iterable[_Tenure], match: Match) -> Iterator[ClockStop]:
    if pause.person is None:
        # An outage stops every clock of the match, not that of one seat.
        yield ClockStop(pause.began, pause.ended)
        return
    for tenure in sat:
        began, ended = max(pause.began, tenure.since), min(pause.ended, tenure.until)
        if tenure.person == pause.person and began < ended:
            # Seats keep the side on which people sat down, clocks run for the side that is played.
            side = tenure.side.other if match.swapped else tenure.side
            yield ClockStop(began, int(ended), side, tenure.number)


def build_clock(row: MatchRow, match: Match) -> Clock:
    """Return the clock of a match before anything has happened in it."""
    return clock.start_clock(get_pace(row), match, row.created)


def advance_clock(
    start: Clock, happened: Iterable[Transition], stops: Sequence[ClockStop]
) -> Clock:
    """Return the clock after what happened."""
    for each in happened:
        start = clock.advance_clock(start, each.event, each.after, each.at, stops)
    return start


@dataclass(frozen=True, slots=True)
class ClockReading:
    """When a match is looked at, and whether the clock was known to be right by then."""

    now: int
    known: bool
    can_act: bool


def get_clock_reading(app: App, guild: int) -> ClockReading:
    """Return the current time for a match of a server.

    Call it before you read when the match's clock stood still: every outage up to a moment that is
    known to be right was saved before that moment. If you call it afterwards, an outage that was
    noted in between is missing.
    """
    return ClockReading(app.clock(), app.is_time_known, app.is_time_running(guild))


def mark_lateness(session: MatchSession, when: ClockReading) -> MatchSession:
    """Return a match with the time of looking at it, and whether the one to act is out of time.

    Nobody is out of time while the time is not known.
    """
    out = clock.find_timeout(session.clock, session.stops)
    # The boundary is that of a record's check: at the very instant the time is out.
    late = out is not None and out <= when.now
    return replace(session, now=when.now, late=late and when.known, certain=when.can_act)


async def compute_idle_deadline(app: App, row: MatchRow) -> int:
    """Return when an untouched match is closed; time in which nobody could act does not count.

    A place that nobody can reach for that long again counts as gone for good, and the match is
    closed all the same.
    """
    # No people are given: somebody's vacation does not keep an idle match open.
    pauses = await app.store.pauses.load_relevant([], row.touched, row.guild, [row.id])
    missed = [pause.ended - max(pause.began, row.touched) for pause in pauses]
    return row.touched + IDLE_LIMIT_MS + sum(min(each, IDLE_LIMIT_MS) for each in missed)


@dataclass(frozen=True, slots=True)
class TurnDeadlines:
    """When the one to act is reminded, when their time runs out, and when the match then ends."""

    reminds: int
    out: int
    ends: int


def compute_deadlines(session: MatchSession) -> TurnDeadlines | None:
    """Return the times of the clock of the one to act; None if nobody's time runs."""
    reminds = clock.find_reminder_time(session.clock, session.stops)
    out = clock.find_timeout(session.clock, session.stops)
    ends = clock.find_expiry(session.clock, session.stops)
    if reminds is None or out is None or ends is None:
        return None
    return TurnDeadlines(reminds, out, ends)


def require_opponent_late(session: MatchSession, person: int) -> None:
    """Raise DeclinedError unless a side is out of time and that person plays on the other."""
    require_running(session)
    if person not in session.waiting_players:
        raise NotWaitingError(session.id)
    if not (session.late and session.certain):
        raise TimeLeftError(session.id)
