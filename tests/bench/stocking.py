"""A database stocked with any number of matches: a real club, copied by SQL again and again.

Each copy is a server of its own with its own people, whose matches, ratings and challenges belong
together as those of the club do; only what counts everywhere has more people. The matches that go
on are dealt out to the first clubs, each in a channel of its own.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Column, Connection, MetaData, Table, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.features.matches.jobs import ShowMatch, WatchClock
from bot.features.matches.tables import matches
from bot.platform.db.address import get_file_path, parse_address
from bot.platform.db.store import Store
from bot.platform.db.tables import jobs, load_metadata, now_ms
from engine.clock import DAY
from tests.bench.club import CHANNEL, ENDED, FIRST_PERSON, GOING_ON, GUILD, PEOPLE, Rows

FIRST_STORED = 100_001
"""The number of the first match that is over; those that go on have smaller ones."""
SERVERS = 20
"""Servers to which the matches that go on are dealt out: there must be as many clubs."""
GUILD_STEP = 1 << 22
"""So that servers that follow each other are of shards that follow each other."""
PERSON_STEP = 1 << 10
AT_ONCE = 500
"""Clubs that are copied by one statement."""
TABLES = (
    "people",
    "matches",
    "seats",
    "challenges",
    "challenge_seats",
    "events",
    "ratings",
    "rating_changes",
)
"""What is copied, what others refer to first."""

_NUMBER = f"{{0}} + {FIRST_STORED - 1} + copy * {ENDED}"
_PERSON = f"{{0}} + copy * {PERSON_STEP}"
_SERVER = f"{{0}} + copy * {GUILD_STEP}"
_SCOPE = (
    # A season stands behind the scope to which it belongs, and stays.
    "CASE substr({0}, 1, 6) WHEN 'server' "
    f"THEN 'server:' || ({GUILD} + copy * {GUILD_STEP}) || "
    f"substr({{0}}, {len(f'server:{GUILD}') + 1}) ELSE {{0}} END"
)
STORED: Mapping[str, str] = {
    "matches.id": _NUMBER,
    "challenges.id": _NUMBER,
    **dict.fromkeys(("match", "challenge"), _NUMBER),
    **dict.fromkeys(("people.id", "person", "challenger", "opponent"), _PERSON),
    "guild": _SERVER,
    "scope": _SCOPE,
}
"""How each column of a finished match differs from copy to copy.

