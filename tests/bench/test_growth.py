"""How the bot does while its database grows: more matches that go on, and more that are over.

The real bot is a process of its own at the stand-in, on a SQLite file or on a PostgreSQL server,
stocked by SQL. First people at thirty tables act as soon as they see something new, then at a
steady pace, and read besides. Beside it a small bot that keeps nothing serves as many people. By
hand, with any numbers of open and stored matches, on either:
`.venv/bin/python -m tests.bench.test_growth sqlite 10/1000 100/1000 1000/1000`.
"""

import argparse
import asyncio
import os
import re
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from tests.bench import stocking
from tests.bench.club import CHANNEL, GUILD, play_club_season
from tests.bench.late_bot import LATE_BOT, load_lateness
from tests.bench.stocking import Stock
from tests.bench.tables import (
    AT_ONCE,
    READS,
    ActWait,
    BenchTables,
    compute_quantile,
    play_fast,
    play_steadily,
)
from tests.bench.test_load import PLAIN, PLAIN_CONTROL, measure_processor_time
from tests.support.postgresql import PostgreSQLServer
from tests.wire.discord_server import DiscordServer
from tests.wire.processes import start_bot_process
from tests.wire.tabula import CONTROL

SECONDS = 20.0
WARM_UP_S = 5.0
PACE = 5.0
"""Acts a second that people come to who do not hurry."""
STARTS_S = 600.0
SERVER = ("-c", "shared_buffers=1GB", "-c", "max_wal_size=4GB", "-c", "checkpoint_timeout=30min")
"""How PostgreSQL is set up, which waits for its disk."""


@dataclass(frozen=True)
class ServiceFigures:
    """How a bot served people: its start-up time in seconds, their waits, how late its loop was.

    `hurried` acted for `seconds` as soon as they could, for which Discord counted so many requests;
    `steady` acted at their pace; `memory` is the bot's in MiB after it.
    """

    started: float
    seconds: float
    hurried: Sequence[ActWait]
    counted: int
    steady: Sequence[ActWait]
    late: Sequence[float]
    memory: float
    processor: float = 0.0
    """Seconds that the bot computed while they hurried."""

    @property
    def acts_per_second(self) -> float:
        """Acts a second that were answered and shown."""
        return sum(wait.outcome < float("inf") for wait in self.hurried) / self.seconds

    def format_row(self) -> str:
        """Return the figures as a row of a table."""
        presses = [wait for wait in self.steady if wait.what == "press"]
        return " | ".join(
            [
                f"{self.acts_per_second:.1f}",
                f"{1000 * self.processor / len(self.hurried):.1f} ms",
                f"{self.counted / len(self.hurried):.1f}",
                _format_quantiles([wait.answer for wait in presses]),
                _format_quantiles([wait.outcome for wait in presses]),
                _format_quantiles(self.late),
                f"{self.memory:.0f} MiB",
                f"{self.started:.1f} s",
            ]
        )

    def format_read_times(self) -> str:
        """Return how long each command took to be answered whole."""
        by_kind: dict[str, list[float]] = {}
        for wait in self.steady:
            by_kind.setdefault(wait.what, []).append(wait.outcome)
        return "; ".join(
            f"{what} {_format_quantiles(waits)}" for what, waits in sorted(by_kind.items())
        )


def _format_quantiles(seconds: Sequence[float]) -> str:
    half, most = (1000 * compute_quantile(seconds, share) for share in (0.5, 0.99))
    return f"{half:.0f}, {most:.0f} ms"


HEADING = (
    "acts a second | processor an act | requests an act | first answer: half, 99 of 100 | "
    "next message | loop late | memory | start"
)


async def prepare_tables(server: DiscordServer, where: str | Path, stock: Stock) -> BenchTables:
    """Set up the tables of a stock's matches that go on; the bot shows them when it starts."""
    tables = BenchTables(server, CONTROL)
    for channel, people in (await stocking.load_players_by_channel(where, stock.going)).items():
        tables.add_table(
            GUILD + (channel - CHANNEL) % stocking.SERVERS * stocking.GUILD_STEP, channel, people
        )
    await stocking.enqueue_match_jobs(where, stock.going)
    return tables


@asynccontextmanager
async def serve_stock(
    command: Sequence[str], where: str | Path, folder: Path, stock: Stock
) -> AsyncIterator[tuple[BenchTables, Process, float]]:
    """Run a bot on a stocked database; yield its tables when all can be played.

    Yield as well its process and the seconds that it took to start.
    """
    async with await DiscordServer.start(channel_names=()) as server:
        tables = await prepare_tables(server, where, stock)
        began = time.monotonic()
        process = start_bot_process(
            server, *command, folder=folder, stderr=DEVNULL, TABULA_DATABASE=str(where)
        )
        async with process as bot, tables.follow_requests():
            await server.wait_until_ready(STARTS_S)
            started = time.monotonic() - began
            await tables.wait_until_playable(len(tables.by_channel), STARTS_S)
            yield tables, bot, started
            bot.terminate()
            await bot.wait()


