"""What people keep for themselves: how they play, their vacation, whom they block, what they note.

A person who has blocked another is not challenged by them and does not find their challenges. In
contests the two are not paired where that can be avoided. Nobody else is ever shown a note.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeAlias

from bot.features.matches import loading
from bot.features.matches.jobs import ShowMatch, build_watch_job
from bot.features.matches.store import Matches
from bot.features.preferences.store import Blocks, MatchNotes
from bot.platform import time_zones
from bot.platform.context import NO_SERVER, App, Languages, note_person_language
from bot.platform.db.preferences import PERSON_STYLE, BoardStyle, PlayerPreferences
from bot.platform.db.rows import Pause
from bot.platform.features import ExtensionPoint
from bot.platform.i18n.common import format_date, join_sentences
from bot.platform.i18n.reader import DeclinedError, Reader, escape_text, mark_text
from bot.platform.people import DiscordPerson

DAYS_A_YEAR = 30
"""Days of a calendar year for which somebody's clocks may stand still."""
NATURAL = "natural"
"""The default: the theme that suits each board."""


class AlreadyOnVacationError(DeclinedError):
    """Somebody is on vacation already, until an instant."""

    until: int

    def _format(self, say: Reader) -> str:
        return say(
            "You're already on vacation until {until}. To come back, use `/me vacation days:0`.",
            until=format_date(self.until),
        )


class NotOnVacationError(DeclinedError):
    sentence = mark_text("You're not on vacation, and your clocks are running.")


class TooFewVacationDaysError(DeclinedError):
    left: int
    year: int
    sentence = mark_text("You have {left} of your {year} vacation days left this year.")


async def load_preferences(app: App, person: int) -> PlayerPreferences:
    """Return somebody's preferences."""
    return await app.store.preferences.load_preferences(person)


async def change_preferences(
    app: App, person: DiscordPerson, change: Callable[[PlayerPreferences], PlayerPreferences]
) -> PlayerPreferences:
    """Change somebody's preferences and return them; `change` gets the previous ones."""
    before = await app.store.preferences.load_preferences(person.id)
    after = change(before)
    # What was chosen before leaves no trace in the database.
    if after != before:
        await app.save_people(person)
        await app.store.preferences.save(person.id, after)
    await _follow_language(app, person.id, after.language)
    return after


async def _follow_language(app: App, person: int, language: str | None) -> None:
    """Let somebody read a language, also where they play in their direct messages."""
    if app.get_part(Languages).people.get(person) == language:
        return
    note_person_language(app, person, language)
    now = app.clock()
    shown = [
        ShowMatch(each.id, again=True).build_job(now)
        for each in await app.store.get(Matches).load_running_by_person(person)
        if each.guild == NO_SERVER
    ]
    await app.enqueue(NO_SERVER, shown)


@dataclass(frozen=True, slots=True)
class Vacation:
    """Until when somebody is away (None if they are not), and the days left to them this year.

    Days and years are those of `zone`, which they have chosen, or of UTC.
    """

    until: int | None
    left: int
    zone: str | None


