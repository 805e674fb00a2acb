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

from bot.store.address import file_of, shown
from bot.store.carrying import carry, holding
from bot.store.company import others
from bot.store.complaints import in_words
from bot.store.copies import existing, put_in_place
from bot.store.database import Database
from bot.store.engines import VISITOR, new_name
from bot.store.errors import StoreError
from bot.store.migrating import migrate, own_the_server
from bot.store.opening import locked
from bot.store.shards import ALONE, Process
from bot.store.tables import metadata

_LOGS = ("-wal", "-shm", "-journal")
"""What lies beside a file while it is written to, by the end of its name."""


async def put_instead(made: Path, url: URL, *, replace: bool) -> str | None:
    """Put a file of ours, sound and of the present version, in the place of a database.

    Returns where that one is kept now, None if it was empty. Raises StoreError, changing nothing,
    while a program uses it, or if it holds something and is not to be replaced. The file lies in
    the folder of the one it replaces.
    """
    if target := file_of(url):
        return await asyncio.to_thread(_in_file, made, target, replace=replace)
    return await _on_server(made, url, replace=replace)


def _not_empty(where: str) -> StoreError:
    return StoreError(
        f"{where} is not empty; `tabula restore --replace` takes its place and keeps it aside"
    )


def _stamp() -> str:
    return time.strftime("%Y%m%d%H%M%S", time.gmtime())


def _in_file(made: Path, target: Path, *, replace: bool) -> str | None:
    lock = locked(target)
    try:
        aside = None
        if _holds_something(target):
            if not replace:
                raise _not_empty(str(target))
            aside = target.with_name(f"{target.name}.{_stamp()}.old")
            _keep(target, aside)
        put_in_place(made, target)
        return str(aside) if aside else None
    except sqlite3.Error as error:
        raise in_words(str(target), error) from error
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error.strerror}") from error
    finally:
        lock.release()


def _holds_something(path: Path) -> bool:
    """Whether there is a row in a file; what cannot be read may hold anything."""
    if not path.exists() or not path.stat().st_size:
        return False
    try:
        with closing(existing(path, "ro")) as connection:
            there = {
                name
                for (name,) in connection.execute(
                    "SELECT name FROM sqlite_master WHERE type = 'table'"
                )
            }
            ours = {table.name for table in metadata.sorted_tables}
            if there - ours - {"tabula_version"}:
                return True
            # The names are our own.
            queries = (f'SELECT 1 FROM "{name}" LIMIT 1' for name in there & ours)  # noqa: S608
            return any(connection.execute(query).fetchone() for query in queries)
    except sqlite3.Error:
        return True


def _keep(path: Path, aside: Path) -> None:
    """Keep a file under another name besides its own, with the log not yet merged into it."""
    for end in ("", *_LOGS):
        there = path.with_name(path.name + end)
        if there.exists():
            _link(there, aside.with_name(aside.name + end))
    # If this is broken off now, the file under its own name must be whole without its log. SQLite
    # throws away the log of a damaged file; it has been kept by then.
    with suppress(sqlite3.Error), closing(existing(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    # A log that is left would be taken for that of the file to come.
    for end in _LOGS:
        path.with_name(path.name + end).unlink(missing_ok=True)


def _link(path: Path, other: Path) -> None:
    try:
        os.link(path, other)
    except OSError:
        # Not every disk knows two names for a file.
        shutil.copy2(path, other)


async def _on_server(made: Path, url: URL, *, replace: bool) -> str | None:
    source = Database(URL.create("sqlite+aiosqlite", database=str(made)), Process(VISITOR, ALONE))
    target = Database(url, Process(new_name(), ALONE))
    try:
        async with source.at_one_moment() as moment:
            there = moment.sync_connection
            assert there is not None
            return await target.write(
                lambda here: _carried(there, here, shown(url), replace=replace)
            )
    finally:
        await source.close()
        await target.close()


def _carried(there: Connection, here: Connection, where: str, *, replace: bool) -> str | None:
    # No program that starts now gets at the tables before the end.
    own_the_server(here)
    if others(here):
        raise StoreError(f"{where} is in use by another Tabula; stop that one first")
    tables = inspect(here).get_table_names()
    aside = None
    if tables:
        # Also says where they are another program's, or a later version's.
        migrate(here, where)
        if holding(here):
            if not replace:
                raise _not_empty(where)
            aside = _moved(here, tables)
    migrate(here, where)
    carry(there, here)
    return aside and f"the schema {aside} of {where}"


def _moved(connection: Connection, tables: Sequence[str]) -> str:
    """Move tables to a schema of their own, and return its name."""
    aside = f"tabula_{_stamp()}"
    connection.execute(text(f"CREATE SCHEMA {aside}"))
    for table in tables:
        connection.execute(text(f'ALTER TABLE "{table}" SET SCHEMA {aside}'))
    return aside
