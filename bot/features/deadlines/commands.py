"""Deadlines for one's own calendar, a button of /matches, and what stops them: /me vacation.

The file is in the form of iCalendar (RFC 5545). What was a deadline lately, and is none any more,
is cancelled under the name that it had: a calendar deletes nothing that is missing in a newer file.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from discord import app_commands
from icalendar import Calendar, Event

from bot.features.challenges.cards import CALENDAR
from bot.features.contests.formats import get_format
from bot.features.contests.texts import format_contest_name
from bot.features.deadlines import service
from bot.features.matches.places import find_match_links
from bot.features.matches.rows import EndedMatch
from bot.features.preferences.service import (
    DAYS_A_YEAR,
    Vacation,
    end_vacation,
    format_vacation_zone,
    load_vacation,
    start_vacation,
)
from bot.platform.i18n.common import format_title, join_sentences
from bot.platform.i18n.reader import Reader, escape_text
from bot.platform.people import clean_text
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.card import Card, CardFile, list_lines, text_only_card
from bot.platform.ui.channels import build_link
from bot.platform.ui.declarations import command, me_group, press
from engine.clock import SECOND
from engine.games import GAMES

CALENDAR_FILE = "tabula.ics"
PRODUCT = "-//Tabula//Deadlines//EN"


@press(CALENDAR, everywhere=True)
async def save_calendar(answer: InteractionAnswer) -> None:
    """Save the deadlines of your leagues and matches for your calendar."""
    deadlines = await service.load_deadlines(answer.app, answer.person.id)
    leagues = {
        each.league.id: build_link(each.league.guild, each.league.channel, each.league.message)
        for each in deadlines.leagues
    }
    links = await find_match_links(answer.client, [each.session.row for each in deadlines.turns])
    challenges = {
        each.challenge.id: build_link(
            each.challenge.guild, each.challenge.channel, each.challenge.message
        )
        for each in deadlines.challenges
    }
    bot = answer.interaction.application_id
    content = write_calendar(answer.reader, deadlines, bot, leagues, links, challenges)
    await answer.send(calendar_card(answer.reader, deadlines, content))


@command(group=me_group, order=50, everywhere=True)
@app_commands.describe(days="How many days to stop your clocks; 0 ends your vacation")
async def vacation(
    answer: InteractionAnswer,
    days: app_commands.Range[int, 0, DAYS_A_YEAR] | None = None,
) -> None:
    """Stop your clocks for some days, or see your vacation."""
    app, person = answer.app, answer.person
    if days is None:
        found = await load_vacation(app, person.id)
    elif days:
        found = await start_vacation(app, person, days)
    else:
        found = await end_vacation(app, person)
    deadlines = await service.load_deadlines(app, person.id)
    await answer.send(vacation_card(answer.reader, found, deadlines))


def calendar_card(say: Reader, deadlines: service.DeadlineList, content: bytes) -> Card:
    """Return a file with somebody's deadlines; none where they have none and lately had none."""
    file = None if deadlines.is_empty else CardFile(CALENDAR_FILE, content)
    return Card(texts=(format_calendar_reply(say, deadlines),), file=file)


def vacation_card(say: Reader, found: Vacation, deadlines: service.DeadlineList) -> Card:
    """Return whether somebody is on vacation, and which of their deadlines go on all the same."""
    lines = tuple(list_unstopped_deadlines(say, found, deadlines))
    text = format_vacation(say, found)
    if not lines:
        return text_only_card(text)
    heading = say("**These deadlines go on while you're on vacation:**")
    listed = list_lines(say, (heading, *(f"- {line}" for line in lines)), joined=True)
    return Card(texts=(text, listed))


class EventStatus(StrEnum):
    """Whether a deadline holds (RFC 5545, 3.8.1.11)."""

    CONFIRMED = "CONFIRMED"
    TENTATIVE = "TENTATIVE"
    CANCELLED = "CANCELLED"


@dataclass(frozen=True, slots=True)
class _Entry:
    """A deadline: by its name it is found again, and it is of something that `began`."""

    name: str
    summary: str
    at: int
    began: int
    status: EventStatus
    link: str | None = None


