"""Builders for tests of the store: people, challenges, matches and what is added to them."""

import sqlite3
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import aclosing, closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from bot.features.challenges.store import Challenges
from bot.features.challenges.tables import NewChallenge
from bot.features.matches.rows import Limits, MatchUpdate, Seat
from bot.platform.db.copies import COPY_MARK
from bot.platform.db.jobs import Jobs
from bot.platform.db.preferences import People
from bot.platform.db.rows import QueuedJob
from bot.platform.db.store import Store
from bot.platform.db.tables import load_metadata

NOW = 1_800_000_000_000
ANA, BEN, CYN, DAN = 11, 12, 13, 14
SIDES = {ANA: "gold", BEN: "black", CYN: "black"}
"""On which side each plays, as far as the ratings know."""
LIMITS = Limits(running=1000, open=1000)
"""More than a test reaches."""
SNAPSHOT = {"phase": "throw", "player": 0}


async def load_due(jobs: Jobs, now: int, limit: int) -> list[QueuedJob]:
    """Return the jobs of all servers whose time has come, the longest due first."""
    due = [job for job in await jobs.load_all() if job.given_up is None and job.due <= now]
    return sorted(due, key=lambda job: (job.due, job.id))[:limit]


async def load_given_up(jobs: Jobs) -> list[QueuedJob]:
    """Return the jobs that were given up."""
    return [job for job in await jobs.load_all() if job.given_up is not None]


async def load_display_names(people: People, persons: Iterable[int]) -> dict[int, str]:
    """Return the names of those people that are known."""
    return {person: names.name for person, names in (await people.load_names(persons)).items()}


async def register_people(store: Store, *people: int) -> None:
    """Have the store remember people, whom seats and events refer to."""
    for person in people:
        await store.people.save_name(person, f"Person {person}", NOW)


def build_challenge(**fields: Any) -> NewChallenge:
    """Ana's open challenge to a match of Zeno, with other values for any of its fields."""
    usual: dict[str, Any] = {
        "guild": 1,
        "channel": 2,
        "challenger": ANA,
        "opponent": None,
        "side": "gold",
        "game": "zeno",
        "options": {"dice": "two"},
        "rated": True,
        "players": 1,
        "secret": bytes(range(32)),
        "commitment": "c0ffee",
        "created": NOW,
        "expires": NOW + 1000,
    }
    return NewChallenge(**usual | fields)


async def start_match(store: Store, **fields: Any) -> int:
    """A match of Ana's as gold and Ben's as black."""
    await register_people(store, ANA, BEN)
    created = await store.get(Challenges).create(
        build_challenge(**fields), Seat("gold", 0, ANA, "ana's"), LIMITS
    )
    result = await store.get(Challenges).join(
        created.challenge.id, Seat("black", 0, BEN, "ben's"), 1, NOW + 1, LIMITS
    )
    assert result.match is not None
    return result.match


def build_step(expected_version: int, cause: str, records: int = 1, **fields: Any) -> MatchUpdate:
    """Return the step of an action of Ana's: so many events after that version.

    Any of its fields may have other values.
    """
    usual: dict[str, Any] = {
        "expected_version": expected_version,
        "records": [{"event": cause, "at": at} for at in range(records)],
        "person": ANA,
        "cause": cause,
        "snapshot": SNAPSHOT,
        "now": NOW + 5,
    }
    return MatchUpdate(**usual | fields)


@contextmanager
def connect_directly(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a file without the store."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


def dump_file(path: Path) -> list[str]:
    """All that a file says, to see that nothing changed; but for the mark that it is a copy."""
    with connect_directly(path) as connection:
        return [line for line in connection.iterdump() if f"VALUES('{COPY_MARK}'," not in line]


async def gather_rows(
    found: AsyncGenerator[tuple[str, list[dict[str, Any]]], None],
) -> dict[str, list[dict[str, Any]]]:
    """Return all rows of an export by table."""
    rows: dict[str, list[dict[str, Any]]] = {}
    async with aclosing(found):
        async for table, some in found:
            rows.setdefault(table, []).extend(some)
    return rows


async def dump_tables(store: Store) -> dict[str, list[str]]:
    """Return all contents of a database by table, except the mark that it is a copy.

    Tests compare them to see that nothing changed.
    """

    def work(connection: Connection) -> dict[str, list[str]]:
        return {
            table.name: sorted(
                row for row in map(str, connection.execute(select(table))) if COPY_MARK not in row
            )
            for table in load_metadata().sorted_tables
        }

    return await store._database.read(work)  # noqa: SLF001


def corrupt_table(path: Path, table: str) -> None:
    """Write noise over a table's first page, as a failing disk does."""
    with connect_directly(path) as connection:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)
        ).fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xa5" * size)
