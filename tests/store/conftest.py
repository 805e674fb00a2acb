"""A store in a file of its own, which has met four people."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.store import Store
from tests.store.scene import PEOPLE


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the database lies."""
    return tmp_path / "tabula.db"


@pytest_asyncio.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    """The open store."""
    async with await Store.open(path) as opened:
        for person, name in PEOPLE.items():
            await opened.people.remember(person, name, 1)
        yield opened
