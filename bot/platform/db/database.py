"""The open database: work runs whole, in a transaction that writes or as a statement that reads."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Hashable, Sequence
from contextlib import asynccontextmanager
from enum import Enum, auto
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import URL, Connection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.platform.db.address import format_address, get_file_path
from bot.platform.db.engines import (
    create_bridging_writer,
    create_moment_reader,
    create_reader,
    create_writer,
)
from bot.platform.db.error_messages import describe_problem, make_store_error
from bot.platform.db.errors import DamagedDatabaseError, SaveOutcome, StoreError
from bot.platform.db.file_engine import FileEngine
from bot.platform.db.group_commit import GroupCommit
from bot.platform.db.sealing import SEAL_OPTION, make_seal
from bot.platform.db.settled_reads import SettledReads
from bot.platform.db.shards import Process

log = logging.getLogger(__name__)

T = TypeVar("T")
Work = Callable[[Connection], T]

MAX_TRIES = 5
"""How often work is retried that was undone by a conflict, or lost its connection."""

_RETRYABLE_STATES = ("40001", "40P01")
"""PostgreSQL's states for a transaction that it undid because it crossed another."""


class _AccessMode(Enum):
    """Kinds of requests to the database: each may fail alone, for example on a full disk."""

    WRITING = auto()
    READING = auto()


class _UncertainCommitError(Exception):
    """The connection broke while a transaction was being saved; `error` is how."""

    def __init__(self, error: DBAPIError) -> None:
        super().__init__(str(error))
        self.error = error


def _ignore_damage() -> None:
    """The default, if nobody is to be notified of damage at once."""


