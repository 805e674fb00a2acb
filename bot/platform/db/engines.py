"""Connections that write and connections that only read, set up for what they do.

aiosqlite hands each statement to its thread by itself, in four steps (a cursor, the statement, its
rows, the end), and each step wakes the thread and then the event loop: for an action in a match
that took longer than SQLite. Here a piece of work goes there once, with all its statements.

Group commit: works that wait for the one writer of a file share the next transaction. A commit
waits for the disk, and only one can be under way. What is asked for meanwhile is gathered and
committed together, so that a busy hour costs fewer commits, not longer waits. Each piece of work is
undone alone where it fails, and nobody is answered before the commit that holds their work.
"""

import asyncio
import os
import secrets
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

import aiosqlite
from sqlalchemy import URL, Connection, Engine, NullPool, StaticPool, create_engine, event
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.platform.db.errors import UnusableDatabaseError
from bot.platform.extras import advise_installation
from engine.strict_json import parse_json, write_json

T = TypeVar("T")

LOG_PATIENCE_S = 0.1
"""Seconds for which nobody can write while the log waits for those who read it."""
MAX_GROUP = 32
"""Works that share a transaction at most, since the first of them waits for the last."""
_ROWS_AT_ONCE = 64
"""What aiosqlite takes by default; no cursor of its own is used."""


class _WorkConnection(aiosqlite.Connection):
    """aiosqlite's connection, which also runs whole pieces of work in its thread."""

    async def run(self, work: Callable[[], T]) -> T:
        """Run work there, after what was asked for before, and return its result."""
        return cast(T, await self._execute(work))  # type: ignore[no-untyped-call]


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
        self._opened: _WorkConnection | None = None
        self._opening = asyncio.Lock()
        self.on_done: Callable[[], object] = _ignore_end
        """Called in the thread when a piece of work has ended, before anybody hears of it."""

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run work in the connection's thread, and return its result."""
        if self._opened is None:
            await self._open()
        assert self._opened is not None
        return await self._opened.run(partial(self._run_here, work))

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
                opening = _WorkConnection(self._connect, _ROWS_AT_ONCE)
                await opening
                self._opened = opening

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


def truncate_log(file: Path) -> bool:
    """Write a file's log into the file, and leave the log empty; False while somebody is in it.

    The log keeps earlier states of pages until it is written over, which on a quiet day takes long.
    """
    address = f"{file.absolute().as_uri()}?mode=rw"
    with closing(
        sqlite3.connect(address, uri=True, isolation_level=None, timeout=LOG_PATIENCE_S)
    ) as connection:
        # Most of the work keeps nobody from writing; what is left for the second step is little.
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        is_busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not is_busy


class _UngroupedError(Exception):
    """Works could not be saved together: each is to be saved alone, so that each has its result."""


@dataclass(frozen=True, slots=True)
class _WaitingWork:
    """Work to be saved, and where its result goes."""

    work: Callable[[Connection], Any]
    done: "asyncio.Future[Any]"


@dataclass(frozen=True, slots=True)
class _Failure:
    """What a piece of work raised, which was undone."""

    error: Exception


