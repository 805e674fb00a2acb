"""Copies that are known to be good: of a SQLite file, and of all data in another database."""

import os
import re
import shutil
import sqlite3
import stat
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from sqlalchemy import Connection, Identity, Table, func, insert, select, tuple_

from bot.platform.db.database import Database
from bot.platform.db.engines import PATIENCE_S
from bot.platform.db.errors import SaveOutcome, StoreError, build_store_error
from bot.platform.db.tables import load_metadata

TEMPORARY_PREFIX = ".tabula-"
"""How the names of the folders begin in which copies are made."""
_TEMPORARY_NAME = re.compile(rf"{re.escape(TEMPORARY_PREFIX)}[a-z0-9_]{{8}}")
STALE_S = 86_400
"""Seconds after which a copy that was begun is no longer being made."""
FOLDER_MODE = 0o700
"""The permissions of those folders."""
OWNER_ONLY_MODE = 0o600
"""The permissions of a database and its copies, which hold the secrets of the dice."""
COPY_MARK = "copied"
"""The note that marks a copy: the instant at which it was made, in milliseconds."""
_NEWEST_INSTANT = """
SELECT max(at) FROM (
    SELECT max(at) AS at FROM presences
    UNION ALL SELECT max(touched) FROM matches
    UNION ALL SELECT max(created) FROM challenges
)
"""
"""The newest instant of which a database knows."""

FinishCopy: TypeAlias = Callable[[Path], None]
"""Changes a copy before it is put in place."""


def leave_unchanged(_: Path) -> None:
    """Leave a copy as it is."""


def copy_file(
    source: Path,
    target: Path,
    *,
    over: bool = False,
    finish: FinishCopy = leave_unchanged,
) -> None:
    """Copy a database, also while it is written to, and put the copy in place once found sound.

    `finish` changes the copy before that.

    Raises StoreError, leaving the target as it was; also if a file exists already, unless `over`
    says to overwrite it.
    """
    if not over:
        require_free_path(target)
    try:
        # Beside the target, and so on one disk with it: there a move is done whole or not at all.
        with TemporaryDirectory(prefix=TEMPORARY_PREFIX, dir=target.parent) as folder:
            path = Path(folder, target.name)
            with closing(open_existing(source)) as original:
                # This reads one snapshot while others write, and takes what is still in the log
                # along.
                original.execute("VACUUM INTO ?", (str(path),))
            finish(path)
            finish_copy(path, target)
            if over:
                path.replace(target)
            else:
                place_new_file(path, target)
    except sqlite3.Error as error:
        # Only the copy takes more room.
        is_full = error.sqlite_errorcode == sqlite3.SQLITE_FULL
        where = _find_lasting_folder(target) if is_full else source
        raise build_store_error(str(where), error) from error
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error.strerror}") from error


def _find_lasting_folder(path: Path) -> Path:
    """Return the folder of a file, or where that folder lies if copies are made in it."""
    folders = (each for each in path.parents if not _TEMPORARY_NAME.fullmatch(each.name))
    return next(folders, path.parent)


def require_free_path(target: Path) -> None:
    """Raise StoreError if a copy would overwrite a file."""
    # Also a link that leads nowhere.
    if os.path.lexists(target):
        raise StoreError(f"{target} exists already; a backup never writes over a file")


def place_new_file(path: Path, target: Path) -> None:
    """Move a file that was made beside its place into it.

    Raises StoreError if another has that name meanwhile, or OSError.
    """
    require_free_path(target)
    try:
        os.link(path, target)
    except FileExistsError:
        require_free_path(target)
        raise
    except OSError:
        # Not every disk knows two names for a file.
        path.replace(target)
    else:
        path.unlink()


def remove_leftovers(folder: Path) -> None:
    """Remove from a folder the copies that were being made when a program was killed."""
    with suppress(OSError):
        for each in folder.iterdir():
            if not _TEMPORARY_NAME.fullmatch(each.name) or not each.is_dir():
                continue
            found = each.stat()
            # A copy that is being made lies in such a folder, too, and is much younger; a folder
            # that others may enter is somebody's own.
            is_ours = stat.S_IMODE(found.st_mode) == FOLDER_MODE
            if is_ours and found.st_mtime < time.time() - STALE_S:
                shutil.rmtree(each, ignore_errors=True)


def finish_copy(path: Path, target: Path) -> None:
    """Make a copy one file, for its owner alone and on the disk, if it is sound.

    Raises StoreError if it is not, naming the target, or OSError.
    """
    path.chmod(OWNER_ONLY_MODE)
    with closing(open_existing(path)) as found:
        # A copy is one file, without a log beside it.
        found.execute("PRAGMA journal_mode = DELETE")
        if wrong := find_damage(found, "integrity_check"):
            raise StoreError(f"the copy for {target} is damaged: {wrong[0]}")
    # SQLite leaves it to the system when what it has written reaches the disk.
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def find_damage(connection: sqlite3.Connection, check: str) -> list[str]:
    """Return what `integrity_check`, or the quicker `quick_check`, finds wrong in a file."""
    return [row[0] for row in connection.execute(f"PRAGMA {check}") if row[0] != "ok"]


def open_existing(path: Path, mode: str = "rw") -> sqlite3.Connection:
    """Open an existing file; a plain open would make a missing one again, empty."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        isolation_level=None,
        timeout=PATIENCE_S,
    )


def mark_copy(file: Path, at: int | None = None) -> None:
    """Mark a file as a copy that was made at an instant, unless it is marked already.

    Without an instant it is the newest of which the file knows. Raises StoreError.
    """
    try:
        _write_mark(file, at)
    except sqlite3.Error as error:
        raise build_store_error(str(file), error) from error


def _write_mark(file: Path, at: int | None) -> None:
    with closing(open_existing(file)) as connection:
        there = "SELECT 1 FROM sqlite_master WHERE name = ?"
        if connection.execute(there, ("notes",)).fetchone() is None:
            # An empty file has lost nothing.
            return
        if at is None:
            (newest,) = connection.execute(_NEWEST_INSTANT).fetchone()
            at = newest or 0
        # A mark that is there already is the instant of the copy itself, which is the better one.
        connection.execute(
            "INSERT OR IGNORE INTO notes (name, text) VALUES (?, ?)", (COPY_MARK, str(at))
        )


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

    Reads see one moment if the source's transaction does; writes are saved with the
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
