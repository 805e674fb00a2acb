"""What moderators did, and why: a log for each server."""

from dataclasses import asdict, fields
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Identity,
    Index,
    Select,
    Table,
    Text,
    func,
    insert,
    select,
)

from bot.platform.db.columns import BIG, DOCUMENT
from bot.platform.db.database import Database
from bot.platform.db.rows import MatchUpdate, Ruling
from bot.platform.db.tables import matches, metadata, people

table = Table(
    "audit",
    metadata,
    Column("id", BIG, Identity(), primary_key=True),
    Column("guild", BIG, nullable=False),
    Column("at", BIG, nullable=False),
    Column("moderator", BIG, ForeignKey(people.c.id), nullable=False),
    Column("action", Text, nullable=False),
    Column("match", BIG, ForeignKey(matches.c.id), nullable=False),
    Column("reason", Text, nullable=False),
    Column("people", DOCUMENT, nullable=False),
    Index("audit_of", "guild", "id"),
    Index("audit_about", "match"),
)

_COLUMNS = [table.c[field.name] for field in fields(Ruling)]


class AuditLog:
    """Rulings by server, and by match."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load_page(self, guild: int, offset: int, limit: int) -> list[Ruling]:
        """Return some of a server's rulings, the newest first."""
        query = (
            select(*_COLUMNS)
            .where(table.c.guild == guild)
            # By id, not by time: the clock may be set back, and the order is that of the decisions.
            .order_by(table.c.id.desc())
            .offset(offset)
            .limit(limit)
        )
        return await self._database.read(lambda connection: _fetch_rulings(connection, query))

    async def count_rulings(self, guild: int) -> int:
        """Return how many rulings a server has."""
        query = select(func.count()).where(table.c.guild == guild)
        return await self._database.read(lambda connection: connection.execute(query).scalar_one())

    async def load_by_match(self, match: int) -> list[Ruling]:
        """Return the rulings about a match, the newest first."""
        query = select(*_COLUMNS).where(table.c.match == match).order_by(table.c.id.desc())
        return await self._database.read(lambda connection: _fetch_rulings(connection, query))


def write_update(
    connection: Connection, match: int, step: MatchUpdate, winner_before: str | None
) -> None:
    """Keep the ruling by which a match was changed, if there is one."""
    if step.ruling:
        insert_ruling(connection, step.ruling)


def insert_ruling(connection: Connection, ruling: Ruling) -> None:
    """Keep a ruling inside a transaction."""
    connection.execute(insert(table).values(**asdict(ruling)))


def _fetch_rulings(connection: Connection, query: Select[*tuple[Any, ...]]) -> list[Ruling]:
    found = connection.execute(query).mappings()
    # JSON gives the people as a list, and a ruling has a tuple.
    return [Ruling(**{**row, "people": tuple(row["people"])}) for row in found]
