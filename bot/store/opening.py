"""A SQLite file before its first use: whether it is ours, whole and free, and its copy.

The copy is made before the file is changed.
"""

import os
import sqlite3
import time
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from bot.store.complaints import in_words
from bot.store.copies import (
    OWNERS_ALONE,
    Finish,
    copy,
    damage,
    existing,
    mark_copy,
    nothing,
)
from bot.store.engines import PATIENCE_S
from bot.store.errors import StoreError
from bot.store.migrating import MARK, newest, require_present


def prepare(path: Path) -> BaseFileLock:
    """Make the file, or check that it is whole and ours, and return its lock.

    A file of an older version is copied beside it. Raises StoreError if it cannot be used; a file
    that is not ours, or is damaged, is left as it is.
    """
    if not path.parent.is_dir():
        raise StoreError(f"the folder {path.parent} for the database is missing")
    _make(path)
    lock = locked(path)
    try:
        _make_ready(path)
    except sqlite3.Error as error:
        lock.release()
        raise in_words(str(path), error) from error
    except BaseException:
        lock.release()
        raise
    return lock


def remove(path: Path) -> None:
    """Delete a database file and all that belongs to it, the copies beside it included.

    Raises StoreError, deleting nothing, while a program uses it.
    """
    lock = locked(path)
    try:
        # The lock's own file stays: if it were deleted, two programs could each hold a lock of that
        # name.
        for file in set(path.parent.glob(f"{path.name}*")) - {Path(lock.lock_file)}:
            file.unlink()
    finally:
        lock.release()


def look(path: Path) -> None:
    """Raise StoreError if a file is missing, not ours, not whole, or of another version."""
    if not path.is_file():
        raise StoreError(f"there is no file {path}")
    try:
        require_present(version_of(path), str(path))
    except sqlite3.Error as error:
        raise in_words(str(path), error) from error


def held(path: Path) -> bool:
    """Whether a program uses the file."""
    lock = FileLock(f"{path}.lock", mode=OWNERS_ALONE, thread_local=False)
    if not Path(lock.lock_file).exists():
        return False
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return True
    lock.release()
    return False


def copy_ours(source: Path, target: Path, finish: Finish = nothing) -> None:
    """Copy a database of ours, also while another program writes to it.

    Raises StoreError, making nothing.
    """
    if not source.is_file():
        raise StoreError(f"there is no file {source}")
    try:
        version_of(source)
    except sqlite3.Error as error:
        raise in_words(str(source), error) from error
    copy(source, target, finish=finish)


def version_of(path: Path) -> int:
    """Return the version of a file, 0 for a new one, leaving it as it is.

    Raises StoreError or sqlite3.Error if it is not ours or not whole.
    """
    # A connection that may write would write the log's last pages into a damaged file when it is
    # closed.
    with closing(existing(path, "ro")) as connection:
        mark, version = _pragma(connection, "application_id"), _pragma(connection, "user_version")
        fresh = (
            mark == version == 0
            and not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        )
        if mark != MARK and not fresh:
            raise StoreError(f"{path} is the database of another program")
        if version > newest():
            raise StoreError(f"{path} was written by a newer version of Tabula; update the program")
        if damage(connection, "quick_check"):
            raise StoreError(f"{path} is damaged; restore a backup")
    return version


def _make(path: Path) -> None:
    # An existing file is not touched: closing it here would release the locks that SQLite holds for
    # this process.
    if path.is_file():
        return
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, OWNERS_ALONE))
    except OSError as error:
        raise StoreError(
            f"{path} cannot be opened; check its permissions and its folder's"
        ) from error


def locked(path: Path) -> BaseFileLock:
    """Take a file for this program alone; raises StoreError while another has it."""
    lock = FileLock(f"{path}.lock", mode=OWNERS_ALONE, thread_local=False)
    try:
        lock.acquire(timeout=PATIENCE_S)
    except Timeout:
        raise StoreError(f"{path} is in use by another Tabula; stop that one first") from None
    except OSError as error:
        raise StoreError(f"{path}.lock cannot be written: {error.strerror}") from error
    return lock


def _make_ready(path: Path) -> None:
    _undo_what_was_cut_short(path)
    version = version_of(path)
    # A file that another user owns stays as they let it be.
    with suppress(PermissionError):
        path.chmod(OWNERS_ALONE)
    with closing(existing(path)) as connection:
        # Written at every start, so that a read-only file is noticed now, not at the first move.
        connection.execute(f"PRAGMA application_id = {MARK}")
        _log_ahead(connection)
    if 0 < version < newest():
        beside = path.with_name(f"{path.name}.v{version}.bak")
        mark = partial(mark_copy, at=time.time_ns() // 1_000_000)
        copy(path, beside, over=True, finish=mark)


def _undo_what_was_cut_short(path: Path) -> None:
    # There is a journal instead of a log only while a file is made, and undoing its content needs
    # write access.
    if path.with_name(f"{path.name}-journal").exists():
        with closing(existing(path)) as connection:
            _pragma(connection, "schema_version")


def _log_ahead(connection: sqlite3.Connection) -> None:
    # SQLite answers a change of this mode at once if another program is at the file, so we wait
    # ourselves.
    patience = time.monotonic() + PATIENCE_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > patience:
                raise
            time.sleep(0.02)
        else:
            return


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])
