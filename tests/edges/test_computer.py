"""The computer, when people come and go."""

import pytest

from tests.bot.test_computer import load_session, press_next_control
from tests.bot.test_privacy import delete_data
from tests.store.test_privacy import dump_values, find_traces
from tests.support.club import SimulatedClub
from tests.support.driver import extract_text, get_newest_message, list_live_messages
from tests.support.stored import load_due

pytestmark = pytest.mark.asyncio


async def test_the_computer_stops_when_whoever_plays_it_has_their_data_deleted(
    club: SimulatedClub,
) -> None:
    await club.ana.slash(club.channel, "play", game="zeno")
    await press_next_control(club)
    await delete_data(club, club.ana)
    assert find_traces(await dump_values(club.store), str(club.ana.id)) == set()
    assert list_live_messages(club) == []
    assert [each.kind for each in await load_due(club.store.jobs, 2**62, 99)].count("computer") == 0
    # Who comes back plays it anew.
    await club.ana.slash(club.channel, "play", game="zeno")
    assert len(list_live_messages(club)) == 1


async def test_the_computer_plays_on_whoever_else_left_the_server(
    club: SimulatedClub,
) -> None:
    await club.ana.slash(club.channel, "play", game="zeno")
    before = (await load_session(club)).match.version
    club.guild.remove_member(club.cyn)
    await press_next_control(club)
    await club.advance_clock(0)
    after = (await load_session(club)).match.version
    assert after > before
    assert f"<@{club.ana.id}>" in extract_text(get_newest_message(club))
