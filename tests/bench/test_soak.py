"""Whether the bot's memory stays steady while people play and read for a long time.

Matches end, and new ones of every game begin at the same tables. By hand, for as many minutes as
you like: `.venv/bin/python -m tests.bench.test_soak 60`.
"""

import asyncio
import random
import statistics
import sys
import time
from asyncio.subprocess import Process
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.games import GAMES
from tests.bench import by_hand, stocking
from tests.bench.club import play_club_season
from tests.bench.stocking import Stock
from tests.bench.tables import READS, ActWait, BenchTables, compute_quantile, play_steadily
from tests.bench.test_growth import measure_memory, serve_stock
from tests.wire.processes import RUN_COMMAND

STOCK = Stock(30, 1_000)
PACE = 6.0
"""Acts a second."""
SAMPLE_S = 30.0
"""Seconds between two looks at the memory."""
GIVEN_UP = 6
"""Matches that are given up between two samples.

So many matches end, and every game is soon played.
"""


@dataclass(frozen=True)
class SoakFigures:
    """The bot's memory in MiB, sample by sample, people's waits, and how many matches ended."""

    memory: Sequence[float]
    waits: Sequence[ActWait]
    ended: int

    @property
    def memory_slope(self) -> float:
        """Return by how many MiB an hour the memory rose in the second half.

        It is the slope of the straight line that fits best.
        """
        late = self.memory[len(self.memory) // 2 :]
        hours = [at * SAMPLE_S / 3600 for at in range(len(late))]
        return statistics.linear_regression(hours, late).slope

    def __str__(self) -> str:
        quarter = max(len(self.memory) // 4, 1)
        means = [
            statistics.mean(self.memory[at : at + quarter]) for at in range(0, 4 * quarter, quarter)
        ]
        later = self.memory[quarter:]
        outcomes = [wait.outcome for wait in self.waits if wait.what == "press"]
        return (
            f"{len(self.waits):,} acts, {self.ended:,} matches over; memory by quarters: "
            f"{', '.join(f'{mean:.0f}' for mean in means)} MiB, "
            f"{min(later):.0f} to {max(later):.0f} after the first, "
            f"{self.memory_slope:+.0f} MiB an hour in the second half; "
            f"the next message after {compute_quantile(outcomes, 0.5):.2f} s (half), "
            f"{compute_quantile(outcomes, 0.99):.2f} s (99 of 100)"
        )


async def measure_soak(folder: Path, seconds: float) -> SoakFigures:
    """Let people play for so long."""
    where = folder / "soak.sqlite3"
    await stocking.create_database(where, await play_club_season(folder / "club.sqlite3"))
    await stocking.grow_database(where, Stock(0, 0), STOCK)
    async with serve_stock(RUN_COMMAND, where, folder, STOCK) as (tables, bot, _):
        return await _play_and_sample(tables, bot, seconds)


async def _play_and_sample(tables: BenchTables, bot: Process, seconds: float) -> SoakFigures:
    memory: list[float] = []
    waits: list[ActWait] = []
    ended = 0
    chance = random.Random("soak")
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        for table in chance.sample(
            tables.playable_tables, min(GIVEN_UP, len(tables.playable_tables))
        ):
            await tables.use_command(table, "match resign", {})
        over = [table for table in tables.by_channel.values() if table.shown is None]
        ended += sum(table.over for table in over)
        await asyncio.gather(
            *(tables.start_match(table, chance.choice(sorted(GAMES))) for table in over)
        )
        waits += await play_steadily(tables, min(SAMPLE_S, seconds), PACE, READS)
        memory.append(measure_memory(bot))
        sys.stderr.write(f"{len(waits)} acts, {ended} over, {memory[-1]:.1f} MiB\n")
    return SoakFigures(memory, waits, ended)


async def measure_minutes(folder: Path, minutes: int) -> str:
    """Let people play for so many minutes, of four samples at least, and report it."""
    return str(await measure_soak(folder, max(60.0 * minutes, 4 * SAMPLE_S)))


@pytest.mark.bench
@pytest.mark.asyncio
async def test_people_play_for_a_while(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    soaked = await measure_soak(tmp_path, 4 * SAMPLE_S)
    with capsys.disabled():
        sys.stdout.write(f"\n{soaked}\n")
    assert all(wait.outcome < float("inf") for wait in soaked.waits)


if __name__ == "__main__":
    by_hand.print_measurement(measure_minutes)
