"""On a stop, the bot finishes what it has begun, and begins nothing that may be too late."""

import asyncio
import signal
from pathlib import Path

import pytest

from .tabula import Wire, first_control, logged

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]

ENDED = 143
"""The status of a program that ended because it was told to by SIGTERM."""
LONGEST_S = 20.0


async def test_what_comes_as_the_bot_ends_is_not_acknowledged_and_what_came_before_is_done(
    wire: Wire, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    with log.open("wb") as complaints:
        async with wire.bot(stderr=complaints.fileno()) as process:
            await wire.begin("zeno")
            await wire.to_a_throw()
            before = wire.saved_version()
            showing = wire.server.faults.hold("edit message")
            seen = wire.newest()
            rolled = await wire.called().begin_use(seen, first_control(seen))
            await showing.reached()
            process.send_signal(signal.SIGTERM)
            await logged(log, "told to end", LONGEST_S)
            challenged = await wire.ben.begin_slash("challenge", {"game": "zeno"})
            await logged(
                log, f"interaction {challenged.id} came as the program was ending", LONGEST_S
            )
            showing.release()
            assert await asyncio.wait_for(process.wait(), LONGEST_S) == ENDED
    assert rolled.answered is not None
    assert before < wire.saved_version() == wire.shown_version()
    assert challenged.answered is None
    async with wire.bot():
        await wire.healed()
        await wire.play(2)
    assert await wire.kept()
