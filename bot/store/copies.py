"""Whole and sound: what is wrong in a SQLite file, and copies of it that are known to be good."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.store.complaints import in_words
from bot.store.engines import PATIENCE_S
from bot.store.errors import StoreError

OWNERS_ALONE = 0o600
"""The permissions of a database and its copies, which hold the secrets of the dice."""


def copy(source: Path, target: Path, *, over: bool = False) -> None:
    """Copy a database, also while it is written to, and put the copy in place once it is known to be sound.

    Raises StoreError, leaving the target as it was; also where there is a file already, unless told to write `over` it.
    """
    if target.exists() and not over:
        raise StoreError(f"{target} exists already; a backup never writes over a file")
    try:
        with TemporaryDirectory(prefix=".tabula-", dir=target.parent) as folder:
            made = Path(folder, target.name)
            with closing(existing(source)) as original:
                original.execute("VACUUM INTO ?", (str(made),))
            made.chmod(OWNERS_ALONE)
            with closing(existing(made)) as found:
                if wrong := damage(found, "integrity_check"):
                    raise StoreError(f"the copy of {source} is damaged: {wrong[0]}")
            # VACUUM INTO leaves it to the system when the copy reaches the disk.
            with made.open("rb+") as file:
                os.fsync(file.fileno())
            made.replace(target)
    except sqlite3.Error as error:
        raise in_words(str(source), error) from error
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error.strerror}") from error


def damage(connection: sqlite3.Connection, check: str) -> list[str]:
    """Return what `integrity_check`, or the quicker `quick_check`, finds wrong in a file."""
    return [row[0] for row in connection.execute(f"PRAGMA {check}") if row[0] != "ok"]


def existing(path: Path, mode: str = "rw") -> sqlite3.Connection:
    """Open a file that is there; plainly opened, one that has gone would be made anew, empty."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=PATIENCE_S
    )
