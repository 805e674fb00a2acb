"""Deadlines in the form of iCalendar (RFC 5545), which calendars import."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from icalendar import Calendar, Event

from bot.features.contests.rows import ContestState
from bot.features.deadlines import texts as words
from bot.features.deadlines.service import DeadlineList
from bot.platform.i18n.reader import Reader
from engine.clock import SECOND

PRODUCT = "-//Tabula//Deadlines//EN"


@dataclass(frozen=True, slots=True)
class _Entry:
    """A deadline: by its name it is found again, and it is of something that `began`."""

    name: str
    summary: str
    at: int
    began: int
    link: str | None


def write_calendar(
    say: Reader,
    deadlines: DeadlineList,
    bot: int,
    league_links: Mapping[int, str],
    match_links: Mapping[int, str],
    challenge_links: Mapping[int, str],
) -> bytes:
    """Return a calendar of deadlines; `bot` tells them from those of another bot."""
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", words.format_calendar_name(say))
    for entry in _list_entries(say, deadlines, league_links, match_links, challenge_links):
        calendar.add_component(_build_event(entry, bot, deadlines.now))
    content: bytes = calendar.to_ical()
    return content


def _list_entries(
    say: Reader,
    deadlines: DeadlineList,
    league_links: Mapping[int, str],
    match_links: Mapping[int, str],
    challenge_links: Mapping[int, str],
) -> list[_Entry]:
    entries = []
    for each in deadlines.leagues:
        league = each.league
        kind = "signup" if league.state is ContestState.OPEN else "deadline"
        name, told = f"league-{league.id}-{kind}", words.format_league_deadline(say, each)
        entries.append(_Entry(name, told, each.at, league.created, league_links.get(league.id)))
    for turn in deadlines.turns:
        row = turn.session.row
        # One for a match, so that the turn that is over makes way for the next.
        name, told = f"match-{row.id}", words.format_turn_deadline(say, turn, deadlines.person)
        entries.append(_Entry(name, told, turn.at, row.created, match_links.get(row.id)))
    for asked in deadlines.challenges:
        challenge = asked.challenge
        name, told = f"challenge-{challenge.id}", words.format_challenge_deadline(say, asked)
        link = challenge_links.get(challenge.id)
        entries.append(_Entry(name, told, challenge.expires, challenge.created, link))
    return sorted(entries, key=lambda entry: (entry.at, entry.name))


def _build_event(entry: _Entry, bot: int, now: int) -> Event:
    event = Event()
    event.add("uid", f"{entry.name}@{bot}.tabula")
    event.add("dtstamp", _to_utc(now))
    # An event with a start alone takes no time (RFC 5545, 3.6.1).
    event.add("dtstart", _to_utc(entry.at))
    event.add("summary", entry.summary)
    # It rises with every file; some calendars keep what they have unless it does.
    event.add("sequence", max(now - entry.began, 0) // SECOND)
    event.add("transp", "TRANSPARENT")
    if entry.link:
        event.add("url", entry.link)
    return event


def _to_utc(instant: int) -> datetime:
    """Return an instant in whole seconds, the most that a calendar knows."""
    return datetime.fromtimestamp(instant // SECOND, UTC)
