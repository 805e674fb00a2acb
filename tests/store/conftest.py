"""A store in a file of its own."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.store import Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the database lies."""
    return tmp_path / "tabula.db"


@pytest_asyncio.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    """The open store."""
    async with await Store.open(path) as opened:
        yield opened
