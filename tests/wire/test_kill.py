"""The real bot, killed without warning in the middle of moves, loses nothing that anybody was told."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.store import Store

from .discord_server import DiscordServer
from .tabula import Wire

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]

CALLBACK = "/interactions/*/callback"
MOMENTS_S = (0.0, 0.004, 0.008, 0.012, 0.02, 0.03, 0.05)


@pytest_asyncio.fixture
async def wire(tmp_path: Path) -> AsyncIterator[Wire]:
    """A server with Ana and Ben, and a database that is not there yet."""
    async with await DiscordServer.start() as server:
        yield Wire(server, tmp_path / "tabula.sqlite3", server.person("ana"), server.person("ben"))


async def healthy(wire: Wire) -> None:
    """The file is whole, and its match can be played out from its events."""
    async with await Store.open(wire.database) as store:
        assert await store.check() == []


async def refreshed(wire: Wire) -> None:
    """Where the channel shows less than the match, a control left there says so and `/board` brings the match back."""
    if wire.over() or wire.shown_version() == wire.saved_version():
        return
    before = wire.saved_version()
    if wire.newest().pressable():
        told = await wire.act()
        assert told.ephemeral
        assert "has moved on" in told.text
        assert wire.saved_version() == before
    await wire.ana.slash("board", {"share": True})
    assert wire.shown_version() == before


async def test_killed_at_any_moment_of_a_move(wire: Wire) -> None:
    async with wire.bot() as process:
        await wire.begin("zeno")
        await wire.kill(process)
    for moment in MOMENTS_S:
        async with wire.bot() as process:
            await refreshed(wire)
            await wire.act()
            await wire.shown()
            acknowledged = wire.shown_version()
            acting = asyncio.create_task(wire.act(timeout=1.0))
            await asyncio.sleep(moment)
            await wire.kill(process)
            with contextlib.suppress(TimeoutError):
                await acting
            assert wire.saved_version() >= max(acknowledged, wire.shown_version())
            await healthy(wire)


async def test_killed_between_saving_and_answering(wire: Wire) -> None:
    async with wire.bot() as process:
        await wire.begin("zeno")
        before = wire.saved_version()
        gate = wire.server.hold("POST", CALLBACK)
        acting = asyncio.create_task(wire.act(timeout=1.0))
        await gate.reached()
        await wire.kill(process)
        with pytest.raises(TimeoutError):
            await acting
    # Nobody was told, but the throw was made; it stands, and is not thrown again.
    saved = wire.saved_version()
    assert saved > before == wire.shown_version()
    async with wire.bot():
        await refreshed(wire)
        assert wire.saved_version() == saved
        await wire.act()
        assert wire.saved_version() > saved


async def test_an_interaction_that_was_never_received_changes_nothing(wire: Wire) -> None:
    async with wire.bot() as process:
        await wire.begin("zeno")
        before = wire.saved_version()
        await wire.kill(process)
        with pytest.raises(TimeoutError):
            await wire.act(timeout=0.3)
    assert wire.saved_version() == before
    async with wire.bot():
        await wire.act()
        assert wire.saved_version() > before


async def test_a_whole_match_through_kills_has_a_record_that_verifies(wire: Wire, tmp_path: Path) -> None:
    async with wire.bot() as process:
        await wire.begin("twelve-dogs")
        await wire.act()
        await wire.shown()
        await wire.kill(process)
    async with wire.bot() as process:
        for _ in range(4):
            await wire.act()
            await wire.shown()
        await wire.shown()
        await wire.kill(process)
    async with wire.bot():
        while not wire.over():
            await wire.act()
            await wire.shown()
        end = wire.newest()
    record = tmp_path / "record.json"
    record.write_bytes(next(file.data for file in end.files if file.name.endswith(".json")))
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "verify", str(record), stdout=asyncio.subprocess.PIPE
    )
    said, _ = await program.communicate()
    assert program.returncode == 0
    assert b"every event by the rules" in said
