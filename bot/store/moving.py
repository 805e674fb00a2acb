"""Carrying a SQLite file over to PostgreSQL: every row, in one transaction, each compared with what arrived."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Table, create_engine, func, insert, literal_column, select, tuple_

from bot.store.address import file_of, parse, shown
from bot.store.database import Database
from bot.store.engines import new_name
from bot.store.errors import Saved, StoreError
from bot.store.migrating import migrate
from bot.store.shards import ALONE, Process
from bot.store.tables import metadata

CHUNK = 500
"""Rows that are carried at a time."""


def source_of(where: str | Path, target: str) -> Path:
    """Return the file that is to be carried over; raises StoreError where there is none, or the target is no server."""
    file = file_of(parse(where))
    if file is None:
        raise StoreError(f"{shown(parse(where))} is no SQLite file; only such a file is carried over")
    if not file.is_file():
        raise StoreError(f"there is no database {file}")
    if file_of(parse(target)) is not None:
        raise StoreError("a database is carried over to a server only: name it as postgresql://USER:PASSWORD@HOST/NAME")
    return file


async def carry(file: Path, target: str) -> dict[str, int]:
    """Carry all rows of a file to an empty database on a server, and return how many each table has.

    The file must be at the present version, and nobody else at it. All of it arrives or nothing. Raises StoreError
    where the target is not empty, or something arrives otherwise than it was sent.
    """
    database = Database(parse(target), Process(new_name(), ALONE))
    try:
        work = partial(_carried, file=file, where=database.where)
        return await database.write(work, Saved.NOT_ASKED)
    finally:
        await database.close()


def _carried(target: Connection, file: Path, where: str) -> dict[str, int]:
    migrate(target, where)
    for table in metadata.sorted_tables:
        if target.execute(select(literal_column("1")).select_from(table).limit(1)).first():
            raise StoreError(f"{where} is not empty: it has {table.name}; make another with createdb, and name that")
    engine = create_engine(URL.create("sqlite", database=str(file)))
    try:
        with engine.connect() as source:
            counts = {table.name: _carry(source, target, table) for table in metadata.sorted_tables}
    finally:
        engine.dispose()
    for table in metadata.sorted_tables:
        there = target.execute(select(func.count()).select_from(table)).scalar_one()
        if there != counts[table.name]:
            raise StoreError(f"of {counts[table.name]} {table.name} {there} arrived; nothing was carried over")
        _count_on(target, table)
    return counts


def _carry(source: Connection, target: Connection, table: Table) -> int:
    count = 0
    for some in source.execute(select(table)).mappings().partitions(CHUNK):
        rows = [dict(row) for row in some]
        target.execute(insert(table), rows)
        _compare(target, table, rows)
        count += len(rows)
    return count


def _compare(target: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Raise StoreError unless rows stand in the target as they were sent."""
    key = list(table.primary_key.columns)
    keys = [tuple(row[column.name] for column in key) for row in rows]
    arrived = target.execute(select(table).where(tuple_(*key).in_(keys))).mappings()
    found = {tuple(row[column.name] for column in key): dict(row) for row in arrived}
    for each, row in zip(keys, rows, strict=True):
        if found.get(each) != row:
            raise StoreError(f"{table.name} {each} arrived otherwise than it was sent; nothing was carried over")


def _count_on(target: Connection, table: Table) -> None:
    """Let new rows be numbered after those that were carried over."""
    for column in table.columns:
        if column.identity is not None:
            last = select(func.max(column)).scalar_subquery()
            sequence = func.pg_get_serial_sequence(table.name, column.name)
            # The second place is for a table without rows, whose numbers begin at 1.
            target.execute(select(func.setval(sequence, func.coalesce(last, 1), last.is_not(None))))
