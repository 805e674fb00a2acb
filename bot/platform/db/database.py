"""The open database: work runs whole, in a transaction that writes or as a statement that reads.

Answers to reads of what seldom changes are kept until it does. Each act asks for the players' names
and preferences, the pauses of the clocks, the server's choices and its board style. A file has one
program, through whose one writer every change goes, so what was read holds until that writer has
changed one of the tables from which it was read.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Coroutine,
    Hashable,
    Iterable,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager
from enum import Enum, auto
from functools import cache, partial, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, TypeVarTuple, cast

from cachetools import LRUCache
from sqlalchemy import URL, Column, Connection, Row, Select, Table, event, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.platform.db import engines, errors
from bot.platform.db.address import format_address, get_file_path
from bot.platform.db.errors import SaveOutcome
from bot.platform.db.sealing import SEAL_OPTION, build_seal
from bot.platform.db.shards import Process
from bot.platform.db.tables import people

log = logging.getLogger(__name__)

MAX_ANSWERS = 4096
"""Answers to settled reads that are kept; those longest unasked go first."""

T = TypeVar("T")
Columns = TypeVarTuple("Columns")
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
        self._url, self._options = url, {"process": process, SEAL_OPTION: build_seal(keys)}
        options = self._options
        self._writer = engines.create_writer(url, process.name, **options)
        self._reader = engines.create_reader(url, process.name, **options)
        # A long transaction that reads delays nobody who reads a line.
        self._moments = (
            self._reader
            if isinstance(self._reader, AsyncEngine)
            else engines.create_moment_reader(url, process.name, **options)
        )
        self._groups: engines.GroupCommit | None = None
        self._settled: SettledReads | None = None
        if isinstance(self._writer, engines.FileEngine):
            self._groups, self._settled = (
                engines.GroupCommit(self._writer),
                SettledReads(self._writer),
            )
        self._under_way: set[asyncio.Task[Any]] = set()
        self._closed = False
        self.saved: Callable[[float], None] = _ignore_time
        """Called with the seconds that each change took."""
        self._saved_at = time.monotonic()
        self._wrong: set[_AccessMode] = set()
        """What it could not be asked the last time."""
        self.damage: errors.DamagedDatabaseError | None = None
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

    def get_save_age_s(self) -> float:
        """Return for how many seconds nothing has been saved."""
        return time.monotonic() - self._saved_at

    async def write_beside(self, work: Work[T]) -> T:
        """Run work in one transaction whose statements may wait for those of another database.

        It is not retried. Raises StoreError.
        """
        engine = engines.create_bridging_writer(self._url, self.process.name, **self._options)
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

    async def read_settled(self, key: Hashable, tables: Collection[Table], work: Work[T]) -> T:
        """Run work that reads those tables alone, unless its answer is known and still holds.

        Those are tables that seldom change. `key` says what is asked, with all that the answer
        depends on; nobody changes an answer. Raises StoreError.
        """
        if self._settled is None or self._closed or self.damage:
            return await self.read(work)
        return await self._settled.find(key, tables, lambda: self.read(work))

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
            raise errors.build_store_error(self.where, error) from error

    async def truncate_log(self) -> bool:
        """Leave nothing in the log of a file; False if that cannot be done at once.

        A server has no log of which that could be asked.
        """
        file = get_file_path(self._url)
        # On a connection and thread of its own, so that writers go on meanwhile.
        return file is None or await asyncio.to_thread(engines.truncate_log, file)

    async def _run_to_completion(self, doing: Coroutine[Any, Any, T], failing: SaveOutcome) -> T:
        if self._closed or self.damage:
            # Python would warn of a coroutine that is neither awaited nor closed.
            doing.close()
            raise self.damage or errors.StoreError("the database is closed", failing)
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
    ) -> errors.StoreError:
        """Return what a failure means.

        A fault of the database itself is logged, once until it works again.
        """
        failed = errors.build_store_error(self.where, error, failing)
        if wrong := errors.describe_problem(self.where, error):
            if not self._wrong:
                log.error("%s", wrong)
            self._wrong.add(way)
        if isinstance(failed, errors.DamagedDatabaseError) and self.damage is None:
            self.damage = failed
            self.on_damage()
        return failed

    def _record_success(self, way: _AccessMode) -> None:
        if way in self._wrong:
            self._wrong.discard(way)
            if not self._wrong:
                log.info("%s works again", self.where)
        if way is _AccessMode.WRITING:
            self._saved_at = time.monotonic()

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
        if isinstance(self._reader, engines.FileEngine):
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


_ANY = ""
_HARMLESS = ("BEGIN", "SAVEPOINT", "RELEASE", "ROLLBACK", "SELECT")


class SettledReads:
    """Answers by what was asked, each of the latest state of the tables that it comes from."""

    def __init__(self, writer: engines.FileEngine) -> None:
        self._answers: LRUCache[Hashable, tuple[tuple[int, ...], Any]] = LRUCache(MAX_ANSWERS)
        self._changes: Counter[str] = Counter()
        """How often each table was changed, and as `_ANY` those that are not known by name."""
        self._changing: set[str] = set()
        event.listen(writer.sync_engine, "before_cursor_execute", self._look)
        # Counted in the writer's thread, before the change is reported as saved.
        writer.on_done = self._count

    async def find(
        self, key: Hashable, tables: Collection[Table], read: Callable[[], Awaitable[T]]
    ) -> T:
        """Return the answer to a question to those tables, which is asked unless it is known."""
        known = self._answers.get(key)
        # Noted before it is asked: what changes meanwhile may be missing in the answer.
        changes = self._changes[_ANY], *(self._changes[table.name] for table in tables)
        if known is not None and known[0] == changes:
            return cast(T, known[1])
        answer = await read()
        self._answers[key] = changes, answer
        return answer

    def forget(self) -> None:
        """Forget all answers, where a change has gone another way."""
        self._changes[_ANY] += 1

    def _look(
        self,
        _: Connection,
        __: object,
        statement: str,
        ___: object,
        context: Any,  # noqa: ANN401 - SQLAlchemy's own
        ____: bool,
    ) -> None:
        table = getattr(context.compiled and context.compiled.statement, "table", None)
        if table is not None:
            self._changing.add(table.name)
        elif not statement.startswith(_HARMLESS):
            self._changing.add(_ANY)

    def _count(self) -> None:
        self._changes.update(self._changing)
        self._changing.clear()


class StorePart:
    """What is stored of something: made with the database, and reached by `Store.get`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def _load_rows(self, query: Select[*Columns]) -> Sequence[Row[*Columns]]:
        return await self._database.read(lambda connection: connection.execute(query).all())

    async def _load_column(self, query: Select[T]) -> list[T]:
        return await self._database.read(
            lambda connection: list(connection.execute(query).scalars())
        )


