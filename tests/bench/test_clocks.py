"""Ten thousand clocks that are due at the same moment.

This measures how fast they are served, and how late the event loop is. The real bot as a process of
its own finds them all due when it starts: in each of the matches somebody is to be reminded, who
likes no reminders, or likes them as direct messages. The simulated Discord takes as many as are
sent; Discord itself takes fifty requests a second. By hand, with as many as you like:
`.venv/bin/python -m tests.bench.test_clocks 10000`.
"""

import asyncio
import sqlite3
import sys
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.platform.db.tables import now_ms
from engine.clock import DAY, HOUR
from tests.bench import by_hand
from tests.bench.late_bot import LATE_BOT, load_lateness
from tests.bench.test_computer import LoopFigures
from tests.wire.discord_server import DiscordServer
from tests.wire.processes import start_bot_process
from tests.wire.tabula import WireHarness

MATCHES = 2_000
MAX_S = 900.0
GONE_BY = 22 * HOUR
"""Milliseconds of the day that each match gives for a turn."""
COPIES = {
    "matches": "id",
    "seats": "match",
    "events": "match",
}
"""What a match is made of, and the column that says which it is."""


@dataclass(frozen=True)
class ClockFigures:
    """How many seconds all took, how late the loop was meanwhile, and how many got a message."""

    matches: int
    reminders: int
    seconds: float
    figures: LoopFigures

    def __str__(self) -> str:
        loop = self.figures.format_summary().partition(";")[0]
        rate = self.matches / self.seconds
        served = f"{self.matches:,} clocks served in {self.seconds:.1f} s, {rate:.0f} a second"
        return f"{served}; {self.reminders:,} reminders sent; {loop}"


async def measure_clocks(folder: Path, matches: int) -> str:
    """Let many clocks fall due at once: of people who want no reminders, and of people who do."""
    lines = []
    for reminders in ("never", "direct"):
        own = folder / reminders
        own.mkdir()
        lines.append(str(await _serve_clocks(own, matches, reminders)))
    return "\n".join(lines)


async def _serve_clocks(folder: Path, matches: int, reminders: str) -> ClockFigures:
    async with await DiscordServer.start() as server:
        wire = WireHarness(
            server, folder / "clocks.sqlite3", server.get_person("ana"), server.get_person("ben")
        )
        async with wire.start_bot() as bot:
            await wire.begin_match("zeno", pace="day")
            for person in (wire.ana, wire.ben):
                panel = await person.slash("me settings")
                panel = await person.choose(panel, "preferences:", ["play"])
                await person.choose(panel, "preference:reminders", [reminders])
            await wire.wait_for_jobs()
            bot.terminate()
            await bot.wait()
            await server.wait_until_disconnected()
        wire.pass_time(GONE_BY, unseen=False)
        _copy_match(wire.database, matches)
        since = len(server.requests)
        started = time.monotonic()
        process = start_bot_process(
            server, *LATE_BOT, folder=folder, TABULA_DATABASE=wire.database.name
        )
        async with process as bot:
            while _count_due_jobs(wire.database):
                assert time.monotonic() - started < MAX_S
                await asyncio.sleep(0.2)
            seconds = time.monotonic() - started
            reminder_count = sum(
                request.path.endswith("/messages") for request in server.requests[since:]
            )
            bot.terminate()
            await bot.wait()
    late = load_lateness(folder)
    return ClockFigures(matches, reminder_count, seconds, LoopFigures(late, [0.0]))


def _copy_match(database: Path, matches: int) -> None:
    """Make so many of the one match, each with a clock that asks for something now."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        for table, key in COPIES.items():
            columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
            taken = ", ".join(
                "copy" if column == key else f'{table}."{column}"' for column in columns
            )
            connection.execute(
                "WITH RECURSIVE copies(copy) AS ("
                "SELECT 2 UNION ALL SELECT copy + 1 FROM copies WHERE copy < ?) "
                f"INSERT INTO {table} SELECT {taken} FROM {table}, copies WHERE {table}.{key} = 1",
                (matches,),
            )
        connection.execute("DELETE FROM jobs WHERE kind = 'watch'")
        connection.execute(
            "INSERT INTO jobs (kind, key, detail, due, created) "
            "SELECT 'watch', id, '{}', ? - id, ? FROM matches",
            (now_ms(), now_ms() - DAY),
        )
        connection.execute("COMMIT")


def _count_due_jobs(database: Path) -> int:
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        query = "SELECT count(*) FROM jobs WHERE kind = 'watch' AND due <= ?"
        (count,) = connection.execute(query, (now_ms(),)).fetchone()
    return int(count)


@pytest.mark.bench
@pytest.mark.asyncio
async def test_thousands_of_clocks_are_served(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = await measure_clocks(tmp_path, MATCHES)
    with capsys.disabled():
        sys.stdout.write(f"\n{lines}\n")


if __name__ == "__main__":
    by_hand.print_measurement(measure_clocks)
