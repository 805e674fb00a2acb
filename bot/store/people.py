"""The people the bot has met, by the name they were last seen with."""

from collections.abc import Iterable

from sqlalchemy import select

from bot.store.database import Database
from bot.store.statements import put
from bot.store.tables import people as table


class People:
    """Names by id."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def remember(self, person: int, name: str, now: int) -> None:
        """Keep a person's present name."""
        row = {"id": person, "name": name, "seen": now}
        await self._database.write(lambda connection: put(connection, table, [row]))

    async def names(self, people: Iterable[int]) -> dict[int, str]:
        """Return the names of those people that are known."""
        query = select(table.c.id, table.c.name).where(table.c.id.in_(list(people)))
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return {row.id: row.name for row in rows}
