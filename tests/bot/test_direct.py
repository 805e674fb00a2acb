"""Matches against the computer in direct messages, also of those who installed the bot alone."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import discord
import pytest

from bot.features.matches import places as reach
from bot.features.matches.loading import load_session
from bot.features.matches.store import Matches
from bot.platform.context import DirectReader, DirectReaders
from engine.match import Phase
from render.theme import load_themes
from tests.bot.test_board_styles import get_page_colour
from tests.bot.test_membership import ABSENT, leave_guild
from tests.support import driver
from tests.support.club import SimulatedClub
from tests.support.panels import SETTINGS
from tests.support.stored import load_due

pytestmark = pytest.mark.asyncio

ELSEWHERE = "I'm not a member here, so your match is in our direct messages: "


def list_direct_messages(club: SimulatedClub) -> list[discord.Message]:
    """Ana's direct messages with the bot that are not answers to her alone, the oldest first."""
    history = club.ana.user.dm_channel.history()
    return [message for message in history if not message.flags.ephemeral]


def get_board(club: SimulatedClub) -> discord.Message:
    """The newest of Ana's direct messages."""
    return list_direct_messages(club)[-1]


async def act(club: SimulatedClub) -> bool:
    """Let Ana use the first control of her board; False when the match is over."""
    board = get_board(club)
    controls = [each for each in driver.list_control_ids(board) if not each.endswith(":back")]
    if not controls:
        return False
    menus = {menu.custom_id: menu for menu in driver.list_menus(board)}
    if controls[0] in menus:
        values = [menus[controls[0]].options[0].value]
        await club.ana.user.select(board, custom_id=controls[0], values=values)
    else:
        await club.ana.user.click(board, custom_id=controls[0])
    await club.advance_clock(0)
    return True


async def test_a_whole_match_is_played_in_direct_messages(club: SimulatedClub) -> None:
    await club.ana.user.slash("play", game="twelve-dogs")
    await club.advance_clock(0)
    assert "Match 1" in driver.extract_text(get_board(club))
    for _ in range(400):
        if not await act(club):
            break
    session = await load_session(club.bot.app, 1)
    assert session.match.phase is Phase.OVER
    assert (session.row.guild, session.row.channel) == (0, club.ana.user.dm_channel.id)
    # No message but the last has controls, and nothing stands in the club.
    live = [message for message in list_direct_messages(club) if driver.list_control_ids(message)]
    assert live == []
    assert driver.list_public_messages(club) == []
    await club.ana.user.click(get_board(club), label="Rematch, sides swapped")
    await club.advance_clock(0)
    assert "Match 2" in driver.extract_text(get_board(club))


async def test_commands_of_a_match_work_in_direct_messages(club: SimulatedClub) -> None:
    await club.ana.user.slash("play", game="zeno")
    await club.advance_clock(0)
    for command, text in (
        ("match board", "Match 1"),
        ("match hint", ""),
        ("matches", "https://discord.com/channels/@me/"),
    ):
        answer = driver.get_response(await club.ana.user.slash(command))
        assert answer.ephemeral
        assert text in driver.extract_text(answer.message)
    message = driver.get_response(await club.ana.user.slash("match resign")).message
    await club.ana.user.click(message, custom_id=driver.list_control_ids(message)[0])
    await club.advance_clock(0)
    assert (await load_session(club.bot.app, 1)).match.phase is Phase.OVER


