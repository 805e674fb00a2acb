"""Sentences about somebody's preferences and vacation."""

from bot.features.preferences.names import PreferenceName
from bot.features.preferences.service import Vacation
from bot.features.rulebook.page_texts import format_board_style
from bot.platform.i18n.reader import Reader
from bot.platform.i18n.time_zones import format_zone, format_zone_warning
from bot.store import BoardStyle, PlayerPreferences, Reminder
from engine.clock import SECOND


def format_preference_change(
    say: Reader, changed: PreferenceName, style: BoardStyle, chosen: PlayerPreferences
) -> str:
    """Tell what has just been chosen on the panel."""
    told = say("Your boards: {look}", look=format_board_style(say, style))
    if changed is PreferenceName.REMINDERS:
        told = _format_reminder(say, chosen.reminder)
    elif changed is PreferenceName.THROWS:
        told = _format_throws(say, chosen)
    elif changed is PreferenceName.CONFIRMS:
        told = _format_confirmation(say, chosen)
    elif changed is PreferenceName.ZONE:
        told = _format_vacation_zone(say, chosen.zone)
    elif changed is PreferenceName.SHARES:
        told = _format_shares(say, chosen)
    elif changed is PreferenceName.EVERYWHERE:
        told = _format_everywhere(say, chosen)
    elif changed is PreferenceName.RESET:
        told = say("All your settings have their defaults again.")
    return say("Saved. {what}", what=told)


def _format_reminder(say: Reader, reminder: Reminder) -> str:
    return {
        Reminder.CHANNEL: say(
            "You get a reminder in the match's channel when your time is running out."
        ),
        Reminder.DIRECT: say(
            "You get a reminder by direct message when your time is running out, "
            "if I can send you one."
        ),
        Reminder.NEVER: say("You get no reminders."),
    }[reminder]


def _format_throws(say: Reader, chosen: PlayerPreferences) -> str:
    if not chosen.throws:
        return say("You roll your own dice.")
    return say(
        "I roll for you as soon as nothing can be taken back any more: at once, or half a "
        "minute after the other side's turn."
    )


def _format_confirmation(say: Reader, chosen: PlayerPreferences) -> str:
    if not chosen.confirms:
        return say("A turn ends with your last move.")
    return say("You confirm each turn before it ends.")


def _format_shares(say: Reader, chosen: PlayerPreferences) -> str:
    if not chosen.shares:
        return say("Positions of your matches don't become puzzles for others.")
    return say(
        "Positions of your matches can become the daily puzzle of the server in which you played, "
        "without your name, if everyone in the match allows it."
    )


def _format_everywhere(say: Reader, chosen: PlayerPreferences) -> str:
    if not chosen.everywhere:
        return say("People see your results only in the servers in which you played.")
    return say(
        "People of any server can see your results in all servers together: on the leaderboard of "
        "all servers and by `/me profile`."
    )


def format_own_language(say: Reader, language: str | None) -> str:
    """Tell which language somebody reads, by its name; None is as Discord says."""
    if language is None:
        return say("You read me in the language in which Discord shows itself to you.")
    return say(
        "Language: {language}. It holds for everything that only you see. What everyone sees is "
        "in the server's language.",
        language=language,
    )


def format_numbers_choice(say: Reader, style: BoardStyle) -> str:
    """Tell whether points are numbered, and what that means."""
    if style.numbered:
        return say("**Numbered points**: on\n-# By their distance from the end, not by letters")
    return say("**Numbered points**: off\n-# By their distance from the end, not by letters")


def format_reminder_choice(say: Reader) -> str:
    """Name the choice of how one is reminded."""
    return say("**Reminders**\n-# When your time is running out")


def format_throws_choice(say: Reader, chosen: PlayerPreferences) -> str:
    """Tell whether the dice are rolled for somebody."""
    if chosen.throws:
        return say("**Automatic rolls**: on\n-# I roll for you once nothing can be taken back")
    return say("**Automatic rolls**: off\n-# I roll for you once nothing can be taken back")


def format_confirmation_choice(say: Reader, chosen: PlayerPreferences) -> str:
    """Tell whether somebody confirms each turn."""
    if chosen.confirms:
        return say("**Confirm each turn**: on\n-# Ask before your last move ends the turn")
    return say("**Confirm each turn**: off\n-# Ask before your last move ends the turn")


def format_shares_choice(say: Reader, chosen: PlayerPreferences) -> str:
    """Tell whether positions of somebody's matches can become puzzles for others."""
    if chosen.shares:
        return say("**Let my positions become puzzles**: on\n-# For your server, without your name")
    return say("**Let my positions become puzzles**: off\n-# For your server, without your name")


def format_everywhere_choice(say: Reader, chosen: PlayerPreferences) -> str:
    """Tell whether people of other servers see somebody's results in all servers."""
    if chosen.everywhere:
        return say("**Show my results everywhere**: on\n-# To people of all servers, by name")
    return say("**Show my results everywhere**: off\n-# To people of all servers, by name")


def format_zone_choice(say: Reader, chosen: PlayerPreferences) -> str:
    """Tell by which time zone somebody's days are counted."""
    zone = format_zone(chosen.zone)
    told = say("**Time zone**: {zone}\n-# Your vacation days are counted in it", zone=zone)
    warning = format_zone_warning(say, chosen.zone) if chosen.zone else ""
    return "\n-# ".join(filter(None, (told, warning)))


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
            "Your vacation days are counted in UTC; `/me settings` chooses your time zone."
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