@asynccontextmanager
async def serve_small_bot(count: int) -> AsyncIterator[tuple[BenchTables, Process, float]]:
    """Run the small bot, and yield the same."""
    async with await DiscordServer.start(channel_names=()) as server:
        tables = BenchTables(server, re.compile(PLAIN_CONTROL))
        for number in range(count):
            tables.add_table(GUILD, CHANNEL + number, [2 * number + 1, 2 * number + 2])
        began = time.monotonic()
        process = start_bot_process(server, *PLAIN, stderr=DEVNULL, PICTURE_BYTES="25000")
        async with process as bot, tables.follow_requests():
            await server.wait_until_ready(STARTS_S)
            started = time.monotonic() - began
            for table in tables.by_channel.values():
                await table.people[0].begin_slash("table sit", None, table.channel)
                await asyncio.sleep(0.005)
            await tables.wait_until_playable(count, STARTS_S)
            yield tables, bot, started


async def measure_tabula(
    where: str | Path, folder: Path, stock: Stock, seconds: float, people: int = AT_ONCE
) -> ServiceFigures:
    """Let people play on Tabula in the matches of a stock that go on, so many in a hurry."""
    async with serve_stock(LATE_BOT, where, folder, stock) as (tables, bot, started):
        # What is made once, such as grounds and compiled statements, is no act's cost.
        await play_fast(tables, WARM_UP_S, people)
        tables.counted = 0
        before = measure_processor_time(bot)
        hurried = await play_fast(tables, seconds, people)
        processor = measure_processor_time(bot) - before
        counted = tables.counted
        steady_from = time.monotonic()
        steady = await play_steadily(tables, seconds, PACE, READS)
        steady_until = time.monotonic()
        memory = measure_memory(bot)
    late = load_lateness(folder, steady_from, steady_until)
    return ServiceFigures(started, seconds, hurried, counted, steady, late, memory, processor)


async def measure_small_bot(seconds: float) -> ServiceFigures:
    """Let people press the buttons of the small bot."""
    async with serve_small_bot(AT_ONCE) as (tables, bot, started):
        tables.counted = 0
        hurried = await play_fast(tables, seconds)
        counted = tables.counted
        steady = await play_steadily(tables, seconds, PACE, reads=())
        memory = measure_memory(bot)
    return ServiceFigures(started, seconds, hurried, counted, steady, [], memory)


def measure_memory(bot: Process) -> float:
    """Return how much memory a process holds, in MiB."""
    pages = int(Path(f"/proc/{bot.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


@asynccontextmanager
async def open_databases(kind: str, folder: Path) -> AsyncIterator[Callable[[], str | Path]]:
    """Yield a function that makes empty databases of a kind.

    Each is a file of its own, or a database on a PostgreSQL server of this machine.
    """
    if kind == "sqlite":
        numbers = count()
        yield lambda: folder / f"{next(numbers)}.sqlite3"
    else:
        with PostgreSQLServer(*SERVER) as server:
            yield server.create_database


async def measure_stocks(
    kind: str, folder: Path, stocks: Sequence[Stock], seconds: float, people: int = AT_ONCE
) -> AsyncIterator[str]:
    """Measure one stock after another, each grown out of the one before; yield a report of each."""
    rows = await play_club_season(folder / "club.sqlite3")
    async with open_databases(kind, folder) as empty:
        where = empty()
        await stocking.create_database(where, rows)
        before = Stock(0, 0)
        for stock in stocks:
            filled = await stocking.grow_database(where, before, stock)
            before = stock
            served = await measure_tabula(where, folder, stock, seconds, people)
            size = await stocking.measure_size(where)
            each = size / (stock.going + stock.stored) / 1000
            yield (
                f"{kind} | {stock} | {served.format_row()} | {size / 1e6:,.0f} MB, "
                f"{each:.1f} kB a match\n"
                f"  filled in {filled:.0f} s; whole answers: {served.format_read_times()}"
            )


def _parse_stock(text: str) -> Stock:
    going, stored = text.split("/")
    return Stock(int(going), int(stored))


async def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("sqlite", "postgresql", "small"))
    parser.add_argument("stocks", nargs="*", type=_parse_stock, help="open/stored")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--people", type=int, default=AT_ONCE, help="how many hurry")
    arguments = parser.parse_args()
    sys.stdout.write(f"{HEADING}\n")
    if arguments.kind == "small":
        small = await measure_small_bot(arguments.seconds)
        sys.stdout.write(f"small bot | {small.format_row()}\n")
        return
    with tempfile.TemporaryDirectory() as folder:
        async for line in measure_stocks(
            arguments.kind, Path(folder), arguments.stocks, arguments.seconds, arguments.people
        ):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()


@pytest.mark.bench
@pytest.mark.asyncio
async def test_people_are_served_however_much_is_stored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [
        line
        async for line in measure_stocks(
            "sqlite", tmp_path, [Stock(10, 1_000), Stock(30, 4_000)], 5.0
        )
    ]
    with capsys.disabled():
        sys.stdout.write("\n".join(["", HEADING, *lines, ""]))
    assert len(lines) == 2


if __name__ == "__main__":
    asyncio.run(_main())
