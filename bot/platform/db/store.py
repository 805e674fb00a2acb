"""What the bot keeps, in a SQLite file or on a PostgreSQL server: the only SQL of the program."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar

from sqlalchemy import Connection, bindparam, delete, select

from bot.platform.db import errors, sealing
from bot.platform.db.address import format_address, get_file_path, parse_address
from bot.platform.db.copies import COPY_MARK, copy_database
from bot.platform.db.database import Database, StorePart, upsert_rows, writing
from bot.platform.db.engines import READER_NAME, build_connection_name
from bot.platform.db.exclusions import count_marks, forget_marks
from bot.platform.db.integrity import find_problems
from bot.platform.db.jobs import Jobs, enqueue_jobs
from bot.platform.db.migration import find_newest_version, migrate, require_current_server_version
from bot.platform.db.opening import prepare_file, require_usable_file, save_checksum
from bot.platform.db.pauses import Pauses
from bot.platform.db.preferences import BoardStyles, People, PreferenceStore, Servers
from bot.platform.db.rows import Job, QueuedJob
from bot.platform.db.shards import ALL_SHARDS, Process, ShardLock, Shards, SharedClock
from bot.platform.db.tables import program_metadata as table
from bot.platform.features import ExtensionPoint, load_modules
from engine.strict_json import parse_json, write_json

log = logging.getLogger(__name__)
T = TypeVar("T")
MAX_CLOCK_DIFFERENCE_MS = 2_000
"""Milliseconds by which the clocks of a machine and of the database's server may differ."""


