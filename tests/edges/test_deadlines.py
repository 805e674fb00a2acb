"""Calendar files, where people, places and clocks come and go."""

from datetime import timedelta
from pathlib import Path

import pytest

from bot.features.challenges.store import Challenges
from bot.features.matches.store import Matches
from bot.platform import outages
from engine.clock import DAY, HOUR
from tests.bot.test_deadlines import ask, load_all_events, load_events, read_states
from tests.bot.test_leagues import create_league, rule, start_league
from tests.support.club import SimulatedClub, open_club
from tests.support.contests import create_contest, press_standings
from tests.support.driver import get_ephemeral_text, get_response, start_match
from tests.support.panels import ask_deletion, change_settings, download_calendar
from tests.support.stored import load_due

pytestmark = pytest.mark.asyncio

HOSTILE = ("\u202egro.live\u2066 <@1>", "=HYPERLINK(1)\r\nEND:VEVENT", "\U0001f600" * 32)
"""Names with marks that turn the line, mentions, formulas, line ends and nothing but faces."""


async def test_a_deadline_moves_with_a_vacation_and_back(club: SimulatedClub) -> None:
    await start_match(club, "zeno", pace="day")
    events = [(each, await load_events(club, each)) for each in (club.ana, club.ben)]
    ((late, before),) = [
        (each, found["match-1"])
        for each, found in events
        if str(found["match-1"]["SUMMARY"]).startswith("Your time")
    ]
    await late.slash(club.channel, "me vacation", days=7)
    during = (await load_events(club, late))["match-1"]
    assert during["UID"] == before["UID"]
    assert abs(during["DTSTART"].dt - before["DTSTART"].dt - timedelta(days=7)) < timedelta(hours=1)
    await late.slash(club.channel, "me vacation", days=0)
    after = (await load_events(club, late))["match-1"]
    assert abs(after["DTSTART"].dt - before["DTSTART"].dt) < timedelta(minutes=5)


async def test_who_deletes_their_data_has_no_deadline_and_others_lose_theirs(
    club: SimulatedClub,
) -> None:
    await start_match(club, "zeno", pace="day")
    message = await ask_deletion(club.ben, club.channel)
    await club.ben.click(message, label="Delete my data")
    await club.advance_clock(5_000)
    # Who comes back is somebody new, and so has nothing to take back.
    assert (await ask(club, club.ben))[1] is None
    ((name, event),) = (await load_all_events(club, club.ana)).items()
    assert (name, event["STATUS"]) == ("match-1", "CANCELLED")
    assert "Ben" not in event["SUMMARY"]


async def test_a_blocked_challenger_is_named_until_the_challenge_is_over(
    club: SimulatedClub,
) -> None:
    await club.cyn.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    assert await read_states(club, club.ben) == {"challenge-1": "CONFIRMED"}
    await club.ben.slash(club.channel, "me block", person=club.cyn)
    stored = await club.store.get(Challenges).load_challenge(1)
    assert stored is not None
    # It says what is stored: a block leaves what was asked before for him to decline.
    state = "CONFIRMED" if stored.state == "open" else "CANCELLED"
    assert await read_states(club, club.ben) == {"challenge-1": state}


async def test_a_file_is_in_its_reader_s_language_under_the_same_ids(club: SimulatedClub) -> None:
    card = await create_league(club)
    await club.ben.click(card, label="Join")
    (before,) = (await load_events(club, club.ben)).values()
    await change_settings(club.ben, club.channel, language="de")
    answer = await download_calendar(club.ben, club.channel)
    (file,) = get_response(answer).attachments
    content = (await file.read()).decode()
    assert f"UID:{before['UID']}" in content
    assert str(before["SUMMARY"]) not in content
    assert "Autumn league: " in content


async def test_hostile_names_are_texts_and_nothing_else(tmp_path: Path) -> None:
    async with open_club(tmp_path / "club.sqlite3", names=HOSTILE) as club:
        for person in (club.ana, club.cyn):
            await person.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
        for name in ("Cup\\;, \u202eelgaeL\nBEGIN:VEVENT", "=1+1"):
            await create_contest(club.ana, club.channel, "league", name=name, game="fallas")
        for number in (1, 2):
            await press_standings(club.ben, club.channel, "league", "join", league=str(number))
        answer = get_response(await download_calendar(club.ben, club.channel))
        content = (await answer.attachments[0].read()).decode()
        assert content.count("BEGIN:VEVENT\r\n") == content.count("END:VEVENT\r\n") == 4
        assert not {"\u202e", "\u2066"} & set(content)
        lines = content.replace("\r\n ", "").split("\r\n")
        assert sum(line == "BEGIN:VEVENT" for line in lines) == 4
        # Lines are folded at 75 bytes (RFC 5545, 3.1).
        assert max(len(line.encode()) for line in content.split("\r\n")) <= 75


