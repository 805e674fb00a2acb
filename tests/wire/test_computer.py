"""The real bot, killed or stopped at the computer's turn: nothing is lost or done twice."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.forks import ForkedProcess
from tests.support.programs import is_running

from .sessions import PATIENCE_S, poll_until
from .tabula import WireHarness

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]

KILLS = 6
GAME = "laquet"


async def begin_match(wire: WireHarness) -> None:
    """Ana begins a match against the computer, in which she is to act."""
    await wire.ana.slash("play", {"game": GAME})
    await wire.wait_until_shown()


async def play_to_turn_end(wire: WireHarness) -> None:
    """Play until the next act of Ana's gives the turn to the computer."""
    while not any("plays:" in custom_id for custom_id in wire.get_newest_message().find_controls()):
        await wire.play(1)


async def test_killed_at_any_time_of_the_computers_turn(wire: WireHarness) -> None:
    async with wire.start_bot():
        await begin_match(wire)
        await play_to_turn_end(wire)
        begun = time.monotonic()
        await wire.play(1)
        usual = time.monotonic() - begun
    for kill in range(KILLS):
        async with wire.start_bot() as process:
            await wire.wait_for_jobs()
            await play_to_turn_end(wire)
            before = await wire.load_events()
            await wire.kill_during(
                process, wire.act_by_control(), asyncio.sleep(usual * kill / (KILLS - 2))
            )
        left = await wire.load_events()
        assert left[: len(before)] == before
        async with wire.start_bot():
            await wire.wait_for_jobs()
            # What was saved stands, throws too, and it is Ana's turn in the one live message.
            assert (await wire.load_events())[: len(left)] == left


async def test_workers_end_with_the_bot_when_it_is_stopped(wire: WireHarness) -> None:
    async with wire.start_bot() as process:
        await begin_match(wire)
        await play_to_turn_end(wire)
        await wire.play(1)
        workers = _list_children(process)
        assert workers
        process.terminate()
        assert await process.wait() == 143
        await poll_until(lambda: not any(map(is_running, workers)), PATIENCE_S)


def _list_children(process: ForkedProcess) -> Sequence[int]:
    found: Any = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    return [int(child) for child in found.split()]
