"""What people choose about how they play."""

from collections.abc import Collection, Iterable
from dataclasses import asdict
from typing import Any

from sqlalchemy import (
    Column,
    ForeignKey,
    Index,
    Row,
    Select,
    Table,
    Text,
    and_,
    literal_column,
    select,
    text,
)

from bot.platform.db.columns import BIG, Flag
from bot.platform.db.database import Database
from bot.platform.db.preference_rows import PlayerPreferences, Reminder
from bot.platform.db.rows import PersonNames
from bot.platform.db.statements import upsert_rows
from bot.platform.db.tables import metadata, people

# The row of a `PlayerPreferences`.
table = Table(
    "habits",
    metadata,
    Column("person", BIG, ForeignKey(people.c.id), primary_key=True, autoincrement=False),
    Column("reminder", Text, nullable=False),
    Column("throws", Flag, nullable=False),
    Column("confirms", Flag, nullable=False, server_default=text("0")),
    Column("zone", Text),
    Column("language", Text),
    Column("pages", Flag, nullable=False, server_default=text("1")),
    Column("shares", Flag, nullable=False, server_default=text("0")),
    Column("everywhere", Flag, nullable=False, server_default=text("0")),
)
_IS_EVERYWHERE = table.c.everywhere == literal_column("1")
Index(
    "habits_everywhere",
    table.c.person,
    sqlite_where=_IS_EVERYWHERE,
    postgresql_where=_IS_EVERYWHERE,
)


def _make_preferences(row: Row[Any]) -> PlayerPreferences:
    """Return the preferences that a row of the table holds."""
    return PlayerPreferences(
        reminder=Reminder(row.reminder),
        throws=row.throws,
        confirms=row.confirms,
        zone=row.zone,
        language=row.language,
        pages=row.pages,
        shares=row.shares,
        everywhere=row.everywhere,
    )


def select_people_everywhere() -> Select[int]:
    """Return the query of those whose results in all servers anybody may see."""
    return select(table.c.person).where(_IS_EVERYWHERE)


class PreferenceStore:
    """Preferences by person."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, person: int) -> PlayerPreferences:
        """Return what somebody chose, or the preferences of those who chose nothing."""
        return (await self.load_many([person])).get(person, PlayerPreferences())

    async def load_many(self, people: Collection[int]) -> dict[int, PlayerPreferences]:
        """Return what those people chose who chose anything."""
        query = select(table).where(table.c.person.in_(people))
        found = await self._database.read(lambda connection: connection.execute(query).all())
        return {row.person: _make_preferences(row) for row in found}

    async def save(self, person: int, chosen: PlayerPreferences) -> None:
        """Save preferences in place of the ones before."""
        row = {"person": person, **asdict(chosen)}
        await self._database.write(lambda connection: upsert_rows(connection, table, [row]))

    async def load_languages(self) -> dict[int, str]:
        """Return the languages of all people who have chosen one."""
        query = select(table.c.person, table.c.language).where(table.c.language.is_not(None))
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return {row.person: row.language for row in rows}

    async def find_hidden_people(self) -> frozenset[int]:
        """Return all who are to be named on no public page."""
        query = select(table.c.person).where(table.c.pages.in_([False]))
        rows = await self._database.read(lambda connection: connection.execute(query).scalars())
        return frozenset(rows)

    async def load_with_names(
        self, persons: Iterable[int]
    ) -> tuple[dict[int, PersonNames], dict[int, PlayerPreferences]]:
        """Return the names and the preferences of those people that are known, by one read."""
        these = tuple(persons)
        # Of both tables, so that a server's plan never goes through all preferences.
        theirs = and_(table.c.person == people.c.id, table.c.person.in_(these))
        query = (
            select(people.c.id, people.c.name, people.c.account, table)
            .join_from(people, table, theirs, isouter=True)
            .where(people.c.id.in_(these))
        )
        rows = await self._database.read_settled(
            ("players", these), lambda connection: connection.execute(query).all()
        )
        return (
            {row.id: PersonNames(row.name, row.account) for row in rows},
            {row.id: _make_preferences(row) for row in rows if row.person is not None},
        )