async def test_a_match_without_a_place_has_no_deadline(club: SimulatedClub) -> None:
    await start_match(club, "zeno", pace="day")
    assert await read_states(club, club.ana) == {"match-1": "CONFIRMED"}
    club.env.backend.delete_channel(club.channel.id)
    await club.advance_clock(HOUR)
    other = club.guild.create_text_channel("elsewhere")
    answer = get_response(await download_calendar(club.ana, other))
    content = (await answer.attachments[0].read()).decode()
    row = await club.store.get(Matches).load_row(1)
    assert row is not None
    is_stopped = bool(await club.store.pauses.load_stopped_matches([1]))
    assert is_stopped or row.ended is not None
    assert "STATUS:CANCELLED" in content


async def test_deadlines_of_a_server_out_of_reach_move_on(club: SimulatedClub) -> None:
    await start_league(club, weeks=2, pace="day")
    before = await load_events(club, club.ana)
    app = club.bot.app
    outages.mark_server_lost(app, club.guild.id)
    await outages.save_lost_servers(app)
    club.hands.ahead += 3 * DAY
    during = await load_all_events(club, club.ana)
    deadline = during["league-1-deadline"]
    moved = deadline["DTSTART"].dt - before["league-1-deadline"]["DTSTART"].dt
    assert deadline["STATUS"] == "TENTATIVE"
    assert abs(moved - timedelta(days=3)) < timedelta(minutes=5)
    assert {str(each["STATUS"]) for name, each in during.items() if "match" in name} == {
        "CANCELLED"
    }
    outages.mark_server_back(app, club.guild.id)
    await outages.save_lost_servers(app)
    after = await load_events(club, club.ana)
    assert after.keys() == before.keys()
    assert abs(after["league-1-deadline"]["DTSTART"].dt - deadline["DTSTART"].dt) < timedelta(
        minutes=5
    )


async def test_a_week_more_moves_the_entry(club: SimulatedClub) -> None:
    await start_league(club, weeks=2, pace="none")
    before = (await load_events(club, club.ana))["league-1-deadline"]
    await club.advance_clock(60_000)
    await rule(club, "extend")
    after = (await load_events(club, club.ana))["league-1-deadline"]
    assert after["UID"] == before["UID"]
    assert after["DTSTART"].dt - before["DTSTART"].dt == timedelta(weeks=1)
    assert after["SEQUENCE"] > before["SEQUENCE"]


async def test_a_second_file_has_the_same_deadlines_once(club: SimulatedClub) -> None:
    await start_league(club, weeks=2, pace="day")
    first = await load_all_events(club, club.ana)
    before = await load_due(club.store.jobs, 1 << 62, 999)
    second = await load_all_events(club, club.ana)
    assert {name: each["DTSTART"].dt for name, each in first.items()} == {
        name: each["DTSTART"].dt for name, each in second.items()
    }
    # To ask stores nothing, and nothing follows from it.
    assert await load_due(club.store.jobs, 1 << 62, 999) == before


async def test_after_three_years_a_file_is_as_small_as_on_the_first_day(
    club: SimulatedClub,
) -> None:
    for _ in range(12):
        await club.ben.slash(club.channel, "challenge", game="zeno", opponent=club.ana)
        await club.advance_clock(100 * DAY)
    # The clock jumped over its time, so the last has expired only now.
    await club.advance_clock(91 * DAY)
    assert (await ask(club, club.ana))[1] is None
    await club.ben.slash(club.channel, "challenge", game="zeno", opponent=club.ana)
    assert len(await load_all_events(club, club.ana)) == 1


async def test_it_is_answered_to_one_person_alone(club: SimulatedClub) -> None:
    await start_match(club, "zeno", pace="day")
    # Reads an answer that nobody else sees, or fails.
    assert "1 deadline is in this file." in get_ephemeral_text(
        await download_calendar(club.ana, club.channel)
    )
    assert (await ask(club, club.cyn))[1] is None
