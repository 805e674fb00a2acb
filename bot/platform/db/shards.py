"""Which servers a process serves: Discord deals them out to shards by their ids.

On PostgreSQL each process holds a lock for each of its shards. PostgreSQL releases the locks when
the process dies, however it does. If their connection breaks while the process lives, the leases of
the jobs still make sure that each is done once.
"""

import asyncio
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from math import gcd
from typing import Self, TypeAlias

from sqlalchemy import URL, Column, and_, literal, literal_column, text, true
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.sql.elements import ColumnElement

from bot.platform.db.address import format_address, get_file_path
from bot.platform.db.engines import create_lock_engine
from bot.platform.db.errors import StoreError, build_store_error
from bot.platform.db.tables import BIG, now_ms
from engine.folding import fold_text

LOOKS = 50
LOOK_S = 0.1
"""A process that begins waits five seconds for one that is ending."""
SHARD_LOCK = 0x7AB01C
"""Our locks on shards, one a number."""
COUNT_LOCK = 0x7AB01D
"""Our locks on the number of shards: all processes that serve any share it."""

_SHARDS_PATTERN = re.compile(r"([0-9]{1,5})(?:-([0-9]{1,5}))?/([0-9]{1,5})")
_TIMESTAMP_SHIFT = 22
"""Bits of an id below its instant: source, docs.discord.com, "Sharding"."""


@dataclass(frozen=True, slots=True)
class Shards:
    """The shards from `first` to `last` of `count`; a program alone serves the only one."""

    first: int = 0
    last: int = 0
    count: int = 1

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read shards as they are written, `0-3/16` or `5/16`; raises ValueError for others."""
        written = _SHARDS_PATTERN.fullmatch(fold_text(text))
        if written is None:
            raise ValueError(f"shards are written as 0-3/16 or 5/16, not {text}")
        first, last, count = int(written[1]), int(written[2] or written[1]), int(written[3])
        if not first <= last < count:
            raise ValueError(
                f"there are no shards {text}: of {count} the first is 0, and the last {count - 1}"
            )
        return cls(first, last, count)

    def __str__(self) -> str:
        return f"{self.first}-{self.last}/{self.count}"

    @property
    def numbers(self) -> range:
        """The numbers of the shards."""
        return range(self.first, self.last + 1)

    @property
    def is_complete(self) -> bool:
        """Whether no shard is left to another process."""
        return len(self.numbers) == self.count

    def get_shard(self, guild: int) -> int:
        """Return the shard of a server; direct messages, whose server is 0, belong to the first."""
        return (guild >> _TIMESTAMP_SHIFT) % self.count

    def has_server(self, guild: int) -> bool:
        """Whether a server is one of those that are served here."""
        return self.get_shard(guild) in self.numbers

    def build_server_filter(self, guild: Column[int]) -> ColumnElement[bool]:
        """Return the condition that a row's server is one of those that are served here."""
        if self.is_complete:
            return true()
        shard = guild.bitwise_rshift(literal_column(str(_TIMESTAMP_SHIFT))) % self.count
        return and_(shard >= self.first, shard <= self.last)


ALL_SHARDS = Shards()
"""The whole of what one program serves."""


@dataclass(slots=True)
class SharedClock:
    """The time by which a process goes: that of its machine, or of the database's server.

    The clocks of several machines differ, and what one process stores is judged by another.
    `ahead_ms` is how far the server's clock is ahead of the machine's, 0 if the machine's counts.
    """

    machine: Callable[[], int] = field(default_factory=lambda: now_ms)
    ahead_ms: int = 0

    def __call__(self) -> int:
        """Return the present instant, in milliseconds since 1970."""
        return self.machine() + self.ahead_ms


@dataclass(frozen=True, slots=True)
class Process:
    """A running program: a name that no other has, what it serves, and by which clock."""

    name: str
    shards: Shards
    clock: SharedClock = field(default_factory=SharedClock, compare=False)


SHARD_PERIOD = 2_882_880
"""A multiple of every number up to 16, and of 32 and 64: so many shards a bot has."""


MIN_SERVER = SHARD_PERIOD << _TIMESTAMP_SHIFT
"""No id of Discord's is as low: servers were made an hour after the beginning of its time."""


def fold_server(guild: int) -> int:
    """Return a number far below all servers' ids that is on the same shard as a server.

    It says nothing else of it. Others on the same shard follow it.
    """
    return ((guild >> _TIMESTAMP_SHIFT) % SHARD_PERIOD << _TIMESTAMP_SHIFT) + 1


def build_shard_filter(guild: int, shard: Column[int], count: Column[int]) -> ColumnElement[bool]:
    """Return the condition that a row about a shard, of so many, is about that server."""
    # Typed, since a shifted id still has more than 32 bits.
    return literal(guild >> _TIMESTAMP_SHIFT, BIG) % count == shard


ShardServiceTimes: TypeAlias = Mapping[tuple[int, int], int]
"""When a shard, by its number and how many there were, was last served."""


def find_last_served(served: ShardServiceTimes, shard: int, count: int) -> int | None:
    """Return when all servers of a shard were last served; None if that was never noted.

    The number of shards may have been another then: a shard that had some of these servers has a
    number that differs by a multiple of the greatest common divisor of both counts.
    """
    together: dict[int, list[int]] = {}
    for (number, of), at in served.items():
        if (number - shard) % gcd(of, count) == 0:
            together.setdefault(of, []).append(at)
    # Of one count the shard that was served longest ago decides, as all of them had some of these
    # servers; of several counts the one that was in use last.
    return max(map(min, together.values()), default=None)


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
            raise build_store_error(self._where, error) from error
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
