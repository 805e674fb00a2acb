"""Whom people have blocked."""

from collections.abc import Collection

from sqlalchemy import delete, or_, select

from bot.platform.db.database import Database
from bot.platform.db.statements import make_upsert
from bot.platform.db.tables import blocks as table


class Blocks:
    """Blocks by the person who has blocked somebody."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, person: int, blocked: int) -> None:
        """Keep that a person has blocked somebody."""
        row = {"person": person, "blocked": blocked}
        # To block somebody twice is no error.
        await self._database.write(
            lambda connection: connection.execute(
                make_upsert(connection.dialect.name, table).on_conflict_do_nothing(), row
            )
        )

    async def remove(self, person: int, blocked: int) -> None:
        """Forget that a person has blocked somebody."""
        theirs = delete(table).where(table.c.person == person, table.c.blocked == blocked)
        await self._database.write(lambda connection: connection.execute(theirs))

    async def load_blocked(self, person: int) -> list[int]:
        """Return whom a person has blocked."""
        query = select(table.c.blocked).where(table.c.person == person).order_by(table.c.blocked)
        return await self._database.read(
            lambda connection: list(connection.execute(query).scalars())
        )

    async def load_between(self, person: int, others: Collection[int]) -> list[tuple[int, int]]:
        """Return the blocks between a person and some others, as pairs of blocker and blocked."""
        # Both ways at once, since a block keeps two people apart whichever of them has set it.
        theirs = (table.c.person == person) & table.c.blocked.in_(others)
        by_others = (table.c.blocked == person) & table.c.person.in_(others)
        query = select(table.c.person, table.c.blocked).where(or_(theirs, by_others))
        return await self._database.read(
            lambda connection: [(each[0], each[1]) for each in connection.execute(query)]
        )
