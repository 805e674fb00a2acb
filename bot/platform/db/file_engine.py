"""A connection to a SQLite file, in whose thread whole pieces of work run.

aiosqlite hands each statement to its thread by itself, in four steps (a cursor, the statement, its
rows, the end), and each step wakes the thread and then the event loop: for an action in a match
that took longer than SQLite. Here a piece of work goes there once, with all its statements.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar, cast

import aiosqlite
from sqlalchemy import URL, Connection, Engine, StaticPool, create_engine

T = TypeVar("T")

_ROWS_AT_ONCE = 64
"""What aiosqlite takes by default; no cursor of its own is used."""


class FileEngine:
    """One connection to a file, opened when it is first used, and its thread."""

    def __init__(
        self,
        url: URL,
        options: Mapping[str, Any],
        driver: Mapping[str, Any],
        **how: Any,  # noqa: ANN401 - as SQLAlchemy takes them
    ) -> None:
        """Describe a connection; `options` are known to it, `driver` goes to the driver."""
        self.url = url
        # One connection, which only ever runs in its own thread.
        self.sync_engine: Engine = create_engine(
            url.set(drivername="sqlite"), poolclass=StaticPool, connect_args=dict(driver), **how
        )
        self._engine = self.sync_engine.execution_options(**options)
        self._opened: aiosqlite.Connection | None = None
        self._opening = asyncio.Lock()
        self.on_done: Callable[[], object] = _ignore_end
        """Called in the thread when a piece of work has ended, before anybody hears of it."""

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run work in the connection's thread, and return its result."""
        if self._opened is None:
            await self._open()
        assert self._opened is not None
        # aiosqlite has no public way to run more than one statement there.
        run: Any = self._opened._execute  # noqa: SLF001
        result = await run(partial(self._run_here, work))
        return cast(T, result)

    def _run_here(self, work: Callable[[Connection], T]) -> T:
        with self._engine.connect() as connection:
            try:
                return work(connection)
            finally:
                # SQLAlchemy takes a transaction whose commit failed for ended; SQLite may not.
                connection.connection.rollback()
                self.on_done()

    async def _open(self) -> None:
        async with self._opening:
            if self._opened is None:
                self._opened = await aiosqlite.Connection(self._connect, _ROWS_AT_ONCE)

    def _connect(self) -> sqlite3.Connection:
        """Open the file, in the thread of the connection."""
        # By SQLAlchemy, which sets the connection up and names what goes wrong.
        with self._engine.connect() as connection:
            return cast(sqlite3.Connection, connection.connection.dbapi_connection)

    async def dispose(self) -> None:
        """Close the connection, which ends its thread."""
        if self._opened is not None:
            await self._opened.close()
            self._opened = None
        self.sync_engine.dispose(close=False)


def _ignore_end() -> None:
    """The default, if nobody is to be notified when work has ended."""
