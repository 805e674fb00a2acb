"""When clocks stand still: nobody could act, or somebody was away."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict
from operator import attrgetter

from sqlalchemy import Connection, delete, false, insert, literal_column, select, union_all, update

from bot.store.columns import BIG
from bot.store.database import Database
from bot.store.rows import Outage, Pause
from bot.store.shards import Served, bear_on
from bot.store.statements import put
from bot.store.tables import absences, outages, presences


class Pauses:
    """Outages of the bot, and absences of people."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, pause: Pause) -> None:
        """Keep a time for which somebody is away."""
        away = insert(absences).values(**asdict(pause))
        await self._database.write(lambda connection: connection.execute(away))

    async def end_by(self, now: int, shards: Sequence[int], count: int) -> None:
        """Let no outage of some shards last beyond an instant: it was kept when the clock was wrong."""
        theirs = outages.c.shard.in_(shards), outages.c.shards == count
        later = delete(outages).where(outages.c.began >= now, *theirs)
        ending = update(outages).where(outages.c.ended > now, *theirs).values(ended=now)

        def work(connection: Connection) -> None:
            connection.execute(later)
            connection.execute(ending)

        await self._database.write(work)

    async def come_back(self, person: int, now: int) -> bool:
        """End somebody's absence now; False where they are not away."""
        there = update(absences).where(
            absences.c.person == person, absences.c.began <= now, absences.c.ended > now
        )
        ended = await self._database.write(
            lambda connection: connection.execute(there.values(ended=now))
        )
        return ended.rowcount > 0

    async def last_served(self) -> Served:
        """Return when somebody could last act in the servers of each shard that was ever served."""
        query = select(presences)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return {(row.shard, row.shards): row.at for row in rows}

    async def served(
        self, shards: Iterable[int], count: int, now: int, since: Sequence[Outage] = ()
    ) -> None:
        """Note that people can act now in the servers of some shards, and when they could not before."""
        noted = [{"shard": shard, "shards": count, "at": now} for shard in shards]

        def work(connection: Connection) -> None:
            if since:
                connection.execute(insert(outages), [asdict(outage) for outage in since])
            put(connection, presences, noted)

        await self._database.write(work)

    async def bearing_on(
        self, people: Collection[int], since: int, guild: int | None
    ) -> list[Pause]:
        """Return a server's outages and those people's absences that ended after an instant, in the order they began.

        Without a server only the absences count.
        """
        everyone = select(
            literal_column("NULL", BIG).label("person"), outages.c.began, outages.c.ended
        )
        theirs = select(absences.c.person, absences.c.began, absences.c.ended)
        there = false() if guild is None else bear_on(guild, outages.c.shard, outages.c.shards)
        query = union_all(
            everyone.where(outages.c.ended > since, there),
            theirs.where(absences.c.person.in_(people), absences.c.ended > since),
        )
        found = await self._database.read(
            lambda connection: [Pause(*row) for row in connection.execute(query)]
        )
        # Asked for them in order, SQLite would read all outages there ever were.
        return sorted(found, key=attrgetter("began"))
