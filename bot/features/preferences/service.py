"""What people choose about how they play, and how long they are away."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from bot.features.matches import clock as clocks
from bot.features.matches import loading
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.jobs.kinds import ShowMatch
from bot.platform.languages import note_person_language
from bot.platform.people import DiscordPerson
from bot.platform.time_zones import find_zone_or_utc, to_instant, to_wall_time
from bot.store import Pause, PlayerPreferences, Reminder

DAYS_A_YEAR = 30
"""Days of a calendar year for which somebody's clocks may stand still."""


async def update_preferences(
    app: App,
    person: DiscordPerson,
    *,
    reminder: Reminder | None = None,
    throws: bool | None = None,
    confirms: bool | None = None,
    zone: str | None = None,
    shares: bool | None = None,
    everywhere: bool | None = None,
) -> PlayerPreferences:
    """Change what is given of somebody's preferences and return them."""
    given = {
        "reminder": reminder,
        "throws": throws,
        "confirms": confirms,
        "zone": zone,
        "shares": shares,
        "everywhere": everywhere,
    }
    chosen: dict[str, Any] = {name: each for name, each in given.items() if each is not None}
    return await change_preferences(app, person, lambda before: replace(before, **chosen))


async def change_preferences(
    app: App, person: DiscordPerson, change: Callable[[PlayerPreferences], PlayerPreferences]
) -> PlayerPreferences:
    """Change somebody's preferences and return them; `change` gets the previous ones."""
    before = await app.store.preferences.get(person.id)
    after = change(before)
    # What was chosen before leaves no trace in the database.
    if after != before:
        await app.save_people(person)
        await app.store.preferences.save(person.id, after)
    return after


async def choose_language(app: App, person: DiscordPerson, language: str | None) -> None:
    """Let somebody read a language, or as Discord says."""
    await change_preferences(app, person, lambda before: replace(before, language=language))
    note_person_language(app, person.id, language)


async def reset_preferences(app: App, person: DiscordPerson) -> None:
    """Give somebody the preferences of those who chose nothing.

    Nobody is named in public again by that.
    """
    before = await app.store.preferences.get(person.id)
    after = PlayerPreferences(pages=before.pages)
    if before != after:
        await app.store.preferences.save(person.id, after)
    note_person_language(app, person.id, None)


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
    chosen = (await app.store.preferences.get(person)).zone
    zone = find_zone_or_utc(chosen)
    year = to_wall_time(now, zone).year
    # Vacations are counted in days by the wall clock, so the year begins at their midnight.
    first, last = datetime(year, 1, 1), datetime(year + 1, 1, 1)  # noqa: DTZ001 - as clocks show it
    pauses = await app.store.pauses.load_relevant([person], to_instant(first, zone), guild=None)
    away = [pause for pause in pauses if pause.person == person]
    # A day on which the clocks change is a day like any other.
    used = sum(
        (
            min(to_wall_time(pause.ended, zone), last) - max(to_wall_time(pause.began, zone), first)
            for pause in away
        ),
        timedelta(),
    )
    there = [pause.ended for pause in away if pause.began <= now < pause.ended]
    # A day that has begun is used.
    left = DAYS_A_YEAR - -(-used // timedelta(days=1))
    return Vacation(max(there, default=None), left, chosen)


async def start_vacation(app: App, person: DiscordPerson, days: int) -> Vacation:
    """Stop somebody's clocks for some days; raises DeclinedError if the year has too few left.

    The days end at the time of day at which they began, by the clocks of the person's zone.
    """
    before = await load_vacation(app, person.id)
    # Two vacations at once would each use up days of the year for the same time.
    if before.until is not None:
        raise DeclinedError(DeclineReason.AWAY_ALREADY, until=before.until)
    if days > before.left:
        raise DeclinedError(DeclineReason.TOO_FEW_DAYS, left=before.left, year=DAYS_A_YEAR)
    now = app.clock()
    await app.save_people(person)
    zone = find_zone_or_utc(before.zone)
    # Of a time of day that comes twice, as clocks are set back, the later one is meant.
    back = (to_wall_time(now, zone) + timedelta(days=days)).replace(tzinfo=zone, fold=1)
    await app.store.pauses.add_absence(Pause(person.id, now, round(back.timestamp() * 1000)))
    await _refresh_matches(app, person.id)
    return await load_vacation(app, person.id)


async def end_vacation(app: App, person: DiscordPerson) -> Vacation:
    """Let somebody's clocks run again; raises DeclinedError if they already run."""
    if not await app.store.pauses.end_absence(person.id, app.clock()):
        raise DeclinedError(DeclineReason.NOT_AWAY)
    await _refresh_matches(app, person.id)
    return await load_vacation(app, person.id)


async def _refresh_matches(app: App, person: int) -> None:
    """Show and watch again the matches whose clocks change because somebody is away, or is back.

    Those are the matches in which it is their turn. Nobody is reminded twice of the same turn.
    """
    now = app.clock()
    for row in await app.store.matches.load_running_by_person(person):
        session = await loading.load_session(app, row.id)
        # A clock that runs for nobody, as in a match without a pace, has no turn.
        turn = session.clock.turn
        if turn and session.get_player(*turn[1:]) == person:
            shown = ShowMatch(row.id, again=True).make_job(now)
            jobs = (shown, clocks.build_watch_job(session, now))
            await app.enqueue(row.guild, jobs)
