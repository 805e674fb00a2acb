"""What a client still shows that no longer exists: where each moved command is now."""

import pytest

from bot.client import MOVED
from tests.support.club import SimulatedClub
from tests.support.driver import extract_text, get_response
from tests.support.forging import Actor, ForgedRequest, make_command, send

pytestmark = pytest.mark.asyncio

MAX_COMMANDS = 48
"""Commands among which people still find what they want; one more takes the place of another."""

OUTDATED = (
    "This command has changed since your Discord last loaded it. Restart Discord, then try again."
)


async def read_answer(club: SimulatedClub, request: ForgedRequest) -> str:
    """What Ana reads in answer to what her client sends, alone."""
    sent = send(club, Actor("ana", club.ana.id, club.guild.id, club.channel.id), request)
    await club.env.settle()
    answer = get_response(sent)
    assert answer.ephemeral
    return extract_text(answer.message)


async def test_there_are_no_more_commands_than_people_find_their_way_in(
    club: SimulatedClub,
) -> None:
    assert len(club.bot.mentions.ids) <= MAX_COMMANDS


async def test_a_moved_command_is_gone_and_its_place_is_there(club: SimulatedClub) -> None:
    known = {command.split()[0] for command in club.bot.mentions.ids} | set(club.bot.mentions.ids)
    assert set(MOVED) & known == set()
    assert set(MOVED.values()) <= set(club.bot.mentions.ids)


@pytest.mark.parametrize("name", MOVED)
async def test_a_moved_command_says_where_it_is_now(club: SimulatedClub, name: str) -> None:
    text = await read_answer(club, make_command(name, {}))
    assert text == f"`/{name}` has moved: use `/{MOVED[name]}`."


async def test_a_command_that_has_changed_asks_for_a_restart(club: SimulatedClub) -> None:
    for request in (
        make_command("juggle", {}),
        make_command("match juggle", {}),
        make_command("match", {}),
        # Without the game, which is required now.
        make_command("challenge", {}),
    ):
        assert await read_answer(club, request) == OUTDATED, request.name


async def test_nothing_is_suggested_for_a_command_that_is_gone(club: SimulatedClub) -> None:
    request = make_command("juggle", {"balls": "th"}, focused="balls")
    sent = send(club, Actor("ana", club.ana.id, club.guild.id, club.channel.id), request)
    await club.env.settle()
    assert (sent.response, sent.followups) == (None, [])
