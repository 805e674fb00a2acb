"""What a look at a ladder costs in its first weeks, and after years of challenges and drops.

A look loads the ladder and asks of everybody on it whether somebody can challenge them. Beside it
stands a replay of all that happened, which an annulled match still takes, and only that. By hand,
with as many weeks as you like: `.venv/bin/python -m tests.bench.test_old_ladder 20 208`.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.features.ladders.rungs import ChallengeRules, compute_rungs
from bot.features.ladders.store import Ladders
from bot.platform.db.store import Store
from tests.support.old_ladders import create_old_ladder
from tests.support.stored import NOW

YOUNG, OLD = 20, 208
"""Weeks: some months, in which everybody has met, and four years."""
LOOKS = 60


@dataclass(frozen=True)
class LadderCost:
    """Milliseconds of processor time that a look and a replay take, for a ladder so old."""

    weeks: int
    look: float
    replay: float

    def __str__(self) -> str:
        return f"{self.weeks} weeks: a look {self.look:.2f} ms, a replay {self.replay:.2f} ms"


async def measure_ladders(path: Path, ages: Sequence[int]) -> list[LadderCost]:
    """Return what looks at ladders of those ages cost, in turn, so that all have the same day."""
    async with await Store.open(path) as store:
        for number, weeks in enumerate(ages, 1):
            await create_old_ladder(store, weeks, number)
            await store.get(Ladders).keep_order(number)
        spent = [0.0] * len(ages)
        for _ in range(LOOKS):
            for at in range(len(ages)):
                spent[at] += await _time_look(store, at + 1)
        return [
            LadderCost(weeks, 1000 * spent[at] / LOOKS, 1000 * await _time_replay(store, at + 1))
            for at, weeks in enumerate(ages)
        ]


async def _time_look(store: Store, number: int) -> float:
    began = time.process_time()
    view = await store.get(Ladders).load_view(number)
    assert view is not None
    rules = ChallengeRules(view.rungs, view.challenges, NOW, {})
    for person in view.rungs:
        rules.find_impediment(view.rungs[-1], person)
    return time.process_time() - began


async def _time_replay(store: Store, number: int) -> float:
    began = time.process_time()
    history = await store.get(Ladders).load_history(number)
    compute_rungs(history.events, history.challenges)
    return time.process_time() - began


@pytest.mark.bench
@pytest.mark.asyncio
async def test_a_look_at_an_old_ladder_costs_what_it_did_at_first(tmp_path: Path) -> None:
    young, old = await measure_ladders(tmp_path / "club.sqlite3", (YOUNG, OLD))
    assert old.look < 1.5 * young.look, (str(young), str(old))


def main(ages: Sequence[int]) -> None:
    """Print what looks at ladders of those ages cost."""
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(measure_ladders(Path(folder) / "club.sqlite3", ages))
    for each in found:
        sys.stdout.write(f"{each}\n")


if __name__ == "__main__":
    main([int(each) for each in sys.argv[1:]] or [YOUNG, OLD])
