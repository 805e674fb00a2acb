"""When clocks stand still: nobody could act, or somebody was away."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import asdict
from functools import partial
from operator import attrgetter, eq
from typing import TypeAlias

from sqlalchemy import (
    Column,
    Connection,
    Select,
    and_,
    case,
    cast,
    delete,
    false,
    func,
    insert,
    literal_column,
    null,
    or_,
    select,
    union_all,
    update,
)
from sqlalchemy.sql.elements import ColumnElement

from bot.platform.db.columns import BIG
from bot.platform.db.database import Database
from bot.platform.db.jobs import make_jobs_due
from bot.platform.db.rows import Outage, Pause, QueuedJob, StoppageScope
from bot.platform.db.shards import Shards, ShardServiceTimes, make_shard_filter
from bot.platform.db.statements import make_upsert, upsert_rows
from bot.platform.db.tables import (
    IS_UNFINISHED,
    absences,
    challenges,
    contests,
    ladders,
    matches,
    outages,
    presences,
    stoppages,
)
from engine.clock import NEVER

ServerFilter: TypeAlias = Callable[[Column[int]], ColumnElement[bool]]
"""Returns the condition that the server in a column is one of those that are meant."""


class Pauses:
    """Outages of the bot, and absences of people."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add_absence(self, pause: Pause) -> None:
        """Keep a time for which somebody is away."""
        values = {"person": pause.person, "began": pause.began, "ended": pause.ended}
        away = insert(absences).values(values)
        await self._database.write(lambda connection: connection.execute(away))

    async def end_outages(self, now: int, shards: Sequence[int], count: int) -> None:
        """End all outages of some shards by an instant: the clock was wrong when they were kept."""
        theirs = outages.c.shard.in_(shards), outages.c.shards == count
        # By the present time, what began later never was, and what has not ended ends now.
        later = delete(outages).where(outages.c.began >= now, *theirs)
        ending = update(outages).where(outages.c.ended > now, *theirs).values(ended=now)
        # Stoppages are few, and one of another process's servers cannot have ended later than now,
        # either.
        wrong = delete(stoppages).where(stoppages.c.began >= now, stoppages.c.ended.is_not(None))
        cut = update(stoppages).where(stoppages.c.ended > now).values(ended=now)

        def work(connection: Connection) -> None:
            for statement in (later, ending, wrong, cut):
                connection.execute(statement)

        await self._database.write(work)

    async def end_absence(self, person: int, now: int) -> bool:
        """End somebody's absence now; return False if they are not away."""
        there = update(absences).where(
            absences.c.person == person, absences.c.began <= now, absences.c.ended > now
        )
        ended = await self._database.write(
            lambda connection: connection.execute(there.values(ended=now))
        )
        return ended.rowcount > 0

    async def load_last_served(self) -> ShardServiceTimes:
        """Return when somebody could last act in the servers of each shard that was ever served."""
        query = select(presences)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return {(row.shard, row.shards): row.at for row in rows}

    async def record_presence(
        self, shards: Iterable[int], count: int, now: int, since: Sequence[Outage] = ()
    ) -> None:
        """Note that people can act now in some shards' servers, and when they could not before."""
        noted = [{"shard": shard, "shards": count, "at": now} for shard in shards]

        def work(connection: Connection) -> None:
            # In one transaction with the presence, from which the next beat would find the outage
            # again.
            if since:
                connection.execute(insert(outages), [asdict(outage) for outage in since])
            for outage in since:
                servers = Shards(outage.shard, outage.shard, outage.shards).make_server_filter
                _postpone_deadlines(connection, servers, outage.began, outage.ended)
            upsert_rows(connection, presences, noted)

        await self._database.write(work)

    async def stop_clocks(
        self, scope: StoppageScope, subjects: Collection[int], now: int
    ) -> frozenset[int]:
        """Stop time in servers or matches until it is resumed; return those where it still ran."""
        rows = [{"scope": scope, "subject": subject, "began": now} for subject in sorted(subjects)]

        def work(connection: Connection) -> frozenset[int]:
            # The index of open stoppages allows one for each subject, so a second changes nothing.
            stopped = make_upsert(connection.dialect.name, stoppages).on_conflict_do_nothing()
            new = connection.execute(stopped.returning(stoppages.c.subject), rows)
            return frozenset(new.scalars())

        return await self._database.write(work) if rows else frozenset()

    async def resume_servers(
        self, guilds: Collection[int], now: int, kinds: Collection[str]
    ) -> tuple[QueuedJob, ...]:
        """Let time run again in servers, and return the jobs due there now.

        They are those that failed or are of those kinds.
        """

        def work(connection: Connection) -> tuple[QueuedJob, ...]:
            due: list[QueuedJob] = []
            for guild in sorted(guilds):
                since = end_stoppage(connection, StoppageScope.SERVER, guild, now)
                if since is not None:
                    there = partial(eq, guild)
                    _postpone_deadlines(connection, there, since, now)
                due += make_jobs_due(connection, guild, now, kinds)
            return tuple(due)

        return await self._database.write(work)

    async def load_stopped_servers(self) -> set[int]:
        """Return the servers of this process's in which no time runs."""
        own = self._database.process.shards.make_server_filter(stoppages.c.subject)
        query = _select_stoppages(StoppageScope.SERVER, own)
        return set(
            await self._database.read(lambda connection: connection.execute(query).scalars())
        )

    async def load_stopped_matches(self, numbers: Collection[int]) -> set[int]:
        """Return which of those matches can be shown nowhere, so that no time runs in them."""
        query = _select_stoppages(StoppageScope.MATCH, stoppages.c.subject.in_(sorted(numbers)))
        return set(
            await self._database.read(lambda connection: connection.execute(query).scalars())
        )

    async def load_active_servers(self) -> set[int]:
        """Return this process's servers with a running match, open challenge, league or ladder."""
        own = self._database.process.shards.make_server_filter
        query = union_all(
            select(matches.c.guild)
            .distinct()
            .where(matches.c.ended.is_(None), own(matches.c.guild)),
            select(challenges.c.guild)
            .distinct()
            .where(challenges.c.state == "open", own(challenges.c.guild)),
            select(contests.c.guild).distinct().where(IS_UNFINISHED, own(contests.c.guild)),
            select(ladders.c.guild)
            .distinct()
            .where(ladders.c.closed.is_(None), own(ladders.c.guild)),
        )
        return set(
            await self._database.read(lambda connection: connection.execute(query).scalars())
        )

    async def load_relevant(
        self, people: Collection[int], since: int, guild: int | None, of: Collection[int] = ()
    ) -> list[Pause]:
        """Return what ended after an instant, or still lasts, in the order it began.

        That is a server's outages, those people's absences, and the stoppages of the server, of
        some matches and of their contests. Without a server only the absences count.
        """
        asked = tuple(sorted(people)), since, guild, tuple(sorted(of))
        return await self._database.read_settled(
            ("pauses", *asked), lambda connection: _fetch_relevant(connection, *asked)
        )


