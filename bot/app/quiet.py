"""Quiet hours of a server: in them no message notifies anybody; reminders, and calls of those to act, wait."""

import re

from bot.app.errors import Declined, Why
from engine.clock import DAY, MINUTE

DAY_MIN = DAY // MINUTE
NEVER: tuple[int, ...] = ()
_WRITTEN = re.compile(
    r"(\d{1,2})(?::(\d\d))?\s*-\s*(\d{1,2})(?::(\d\d))?(?:\s*([+-])(\d{1,2})(?::(\d\d))?)?"
)
_FURTHEST_MIN = 14 * 60
"""No clock on earth is further from UTC."""


def read_quiet(text: str) -> tuple[int, ...]:
    """Read quiet hours as they are typed, `22-7 +2` or `22:30-7:15`: from, until, and the minutes ahead of UTC.

    `none` are none. Raises Declined for anything else.
    """
    written = text.strip().lower()
    if written == "none":
        return NEVER
    found = _WRITTEN.fullmatch(written)
    if found is None:
        raise Declined(Why.QUIET_FORM)
    began, ended = _minutes(found[1], found[2]), _minutes(found[3], found[4])
    ahead = _minutes(found[6] or "0", found[7])
    if began == ended or max(began, ended) >= DAY_MIN or ahead > _FURTHEST_MIN:
        raise Declined(Why.QUIET_FORM)
    return began, ended, -ahead if found[5] == "-" else ahead


def _minutes(hours: str, minutes: str | None) -> int:
    if minutes and int(minutes) >= 60:
        raise Declined(Why.QUIET_FORM)
    return 60 * int(hours) + int(minutes or 0)


def quiet_until(quiet: tuple[int, ...], now: int) -> int | None:
    """Return the instant at which the quiet hours end that hold now; None where none do."""
    if not quiet:
        return None
    began, ended, ahead = quiet
    minute = now // MINUTE
    local = (minute + ahead) % DAY_MIN
    gone, length = (local - began) % DAY_MIN, (ended - began) % DAY_MIN
    return (minute + length - gone) * MINUTE if gone < length else None
