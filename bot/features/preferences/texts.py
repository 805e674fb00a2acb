"""Sentences about somebody's preferences and vacation."""

from bot.features.preferences.service import Vacation
from bot.platform.i18n.reader import Reader
from bot.platform.i18n.time_zones import format_zone, format_zone_warning
from bot.store import PlayerPreferences, Reminder
from engine.clock import SECOND


def format_preferences(say: Reader, chosen: PlayerPreferences) -> str:
    """Tell how somebody plays slow games."""
    reminded = {
        Reminder.CHANNEL: say(
            "You get a reminder in the match's channel when your time is running out."
        ),
        Reminder.DIRECT: say(
            "You get a reminder by direct message when your time is running out, "
            "if I can send you one."
        ),
        Reminder.NEVER: say("You get no reminders."),
    }[chosen.reminder]
    thrown = say("You roll your own dice.")
    if chosen.throws:
        thrown = say(
            "I roll for you as soon as nothing can be taken back any more: at once, or half a "
            "minute after the other side's turn."
        )
    asked = say("You confirm each turn before it ends.") if chosen.confirms else ""
    zone = _format_vacation_zone(say, chosen.zone) if chosen.zone else ""
    return "\n".join(filter(None, (reminded, thrown, asked, zone)))


def _format_vacation_zone(say: Reader, zone: str | None) -> str:
    """Tell by which time zone somebody's days are counted."""
    counted = say("Your vacation days are counted in {zone}.", zone=format_zone(zone))
    return f"{counted} {format_zone_warning(say, zone)}".rstrip()


def format_vacation(say: Reader, found: Vacation) -> str:
    """Tell whether somebody is away, and what is left of their year."""
    left = say.plural(
        "You have {n} vacation day left this year.",
        "You have {n} vacation days left this year.",
        found.left,
    )
    counted = _format_vacation_zone(say, found.zone)
    if found.zone is None:
        counted = say(
            "Your vacation days are counted in UTC; `/me settings zone` chooses your time zone."
        )
    if found.until is None:
        there = say("You're not on vacation. `/me vacation days:7` stops your clocks for a week.")
        return f"{there} {left} {counted}"
    away = say(
        "You're on vacation until {day}: your clocks are stopped in matches that last for days.",
        day=f"<t:{found.until // SECOND}:f>",
    )
    back = say("`/me vacation days:0` ends it.")
    return f"{away} {back} {left} {counted}"
