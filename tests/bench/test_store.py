"""One durable action on each database, beside a bare commit of one row to the same disk."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from bot.features.matches.rows import LiveMessage
from bot.features.matches.store import Matches
from bot.platform.db.rows import Job
from bot.platform.db.store import Store
from tests.support.postgresql import PostgreSQLServer, PostgreSQLUnavailableError
from tests.support.stored import NOW, build_step, start_match

pytestmark = pytest.mark.bench
ROW = (1, "roll", '{"event": "thrown", "dice": [6, 5, 2]}')
TABLE = "CREATE TABLE bare (match INTEGER, cause TEXT, record TEXT)"


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    """An event loop of one's own, since the benchmark calls plain functions."""
    with asyncio.Runner() as loop:
        yield loop


@pytest.fixture(scope="module")
def server() -> Iterator[PostgreSQLServer]:
    """A server that waits for its disk."""
    try:
        started = PostgreSQLServer()
    except PostgreSQLUnavailableError as reason:
        pytest.skip(str(reason))
    with started:
        yield started


@pytest.fixture(params=["sqlite", "postgresql"])
def store(
    request: pytest.FixtureRequest,
    benchmark: BenchmarkFixture,
    runner: asyncio.Runner,
    tmp_path: Path,
) -> Iterator[Store]:
    """An open store on each database; the timings of each stand together."""
    benchmark.group = f"saving on {request.param}"
    where = (
        tmp_path / "tabula.db"
        if request.param == "sqlite"
        else request.getfixturevalue("server").empty()
    )
    opened = runner.run(Store.open(where))
    yield opened
    runner.run(opened.close())


def test_one_durable_action(
    benchmark: BenchmarkFixture, runner: asyncio.Runner, store: Store
) -> None:
    match, version = runner.run(start_match(store)), count()

    def save() -> None:
        at = next(version)
        runner.run(store.get(Matches).apply_update(match, build_step(at, f"action {at}")))

    benchmark(save)
    assert len(runner.run(store.get(Matches).load_events(match))) == next(version)


def test_one_durable_action_and_the_job_that_shows_it(
    benchmark: BenchmarkFixture, runner: asyncio.Runner, store: Store
) -> None:
    match, version = runner.run(start_match(store)), count()

    async def play(at: int) -> None:
        shown = Job("show", f"match {match}", NOW)
        (job,) = (
            await store.get(Matches).apply_update(
                match, build_step(at, f"action {at}", jobs=[shown])
            )
        ).jobs
        await store.get(Matches).save_live_message(match, LiveMessage(at, 2, at, at), job)

    benchmark(lambda: runner.run(play(next(version))))
    assert runner.run(store.jobs.find_next_due()) is None


def test_reading_a_match(benchmark: BenchmarkFixture, runner: asyncio.Runner, store: Store) -> None:
    match = runner.run(start_match(store))
    assert benchmark(lambda: runner.run(store.get(Matches).load_row(match)))


def test_reference_bare_commit_on_sqlite(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    benchmark.group = "saving on sqlite"
    with closing(sqlite3.connect(tmp_path / "bare.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(TABLE)
        benchmark(lambda: connection.execute("INSERT INTO bare VALUES (?, ?, ?)", ROW))


def test_reference_bare_commit_on_postgresql(
    benchmark: BenchmarkFixture, runner: asyncio.Runner, server: PostgreSQLServer
) -> None:
    benchmark.group = "saving on postgresql"
    connection = runner.run(asyncpg.connect(server.create_database()))
    runner.run(connection.execute(TABLE))
    benchmark(lambda: runner.run(connection.execute("INSERT INTO bare VALUES ($1, $2, $3)", *ROW)))
    runner.run(connection.close())


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_reference_empty_trip_through_the_loop(
    benchmark: BenchmarkFixture, runner: asyncio.Runner, database: str
) -> None:
    benchmark.group = f"saving on {database}"
    benchmark(lambda: runner.run(asyncio.sleep(0)))
