"""Servers and threads that go away over the wire.

Clocks stop there, and matches go on when they can be shown.
"""

import asyncio
import sqlite3
from contextlib import closing

import pytest

from engine.clock import DAY

from .sessions import poll_until
from .tabula import WireHarness, filter_live_messages
from .test_threads import accept_challenge, wait_for_thread

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]


def list_stopped_scopes(wire: WireHarness) -> list[str]:
    """What no time runs in, by the file."""
    with closing(sqlite3.connect(f"file:{wire.database}?mode=ro", uri=True)) as connection:
        lasting = connection.execute("SELECT scope FROM stoppages WHERE ended IS NULL")
        return [scope for (scope,) in lasting]


async def wait_until_stopped(wire: WireHarness, *scopes: str) -> None:
    """Wait until no time runs in those."""
    await poll_until(lambda: list_stopped_scopes(wire) == list(scopes))


async def test_a_server_without_the_bot_at_its_start_loses_no_match(wire: WireHarness) -> None:
    guild = wire.server.world.first_guild_id
    async with wire.start_bot() as process:
        await wire.begin_match("zeno", pace="day", rated=True)
        await wire.wait_for_jobs()
        await wire.kill(process)
    wire.server.world.left.add(guild)
    async with wire.start_bot() as process:
        await wait_until_stopped(wire, "server")
        await wire.kill(process)
    # Of these three days the bot itself misses nothing.
    wire.pass_time(3 * DAY, unseen=False)
    async with wire.start_bot():
        await asyncio.sleep(1)
        assert list_stopped_scopes(wire) == ["server"]
        await wire.server.invite_bot(guild)
        await wait_until_stopped(wire)
        await wire.server.wait_for_message(lambda reply: "so the clock was stopped" in reply.text)
        await wire.play(2)
    assert "timedout" not in [event["event"] for event in await wire.load_events()]


async def test_a_server_that_left_during_a_broken_connection_is_missed(wire: WireHarness) -> None:
    guild = wire.server.world.first_guild_id
    async with wire.start_bot():
        await wire.begin_match("zeno", pace="day")
        await wire.wait_for_jobs()
        wire.server.world.left.add(guild)
        await wire.server.drop_connections(forget=True)
        await wait_until_stopped(wire, "server")
        await wire.server.invite_bot(guild)
        await wait_until_stopped(wire)
        # The newest message may be the greeting, which has a button too.
        reply, before = wire.get_live_message(), wire.get_saved_version()
        await wire.press(wire.get_next_player(reply), reply, wire.find_next_control(reply))
        await wire.wait_until_shown(after=before)


async def test_a_server_that_is_out_of_order_is_played_in_when_it_is_back(
    wire: WireHarness,
) -> None:
    guild = wire.server.world.first_guild_id
    async with wire.start_bot():
        await wire.begin_match("zeno", pace="day")
        await wire.wait_for_jobs()
        await wire.server.make_unavailable(guild)
        await wait_until_stopped(wire, "server")
        await wire.server.make_available(guild)
        await wait_until_stopped(wire)
        await wire.play(2)
        await wire.wait_for_jobs()


async def test_a_match_goes_on_in_the_channel_of_its_locked_thread(wire: WireHarness) -> None:
    async with wire.start_bot():
        offer = await accept_challenge(wire)
        thread, _ = await wait_for_thread(wire, offer.message_id or 0)
        await poll_until(lambda: not wire.list_jobs())
        await wire.server.lock_thread(thread)
        board = await wire.server.wait_for_message(
            lambda reply: "so the match continues here" in reply.text
        )
        assert [each.message_id for each in filter_live_messages(wire.server.list_messages())] == [
            board.message_id
        ]
        assert list_stopped_scopes(wire) == []
        await wire.play(2)


async def test_a_deleted_channel_stops_the_clock_until_the_match_is_brought_elsewhere(
    wire: WireHarness,
) -> None:
    hall = wire.server.get_channel("hall")
    async with wire.start_bot():
        await wire.begin_match("zeno", pace="day")
        await wire.wait_for_jobs()
        await wire.server.delete_channel(wire.server.get_channel("tables"))
        await wait_until_stopped(wire, "match")
        await wire.ana.slash("match board", {"share": True}, hall)
        await wait_until_stopped(wire)
        assert len(filter_live_messages(wire.server.list_messages(hall))) == 1


async def test_a_deleted_message_is_posted_again(wire: WireHarness) -> None:
    async with wire.start_bot():
        await wire.begin_match("zeno")
        await wire.wait_for_jobs()
        old = wire.get_live_message()
        await wire.server.delete_message(old.message_id or 0)
        await wire.server.wait_for_message(lambda reply: bool(reply.find_controls()))
        assert wire.get_live_message().message_id != old.message_id
        await wire.play(1)
