"""What is said of time zones."""

from bot.platform.i18n.reader import Reader
from bot.platform.time_zones import NO_OFFSET, find_zone, is_fixed_offset


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
