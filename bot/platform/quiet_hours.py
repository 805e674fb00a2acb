"""Quiet hours of a server: no message notifies anybody; reminders and calls of players wait."""

import re
from datetime import datetime, timedelta, tzinfo

from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.time_zones import parse_zone, to_instant, to_wall_time
from engine.clock import DAY, MINUTE
from engine.folding import fold_text

DAY_MIN = DAY // MINUTE
NEVER: tuple[int, ...] = ()
_TIME = r"([0-9]{1,2})(?::([0-9]{2}))?"
_WRITTEN = re.compile(rf"(?:from )?{_TIME} ?(?:-|to) ?{_TIME}(?: ?(\(?[^0-9(): ].*))?")


def parse_quiet_hours(text: str) -> tuple[tuple[int, ...], str | None]:
    """Read quiet hours as they are typed: from, until, and the time zone if one is named.

    `22-7`, `22:30-7:15 Europe/Berlin` and `22-7 +2` are quiet hours; `none` turns them off. Raises
    DeclinedError for anything else.
    """
    written = fold_text(text)
    if written == "none":
        return NEVER, None
    found = _WRITTEN.fullmatch(written)
    if found is None:
        raise DeclinedError(DeclineReason.QUIET_FORM)
    began, ended = _to_minutes(found[1], found[2]), _to_minutes(found[3], found[4])
    if began == ended or max(began, ended) >= DAY_MIN:
        raise DeclinedError(DeclineReason.QUIET_FORM)
    zone = found[5]
    return (began, ended), parse_zone(zone.strip("()")) if zone else None


def _to_minutes(hours: str, minutes: str | None) -> int:
    if minutes and int(minutes) >= 60:
        raise DeclinedError(DeclineReason.QUIET_FORM)
    return 60 * int(hours) + int(minutes or 0)


def find_quiet_end(quiet: tuple[int, ...], zone: tzinfo, now: int) -> int | None:
    """Return the instant at which the present quiet hours end; None if it is not a quiet hour.

    If clocks are set back in a night, the hours last from the first time that they begin to the
    last that they end.
    """
    if not quiet:
        return None
    began, ended = quiet
    today = datetime.combine(to_wall_time(now, zone), datetime.min.time())
    ends = []
    # Hours that began yesterday may last past midnight, so both days are looked at.
    for day in (today - timedelta(days=1), today):
        first = to_instant(day + timedelta(minutes=began), zone)
        # By the modulo hours such as 22 to 7 end on the next day.
        length = (ended - began) % DAY_MIN
        last = to_instant(day + timedelta(minutes=began + length), zone, last=True)
        if first <= now < last:
            ends.append(last)
    return max(ends, default=None)