class Store:
    """The open database: what the platform stores, and each feature's store by its class."""

    def __init__(self, database: Database, service: ShardLock, opened: AsyncExitStack) -> None:
        self._database = database
        self._service = service
        self._opened = opened
        self._parts: dict[object, Any] = {}
        self.shards = database.process.shards
        """The shards whose servers are served with it."""
        self.process = database.process.name
        """The name under which jobs are leased."""
        self.shared = database.shared
        """Whether other processes may be at the database, too."""
        self.people = People(database)
        self.jobs = Jobs(database)
        self.metadata = ProgramMetadata(database)
        self.generations = Generations(database)
        self.pauses = Pauses(database)
        self.preferences = PreferenceStore(database)
        self.board_styles = BoardStyles(database)
        self.servers = Servers(database)

    def get(self, kind: Callable[[Database], T]) -> T:
        """Return a feature's store by its class; it is made when first asked for."""
        if kind not in self._parts:
            self._parts[kind] = kind(self._database)
        part: T = self._parts[kind]
        return part

    @classmethod
    async def open(
        cls,
        where: str | Path,
        keys: Sequence[str] = (),
        shards: Shards = ALL_SHARDS,
        *,
        drops_lost: bool = False,
    ) -> Self:
        """Open or create the database: a file (a path or `sqlite:///FILE`) or `postgresql://...`.

        It is brought to the present version, a file with a copy of the old one beside it. The
        secrets of the dice are sealed with the first of `keys`, if any; with `drops_lost` those
        that none of them opens are unknown from then on. Raises StoreError saying in one sentence
        why it cannot be used. A file can only be used by a program that serves all the shards.
        """
        url = parse_address(where)
        if get_file_path(url) and not shards.is_complete:
            raise errors.UnusableDatabaseError(
                f"{format_address(url)} is a file, which one program alone uses, and serves all "
                "shards; for several take PostgreSQL, to which `tabula move-to` carries a file over"
            )
        await _load_features()
        async with AsyncExitStack() as stack:
            if file := get_file_path(url):
                # First, as the stack is undone from its end: the lock is released when all else is
                # closed.
                lock = await asyncio.to_thread(prepare_file, file)
                stack.callback(lock.release)
                stack.push_async_callback(asyncio.to_thread, save_checksum, file)
            database = Database(url, Process(build_connection_name(), shards), keys=keys)
            stack.push_async_callback(database.close)
            service = ShardLock(url, database.process)
            stack.push_async_callback(service.release)
            await database.write(
                partial(migrate, where=database.where), errors.SaveOutcome.NOT_ASKED
            )
            if drops_lost:
                await database.write(_drop_lost_secrets, errors.SaveOutcome.NOT_ASKED)
            await database.write(sealing.reseal_secrets, errors.SaveOutcome.NOT_ASKED)
            return cls(database, service, stack.pop_all())

    @classmethod
    async def open_read_only(cls, where: str | Path, keys: Sequence[str] = ()) -> Self:
        """Open a database of the present version for reading only, also while a program uses it.

        Raises StoreError saying in one sentence why that cannot be done.
        """
        url = parse_address(where)
        await _load_features()
        async with AsyncExitStack() as stack:
            if file := get_file_path(url):
                await asyncio.to_thread(require_usable_file, file)
            # By this name other programs see that it only reads, and is not in their way.
            database = Database(url, Process(READER_NAME, ALL_SHARDS), keys=keys)
            stack.push_async_callback(database.close)
            if not file:
                await database.read(partial(require_current_server_version, where=database.where))
            return cls(database, ShardLock(url, database.process), stack.pop_all())

    @property
    def clock(self) -> SharedClock:
        """The clock by which this process goes."""
        return self._database.process.clock

    async def find_clock_difference(self) -> int:
        """Return by how many milliseconds the clock of the database's server is ahead of this one.

        What may be due to the way there is left out, and for a file it is 0. Raises StoreError.
        """
        if not self.shared:
            return 0
        asked = self.clock.machine()
        there = await self.jobs.load_now()
        answered = self.clock.machine()
        # The server has read its clock at some moment between the two.
        return max(there - answered, 0) or min(there - asked, 0)

    async def compare_clocks(self) -> None:
        """Where several processes serve one database, go by its clock. Raises StoreError."""
        if self.shards.is_complete:
            return
        clock, ahead = self.clock, await self.find_clock_difference()
        if abs(ahead - clock.ahead_ms) <= MAX_CLOCK_DIFFERENCE_MS:
            return
        if abs(ahead) <= MAX_CLOCK_DIFFERENCE_MS:
            clock.ahead_ms = 0
            log.info("the clock of this machine agrees with the database's again")
        else:
            clock.ahead_ms = ahead
            log.warning("%s, which counts; set it by NTP", format_clock_difference(ahead))

    async def acquire_shards(self) -> None:
        """Begin to serve the servers of the shards.

        Raises StoreError while another process serves any of them. Jobs that an earlier process
        left in the middle are free from now on.
        """
        await self.compare_clocks()
        # Before the leases are ended, which might be those of a process that still runs.
        await self._service.acquire()
        await self.jobs.end_old_leases()

    async def keep_shards(self) -> None:
        """Check that this process still holds its servers; raises StoreError if it does not."""
        await self._service.renew()

    def get_save_age_s(self) -> float:
        """Return for how many seconds nothing has been saved; a heartbeat is every 20 seconds."""
        return self._database.get_save_age_s()

    def describe(self) -> str:
        """Return which database it is, and of what version, for the log."""
        return f"{self._database.where} (version {find_newest_version()})"

    @property
    def damage(self) -> errors.DamagedDatabaseError | None:
        """What was found damaged, if anything was; from then on nothing is written or read."""
        return self._database.damage

    def on_damage(self, call: Callable[[], object]) -> None:
        """Have something called when damage is found."""
        self._database.on_damage = call

    async def close(self) -> None:
        """Close the database."""
        await self._opened.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def observe_saves(self, saved: Callable[[float], None]) -> None:
        """Report of each change how many seconds it took to save."""
        self._database.saved = saved

    async def import_from(self, source: Database) -> Mapping[str, int]:
        """Write all that another database holds into this one, which is empty.

        Returns how many rows each table has.
        """
        return await copy_database(source, self._database)

    async def find_write_problem(self) -> str | None:
        """Return why nothing can be saved; None where a trial, which is undone, succeeds."""
        try:
            await self._database.write(_try_writing, errors.SaveOutcome.NOT_ASKED)
        except _TrialEndedError:
            return None
        except errors.StoreError as error:
            return str(error)
        raise AssertionError("the trial ends by raising")

    async def find_lost_secrets(self) -> sealing.LostSecrets:
        """Return what none of the keys opens."""
        return await self._database.read(sealing.find_lost_secrets)

    async def find_dropped_secrets(self) -> sealing.LostSecrets:
        """Return what was given up with its key, once the keys open all else."""
        return await self._database.read(sealing.find_dropped_secrets)

    async def count_marks(self) -> int:
        """Return how many marks of people there are who stay kept out of something."""
        return await self._database.read(count_marks)

    async def find_problems(self) -> list[str]:
        """Return what is wrong in the database, a sentence each.

        It is empty if every event of every match is there.
        """
        return await self._database.read(find_problems)


