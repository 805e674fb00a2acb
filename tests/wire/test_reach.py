"""Servers and threads that go away over the wire.

Clocks stop there, and matches go on when they can be shown.
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing

import pytest

from engine.clock import DAY

from .sessions import PATIENCE
from .tabula import Wire, live_messages
from .test_threads import accepted, shown_in

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]


def stopped(wire: Wire) -> list[str]:
    """What no time runs in, by the file."""
    with closing(sqlite3.connect(f"file:{wire.database}?mode=ro", uri=True)) as connection:
        lasting = connection.execute("SELECT scope FROM stoppages WHERE ended IS NULL")
        return [scope for (scope,) in lasting]


async def until_stopped(wire: Wire, *scopes: str) -> None:
    """Wait until no time runs in those."""
    await until(lambda: stopped(wire) == list(scopes))


async def until(look: Callable[[], bool]) -> None:
    """Wait until something is so in the file; raises AssertionError."""
    ends = time.monotonic() + PATIENCE
    while not look():
        assert time.monotonic() < ends
        await asyncio.sleep(0.05)


async def test_a_server_without_the_bot_at_its_start_loses_no_match(wire: Wire) -> None:
    guild = wire.server.world.guild_id
    async with wire.bot() as process:
        await wire.begin("zeno", pace="day", rated=True)
        await wire.healed()
        await wire.kill(process)
    wire.server.world.left.add(guild)
    async with wire.bot() as process:
        await until_stopped(wire, "server")
        await wire.kill(process)
    # Of these three days the bot itself misses nothing.
    wire.let_go_by(3 * DAY, unseen=False)
    async with wire.bot():
        await asyncio.sleep(1)
        assert stopped(wire) == ["server"]
        await wire.server.invite_bot(guild)
        await until_stopped(wire)
        await wire.server.message(lambda seen: "so the clock was stopped" in seen.text)
        await wire.play(2)
    assert "timedout" not in [event["event"] for event in await wire.kept()]


async def test_a_server_that_left_during_a_broken_connection_is_missed(wire: Wire) -> None:
    guild = wire.server.world.guild_id
    async with wire.bot():
        await wire.begin("zeno", pace="day")
        await wire.healed()
        wire.server.world.left.add(guild)
        await wire.server.cut(forget=True)
        await until_stopped(wire, "server")
        await wire.server.invite_bot(guild)
        await until_stopped(wire)
        await wire.play(1)


async def test_a_server_that_is_out_of_order_is_played_in_when_it_is_back(wire: Wire) -> None:
    guild = wire.server.world.guild_id
    async with wire.bot():
        await wire.begin("zeno", pace="day")
        await wire.healed()
        await wire.server.make_unavailable(guild)
        await until_stopped(wire, "server")
        await wire.server.make_available(guild)
        await until_stopped(wire)
        await wire.play(2)
        await wire.healed()


async def test_a_match_goes_on_in_the_channel_of_its_locked_thread(wire: Wire) -> None:
    async with wire.bot():
        offer = await accepted(wire)
        thread, _ = await shown_in(wire, offer.message_id or 0)
        await until(lambda: not wire.jobs())
        await wire.server.lock_thread(thread)
        board = await wire.server.message(lambda seen: "so the match continues here" in seen.text)
        assert [each.message_id for each in live_messages(wire.server.channel_messages())] == [
            board.message_id
        ]
        assert stopped(wire) == []
        await wire.play(2)


async def test_a_deleted_channel_stops_the_clock_until_the_match_is_brought_elsewhere(
    wire: Wire,
) -> None:
    hall = wire.server.channel("hall")
    async with wire.bot():
        await wire.begin("zeno", pace="day")
        await wire.healed()
        await wire.server.delete_channel(wire.server.channel("tables"))
        await until_stopped(wire, "match")
        await wire.ana.slash("board", {"share": True}, hall)
        await until_stopped(wire)
        assert len(live_messages(wire.server.channel_messages(hall))) == 1


async def test_a_deleted_message_is_posted_again(wire: Wire) -> None:
    async with wire.bot():
        await wire.begin("zeno")
        await wire.healed()
        old = wire.live_message()
        await wire.server.delete_message(old.message_id or 0)
        await wire.server.message(lambda seen: bool(seen.pressable()))
        assert wire.live_message().message_id != old.message_id
        await wire.play(1)
