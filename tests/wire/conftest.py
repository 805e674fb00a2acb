"""What tests of the bot as a process share."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from .discord_server import MEMBER_PERMISSIONS, DiscordServer
from .sessions import PATIENCE_S
from .tabula import WireHarness
from .world import MANAGE_GUILD


@pytest_asyncio.fixture
async def wire(tmp_path: Path) -> AsyncIterator[WireHarness]:
    """A server with Ana and Ben, and a database that is not there yet."""
    # A busy machine may pause for longer than Discord waits, which is no fault of the bot's.
    async with await DiscordServer.start(deadline_s=PATIENCE_S) as server:
        # As those who open a server, Ana may manage it.
        ana = server.get_person("ana", permissions=MEMBER_PERMISSIONS | MANAGE_GUILD)
        yield WireHarness(server, tmp_path / "tabula.sqlite3", ana, server.get_person("ben"))
