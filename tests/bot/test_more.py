"""More under a turn, and the questions before a match is resigned or left."""

from collections.abc import Sequence
from dataclasses import replace

import discord
import pytest
import simcord

from bot.features.matches.scene import build_scene
from bot.features.ratings.store import Ratings
from bot.platform.i18n.reader import Reader
from engine.events import DrawOffered
from tests.bot.test_computer import load_session, load_transitions
from tests.support import driver
from tests.support.club import SimulatedClub
from tests.support.panels import change_settings

pytestmark = pytest.mark.asyncio

VIEWS = ["How to play", "Board as text", "From the other side", "Fair dice"]


async def open_more(club: SimulatedClub, person: simcord.MemberActor) -> discord.Message:
    """Somebody presses More."""
    message = driver.get_newest_message(club)
    answer = await person.click(message, custom_id=driver.find_button(message, ":more"))
    return require_private(answer)


async def ask_to_resign(club: SimulatedClub, person: simcord.MemberActor) -> discord.Message:
    """Somebody types /resign."""
    return require_private(await person.slash(club.channel, "match resign"))


def require_private(answer: simcord.InteractionResult) -> discord.Message:
    """A private answer's message."""
    response = driver.get_response(answer)
    assert response.ephemeral
    assert response.message is not None
    return response.message


async def play_past_the_beginning(club: SimulatedClub) -> None:
    """Play until a match can no longer be left without a result."""
    while (await load_session(club)).match.may_abort():
        await driver.take_next_action(club)


async def list_offers(club: SimulatedClub) -> Sequence[object]:
    """The draws that were offered."""
    return [each for each in await load_transitions(club) if isinstance(each.event, DrawOffered)]


async def test_directions_are_shown_to_newcomers_and_to_those_who_chose_them(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno")
    await play_past_the_beginning(club)
    session = await load_session(club)
    assert session.newcomers == {club.ana.id, club.ben.id}
    assert session.shows_directions
    assert build_scene(Reader.ENGLISH, session).ways
    known = replace(session, newcomers=frozenset())
    assert not known.shows_directions
    await change_settings(club.ben, club.channel, directions=True)
    known = replace(await load_session(club), newcomers=frozenset())
    assert known.shows_directions


@pytest.mark.usefixtures("own_throws")
async def test_players_see_what_they_can_do_and_onlookers_what_they_can_see(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno")
    assert driver.list_button_labels(await open_more(club, club.cyn)) == VIEWS
    assert driver.list_button_labels(await open_more(club, club.ana)) == [
        *VIEWS,
        "Leave the match…",
    ]
    await play_past_the_beginning(club)
    assert driver.list_button_labels(await open_more(club, club.ana)) == [
        *VIEWS,
        "Offer a draw",
        "Resign…",
    ]
    more = await open_more(club, club.ana)
    await club.ana.click(more, label="Offer a draw")
    assert len(await list_offers(club)) == 1
    # While it stands, and until one has thrown again, one cannot offer another.
    assert "Offer a draw" not in driver.list_button_labels(await open_more(club, club.ana))
    assert len(driver.list_live_messages(club)) == 1


async def test_a_board_is_seen_from_the_other_side(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    more = await open_more(club, club.ana)
    message = require_private(
        await club.ana.click(more, custom_id=driver.find_button(more, ":flip"))
    )
    assert message.id == more.id
    (picture,) = driver.list_pictures(message)
    assert picture.description
    assert "/me settings" in driver.extract_text(message)
    shown = await driver.get_newest_message(club).attachments[0].read()
    assert await message.attachments[0].read() != shown


async def test_resigning_asks_first(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    await play_past_the_beginning(club)
    message = await ask_to_resign(club, club.ana)
    assert driver.extract_text(message) == "Resign match 1? Your opponent wins it."
    assert (await load_session(club)).match.outcome is None
    stayed = await club.ana.click(message, label="Play on")
    assert driver.get_ephemeral_text(stayed) == "Match 1 goes on."
    assert (await load_session(club)).match.outcome is None
    message = await ask_to_resign(club, club.ana)
    # What happens meanwhile changes nothing about it.
    if driver.find_mentioned_player(club).id == club.ben.id:
        await driver.take_next_action(club)
    answer = await club.ana.click(message, label="Resign")
    assert "won**" in driver.get_ephemeral_text(answer)
    session = await load_session(club)
    assert session.match.outcome is not None
    assert session.match.outcome.how == "resigned"
    assert "Ratings: " in driver.extract_text(driver.get_newest_message(club))


async def test_a_match_left_within_its_first_two_turns_counts_for_nobody(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno")
    message = await ask_to_resign(club, club.ben)
    assert driver.extract_text(message) == (
        "Leave match 1? It's within its first two turns, so it won't count."
    )
    await club.ben.click(message, label="Leave the match")
    end = driver.extract_text(driver.get_newest_message(club))
    assert "**Closed**" in end
    assert "left within the first two turns. The match doesn't count." in end
    assert "Ratings" not in end
    assert await club.store.get(Ratings).load_changes(1) == ()


async def test_it_can_be_left_no_more_once_its_third_turn_has_begun(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    message = await ask_to_resign(club, club.ana)
    await play_past_the_beginning(club)
    before = (await load_session(club)).match
    answer = await club.ana.click(message, label="Leave the match")
    assert "past its first two turns" in driver.get_ephemeral_text(answer)
    assert (await load_session(club)).match == before


async def test_nobody_else_gives_a_match_up(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    answer = await club.cyn.slash(club.channel, "match resign", match=1)
    assert driver.get_ephemeral_text(answer) == "You're not playing in match 1."
