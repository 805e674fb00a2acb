"""Copying all data of a database into another: from a file to a server, or the other way."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Identity, Table, func, insert, select, tuple_

from bot.platform.db.database import Database
from bot.platform.db.errors import SaveOutcome, StoreError
from bot.platform.db.tables import load_metadata

PAGE = 500
"""Rows that are read, written and compared at a time."""


async def copy_database(source: Database, target: Database) -> Mapping[str, int]:
    """Copy all that a database holds at one moment into another, all or nothing.

    The other is empty and of the same version. Returns how many rows each table has. Raises
    StoreError, leaving the target empty as it was.
    """
    async with source.open_read_transaction() as moment:
        there = moment.sync_connection
        assert there is not None
        return await target.write_beside(lambda here: copy_tables(there, here))


def copy_tables(source: Connection, target: Connection) -> Mapping[str, int]:
    """Copy every table into an empty database of the same version; return each table's row count.

    What is read is of one moment if the source's transaction is; what is written is saved with the
    target's. The two may be of either kind. Raises StoreError if the target is not empty, or has
    not got every row as it was.
    """
    require_empty(target)
    # Those come first to which others refer.
    counts = {
        table.name: _copy_table(source, target, table) for table in load_metadata().sorted_tables
    }
    if target.dialect.name == "postgresql":
        for table in load_metadata().sorted_tables:
            _advance_sequence(target, table)
    return counts


def find_filled_table(connection: Connection) -> str | None:
    """Return the name of a table that has a row; None if none has."""
    rows = (
        table
        for table in load_metadata().sorted_tables
        if connection.execute(select(1).select_from(table).limit(1)).first()
    )
    return next((table.name for table in rows), None)


def require_empty(connection: Connection) -> None:
    """Raise StoreError where any table has a row."""
    if table := find_filled_table(connection):
        raise StoreError(
            f"the database to write to is not empty: it has {table}", SaveOutcome.NOTHING
        )


def _copy_table(source: Connection, target: Connection, table: Table) -> int:
    """Copy a table's rows, a page at a time, and return how many there are."""
    rows = source.execute(select(table).execution_options(yield_per=PAGE))
    for page in rows.mappings().partitions():
        sent = [dict(row) for row in page]
        target.execute(insert(table), sent)
        # Read back and compared, as each database keeps floats and documents in types of its own.
        _verify_rows(target, table, sent)
    counted = select(func.count()).select_from(table)
    there, here = source.execute(counted).scalar_one(), target.execute(counted).scalar_one()
    if there != here:
        raise StoreError(f"of {there} rows of {table.name} {here} arrived", SaveOutcome.NOTHING)
    return int(here)


def _verify_rows(target: Connection, table: Table, sent: Sequence[Mapping[str, Any]]) -> None:
    """Raise StoreError unless the target has the rows as they were sent."""
    key = list(table.primary_key.columns)

    def name(row: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple(row[column.name] for column in key)

    there = target.execute(
        select(table).where(tuple_(*key).in_([name(row) for row in sent]))
    ).mappings()
    arrived = {name(row): row for row in map(dict, there)}
    if len(arrived) < len(sent):
        raise StoreError(
            f"of {len(sent)} rows of {table.name} {len(arrived)} arrived", SaveOutcome.NOTHING
        )
    for row in sent:
        if arrived.get(name(row)) != row:
            raise StoreError(
                f"of {table.name} {name(row)} arrived otherwise than it was sent",
                SaveOutcome.NOTHING,
            )


def _advance_sequence(connection: Connection, table: Table) -> None:
    """Make a server number a table's new rows after the present ones; SQLite does so by itself."""
    numbered = next(
        (column for column in table.columns if isinstance(column.server_default, Identity)), None
    )
    if numbered is None:
        return
    highest = connection.execute(select(func.max(numbered))).scalar()
    if highest is not None:
        # The rows came with their ids, which does not move the sequence.
        sequence = func.pg_get_serial_sequence(table.name, numbered.name)
        connection.execute(select(func.setval(sequence, highest)))