def write_calendar(
    say: Reader,
    deadlines: service.DeadlineList,
    bot: int,
    league_links: Mapping[int, str],
    match_links: Mapping[int, str],
    challenge_links: Mapping[int, str],
) -> bytes:
    """Return a calendar of deadlines; `bot` tells them from those of another bot."""
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", format_calendar_name(say))
    entries = (
        *_list_league_entries(say, deadlines, league_links),
        *_list_match_entries(say, deadlines, match_links),
        *_list_challenge_entries(say, deadlines, challenge_links),
    )
    for entry in sorted(entries, key=lambda entry: (entry.at, entry.name)):
        calendar.add_component(_build_event(entry, bot, deadlines.now))
    content: bytes = calendar.to_ical()
    return content


def _list_league_entries(
    say: Reader, deadlines: service.DeadlineList, links: Mapping[int, str]
) -> Iterator[_Entry]:
    for each in deadlines.leagues:
        league = each.league
        kind = "signup" if each.is_sign_up else "deadline"
        yield _Entry(
            f"league-{league.id}-{kind}",
            format_league_deadline(say, each),
            each.at,
            league.created,
            _find_status(each),
            links.get(league.id),
        )


def _find_status(deadline: service.LeagueDeadline) -> EventStatus:
    if deadline.is_off:
        return EventStatus.CANCELLED
    return EventStatus.TENTATIVE if deadline.is_stopped else EventStatus.CONFIRMED


def _list_match_entries(
    say: Reader, deadlines: service.DeadlineList, links: Mapping[int, str]
) -> Iterator[_Entry]:
    """Yield one for each match, so that the turn that is over makes way for the next."""
    for turn in deadlines.turns:
        row = turn.session.row
        yield _Entry(
            f"match-{row.id}",
            format_turn_deadline(say, turn, deadlines.person),
            deadlines.now if turn.at is None else turn.at,
            row.created,
            EventStatus.CANCELLED if turn.at is None else EventStatus.CONFIRMED,
            links.get(row.id),
        )
    for match in deadlines.ended:
        text = format_ended_match(say, match)
        yield _Entry(f"match-{match.id}", text, match.ended, match.created, EventStatus.CANCELLED)


def _list_challenge_entries(
    say: Reader, deadlines: service.DeadlineList, links: Mapping[int, str]
) -> Iterator[_Entry]:
    for asked in deadlines.challenges:
        challenge = asked.challenge
        yield _Entry(
            f"challenge-{challenge.id}",
            format_challenge_deadline(say, asked),
            challenge.expires,
            challenge.created,
            EventStatus.CANCELLED if asked.is_off else EventStatus.CONFIRMED,
            links.get(challenge.id),
        )


