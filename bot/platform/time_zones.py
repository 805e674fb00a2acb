"""Time zones, by their names or by how far clocks are ahead of UTC, and quiet hours."""

import re
from bisect import bisect_left
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache, lru_cache
from importlib import resources
from zoneinfo import ZoneInfo

from bot.platform.i18n.common import clip_typed, format_code
from bot.platform.i18n.reader import DeclinedError, Reader, mark_text
from engine.clock import DAY, MINUTE
from engine.folding import fold_text
from engine.refusal import suggest_names

NO_OFFSET = "UTC"
MAX_ZONE_LENGTH = 40
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


class UnknownZoneError(DeclinedError):
    """What was typed is no time zone; `near` are those of nearly that name."""

    typed: str
    near: tuple[str, ...]

    def _format(self, say: Reader) -> str:
        zone = format_code(clip_typed(self.typed))
        if self.near:
            return say(
                "{zone} isn't a time zone. Did you mean {near}?",
                zone=zone,
                near=say.format_alternatives(map(format_code, self.near)),
            )
        return say(
            "{zone} isn't a time zone. Type a city, such as `Berlin`, or an offset from UTC, such "
            "as `+2`.",
            zone=zone,
        )


def parse_zone(text: str) -> str:
    """Read a zone as it is typed (`Europe/Berlin`, `berlin`, `+2`) and return the name to store.

    Raises DeclinedError for anything else, with zones of nearly that name.
    """
    typed = _normalise_name(text)
    if offset := _OFFSET.fullmatch(typed):
        return _format_offset(text, offset)
    names = _index_names()
    if typed not in names:
        raise UnknownZoneError(typed=text, near=suggest_names(typed, names))
    return names[typed]


def _format_offset(text: str, found: re.Match[str]) -> str:
    hours, minutes = int(found[2] or 0), int(found[3] or 0)
    if minutes >= 60 or 60 * hours + minutes > _FURTHEST_MIN:
        raise UnknownZoneError(typed=text, near=())
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


def format_zone(name: str | None) -> str:
    """Write a stored zone: `Europe/Berlin`, or `UTC+2:00`."""
    if name is None or name == NO_OFFSET:
        return NO_OFFSET
    return (
        f"{NO_OFFSET}{name.replace('+0', '+').replace('-0', '-')}"
        if is_fixed_offset(name)
        else name
    )


def format_zone_warning(say: Reader, name: str | None) -> str:
    """Describe what is wrong with a stored zone.

    It doesn't follow summer time, or is no longer supported; empty otherwise.
    """
    if find_zone(name) is None:
        return say(
            "The time zone {zone} is no longer supported. UTC is used until you choose another.",
            zone=format_zone(name),
        )
    if is_fixed_offset(name):
        return say(
            "{zone} doesn't follow summer time; a time zone such as Europe/Berlin does.",
            zone=format_zone(name),
        )
    return ""


DAY_MIN = DAY // MINUTE
NEVER: tuple[int, ...] = ()
_TIME = r"([0-9]{1,2})(?::([0-9]{2}))?"
_WRITTEN = re.compile(rf"(?:from )?{_TIME} ?(?:-|to) ?{_TIME}(?: ?(\(?[^0-9(): ].*))?")


class MalformedQuietHoursError(DeclinedError):
    sentence = mark_text(
        "Type quiet hours as `22-7` or `22:30-7:15 Europe/Berlin`, or type `none` to turn them off."
    )


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
        raise MalformedQuietHoursError
    began, ended = _to_minutes(found[1], found[2]), _to_minutes(found[3], found[4])
    if began == ended or max(began, ended) >= DAY_MIN:
        raise MalformedQuietHoursError
    zone = found[5]
    return (began, ended), parse_zone(zone.strip("()")) if zone else None


def _to_minutes(hours: str, minutes: str | None) -> int:
    if minutes and int(minutes) >= 60:
        raise MalformedQuietHoursError
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
