"""A SQLite file before its first use: whether it is ours, whole and free, and its copy.

The copy is made before the file is changed.
"""

import hashlib
import logging
import os
import sqlite3
import time
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from bot.platform.db import copies
from bot.platform.db.engines import PATIENCE_S
from bot.platform.db.errors import (
    DamagedDatabaseError,
    StoreError,
    UnusableDatabaseError,
    build_store_error,
)
from bot.platform.db.migration import APPLICATION_ID, find_newest_version, require_current_version
from bot.platform.db.tables import now_ms

log = logging.getLogger(__name__)


FIRST_OVERWRITING_VERSION = 34
"""The first version that overwrites what it deletes, always and on every system."""


def prepare_file(path: Path) -> BaseFileLock:
    """Make the file, or check that it is whole and ours, and return its lock.

    A file of an older version is copied beside it. Raises StoreError if it cannot be used; a file
    that is not ours, or is damaged, is left as it is.
    """
    if not path.parent.is_dir():
        raise UnusableDatabaseError(f"the folder {path.parent} for the database is missing")
    _create_file(path)
    lock = acquire_lock(path)
    # Of a restore that was killed.
    copies.remove_leftovers(path.parent)
    try:
        _initialise_file(path)
    except sqlite3.Error as error:
        lock.release()
        raise build_store_error(str(path), error) from error
    except BaseException:
        lock.release()
        raise
    return lock


def save_checksum(path: Path) -> None:
    """Note beside a closed file how every byte of it was, so that the doctor notices any change.

    SQLite's own check sees what breaks its structure, but no other byte of what is stored.
    """
    log = path.with_name(f"{path.name}-wal")
    # Somebody else still reads, so the newest pages are not in the file.
    if log.exists() and log.stat().st_size:
        return
    with suppress(OSError):
        beside = _get_checksum_file(path)
        beside.write_text(f"{_compute_checksum(path)}\n", encoding="ascii")
        beside.chmod(copies.OWNER_ONLY_MODE)


def find_change(path: Path) -> str | None:
    """Return a sentence if a file is no longer as it was closed; None also where nothing says so.

    While a program uses it, or after a kill, nothing does.
    """
    beside = _get_checksum_file(path)
    try:
        noted = beside.read_text(encoding="ascii", errors="replace").strip()
        if noted == _compute_checksum(path):
            return None
    except OSError:
        return None
    return (
        f"{path} has changed since it was closed; unless you changed it yourself, a disk or "
        "a program has damaged it: restore a backup"
    )


def _get_checksum_file(path: Path) -> Path:
    return path.with_name(f"{path.name}.sum")


def _compute_checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "blake2b").hexdigest()


def remove_files(path: Path) -> None:
    """Delete a database file and all that belongs to it, the copies beside it included.

    Raises StoreError, deleting nothing, while a program uses it.
    """
    lock = acquire_lock(path)
    try:
        # The lock's own file stays: if it were deleted, two programs could each hold a lock of that
        # name.
        for file in set(path.parent.glob(f"{path.name}*")) - {Path(lock.lock_file)}:
            file.unlink()
    finally:
        lock.release()


def require_usable_file(path: Path) -> None:
    """Raise StoreError if a file is missing, not ours, not whole, or of another version."""
    if not path.is_file():
        raise StoreError(f"there is no file {path}")
    try:
        require_current_version(check_file_version(path), str(path))
    except sqlite3.Error as error:
        raise build_store_error(str(path), error) from error


def is_locked(path: Path) -> bool:
    """Whether a program uses the file."""
    lock = FileLock(f"{path}.lock", mode=copies.OWNER_ONLY_MODE, thread_local=False)
    # Trying the lock would create its file; without one no program has ever held it.
    if not Path(lock.lock_file).exists():
        return False
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return True
    lock.release()
    return False


