"""A program killed in the middle loses nothing that it had said was saved."""

import asyncio
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from bot.store import Store
from tests.store.build import started

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]


async def _killed(where: str | Path, match: int, after: int) -> int:
    """Have events added until so many actions were acknowledged, kill without warning, return the last version said."""
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.store.appender", str(where), str(match), stdout=PIPE
    )
    assert program.stdout is not None
    said = [await program.stdout.readline() for _ in range(after)]
    program.kill()
    said += (await program.stdout.read()).splitlines(keepends=True)
    assert await program.wait() == -9
    # The kill may cut the last line short.
    return max(int(line) for line in said if line.endswith(b"\n"))


async def test_every_acknowledged_event_survives_being_killed(store: Store, where: str | Path) -> None:
    match = await started(store)
    await store.close()
    for after in (1, 2, 13, 40):
        said = await asyncio.wait_for(_killed(where, match, after), 30)
        async with await Store.open(where) as again:
            assert await again.check() == []
            row, events = await again.matches.get(match), await again.matches.events(match)
        assert row is not None
        assert [event.version for event in events] == list(range(1, row.version + 1))
        # The last action may have been saved without a chance to say so; each adds three events, never fewer.
        assert row.version in (said, said + 3)
