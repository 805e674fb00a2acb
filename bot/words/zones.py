"""What is said of time zones."""

from bot.app.zones import NO_OFFSET, find_zone, is_offset
from bot.words.reader import Reader


def zone_name(name: str | None) -> str:
    """Write a stored zone: `Europe/Berlin`, or `UTC+2:00`."""
    if name is None or name == NO_OFFSET:
        return NO_OFFSET
    return f"{NO_OFFSET}{name.replace('+0', '+').replace('-0', '-')}" if is_offset(name) else name


def zone_note(say: Reader, name: str | None) -> str:
    """Describe what is wrong with a stored zone.

    It doesn't follow summer time, or is no longer supported; empty otherwise.
    """
    if find_zone(name) is None:
        return say(
            "The time zone {zone} is no longer supported. UTC is used until you choose another.",
            zone=zone_name(name),
        )
    if is_offset(name):
        return say(
            "{zone} doesn't follow summer time; a time zone such as Europe/Berlin does.",
            zone=zone_name(name),
        )
    return ""
