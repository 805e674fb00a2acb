"""How people and servers like their boards drawn."""

from dataclasses import asdict

from sqlalchemy import Column, PrimaryKeyConstraint, Table, Text, select

from bot.platform.db.columns import BIG, Flag
from bot.platform.db.database import Database
from bot.platform.db.preference_rows import BoardStyle
from bot.platform.db.statements import upsert_rows
from bot.platform.db.tables import metadata

# The row of a `BoardStyle`.
table = Table(
    "looks",
    metadata,
    Column("scope", Text, nullable=False),
    Column("id", BIG, nullable=False),
    Column("theme", Text),
    Column("seat", Text, nullable=False),
    Column("numbered", Flag, nullable=False),
    PrimaryKeyConstraint("scope", "id"),
)


class BoardStyles:
    """Looks by scope (`person` or `server`) and id."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, scope: str, owner: int) -> BoardStyle:
        """Return what was chosen, or the look of those who chose nothing.

        A person sees their own boards from their side, and everyone sees public ones from gold's.
        """
        query = select(table.c.theme, table.c.seat, table.c.numbered).where(
            table.c.scope == scope, table.c.id == owner
        )
        row = await self._database.read_settled(
            ("board style", scope, owner), lambda connection: connection.execute(query).first()
        )
        if row:
            return BoardStyle(*row)
        return BoardStyle(seat="mine") if scope == "person" else BoardStyle()

    async def save(self, scope: str, owner: int, look: BoardStyle) -> None:
        """Keep a look in place of the one before."""
        row = {"scope": scope, "id": owner, **asdict(look)}
        await self._database.write(lambda connection: upsert_rows(connection, table, [row]))
