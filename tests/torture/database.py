"""The database that is to suffer: what it holds, read beside the bot, and what may befall it."""

import asyncio
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, suppress
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.platform.db.address import format_address, parse_address
from bot.platform.db.backups import back_up_database
from bot.platform.db.store import Store
from bot.platform.db.tables import load_metadata
from tests.support.postgresql import PostgreSQLServer

PATIENCE_S = 5.0
"""Seconds for which the harness itself waits for a database that is busy."""
SMALL_DISK = 48 << 20
"""Bytes of a disk that is to be filled."""
NO_ROOM = 1024
"""The longest file, in bytes, that a process may still write which has no room."""
PAGE = 4096
SERVERS_PAGE = 8192

Rows = Sequence[Sequence[Any]]


class UnreadableDatabaseError(Exception):
    """The database cannot be read at this moment."""


class PageDamage:
    """A spoilt page: what its file was, and which end the bot must come to."""

    def __init__(self, file: Path, offset: int, spoilt: bytes) -> None:
        self.file = file
        self.offset = offset
        self.spoilt = spoilt

    def load_page(self) -> bytes:
        """Return what stands in the page now."""
        with self.file.open("rb") as file:
            file.seek(self.offset)
            return file.read(len(self.spoilt))


class TortureDatabase(ABC):
    """What the bot keeps its matches in."""

    kind: str
    where: str
    """What TABULA_DATABASE says."""
    name: str
    """How the bot calls it in its log."""
    lacks: Mapping[str, str]
    """The kinds of faults that cannot befall it, and why."""
    ways: Mapping[str, str]
    """In which way something befalls it, where there are several."""

    @abstractmethod
    async def query_rows(self, query: str) -> Rows:
        """Read; raises UnreadableDatabaseError."""

    @abstractmethod
    async def execute(self, *statements: str) -> None:
        """Change it while no bot runs."""

    @abstractmethod
    def open_store(self) -> AbstractAsyncContextManager[Store]:
        """Give its contents as an open store, beside a bot that runs."""

    @abstractmethod
    def hold_lock(self) -> AbstractAsyncContextManager[None]:
        """Hold it, as another program may, for as long as the block lasts."""

    @abstractmethod
    def take_away(self, chance: Random) -> AbstractAsyncContextManager[str]:
        """Take it away for as long as the block lasts; gives how."""

    @abstractmethod
    def fill_disk(self, pid: int) -> AbstractAsyncContextManager[None]:
        """Leave no room to the process of that number for as long as the block lasts."""

    @abstractmethod
    def damage_page(self, chance: Random, match: int) -> AbstractAsyncContextManager[PageDamage]:
        """Spoil a page for as long as the block lasts.

        The page is one that is read at the start, or to act in that match.
        """

    @abstractmethod
    def create_another(self) -> str:
        """Return the address of a database of its own, for a bot that knows nothing of this one."""

    @abstractmethod
    def remove_leftovers(self) -> None:
        """Let go what a restoration kept aside."""

    @abstractmethod
    async def close(self) -> None:
        """Let it go."""


