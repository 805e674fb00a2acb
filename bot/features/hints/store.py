"""Who allows hints in a match between people."""

from sqlalchemy import Column, Connection, ForeignKey, PrimaryKeyConstraint, Table, select

from bot.platform.db.columns import BIG
from bot.platform.db.database import Database
from bot.platform.db.statements import make_upsert
from bot.platform.db.tables import matches, metadata, people

table = Table(
    "hints",
    metadata,
    Column("match", BIG, ForeignKey(matches.c.id), nullable=False),
    Column("person", BIG, ForeignKey(people.c.id), nullable=False),
    PrimaryKeyConstraint("match", "person"),
)


class HintConsents:
    """Those who allow hints, by match."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def allow(self, match: int, person: int) -> None:
        """Keep that a person allows hints in a match, if they had not said so before."""

        def work(connection: Connection) -> None:
            connection.execute(
                make_upsert(connection.dialect.name, table)
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