async def test_what_needs_people_is_refused_in_direct_messages(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    message = driver.get_response(await club.ana.user.slash("match board")).message
    assert driver.extract_text(message).startswith("You have no match in this channel.")
    message = driver.get_response(await club.ana.user.slash("match follow", match=1)).message
    assert driver.extract_text(message).startswith("That works in the channels of a server")


async def test_where_the_bot_is_no_member_the_match_is_in_direct_messages(
    club: SimulatedClub,
) -> None:
    await leave_guild(club)
    text = driver.get_ephemeral_text(await club.ana.slash(club.channel, "play", game="zeno"))
    there = f"https://discord.com/channels/@me/{club.ana.user.dm_channel.id}"
    assert text == f"{ELSEWHERE}{there}"
    await club.advance_clock(0)
    opening, *_, board = list_direct_messages(club)
    assert driver.extract_text(opening).startswith("Your match of Zeno is here")
    assert "Match 1" in driver.extract_text(board)
    assert await act(club)
    assert (await load_session(club.bot.app, 1)).match.version > 1
    # In the server itself one sentence says where it works.
    assert driver.get_ephemeral_text(await club.ana.slash(club.channel, "roll")) == ABSENT
    assert driver.list_public_messages(club) == []


async def test_without_a_game_the_computer_is_offered_and_its_button_works(
    club: SimulatedClub,
) -> None:
    await leave_guild(club)
    offer = driver.get_response(await club.ana.slash(club.channel, "play")).message
    button = next(
        part
        for part in discord.ui.LayoutView.from_message(offer).walk_children()
        if isinstance(part, discord.ui.Button)
    )
    text = driver.get_ephemeral_text(await club.ana.click(offer, custom_id=button.custom_id))
    assert text.startswith(ELSEWHERE)
    assert await club.store.get(Matches).load_row(1)


@asynccontextmanager
async def press_between_people(club: SimulatedClub) -> AsyncIterator[None]:
    """Let what comes from direct messages come from those with somebody else than the bot."""

    def move(event: str, payload: Any) -> None:
        if event == "INTERACTION_CREATE":
            payload["context"] = 2
            payload["channel_id"] = payload["channel"]["id"] = "77"

    club.env.backend.subscribers.insert(0, move)
    try:
        yield
    finally:
        club.env.backend.subscribers.remove(move)


async def test_between_two_people_a_match_goes_to_one_s_own_direct_messages(
    club: SimulatedClub,
) -> None:
    async with press_between_people(club):
        answer = await club.ana.user.slash("play", game="zeno")
    assert driver.extract_text(driver.get_response(answer).message).startswith(ELSEWHERE)
    row = await club.store.get(Matches).load_row(1)
    assert row is not None
    assert (row.guild, row.channel) == (0, club.ana.user.dm_channel.id)


async def test_who_takes_no_direct_messages_is_told_and_nothing_is_stored(
    club: SimulatedClub,
) -> None:
    await leave_guild(club)
    club.env.inject_error("POST", "/channels/*/messages", status=403, code=50007)
    text = driver.get_ephemeral_text(await club.ana.slash(club.channel, "play", game="zeno"))
    assert text == (
        "I can't show matches here, and you don't take direct messages from me. Allow them in "
        "Discord's privacy settings, or use `/play` in a server that has invited me."
    )
    assert await club.store.get(Matches).load_row(1) is None


async def test_boards_in_direct_messages_are_drawn_as_their_reader_likes_them(
    club: SimulatedClub,
) -> None:
    panel = driver.get_response(await club.ana.user.slash(SETTINGS)).message
    await club.ana.user.select(panel, custom_id="preference:theme", values=["plain"])
    await club.ana.user.slash("play", game="zeno")
    await club.advance_clock(0)
    picture = await get_board(club).attachments[0].read()
    assert get_page_colour(picture) == load_themes()["plain"].page


async def test_no_board_is_posted_again_when_the_bot_is_back(club: SimulatedClub) -> None:
    await club.ana.user.slash("play", game="zeno")
    await club.advance_clock(0)
    before = [message.id for message in list_direct_messages(club)]
    await reach.check_shard(club.bot, 0)
    assert await load_due(club.store.jobs, club.hands(), 9) == []
    await club.advance_clock(0)
    assert [message.id for message in list_direct_messages(club)] == before


async def test_readers_of_direct_messages_are_known_by_their_channel() -> None:
    readers = DirectReaders()
    readers.note(5, DirectReader(1, "de"))
    assert readers.find(0, 5) == DirectReader(1, "de")
    # A channel of a server has the server's reader.
    assert readers.find(7, 5) is None
    for channel in range(10, 10 + 4096):
        readers.note(channel, DirectReader(2, "fr"))
    assert readers.find(0, 5) is None
