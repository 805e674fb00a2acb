"""A database put in the place of another, which is empty or is kept aside."""

import asyncio
import os
import shutil
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

from sqlalchemy import URL, Connection, inspect, text

from bot.platform.db.address import format_address, get_file_path
from bot.platform.db.connections import has_other_programs
from bot.platform.db.copies import move_into_place, open_existing
from bot.platform.db.database import Database
from bot.platform.db.engines import READER_NAME, make_connection_name
from bot.platform.db.error_messages import make_store_error
from bot.platform.db.errors import StoreError
from bot.platform.db.migration import lock_migrations, migrate
from bot.platform.db.opening import acquire_lock
from bot.platform.db.shards import ALL_SHARDS, Process
from bot.platform.db.tables import load_metadata
from bot.platform.db.transfer import copy_tables, find_filled_table

_LOG_SUFFIXES = ("-wal", "-shm", "-journal")
"""What lies beside a file while it is written to, by the end of its name."""


async def replace_database(made: Path, url: URL, *, replace: bool) -> str | None:
    """Put a file of ours, sound and of the present version, in the place of a database.

    Returns where that one is kept now, None if it was empty. Raises StoreError, changing nothing,
    while a program uses it, or if it holds something and is not to be replaced. The file lies in
    the folder of the one it replaces.
    """
    if target := get_file_path(url):
        return await asyncio.to_thread(_replace_file, made, target, replace=replace)
    return await _replace_on_server(made, url, replace=replace)


def _make_not_empty_error(where: str) -> StoreError:
    return StoreError(
        f"{where} is not empty; `tabula restore --replace` takes its place and keeps it aside"
    )


def _format_timestamp() -> str:
    return time.strftime("%Y%m%d%H%M%S", time.gmtime())


def _replace_file(made: Path, target: Path, *, replace: bool) -> str | None:
    lock = acquire_lock(target)
    try:
        aside = None
        if _has_rows(target):
            if not replace:
                raise _make_not_empty_error(str(target))
            aside = target.with_name(f"{target.name}.{_format_timestamp()}.old")
            _preserve_file(target, aside)
        move_into_place(made, target)
        return str(aside) if aside else None
    except sqlite3.Error as error:
        raise make_store_error(str(target), error) from error
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error.strerror}") from error
    finally:
        lock.release()


def _has_rows(path: Path) -> bool:
    """Whether there is a row in a file; what cannot be read may hold anything."""
    if not path.exists() or not path.stat().st_size:
        return False
    try:
        with closing(open_existing(path, "ro")) as connection:
            there = {
                name
                for (name,) in connection.execute(
                    "SELECT name FROM sqlite_master WHERE type = 'table'"
                )
            }
            ours = {table.name for table in load_metadata().sorted_tables}
            # A table that is not ours may hold what somebody else still needs.
            if there - ours - {"tabula_version"}:
                return True
            # The names are our own.
            queries = (f'SELECT 1 FROM "{name}" LIMIT 1' for name in there & ours)  # noqa: S608
            return any(connection.execute(query).fetchone() for query in queries)
    except sqlite3.Error:
        return True


def _preserve_file(path: Path, aside: Path) -> None:
    """Keep a file under another name besides its own, with the log not yet merged into it."""
    for end in ("", *_LOG_SUFFIXES):
        there = path.with_name(path.name + end)
        if there.exists():
            _link_or_copy(there, aside.with_name(aside.name + end))
    # If this is broken off now, the file under its own name must be whole without its log. SQLite
    # throws away the log of a damaged file; it has been kept by then.
    with suppress(sqlite3.Error), closing(open_existing(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    # A log that is left would be taken for that of the file to come.
    for end in _LOG_SUFFIXES:
        path.with_name(path.name + end).unlink(missing_ok=True)


def _link_or_copy(path: Path, other: Path) -> None:
    try:
        os.link(path, other)
    except OSError:
        # Not every disk knows two names for a file.
        shutil.copy2(path, other)


async def _replace_on_server(made: Path, url: URL, *, replace: bool) -> str | None:
    source = Database(
        URL.create("sqlite+aiosqlite", database=str(made)), Process(READER_NAME, ALL_SHARDS)
    )
    target = Database(url, Process(make_connection_name(), ALL_SHARDS))
    try:
        async with source.open_read_transaction() as moment:
            there = moment.sync_connection
            assert there is not None
            return await target.write_beside(
                lambda here: _replace_tables(there, here, format_address(url), replace=replace)
            )
    finally:
        await source.close()
        await target.close()


def _replace_tables(
    there: Connection, here: Connection, where: str, *, replace: bool
) -> str | None:
    # No program that starts now gets at the tables before the end.
    lock_migrations(here)
    if has_other_programs(here):
        raise StoreError(f"{where} is in use by another Tabula; stop that one first")
    tables = inspect(here).get_table_names()
    aside = None
    if tables:
        # Also says where they are another program's, or a later version's.
        migrate(here, where)
        if find_filled_table(here):
            if not replace:
                raise _make_not_empty_error(where)
            aside = _move_to_schema(here, tables)
    # The present tables, which are missing if there were none or if they have just been moved.
    migrate(here, where)
    copy_tables(there, here)
    return aside and f"the schema {aside} of {where}"


def _move_to_schema(connection: Connection, tables: Sequence[str]) -> str:
    """Move tables to a schema of their own, and return its name."""
    aside = f"tabula_{_format_timestamp()}"
    connection.execute(text(f"CREATE SCHEMA {aside}"))
    for table in tables:
        connection.execute(text(f'ALTER TABLE "{table}" SET SCHEMA {aside}'))
    return aside
