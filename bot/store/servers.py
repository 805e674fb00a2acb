"""What servers choose about the matches that are played in them."""

from collections.abc import Callable
from dataclasses import asdict, fields

from sqlalchemy import Connection, select

from bot.store.database import Database
from bot.store.rows import Server
from bot.store.statements import lock, put, upsert
from bot.store.tables import servers as table

_CHOSEN = [table.c[field.name] for field in fields(Server)]


class Servers:
    """Servers by their id."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, guild: int) -> Server:
        """Return what a server chose, or what holds in those that chose nothing."""
        return await self._database.read(lambda connection: _fetch(connection, guild))

    async def change(self, guild: int, change: Callable[[Server], Server]) -> Server:
        """Change what a server chooses and return it; of two changes at once both count.

        `change` gets the previous choices. Whatever it raises leaves everything as it was.
        """

        def work(connection: Connection) -> Server:
            first = (
                upsert(connection, table)
                .values(guild=guild, pace=Server().pace)
                .on_conflict_do_nothing()
            )
            connection.execute(first)
            lock(connection, table.c.guild, [guild])
            after = change(_fetch(connection, guild))
            put(connection, table, [{"guild": guild, **asdict(after)}])
            return after

        return await self._database.write(work)


def _fetch(connection: Connection, guild: int) -> Server:
    row = connection.execute(select(*_CHOSEN).where(table.c.guild == guild)).mappings().first()
    return (
        Server(**{**row, "channels": tuple(row["channels"]), "quiet": tuple(row["quiet"])})
        if row
        else Server()
    )
