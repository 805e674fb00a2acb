"""Whole and sound: what is wrong in a SQLite file, and copies of it that are known to be good."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from bot.platform.db.engines import PATIENCE_S
from bot.platform.db.error_messages import make_store_error
from bot.platform.db.errors import StoreError

TEMPORARY_PREFIX = ".tabula-"
"""How the names of the folders begin in which copies are made."""
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
            made = Path(folder, target.name)
            with closing(open_existing(source)) as original:
                # This reads one snapshot while others write, and takes what is still in the log
                # along.
                original.execute("VACUUM INTO ?", (str(made),))
            finish(made)
            move_into_place(made, target)
    except sqlite3.Error as error:
        raise make_store_error(str(source), error) from error
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error.strerror}") from error


def require_free_path(target: Path) -> None:
    """Raise StoreError if a copy would overwrite a file."""
    if target.exists():
        raise StoreError(f"{target} exists already; a backup never writes over a file")


def move_into_place(made: Path, target: Path) -> None:
    """Move a file that was made beside its place into it, for its owner alone, if it is sound.

    Raises StoreError if it is not, or OSError.
    """
    made.chmod(OWNER_ONLY_MODE)
    with closing(open_existing(made)) as found:
        # A copy is one file, without a log beside it.
        found.execute("PRAGMA journal_mode = DELETE")
        if wrong := find_damage(found, "integrity_check"):
            raise StoreError(f"the copy for {target} is damaged: {wrong[0]}")
    # SQLite leaves it to the system when what it has written reaches the disk.
    with made.open("rb+") as file:
        os.fsync(file.fileno())
    made.replace(target)


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
        raise make_store_error(str(file), error) from error


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
