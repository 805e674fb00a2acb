"""Results in all servers together: shown of those who chose it, to whoever asks alone."""

import pytest
import pytest_asyncio
import simcord

from tests.bot.test_lessons import post_button
from tests.support import driver
from tests.support.club import SimulatedClub
from tests.support.panels import change_settings

pytestmark = pytest.mark.asyncio

NOBODY = "Nobody has finished a rated match yet."


@pytest_asyncio.fixture
async def tavern(club: SimulatedClub) -> tuple[simcord.ChannelHandle, simcord.MemberActor]:
    """Ana has beaten Ben in the club; return a channel of another server, and Cyn who is there."""
    await driver.start_match(club, "zeno", rated=True)
    await driver.give_up(club, club.ben, club.channel, 1)
    guild = driver.create_second_guild(club, "Tavern")
    hall, cyn = guild.create_text_channel("hall"), guild.add_member(club.cyn.user)
    await club.env.settle()
    return hall, cyn


async def look(person: simcord.MemberActor, hall: simcord.ChannelHandle) -> str:
    """The leaderboard of all servers, which only the one who asks sees."""
    return driver.get_ephemeral_text(await person.slash(hall, "leaderboard", scope="everywhere"))


async def test_nobody_is_shown_to_other_servers_who_has_not_chosen_it(
    club: SimulatedClub, tavern: tuple[simcord.ChannelHandle, simcord.MemberActor]
) -> None:
    hall, cyn = tavern
    text = await look(cyn, hall)
    assert NOBODY in text
    assert "Only people who chose it are shown here." in text
    assert "Ana" not in text
    answer = await cyn.slash(hall, "me profile", player=club.ana.user, scope="everywhere")
    assert driver.get_ephemeral_text(answer) == (
        "Ana doesn't show their results in all servers. Leave out `scope` for those in this server."
    )
    assert list_profiles(hall) == []
    # In the server in which they played, they are seen as ever.
    await club.cyn.slash(club.channel, "leaderboard")
    board = driver.extract_text(driver.get_newest_message(club))
    assert "Ana" in board
    assert "Ben" in board
    # One's own are shown to oneself alone, also in the club.
    before = len(driver.list_public_messages(club))
    own = await club.ana.slash(club.channel, "me profile", scope="everywhere")
    assert driver.get_ephemeral_text(own).startswith("### Ana, all servers\n**All games**: ")
    assert NOBODY in await look(club.ana, club.channel)
    assert len(driver.list_public_messages(club)) == before


async def test_who_chose_it_is_shown_until_they_choose_otherwise(
    club: SimulatedClub, tavern: tuple[simcord.ChannelHandle, simcord.MemberActor]
) -> None:
    hall, cyn = tavern
    saved = await change_settings(club.ana, club.channel, everywhere=True)
    assert saved.response is not None
    panel = driver.extract_text(saved.response.message)
    assert "Saved. People of any server can see your results in all servers together" in panel
    assert "**Show my results everywhere**: on" in panel
    answer = driver.get_response(await cyn.slash(hall, "leaderboard", scope="everywhere"))
    assert answer.ephemeral
    text = driver.extract_text(answer.message)
    assert "– Ana " in text
    # Ben has not chosen it, and is not told where he stands there either.
    assert "Ben" not in text
    assert "You" not in await look(club.ben, club.channel)
    profile = await cyn.slash(hall, "me profile", player=club.ana.user, scope="everywhere")
    assert driver.get_ephemeral_text(profile).startswith("### Ana, all servers\n**All games**: ")
    assert list_profiles(hall) == []
    saved = await change_settings(club.ana, club.channel, everywhere=False)
    assert saved.response is not None
    assert "Saved. People see your results only in the servers in which you played." in (
        driver.extract_text(saved.response.message)
    )
    assert "Ana" not in await look(cyn, hall)
    response = await cyn.slash(hall, "me profile", player=club.ana.user, scope="everywhere")
    assert driver.get_ephemeral_text(response).startswith("Ana doesn't show their results")


async def test_the_defaults_show_nobody(
    club: SimulatedClub, tavern: tuple[simcord.ChannelHandle, simcord.MemberActor]
) -> None:
    hall, cyn = tavern
    await change_settings(club.ana, club.channel, everywhere=True)
    panel = driver.get_response(await club.ana.slash(club.channel, "me settings")).message
    await club.ana.click(panel, label="Reset to defaults")
    assert "Ana" not in await look(cyn, hall)


async def test_a_page_that_everyone_saw_is_not_turned_for_everyone(
    club: SimulatedClub, tavern: tuple[simcord.ChannelHandle, simcord.MemberActor]
) -> None:
    """A message of an earlier version shows the buttons of the board of all servers."""
    await change_settings(club.ana, club.channel, everywhere=True)
    message = await post_button(club, "ranks:everywhere:all:0")
    before = driver.extract_text(message)
    text = driver.get_ephemeral_text(await club.cyn.click(message, label="it"))
    assert "– Ana " in text
    assert "Ben" not in text
    assert driver.extract_text(driver.get_newest_message(club)) == before


def list_profiles(hall: simcord.ChannelHandle) -> list[str]:
    """What stands in a channel of the other server, but for the greeting."""
    texts = [driver.extract_text(each) for each in hall.history() if not each.flags.ephemeral]
    return [text for text in texts if "Ana" in text]
