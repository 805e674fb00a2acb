"""When something is posted that comes every day, or once a week, at an hour by a zone's clocks.

Days are counted from 1970. An hour that the clocks skip is when they do; one that they show twice
is the first.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo

from bot.platform.time_zones import to_instant, to_wall_time

DAYS_A_WEEK = 7
_FIRST_DAY = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class PostTurn:
    """The day of a post, and the instant at which it is due, in milliseconds."""

    day: int
    at: int


def find_latest_turn(now: int, zone: tzinfo, hour: int, weekday: int | None = None) -> PostTurn:
    """Return the last post that was due at an instant, or is due then."""
    return next(turn for turn in _walk_turns(now, zone, hour, weekday, -1) if turn.at <= now)


def find_next_turn(now: int, zone: tzinfo, hour: int, weekday: int | None = None) -> PostTurn:
    """Return the first post that is due after an instant."""
    return next(turn for turn in _walk_turns(now, zone, hour, weekday, 1) if turn.at > now)


def find_day_start(day: int, zone: tzinfo) -> int:
    """Return the instant at which a day begins."""
    return to_instant(datetime.combine(to_date(day), time.min), zone)


def to_date(day: int) -> date:
    """Return the date of a day."""
    return _FIRST_DAY + timedelta(days=day)


def _walk_turns(
    now: int, zone: tzinfo, hour: int, weekday: int | None, step: int
) -> Iterator[PostTurn]:
    """Yield the posts of today and of the week before or after it."""
    today = to_wall_time(now, zone).date()
    for number in range(DAYS_A_WEEK + 1):
        shown = today + timedelta(days=step * number)
        if weekday in (None, shown.weekday()):
            at = to_instant(datetime.combine(shown, time(hour)), zone)
            yield PostTurn((shown - _FIRST_DAY).days, at)