async def load_vacation(app: App, person: int) -> Vacation:
    """Return whether somebody is away, and what is left of their year."""
    now = app.clock()
    chosen = (await app.store.preferences.load_preferences(person)).zone
    zone = time_zones.find_zone_or_utc(chosen)
    year = time_zones.to_wall_time(now, zone).year
    # Vacations are counted in days by the wall clock, so the year begins at their midnight.
    first, last = datetime(year, 1, 1), datetime(year + 1, 1, 1)  # noqa: DTZ001 - as clocks show it
    pauses = await app.store.pauses.load_relevant(
        [person], time_zones.to_instant(first, zone), guild=None
    )
    away = [pause for pause in pauses if pause.person == person]
    # A day on which the clocks change is a day like any other.
    used = sum(
        (
            min(time_zones.to_wall_time(pause.ended, zone), last)
            - max(time_zones.to_wall_time(pause.began, zone), first)
            for pause in away
        ),
        timedelta(),
    )
    there = [pause.ended for pause in away if pause.began <= now < pause.ended]
    # A day that has begun is used.
    left = DAYS_A_YEAR - -(-used // timedelta(days=1))
    return Vacation(max(there, default=None), left, chosen)


def format_vacation_zone(say: Reader, zone: str | None) -> str:
    """Say by which time zone somebody's days are counted."""
    counted = say("Your vacation days are counted in {zone}.", zone=time_zones.format_zone(zone))
    return join_sentences(say, counted, time_zones.format_zone_warning(say, zone))


async def start_vacation(app: App, person: DiscordPerson, days: int) -> Vacation:
    """Stop somebody's clocks for some days; raises DeclinedError if the year has too few left.

    The days end at the time of day at which they began, by the clocks of the person's zone.
    """
    before = await load_vacation(app, person.id)
    # Two vacations at once would each use up days of the year for the same time.
    if before.until is not None:
        raise AlreadyOnVacationError(before.until)
    if days > before.left:
        raise TooFewVacationDaysError(left=before.left, year=DAYS_A_YEAR)
    now = app.clock()
    await app.save_people(person)
    zone = time_zones.find_zone_or_utc(before.zone)
    # Of a time of day that comes twice, as clocks are set back, the later one is meant.
    back = (time_zones.to_wall_time(now, zone) + timedelta(days=days)).replace(tzinfo=zone, fold=1)
    away = Pause(person.id, now, round(back.timestamp() * 1000))
    if not await app.store.pauses.add_absence(away):
        raise AlreadyOnVacationError(away.ended)
    await _refresh_matches(app, person.id)
    return await load_vacation(app, person.id)


async def end_vacation(app: App, person: DiscordPerson) -> Vacation:
    """Let somebody's clocks run again; raises DeclinedError if they already run."""
    if not await app.store.pauses.end_absence(person.id, app.clock()):
        raise NotOnVacationError
    await _refresh_matches(app, person.id)
    return await load_vacation(app, person.id)


async def _refresh_matches(app: App, person: int) -> None:
    """Show and watch again the matches whose clocks change because somebody is away, or is back.

    Those are the matches in which it is their turn. Nobody is reminded twice of the same turn.
    """
    now = app.clock()
    for row in await app.store.get(Matches).load_running_by_person(person):
        session = await loading.load_session(app, row.id)
        # A clock that runs for nobody, as in a match without a pace, has no turn.
        turn = session.clock.turn
        if turn and session.get_player(*turn[1:]) == person:
            job = ShowMatch(row.id, again=True).build_job(now)
            jobs = (job, build_watch_job(session, now))
            await app.enqueue(row.guild, jobs)


async def load_style(app: App, scope: str, owner: int) -> BoardStyle:
    """Return the board style of a person or a server."""
    return await app.store.board_styles.load_style(scope, owner)


async def change_style(
    app: App, scope: str, owner: int, change: Callable[[BoardStyle], BoardStyle]
) -> None:
    """Change the board style of a person or a server; `change` gets the one before."""
    before = await app.store.board_styles.load_style(scope, owner)
    after = change(before)
    if after == before:
        return
    await app.store.board_styles.save(scope, owner, after)
    if scope != PERSON_STYLE:
        return
    # A match that they play alone is drawn in their style.
    for row in await app.store.get(Matches).load_running_by_person(owner):
        session = await loading.load_session(app, row.id)
        if session.is_solo:
            await app.enqueue(row.guild, [ShowMatch(row.id, again=True).build_job(app.clock())])


MAX_BLOCKED = 100
"""People whom one message can name."""


SeparatePeople: TypeAlias = Callable[[App, int, int], Awaitable[None]]

SEPARATIONS: ExtensionPoint[SeparatePeople] = ExtensionPoint()
"""What features end between two people once one has blocked the other."""


class BlockNobodyError(DeclinedError):
    sentence = mark_text("You can only block other people.")


class TooManyBlockedError(DeclinedError):
    most: int
    sentence = mark_text("You've blocked {most} people, the most allowed. Unblock somebody first.")


class PersonBlockedError(DeclinedError):
    """Whoever asks has blocked somebody, who is named escaped, or mentioned."""

    person: str

    def _format(self, say: Reader) -> str:
        return say(
            "You've blocked {person}. You can unblock them with `/me block`.", person=self.person
        )


async def block_person(app: App, person: DiscordPerson, other: DiscordPerson) -> None:
    """Block somebody; raises DeclinedError for a bot, for oneself, and for one too many."""
    if other.bot or other.id == person.id:
        raise BlockNobodyError
    named = await app.store.get(Blocks).load_blocked(person.id)
    if len(named) + await count_deleted(app, person) >= MAX_BLOCKED:
        raise TooManyBlockedError(MAX_BLOCKED)
    await app.save_people(person, other)
    await app.store.get(Blocks).add(person.id, other.id)
    for separate in SEPARATIONS.list_functions():
        await separate(app, person.id, other.id)


async def require_unblocked(
    app: App, person: DiscordPerson, others: Collection[int], refusal: DeclinedError
) -> None:
    """Raise DeclinedError if a person has blocked one of the others, or is blocked by one.

    The `refusal` is what is raised for the blocked; it does not say that they are.
    """
    found = await app.store.get(Blocks).load_between(person.id, others)
    for by, blocked in found:
        # One's own block comes first: it may be named, and the person who set it can lift it.
        if by == person.id:
            # Somebody who has had their data deleted is not known by a name.
            name = (await app.load_names([blocked])).get(blocked)
            raise PersonBlockedError(f"<@{blocked}>" if name is None else escape_text(name))
    if found:
        raise refusal


async def unblock_person(app: App, person: DiscordPerson, other: int) -> None:
    """Block somebody no longer."""
    await app.store.get(Blocks).remove(person.id, other)


async def load_blocked(app: App, person: DiscordPerson) -> list[int]:
    """Return the ids of those whom a person has blocked."""
    return await app.store.get(Blocks).load_blocked(person.id)


async def count_deleted(app: App, person: DiscordPerson) -> int:
    """Return how many of those whom a person has blocked have had their data deleted."""
    return await app.store.get(Blocks).count_deleted(person.id)


async def unblock_deleted(app: App, person: DiscordPerson) -> None:
    """Block nobody any longer whose data is deleted."""
    await app.store.get(Blocks).remove_deleted(person.id)


MAX_NOTE_LENGTH = 200
"""Characters of a note."""


async def load_notes(app: App, person: int, matches: Collection[int]) -> Mapping[int, str]:
    """Return somebody's notes on those of the matches that they have one on."""
    return await app.store.get(MatchNotes).load_for_matches(person, matches)


async def save_note(app: App, person: DiscordPerson, guild: int, match: int, text: str) -> str:
    """Keep somebody's note on a match and return the one before; an empty text removes it.

    Raises DeclinedError for a match that they may not see.
    """
    await loading.load_visible_session(app, match, guild, person.id)
    before = await load_notes(app, person.id, [match])
    # On one line, as it stands below a card and in the list of matches.
    line = " ".join(text.split())[:MAX_NOTE_LENGTH]
    if line:
        await app.save_people(person)
        await app.store.get(MatchNotes).save(person.id, match, line)
    else:
        await app.store.get(MatchNotes).remove(person.id, match)
    return before.get(match, "")


def format_note(say: Reader, text: str) -> str:
    """Tell the reader what they noted about a match; nothing where they noted nothing."""
    return say("Your note: {text}", text=escape_text(text)) if text else ""


def format_note_change(say: Reader, match: int, text: str, before: str) -> str:
    """Tell the reader that a note is kept or removed, and which it was."""
    if text:
        return say(
            "Note on match {match} saved (only you can see it): {text}",
            match=match,
            text=escape_text(text),
        )
    if before:
        return say("Note on match {match} deleted: {text}", match=match, text=escape_text(before))
    return say("You had no note on match {match}.", match=match)
