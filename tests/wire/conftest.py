"""What tests of the bot as a process share."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from .discord_server import DiscordServer
from .tabula import Wire


@pytest_asyncio.fixture
async def wire(tmp_path: Path) -> AsyncIterator[Wire]:
    """A server with Ana and Ben, and a database that is not there yet."""
    async with await DiscordServer.start() as server:
        yield Wire(server, tmp_path / "tabula.sqlite3", server.person("ana"), server.person("ben"))
