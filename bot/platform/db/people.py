"""The people the bot has met, by the names they were last seen with."""

from collections.abc import Iterable

from sqlalchemy import Connection, and_, func, select

from bot.features.preferences.store import make_preferences
from bot.platform.db.database import Database
from bot.platform.db.rows import PersonNames, PlayerPreferences
from bot.platform.db.statements import make_upsert
from bot.platform.db.tables import people as table
from bot.platform.db.tables import preferences


class People:
    """Names by id."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save_name(self, person: int, name: str, now: int, account: str | None = None) -> None:
        """Keep a person's present name, and their account's if it is given."""

        def work(connection: Connection) -> None:
            insert = make_upsert(connection, table).values(
                id=person, name=name, seen=now, account=account
            )
            new = insert.excluded
            known = func.coalesce(new.account, table.c.account)
            connection.execute(
                insert.on_conflict_do_update(
                    index_elements=[table.c.id],
                    set_={"name": new.name, "seen": new.seen, "account": known},
                )
            )

        await self._database.write(work)

    async def load_names(self, people: Iterable[int]) -> dict[int, PersonNames]:
        """Return the names of those people that are known, and of their accounts."""
        query = select(table.c.id, table.c.name, table.c.account).where(
            table.c.id.in_(list(people))
        )
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return {row.id: PersonNames(row.name, row.account) for row in rows}

    async def load_with_preferences(
        self, people: Iterable[int]
    ) -> tuple[dict[int, PersonNames], dict[int, PlayerPreferences]]:
        """Return the names and the preferences of those people that are known, by one read."""
        these = list(people)
        # Of both tables, so that a server's plan never goes through all preferences.
        theirs = and_(preferences.c.person == table.c.id, preferences.c.person.in_(these))
        query = (
            select(table.c.id, table.c.name, table.c.account, preferences)
            .join_from(table, preferences, theirs, isouter=True)
            .where(table.c.id.in_(these))
        )
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return (
            {row.id: PersonNames(row.name, row.account) for row in rows},
            {row.id: make_preferences(row) for row in rows if row.person is not None},
        )

    async def load_display_names(self, people: Iterable[int]) -> dict[int, str]:
        """Return the names of those people that are known."""
        return {person: known.name for person, known in (await self.load_names(people)).items()}
