"""Challenges between people who come and go."""

import pytest

from bot.features.challenges.service import LIFETIME_MS
from bot.features.challenges.store import Challenges
from bot.features.matches.store import Matches
from engine.clock import DAY, HOUR
from tests.bot.test_access import create_channel_hidden_from
from tests.support.club import SimulatedClub
from tests.support.driver import (
    extract_text,
    find_button,
    get_ephemeral_text,
    get_newest_message,
    list_button_labels,
)

pytestmark = pytest.mark.asyncio
GONE = "Ana has left this server, so the challenge is withdrawn."


async def test_nobody_begins_a_match_with_one_who_has_left(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    asked = get_newest_message(club)
    club.guild.remove_member(club.ana)
    answer = await club.ben.click(asked, custom_id=find_button(asked, ":accept"))
    assert get_ephemeral_text(answer) == GONE
    challenge = await club.store.get(Challenges).load_challenge(1)
    assert challenge is not None
    assert challenge.state == "withdrawn"
    assert await club.store.get(Matches).load_numbers() == []
    message = get_newest_message(club)
    assert "Withdrawn." in extract_text(message)
    assert list_button_labels(message) == []


async def test_nobody_is_seated_with_one_who_has_left(club: SimulatedClub) -> None:
    """The challenge was open to anyone, and who looks for an opponent gets another."""
    await club.ana.slash(club.channel, "challenge", game="zeno")
    club.guild.remove_member(club.ana)
    await club.ben.slash(club.channel, "play")
    assert await club.store.get(Matches).load_numbers() == []
    challenge = await club.store.get(Challenges).load_challenge(1)
    assert challenge is not None
    assert challenge.state == "withdrawn"


async def test_where_discord_does_not_answer_the_challenger_is_there(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    message = get_newest_message(club)
    club.env.inject_error("GET", "/guilds/*/members/*", status=503, times=9)
    await club.ben.click(message, custom_id=find_button(message, ":accept"))
    assert await club.store.get(Matches).load_numbers() == [1]


async def test_who_comes_back_is_challenged_as_before(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    message = get_newest_message(club)
    club.guild.remove_member(club.ana)
    club.guild.add_member(club.ana.user)
    await club.ben.click(message, custom_id=find_button(message, ":accept"))
    assert await club.store.get(Matches).load_numbers() == [1]


async def test_a_challenge_that_nobody_answers_expires_and_calls_nobody_again(
    club: SimulatedClub,
) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    asked = get_newest_message(club)
    await club.advance_clock(LIFETIME_MS - HOUR)
    assert get_newest_message(club).id == asked.id
    await club.advance_clock(HOUR)
    message = get_newest_message(club)
    assert message.id == asked.id
    assert "The challenge has expired." in extract_text(message)
    assert list_button_labels(message) == []


async def test_a_block_after_a_challenge_keeps_it_from_being_accepted(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    message = get_newest_message(club)
    await club.ben.slash(club.channel, "me block", person=club.ana)
    text = get_ephemeral_text(
        await club.ben.click(message, custom_id=find_button(message, ":accept"))
    )
    assert text == "You've blocked Ana. You can unblock them with `/me block`."
    # It costs neither anything, and expires as any other.
    await club.advance_clock(DAY)
    assert await club.store.get(Matches).load_numbers() == []


async def test_a_challenge_in_a_private_channel_is_seen_there_alone(club: SimulatedClub) -> None:
    cellar = create_channel_hidden_from(club, club.cyn)
    await club.ana.slash(cellar, "challenge", game="zeno")
    await club.cyn.slash(club.channel, "play")
    assert await club.store.get(Matches).load_numbers() == []
    challenge = await club.store.get(Challenges).load_challenge(1)
    assert challenge is not None
    assert challenge.state == "open"


async def test_a_challenge_to_somebody_on_vacation_expires_and_costs_nothing(
    club: SimulatedClub,
) -> None:
    await club.ben.slash(club.channel, "me vacation", days=3)
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben, rated=True)
    await club.advance_clock(LIFETIME_MS)
    challenge = await club.store.get(Challenges).load_challenge(1)
    assert challenge is not None
    assert challenge.state == "lapsed"
    assert await club.store.get(Matches).load_numbers() == []
    # Away or not, Ben accepts what reaches him in time.
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    message = get_newest_message(club)
    await club.ben.click(message, custom_id=find_button(message, ":accept"))
    assert await club.store.get(Matches).load_numbers() == [1]
