"""The people the bot has met, by the names they were last seen with."""

from collections.abc import Iterable

from sqlalchemy import Connection, func, select, update

from bot.platform.db.database import Database
from bot.platform.db.rows import PersonNames
from bot.platform.db.statements import make_upsert
from bot.platform.db.tables import people as table


class People:
    """Names by id."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save_name(self, person: int, name: str, now: int, account: str | None = None) -> None:
        """Keep a person's present name, and their account's if it is given."""

        def work(connection: Connection) -> None:
            insert = make_upsert(connection.dialect.name, table).values(
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

    async def save_locale(self, person: int, locale: str) -> None:
        """Keep the language in which Discord shows itself to somebody who is known."""
        change = update(table).where(table.c.id == person).values(locale=locale)
        await self._database.write(lambda connection: connection.execute(change))

    async def load_locale(self, person: int) -> str | None:
        """Return the language in which Discord last showed itself to somebody, if it is known."""
        query = select(table.c.locale).where(table.c.id == person)
        return await self._database.read(lambda connection: connection.scalar(query))

    async def load_known(self, person: int) -> tuple[PersonNames, str | None] | None:
        """Return somebody's names and that language; None for somebody who is not known."""
        query = select(table.c.name, table.c.account, table.c.locale).where(table.c.id == person)
        row = await self._database.read(lambda connection: connection.execute(query).first())
        return (PersonNames(row.name, row.account), row.locale) if row else None

    async def load_names(self, people: Iterable[int]) -> dict[int, PersonNames]:
        """Return the names of those people that are known, and of their accounts."""
        query = select(table.c.id, table.c.name, table.c.account).where(
            table.c.id.in_(list(people))
        )
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return {row.id: PersonNames(row.name, row.account) for row in rows}

    async def load_display_names(self, people: Iterable[int]) -> dict[int, str]:
        """Return the names of those people that are known."""
        return {person: known.name for person, known in (await self.load_names(people)).items()}
