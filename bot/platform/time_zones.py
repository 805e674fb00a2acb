"""Time zones: by their names, such as `Europe/Berlin`, or by how far clocks are ahead of UTC."""

import re
from bisect import bisect_left
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache, lru_cache
from importlib import resources
from zoneinfo import ZoneInfo

from bot.platform.errors import DeclinedError, DeclineReason
from engine.folding import fold_text
from engine.refusal import suggest_names

NO_OFFSET = "UTC"
LONGEST_ZONE = 40
"""Characters that the name of a zone may have; the longest has 32."""
_OFFSET = re.compile(r"(?:utc|gmt)? ?([+-]) ?([0-9]{1,2})(?::?([0-9]{2}))?|utc|gmt")
_FURTHEST_MIN = 14 * 60
"""No clock on earth is further from UTC."""
_REGIONS = (
    *("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe"),
    *("Indian", "Pacific"),
)
"""First parts of the zone names that name a city.

Others follow no summer time (EST), or are there for old systems.
"""


def parse_zone(text: str) -> str:
    """Read a zone as it is typed (`Europe/Berlin`, `berlin`, `+2`) and return the name to store.

    Raises DeclinedError for anything else, with zones of nearly that name.
    """
    typed = _normalise_name(text)
    if offset := _OFFSET.fullmatch(typed):
        return _format_offset(text, offset)
    names = _index_names()
    if typed not in names:
        raise DeclinedError(DeclineReason.NO_ZONE, typed=text, near=suggest_names(typed, names))
    return names[typed]


def _format_offset(text: str, found: re.Match[str]) -> str:
    hours, minutes = int(found[2] or 0), int(found[3] or 0)
    if minutes >= 60 or 60 * hours + minutes > _FURTHEST_MIN:
        raise DeclinedError(DeclineReason.NO_ZONE, typed=text, near=())
    return f"{found[1]}{hours:02}:{minutes:02}" if hours or minutes else NO_OFFSET


def is_fixed_offset(name: str | None) -> bool:
    """Whether a stored zone has a fixed offset from UTC; None means UTC, which has one."""
    return name is None or name == NO_OFFSET or name[:1] in ("+", "-")


@lru_cache(maxsize=512)
def find_zone(name: str | None) -> tzinfo | None:
    """Return a stored zone, UTC for none; None for one that this system no longer knows."""
    if name is None or name == NO_OFFSET:
        return UTC
    try:
        if is_fixed_offset(name):
            return datetime.strptime(name, "%z").tzinfo
        return ZoneInfo(name)
    # ZoneInfo raises each of them: for an unknown name, a malformed one, and that of a folder.
    except (LookupError, ValueError, OSError):
        return None


def find_zone_or_utc(name: str | None) -> tzinfo:
    """Return a stored zone, or UTC for one that this system no longer knows."""
    return find_zone(name) or UTC


def _normalise_name(text: str) -> str:
    return fold_text(text).replace("_", " ")


def _get_city(name: str) -> str:
    return _normalise_name(name.rpartition("/")[2])


@cache
def _load_cities() -> tuple[str, ...]:
    listed = resources.files("tzdata").joinpath("zones").read_text(encoding="utf-8").split()
    return tuple(sorted(name for name in listed if name.partition("/")[0] in _REGIONS))


@cache
def _index_names() -> Mapping[str, str]:
    """Return every zone by its name and, if it has one, by its city alone.

    The same city is the same zone.
    """
    cities = {_get_city(name): name for name in _load_cities()}
    return {**cities, **{_normalise_name(name): name for name in _load_cities()}}


def to_wall_time(instant: int, zone: tzinfo) -> datetime:
    """Return what a zone's clocks show at an instant in milliseconds, without the zone."""
    return datetime.fromtimestamp(instant / 1000, zone).replace(tzinfo=None)


def to_instant(wall: datetime, zone: tzinfo, *, last: bool = False) -> int:
    """Return the instant, in milliseconds, at which a zone's clocks show a time.

    Of a time that they show twice it's the first or the last; of one that they skip, the instant of
    the change.
    """
    one, two = (round(wall.replace(tzinfo=zone, fold=fold).timestamp() * 1000) for fold in (0, 1))
    if one <= two:
        return two if last else one
    # Skipped: read with the offset before the change and after it, it lies on either side of it.
    ahead = _get_offset(one, zone)
    # The offset changes once in it, so a binary search finds the first instant after the change.
    skipped = range(two, one)
    return two + bisect_left(skipped, True, key=lambda instant: _get_offset(instant, zone) == ahead)


def _get_offset(instant: int, zone: tzinfo) -> timedelta | None:
    return datetime.fromtimestamp(instant / 1000, zone).utcoffset()
