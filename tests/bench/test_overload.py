"""Three times as many presses as a bot can serve: who is answered in time, and in which order.

First people play as fast as they can, which says how much the bot serves. Then presses come at
three times that pace, whatever becomes of them, each at a table of its own. The real bot is
compared with one that acknowledges everything at once, as it did once, and with the small bot that
stores nothing and sends a picture of the same size. By hand, in turns:
`.venv/bin/python -m tests.bench.test_overload --rounds 3`.
"""

import argparse
import asyncio
import math
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.bench import stocking
from tests.bench.club import Rows, play_club_season
from tests.bench.eager_bot import EAGER_BOT
from tests.bench.stocking import Stock
from tests.bench.tables import BenchTable, BenchTables, compute_quantile, play_fast
from tests.bench.test_growth import serve_small_bot, serve_stock
from tests.wire.crowd import measure_wait
from tests.wire.processes import RUN_COMMAND
from tests.wire.tabula import MAN, find_first_control, find_mentioned_id
from tests.wire.world import Interaction

PEOPLE = 60
WARM_UP_S = 4.0
SECONDS = 6.0
FACTOR = 3.0
TABLES = 600
DRAINED_S = 60.0
DESIGNS = {"now": RUN_COMMAND, "acknowledged first": EAGER_BOT}


@dataclass(frozen=True)
class OverloadFigures:
    """How a bot fared: acts a second in a hurry, then presses at `pace` and what became of them.

    `order` says how far the order in which presses were shown is that in which they came: 1 where
    it is the same, 0 where it is any. `requests` are those to Discord for each press, `calm` the
    same in a hurry.
    """

    capacity: float
    calm: float
    pace: float
    presses: int
    unanswered: int
    answers: Sequence[float]
    shown: int
    outcomes: Sequence[float]
    requests: float
    order: float

    def format_row(self) -> str:
        """Return the figures as a row of a table."""
        half, most = (compute_quantile(self.answers, share) for share in (0.5, 0.99))
        return " | ".join(
            [
                f"{self.capacity:.1f}",
                f"{self.calm:.2f}",
                f"{self.pace:.0f}",
                f"{self.unanswered} of {self.presses}",
                f"{half:.2f}, {most:.2f} s",
                f"{self.shown}",
                f"{compute_quantile(self.outcomes, 0.5):.1f}, {max(self.outcomes):.1f} s",
                f"{self.requests:.2f}",
                f"{self.order:.2f}",
            ]
        )


HEADING = (
    "acts a second in a hurry | requests an act | pace | unanswered | first answer: p50, p99 | "
    "shown | after: p50, most | requests a press | order"
)


async def measure_overload(tables: BenchTables, seconds: float) -> OverloadFigures:
    """Find out what a bot can serve, and ask three times as much of it."""
    await play_fast(tables, WARM_UP_S, PEOPLE)
    tables.requests = 0
    hurried = await play_fast(tables, seconds, PEOPLE)
    capacity = sum(wait.outcome < math.inf for wait in hurried) / seconds
    calm = tables.requests / len(hurried)
    await asyncio.sleep(1.0)
    tables.requests = 0
    pace = FACTOR * capacity
    pressed = await _press_at_pace(tables, pace, seconds)
    ends = time.monotonic() + DRAINED_S
    while not all(_is_shown(*each) for each in pressed):
        if time.monotonic() > ends:
            break
        await asyncio.sleep(0.1)
    served = [each for each in pressed if _is_shown(*each)]
    answers = [measure_wait(act) for _, act, _ in pressed]
    return OverloadFigures(
        capacity=capacity,
        calm=calm,
        pace=pace,
        presses=len(pressed),
        unanswered=answers.count(math.inf),
        answers=answers,
        shown=len(served),
        outcomes=[table.display_time - act.born for table, act, _ in served],
        requests=tables.requests / len(pressed),
        order=_measure_order([table.display_time for table, _, _ in served]),
    )


def _is_shown(table: BenchTable, _: Interaction, before: int) -> bool:
    return table.over or table.version > before


def _measure_order(times: Sequence[float]) -> float:
    """Return the rank correlation of the order in which presses came with that of `times`."""
    ranks = {at: rank for rank, at in enumerate(sorted(set(times)))}
    return statistics.correlation(range(len(times)), [ranks[at] for at in times])


async def _press_at_pace(
    tables: BenchTables, pace: float, seconds: float
) -> list[tuple[BenchTable, Interaction, int]]:
    """Press at one table after the other, so many a second; return who pressed at which version."""
    pressed: list[tuple[BenchTable, Interaction, int]] = []
    playable = [table for table in tables.playable_tables if not _is_man_first(tables, table)]
    began = time.monotonic()
    for number, table in enumerate(playable[: round(pace * seconds)]):
        await asyncio.sleep(max(began + number / pace - time.monotonic(), 0))
        reply = tables.get_live_message(table)
        called = find_mentioned_id(reply)
        person = next((each for each in table.people if each.id == called), table.people[0])
        before = table.version
        pressed.append((table, await person.begin_use(reply, find_first_control(reply)), before))
    return pressed


def _is_man_first(tables: BenchTables, table: BenchTable) -> bool:
    return bool(MAN.match(find_first_control(tables.get_live_message(table))))


async def measure_design(
    command: Sequence[str], rows: Rows, folder: Path, seconds: float, tables: int
) -> OverloadFigures:
    """Measure a bot of ours on a database of its own."""
    where = folder / f"{time.monotonic_ns()}.sqlite3"
    stock = Stock(tables, 1_000)
    await stocking.create_database(where, rows)
    await stocking.grow_database(where, Stock(0, 0), stock)
    async with serve_stock(command, where, folder, stock) as (seated, _, _):
        return await measure_overload(seated, seconds)


async def measure_small_bot(seconds: float, tables: int) -> OverloadFigures:
    """Measure the small bot."""
    async with serve_small_bot(tables) as (seated, _, _):
        return await measure_overload(seated, seconds)


async def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--only", nargs="*", choices=[*DESIGNS, "small"])
    arguments = parser.parse_args()
    chosen = arguments.only or [*DESIGNS, "small"]
    sys.stdout.write(f"{HEADING}\n")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = await play_club_season(folder / "club.sqlite3")
        for _ in range(arguments.rounds):
            for design in chosen:
                figures = (
                    await measure_small_bot(arguments.seconds, arguments.tables)
                    if design == "small"
                    else await measure_design(
                        DESIGNS[design], rows, folder, arguments.seconds, arguments.tables
                    )
                )
                sys.stdout.write(f"{design}: {figures.format_row()}\n")
                sys.stdout.flush()


@pytest.mark.bench
@pytest.mark.asyncio
async def test_three_times_the_load_is_acknowledged_in_time_and_in_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = await play_club_season(tmp_path / "club.sqlite3")
    figures = await measure_design(RUN_COMMAND, rows, tmp_path, 4.0, 400)
    small = await measure_small_bot(4.0, 400)
    with capsys.disabled():
        sys.stdout.write(f"\n{HEADING}\nTabula: {figures.format_row()}\n")
        sys.stdout.write(f"small bot: {small.format_row()}\n")
    assert figures.unanswered == 0
    assert figures.shown == figures.presses
    assert figures.order > 0.8
    assert figures.requests < 2.6


if __name__ == "__main__":
    asyncio.run(_main())
