"""Three processes on one PostgreSQL and sixteen shards.

Whichever is killed or restarted, nothing is lost or doubled.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.store.conftest import server as server
from tests.store.server import PostgreSQL

from .fleet import PATIENCE_S, Fleet, fleet

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]
TABLES = 12


@pytest_asyncio.fixture
async def many(server: PostgreSQL, tmp_path: Path) -> AsyncIterator[Fleet]:
    """Three processes, and a dozen matches that have begun."""
    async with fleet(server.empty(), tmp_path, TABLES) as made:
        yield made


async def test_matches_go_on_while_processes_are_killed_and_restarted_in_turn(many: Fleet) -> None:
    """A stopped process finishes what it has begun; a killed one leaves it to its successor."""
    playing = asyncio.create_task(many.play(2 * PATIENCE_S))
    first, second, third = many.members
    await asyncio.sleep(1)
    await many.kill(first)
    await many.start(first)
    await many.kill(second)
    await many.start(second)
    await many.stop(third)
    await many.start(third)
    await many.stop(first)
    await many.start(first)
    await playing
    found = await many.verified()
    assert found.matches == TABLES
    assert found.lost == []
    assert found.saved > TABLES