def _fetch_relevant(
    connection: Connection,
    people: Sequence[int],
    since: int,
    guild: int | None,
    of: Sequence[int],
) -> list[Pause]:
    # PostgreSQL takes an untyped NULL in a union for text.
    nobody = cast(null(), BIG)
    everyone = select(
        nobody.label("person"), outages.c.began, outages.c.ended, nobody.label("match")
    )
    theirs = select(absences.c.person, absences.c.began, absences.c.ended, nobody)
    there = (
        false() if guild is None else make_shard_filter(guild, outages.c.shard, outages.c.shards)
    )
    lasting = or_(stoppages.c.ended > since, stoppages.c.ended.is_(None))
    ended = func.coalesce(stoppages.c.ended, literal_column(str(NEVER), BIG))
    stopped = [
        select(nobody, stoppages.c.began, ended, match).where(
            stoppages.c.scope == scope, stoppages.c.subject.in_(subjects), lasting
        )
        for scope, subjects, match in (
            (StoppageScope.SERVER, [guild], nobody),
            (StoppageScope.MATCH, of, stoppages.c.subject),
        )
        if guild is not None and subjects
    ]
    if guild is not None and of:
        # By the matches that are meant: few belong to a contest, and fewer to one that is paused.
        paused = (
            select(nobody, stoppages.c.began, ended, matches.c.id)
            .join(matches, matches.c.contest == stoppages.c.subject)
            .where(stoppages.c.scope == StoppageScope.CONTEST, matches.c.id.in_(of), lasting)
        )
        stopped.append(paused)
    query = union_all(
        everyone.where(outages.c.ended > since, there),
        theirs.where(absences.c.person.in_(people), absences.c.ended > since),
        *stopped,
    )
    found = [Pause(*row) for row in connection.execute(query)]
    # Asked for them in order, SQLite would read all outages there ever were.
    return sorted(found, key=attrgetter("began"))


def _select_stoppages(scope: StoppageScope, which: ColumnElement[bool]) -> Select[int]:
    """Return the query for the subjects of the stoppages of a scope that still last."""
    lasting = and_(stoppages.c.scope == scope, stoppages.c.ended.is_(None))
    return select(stoppages.c.subject).where(lasting, which)


def end_stoppage(
    connection: Connection, scope: StoppageScope, subject: int, now: int
) -> int | None:
    """End a stoppage inside a transaction and return when it began; None where time ran."""
    lasting = and_(
        stoppages.c.scope == scope, stoppages.c.subject == subject, stoppages.c.ended.is_(None)
    )
    # Asked first, since nearly always there is none, and a change makes others read again.
    if connection.execute(select(stoppages.c.began).where(lasting)).first() is None:
        return None
    # It may have begun later than now, where the clock was set back meanwhile.
    ended = case((stoppages.c.began < now, now), else_=stoppages.c.began + 1)
    ending = update(stoppages).where(lasting).values(ended=ended).returning(stoppages.c.began)
    began: int | None = connection.execute(ending).scalar()
    return began


def _postpone_deadlines(
    connection: Connection, there: ServerFilter, began: int, ended: int
) -> None:
    """Give the time back in which nobody could answer open challenges, sign up or play."""
    # What is paused gets back all of that time when it goes on.
    running = and_(IS_UNFINISHED, contests.c.state == "running", contests.c.paused.is_(None))
    for column, waiting, created in (
        (challenges.c.expires, challenges.c.state == "open", challenges.c.created),
        # Twice, for the index of those that are unfinished.
        (contests.c.starts, and_(IS_UNFINISHED, contests.c.state == "open"), contests.c.created),
        (contests.c.ends, running, contests.c.began),
        (ladders.c.next_drop, ladders.c.closed.is_(None), ladders.c.created),
    ):
        table = column.table
        # What was made during the pause gets back only the time since it was made.
        since = case((created > began, created), else_=began)
        those = and_(waiting, created < ended, there(table.c.guild))
        later = column + ended - since
        connection.execute(update(table).where(those).values({column.name: later}))