def copy_tabula_file(
    source: Path, target: Path, finish: copies.FinishCopy = copies.leave_unchanged
) -> None:
    """Copy a database of ours, also while another program writes to it.

    Raises StoreError, making nothing.
    """
    if not source.is_file():
        raise StoreError(f"there is no file {source}")
    try:
        check_file_version(source)
    except sqlite3.Error as error:
        raise build_store_error(str(source), error) from error
    copies.copy_file(source, target, finish=finish)


def check_file_version(path: Path) -> int:
    """Return the version of a file, 0 for a new one, leaving it as it is.

    Raises StoreError or sqlite3.Error if it is not ours or not whole.
    """
    # A connection that may write would write the log's last pages into a damaged file when it is
    # closed.
    with closing(copies.open_existing(path, "ro")) as connection:
        mark, version = (
            _load_pragma(connection, "application_id"),
            _load_pragma(connection, "user_version"),
        )
        fresh = (
            mark == version == 0
            and not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        )
        if mark != APPLICATION_ID and not fresh:
            raise UnusableDatabaseError(f"{path} is the database of another program")
        if version > find_newest_version():
            raise UnusableDatabaseError(
                f"{path} was written by a newer version of Tabula; update the program"
            )
        if copies.find_damage(connection, "quick_check"):
            raise DamagedDatabaseError(f"{path} is damaged; restore a backup")
    return version


def _create_file(path: Path) -> None:
    # An existing file is not touched: closing it here would release the locks that SQLite holds for
    # this process.
    if path.is_file():
        return
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, copies.OWNER_ONLY_MODE))
    except OSError as error:
        raise StoreError(
            f"{path} cannot be opened; check its permissions and its folder's"
        ) from error


def acquire_lock(path: Path) -> BaseFileLock:
    """Take a file for this program alone; raises StoreError while another has it."""
    # Not thread-local: it is taken in a worker thread and released in the event loop's.
    lock = FileLock(f"{path}.lock", mode=copies.OWNER_ONLY_MODE, thread_local=False)
    try:
        lock.acquire(timeout=PATIENCE_S)
    except Timeout:
        raise StoreError(f"{path} is in use by another Tabula; stop that one first") from None
    except OSError as error:
        raise StoreError(f"{path}.lock cannot be written: {error.strerror}") from error
    return lock


def _initialise_file(path: Path) -> None:
    _roll_back_journal(path)
    version = check_file_version(path)
    if changed := find_change(path):
        log.warning("%s", changed)
    # From here on it changes.
    _get_checksum_file(path).unlink(missing_ok=True)
    # A file that another user owns stays as they let it be.
    with suppress(PermissionError):
        path.chmod(copies.OWNER_ONLY_MODE)
    with closing(copies.open_existing(path)) as connection:
        # Written at every start, so that a read-only file is noticed now, not at the first move.
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        _enable_wal(connection)
    # A new file has version 0, and nothing in it to keep a copy of.
    if 0 < version < find_newest_version():
        beside = path.with_name(f"{path.name}.v{version}.bak")
        mark = partial(copies.mark_copy, at=now_ms())
        copies.copy_file(path, beside, over=True, finish=mark)
    if 0 < version < FIRST_OVERWRITING_VERSION:
        _drop_remains(path)


def _drop_remains(path: Path) -> None:
    """Write a file anew, so that nothing is left in its pages of what was deleted."""
    try:
        with closing(copies.open_existing(path)) as connection:
            connection.execute("VACUUM")
    except sqlite3.OperationalError as error:
        # Without room for it on the disk the program starts all the same.
        log.warning("what was deleted earlier may be left in %s: %s", path, error)


def _roll_back_journal(path: Path) -> None:
    # There is a journal instead of a log only while a file is made, and undoing its content needs
    # write access.
    if path.with_name(f"{path.name}-journal").exists():
        with closing(copies.open_existing(path)) as connection:
            _load_pragma(connection, "schema_version")


def _enable_wal(connection: sqlite3.Connection) -> None:
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


def _load_pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])
