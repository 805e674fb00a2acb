"""Followers of matches."""

from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Index,
    PrimaryKeyConstraint,
    Table,
    Text,
    delete,
    func,
    select,
    update,
)

from bot.platform.db.columns import BIG
from bot.platform.db.database import Database
from bot.platform.db.preference_rows import NotifyWhen
from bot.platform.db.statements import lock_people, upsert_rows
from bot.platform.db.tables import matches, metadata, people

table = Table(
    "follows",
    metadata,
    Column("match", BIG, ForeignKey(matches.c.id), nullable=False),
    Column("person", BIG, ForeignKey(people.c.id), nullable=False),
    Column("often", Text, nullable=False),
    PrimaryKeyConstraint("match", "person"),
    Index("followed_by", "person"),
)


class Follows:
    """How often somebody is notified, by match and person."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, match: int, person: int) -> NotifyWhen | None:
        """Return how often somebody is notified of a match; None if they do not follow it."""
        return (await self.load_followers(match)).get(person)

    async def load_followers(self, match: int) -> dict[int, NotifyWhen]:
        """Return those who follow a match."""
        query = select(table.c.person, table.c.often).where(table.c.match == match)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return {row.person: NotifyWhen(row.often) for row in rows}

    async def save(self, match: int, person: int, often: NotifyWhen, most: int) -> bool:
        """Keep how often somebody is notified of a match; return False if that is one too many.

        At most `most` other matches that are running may be followed.
        """
        running = (
            select(func.count())
            .select_from(table.join(matches, table.c.match == matches.c.id))
            .where(table.c.person == person, table.c.match != match, matches.c.ended.is_(None))
        )

        def work(connection: Connection) -> bool:
            # Locked before they are counted, so that two requests at once cannot exceed the limit.
            lock_people(connection, [person])
            if connection.execute(running).scalar_one() >= most:
                return False
            upsert_rows(
                connection, table, [{"match": match, "person": person, "often": often.value}]
            )
            # Never set back: the mark only saves matches without followers the job, once a turn,
            # that would find none.
            connection.execute(update(matches).where(matches.c.id == match).values(followed=True))
            return True

        return await self._database.write(work)

    async def remove(self, match: int, person: int) -> None:
        """Forget that somebody follows a match."""
        statement = delete(table).where(table.c.match == match, table.c.person == person)
        await self._database.write(lambda connection: connection.execute(statement))
