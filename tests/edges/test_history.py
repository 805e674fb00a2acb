"""Finished matches, when people come and go."""

import pytest

from tests.bot.test_past_matches import (
    list_numbers,
    look,
    open_page,
    read_csv,
    read_json,
    resign_matches,
)
from tests.bot.test_privacy import delete_data
from tests.support.club import SimulatedClub
from tests.support.driver import get_newest_message

pytestmark = pytest.mark.asyncio


async def test_who_has_their_data_deleted_is_in_no_list_and_no_file(club: SimulatedClub) -> None:
    await resign_matches(club, "zeno", "fallas")
    await delete_data(club, club.ana)
    text = await look(club, club.ben)
    assert list_numbers(text) == [2, 1]
    assert "deleted player" in text
    page = await open_page(club, club.ben)
    rows = await read_csv(club.ben, page)
    assert {row["gold"] for row in rows} | {row["black"] for row in rows} == {
        *("Ben", "deleted player")
    }
    saved = str(await read_json(club.ben, page))
    assert str(club.ana.id) not in saved
    # Their own history begins anew, and others find nothing by their account.
    assert "You have no finished match yet." in await look(club, club.ana)
    assert "has finished no match in this server" in await look(club, club.ben, player=club.ana)
    await resign_matches(club, "zeno")
    assert list_numbers(await look(club, club.ben, player=club.ana)) == [3]


async def test_a_match_whose_messages_are_gone_is_listed(club: SimulatedClub) -> None:
    await resign_matches(club, "zeno")
    await get_newest_message(club).delete()
    assert list_numbers(await look(club, club.ben)) == [1]
