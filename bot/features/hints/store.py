"""Who allows hints in a match between people."""

from sqlalchemy import Connection, select

from bot.platform.db.database import Database
from bot.platform.db.statements import make_upsert
from bot.platform.db.tables import hints as table


class HintConsents:
    """Those who allow hints, by match."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def allow(self, match: int, person: int) -> None:
        """Keep that a person allows hints in a match, if they had not said so before."""

        def work(connection: Connection) -> None:
            connection.execute(
                make_upsert(connection, table)
                .values(match=match, person=person)
                .on_conflict_do_nothing()
            )

        await self._database.write(work)

    async def load_people(self, match: int) -> frozenset[int]:
        """Return those who allow hints in a match."""
        query = select(table.c.person).where(table.c.match == match)
        return await self._database.read(
            lambda connection: frozenset(connection.execute(query).scalars())
        )
