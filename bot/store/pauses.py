"""When clocks stand still: nobody could act, or somebody was away."""

from collections.abc import Collection

from sqlalchemy import case, insert, literal_column, select, union_all, update

from bot.store.columns import BIG
from bot.store.database import Database
from bot.store.rows import Pause
from bot.store.statements import put
from bot.store.tables import absences, outages


class Pauses:
    """Outages of the bot, and absences of people."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, pause: Pause) -> None:
        """Keep a time in which nobody could act, or for which somebody is away."""
        times = {"began": pause.began, "ended": pause.ended}
        if pause.person is None:
            # Kept once more where what followed it failed, it may have lasted longer.
            await self._database.write(lambda connection: put(connection, outages, [times]))
            return
        statement = insert(absences).values(person=pause.person, **times)
        await self._database.write(lambda connection: connection.execute(statement))

    async def end_by(self, now: int) -> None:
        """Let no outage last beyond an instant: it was kept when the clock was wrong."""
        began = case((outages.c.began > now, outages.c.began), else_=now)
        ending = update(outages).where(outages.c.ended > now).values(ended=began)
        await self._database.write(lambda connection: connection.execute(ending))

    async def come_back(self, person: int, now: int) -> bool:
        """End somebody's absence now; False where they are not away."""
        there = update(absences).where(absences.c.person == person, absences.c.began <= now, absences.c.ended > now)
        ended = await self._database.write(lambda connection: connection.execute(there.values(ended=now)))
        return ended.rowcount > 0

    async def bearing_on(self, people: Collection[int], since: int) -> list[Pause]:
        """Return the outages, and those people's absences, that ended after an instant, in the order they began."""
        everyone = select(literal_column("NULL", BIG).label("person"), outages.c.began, outages.c.ended)
        theirs = select(absences.c.person, absences.c.began, absences.c.ended)
        query = union_all(
            everyone.where(outages.c.ended > since),
            theirs.where(absences.c.person.in_(people), absences.c.ended > since),
        ).order_by("began")
        return await self._database.read(lambda connection: [Pause(*row) for row in connection.execute(query)])
