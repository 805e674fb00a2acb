"""Deadlines as a calendar file, read by the library that calendars are read by."""

from datetime import UTC, datetime, timedelta
from typing import Any

import discord
import icalendar
import pytest
import simcord

from tests.bot.conftest import SimulatedClub
from tests.bot.driver import get_ephemeral_text, get_newest_message, get_response, start_match
from tests.bot.test_ladders import answer, challenge, open_ladder
from tests.bot.test_leagues import create_league, start_league

pytestmark = pytest.mark.asyncio


async def ask(club: SimulatedClub, person: simcord.MemberActor) -> tuple[str, bytes | None]:
    """What somebody reads of their deadlines, and the file with it, if any."""
    told = await person.slash(club.channel, "calendar")
    files: list[discord.Attachment] = list(get_response(told).attachments)
    assert [file.filename for file in files] == ["tabula.ics"] * len(files)
    return get_ephemeral_text(told), await files[0].read() if files else None


async def load_events(club: SimulatedClub, person: simcord.MemberActor) -> dict[str, Any]:
    """Somebody's deadlines by the part of their ids before the bot's."""
    _, content = await ask(club, person)
    assert content is not None
    calendar = icalendar.Calendar.from_ical(content)
    assert calendar["VERSION"] == "2.0"
    assert calendar["PRODID"] == "-//Tabula//Deadlines//EN"
    assert calendar.walk("VALARM") == []
    events: dict[str, Any] = {}
    for event in calendar.walk("VEVENT"):
        name, _, rest = str(event["UID"]).partition("@")
        assert rest.endswith(".tabula")
        events[name] = event
    return events


def find_now(club: SimulatedClub) -> datetime:
    """The bot's time in whole seconds."""
    return datetime.fromtimestamp(club.hands() // 1000, UTC)


async def test_without_a_deadline_there_is_no_file(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    told, content = await ask(club, club.ana)
    assert told.startswith("You have no deadline:")
    assert content is None


async def test_the_turn_of_a_match_has_a_deadline_that_moves(club: SimulatedClub) -> None:
    await start_match(club, "zeno", pace="day")
    asked = find_now(club)
    before = await load_events(club, club.ana)
    (event,) = before.values()
    row = await club.store.matches.get(1)
    assert row is not None
    assert list(before) == ["match-1"]
    # At this pace a turn may take a day, and nobody has acted yet.
    began = datetime.fromtimestamp(row.created // 1000, UTC)
    assert event["DTSTART"].dt == began + timedelta(days=1)
    assert event["DTSTART"].dt.utcoffset() == timedelta()
    assert asked <= event["DTSTAMP"].dt <= find_now(club)
    assert event["TRANSP"] == "TRANSPARENT"
    assert event["URL"].startswith("https://discord.com/channels/")
    told = [(await load_events(club, each))["match-1"]["SUMMARY"] for each in (club.ana, club.ben)]
    assert "Your time runs out: match 1, Zeno" in told
    assert any(f"{name}'s time runs out: match 1, Zeno" in told for name in ("Ana", "Ben"))
    await club.advance_clock(3_600_000)
    (later,) = (await load_events(club, club.ana)).values()
    assert later["UID"] == event["UID"]
    assert later["DTSTART"].dt == event["DTSTART"].dt
    assert later["SEQUENCE"] >= event["SEQUENCE"] + 3600
    assert (await ask(club, club.cyn))[1] is None


async def test_sign_up_and_deadline_of_a_league(club: SimulatedClub) -> None:
    created = find_now(club)
    card = await create_league(club, name="Autumn league; all, in", weeks=2)
    assert (await ask(club, club.ana))[1] is None
    await club.ana.click(card, label="Join")
    _, content = await ask(club, club.ana)
    assert content is not None
    # Escaped as RFC 5545, 3.3.11, has it.
    assert rb"SUMMARY:Autumn league\; all\, in: sign-up ends" in content
    ((name, event),) = (await load_events(club, club.ana)).items()
    assert name == "league-1-signup"
    assert abs(event["DTSTART"].dt - created - timedelta(days=7)) < timedelta(minutes=1)
    assert event["SUMMARY"] == "Autumn league; all, in: sign-up ends"


async def test_the_deadline_of_a_league_that_is_played(club: SimulatedClub) -> None:
    await start_league(club, weeks=2, pace="three-days")
    began = find_now(club)
    events = await load_events(club, club.ana)
    # Three others meet her.
    assert sorted(events)[:1] == ["league-1-deadline"]
    assert len(events) == 4
    deadline = events["league-1-deadline"]
    assert abs(deadline["DTSTART"].dt - began - timedelta(weeks=2)) < timedelta(minutes=1)
    assert deadline["SUMMARY"] == "Autumn league: all matches end"
    await club.ben.slash(club.channel, "league leave")
    assert len(await load_events(club, club.cyn)) == 4


async def test_a_challenge_to_somebody_has_a_deadline_until_it_is_answered(
    club: SimulatedClub,
) -> None:
    ana, ben, _ = await open_ladder(club, 3)
    await challenge(club, ben, ana)
    asked = find_now(club)
    (name, event), *others = (await load_events(club, ana)).items()
    assert (name, others) == ("challenge-1", [])
    assert event["SUMMARY"] == "Ben's challenge expires: Fallas"
    # On a ladder whoever is challenged has a week.
    assert abs(event["DTSTART"].dt - asked - timedelta(weeks=1)) < timedelta(minutes=1)
    assert event["URL"] == get_newest_message(club).jump_url
    # It is for Ana to answer.
    assert (await ask(club, ben))[1] is None
    await answer(club, ana, "decline")
    assert (await ask(club, ana))[1] is None
