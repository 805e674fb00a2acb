"""Small facts that the program keeps about itself, by name."""

from sqlalchemy import select

from bot.platform.db.database import Database
from bot.platform.db.statements import upsert_rows
from bot.platform.db.tables import notes as table


class ProgramMetadata:
    """Texts by name."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, name: str) -> str | None:
        """Return a note, or None."""
        query = select(table.c.text).where(table.c.name == name)
        return await self._database.read(lambda connection: connection.execute(query).scalar())

    async def save(self, name: str, text: str) -> None:
        """Keep a note in place of the one before."""
        row = {"name": name, "text": text}
        await self._database.write(lambda connection: upsert_rows(connection, table, [row]))
