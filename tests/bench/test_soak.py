"""Whether the bot's memory stays steady while people play and read for a long time.

Matches end, and new ones of every game begin at the same tables. By hand, for as many minutes as
you like: `.venv/bin/python -m tests.bench.test_soak 60`.
"""

import asyncio
import random
import statistics
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.games import GAMES
from tests.bench import stocking
from tests.bench.club import club
from tests.bench.stocking import Stock
from tests.bench.tables import READS, Tables, Wait, go_steadily, share
from tests.bench.test_growth import STARTS_S, memory_of, seated
from tests.wire.discord_server import DiscordServer
from tests.wire.processes import RUN, bot_process

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
class Soaked:
    """The bot's memory in MiB, sample by sample, people's waits, and how many matches ended."""

    memory: Sequence[float]
    waits: Sequence[Wait]
    ended: int

    @property
    def slope(self) -> float:
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
            f"{self.slope:+.0f} MiB an hour in the second half; "
            f"the next message after {share(outcomes, 0.5):.2f} s (half), "
            f"{share(outcomes, 0.99):.2f} s (99 of 100)"
        )


async def measured(folder: Path, seconds: float) -> Soaked:
    """Let people play for so long."""
    where = folder / "soak.sqlite3"
    await stocking.begin(where, await club(folder / "club.sqlite3"))
    await stocking.grow(where, Stock(0, 0), STOCK)
    async with await DiscordServer.start(channel_names=()) as server:
        tables = await seated(server, where, STOCK)
        settings = {"TABULA_DATABASE": where.name}
        process = bot_process(
            server.api, server.world.token, *RUN, folder=folder, stderr=DEVNULL, **settings
        )
        async with process as bot, tables.followed():
            await server.ready(STARTS_S)
            await tables.brought(STOCK.going, STARTS_S)
            return await _soaked(tables, bot, seconds)


async def _soaked(tables: Tables, bot: Process, seconds: float) -> Soaked:
    memory: list[float] = []
    waits: list[Wait] = []
    ended = 0
    chance = random.Random("soak")
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        for table in chance.sample(tables.playable, min(GIVEN_UP, len(tables.playable))):
            await tables.ask(table, "resign", {})
        over = [table for table in tables.by_channel.values() if table.shown is None]
        ended += sum(table.over for table in over)
        await asyncio.gather(
            *(tables.begin_anew(table, chance.choice(sorted(GAMES))) for table in over)
        )
        waits += await go_steadily(tables, min(SAMPLE_S, seconds), PACE, READS)
        memory.append(memory_of(bot))
        sys.stderr.write(f"{len(waits)} acts, {ended} over, {memory[-1]:.1f} MiB\n")
    return Soaked(memory, waits, ended)


async def _main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        sys.stdout.write(f"{await measured(Path(folder), 60 * float(sys.argv[1]))}\n")


@pytest.mark.bench
@pytest.mark.asyncio
async def test_people_play_for_a_while(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    soaked = await measured(tmp_path, 4 * SAMPLE_S)
    with capsys.disabled():
        sys.stdout.write(f"\n{soaked}\n")
    assert all(wait.outcome < float("inf") for wait in soaked.waits)


if __name__ == "__main__":
    asyncio.run(_main())
