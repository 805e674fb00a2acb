"""What servers choose about the matches that are played in them."""

from dataclasses import asdict, fields

from sqlalchemy import select

from bot.store.database import Database
from bot.store.rows import Server
from bot.store.statements import put
from bot.store.tables import servers as table

_CHOSEN = [table.c[field.name] for field in fields(Server)]


class Servers:
    """Servers by their id."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, guild: int) -> Server:
        """Return what a server chose, or what holds in those that chose nothing."""
        query = select(*_CHOSEN).where(table.c.guild == guild)
        row = await self._database.read(lambda connection: connection.execute(query).mappings().first())
        return Server(**{**row, "channels": tuple(row["channels"])}) if row else Server()

    async def set(self, guild: int, server: Server) -> None:
        """Keep what a server chose in place of what it chose before."""
        row = {"guild": guild, **asdict(server)}
        await self._database.write(lambda connection: put(connection, table, [row]))
