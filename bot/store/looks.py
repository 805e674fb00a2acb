"""How people and servers like their boards drawn."""

from dataclasses import asdict

from sqlalchemy import select

from bot.store.database import Database
from bot.store.rows import Look
from bot.store.statements import put
from bot.store.tables import looks as table


class Looks:
    """Looks by scope (`person` or `server`) and id."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, scope: str, owner: int) -> Look:
        """Return what was chosen, or the look of those who chose nothing."""
        query = select(table.c.theme, table.c.seat, table.c.numbered).where(
            table.c.scope == scope, table.c.id == owner
        )
        row = await self._database.read(lambda connection: connection.execute(query).first())
        return Look(*row) if row else Look()

    async def set(self, scope: str, owner: int, look: Look) -> None:
        """Keep a look in place of the one before."""
        row = {"scope": scope, "id": owner, **asdict(look)}
        await self._database.write(lambda connection: put(connection, table, [row]))
