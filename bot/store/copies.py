"""Whole and sound: what is wrong in a file, and copies of it that are known to be good."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.store.errors import StoreError, in_words
from bot.store.transaction import BUSY_S


def faults(connection: sqlite3.Connection) -> list[str]:
    """Return what is wrong in a database, a sentence each: the file, its references, gaps in a match's events."""
    lost = [
        f"a row of {table} refers to a row of {parent} that is not there"
        for table, _, parent, _ in connection.execute("PRAGMA foreign_key_check")
    ]
    gaps = connection.execute(
        "SELECT id, matches.version, count(events.version) FROM matches LEFT JOIN events ON events.match = id"
        " GROUP BY id HAVING count(events.version) <> matches.version"
        " OR coalesce(max(events.version), 0) <> matches.version"
    )
    return [
        *_damage(connection),
        *lost,
        *(f"match {row[0]} should have the events 1 to {row[1]}, but has {row[2]}" for row in gaps),
    ]


def copy(source: Path, target: Path, *, over: bool = False) -> None:
    """Copy a database, also while it is written to, and put the copy in place once it is known to be sound.

    Raises StoreError, leaving the target as it was; also where there is a file already, unless told to write `over` it.
    """
    if target.exists() and not over:
        raise StoreError(f"{target} exists already; a backup never writes over a file")
    try:
        with TemporaryDirectory(prefix=".tabula-", dir=target.parent) as folder:
            made = Path(folder, target.name)
            with closing(_existing(source)) as original:
                original.execute("VACUUM INTO ?", (str(made),))
            with closing(_existing(made)) as found:
                if wrong := _damage(found):
                    raise StoreError(f"the copy of {source} is damaged: {wrong[0]}")
            # VACUUM INTO leaves it to the system when the copy reaches the disk.
            with made.open("rb+") as file:
                os.fsync(file.fileno())
            made.replace(target)
    except sqlite3.Error as error:
        raise in_words(source, error) from error
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error.strerror}") from error


def _damage(connection: sqlite3.Connection) -> list[str]:
    return [row[0] for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]


def _existing(path: Path) -> sqlite3.Connection:
    # Plainly opened, a file that has gone would be made anew, empty.
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, timeout=BUSY_S)
