"""Looking at a match alone: from one's own side, and without words about controls elsewhere."""

import pytest

from tests.bot.test_board_styles import download_picture
from tests.support import driver
from tests.support.club import SimulatedClub
from tests.support.panels import change_settings

pytestmark = pytest.mark.asyncio
POINTING = ("below", "press Roll", "above")


async def test_only_a_message_with_controls_speaks_of_them(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    while not driver.list_menus(driver.get_newest_message(club)):
        assert await driver.take_next_action(club)
    assert "choose below or type `/move`" in driver.extract_text(driver.get_newest_message(club))
    for show in ("picture", "moves", "text"):
        answer = await club.ana.slash(club.channel, "match board", show=show)
        assert "type `/move`" in driver.get_ephemeral_text(answer)
        message = driver.get_response(answer).message
        assert not driver.list_control_ids(message)
        assert not [words for words in POINTING if words in driver.extract_text(message)]


async def test_everyone_sees_a_board_of_their_own_from_their_own_side(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    sides = {}
    for person in (club.ana, club.ben, club.cyn):
        sides[person.name] = await download_picture(
            await person.slash(club.channel, "match board", match=1)
        )
    assert sides["ana"] != sides["ben"]
    # An onlooker has no side, and looks from gold's as public boards are seen.
    assert sides["cyn"] in (sides["ana"], sides["ben"])
    await change_settings(club.ben, club.channel, near="gold")
    await change_settings(club.ana, club.channel, near="gold")
    for person in (club.ana, club.ben):
        answer = await person.slash(club.channel, "match board", match=1)
        assert await download_picture(answer) == sides["cyn"]
