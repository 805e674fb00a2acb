"""On a stop, the bot finishes what it has begun, and begins nothing that may be too late."""

import asyncio
import signal
from pathlib import Path

import pytest

from .tabula import WireHarness, wait_for_log

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]

ENDED = 143
"""The status of a program that ended because it was told to by SIGTERM."""
MAX_S = 20.0


async def test_what_comes_as_the_bot_ends_is_not_acknowledged_and_what_came_before_is_done(
    wire: WireHarness, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    with log.open("wb") as complaints:
        async with wire.start_bot(stderr=complaints.fileno()) as process:
            await wire.begin_match("zeno")
            await wire.play_to_throw()
            before = wire.get_saved_version()
            showing = wire.server.faults.hold_request("edit message")
            reply = wire.get_newest_message()
            rolled = await wire.begin_next(wire.get_next_player(), reply)
            await showing.wait_until_reached()
            process.send_signal(signal.SIGTERM)
            await wait_for_log(log, "shutting down", MAX_S)
            challenged = await wire.ben.begin_slash("challenge", {"game": "zeno"})
            await wait_for_log(
                log, f"interaction {challenged.id} arrived during the shutdown", MAX_S
            )
            showing.release()
            assert await asyncio.wait_for(process.wait(), MAX_S) == ENDED
    assert rolled.answered is not None
    assert before < wire.get_saved_version() == wire.get_shown_version()
    assert challenged.answered is None
    async with wire.start_bot():
        await wire.wait_for_jobs()
        await wire.play(2)
    assert await wire.load_events()
