"""Who serves which servers: on PostgreSQL each process holds a lock for each of its shards.

PostgreSQL releases the locks when the process dies, however it does. If their connection breaks
while the process lives, the leases of the jobs still make sure that each is done once.
"""

import asyncio
from contextlib import suppress

from sqlalchemy import URL, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.platform.db.address import format_address, get_file_path
from bot.platform.db.engines import create_lock_engine
from bot.platform.db.error_messages import make_store_error
from bot.platform.db.errors import StoreError
from bot.platform.db.shards import Process, Shards

LOOKS = 50
LOOK_S = 0.1
"""A process that begins waits five seconds for one that is ending."""

SHARD_LOCK = 0x7AB01C
"""Our locks on shards, one a number."""
COUNT_LOCK = 0x7AB01D
"""Our locks on the number of shards: all processes that serve any share it."""

# PostgreSQL lists the two keys of an advisory lock as `classid` and `objid`.
_OTHER_COUNT = text(
    "SELECT min(objid::bigint) FROM pg_locks"
    " JOIN pg_database ON pg_database.oid = pg_locks.database"
    " WHERE locktype = 'advisory' AND classid = :mark AND objid <> :count"
    " AND granted AND datname = current_database()"
)
_LOCK_COUNT = text("SELECT pg_advisory_lock_shared(:mark, :count)")
_LOCK_SHARDS = text(
    "SELECT bool_and(pg_try_advisory_lock(:mark, n))"
    " FROM generate_series(CAST(:first AS int), CAST(:last AS int)) AS n"
)
_UNLOCK_ALL = text("SELECT pg_advisory_unlock_all()")
_PING = text("SELECT 1")


class ShardLock:
    """A process's hold on its shards; a file has one program anyway, and needs no hold."""

    def __init__(self, url: URL, process: Process) -> None:
        self._where = format_address(url)
        self._shards = process.shards
        self._engine: AsyncEngine | None = (
            None if get_file_path(url) else create_lock_engine(url, process.name)
        )
        self._connection: AsyncConnection | None = None
        self._holding = False

    async def acquire(self) -> None:
        """Take hold of the shards; raises StoreError if another process holds on to them.

        The other process gets a moment to release them.
        """
        if self._engine is None:
            return
        hindrance = await self._try_acquire()
        for _ in range(LOOKS):
            if hindrance is None:
                return
            await asyncio.sleep(LOOK_S)
            hindrance = await self._try_acquire()
        if hindrance:
            raise StoreError(f"{self._where}: {hindrance}")

    async def renew(self) -> None:
        """Take hold again after a broken connection; raises StoreError if another process has."""
        if self._engine is None or (self._holding and await self._is_reachable()):
            return
        hindrance = await self._try_acquire()
        if hindrance:
            raise StoreError(f"{self._where}: {hindrance}")

    async def release(self) -> None:
        """Let go of the shards."""
        await self._disconnect()
        if self._engine is not None:
            await self._engine.dispose()

    async def _is_reachable(self) -> bool:
        """Whether the connection that holds the shards works; a broken one is closed."""
        if self._connection is None:
            return False
        try:
            await self._connection.execute(_PING)
        except (SQLAlchemyError, OSError):
            await self._disconnect()
            return False
        return True

    async def _disconnect(self) -> None:
        # Forgotten before it is closed, so that nothing uses it while closing takes its time.
        connection, self._connection, self._holding = self._connection, None, False
        if connection is not None:
            with suppress(SQLAlchemyError, OSError):
                await connection.close()

    async def _try_acquire(self) -> str | None:
        """Try to take hold of the shards, and return what is in the way of it."""
        assert self._engine is not None
        try:
            if not await self._is_reachable():
                self._connection = await self._engine.connect()
            assert self._connection is not None
            hindrance = await _try_lock_shards(self._connection, self._shards)
        except (SQLAlchemyError, OSError) as error:
            await self._disconnect()
            raise make_store_error(self._where, error) from error
        self._holding = hindrance is None
        return hindrance


async def _try_lock_shards(connection: AsyncConnection, own: Shards) -> str | None:
    """Take hold of all the shards, or none; return what is in the way of it."""
    # Taken before looking at others: of two that start at once at least one sees the other.
    await connection.execute(_LOCK_COUNT, {"mark": COUNT_LOCK, "count": own.count})
    other = (
        await connection.execute(_OTHER_COUNT, {"mark": COUNT_LOCK, "count": own.count})
    ).scalar()
    numbers = {"mark": SHARD_LOCK, "first": own.first, "last": own.last}
    if other is None and (await connection.execute(_LOCK_SHARDS, numbers)).scalar():
        return None
    # Some of the shards may have been free, and are locked by now.
    await connection.execute(_UNLOCK_ALL)
    if other is None:
        return f"another Tabula serves some of the shards {own}; stop that one first"
    return (
        f"another Tabula serves it with {other} shards in all, not {own.count}; "
        "stop the old ones first"
    )