class Database:
    """One engine that writes and one that reads; work in progress completes even if nobody waits.

    `shared` says whether other processes may be at it, too.
    """

    def __init__(self, url: URL, process: Process, keys: Sequence[str] = ()) -> None:
        self.where = format_address(url)
        self.process = process
        self.shared = get_file_path(url) is None
        # So work that is handed over knows for whom it is done, and how secrets are kept.
        self._url, self._options = url, {"process": process, SEAL_OPTION: make_seal(keys)}
        options = self._options
        self._writer = create_writer(url, process.name, **options)
        self._reader = create_reader(url, process.name, **options)
        # A long transaction that reads delays nobody who reads a line.
        self._moments = (
            self._reader
            if isinstance(self._reader, AsyncEngine)
            else create_moment_reader(url, process.name, **options)
        )
        self._groups: GroupCommit | None = None
        self._settled: SettledReads | None = None
        if isinstance(self._writer, FileEngine):
            self._groups, self._settled = GroupCommit(self._writer), SettledReads(self._writer)
        self._under_way: set[asyncio.Task[Any]] = set()
        self._closed = False
        self.saved: Callable[[float], None] = _ignore_time
        """Called with the seconds that each change took."""
        self._wrong: set[_AccessMode] = set()
        """What it could not be asked the last time."""
        self.damage: DamagedDatabaseError | None = None
        """What was found damaged; from then on nothing is written or read."""
        self.on_damage: Callable[[], object] = _ignore_damage
        """Called when damage is found."""

    async def close(self) -> None:
        """Close all connections, once what was handed over before is done."""
        self._closed = True
        await asyncio.gather(*self._under_way, return_exceptions=True)
        await self._writer.dispose()
        await self._reader.dispose()
        await self._moments.dispose()

    async def write(self, work: Work[T], failing: SaveOutcome = SaveOutcome.NOTHING) -> T:
        """Run work in one transaction: all of it is saved, on the disk, or none. Raises StoreError.

        On PostgreSQL other transactions run beside it: work that decides by what it reads locks
        those rows first. It may be run more than once.
        """
        began = time.monotonic()
        try:
            return await self._run_to_completion(
                self._attempt_request(lambda: self._write_once(work), _AccessMode.WRITING, failing),
                failing,
            )
        finally:
            self.saved(time.monotonic() - began)

    async def write_beside(self, work: Work[T]) -> T:
        """Run work in one transaction whose statements may wait for those of another database.

        It is not retried. Raises StoreError.
        """
        engine = create_bridging_writer(self._url, self.process.name, **self._options)
        failing = SaveOutcome.NOTHING

        async def attempt() -> T:
            async with engine.begin() as connection:
                return await connection.run_sync(work)

        try:
            return await self._run_to_completion(
                self._attempt_request(attempt, _AccessMode.WRITING, failing), failing
            )
        finally:
            await engine.dispose()
            if self._settled:
                self._settled.forget()

    async def read(self, work: Work[T]) -> T:
        """Run work that only reads, each statement at one moment. Raises StoreError."""
        return await self._run_to_completion(
            self._attempt_request(
                lambda: self._read_once(work), _AccessMode.READING, SaveOutcome.NOT_ASKED
            ),
            SaveOutcome.NOT_ASKED,
        )

    async def read_settled(self, key: Hashable, work: Work[T]) -> T:
        """Run work that reads settled tables alone, unless its answer is known and still holds.

        `key` says what is asked, with all that the answer depends on; nobody changes an answer.
        Raises StoreError.
        """
        if self._settled is None or self._closed or self.damage:
            return await self.read(work)
        return await self._settled.find(key, lambda: self.read(work))

    @asynccontextmanager
    async def open_read_transaction(self) -> AsyncIterator[AsyncConnection]:
        """Lend a read-only connection that sees nothing of what others save meanwhile.

        Raises StoreError.
        """
        try:
            async with self._moments.connect() as connection:
                # The reader commits each statement by itself, so that SQLite needs a transaction
                # begun by hand, and PostgreSQL a level at which all statements see the same moment.
                if connection.dialect.name == "sqlite":
                    await connection.exec_driver_sql("BEGIN")
                else:
                    await connection.execution_options(isolation_level="REPEATABLE READ")
                try:
                    yield connection
                finally:
                    if connection.dialect.name == "sqlite":
                        await connection.exec_driver_sql("ROLLBACK")
        except (SQLAlchemyError, OSError) as error:
            raise make_store_error(self.where, error) from error

    async def _run_to_completion(self, doing: Coroutine[Any, Any, T], failing: SaveOutcome) -> T:
        if self._closed or self.damage:
            # Python would warn of a coroutine that is neither awaited nor closed.
            doing.close()
            raise self.damage or StoreError("the database is closed", failing)
        # A task of its own, and shielded: cancelling the caller must not cut a transaction in two.
        task = asyncio.create_task(doing)
        self._under_way.add(task)
        task.add_done_callback(self._finish_task)
        return await asyncio.shield(task)

    def _finish_task(self, task: asyncio.Task[Any]) -> None:
        self._under_way.discard(task)
        if not task.cancelled():
            # Read here, or asyncio logs a traceback where the one who waited was cancelled.
            task.exception()

    async def _attempt_request(
        self, attempt: Callable[[], Coroutine[Any, Any, T]], way: _AccessMode, failing: SaveOutcome
    ) -> T:
        try:
            result = await self._retry_on_conflict(attempt)
        except _UncertainCommitError as unsure:
            raise self._record_failure(way, unsure.error, SaveOutcome.UNKNOWN) from unsure.error
        except (SQLAlchemyError, OSError) as error:
            raise self._record_failure(way, error, failing) from error
        self._record_success(way)
        return result

    async def _retry_on_conflict(self, attempt: Callable[[], Coroutine[Any, Any, T]]) -> T:
        # `_UncertainCommitError` passes through: what may have been saved must not be done twice.
        for _ in range(MAX_TRIES - 1):
            try:
                return await attempt()
            except DBAPIError as error:
                if not _is_retryable(error):
                    raise
        return await attempt()

    def _record_failure(
        self, way: _AccessMode, error: SQLAlchemyError | OSError, failing: SaveOutcome
    ) -> StoreError:
        """Return what a failure means.

        A fault of the database itself is logged, once until it works again.
        """
        failed = make_store_error(self.where, error, failing)
        if wrong := describe_problem(self.where, error):
            if not self._wrong:
                log.error("%s", wrong)
            self._wrong.add(way)
        if isinstance(failed, DamagedDatabaseError) and self.damage is None:
            self.damage = failed
            self.on_damage()
        return failed

    def _record_success(self, way: _AccessMode) -> None:
        if way in self._wrong:
            self._wrong.discard(way)
            if not self._wrong:
                log.info("%s works again", self.where)

    async def _write_once(self, work: Work[T]) -> T:
        if self._groups:
            return await self._groups.save(partial(self._run_if_sound, work))
        assert isinstance(self._writer, AsyncEngine)
        async with self._writer.connect() as connection:
            result = await connection.run_sync(work)
            try:
                await connection.commit()
            except DBAPIError as error:
                if error.connection_invalidated:
                    # The server may have done it before the connection broke.
                    raise _UncertainCommitError(error) from error
                raise
            return result

    def _run_if_sound(self, work: Work[T], connection: Connection) -> T:
        # Damage may have been found while this waited for its turn.
        if self.damage:
            raise self.damage
        return work(connection)

    async def _read_once(self, work: Work[T]) -> T:
        if isinstance(self._reader, FileEngine):
            return await self._reader.run(work)
        async with self._reader.connect() as connection:
            return await connection.run_sync(work)


def _ignore_time(_: float) -> None:
    """The default, if nobody measures how long changes take."""


def _is_retryable(error: DBAPIError) -> bool:
    """Whether the work was undone by others and may succeed when it is retried."""
    return (
        # A connection that broke before the commit has saved nothing.
        error.connection_invalidated or getattr(error.orig, "sqlstate", None) in _RETRYABLE_STATES
    )
