"""What tests of the bot as a process share."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from .discord_server import DiscordServer
from .sessions import PATIENCE
from .tabula import Wire


@pytest_asyncio.fixture
async def wire(tmp_path: Path) -> AsyncIterator[Wire]:
    """A server with Ana and Ben, and a database that is not there yet."""
    # A busy machine may pause for longer than Discord waits, which is no fault of the bot's.
    async with await DiscordServer.start(deadline_s=PATIENCE) as server:
        yield Wire(server, tmp_path / "tabula.sqlite3", server.person("ana"), server.person("ben"))