class GroupCommit:
    """Saves works in the order in which they come."""

    def __init__(self, engine: FileEngine) -> None:
        self._engine = engine
        self._waiting: list[_WaitingWork] = []
        self._saving: asyncio.Task[None] | None = None
        self._alone = asyncio.Lock()

    async def save(self, work: Callable[[Connection], T]) -> T:
        """Run work in a transaction, and return its result once it is committed.

        It may be run more than once. Raises what the work or the database raises; then nothing of
        it is saved.
        """
        waiting = _WaitingWork(work, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if self._saving is None:
            self._saving = asyncio.create_task(self._save_groups(), name="save groups")
        try:
            return cast(T, await waiting.done)
        except _UngroupedError:
            # One at a time, so that an unusable database is reported before the next.
            async with self._alone:
                return await self._engine.run(partial(_commit_alone, work))

    async def _save_groups(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting[:MAX_GROUP], self._waiting[MAX_GROUP:]
            try:
                results = await self._engine.run(partial(_commit_together, group))
            except Exception as error:  # noqa: BLE001 - whatever it is, somebody waits for it
                results = [_Failure(error)] * len(group)
            for each, result in zip(group, results, strict=True):
                if each.done.cancelled():
                    continue
                if isinstance(result, _Failure):
                    each.done.set_exception(result.error)
                else:
                    each.done.set_result(result)
        self._saving = None


def _commit_alone(work: Callable[[Connection], T], connection: Connection) -> T:
    result = work(connection)
    connection.commit()
    return result


def _commit_together(group: list[_WaitingWork], connection: Connection) -> list[Any]:
    """Run works in one transaction, and return the result of each, or how it failed.

    Raises _UngroupedError where the transaction itself fails; then nothing is saved.
    """
    if len(group) == 1:
        return [_commit_alone(group[0].work, connection)]
    try:
        # SQLAlchemy begins a transaction with its first statement, a savepoint needs one before.
        connection.begin()
        results = [_run_in_savepoint(each.work, connection) for each in group]
        connection.commit()
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        raise _UngroupedError from error
    return results


def _run_in_savepoint(work: Callable[[Connection], T], connection: Connection) -> T | _Failure:
    # By the driver: SQLAlchemy takes ten times as long as SQLite for statements that say so little.
    driver = cast(sqlite3.Connection, connection.connection.dbapi_connection)
    driver.execute("SAVEPOINT work")
    try:
        result = work(connection)
    except Exception as error:
        # What is wrong with the database itself may have undone the works before, too.
        if isinstance(error, SQLAlchemyError | OSError) and not isinstance(error, IntegrityError):
            raise
        driver.execute("ROLLBACK TO work")
        driver.execute("RELEASE work")
        return _Failure(error)
    driver.execute("RELEASE work")
    return result


PATIENCE_S = 2.0
"""Seconds to wait for another program that holds the database: Discord waits 3 s for an answer."""

READER_NAME = "tabula-visitor"
"""The name under which a server knows the connections of programs that only look."""
MAX_CONNECTIONS = 8
"""Connections to a server at once, of those that write and of those that read alike."""


def build_connection_name() -> str:
    """Return a name that tells a program's connections to a server from those of others."""
    return f"tabula {secrets.token_hex(8)}"


def create_writer(url: URL, name: str, **options: Any) -> FileEngine | AsyncEngine:  # noqa: ANN401
    """Return what writes, by transactions; its connections know the options.

    Raises StoreError if PostgreSQL is asked for and its driver is not installed.
    """
    if url.get_backend_name() == "sqlite":
        return _create_file_writer(url, options)
    return _create_server_writer(url, name).execution_options(**options)


def create_reader(url: URL, name: str, **options: Any) -> FileEngine | AsyncEngine:  # noqa: ANN401
    """Return what reads, by statements; its connections know the options."""
    if url.get_backend_name() == "sqlite":
        return _create_file_reader(url, options)
    return create_moment_reader(url, name, **options)


def create_moment_reader(url: URL, name: str, **options: Any) -> AsyncEngine:  # noqa: ANN401
    """Return what reads much at one moment, beside the others; its connections know the options."""
    if url.get_backend_name() == "sqlite":
        return _create_file_moment_reader(url).execution_options(**options)
    return _create_server_engine(url, name, "on", **_AUTOCOMMIT).execution_options(**options)


_AUTOCOMMIT: dict[str, Any] = {"isolation_level": "AUTOCOMMIT", "skip_autocommit_rollback": True}
"""What reads needs one statement, which sees one moment by itself."""


def create_bridging_writer(url: URL, name: str, **options: Any) -> AsyncEngine:  # noqa: ANN401
    """Return what writes while it waits for another database; its connections know the options."""
    if url.get_backend_name() != "sqlite":
        return _create_server_writer(url, name).execution_options(**options)
    engine = create_async_engine(
        url, pool_size=1, max_overflow=0, connect_args=_build_writer_arguments()
    )
    _prepare_file_writer(engine.sync_engine, url)
    return engine.execution_options(**options)


def _create_file_writer(url: URL, options: Mapping[str, Any]) -> FileEngine:
    # One connection, since SQLite has one writer at a time: the others would only wait for it.
    engine = FileEngine(url, options, _build_writer_arguments())
    _prepare_file_writer(engine.sync_engine, url)
    return engine


def _build_writer_arguments() -> dict[str, Any]:
    # The driver begins no transactions by itself: `_begin` does, in its own way.
    return {"timeout": PATIENCE_S, "isolation_level": None}


def _prepare_file_writer(engine: Engine, url: URL) -> None:
    @event.listens_for(engine, "connect")
    def _set_up(connection: Any, _: object) -> None:  # noqa: ANN401 - the driver's own
        # With NORMAL, a WAL may lose the last commits in a power cut, though people have been shown
        # that they are saved. References are checked only where each connection asks for it.
        _execute_all(connection, "PRAGMA synchronous = FULL", "PRAGMA foreign_keys = ON")
        # What is deleted or replaced is overwritten with zeros in its page. Always, and not only
        # when people have their data deleted: what was left before would never be found again.
        _execute_all(connection, "PRAGMA secure_delete = ON")

    file = Path(url.database or "")
    ours = file.stat()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # What is written to a file that has lost its name is lost with it.
        if not os.path.samestat(file.stat(), ours):
            raise FileNotFoundError(f"another file is at {file}")
        # IMMEDIATE takes the write lock first. A transaction that reads and then wants to write may
        # be refused at once, without any waiting, if another has written in between.
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _create_file_reader(url: URL, options: Mapping[str, Any]) -> FileEngine:
    # Nothing is to be rolled back when the connection returns: reads run without a transaction.
    engine = FileEngine(
        url, options, {"timeout": PATIENCE_S}, pool_reset_on_return=None, **_AUTOCOMMIT
    )
    event.listen(engine.sync_engine, "connect", _forbid_writing)
    return engine


def _create_file_moment_reader(url: URL) -> AsyncEngine:
    engine = create_async_engine(
        url,
        pool_size=1,
        max_overflow=0,
        # `open_read_transaction` ends its own.
        pool_reset_on_return=None,
        connect_args={"timeout": PATIENCE_S},
        **_AUTOCOMMIT,
    )
    event.listen(engine.sync_engine, "connect", _forbid_writing)
    return engine


def _forbid_writing(connection: Any, _: object) -> None:  # noqa: ANN401 - the driver's own
    _execute_all(connection, "PRAGMA query_only = ON")


def _create_server_writer(url: URL, name: str) -> AsyncEngine:
    # READ COMMITTED is enough, since work locks the rows by which it decides.
    return _create_server_engine(url, name, "off", isolation_level="READ COMMITTED")


def create_lock_engine(url: URL, name: str) -> AsyncEngine:
    """Return the engine of the one connection to a server that is kept while the program runs.

    The server finds out within a minute that the machine at its other end is gone.
    """
    keepalives = {
        "tcp_keepalives_idle": "20",
        "tcp_keepalives_interval": "10",
        "tcp_keepalives_count": "3",
    }
    how = {"timeout": PATIENCE_S, "server_settings": {"application_name": name, **keepalives}}
    # Without a pool closing the connection ends it; kept in a pool it would keep its locks.
    return create_async_engine(
        url, poolclass=NullPool, isolation_level="AUTOCOMMIT", connect_args=how
    )


def _create_server_engine(
    url: URL,
    name: str,
    read_only: str,
    **how: Any,  # noqa: ANN401 - as SQLAlchemy takes them
) -> AsyncEngine:
    settings = {
        "application_name": name,
        "lock_timeout": f"{PATIENCE_S}s",
        "default_transaction_read_only": read_only,
    }
    try:
        return create_async_engine(
            url,
            pool_size=MAX_CONNECTIONS,
            max_overflow=0,
            json_serializer=write_json,
            json_deserializer=parse_json,
            connect_args={"timeout": PATIENCE_S, "server_settings": settings},
            **how,
        )
    except ModuleNotFoundError as missing:
        raise UnusableDatabaseError(
            f"PostgreSQL needs {missing.name}; {advise_installation('postgres')}"
        ) from None


def _execute_all(connection: Any, *statements: str) -> None:  # noqa: ANN401 - the driver's own
    cursor = connection.cursor()
    for statement in statements:
        cursor.execute(statement)
    cursor.close()
