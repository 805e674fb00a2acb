"""A file before its first use: whether it is ours, and bringing it to the present version."""

import sqlite3
import time
from contextlib import closing
from functools import partial
from importlib.resources import files
from pathlib import Path

from bot.store.copies import copy
from bot.store.errors import StoreError
from bot.store.transaction import BUSY_S, in_transaction

APPLICATION_ID = 0x7AB01A
"""What marks a database as Tabula's."""


def prepare(path: Path) -> None:
    """Make the file or bring it to the present version, with a copy of the old one beside it.

    Raises StoreError or sqlite3.Error where it cannot be used; a file that is not ours is left as it is.
    """
    if not path.parent.is_dir():
        raise StoreError(f"the folder {path.parent} for the database is missing")
    steps = _steps()
    with closing(sqlite3.connect(path, isolation_level=None, timeout=BUSY_S)) as connection:
        version = in_transaction(connection, partial(_recognise, path, len(steps)))
        _log_ahead(connection)
        if 0 < version < len(steps):
            copy(path, path.with_name(f"{path.name}.v{version}.bak"), over=True)
        for number, script in enumerate(steps, 1):
            in_transaction(connection, partial(_migrate, number, script))


def _recognise(path: Path, newest: int, connection: sqlite3.Connection) -> int:
    mark, version = _pragma(connection, "application_id"), _pragma(connection, "user_version")
    fresh = mark == version == 0 and not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if mark != APPLICATION_ID and not fresh:
        raise StoreError(f"{path} is the database of another program")
    if version > newest:
        raise StoreError(f"{path} was written by a newer version of Tabula; update the program")
    # Written at every start: so it shows now, not at the first move, whether the file can be written.
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    return version


def _log_ahead(connection: sqlite3.Connection) -> None:
    # SQLite answers a change of this mode at once where another program is at the file: the waiting is ours.
    patience = time.monotonic() + BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > patience:
                raise
            time.sleep(0.02)
        else:
            return


def _migrate(number: int, script: str, connection: sqlite3.Connection) -> None:
    # Asked inside the transaction, since another process may have been quicker.
    if _pragma(connection, "user_version") >= number:
        return
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""
    connection.execute(f"PRAGMA user_version = {number}")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _steps() -> list[str]:
    found = sorted(files("bot.store").joinpath("migrations").iterdir(), key=lambda file: file.name)
    return [file.read_text(encoding="utf-8") for file in found if file.name.endswith(".sql")]
