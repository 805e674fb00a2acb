"""Clocks, when people come and go."""

import pytest

from bot.features.matches import loading
from engine.clock import HOUR, MINUTE
from tests.bot.test_clocks import (
    find_waiting_player,
    list_notices,
    verify_first_record,
)
from tests.support.club import SimulatedClub
from tests.support.driver import (
    extract_text,
    find_mentioned_player,
    get_newest_message,
    list_button_labels,
    start_match,
)
from tests.support.panels import change_settings

pytestmark = pytest.mark.asyncio


async def test_who_left_the_server_loses_by_the_clock_and_keeps_nobody_waiting(
    club: SimulatedClub,
) -> None:
    await start_match(club, "zeno", pace="day")
    late, other = find_mentioned_player(club), find_waiting_player(club)
    club.guild.remove_member(late)
    await club.advance_clock(24 * HOUR + MINUTE)
    (notice,) = list_notices(club)
    assert list_button_labels(notice) == ["Claim the win", "Give more time"]
    await other.click(notice, label="Claim the win")
    assert f"<@{late.id}> ran out of time" in extract_text(get_newest_message(club))
    assert (await verify_first_record(club)).wrong is None


@pytest.mark.usefixtures("own_throws")
async def test_who_left_and_came_back_acts_within_the_time_that_is_left(
    club: SimulatedClub,
) -> None:
    await start_match(club, "zeno", pace="day")
    late = find_mentioned_player(club)
    before = (await loading.load_session(club.bot.app, 1)).clock
    club.guild.remove_member(late)
    await club.advance_clock(12 * HOUR)
    back = club.guild.add_member(late.user)
    assert (await loading.load_session(club.bot.app, 1)).clock == before
    await back.click(get_newest_message(club), label="Roll")
    assert (await loading.load_session(club.bot.app, 1)).match.version > 1


async def test_who_closed_their_direct_messages_is_reminded_in_the_channel_once(
    club: SimulatedClub,
) -> None:
    await start_match(club, "zeno", pace="day")
    person = find_mentioned_player(club)
    await change_settings(person, club.channel, reminders="direct")
    club.env.inject_error("POST", "/users/@me/channels", status=403, code=50007)
    await club.advance_clock(22 * HOUR)
    (notice,) = list_notices(club)
    assert f"<@{person.id}>" in extract_text(notice)
    assert "your time in" in extract_text(notice)
    await club.advance_clock(HOUR)
    assert [each.id for each in list_notices(club)] == [notice.id]
