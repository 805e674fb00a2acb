"""Who serves which servers: on PostgreSQL each process holds a lock for each of its shards.

PostgreSQL releases the locks when the process dies, however it does. If their connection breaks
while the process lives, the leases of the jobs still make sure that each is done once.
"""

import asyncio
from contextlib import suppress

from sqlalchemy import URL, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store.address import file_of, shown
from bot.store.complaints import in_words
from bot.store.engines import keeper
from bot.store.errors import StoreError
from bot.store.shards import Process, Shards

LOOKS = 50
LOOK_S = 0.1
"""A process that begins waits five seconds for one that is ending."""

SHARD = 0x7AB01C
"""Our locks on shards, one a number."""
COUNT = 0x7AB01D
"""Our locks on the number of shards: all processes that serve any share it."""

_OTHER_COUNT = text(
    "SELECT min(objid::bigint) FROM pg_locks"
    " JOIN pg_database ON pg_database.oid = pg_locks.database"
    " WHERE locktype = 'advisory' AND classid = :mark AND objid <> :count"
    " AND granted AND datname = current_database()"
)
_COUNT = text("SELECT pg_advisory_lock_shared(:mark, :count)")
_TAKEN = text(
    "SELECT bool_and(pg_try_advisory_lock(:mark, n))"
    " FROM generate_series(CAST(:first AS int), CAST(:last AS int)) AS n"
)
_LEFT = text("SELECT pg_advisory_unlock_all()")
_THERE = text("SELECT 1")


class Service:
    """A process's hold on its shards; a file has one program anyway, and needs no hold."""

    def __init__(self, url: URL, process: Process) -> None:
        self._where = shown(url)
        self._shards = process.shards
        self._engine: AsyncEngine | None = None if file_of(url) else keeper(url, process.name)
        self._connection: AsyncConnection | None = None
        self._holding = False

    async def begin(self) -> None:
        """Take hold of the shards; raises StoreError if another process holds on to them.

        The other process gets a moment to release them.
        """
        if self._engine is None:
            return
        hindrance = await self._hindered()
        for _ in range(LOOKS):
            if hindrance is None:
                return
            await asyncio.sleep(LOOK_S)
            hindrance = await self._hindered()
        if hindrance:
            raise StoreError(f"{self._where}: {hindrance}")

    async def keep(self) -> None:
        """Take hold again after a broken connection; raises StoreError if another process has."""
        if self._engine is None or (self._holding and await self._reached()):
            return
        hindrance = await self._hindered()
        if hindrance:
            raise StoreError(f"{self._where}: {hindrance}")

    async def end(self) -> None:
        """Let go of the shards."""
        await self._hang_up()
        if self._engine is not None:
            await self._engine.dispose()

    async def _reached(self) -> bool:
        """Whether the connection that holds the shards works; a broken one is closed."""
        if self._connection is None:
            return False
        try:
            await self._connection.execute(_THERE)
        except (SQLAlchemyError, OSError):
            await self._hang_up()
            return False
        return True

    async def _hang_up(self) -> None:
        connection, self._connection, self._holding = self._connection, None, False
        if connection is not None:
            with suppress(SQLAlchemyError, OSError):
                await connection.close()

    async def _hindered(self) -> str | None:
        """Try to take hold of the shards, and return what is in the way of it."""
        assert self._engine is not None
        try:
            if not await self._reached():
                self._connection = await self._engine.connect()
            assert self._connection is not None
            hindrance = await _taken(self._connection, self._shards)
        except (SQLAlchemyError, OSError) as error:
            await self._hang_up()
            raise in_words(self._where, error) from error
        self._holding = hindrance is None
        return hindrance


async def _taken(connection: AsyncConnection, own: Shards) -> str | None:
    """Take hold of all the shards, or none; return what is in the way of it."""
    await connection.execute(_COUNT, {"mark": COUNT, "count": own.count})
    other = (await connection.execute(_OTHER_COUNT, {"mark": COUNT, "count": own.count})).scalar()
    numbers = {"mark": SHARD, "first": own.first, "last": own.last}
    if other is None and (await connection.execute(_TAKEN, numbers)).scalar():
        return None
    await connection.execute(_LEFT)
    if other is None:
        return f"another Tabula serves some of the shards {own}; stop that one first"
    return (
        f"another Tabula serves it with {other} shards in all, not {own.count}; "
        "stop the old ones first"
    )
