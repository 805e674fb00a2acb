"""A thread for each match, where a server wants it and Discord lets the bot open one.

It is opened, played in and archived.
"""

import re

import discord
import pytest
import simcord

from bot.delivery.threads import LINGERS
from tests.bot.conftest import Club
from tests.bot.driver import begin, button, controls, labels, menus, newest, said, seen, text

pytestmark = pytest.mark.asyncio


async def with_threads(club: Club) -> None:
    """Let each match have a thread of its own."""
    told = said(await club.ana.slash(club.channel, "server matches", threads=True))
    assert "Each match has its own thread." in told


def live(channel: simcord.ChannelHandle) -> discord.Message:
    """The message with the controls of a channel's match."""
    (message,) = [message for message in channel.history() if controls(message)]
    return message


def called(club: Club, message: discord.Message) -> simcord.MemberActor:
    """The one of Ana and Ben whose throw or play a message waits for."""
    found = re.search(r"<@(\d+)> \(\w+\), your", text(message))
    assert found
    return club.ana if int(found[1]) == club.ana.id else club.ben


async def test_a_match_is_played_in_a_thread_under_its_challenge_which_is_archived_at_the_end(
    club: Club,
) -> None:
    await with_threads(club)
    await begin(club, "zeno")
    (thread,) = club.channel.threads
    challenge = club.channel.history()[0]
    assert (thread.id, thread.name) == (challenge.id, "Zeno: Ana and Ben")
    turn = live(thread)
    person = called(club, turn)
    await person.slash(thread, "roll")
    if menus(live(thread)):
        await person.slash(thread, "move", play=menus(live(thread))[0].options[0].value)
    assert "### Zeno" in said(await person.slash(thread, "board"))
    await person.click(live(thread), custom_id=controls(live(thread))[0])
    assert not [message for message in seen(club) if controls(message)]
    await person.slash(thread, "resign", match=1)
    assert "resigned" in text(thread.history()[-1])

    def is_archived() -> bool:
        metadata = club.env.backend.channels[thread.id].thread_metadata
        return metadata is not None and metadata.archived

    assert not is_archived()
    await club.later(LINGERS)
    assert is_archived()
    # A rematch is offered beside the thread, and has one of its own.
    await club.ben.click(thread.history()[-1], label="Rematch")
    await club.env.settle()
    offered = next(message for message in reversed(seen(club)) if "Accept" in labels(message))
    await club.ana.click(offered, custom_id=button(offered, ":accept"))
    assert [each.id for each in club.channel.threads] == [thread.id, offered.id]


async def test_a_match_against_the_computer_has_a_line_over_its_thread(club: Club) -> None:
    await with_threads(club)
    await club.ana.slash(club.channel, "play", game="zeno")
    (thread,) = club.channel.threads
    line = club.channel.history()[0]
    assert line.id == thread.id
    assert text(line) == f"Match 1, Zeno: <@{club.ana.id}> against Tabula (companion)."
    assert len(controls(live(thread))) > 0


@pytest.mark.parametrize("name", ["create_public_threads", "send_messages_in_threads"])
async def test_where_no_thread_may_be_opened_the_channel_is_played_in_and_says_so_once(
    club: Club, name: str
) -> None:
    await with_threads(club)
    denied = discord.PermissionOverwrite(**{name: False})
    hall = club.guild.create_text_channel("hall", overwrites={club.guild.default_role: denied})
    lacking = {"create_public_threads": "Create Public Threads"}.get(
        name, "Send Messages in Threads"
    )
    assert f"- In <#{hall.id}> I'm missing {lacking}." in said(
        await club.ana.slash(hall, "server matches")
    )
    await club.ana.slash(hall, "challenge", game="zeno", opponent=club.ben)
    offer = hall.history()[-1]
    await club.ben.click(offer, custom_id=button(offer, ":accept"))
    remark = f"I can't open a thread for this match without {lacking}, so it's played here."
    assert f"-# {remark}" in text(live(hall))
    await called(club, live(hall)).click(live(hall), label="Roll")
    assert remark not in text(live(hall))
    assert club.channel.threads == hall.threads == []


async def test_a_refused_thread_hinders_nothing(club: Club) -> None:
    await with_threads(club)
    club.env.inject_error("POST", "/channels/*/messages/*/threads", status=400, code=160006)
    await begin(club, "zeno")
    assert "I couldn't open a thread for this match, so it's played here." in text(newest(club))
    assert controls(newest(club))
