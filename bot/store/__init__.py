"""What the bot keeps, in one SQLite file: the only SQL of the program."""

import asyncio
from pathlib import Path
from typing import Self

from bot.store.copies import copy, faults
from bot.store.database import Database
from bot.store.errors import Stale, StoreError, Taken
from bot.store.invitations import Invitations
from bot.store.looks import Looks
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
    Look,
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
    "Look",
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
        self.looks = Looks(database)

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
        await asyncio.to_thread(copy, self._database.path, path)

    async def check(self) -> list[str]:
        """Return what is wrong in the file, a sentence each; nothing if every event of every match is there."""
        return await self._database.read(faults)