class SQLiteDatabase(TortureDatabase):
    """A SQLite file, on a small disk of its own where one can be mounted."""

    kind = "sqlite"

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "disk"
        self.folder.mkdir()
        self._image = folder / "disk.image"
        self._mounted = self._mount_disk()
        self.path = self.folder / "tabula.sqlite3"
        self.where = self.name = str(self.path)
        self.lacks = {}
        self.ways = {
            "full": "a small disk that is filled"
            if self._mounted
            else "a limit on the size of files"
        }
        self._others = 0

    def _mount_disk(self) -> bool:
        if os.geteuid() or not shutil.which("mkfs.ext4"):
            return False
        with self._image.open("wb") as image:
            image.truncate(SMALL_DISK)
        # No blocks kept for root, who may be the one that fills it.
        made = subprocess.call(
            ["mkfs.ext4", "-q", "-F", "-m", "0", self._image], stderr=subprocess.DEVNULL
        )
        return (
            made
            == 0
            == subprocess.call(
                ["mount", "-o", "loop", self._image, self.folder], stderr=subprocess.DEVNULL
            )
        )

    def remove_leftovers(self) -> None:
        for old in self.folder.glob("*.old*"):
            old.unlink()

    async def close(self) -> None:
        if self._mounted:
            # What the run leaves to be looked at stays when the disk goes.
            path = self.folder.with_name("database")
            shutil.copytree(
                self.folder, path, ignore=shutil.ignore_patterns("lost+found", "filler")
            )
            await asyncio.to_thread(subprocess.call, ["umount", "-l", self.folder])
            self._image.unlink()

    def create_another(self) -> str:
        self._others += 1
        return str(self.folder.with_name(f"another-{self._others}.sqlite3"))

    async def query_rows(self, query: str) -> Rows:
        try:
            with closing(
                sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True, timeout=PATIENCE_S)
            ) as connection:
                return connection.execute(query).fetchall()
        except sqlite3.Error as error:
            raise UnreadableDatabaseError(str(error)) from error

    async def execute(self, *statements: str) -> None:
        with closing(sqlite3.connect(self.path, timeout=PATIENCE_S)) as connection, connection:
            for statement in statements:
                connection.execute(statement)

    @asynccontextmanager
    async def open_store(self) -> AsyncIterator[Store]:
        copy = self.folder.with_name("copy.sqlite3")
        copy.unlink(missing_ok=True)
        await back_up_database(self.path, copy)
        async with await Store.open(copy) as store:
            yield store
        for file in copy.parent.glob("copy.sqlite3*"):
            file.unlink()

    @asynccontextmanager
    async def hold_lock(self) -> AsyncIterator[None]:
        with closing(
            sqlite3.connect(self.path, timeout=PATIENCE_S, isolation_level=None)
        ) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield
            connection.execute("ROLLBACK")

    @asynccontextmanager
    async def take_away(self, chance: Random) -> AsyncIterator[str]:
        away = self.path.with_name("away.sqlite3")
        self.path.rename(away)
        try:
            yield "the file is moved away"
        finally:
            away.rename(self.path)

    @asynccontextmanager
    async def fill_disk(self, pid: int) -> AsyncIterator[None]:
        if not self._mounted:
            before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (NO_ROOM, before[1]))
            yield
            with suppress(ProcessLookupError):
                resource.prlimit(pid, resource.RLIMIT_FSIZE, before)
            return
        # A log that has had room is written again from its beginning, and needs none.
        with closing(
            sqlite3.connect(self.path, timeout=PATIENCE_S, isolation_level=None)
        ) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        filler = self.folder / "filler"
        await asyncio.to_thread(_fill_disk, filler)
        yield
        filler.unlink()

    @asynccontextmanager
    async def damage_page(self, chance: Random, match: int) -> AsyncIterator[PageDamage]:
        pages = self.path.stat().st_size // PAGE
        while True:
            offset = PAGE * chance.randrange(1, pages)
            with self.path.open("r+b") as file:
                file.seek(offset)
                whole = file.read(PAGE)
                damage = PageDamage(self.path, offset, chance.randbytes(PAGE))
                file.seek(offset)
                file.write(damage.spoilt)
            if self._is_damage_visible():
                break
            # A page that nothing leads to; nobody can see it, and nothing is lost with it.
            _write_page(self.path, offset, whole)
        try:
            yield damage
        finally:
            if damage.load_page() == damage.spoilt:
                _write_page(self.path, offset, whole)

    def _is_damage_visible(self) -> bool:
        with closing(
            sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True, timeout=PATIENCE_S)
        ) as connection:
            try:
                return bool(connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",))
            except sqlite3.DatabaseError:
                return True


def _create_engine(where: str) -> AsyncEngine:
    """Return connections to a server beside the bot's."""
    url = make_url(where).set(drivername="postgresql+asyncpg")
    return create_async_engine(
        url, isolation_level="READ COMMITTED", connect_args={"timeout": PATIENCE_S}
    )


def _write_page(path: Path, offset: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _fill_disk(filler: Path) -> None:
    """Write until there is no room for another byte."""
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 20, PAGE, 1):
            with suppress(OSError):
                while True:
                    file.write(bytes(size))
        with suppress(OSError):
            os.fsync(file.fileno())


class PostgreSQLDatabase(TortureDatabase):
    """A database on a PostgreSQL server of the run's own."""

    kind = "postgresql"

    def __init__(self) -> None:
        self._server = PostgreSQLServer()
        self.where = self._server.create_database()
        self.name = format_address(parse_address(self.where))
        self.lacks = {
            "full": (
                "a server whose disk is full is the server's own matter; it says no more than that"
            )
        }
        self.ways = {}
        self._beside = _create_engine(self.where)

    def remove_leftovers(self) -> None:
        """Leave the schemas that are kept aside: the server goes with the run."""

    async def close(self) -> None:
        await self._beside.dispose()
        self._server.stop(signal.SIGINT)
        self._server.remove_data()

    def create_another(self) -> str:
        return self._server.create_database()

    async def query_rows(self, query: str) -> Rows:
        try:
            async with self._beside.connect() as connection:
                found = await connection.exec_driver_sql(query)
                return [tuple(row) for row in found]
        except (OSError, SQLAlchemyError) as error:
            raise UnreadableDatabaseError(str(error)) from error

    async def execute(self, *statements: str) -> None:
        async with self._beside.begin() as connection:
            for statement in statements:
                await connection.exec_driver_sql(statement)

    @asynccontextmanager
    async def open_store(self) -> AsyncIterator[Store]:
        async with await Store.open(self.where) as store:
            yield store

    @asynccontextmanager
    async def hold_lock(self) -> AsyncIterator[None]:
        async with self._beside.begin() as connection:
            await connection.exec_driver_sql(
                f"LOCK TABLE {', '.join(load_metadata().tables)} IN ACCESS EXCLUSIVE MODE"
            )
            yield

    @asynccontextmanager
    async def take_away(self, chance: Random) -> AsyncIterator[str]:
        ends = {
            "stopped": signal.SIGINT,
            "stopped at once": signal.SIGQUIT,
            "killed": signal.SIGKILL,
        }
        how = chance.choice(list(ends))
        await asyncio.to_thread(self._server.stop, ends[how])
        try:
            yield f"the server is {how}"
        finally:
            await asyncio.to_thread(self._server.start)
            await self._beside.dispose()

    @asynccontextmanager
    async def fill_disk(self, pid: int) -> AsyncIterator[None]:
        raise NotImplementedError(self.lacks["full"])
        yield  # type: ignore[unreachable]  # makes it a generator

    @asynccontextmanager
    async def damage_page(self, chance: Random, match: int) -> AsyncIterator[PageDamage]:
        ((path, page),) = await self.query_rows(
            "SELECT pg_relation_filepath('matches'), (ctid::text::point)[0]::int "
            f"FROM matches WHERE id = {match}"
        )
        file = self._server.data / path
        offset = SERVERS_PAGE * page
        await asyncio.to_thread(self._server.stop, signal.SIGINT)
        with file.open("rb") as opened:
            opened.seek(offset)
            whole = opened.read(SERVERS_PAGE)
        damage = PageDamage(file, offset, chance.randbytes(SERVERS_PAGE))
        _write_page(file, offset, damage.spoilt)
        await asyncio.to_thread(self._server.start)
        try:
            yield damage
        finally:
            await asyncio.to_thread(self._server.stop, signal.SIGINT)
            if damage.load_page() == damage.spoilt:
                _write_page(file, offset, whole)
            await asyncio.to_thread(self._server.start)
