"""What servers choose about the matches that are played in them."""

from collections.abc import Callable
from dataclasses import asdict, fields

from sqlalchemy import Connection, select

from bot.platform.db.database import Database
from bot.platform.db.preference_rows import ServerSettings
from bot.platform.db.statements import lock_rows, make_upsert, upsert_rows
from bot.platform.db.tables import servers as table

_COLUMNS = [table.c[field.name] for field in fields(ServerSettings)]


class Servers:
    """Servers by their id."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, guild: int) -> ServerSettings:
        """Return what a server chose, or what holds in those that chose nothing."""
        return await self._database.read_settled(
            ("server", guild), lambda connection: _fetch_settings(connection, guild)
        )

    async def load_languages(self) -> dict[int, str]:
        """Return the languages of all servers that have chosen one."""
        query = select(table.c.guild, table.c.language).where(table.c.language.is_not(None))
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return {row.guild: row.language for row in rows}

    async def find_with_pages(self) -> list[int]:
        """Return the servers whose managers have turned the public pages on."""
        query = select(table.c.guild).where(table.c.pages.in_([True])).order_by(table.c.guild)
        rows = await self._database.read(lambda connection: connection.execute(query).scalars())
        return list(rows)

    async def update_settings(
        self, guild: int, change: Callable[[ServerSettings], ServerSettings]
    ) -> ServerSettings:
        """Change what a server chooses and return it; of two changes at once both count.

        `change` gets the previous choices. Whatever it raises leaves everything as it was.
        """

        def work(connection: Connection) -> ServerSettings:
            first = (
                make_upsert(connection.dialect.name, table)
                .values(guild=guild, pace=ServerSettings().pace)
                .on_conflict_do_nothing()
            )
            # Only a row that exists can be locked, so the first choice of a server makes one.
            connection.execute(first)
            lock_rows(connection, table.c.guild, [guild])
            after = change(_fetch_settings(connection, guild))
            upsert_rows(connection, table, [{"guild": guild, **asdict(after)}])
            return after

        return await self._database.write(work)


def _fetch_settings(connection: Connection, guild: int) -> ServerSettings:
    row = connection.execute(select(*_COLUMNS).where(table.c.guild == guild)).mappings().first()
    return (
        # JSON has lists where the settings have tuples.
        ServerSettings(**{**row, "channels": tuple(row["channels"]), "quiet": tuple(row["quiet"])})
        if row
        else ServerSettings()
    )