class _TrialEndedError(Exception):
    """Something could be written, and is undone by this."""


def _try_writing(connection: Connection) -> None:
    upsert_rows(connection, table, [{"name": "trial", "text": ""}])
    raise _TrialEndedError


def _drop_lost_secrets(connection: Connection) -> None:
    if sealing.drop_lost_secrets(connection):
        forget_marks(connection)


async def _load_features() -> None:
    """Import what the database asks of features, in a thread, as no transaction should wait."""
    await asyncio.to_thread(load_modules)


_LOAD_TEXT = select(table.c.text).where(table.c.name == bindparam("name"))


class ProgramMetadata(StorePart):
    """Texts by name."""

    async def load_value(self, name: str) -> str | None:
        """Return what is stored under a name, or None."""
        return await self._database.read(
            lambda connection: connection.scalar(_LOAD_TEXT, {"name": name})
        )

    async def save(self, name: str, text: str) -> None:
        """Store a text under a name, in place of the one before."""
        row = {"name": name, "text": text}
        await self._database.write(lambda connection: upsert_rows(connection, table, [row]))


GENERATIONS_KEY = "generations"
"""The entry that lists the generations, the first without a mark left out."""
GENERATION_STARTS: ExtensionPoint[Callable[[Connection], None]] = ExtensionPoint()
"""What a generation begins with, in the same transaction."""


@dataclass(frozen=True, slots=True)
class Generation:
    """A generation: the mark of its buttons, and the instant of the backup that began it."""

    mark: str
    began: int


class Generations(StorePart):
    """The generations of a database, the oldest first."""

    async def load(self) -> tuple[Generation, ...]:
        """Return the generations, the first without a mark left out."""
        return await self._database.read(_load_generations)

    async def load_copy_instant(self) -> int | None:
        """Return when this database was copied; None if it is no copy, or was opened before."""
        text = await self._database.read(
            lambda connection: connection.scalar(_LOAD_TEXT, {"name": COPY_MARK})
        )
        return None if text is None else int(text)

    @writing
    def start_generation(
        self, connection: Connection, generation: Generation, jobs: Mapping[int, Sequence[Job]]
    ) -> tuple[QueuedJob, ...]:
        """Begin a generation and enqueue jobs by server; what is posted then has no message yet.

        Nothing is changed if another process was quicker.
        """
        # Of several processes only one gets the deleted mark back, and that one goes on.
        mark = delete(table).where(table.c.name == COPY_MARK).returning(table.c.name)
        if connection.execute(mark).first() is None:
            return ()
        generations = [asdict(each) for each in (*_load_generations(connection), generation)]
        row = {"name": GENERATIONS_KEY, "text": write_json(generations)}
        upsert_rows(connection, table, [row])
        for start in GENERATION_STARTS.list_functions():
            start(connection)
        return tuple(
            job for guild, some in jobs.items() for job in enqueue_jobs(connection, guild, some)
        )


def _load_generations(connection: Connection) -> tuple[Generation, ...]:
    query = select(table.c.text).where(table.c.name == GENERATIONS_KEY)
    text = connection.execute(query).scalar()
    return tuple(Generation(**each) for each in parse_json(text)) if text else ()


@dataclass(frozen=True, slots=True)
class Lineage:
    """The generations of the database, oldest first; the very first has no mark and is left out."""

    generations: tuple[Generation, ...] = ()

    @property
    def mark(self) -> str:
        """The mark of the present generation."""
        return self.generations[-1].mark if self.generations else ""

    def is_lost(self, mark: str, posted: int) -> bool:
        """Whether a message of a generation, posted at an instant, is newer than the backup.

        That is the backup that was restored.
        """
        marks = ["", *(each.mark for each in self.generations)]
        # A mark that this database does not know belongs to a time that was lost in a restore.
        if mark not in marks:
            return True
        # `marks` has one entry more in front, so this begins with the generation after the mark's.
        later = self.generations[marks.index(mark) :]
        return bool(later) and posted > later[0].began


def format_clock_difference(ahead_ms: int) -> str:
    """Say how far this machine's clock is from that of the database's server, which is ahead."""
    way = "behind" if ahead_ms > 0 else "ahead of"
    return f"the clock of this machine is {abs(ahead_ms) / 1000:.0f} s {way} the database's"
