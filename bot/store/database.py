"""The file: opening it, bringing it to the present version, and running work on it."""

import asyncio
import sqlite3
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

import aiosqlite

from bot.store.errors import StoreError

APPLICATION_ID = 0x7AB01A
"""What marks a database as Tabula's."""
BUSY_S = 5.0

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]


class Database:
    """One connection that writes and one that reads, each a thread of its own."""

    def __init__(self, path: Path, writer: aiosqlite.Connection, reader: aiosqlite.Connection) -> None:
        self.path = path
        self._writer = writer
        self._reader = reader
        self._writing = asyncio.Lock()

    @classmethod
    async def open(cls, path: Path) -> "Database":
        """Open or create the file and bring it to the present version; raises StoreError saying why it cannot."""
        try:
            await asyncio.to_thread(_prepare, path)
            writer = await aiosqlite.connect(path, isolation_level=None, timeout=BUSY_S)
            try:
                reader = await aiosqlite.connect(path, isolation_level=None, timeout=BUSY_S)
            except sqlite3.Error:
                await writer.close()
                raise
            database = cls(path, writer, reader)
            for connection in (writer, reader):
                await _run(connection, _set_up)
        except sqlite3.Error as error:
            raise _said(path, error) from error
        return database

    async def close(self) -> None:
        """Close both connections."""
        await self._writer.close()
        await self._reader.close()

    async def write(self, work: Work[T]) -> T:
        """Run work in one transaction: all of it is saved, on the disk, or none. Raises StoreError."""
        async with self._writing:
            try:
                return await _run(self._writer, lambda connection: _in_transaction(connection, work))
            except sqlite3.Error as error:
                raise _said(self.path, error) from error

    async def read(self, work: Work[T]) -> T:
        """Run work that only reads. Raises StoreError."""
        try:
            return await _run(self._reader, work)
        except sqlite3.Error as error:
            raise _said(self.path, error) from error


async def _run(connection: aiosqlite.Connection, work: Work[T]) -> T:
    # aiosqlite has no public way to hand over a whole function, and a hop to its thread for every statement would cost
    # more than the statements do.
    result: T = await connection._execute(lambda: work(connection._conn))  # type: ignore[no-untyped-call] # noqa: SLF001
    return result


def _in_transaction(connection: sqlite3.Connection, work: Work[T]) -> T:
    connection.execute("BEGIN IMMEDIATE")
    try:
        result = work(connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return result


def _set_up(connection: sqlite3.Connection) -> None:
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def _prepare(path: Path) -> None:
    if not path.parent.is_dir():
        raise StoreError(f"the folder {path.parent} for the database is missing")
    connection = sqlite3.connect(path, isolation_level=None, timeout=BUSY_S)
    try:
        mark, version = (
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
        )
        empty = not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        steps = _migrations()
        if not empty and mark != APPLICATION_ID:
            raise StoreError(f"{path} is the database of another program")
        if version > len(steps):
            raise StoreError(f"{path} was written by a newer version of Tabula; update the program")
        if version and version < len(steps):
            connection.execute("VACUUM INTO ?", (f"{path}.v{version}.bak",))
        # A write that changes nothing finds out now, not at the first move, whether the file can be written.
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode = WAL")
        for number, script in enumerate(steps[version:], version + 1):
            connection.executescript(f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {number};\nCOMMIT;")
    finally:
        connection.close()


def _migrations() -> list[str]:
    found = sorted((file for file in files("bot.store").joinpath("migrations").iterdir()), key=lambda file: file.name)
    return [file.read_text(encoding="utf-8") for file in found if file.name.endswith(".sql")]


def _said(path: Path, error: sqlite3.Error) -> StoreError:
    """Put SQLite's complaint into one sentence."""
    name = getattr(error, "sqlite_errorname", "")
    for start, sentence in (
        ("SQLITE_NOTADB", f"{path} is not a database"),
        ("SQLITE_CORRUPT", f"{path} is damaged; restore a backup"),
        ("SQLITE_BUSY", f"{path} is locked by another program"),
        ("SQLITE_LOCKED", f"{path} is locked by another program"),
        ("SQLITE_READONLY", f"{path} cannot be written to; check its permissions and its folder's"),
        ("SQLITE_CANTOPEN", f"{path} cannot be opened; check its permissions and its folder's"),
        ("SQLITE_PERM", f"{path} cannot be opened; check its permissions and its folder's"),
        ("SQLITE_FULL", "the disk is full; nothing was saved"),
        ("SQLITE_IOERR", f"the disk under {path} fails; nothing was saved"),
    ):
        if name.startswith(start):
            return StoreError(sentence)
    return StoreError(f"the database refused: {error}")
