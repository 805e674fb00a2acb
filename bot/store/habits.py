"""What people choose about how they play."""

from collections.abc import Collection
from dataclasses import asdict
from typing import Any

from sqlalchemy import Row, select

from bot.store.database import Database
from bot.store.rows import Habit, Reminder
from bot.store.statements import put
from bot.store.tables import habits as table


def habit_of(row: Row[Any]) -> Habit:
    """Return the habit that a row of the table says."""
    return Habit(Reminder(row.reminder), row.throws, row.confirms, row.zone)


class Habits:
    """Habits by person."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, person: int) -> Habit:
        """Return what somebody chose, or the habit of those who chose nothing."""
        return (await self.of([person])).get(person, Habit())

    async def of(self, people: Collection[int]) -> dict[int, Habit]:
        """Return what those people chose who chose anything."""
        query = select(table).where(table.c.person.in_(people))
        found = await self._database.read(lambda connection: connection.execute(query).all())
        return {row.person: habit_of(row) for row in found}

    async def set(self, person: int, habit: Habit) -> None:
        """Keep a habit in place of the one before."""
        row = {"person": person, **asdict(habit)}
        await self._database.write(lambda connection: put(connection, table, [row]))
