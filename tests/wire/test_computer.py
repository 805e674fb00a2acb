"""The real bot, killed or stopped at the computer's turn: nothing is lost or done twice."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.forks import Forked

from .sessions import PATIENCE
from .tabula import Wire

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]

KILLS = 6
GAME = "laquet"


async def begin(wire: Wire) -> None:
    """Ana begins a match against the computer, in which she is to act."""
    await wire.ana.slash("play", {"game": GAME})
    await wire.shown()


async def to_the_end_of_a_turn(wire: Wire) -> None:
    """Play until the next act of Ana's gives the turn to the computer."""
    while not any("plays:" in custom_id for custom_id in wire.newest().pressable()):
        await wire.play(1)


async def test_killed_at_any_time_of_the_computers_turn(wire: Wire) -> None:
    async with wire.bot():
        await begin(wire)
        await to_the_end_of_a_turn(wire)
        begun = time.monotonic()
        await wire.play(1)
        usual = time.monotonic() - begun
    for kill in range(KILLS):
        async with wire.bot() as process:
            await wire.healed()
            await to_the_end_of_a_turn(wire)
            before = await wire.kept()
            await wire.killed(process, wire.act(), asyncio.sleep(usual * kill / (KILLS - 2)))
        left = await wire.kept()
        assert left[: len(before)] == before
        async with wire.bot():
            await wire.healed()
            # What was saved stands, throws too, and it is Ana's turn in the one live message.
            assert (await wire.kept())[: len(left)] == left


async def test_workers_end_with_the_bot_when_it_is_stopped(wire: Wire) -> None:
    async with wire.bot() as process:
        await begin(wire)
        await to_the_end_of_a_turn(wire)
        await wire.play(1)
        workers = _children(process)
        assert workers
        process.terminate()
        assert await process.wait() == 143
        begun = time.monotonic()
        while any(_runs(worker) for worker in workers):
            assert time.monotonic() - begun < PATIENCE
            await asyncio.sleep(0.05)


def _children(process: Forked) -> Sequence[int]:
    found: Any = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    return [int(child) for child in found.split()]


def _runs(process: int) -> bool:
    stat = Path(f"/proc/{process}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"