def _build_event(entry: _Entry, bot: int, now: int) -> Event:
    event = Event()
    event.add("uid", f"{entry.name}@{bot}.tabula")
    event.add("dtstamp", _to_utc(now))
    # An event with a start alone takes no time (RFC 5545, 3.6.1).
    event.add("dtstart", _to_utc(entry.at))
    event.add("summary", entry.summary)
    # It rises with every file; some calendars keep what they have unless it does.
    event.add("sequence", max(now - entry.began, 0) // SECOND)
    # What was cancelled may hold again, as when a league goes on that was paused.
    event.add("status", entry.status.value)
    event.add("transp", "TRANSPARENT")
    if entry.link:
        event.add("url", entry.link)
    return event


def _to_utc(instant: int) -> datetime:
    """Return an instant in whole seconds, the most that a calendar knows."""
    return datetime.fromtimestamp(instant // SECOND, UTC)


def format_calendar_name(say: Reader) -> str:
    """Name the calendar."""
    return say("Tabula deadlines")


def format_league_deadline(say: Reader, deadline: service.LeagueDeadline) -> str:
    """Say what ends in a league; plain, for a calendar."""
    league = clean_text(format_contest_name(say, deadline.league))
    if deadline.is_stopped:
        return say("{league}: clocks are stopped, and the deadline moves on", league=league)
    if deadline.is_sign_up:
        return say("{league}: sign-up ends", league=league)
    if get_format(deadline.league).has_rounds:
        return say("{league}: this round ends", league=league)
    return say("{league}: all matches end", league=league)


def format_turn_deadline(say: Reader, deadline: service.TurnDeadline, person: int) -> str:
    """Say whose time runs out in which match; plain, for a calendar."""
    session = deadline.session
    game = format_title(say, session.match.game)
    if deadline.at is None:
        return say("No time runs: match {match}, {game}", match=session.id, game=game)
    if session.person_to_act == person:
        return say("Your time runs out: match {match}, {game}", match=session.id, game=game)
    who = say.name_person(session.person_to_act, session.names[session.person_to_act])
    return say("{who}'s time runs out: match {match}, {game}", who=who, match=session.id, game=game)


def format_ended_match(say: Reader, match: EndedMatch) -> str:
    """Say that a match has no deadline any more; plain, for a calendar."""
    game = format_title(say, GAMES[match.game])
    return say("Over: match {match}, {game}", match=match.id, game=game)


def format_challenge_deadline(say: Reader, deadline: service.ChallengeDeadline) -> str:
    """Say whose challenge expires; plain, for a calendar."""
    game = format_title(say, GAMES[deadline.challenge.game])
    return say("{who}'s challenge expires: {game}", who=deadline.challenger, game=game)


def format_calendar_reply(say: Reader, deadlines: service.DeadlineList) -> str:
    """Say what is in the file, and what to do with it."""
    if deadlines.is_empty:
        return say(
            "You have no deadlines: you're not in a league or tournament, and no clock is running "
            "in your matches. Join a league with `/league standings`, or start a match with "
            "`/challenge`."
        )
    if not deadlines.count:
        return say(
            "You have no deadline now. Import this file if you imported one before: it takes back "
            "the deadlines that are over."
        )
    text = say.plural(
        "{n} deadline is in this file.", "{n} deadlines are in this file.", deadlines.count
    )
    how = say(
        "Import it into your calendar. Later, import a new one: it moves deadlines that have "
        "changed, and takes back those that are over."
    )
    return join_sentences(say, text, how)


def list_unstopped_deadlines(
    say: Reader, found: Vacation, deadlines: service.DeadlineList
) -> Iterator[str]:
    """Yield what goes on while somebody is on vacation, each with its date; the first come first.

    On a ladder a challenge waits while the challenged player is on vacation.
    """
    until = found.until
    if until is None:
        return
    entries = [
        (each.at, _format_contest_deadline(say, each))
        for each in deadlines.leagues
        if not (each.is_off or each.is_stopped) and (not each.is_sign_up or each.at < until)
    ]
    entries += [
        (each.challenge.expires, _format_waiting_challenge(say, each))
        for each in deadlines.challenges
        if not each.is_off and each.challenge.ladder is None
    ]
    for _, text in sorted(entries):
        yield text


def _format_contest_deadline(say: Reader, deadline: service.LeagueDeadline) -> str:
    contest = escape_text(format_contest_name(say, deadline.league))
    when = _format_moment(deadline.at)
    if deadline.is_sign_up:
        return say("{contest} starts on {when}.", contest=contest, when=when)
    if get_format(deadline.league).has_rounds:
        ends = say("{contest}: this round's deadline is {when}.", contest=contest, when=when)
    else:
        ends = say("{contest}: the deadline is {when}.", contest=contest, when=when)
    days = deadline.league.away_days
    if days is None:
        return ends
    limit = say.plural(
        "There your vacation stops your clock for {n} day in each match at most.",
        "There your vacation stops your clock for {n} days in each match at most.",
        days,
    )
    return join_sentences(say, ends, limit)


def _format_waiting_challenge(say: Reader, deadline: service.ChallengeDeadline) -> str:
    return say(
        "The challenge of {who} expires on {when}.",
        who=escape_text(deadline.challenger),
        when=_format_moment(deadline.challenge.expires),
    )


def _format_moment(instant: int) -> str:
    return f"<t:{instant // SECOND}:f>"


def format_vacation(say: Reader, found: Vacation) -> str:
    """Say whether somebody is away, and what is left of their year."""
    left = say.plural(
        "You have {n} vacation day left this year.",
        "You have {n} vacation days left this year.",
        found.left,
    )
    counted = format_vacation_zone(say, found.zone)
    if found.zone is None:
        counted = say(
            "Your vacation days are counted in UTC; `/me settings` chooses your time zone."
        )
    if found.until is None:
        there = say("You're not on vacation. `/me vacation days:7` stops your clocks for a week.")
        return join_sentences(say, there, left, counted)
    away = say(
        "You're on vacation until {day}: your clocks are stopped in matches that last for days.",
        day=_format_moment(found.until),
    )
    back = say("`/me vacation days:0` ends it.")
    return join_sentences(say, away, back, left, counted)
