"""Ratings of people who come and go."""

import pytest

from tests.support.club import SimulatedClub
from tests.support.driver import extract_text, find_button, get_newest_message, give_up
from tests.support.panels import change_server, change_settings

pytestmark = pytest.mark.asyncio


async def play_rated(club: SimulatedClub, number: int = 1) -> None:
    """Ben loses a rated match to Ana."""
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben, rated=True)
    message = get_newest_message(club)
    await club.ben.click(message, custom_id=find_button(message, ":accept"))
    await give_up(club, club.ben, club.channel, number)


async def see_leaderboard(club: SimulatedClub) -> str:
    """What Cyn shows to everyone."""
    await club.cyn.slash(club.channel, "leaderboard")
    return extract_text(get_newest_message(club))


async def test_who_leaves_the_server_keeps_their_rating_for_when_they_are_back(
    club: SimulatedClub,
) -> None:
    await play_rated(club)
    before = await see_leaderboard(club)
    assert "– Ana 1138?" in before
    club.guild.remove_member(club.ana)
    assert await see_leaderboard(club) == before
    again = club.guild.add_member(club.ana.user)
    await again.slash(club.channel, "challenge", game="zeno", opponent=club.ben, rated=True)
    assert await see_leaderboard(club) == before


async def test_a_server_without_a_rated_match_says_so(club: SimulatedClub) -> None:
    text = await see_leaderboard(club)
    assert "– " not in text
    assert "rated" in text


async def test_what_an_annulment_undoes_is_shown_nowhere(club: SimulatedClub) -> None:
    await play_rated(club)
    assert "– Ben" in await see_leaderboard(club)
    ended = {"match": 1, "how": "annul", "reason": "a slip"}
    await club.ana.slash(club.channel, "server end", **ended)
    await club.advance_clock(0)
    text = await see_leaderboard(club)
    assert "Ana" not in text
    assert "Ben" not in text


async def test_a_role_that_is_needed_later_takes_no_rating_away(club: SimulatedClub) -> None:
    await play_rated(club)
    before = await see_leaderboard(club)
    role = club.guild.create_role("Players")
    await change_server(club.ana, club.channel, role=role)
    assert await see_leaderboard(club) == before


async def test_a_leaderboard_has_the_language_of_those_who_read_it(club: SimulatedClub) -> None:
    await play_rated(club)
    await change_settings(club.cyn, club.channel, language="de")
    # Everyone reads it, so it is in the server's language, not in that of whoever asked.
    assert "### Leaderboard" in await see_leaderboard(club)
    await change_server(club.ana, club.channel, language="de")
    text = await see_leaderboard(club)
    assert "### Bestenliste" in text
    assert "Ana" in text
