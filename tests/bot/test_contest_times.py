"""When a contest is paused, given more time or out of reach, all that shows its time follows."""

from datetime import datetime

import pytest

from bot.features.contests.tables import ContestState
from bot.platform import outages
from engine.clock import DAY, HOUR
from tests.bot.test_league_server import (
    ACTIVE,
    COMPLETED,
    find_event,
    join,
    list_events,
    resign_all,
    write_time,
)
from tests.bot.test_leagues import WEEK, create_league, find_league, load_view, rule, start_league
from tests.bot.test_tournaments import gather_players, resign
from tests.support.club import SimulatedClub
from tests.support.contests import press_old_button, press_standings
from tests.support.driver import add_member, extract_text, get_ephemeral_text, list_button_labels

pytestmark = pytest.mark.asyncio


async def load_end(club: SimulatedClub) -> int:
    """The deadline of the first contest."""
    ends = (await load_view(club)).contest.ends
    assert ends is not None
    return ends


def find_event_end(club: SimulatedClub) -> int:
    """The end of the only event, in milliseconds."""
    return round(datetime.fromisoformat(find_event(club).scheduled_end_time).timestamp() * 1000)


async def test_an_event_lasts_as_long_as_its_league_that_was_paused(club: SimulatedClub) -> None:
    await create_league(club, event=True, weeks=4, pace="none")
    await join(club)
    await rule(club, "start")
    ends = await load_end(club)
    await club.advance_clock(5 * DAY)
    await rule(club, "pause")
    assert "Paused: clocks are stopped" in find_event(club).description
    for _ in range(10):
        await club.advance_clock(DAY)
    await rule(club, "resume")
    moved = await load_end(club)
    assert 10 * DAY <= moved - ends < 10 * DAY + HOUR
    assert find_event(club).scheduled_end_time == write_time(moved)
    assert "Paused: clocks are stopped" not in find_event(club).description
    await resign_all(club)
    assert find_event(club).status == COMPLETED


async def test_an_event_never_ends_while_its_league_is_paused(club: SimulatedClub) -> None:
    await create_league(club, event=True, weeks=1, pace="none")
    await join(club)
    await rule(club, "start")
    await club.advance_clock(7 * DAY - HOUR)
    await rule(club, "pause")
    for _ in range(30):
        assert find_event_end(club) > club.hands() + HOUR
        assert find_event(club).status == ACTIVE
        await club.advance_clock(DAY)
    await rule(club, "resume")
    assert find_event(club).scheduled_end_time == write_time(await load_end(club))


async def test_an_event_of_a_swiss_lasts_for_all_its_rounds(club: SimulatedClub) -> None:
    people = await gather_players(club, 8, format="swiss", rounds=3, days=2, event=True)
    await club.ana.slash(club.channel, "tournament manage")
    await club.advance_clock(3 * DAY + 1)
    began = (await load_view(club)).contest.began
    assert began is not None
    assert find_event(club).scheduled_end_time == write_time(began + 6 * DAY)
    # A round that is over early leaves the others their two days.
    for pairing in (await load_view(club)).list_running():
        await resign(club, pairing, pairing.first)
    view = await load_view(club)
    assert (view.round, len(people)) == (2, 8)
    assert find_event(club).scheduled_end_time == write_time(await load_end(club) + 2 * DAY)


async def test_card_and_event_follow_an_outage_at_once(club: SimulatedClub) -> None:
    await create_league(club, event=True, weeks=2, pace="none")
    await join(club)
    await rule(club, "start")
    ends = await load_end(club)
    await outages.record_heartbeat(club.bot.app)
    club.hands.ahead += 3 * DAY
    await outages.record_heartbeat(club.bot.app)
    await club.advance_clock(0)
    moved = await load_end(club)
    assert 3 * DAY <= moved - ends < 3 * DAY + HOUR
    assert f"The time to play runs out <t:{moved // 1000}:R>." in extract_text(find_league(club))
    assert find_event(club).scheduled_end_time == write_time(moved)


async def test_an_event_that_ended_during_an_outage_is_made_again(club: SimulatedClub) -> None:
    await create_league(club, event=True, weeks=1, pace="none")
    await join(club)
    await rule(club, "start")
    await outages.record_heartbeat(club.bot.app)
    club.hands.ahead += 8 * DAY
    # As Discord does by itself.
    club.env.backend.edit_scheduled_event(club.guild.id, find_event(club).id, {"status": COMPLETED})
    await outages.record_heartbeat(club.bot.app)
    await club.advance_clock(0)
    _, event = list_events(club)
    view = await load_view(club)
    assert view.contest.state is ContestState.RUNNING
    assert view.contest.event == event.id
    assert event.scheduled_end_time == write_time(await load_end(club))


async def test_a_pause_uses_up_no_time_in_which_people_can_join(club: SimulatedClub) -> None:
    await start_league(club, weeks=4, pace="none")
    await rule(club, "pause")
    for _ in range(30):
        await club.advance_clock(DAY)
    # Longer than the half of its time, of which none was used.
    assert "Join late" in list_button_labels(find_league(club))
    await rule(club, "resume")
    await club.advance_clock(13 * DAY)
    assert "Join late" in list_button_labels(find_league(club))
    eve = add_member(club, "eve")
    text = get_ephemeral_text(await press_standings(eve, club.channel, "league", "join"))
    assert text.startswith("You've joined Autumn league in Division A.")
    await club.advance_clock(DAY + HOUR)
    assert "Join late" not in list_button_labels(find_league(club))


async def test_an_outage_uses_up_no_time_in_which_people_can_join(club: SimulatedClub) -> None:
    await start_league(club, weeks=2, pace="none")
    await outages.record_heartbeat(club.bot.app)
    club.hands.ahead += 10 * DAY
    await outages.record_heartbeat(club.bot.app)
    await club.advance_clock(6 * DAY)
    assert "Join late" in list_button_labels(find_league(club))
    await club.advance_clock(DAY + HOUR)
    assert "Join late" not in list_button_labels(find_league(club))


async def test_a_week_more_is_a_week_more_to_join(club: SimulatedClub) -> None:
    await start_league(club, weeks=2, pace="none")
    await rule(club, "extend")
    await club.advance_clock(2 * WEEK - HOUR)
    assert "Join late" in list_button_labels(find_league(club))
    await club.advance_clock(2 * HOUR)
    assert "Join late" not in list_button_labels(find_league(club))
    eve = add_member(club, "eve")
    text = get_ephemeral_text(await press_old_button(club, eve, "leaguejoin:1"))
    assert text == "Sign-up for Autumn league is closed. You can join the next one."


async def test_late_entry_to_a_small_swiss_lasts_for_half_of_its_time(club: SimulatedClub) -> None:
    await gather_players(club, 5, format="swiss", rounds=3, days=2, pace="none")
    await club.advance_clock(3 * DAY + 1)
    late = [add_member(club, name) for name in ("early", "late")]
    # As a round robin it lasts for six days.
    await club.advance_clock(3 * DAY - HOUR)
    texts = [get_ephemeral_text(await press_standings(late[0], club.channel, "tournament", "join"))]
    await club.advance_clock(2 * HOUR)
    texts.append(
        get_ephemeral_text(await press_standings(late[1], club.channel, "tournament", "join"))
    )
    assert ["You've joined" in each for each in texts] == [True, False]
