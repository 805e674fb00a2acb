"""Deadlines as a calendar file, read by the library that calendars are read by."""

from datetime import UTC, datetime, timedelta
from typing import Any

import discord
import icalendar
import pytest
import simcord

from bot.features.matches.store import Matches
from engine.clock import DAY
from tests.bot.test_ladders import answer, challenge, open_ladder
from tests.bot.test_leagues import create_league, resign, rule, start_league
from tests.support.club import SimulatedClub
from tests.support.contests import join_together, press_standings
from tests.support.driver import (
    add_member,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    start_match,
)
from tests.support.panels import download_calendar

pytestmark = pytest.mark.asyncio


async def ask(club: SimulatedClub, person: simcord.MemberActor) -> tuple[str, bytes | None]:
    """What somebody reads of their deadlines, and the file with it, if any."""
    result = await download_calendar(person, club.channel)
    files: list[discord.Attachment] = list(get_response(result).attachments)
    assert [file.filename for file in files] == ["tabula.ics"] * len(files)
    return get_ephemeral_text(result), await files[0].read() if files else None


async def load_events(club: SimulatedClub, person: simcord.MemberActor) -> dict[str, Any]:
    """Somebody's deadlines by the part of their ids before the bot's, without what is cancelled."""
    events = await load_all_events(club, person)
    return {name: each for name, each in events.items() if each["STATUS"] != "CANCELLED"}


async def load_all_events(club: SimulatedClub, person: simcord.MemberActor) -> dict[str, Any]:
    """What a file of somebody's has, by the part of their ids before the bot's."""
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
    text, content = await ask(club, club.ana)
    assert text.startswith("You have no deadlines:")
    assert content is None


async def test_what_is_over_is_taken_back_for_ninety_days(club: SimulatedClub) -> None:
    await start_match(club, "zeno", pace="day")
    (before,) = (await load_events(club, club.ana)).values()
    await club.advance_clock(5_000)
    await resign(club, club.ben.id, 1)
    text, _ = await ask(club, club.ana)
    assert text == (
        "You have no deadline now. Import this file if you imported one before: it takes back the "
        "deadlines that are over."
    )
    ((name, after),) = (await load_all_events(club, club.ana)).items()
    assert (name, after["STATUS"], after["SUMMARY"]) == (
        "match-1",
        "CANCELLED",
        "Over: match 1, Zeno",
    )
    assert after["UID"] == before["UID"]
    assert after["SEQUENCE"] > before["SEQUENCE"]
    await club.advance_clock(89 * DAY)
    assert list(await load_all_events(club, club.ana)) == ["match-1"]
    await club.advance_clock(2 * DAY)
    text, content = await ask(club, club.ana)
    assert text.startswith("You have no deadlines:")
    assert content is None


async def test_what_was_annulled_is_taken_back(club: SimulatedClub) -> None:
    await start_match(club, "zeno", pace="day")
    await club.ana.slash(club.channel, "server end", match=1, how="annul", reason="A mistake")
    # Ben, who accepted, has had the challenge as a deadline too.
    assert await read_states(club, club.ana) == {"match-1": "CANCELLED"}
    assert await read_states(club, club.ben) == {
        "challenge-1": "CANCELLED",
        "match-1": "CANCELLED",
    }


async def read_states(club: SimulatedClub, person: simcord.MemberActor) -> dict[str, str]:
    """Whether each deadline of somebody's holds."""
    events = await load_all_events(club, person)
    return {name: str(each["STATUS"]) for name, each in events.items()}


async def test_a_league_that_begins_early_or_is_called_off_is_taken_back(
    club: SimulatedClub,
) -> None:
    card = await create_league(club, pace="none")
    people = [club.ana, club.ben, club.cyn, add_member(club, "dan")]
    await join_together(club, card, people)
    first = (await load_all_events(club, club.ben))["league-1-signup"]
    assert first["STATUS"] == "CONFIRMED"
    await club.advance_clock(60_000)
    await rule(club, "start")
    assert await read_states(club, club.ben) == {
        "league-1-signup": "CANCELLED",
        "league-1-deadline": "CONFIRMED",
    }
    deadline = (await load_all_events(club, club.ben))["league-1-deadline"]
    later = (await load_all_events(club, club.ben))["league-1-signup"]
    assert (later["UID"], later["DTSTART"].dt) == (first["UID"], first["DTSTART"].dt)
    assert later["SEQUENCE"] > first["SEQUENCE"]
    await club.advance_clock(60_000)
    await rule(club, "cancel")
    after = await load_all_events(club, club.ben)
    assert {str(each["STATUS"]) for each in after.values()} == {"CANCELLED"}
    assert after["league-1-deadline"]["UID"] == deadline["UID"]
    assert after["league-1-deadline"]["DTSTART"].dt == deadline["DTSTART"].dt
    assert after["league-1-deadline"]["SEQUENCE"] > deadline["SEQUENCE"]
    # Whoever took no part has nothing to take back.
    eve = add_member(club, "eve")
    assert (await ask(club, eve))[1] is None
    await club.advance_clock(60 * DAY)
    assert await read_states(club, club.ben) != {}
    await club.advance_clock(90 * DAY)
    assert (await ask(club, club.ben))[1] is None


