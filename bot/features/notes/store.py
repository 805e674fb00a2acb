"""What people note about matches, each for themselves alone."""

from collections.abc import Collection

from sqlalchemy import Column, ForeignKey, PrimaryKeyConstraint, Table, Text, delete, select

from bot.platform.db.columns import BIG
from bot.platform.db.database import Database
from bot.platform.db.statements import upsert_rows
from bot.platform.db.tables import matches, metadata, people

# What `/match note` writes; the table `notes` has the program's own metadata.
table = Table(
    "memos",
    metadata,
    Column("person", BIG, ForeignKey(people.c.id), nullable=False),
    Column("match", BIG, ForeignKey(matches.c.id), nullable=False),
    Column("text", Text, nullable=False),
    PrimaryKeyConstraint("person", "match"),
)


class MatchNotes:
    """Texts by person and match."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load_for_matches(self, person: int, matches: Collection[int]) -> dict[int, str]:
        """Return what somebody noted about those of the matches about which they did."""
        query = select(table.c.match, table.c.text).where(
            table.c.person == person, table.c.match.in_(matches)
        )
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return {row.match: row.text for row in rows}

    async def save(self, person: int, match: int, text: str) -> None:
        """Keep a note in place of the one before."""
        row = {"person": person, "match": match, "text": text}
        await self._database.write(lambda connection: upsert_rows(connection, table, [row]))

    async def remove(self, person: int, match: int) -> None:
        """Forget a note."""
        statement = delete(table).where(table.c.person == person, table.c.match == match)
        await self._database.write(lambda connection: connection.execute(statement))
