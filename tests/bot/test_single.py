"""One message a match, where a server wants it.

It is edited in place, with a short mention that goes when it is answered.
"""

import discord
import pytest

from bot.features.matches import loading
from bot.features.matches.store import Matches
from engine.clock import HOUR
from tests.support.club import SimulatedClub
from tests.support.driver import (
    extract_text,
    format_hours_from_now,
    get_ephemeral_text,
    give_up,
    list_button_labels,
    list_control_ids,
    list_live_messages,
    list_public_messages,
    list_turn_calls,
    start_match,
    use_first_control,
)
from tests.support.panels import change_server

pytestmark = pytest.mark.asyncio
EDIT = ("PATCH", "/channels/*/messages/*")
ANSWER = ("POST", "/interactions/*/*/callback")


async def start_single_message_match(club: SimulatedClub) -> discord.Message:
    """Let a match have one message, begin one, and return that."""
    text = get_ephemeral_text(await change_server(club.ana, club.channel, single=True))
    assert "Each match has a single message" in text
    await start_match(club, "zeno")
    return get_match_message(club)


def get_match_message(club: SimulatedClub) -> discord.Message:
    """The message of the match."""
    (message,) = list_live_messages(club)
    return message


async def get_player_to_act(club: SimulatedClub) -> int:
    """Whom the match waits for."""
    return (await loading.load_session(club.bot.app, 1)).person_to_act


async def press_next_control(club: SimulatedClub) -> None:
    """Do the next thing that the match asks for."""
    person = club.ana if await get_player_to_act(club) == club.ana.id else club.ben
    message = get_match_message(club)
    await use_first_control(person, message)
    await club.advance_clock(0)


async def test_a_match_has_one_message_and_whoever_is_to_act_is_called_until_they_do(
    club: SimulatedClub,
) -> None:
    message = await start_single_message_match(club)
    assert list_turn_calls(club) == []
    first = await get_player_to_act(club)
    while await get_player_to_act(club) == first:
        assert list_turn_calls(club) == []
        await press_next_control(club)
    assert get_match_message(club).id == message.id
    (call,) = list_turn_calls(club)
    assert [user.id for user in call.mentions] == [await get_player_to_act(club)] != [first]
    assert f"/{message.id})" in extract_text(call)
    # Their dice are thrown already, and hardly anybody has seen what was played before.
    assert " played `" in extract_text(get_match_message(club))
    await press_next_control(club)
    assert call.id not in [each.id for each in list_turn_calls(club)]
    for _ in range(12):
        await press_next_control(club)
        assert get_match_message(club).id == message.id
        assert len(list_turn_calls(club)) <= 1
    await give_up(club, club.ana, club.channel)
    await club.advance_clock(0)
    assert list_turn_calls(club) == []
    ends = [
        each
        for each in list_public_messages(club)
        if "Rematch, sides swapped" in list_button_labels(each)
    ]
    assert [each.id for each in ends] == [message.id]
    assert len(list_public_messages(club)) == 2


async def test_a_message_that_takes_no_more_changes_is_replaced(club: SimulatedClub) -> None:
    message = await start_single_message_match(club)
    for request in (ANSWER, EDIT):
        club.env.inject_error(*request, status=400, code=30046)
    await press_next_control(club)
    assert get_match_message(club).id != message.id
    assert message.id not in [each.id for each in list_public_messages(club)]
    assert list_control_ids(get_match_message(club))
    row = await club.store.get(Matches).load_row(1)
    assert row
    assert row.shown == row.version


async def test_a_reminder_takes_the_place_of_a_call(club: SimulatedClub) -> None:
    await change_server(club.ana, club.channel, single=True, pace="day")
    await start_match(club, "zeno")
    first = await get_player_to_act(club)
    while await get_player_to_act(club) == first:
        await press_next_control(club)
    assert len(list_turn_calls(club)) == 1
    await club.advance_clock(23 * 60 * 60 * 1000)
    assert list_turn_calls(club) == []
    assert (
        len([each for each in list_public_messages(club) if "your time in" in extract_text(each)])
        == 1
    )


async def test_in_quiet_hours_nobody_is_called_until_they_end(club: SimulatedClub) -> None:
    quiet = format_hours_from_now(club, -1, 8)
    await change_server(club.ana, club.channel, single=True, pace="week", quiet=quiet)
    await start_match(club, "zeno")
    first = await get_player_to_act(club)
    while await get_player_to_act(club) == first:
        await press_next_control(club)
    assert list_turn_calls(club) == []
    await club.advance_clock(9 * HOUR)
    (call,) = list_turn_calls(club)
    assert [user.id for user in call.mentions] == [await get_player_to_act(club)]


@pytest.mark.sweep
async def test_alone_against_the_computer_nobody_is_called(club: SimulatedClub) -> None:
    await change_server(club.ana, club.channel, single=True)
    await club.ana.slash(club.channel, "play", game="laquet", level="beginner")
    for _ in range(6):
        message = get_match_message(club)
        await use_first_control(club.ana, message)
        await club.advance_clock(0)
    assert len(list_public_messages(club)) == 1
