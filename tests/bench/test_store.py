"""One durable action, beside a bare commit of one row to the same disk."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from bot.store import Store
from tests.store.build import started, step

pytestmark = pytest.mark.bench


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    """An event loop of one's own, since the benchmark calls plain functions."""
    with asyncio.Runner() as loop:
        yield loop


def test_one_durable_action(benchmark: BenchmarkFixture, runner: asyncio.Runner, tmp_path: Path) -> None:
    benchmark.group = "saving one action"
    store = runner.run(Store.open(tmp_path / "tabula.db"))
    match, version = runner.run(started(store)), count()

    def save() -> None:
        at = next(version)
        runner.run(store.matches.append(match, step(at, f"action {at}")))

    benchmark(save)
    assert len(runner.run(store.matches.events(match))) == next(version)
    runner.run(store.close())


def test_reference_bare_commit(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    benchmark.group = "saving one action"
    row = (1, "roll", '{"event": "thrown", "dice": [6, 5, 2]}')
    with closing(sqlite3.connect(tmp_path / "bare.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE events (match INTEGER, cause TEXT, record TEXT)")
        benchmark(lambda: connection.execute("INSERT INTO events VALUES (?, ?, ?)", row))


def test_reference_empty_trip_through_the_loop(benchmark: BenchmarkFixture, runner: asyncio.Runner) -> None:
    benchmark.group = "saving one action"
    benchmark(lambda: runner.run(asyncio.sleep(0)))
