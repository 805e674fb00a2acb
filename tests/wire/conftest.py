"""What tests of the bot as a process share."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from .discord_server import MEMBER_PERMISSIONS, DiscordServer
from .sessions import PATIENCE_S
from .tabula import WireHarness, create_own_throws
from .world import MANAGE_GUILD


@pytest_asyncio.fixture
async def wire(tmp_path: Path) -> AsyncIterator[WireHarness]:
    """A server with Ana and Ben, and a database that knows that they throw their own dice."""
    # A busy machine may pause for longer than Discord waits, which is no fault of the bot's.
    async with await DiscordServer.start(deadline_s=PATIENCE_S) as server:
        # As those who open a server, Ana may manage it.
        ana = server.get_person("ana", permissions=MEMBER_PERMISSIONS | MANAGE_GUILD)
        ben, database = server.get_person("ben"), tmp_path / "tabula.sqlite3"
        await create_own_throws(database, ana, ben)
        yield WireHarness(server, database, ana, ben)


@pytest_asyncio.fixture
async def server() -> AsyncIterator[DiscordServer]:
    """A server without a bot."""
    async with await DiscordServer.start() as started:
        yield started
