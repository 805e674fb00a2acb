"""More under a turn, and the questions before a match is resigned or left."""

from collections.abc import Sequence

import discord
import pytest
import simcord

from engine.events import DrawOffered
from tests.bot.conftest import SimulatedClub
from tests.bot.driver import (
    extract_text,
    find_button,
    find_mentioned_player,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    list_button_labels,
    list_live_messages,
    list_pictures,
    start_match,
    take_next_action,
)
from tests.bot.test_computer import load_session, load_transitions

pytestmark = pytest.mark.asyncio

VIEWS = ["How to play", "Board as text", "From the other side", "With numbers", "Fair dice"]


async def open_more(club: SimulatedClub, person: simcord.MemberActor) -> discord.Message:
    """Somebody presses More."""
    message = get_newest_message(club)
    told = await person.click(message, custom_id=find_button(message, ":more"))
    return require_private(told)


async def ask_to_resign(club: SimulatedClub, person: simcord.MemberActor) -> discord.Message:
    """Somebody types /resign."""
    return require_private(await person.slash(club.channel, "match resign"))


def require_private(told: simcord.InteractionResult) -> discord.Message:
    """A private answer's message."""
    response = get_response(told)
    assert response.ephemeral
    assert response.message is not None
    return response.message


async def play_past_the_beginning(club: SimulatedClub) -> None:
    """Play until a match can no longer be left without a result."""
    while (await load_session(club)).match.may_abort():
        await take_next_action(club)


async def list_offers(club: SimulatedClub) -> Sequence[object]:
    """The draws that were offered."""
    return [each for each in await load_transitions(club) if isinstance(each.event, DrawOffered)]


async def test_players_see_what_they_can_do_and_onlookers_what_they_can_see(
    club: SimulatedClub,
) -> None:
    await start_match(club, "zeno")
    assert list_button_labels(await open_more(club, club.cyn)) == VIEWS
    assert list_button_labels(await open_more(club, club.ana)) == [*VIEWS, "Leave the match…"]
    await play_past_the_beginning(club)
    assert list_button_labels(await open_more(club, club.ana)) == [
        *VIEWS,
        "Offer a draw",
        "Resign…",
    ]
    more = await open_more(club, club.ana)
    await club.ana.click(more, label="Offer a draw")
    assert len(await list_offers(club)) == 1
    # While it stands, and until one has thrown again, one cannot offer another.
    assert "Offer a draw" not in list_button_labels(await open_more(club, club.ana))
    assert len(list_live_messages(club)) == 1


async def test_a_board_is_seen_from_the_other_side_and_with_numbers(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    seen = set()
    for ending in (":flip", ":numbers"):
        more = await open_more(club, club.ana)
        told = await club.ana.click(more, custom_id=find_button(more, ending))
        shown = require_private(told)
        assert shown.id == more.id
        (picture,) = list_pictures(shown)
        seen.add(await shown.attachments[0].read())
        assert "/me settings" in extract_text(shown)
        assert picture.description
    seen.add(await get_newest_message(club).attachments[0].read())
    assert len(seen) == 3


async def test_resigning_asks_first(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    await play_past_the_beginning(club)
    asked = await ask_to_resign(club, club.ana)
    assert extract_text(asked) == "Resign match 1? Your opponent wins it."
    assert (await load_session(club)).match.outcome is None
    stayed = await club.ana.click(asked, label="Play on")
    assert get_ephemeral_text(stayed) == "Match 1 goes on."
    assert (await load_session(club)).match.outcome is None
    asked = await ask_to_resign(club, club.ana)
    # What happens meanwhile changes nothing about it.
    if find_mentioned_player(club).id == club.ben.id:
        await take_next_action(club)
    told = await club.ana.click(asked, label="Resign")
    assert "won**" in get_ephemeral_text(told)
    session = await load_session(club)
    assert session.match.outcome is not None
    assert session.match.outcome.how == "resigned"
    assert "Ratings: " in extract_text(get_newest_message(club))


async def test_a_match_left_within_its_first_two_turns_counts_for_nobody(
    club: SimulatedClub,
) -> None:
    await start_match(club, "zeno")
    asked = await ask_to_resign(club, club.ben)
    assert extract_text(asked) == (
        "Leave match 1? It's within its first two turns, so it won't count."
    )
    await club.ben.click(asked, label="Leave the match")
    end = extract_text(get_newest_message(club))
    assert "**Closed**" in end
    assert "left within the first two turns. The match doesn't count." in end
    assert "Ratings" not in end
    assert await club.store.ratings.load_changes(1) == ()


async def test_it_can_be_left_no_more_once_its_third_turn_has_begun(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    asked = await ask_to_resign(club, club.ana)
    await play_past_the_beginning(club)
    before = (await load_session(club)).match
    told = await club.ana.click(asked, label="Leave the match")
    assert "past its first two turns" in get_ephemeral_text(told)
    assert (await load_session(club)).match == before


async def test_nobody_else_gives_a_match_up(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    told = await club.cyn.slash(club.channel, "match resign", match=1)
    assert get_ephemeral_text(told) == "You're not playing in match 1."
