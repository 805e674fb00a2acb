"""The open file: one connection that writes, one that reads, and work handed to them whole."""

import asyncio
import sqlite3
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Self

import aiosqlite

from bot.store.errors import StoreError, in_words
from bot.store.opening import prepare
from bot.store.transaction import BUSY_S, T, Work, in_transaction


class Database:
    """One connection that writes and one that reads, each a thread of its own that does one thing after another."""

    def __init__(
        self, path: Path, writer: aiosqlite.Connection, reader: aiosqlite.Connection, opened: AsyncExitStack
    ) -> None:
        self.path = path
        self._writer = writer
        self._reader = reader
        self._opened = opened
        self._closed = False

    @classmethod
    async def open(cls, path: Path) -> Self:
        """Open or create the file and bring it to the present version; raises StoreError saying why it cannot."""
        try:
            await asyncio.to_thread(prepare, path)
            async with AsyncExitStack() as stack:
                writer = await stack.enter_async_context(_connect(path))
                await _run(writer, _set_up)
                reader = await stack.enter_async_context(_connect(path))
                await _run(reader, _set_up)
                await reader.execute("PRAGMA query_only = ON")
                return cls(path, writer, reader, stack.pop_all())
        except sqlite3.Error as error:
            raise in_words(path, error) from error

    async def close(self) -> None:
        """Close both connections, once what was handed over before is done."""
        self._closed = True
        await self._opened.aclose()

    async def write(self, work: Work[T]) -> T:
        """Run work in one transaction: all of it is saved, on the disk, or none. Raises StoreError."""
        return await self._hand(self._writer, lambda connection: in_transaction(connection, work))

    async def read(self, work: Work[T]) -> T:
        """Run work that only reads, on the file as it is at one moment. Raises StoreError."""
        return await self._hand(self._reader, lambda connection: in_transaction(connection, work, "BEGIN"))

    async def _hand(self, connection: aiosqlite.Connection, work: Work[T]) -> T:
        if self._closed:
            raise StoreError("the database is closed")
        try:
            return await _run(connection, work)
        except sqlite3.Error as error:
            raise in_words(self.path, error) from error


def _connect(path: Path) -> aiosqlite.Connection:
    return aiosqlite.connect(path, isolation_level=None, timeout=BUSY_S)


async def _run(connection: aiosqlite.Connection, work: Work[T]) -> T:
    # aiosqlite has no public way to hand over a whole function, and a hop to its thread for every statement would cost
    # more than the statements do.
    result: T = await connection._execute(lambda: work(connection._conn))  # type: ignore[no-untyped-call] # noqa: SLF001
    return result


def _set_up(connection: sqlite3.Connection) -> None:
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