async def test_a_league_that_somebody_left_is_taken_back(club: SimulatedClub) -> None:
    card = await create_league(club, pace="none")
    await club.ben.click(card, label="Join")
    await club.ben.click(card, label="Withdraw")
    assert await read_states(club, club.ben) == {"league-1-signup": "CANCELLED"}
    await club.ben.click(card, label="Join")
    assert await read_states(club, club.ben) == {"league-1-signup": "CONFIRMED"}


async def test_while_a_league_is_paused_its_deadline_moves_on(club: SimulatedClub) -> None:
    await start_league(club, weeks=1, pace="day")
    before = await load_events(club, club.ana)
    ends = before["league-1-deadline"]["DTSTART"].dt
    await rule(club, "pause")
    await club.advance_clock(20 * DAY)
    during = await load_all_events(club, club.ana)
    deadline = during["league-1-deadline"]
    assert (deadline["STATUS"], deadline["SUMMARY"]) == (
        "TENTATIVE",
        "Autumn league: clocks are stopped, and the deadline moves on",
    )
    assert abs(deadline["DTSTART"].dt - ends - timedelta(days=20)) < timedelta(minutes=1)
    # No time runs in its matches.
    matches = [each for name, each in during.items() if name.startswith("match")]
    assert [each["STATUS"] for each in matches] == ["CANCELLED"] * 3
    assert all("No time runs: match" in each["SUMMARY"] for each in matches)
    text, _ = await ask(club, club.ana)
    assert text.startswith("1 deadline is in this file.")
    await rule(club, "resume")
    after = await load_events(club, club.ana)
    assert after.keys() == before.keys()
    assert after["league-1-deadline"]["SUMMARY"] == "Autumn league: all matches end"
    assert abs(after["league-1-deadline"]["DTSTART"].dt - deadline["DTSTART"].dt) < timedelta(
        minutes=1
    )
    assert all(each["DTSTART"].dt > find_now(club) for each in after.values())


async def test_the_turn_of_a_match_has_a_deadline_that_moves(club: SimulatedClub) -> None:
    await start_match(club, "zeno", pace="day")
    asked = find_now(club)
    before = await load_events(club, club.ana)
    (event,) = before.values()
    row = await club.store.get(Matches).load_row(1)
    assert row is not None
    assert list(before) == ["match-1"]
    # At this pace a turn may take a day, and nobody has acted yet.
    began = datetime.fromtimestamp(row.created // 1000, UTC)
    assert event["DTSTART"].dt == began + timedelta(days=1)
    assert event["DTSTART"].dt.utcoffset() == timedelta()
    assert asked <= event["DTSTAMP"].dt <= find_now(club)
    assert event["TRANSP"] == "TRANSPARENT"
    assert event["URL"].startswith("https://discord.com/channels/")
    summaries = [
        (await load_events(club, each))["match-1"]["SUMMARY"] for each in (club.ana, club.ben)
    ]
    assert "Your time runs out: match 1, Zeno" in summaries
    assert any(f"{name}'s time runs out: match 1, Zeno" in summaries for name in ("Ana", "Ben"))
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
    # What a calendar is given says when, to the second.
    club.hands.stop()
    began = find_now(club)
    events = await load_events(club, club.ana)
    # It began when it was to begin, so nothing is taken back.
    assert await load_all_events(club, club.ana) == events
    # Three others meet her.
    assert sorted(events)[:1] == ["league-1-deadline"]
    assert len(events) == 4
    deadline = events["league-1-deadline"]
    assert abs(deadline["DTSTART"].dt - began - timedelta(weeks=2)) < timedelta(minutes=1)
    assert deadline["SUMMARY"] == "Autumn league: all matches end"
    await press_standings(club.ben, club.channel, "league", "leave")
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
    ((name, after),) = (await load_all_events(club, ana)).items()
    assert (name, after["STATUS"]) == ("challenge-1", "CANCELLED")
    assert after["SEQUENCE"] >= event["SEQUENCE"]