Part = TypeVar("Part", bound=StorePart)
Asked = ParamSpec("Asked")


def writing(
    method: Callable[Concatenate[Part, Connection, Asked], T],
) -> Callable[Concatenate[Part, Asked], Coroutine[Any, Any, T]]:
    """Run a method of what is stored in one transaction, on the connection that it is given."""

    @wraps(method)
    async def run(self: Part, /, *args: Asked.args, **options: Asked.kwargs) -> T:
        return await self._database.write(
            lambda connection: method(self, connection, *args, **options)
        )

    return run


def reading(
    method: Callable[Concatenate[Part, Connection, Asked], T],
) -> Callable[Concatenate[Part, Asked], Coroutine[Any, Any, T]]:
    """Run a method of what is stored, which only reads, on the connection that it is given."""

    @wraps(method)
    async def run(self: Part, /, *args: Asked.args, **options: Asked.kwargs) -> T:
        return await self._database.read(
            lambda connection: method(self, connection, *args, **options)
        )

    return run


def upsert_rows(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows, each in place of the one with its key if there is one."""
    if not rows:
        return
    connection.execute(_build_replacement(connection.dialect.name, table), rows)


@cache
def _build_replacement(dialect: str, table: Table) -> sqlite.Insert | postgresql.Insert:
    insert = build_upsert(dialect, table)
    key = table.primary_key.columns
    other = {
        column.name: insert.excluded[column.name]
        for column in table.columns
        if column.name not in key
    }
    # Where all columns are the key, there is nothing to change.
    if not other:
        return insert.on_conflict_do_nothing()
    return insert.on_conflict_do_update(index_elements=list(key), set_=other)


def build_upsert(dialect: str, table: Table) -> sqlite.Insert | postgresql.Insert:
    """Return an insertion that can handle conflicts; each database has its own class for it."""
    return postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)


def lock_rows(connection: Connection, column: Column[int], numbers: Iterable[int]) -> None:
    """Let nobody else change those rows, or decide by them, until the transaction ends.

    SQLite, which has one writer, needs no such lock. Locked in order, two transactions never
    deadlock. Rows may still refer to them: that is why the weaker lock is used.
    """
    if connection.dialect.name == "sqlite":
        return
    rows = (
        select(column)
        .where(column.in_(sorted(set(numbers))))
        .order_by(column)
        .with_for_update(key_share=True)
    )
    connection.execute(rows).all()


def lock_people(connection: Connection, persons: Iterable[int]) -> None:
    """Lock what is counted and rated for each of them."""
    lock_rows(connection, people.c.id, persons)


PAGE = 2000
"""Numbers that are asked for at a time: both databases limit a statement's parameters."""


def find_existing(
    connection: Connection, column: Column[int], numbers: Collection[int]
) -> set[int]:
    """Return which of those numbers a column has."""
    found: set[int] = set()
    wanted = sorted(numbers)
    for begin in range(0, len(wanted), PAGE):
        page = column.in_(wanted[begin : begin + PAGE])
        found |= set(connection.execute(select(column).where(page)).scalars())
    return found
