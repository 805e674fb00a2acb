"""What people choose about how they play."""

from collections.abc import Collection
from dataclasses import asdict
from typing import Any

from sqlalchemy import Row, select

from bot.platform.db.database import Database
from bot.platform.db.rows import PlayerPreferences, Reminder
from bot.platform.db.statements import upsert_rows
from bot.platform.db.tables import preferences as table


def make_preferences(row: Row[Any]) -> PlayerPreferences:
    """Return the habit that a row of the table says."""
    return PlayerPreferences(Reminder(row.reminder), row.throws, row.confirms, row.zone)


class PreferenceStore:
    """Habits by person."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, person: int) -> PlayerPreferences:
        """Return what somebody chose, or the habit of those who chose nothing."""
        return (await self.load_many([person])).get(person, PlayerPreferences())

    async def load_many(self, people: Collection[int]) -> dict[int, PlayerPreferences]:
        """Return what those people chose who chose anything."""
        query = select(table).where(table.c.person.in_(people))
        found = await self._database.read(lambda connection: connection.execute(query).all())
        return {row.person: make_preferences(row) for row in found}

    async def save(self, person: int, habit: PlayerPreferences) -> None:
        """Keep a habit in place of the one before."""
        row = {"person": person, **asdict(habit)}
        await self._database.write(lambda connection: upsert_rows(connection, table, [row]))