The key is the column's name, or its table and name.
"""

_AT_TABLE = (
    f"copy % {SERVERS} * {PERSON_STEP} + "
    f"({{0}} - {FIRST_PERSON} + copy / {SERVERS}) % {len(PEOPLE)}"
)
_SITTER = f"{FIRST_PERSON} + {_AT_TABLE}"
GOING: Mapping[str, str] = {
    **dict.fromkeys(("matches.id", "challenges.id", "match", "challenge"), "copy + 1"),
    **dict.fromkeys(("person", "challenger", "opponent"), _SITTER),
    "guild": f"{GUILD} + copy % {SERVERS} * {GUILD_STEP}",
    "channel": f"{CHANNEL} + copy",
    "message": "NULL",
    "shown": "0",
}
"""The same of a match that goes on."""


@dataclass(frozen=True)
class Stock:
    """How many matches of a database go on, and how many are over."""

    going: int
    stored: int

    @property
    def club_count(self) -> int:
        """How many servers there are."""
        return self.stored // ENDED

    def __str__(self) -> str:
        return f"{self.going:,} open, {self.stored:,} stored"


async def create_database(where: str | Path, rows: Rows) -> None:
    """Make an empty database, with the club beside it to be copied."""
    async with await Store.open(where):
        pass
    engine = _create_engine(where)
    async with engine.begin() as connection:
        await connection.run_sync(_store_club_rows, rows)
    await engine.dispose()


def _store_club_rows(connection: Connection, rows: Rows) -> None:
    aside = MetaData()
    for name in TABLES:
        columns = [
            Column(column.name, column.type) for column in load_metadata().tables[name].columns
        ]
        table = Table(f"club_{name}", aside, *columns)
        table.create(connection)
        connection.execute(insert(table), rows[name])


async def grow_database(where: str | Path, before: Stock, after: Stock) -> float:
    """Copy until there are so many matches, and return the seconds that it took."""
    began = time.monotonic()
    engine = _create_engine(where)
    async with engine.connect() as connection:
        await connection.run_sync(_speed_up_writes)
        for first in range(before.club_count, after.club_count, AT_ONCE):
            last = min(first + AT_ONCE, after.club_count)
            for name in TABLES:
                await connection.exec_driver_sql(
                    _format_copy_statement(name, STORED, first, last, _format_stored_filter(name))
                )
            await connection.commit()
        for name in TABLES:
            if _find_match_column(name):
                await connection.exec_driver_sql(
                    _format_copy_statement(
                        name, GOING, before.going, after.going, _format_open_filter(name)
                    )
                )
        await connection.run_sync(_advance_sequences)
        await connection.commit()
    await engine.dispose()
    if not get_file_path(parse_address(where)):
        # As PostgreSQL does by itself after a while.
        engine = create_async_engine(parse_address(where), isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            await connection.exec_driver_sql("VACUUM ANALYZE")
        await engine.dispose()
    return time.monotonic() - began


def _create_engine(where: str | Path) -> AsyncEngine:
    return create_async_engine(parse_address(where))


def _speed_up_writes(connection: Connection) -> None:
    """Let nothing wait for the disk, nor for what is known to belong together."""
    if connection.dialect.name == "sqlite":
        for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -500000"):
            connection.exec_driver_sql(f"PRAGMA {pragma}")
    else:
        connection.exec_driver_sql("SET session_replication_role = replica")
        connection.exec_driver_sql("SET synchronous_commit = off")


def _find_match_column(table: str) -> str | None:
    """Return the column that says which match (or its challenge) a row is about; else None."""
    known = {
        "matches": "id",
        "seats": "match",
        "events": "match",
        "challenges": "id",
        "challenge_seats": "challenge",
    }
    return known.get(table)


def _format_stored_filter(table: str) -> str:
    column = _find_match_column(table)
    return f"club.{column} <= {ENDED}" if column else "0 = 0"


def _format_open_filter(table: str) -> str:
    return f"club.{_find_match_column(table)} = {ENDED + 1} + copy % {len(GOING_ON)}"


def _format_copy_statement(
    table: str, changes: Mapping[str, str], first: int, end: int, which: str
) -> str:
    """Return the statement that makes the copies from `first` to before `end`."""
    names = [column.name for column in load_metadata().tables[table].columns]
    taken = []
    for name in names:
        own = f'club."{name}"'
        change = changes.get(f"{table}.{name}", changes.get(name, "{0}"))
        taken.append(change.format(own))
    text = ", ".join(f'"{name}"' for name in names)
    # In this order, so that what belongs together lies together.
    return (
        f"WITH RECURSIVE copies(copy) AS (SELECT CAST({first} AS BIGINT) WHERE {first} < {end}"
        f" UNION ALL SELECT copy + 1 FROM copies WHERE copy + 1 < {end})"
        f" INSERT INTO {table} ({text}) SELECT {', '.join(taken)}"
        f" FROM copies CROSS JOIN club_{table} AS club WHERE {which}"
    )


def _advance_sequences(connection: Connection) -> None:
    """Let the numbers of new rows follow those that were copied."""
    if connection.dialect.name == "postgresql":
        for table in ("matches", "challenges"):
            connection.exec_driver_sql(
                f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), "
                f"(SELECT max(id) FROM {table}))"
            )


async def enqueue_match_jobs(where: str | Path, going: int) -> None:
    """Enqueue jobs that show each match that goes on in its channel and watch its clock.

    Each match is shown as if it had never been shown before. That is done by the next bot that is
    started.
    """
    now = now_ms()
    enqueued = []
    for number in range(1, going + 1):
        enqueued.append(WatchClock(number).build_job(now + DAY))
        enqueued.append(ShowMatch(number, fresh=CHANNEL + number - 1).build_job(now))
    rows = [
        {
            "kind": each.kind,
            "key": each.key,
            "due": each.due,
            "detail": each.detail,
            "guild": GUILD + (int(each.key) - 1) % SERVERS * GUILD_STEP,
        }
        for each in enqueued
    ]
    engine = _create_engine(where)
    async with engine.begin() as connection:
        await connection.execute(delete(jobs))
        await connection.execute(
            matches.update().where(matches.c.id <= going).values(message=None, touched=now)
        )
        await connection.execute(insert(jobs), rows)
    await engine.dispose()


async def load_players_by_channel(where: str | Path, going: int) -> dict[int, list[int]]:
    """Return who sits in each match that goes on, by channel."""
    seats = load_metadata().tables["seats"]
    query = (
        select(matches.c.channel, seats.c.person)
        .join(seats)
        .where(matches.c.id <= going, matches.c.ended.is_(None))
    )
    found: dict[int, list[int]] = {}
    engine = _create_engine(where)
    async with engine.connect() as connection:
        for channel, person in await connection.execute(query):
            found.setdefault(channel, []).append(person)
    await engine.dispose()
    return found


async def measure_size(where: str | Path) -> int:
    """Return how many bytes a database takes."""
    if file := get_file_path(parse_address(where)):
        return sum(part.stat().st_size for part in file.parent.glob(f"{file.name}*"))
    engine = _create_engine(where)
    async with engine.connect() as connection:
        size = (
            await connection.exec_driver_sql("SELECT pg_database_size(current_database())")
        ).scalar_one()
    await engine.dispose()
    return int(size)
