"""Seats that are offered, when people come and go."""

import asyncio

import pytest

from engine.events import Seated
from tests.bot.test_computer import load_session, load_transitions
from tests.bot.test_privacy import delete_data
from tests.bot.test_substitution import start_team_match
from tests.store.test_privacy import dump_values, find_traces
from tests.support.club import SimulatedClub
from tests.support.driver import add_member, extract_text, get_ephemeral_text, get_newest_message

pytestmark = pytest.mark.asyncio


async def test_a_seat_that_is_taken_twice_at_once_changes_hands_once(club: SimulatedClub) -> None:
    _, eve = await start_team_match(club)
    await club.cyn.slash(club.channel, "match substitute", player=eve)
    message = get_newest_message(club)
    await asyncio.gather(
        *(eve.click(message, label="Take the seat") for _ in range(2)), return_exceptions=True
    )
    await club.advance_clock(0)
    taken = [each for each in await load_transitions(club) if isinstance(each.event, Seated)]
    assert len(taken) == 1
    seats = [each.person for each in (await load_session(club)).row.seats]
    assert seats.count(eve.id) == 1
    assert club.cyn.id not in seats


async def test_who_was_offered_a_seat_and_has_their_data_deleted_keeps_nobody_from_offering_it(
    club: SimulatedClub,
) -> None:
    _, eve = await start_team_match(club)
    await club.cyn.slash(club.channel, "match substitute", player=eve)
    await delete_data(club, eve)
    assert find_traces(await dump_values(club.store), str(eve.id)) == set()
    fay = add_member(club, "fay")
    await club.cyn.slash(club.channel, "match substitute", player=fay)
    message = get_newest_message(club)
    assert f"<@{fay.id}>, do you want to take over?" in extract_text(message)
    await fay.click(message, label="Take the seat")
    assert (await load_session(club)).find_sides(fay.id)


async def test_who_was_offered_a_seat_and_left_the_server_keeps_nobody_from_offering_it(
    club: SimulatedClub,
) -> None:
    _, eve = await start_team_match(club)
    fay = add_member(club, "fay")
    await club.cyn.slash(club.channel, "match substitute", player=eve)
    message = get_newest_message(club)
    club.guild.remove_member(eve)
    refusal = get_ephemeral_text(await club.cyn.slash(club.channel, "match substitute", player=fay))
    assert "Eve" in refusal
    await club.cyn.click(message, label="Leave it")
    await club.cyn.slash(club.channel, "match substitute", player=fay)
    await fay.click(get_newest_message(club), label="Take the seat")
    assert (await load_session(club)).find_sides(fay.id)
