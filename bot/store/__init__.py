"""What the bot keeps, in one SQLite file: the only SQL of the program."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Self

from bot.store.database import Database
from bot.store.errors import Stale, StoreError, Taken
from bot.store.invitations import Invitations
from bot.store.matches import Matches
from bot.store.notes import Notes
from bot.store.people import People
from bot.store.ratings import Ratings
from bot.store.rows import (
    Appended,
    Ending,
    EventRow,
    Invitation,
    Joined,
    MatchRow,
    Offer,
    RatingChange,
    RatingKey,
    RatingRow,
    Seat,
    Step,
)

__all__ = [
    "Appended",
    "Ending",
    "EventRow",
    "Invitation",
    "Joined",
    "MatchRow",
    "Offer",
    "RatingChange",
    "RatingKey",
    "RatingRow",
    "Seat",
    "Stale",
    "Step",
    "Store",
    "StoreError",
    "Taken",
]


class Store:
    """The open database, a family of tables to each name."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.people = People(database)
        self.invitations = Invitations(database)
        self.matches = Matches(database)
        self.ratings = Ratings(database)
        self.notes = Notes(database)

    @classmethod
    async def open(cls, path: Path) -> Self:
        """Open or create the database; raises StoreError saying in one sentence why it cannot."""
        return cls(await Database.open(path))

    async def close(self) -> None:
        """Close the database."""
        await self._database.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def backup(self, path: Path) -> None:
        """Copy the database as it is now into a new file, and check the copy; raises StoreError."""

        def work(connection: sqlite3.Connection) -> str:
            if path.exists():
                raise StoreError(f"{path} exists already; a backup never writes over a file")
            connection.execute("VACUUM INTO ?", (str(path),))
            with closing(sqlite3.connect(path)) as copy:
                return str(copy.execute("PRAGMA integrity_check").fetchone()[0])

        if (found := await self._database.read(work)) != "ok":
            raise StoreError(f"the copy in {path} is damaged: {found}")
