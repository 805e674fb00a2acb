"""A program killed in the middle loses nothing that it had said was saved."""

import asyncio
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from bot.features.matches.store import Matches
from bot.platform.db.store import Store
from tests.support.forks import fork_with_pipe
from tests.support.programs import append_forever
from tests.support.stored import start_match

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]


async def _append_and_kill(where: str | Path, match: int, after: int) -> int:
    """Add events until this many actions are acknowledged, then kill without warning.

    Returns the last version that was reported.
    """
    async with fork_with_pipe(append_forever, where, match) as (process, pipe):
        said: list[int] = [await asyncio.to_thread(pipe.recv) for _ in range(after)]
        process.kill()
        # The kill may cut short what it says last.
        with suppress(EOFError, OSError):
            while True:
                said.append(pipe.recv())
        assert await process.wait() == -signal.SIGKILL
    return max(said)


@pytest.mark.sweep
async def test_every_acknowledged_event_survives_being_killed(
    store: Store, where: str | Path
) -> None:
    match = await start_match(store)
    await store.close()
    for after in (1, 2, 13, 40):
        said = await asyncio.wait_for(_append_and_kill(where, match, after), 120)
        async with await Store.open(where) as again:
            assert await again.find_problems() == []
            row, events = (
                await again.get(Matches).load_row(match),
                await again.get(Matches).load_events(match),
            )
        assert row is not None
        assert [event.version for event in events] == list(range(1, row.version + 1))
        # The last action may have been saved without a chance to say so;
        # each adds three events, never fewer.
        assert row.version in (said, said + 3)
