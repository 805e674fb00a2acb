"""Whole databases: copied, restored, deleted."""

import asyncio
import os
import shutil
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import URL, Connection, inspect, text

from bot.platform.db import copies
from bot.platform.db.address import format_address, get_file_path, parse_address
from bot.platform.db.database import Database
from bot.platform.db.engines import READER_NAME, build_connection_name
from bot.platform.db.errors import StoreError, build_store_error
from bot.platform.db.migration import lock_migrations, migrate, require_current_server_version
from bot.platform.db.opening import acquire_lock, copy_tabula_file, is_locked, remove_files
from bot.platform.db.shards import ALL_SHARDS, Process
from bot.platform.db.store import Store
from bot.platform.db.tables import load_metadata, now_ms


async def is_in_use(where: str | Path) -> bool:
    """Whether a program uses a database; one that only reads does not count.

    Raises StoreError if that is not known.
    """
    url = parse_address(where)
    if file := get_file_path(url):
        return await asyncio.to_thread(is_locked, file)
    database = Database(url, Process(READER_NAME, ALL_SHARDS))
    try:
        return await database.read(has_other_programs)
    finally:
        await database.close()


async def delete_database(file: Path) -> None:
    """Delete a database file and the files that belong to it.

    Raises StoreError, deleting nothing, while a program uses it.
    """
    await asyncio.to_thread(remove_files, file)


async def back_up_database(where: str | Path, target: Path) -> None:
    """Copy a database as it is now into a new file, also while the bot runs, and check the copy.

    The file is of SQLite, whichever database it is taken from. Raises StoreError, leaving no file.
    """
    url = parse_address(where)
    # The instant before the copy is made: what is saved meanwhile may not be in it.
    mark = partial(copies.mark_copy, at=now_ms())
    if source := get_file_path(url):
        await asyncio.to_thread(copy_tabula_file, source, target, mark)
        return
    # Moving the finished copy into place would overwrite a file that is there.
    copies.require_free_path(target)
    server = Database(url, Process(READER_NAME, ALL_SHARDS))
    try:
        await server.read(partial(require_current_server_version, where=server.where))
        with TemporaryDirectory(prefix=copies.TEMPORARY_PREFIX, dir=target.parent) as folder:
            path = Path(folder, target.name)
            # Without keys, since sealed secrets are copied as they are.
            async with await Store.open(path) as copy:
                await copy.import_from(server)
            await asyncio.to_thread(mark, path)
            await asyncio.to_thread(copies.finish_copy, path, target)
            copies.place_new_file(path, target)
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error.strerror}") from error
    finally:
        await server.close()


@contextmanager
def _lend_room(folder: Path | None) -> Iterator[str]:
    try:
        room = TemporaryDirectory(prefix=copies.TEMPORARY_PREFIX, dir=folder)
    except OSError as error:
        raise StoreError(f"nothing can be written in {folder}: {error.strerror}") from error
    with room as name:
        yield name


@asynccontextmanager
async def create_migrated_copy(
    file: Path, folder: Path | None = None, keys: Sequence[str] = ()
) -> AsyncIterator[Path]:
    """Lend a copy of a file of ours, of the present version, made in a folder or the usual place.

    Without a folder it is made where copies may lie. It is sealed as `keys` say. Raises StoreError.
    """
    if folder is not None:
        copies.remove_leftovers(folder)
    with _lend_room(folder) as room:
        path = Path(room, file.name)
        await asyncio.to_thread(copy_tabula_file, file, path)
        # To open it is all that is wanted: that brings it to the present version and seals it.
        async with await Store.open(path, keys):
            pass
        yield path


async def restore_database(
    path: Path, where: str | Path, *, replace: bool, older: bool = False
) -> str | None:
    """Put a copy that was `create_migrated_copy` in the place of a database.

    The copy lies in the folder of that database if that is a file. If it is an `older` state, the
    bot that opens it next begins a generation.

    Returns where the replaced database is kept now, None if it was empty. Raises StoreError,
    changing nothing, while a program uses it, or if it holds something and is not to be replaced.
    """
    if older:
        await asyncio.to_thread(copies.mark_copy, path)
    return await replace_database(path, parse_address(where), replace=replace)


def require_file_and_server(where: str | Path, target: str) -> Path:
    """Return the file that is to be carried to a server.

    Raises StoreError if either address is of another kind.
    """
    url = parse_address(where)
    file = get_file_path(url)
    if file is None:
        raise StoreError(
            f"{format_address(url)} is no SQLite file; only such a file is carried over"
        )
    if not file.is_file():
        raise StoreError(f"there is no database {file}")
    if get_file_path(parse_address(target)):
        raise StoreError(
            "a file is carried over to a server only: name it as "
            "postgresql://USER:PASSWORD@HOST/NAME"
        )
    return file


