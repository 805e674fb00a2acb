"""What the bot keeps, in a SQLite file or on a PostgreSQL server: the only SQL of the program."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Self

from bot.store.address import file_of, parse, shown
from bot.store.audit import Audit
from bot.store.blocks import Blocks
from bot.store.challenges import Challenges
from bot.store.checking import faults
from bot.store.database import Database
from bot.store.errors import Damaged, MovedOn, Repeated, Saved, StoreError, Taken, TooMany
from bot.store.follows import Follows
from bot.store.habits import Habits
from bot.store.hints import Hints
from bot.store.jobs import Jobs
from bot.store.looks import Looks
from bot.store.matches import Matches
from bot.store.memos import Memos
from bot.store.migrating import migrate
from bot.store.notes import Notes
from bot.store.opening import copy_ours, prepare, remove
from bot.store.pauses import Pauses
from bot.store.people import People
from bot.store.puzzles import Puzzles
from bot.store.ratings import Ratings
from bot.store.reports import Reports
from bot.store.rows import (
    Appended,
    Beginning,
    Begun,
    Challenge,
    Created,
    Ended,
    EventRow,
    Former,
    Habit,
    Job,
    Joined,
    Limits,
    Look,
    MatchRow,
    NewChallenge,
    Often,
    Pause,
    Posted,
    QueuedJob,
    RatingChange,
    RatingKey,
    RatingRow,
    Reminder,
    Rerate,
    Ruling,
    Seat,
    Server,
    Step,
    Streak,
    Strength,
    Takeover,
    Teams,
)
from bot.store.servers import Servers

__all__ = [
    "Appended",
    "Beginning",
    "Begun",
    "Challenge",
    "Created",
    "Damaged",
    "Ended",
    "EventRow",
    "Former",
    "Habit",
    "Job",
    "Joined",
    "Limits",
    "Look",
    "MatchRow",
    "MovedOn",
    "NewChallenge",
    "Often",
    "Pause",
    "Posted",
    "QueuedJob",
    "RatingChange",
    "RatingKey",
    "RatingRow",
    "Reminder",
    "Repeated",
    "Rerate",
    "Ruling",
    "Saved",
    "Seat",
    "Server",
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
    "forget",
]


class Store:
    """The open database, a family of tables to each name."""

    def __init__(self, database: Database, opened: AsyncExitStack) -> None:
        self._database = database
        self._opened = opened
        self.people = People(database)
        self.challenges = Challenges(database)
        self.matches = Matches(database)
        self.jobs = Jobs(database)
        self.ratings = Ratings(database)
        self.reports = Reports(database)
        self.hints = Hints(database)
        self.puzzles = Puzzles(database)
        self.audit = Audit(database)
        self.notes = Notes(database)
        self.memos = Memos(database)
        self.pauses = Pauses(database)
        self.habits = Habits(database)
        self.follows = Follows(database)
        self.looks = Looks(database)
        self.servers = Servers(database)
        self.blocks = Blocks(database)

    @classmethod
    async def open(cls, where: str | Path) -> Self:
        """Open or create the database: a file by its path or `sqlite:///FILE`, or a server's, `postgresql://...`.

        It is brought to the present version, a file with a copy of the old one beside it. Raises StoreError saying in
        one sentence why it cannot be used.
        """
        url = parse(where)
        async with AsyncExitStack() as stack:
            if file := file_of(url):
                lock = await asyncio.to_thread(prepare, file)
                stack.callback(lock.release)
            database = Database(url)
            stack.push_async_callback(database.close)
            await database.write(partial(migrate, where=database.where), Saved.NOT_ASKED)
            return cls(database, stack.pop_all())

    @property
    def damage(self) -> Damaged | None:
        """What was found damaged, if anything was; from then on nothing is written or read."""
        return self._database.damage

    def on_damage(self, call: Callable[[], object]) -> None:
        """Have something called when damage is found."""
        self._database.on_damage = call

    @property
    def shared(self) -> bool:
        """Whether several programs may use it at once."""
        return self._database.shared

    async def close(self) -> None:
        """Close the database."""
        await self._opened.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def check(self) -> list[str]:
        """Return what is wrong in the database, a sentence each; nothing if every event of every match is there."""
        return await self._database.read(faults)


async def forget(file: Path) -> None:
    """Delete a database file and what lies beside it; raises StoreError, deleting nothing, while a program uses it."""
    await asyncio.to_thread(remove, file)


async def backup(where: str | Path, target: Path) -> None:
    """Copy a database as it is now into a new file, also while the bot runs, and check the copy; raises StoreError."""
    url = parse(where)
    source = file_of(url)
    if source is None:
        raise StoreError(f"{shown(url)} is backed up with PostgreSQL's own pg_dump, which also runs beside the bot")
    await asyncio.to_thread(copy_ours, source, target)
