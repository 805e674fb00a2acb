"""What the bot keeps, in a SQLite file or on a PostgreSQL server: the only SQL of the program."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from bot.store.address import expand_home, file_of, parse, shown
from bot.store.audit import Audit
from bot.store.blocks import Blocks
from bot.store.carrying import carry_over
from bot.store.challenges import Challenges
from bot.store.checking import faults
from bot.store.company import others
from bot.store.copies import UNFINISHED, mark_copy, put_in_place, require_free
from bot.store.database import Database
from bot.store.engines import VISITOR, new_name
from bot.store.errors import Damaged, MovedOn, Repeated, Saved, StoreError, Taken, TooMany
from bot.store.follows import Follows
from bot.store.generations import Generation, Generations
from bot.store.habits import Habits
from bot.store.hints import Hints
from bot.store.histories import Histories
from bot.store.inspecting import Inspection
from bot.store.jobs import LEASE, Jobs
from bot.store.looks import Looks
from bot.store.matches import Matches
from bot.store.memos import Memos
from bot.store.migrating import migrate, require_present_on_server
from bot.store.notes import Notes
from bot.store.opening import copy_ours, held, look, prepare, remove
from bot.store.pauses import Pauses
from bot.store.people import People
from bot.store.puzzles import Puzzles
from bot.store.ratings import Ratings
from bot.store.reports import Reports
from bot.store.restoring import put_instead
from bot.store.rows import (
    Appended,
    Beginning,
    Begun,
    Board,
    Challenge,
    Created,
    Ended,
    EventRow,
    Former,
    Habit,
    History,
    Job,
    Joined,
    Limits,
    Load,
    Look,
    MatchRow,
    NewChallenge,
    Often,
    Outage,
    Pause,
    PersonNames,
    Posted,
    QueuedJob,
    Rated,
    RatingChange,
    RatingKey,
    RatingRow,
    Reminder,
    Rerate,
    Restated,
    Result,
    Ruling,
    Scope,
    Seat,
    Server,
    Step,
    Streak,
    Strength,
    Takeover,
    Teams,
)
from bot.store.sealing import new_key, renew
from bot.store.servers import Servers
from bot.store.service import Service
from bot.store.shards import ALONE, Process, Shards, last_served

__all__ = [
    "ALONE",
    "LEASE",
    "Appended",
    "Beginning",
    "Begun",
    "Board",
    "Challenge",
    "Created",
    "Damaged",
    "Ended",
    "EventRow",
    "Former",
    "Generation",
    "Habit",
    "History",
    "Job",
    "Joined",
    "Limits",
    "Load",
    "Look",
    "MatchRow",
    "MovedOn",
    "NewChallenge",
    "Often",
    "Outage",
    "Pause",
    "PersonNames",
    "Posted",
    "QueuedJob",
    "Rated",
    "RatingChange",
    "RatingKey",
    "RatingRow",
    "Reminder",
    "Repeated",
    "Rerate",
    "Restated",
    "Result",
    "Ruling",
    "Saved",
    "Scope",
    "Seat",
    "Server",
    "Shards",
    "Step",
    "Store",
    "StoreError",
    "Streak",
    "Strength",
    "Taken",
    "Takeover",
    "Teams",
    "TooMany",
    "backup",
    "brought_up",
    "expand_home",
    "folder_of",
    "forget",
    "in_use",
    "last_served",
    "new_key",
    "require_file_and_server",
    "restore",
]


class Store:
    """The open database, a family of tables to each name."""

    def __init__(self, database: Database, service: Service, opened: AsyncExitStack) -> None:
        self._database = database
        self._service = service
        self._opened = opened
        self.shards = database.process.shards
        """The shards whose servers are served with it."""
        self.process = database.process.name
        """The name under which jobs are leased."""
        self.shared = database.shared
        """Whether other processes may be at the database, too."""
        self.people = People(database)
        self.challenges = Challenges(database)
        self.matches = Matches(database)
        self.jobs = Jobs(database)
        self.histories = Histories(database)
        self.inspection = Inspection(database)
        self.ratings = Ratings(database)
        self.reports = Reports(database)
        self.hints = Hints(database)
        self.puzzles = Puzzles(database)
        self.audit = Audit(database)
        self.notes = Notes(database)
        self.memos = Memos(database)
        self.generations = Generations(database)
        self.pauses = Pauses(database)
        self.habits = Habits(database)
        self.follows = Follows(database)
        self.looks = Looks(database)
        self.servers = Servers(database)
        self.blocks = Blocks(database)

    @classmethod
    async def open(
        cls, where: str | Path, keys: Sequence[str] = (), shards: Shards = ALONE
    ) -> Self:
        """Open or create the database: a file (a path or `sqlite:///FILE`) or `postgresql://...`.

        It is brought to the present version, a file with a copy of the old one beside it. The
        secrets of the dice are sealed with the first of `keys`, if any. Raises StoreError saying in
        one sentence why it cannot be used. A file can only be used by a program that serves all the
        shards.
        """
        url = parse(where)
        if file_of(url) and not shards.all:
            raise StoreError(
                f"{shown(url)} is a file, which one program alone uses, and serves all shards; "
                "for several take PostgreSQL, to which `tabula move-to` carries a file over"
            )
        async with AsyncExitStack() as stack:
            if file := file_of(url):
                lock = await asyncio.to_thread(prepare, file)
                stack.callback(lock.release)
            database = Database(url, Process(new_name(), shards), keys=keys)
            stack.push_async_callback(database.close)
            service = Service(url, database.process)
            stack.push_async_callback(service.end)
            await database.write(partial(migrate, where=database.where), Saved.NOT_ASKED)
            await database.write(renew, Saved.NOT_ASKED)
            return cls(database, service, stack.pop_all())

    @classmethod
    async def visit(cls, where: str | Path, keys: Sequence[str] = ()) -> Self:
        """Open a database of the present version for reading only, also while a program uses it.

        Raises StoreError saying in one sentence why that cannot be done.
        """
        url = parse(where)
        async with AsyncExitStack() as stack:
            if file := file_of(url):
                await asyncio.to_thread(look, file)
            database = Database(url, Process(VISITOR, ALONE), keys=keys)
            stack.push_async_callback(database.close)
            if not file:
                await database.read(partial(require_present_on_server, where=database.where))
            return cls(database, Service(url, database.process), stack.pop_all())

    async def serve(self) -> None:
        """Begin to serve the servers of the shards.

        Raises StoreError while another process serves any of them. Jobs that an earlier process
        left in the middle are free from now on.
        """
        await self._service.begin()
        await self.jobs.take_over()

    async def keep_serving(self) -> None:
        """Check that this process still holds its servers; raises StoreError if it does not."""
        await self._service.keep()

    @property
    def damage(self) -> Damaged | None:
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

    def watch(self, saved: Callable[[float], None]) -> None:
        """Report of each change how many seconds it took to save."""
        self._database.saved = saved

    async def take_over(self, source: Database) -> Mapping[str, int]:
        """Write all that another database holds into this one, which is empty.

        Returns how many rows each table has.
        """
        return await carry_over(source, self._database)

    async def check(self) -> list[str]:
        """Return what is wrong in the database, a sentence each.

        It is empty if every event of every match is there.
        """
        return await self._database.read(faults)


async def in_use(where: str | Path) -> bool:
    """Whether a program uses a database; one that only reads does not count.

    Raises StoreError if that is not known.
    """
    url = parse(where)
    if file := file_of(url):
        return await asyncio.to_thread(held, file)
    database = Database(url, Process(VISITOR, ALONE))
    try:
        return await database.read(others)
    finally:
        await database.close()


async def forget(file: Path) -> None:
    """Delete a database file and the files that belong to it.

    Raises StoreError, deleting nothing, while a program uses it.
    """
    await asyncio.to_thread(remove, file)


async def backup(where: str | Path, target: Path) -> None:
    """Copy a database as it is now into a new file, also while the bot runs, and check the copy.

    The file is of SQLite, whichever database it is taken from. Raises StoreError, leaving no file.
    """
    url = parse(where)
    mark = partial(mark_copy, at=time.time_ns() // 1_000_000)
    if source := file_of(url):
        await asyncio.to_thread(copy_ours, source, target, mark)
        return
    require_free(target)
    server = Database(url, Process(VISITOR, ALONE))
    try:
        await server.read(partial(require_present_on_server, where=server.where))
        with TemporaryDirectory(prefix=UNFINISHED, dir=target.parent) as folder:
            made = Path(folder, target.name)
            async with await Store.open(made) as copy:
                await copy.take_over(server)
            await asyncio.to_thread(mark, made)
            await asyncio.to_thread(put_in_place, made, target)
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error.strerror}") from error
    finally:
        await server.close()


@asynccontextmanager
async def brought_up(
    file: Path, folder: Path | None = None, keys: Sequence[str] = ()
) -> AsyncIterator[Path]:
    """Lend a copy of a file of ours, of the present version, made in a folder or the usual place.

    Without a folder it is made where copies may lie. It is sealed as `keys` say. Raises StoreError.
    """
    with TemporaryDirectory(prefix=UNFINISHED, dir=folder) as room:
        made = Path(room, file.name)
        await asyncio.to_thread(copy_ours, file, made)
        async with await Store.open(made, keys):
            pass
        yield made


async def restore(
    made: Path, where: str | Path, *, replace: bool, older: bool = False
) -> str | None:
    """Put a copy that was `brought_up` in the place of a database.

    The copy lies in the folder of that database if that is a file. If it is an `older` state, the
    bot that opens it next begins a generation.

    Returns where the replaced database is kept now, None if it was empty. Raises StoreError,
    changing nothing, while a program uses it, or if it holds something and is not to be replaced.
    """
    if older:
        await asyncio.to_thread(mark_copy, made)
    return await put_instead(made, parse(where), replace=replace)


def require_file_and_server(where: str | Path, target: str) -> Path:
    """Return the file that is to be carried to a server.

    Raises StoreError if either address is of another kind.
    """
    url = parse(where)
    file = file_of(url)
    if file is None:
        raise StoreError(f"{shown(url)} is no SQLite file; only such a file is carried over")
    if not file.is_file():
        raise StoreError(f"there is no database {file}")
    if file_of(parse(target)):
        raise StoreError(
            "a file is carried over to a server only: name it as "
            "postgresql://USER:PASSWORD@HOST/NAME"
        )
    return file


def folder_of(where: str | Path) -> Path | None:
    """Return the folder of a database that is a file; None for a server's."""
    file = file_of(parse(where))
    return file.parent if file else None