def get_folder(where: str | Path) -> Path | None:
    """Return the folder of a database that is a file; None for a server's."""
    file = get_file_path(parse_address(where))
    return _follow_links(file).parent if file else None


def require_replaceable(file: Path, where: str | Path) -> None:
    """Raise StoreError if a database can't be replaced by a file: it is one itself, or no file."""
    target = get_file_path(parse_address(where))
    if target is None:
        return
    place = _follow_links(target)
    if not place.parent.is_dir():
        raise StoreError(f"the folder {place.parent} for the database is missing")
    if os.path.realpath(file) == os.path.realpath(target):
        raise StoreError(f"{file} is the database itself; give the backup that is to replace it")
    _require_file_or_nothing(place)


def _follow_links(path: Path) -> Path:
    # A link itself would be replaced, and leave what it leads to as it was.
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def _require_file_or_nothing(path: Path) -> None:
    if os.path.lexists(path) and not path.is_file():
        raise StoreError(f"{path} is not a file that could be replaced")


_LOG_SUFFIXES = ("-wal", "-shm", "-journal")
"""What lies beside a file while it is written to, by the end of its name."""


async def replace_database(path: Path, url: URL, *, replace: bool) -> str | None:
    """Put a file of ours, sound and of the present version, in the place of a database.

    Returns where that one is kept now, None if it was empty. Raises StoreError, changing nothing,
    while a program uses it, or if it holds something and is not to be replaced. The file lies in
    the folder of the one it replaces.
    """
    if target := get_file_path(url):
        return await asyncio.to_thread(_replace_file, path, target, replace=replace)
    return await _replace_on_server(path, url, replace=replace)


def _build_not_empty_error(where: str) -> StoreError:
    return StoreError(
        f"{where} is not empty; `tabula restore --replace` takes its place and keeps it aside"
    )


def _format_timestamp() -> str:
    return time.strftime("%Y%m%d%H%M%S", time.gmtime())


def _replace_file(path: Path, target: Path, *, replace: bool) -> str | None:
    place = _follow_links(target)
    _require_file_or_nothing(place)
    lock = acquire_lock(target)
    try:
        aside = None
        if _has_rows(target):
            if not replace:
                raise _build_not_empty_error(str(target))
            aside = place.with_name(f"{place.name}.{_format_timestamp()}.old")
            _preserve_file(place, aside)
        copies.finish_copy(path, target)
        path.replace(place)
        return str(aside) if aside else None
    except sqlite3.Error as error:
        raise build_store_error(str(target), error) from error
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error.strerror}") from error
    finally:
        lock.release()


def _has_rows(path: Path) -> bool:
    """Whether there is a row in a file; what cannot be read may hold anything."""
    if not path.exists() or not path.stat().st_size:
        return False
    try:
        with closing(copies.open_existing(path, "ro")) as connection:
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
    with suppress(sqlite3.Error), closing(copies.open_existing(path)) as connection:
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


async def _replace_on_server(path: Path, url: URL, *, replace: bool) -> str | None:
    source = Database(
        URL.create("sqlite+aiosqlite", database=str(path)), Process(READER_NAME, ALL_SHARDS)
    )
    target = Database(url, Process(build_connection_name(), ALL_SHARDS))
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
        if copies.find_filled_table(here):
            if not replace:
                raise _build_not_empty_error(where)
            aside = _move_to_schema(here, tables)
    # The present tables, which are missing if there were none or if they have just been moved.
    migrate(here, where)
    copies.copy_tables(there, here)
    return aside and f"the schema {aside} of {where}"


def _move_to_schema(connection: Connection, tables: Sequence[str]) -> str:
    """Move tables to a schema of their own, and return its name."""
    aside = f"tabula_{_format_timestamp()}"
    connection.execute(text(f"CREATE SCHEMA {aside}"))
    for table in tables:
        connection.execute(text(f'ALTER TABLE "{table}" SET SCHEMA {aside}'))
    return aside


_COUNT_OTHER_PROGRAMS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
    # With the space, so that `tabula-visitor` does not match: programs that only read.
    "AND application_name LIKE 'tabula %' "
    "AND application_name <> current_setting('application_name')"
)


def has_other_programs(connection: Connection) -> bool:
    """Whether another program of ours is connected to the same database; readers don't count."""
    return bool(connection.execute(_COUNT_OTHER_PROGRAMS).scalar_one())
