"""A thread for each match, where a server wants it and Discord lets the bot open one.

It is opened, played in and archived.
"""

import re

import discord
import pytest
import simcord

from bot.features.matches.places import ARCHIVE_DELAY_MS
from tests.support.club import SimulatedClub
from tests.support.driver import (
    extract_text,
    find_button,
    get_ephemeral_text,
    get_newest_message,
    give_up,
    list_button_labels,
    list_control_ids,
    list_menus,
    list_public_messages,
    start_match,
)
from tests.support.panels import change_server

pytestmark = pytest.mark.asyncio


async def enable_threads(club: SimulatedClub) -> None:
    """Let each match have a thread of its own."""
    text = get_ephemeral_text(await change_server(club.ana, club.channel, threads=True))
    assert "Each match has its own thread." in text


def get_live_message(channel: simcord.ChannelHandle) -> discord.Message:
    """The message with the controls of a channel's match."""
    (message,) = [message for message in channel.history() if list_control_ids(message)]
    return message


def find_mentioned_player(club: SimulatedClub, message: discord.Message) -> simcord.MemberActor:
    """The one of Ana and Ben whose throw or play a message waits for."""
    found = re.search(r"<@(\d+)> \(\w+\), your", extract_text(message))
    assert found
    return club.ana if int(found[1]) == club.ana.id else club.ben


@pytest.mark.usefixtures("own_throws")
async def test_a_match_is_played_in_a_thread_under_its_challenge_which_is_archived_at_the_end(
    club: SimulatedClub,
) -> None:
    await enable_threads(club)
    await start_match(club, "zeno")
    (thread,) = club.channel.threads
    challenge = club.channel.history()[0]
    assert (thread.id, thread.name) == (challenge.id, "Zeno: Ana and Ben")
    turn = get_live_message(thread)
    person = find_mentioned_player(club, turn)
    await person.slash(thread, "roll")
    if list_menus(get_live_message(thread)):
        await person.slash(
            thread, "move", play=list_menus(get_live_message(thread))[0].options[0].value
        )
    assert "### Zeno" in get_ephemeral_text(await person.slash(thread, "match board"))
    await person.click(
        get_live_message(thread), custom_id=list_control_ids(get_live_message(thread))[0]
    )
    assert not [message for message in list_public_messages(club) if list_control_ids(message)]
    await give_up(club, person, thread, match=1)
    assert "resigned" in extract_text(thread.history()[-1])

    def is_archived() -> bool:
        metadata = club.env.backend.channels[thread.id].thread_metadata
        return metadata is not None and metadata.archived

    assert not is_archived()
    await club.advance_clock(ARCHIVE_DELAY_MS)
    assert is_archived()
    # A rematch is offered beside the thread, and has one of its own.
    await club.ben.click(thread.history()[-1], label="Rematch, sides swapped")
    await club.env.settle()
    offered = next(
        message
        for message in reversed(list_public_messages(club))
        if "Accept" in list_button_labels(message)
    )
    await club.ana.click(offered, custom_id=find_button(offered, ":accept"))
    assert [each.id for each in club.channel.threads] == [thread.id, offered.id]


async def test_a_match_against_the_computer_has_a_line_over_its_thread(club: SimulatedClub) -> None:
    await enable_threads(club)
    await club.ana.slash(club.channel, "play", game="zeno")
    (thread,) = club.channel.threads
    line = club.channel.history()[0]
    assert line.id == thread.id
    assert extract_text(line) == f"Match 1, Zeno: <@{club.ana.id}> against Computer (companion)."
    assert len(list_control_ids(get_live_message(thread))) > 0


@pytest.mark.parametrize("name", ["create_public_threads", "send_messages_in_threads"])
@pytest.mark.usefixtures("own_throws")
async def test_where_no_thread_may_be_opened_the_channel_is_played_in_and_says_so_once(
    club: SimulatedClub, name: str
) -> None:
    await enable_threads(club)
    denied = discord.PermissionOverwrite(**{name: False})
    hall = club.guild.create_text_channel("hall", overwrites={club.guild.default_role: denied})
    lacking = {"create_public_threads": "Create Public Threads"}.get(
        name, "Send Messages in Threads"
    )
    assert f"- In <#{hall.id}> I'm missing {lacking}." in get_ephemeral_text(
        await change_server(club.ana, hall)
    )
    await club.ana.slash(hall, "challenge", game="zeno", opponent=club.ben)
    offer = hall.history()[-1]
    await club.ben.click(offer, custom_id=find_button(offer, ":accept"))
    remark = f"I can't open a thread for this match without {lacking}, so it's played here."
    assert f"-# {remark}" in extract_text(get_live_message(hall))
    await find_mentioned_player(club, get_live_message(hall)).click(
        get_live_message(hall), label="Roll"
    )
    assert remark not in extract_text(get_live_message(hall))
    assert club.channel.threads == hall.threads == []


async def test_a_refused_thread_hinders_nothing(club: SimulatedClub) -> None:
    await enable_threads(club)
    club.env.inject_error("POST", "/channels/*/messages/*/threads", status=400, code=160006)
    await start_match(club, "zeno")
    assert "I couldn't open a thread for this match, so it's played here." in extract_text(
        get_newest_message(club)
    )
    assert list_control_ids(get_newest_message(club))
