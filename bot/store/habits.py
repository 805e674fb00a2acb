"""What people choose about how they play, and servers about how they are played in."""

from collections.abc import Collection
from dataclasses import asdict

from sqlalchemy import Connection, select

from bot.store.database import Database
from bot.store.rows import Habit, Reminder
from bot.store.statements import put, upsert
from bot.store.tables import habits as table
from bot.store.tables import servers


class Habits:
    """Habits by person, and the pace and the news of each server."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, person: int) -> Habit:
        """Return what somebody chose, or the habit of those who chose nothing."""
        return (await self.of([person])).get(person, Habit())

    async def of(self, people: Collection[int]) -> dict[int, Habit]:
        """Return what those people chose who chose anything."""
        query = select(table).where(table.c.person.in_(people))
        found = await self._database.read(lambda connection: connection.execute(query).all())
        return {row.person: Habit(Reminder(row.reminder), row.throws, row.confirms) for row in found}

    async def set(self, person: int, habit: Habit) -> None:
        """Keep a habit in place of the one before."""
        row = {"person": person, **asdict(habit)}
        await self._database.write(lambda connection: put(connection, table, [row]))

    async def pace(self, guild: int) -> str:
        """Return the pace of a server's matches where nobody says otherwise."""
        query = select(servers.c.pace).where(servers.c.guild == guild)
        return await self._database.read(lambda connection: connection.execute(query).scalar()) or "none"

    async def set_pace(self, guild: int, pace: str) -> None:
        """Keep the pace of a server's matches in place of the one before."""
        await self._keep(guild, pace=pace)

    async def news(self, guild: int) -> int | None:
        """Return the channel in which a server is told which matches begin and end; None where it is not."""
        query = select(servers.c.news).where(servers.c.guild == guild)
        return await self._database.read(lambda connection: connection.execute(query).scalar())

    async def set_news(self, guild: int, channel: int | None) -> None:
        """Keep the channel of a server's news in place of the one before."""
        await self._keep(guild, news=channel)

    async def _keep(self, guild: int, **chosen: str | int | None) -> None:
        def work(connection: Connection) -> None:
            insert = upsert(connection, servers).values({"guild": guild, "pace": "none", **chosen})
            connection.execute(insert.on_conflict_do_update(index_elements=["guild"], set_=chosen))

        await self._database.write(work)
