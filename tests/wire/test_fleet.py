"""Three processes on one PostgreSQL and sixteen shards.

Whichever is killed or restarted, nothing is lost or doubled.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.store.conftest import server as server
from tests.store.server import PostgreSQLServer

from .fleet import PATIENCE_S, Fleet, start_fleet

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]
TABLES = 12


@pytest_asyncio.fixture
async def many(server: PostgreSQLServer, tmp_path: Path) -> AsyncIterator[Fleet]:
    """Three processes, and a dozen matches that have begun."""
    async with start_fleet(server.create_database(), tmp_path, TABLES) as made:
        yield made


async def test_matches_go_on_while_processes_are_killed_and_restarted_in_turn(many: Fleet) -> None:
    """A stopped process finishes what it has begun; a killed one leaves it to its successor."""
    playing = asyncio.create_task(many.play_for(2 * PATIENCE_S))
    first, second, third = many.members
    await asyncio.sleep(1)
    await many.kill_member(first)
    await many.start_member(first)
    await many.kill_member(second)
    await many.start_member(second)
    await many.stop_member(third)
    await many.start_member(third)
    await many.stop_member(first)
    await many.start_member(first)
    await playing
    found = await many.verify_tables()
    assert found.matches == TABLES
    assert found.lost == []
    assert found.saved > TABLES
