"""How long others wait for the database while a league of 64 people and 8 games starts.

Beside it somebody stores a job, again and again; the reference is the same start with all its 1,792
matches in one transaction.
"""

import asyncio
import sys
import time
from pathlib import Path

import pytest

from bot.client import Tabula
from bot.features.contests import planning, seasons
from bot.platform.db.rows import Job
from bot.platform.db.store import Store
from tests.bench.tables import compute_quantile
from tests.store.test_long_starts import open_league
from tests.support.stored import NOW

PEOPLE = range(1001, 1065)
MATCHES = 8 * 28 * 8
PAUSE_S = 0.005
AT_LEAST = 5
"""How many times longer others wait for one transaction than nine of ten do between the parts.

The tenth may be the one that waits for SQLite to bring its log into the file.
"""


async def time_waits(file: Path) -> tuple[float, list[float]]:
    """Start the league; return the seconds that it took, and those that others waited, sorted."""
    waited: list[float] = []
    async with await Store.open(file) as store:
        number = await open_league(store, PEOPLE)
        began = time.perf_counter()
        starting = asyncio.ensure_future(seasons.start_contest(Tabula(store).app, number))
        while not starting.done():
            asked = time.perf_counter()
            await store.jobs.enqueue(1, [Job("nothing", "beside", NOW)])
            waited.append(time.perf_counter() - asked)
            await asyncio.sleep(PAUSE_S)
        took = time.perf_counter() - began
        assert len((await starting).pairings) == MATCHES
    return took, sorted(waited)


async def measure_starts(folder: Path) -> tuple[str, float]:
    """Start it in parts and at once; return a line about it, and the ratio of the longest waits."""
    took, waited = await time_waits(folder / "parts.sqlite3")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(planning, "MATCHES_AT_ONCE", MATCHES)
        whole_took, whole_waited = await time_waits(folder / "whole.sqlite3")
    most, whole_most = compute_quantile(waited, 0.9), whole_waited[-1]
    line = (
        f"{MATCHES:,} matches in parts: {took:.1f} s, others waited {1000 * most:.0f} ms (90 of "
        f"100), {1000 * waited[-1]:.0f} ms at most; in one transaction: {whole_took:.1f} s and "
        f"{1000 * whole_most:.0f} ms"
    )
    return line, whole_most / most


@pytest.mark.bench
@pytest.mark.asyncio
async def test_nobody_waits_long_for_a_league_that_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line, ratio = await measure_starts(tmp_path)
    with capsys.disabled():
        sys.stdout.write(f"\n{line}\n")
    assert ratio > AT_LEAST
