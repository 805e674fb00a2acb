"""When clocks stand still: nobody could act, or somebody was away."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from operator import attrgetter, eq
from typing import TypeAlias

import sqlalchemy as sa
from sqlalchemy.sql.elements import ColumnElement

from bot.platform.db.database import StorePart, build_upsert, lock_people, upsert_rows, writing
from bot.platform.db.jobs import make_jobs_due
from bot.platform.db.rows import Outage, Pause, QueuedJob, StoppageScope
from bot.platform.db.shards import Shards, ShardServiceTimes, build_shard_filter
from bot.platform.db.tables import BIG, absences, outages, presences, stoppages
from bot.platform.features import ExtensionPoint
from engine.clock import DAY, NEVER

ServerFilter: TypeAlias = Callable[[sa.Column[int]], ColumnElement[bool]]
"""Returns the condition that the server in a column is one of those that are meant."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A column of instants that move on by as long as nobody could act.

    They do in the rows that are `waiting`, which were `created` at an instant.
    """

    column: sa.Column[int]
    waiting: ColumnElement[bool]
    created: sa.Column[int]


DEADLINES: ExtensionPoint[Callable[[], Sequence[Deadline]]] = ExtensionPoint()
"""Which times an outage, or a stoppage of a server, moves on."""


@dataclass(frozen=True, slots=True)
class ActiveRows:
    """Rows by which something goes on in a server: the column that names it, and which rows."""

    guild: sa.Column[int]
    which: ColumnElement[bool]


ACTIVITIES: ExtensionPoint[Callable[[], ActiveRows]] = ExtensionPoint()
"""What can go on in a server."""


@dataclass(frozen=True, slots=True)
class StoppedMatches:
    """The matches in whose clocks a stoppage of a scope counts: by its subject, their numbers."""

    scope: StoppageScope
    subject: sa.Column[int]
    match: sa.Column[int]


_IS_LASTING = sa.and_(
    stoppages.c.scope == sa.bindparam("in_scope"),
    stoppages.c.subject == sa.bindparam("of"),
    stoppages.c.ended.is_(None),
)
_SELECT_LASTING = sa.select(stoppages.c.began).where(_IS_LASTING)
_PAUSE_TABLES = (outages, absences, stoppages)

STOPPED_MATCHES: ExtensionPoint[Callable[[], StoppedMatches]] = ExtensionPoint()
"""In which matches the clocks stand while something else is stopped."""


class Pauses(StorePart):
    """Outages of the bot, and absences of people."""

    @writing
    def add_absence(self, connection: sa.Connection, pause: Pause) -> bool:
        """Keep a time for which somebody is away; return False where they are away then already."""
        assert pause.person is not None, "an absence is somebody's"
        person = pause.person
        values = {"person": person, "began": pause.began, "ended": pause.ended}
        away = sa.insert(absences).values(values)
        known = sa.select(absences.c.began).where(
            absences.c.person == person,
            absences.c.began <= pause.began,
            absences.c.ended > pause.began,
        )
        # Of two commands at the same moment one counts.
        lock_people(connection, [person])
        if connection.execute(known).first() is not None:
            return False
        connection.execute(away)
        return True

    @writing
    def end_outages(
        self, connection: sa.Connection, now: int, shards: Sequence[int], count: int
    ) -> None:
        """End all outages of some shards by an instant: the clock was wrong when they were kept."""
        theirs = outages.c.shard.in_(shards), outages.c.shards == count
        # By the present time, what began later never was, and what has not ended ends now.
        later = sa.delete(outages).where(outages.c.began >= now, *theirs)
        ending = sa.update(outages).where(outages.c.ended > now, *theirs).values(ended=now)
        # Stoppages are few, and one of another process's servers cannot have ended later than now,
        # either.
        wrong = sa.delete(stoppages).where(stoppages.c.began >= now, stoppages.c.ended.is_not(None))
        cut = sa.update(stoppages).where(stoppages.c.ended > now).values(ended=now)
        for statement in (later, ending, wrong, cut):
            connection.execute(statement)

    async def end_absence(self, person: int, now: int) -> bool:
        """End somebody's absence now; return False if they are not away."""
        there = sa.update(absences).where(
            absences.c.person == person, absences.c.began <= now, absences.c.ended > now
        )
        ended = await self._database.write(
            lambda connection: connection.execute(there.values(ended=now))
        )
        return ended.rowcount > 0

    async def load_last_served(self) -> ShardServiceTimes:
        """Return when somebody could last act in the servers of each shard that was ever served."""
        query = sa.select(presences)
        rows = await self._load_rows(query)
        return {(row.shard, row.shards): row.at for row in rows}

    @writing
    def record_presence(
        self,
        connection: sa.Connection,
        shards: Iterable[int],
        count: int,
        now: int,
        since: Sequence[Outage] = (),
    ) -> None:
        """Note that people can act now in some shards' servers, and when they could not before."""
        noted = [{"shard": shard, "shards": count, "at": now} for shard in shards]
        # In one transaction with the presence, from which the next beat would find the outage
        # again.
        if since:
            connection.execute(sa.insert(outages), [asdict(outage) for outage in since])
        for outage in since:
            servers = Shards(outage.shard, outage.shard, outage.shards).build_server_filter
            _postpone_deadlines(connection, servers, outage.began, outage.ended)
        upsert_rows(connection, presences, noted)

    async def stop_clocks(
        self, scope: StoppageScope, subjects: Collection[int], now: int
    ) -> frozenset[int]:
        """Stop time in servers or matches until it is resumed; return those where it still ran."""
        rows = [{"scope": scope, "subject": subject, "began": now} for subject in sorted(subjects)]

        def work(connection: sa.Connection) -> frozenset[int]:
            # The index of open stoppages allows one for each subject, so a second changes nothing.
            stopped = build_upsert(connection.dialect.name, stoppages).on_conflict_do_nothing()
            new = connection.execute(stopped.returning(stoppages.c.subject), rows)
            return frozenset(new.scalars())

        return await self._database.write(work) if rows else frozenset()

    @writing
    def resume_servers(
        self, connection: sa.Connection, guilds: Collection[int], now: int, kinds: Collection[str]
    ) -> tuple[QueuedJob, ...]:
        """Let time run again in servers, and return the jobs due there now.

        They are those that failed or are of those kinds.
        """
        due: list[QueuedJob] = []
        for guild in sorted(guilds):
            since = end_stoppage(connection, StoppageScope.SERVER, guild, now)
            if since is not None:
                there = partial(eq, guild)
                _postpone_deadlines(connection, there, since, now)
            due += make_jobs_due(connection, guild, now, kinds)
        return tuple(due)

    async def load_stopped_servers(self) -> set[int]:
        """Return the servers of this process's in which no time runs."""
        own = self._database.process.shards.build_server_filter(stoppages.c.subject)
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
        own = self._database.process.shards.build_server_filter
        active = [find() for find in ACTIVITIES.list_functions()]
        query = sa.union_all(
            *(
                sa.select(each.guild).distinct().where(each.which, own(each.guild))
                for each in active
            )
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
        # Since the beginning of its day, so that the acts of a match ask the same question.
        asked = tuple(sorted(people)), since - since % DAY, guild, tuple(sorted(of))
        found = await self._database.read_settled(
            ("pauses", *asked),
            _PAUSE_TABLES,
            lambda connection: _load_relevant(connection, *asked),
        )
        return [pause for pause in found if pause.ended > since]


def _load_relevant(
    connection: sa.Connection,
    people: Sequence[int],
    since: int,
    guild: int | None,
    of: Sequence[int],
) -> list[Pause]:
    # PostgreSQL takes an untyped NULL in a union for text.
    nobody = sa.cast(sa.null(), BIG)
    everyone = sa.select(
        nobody.label("person"), outages.c.began, outages.c.ended, nobody.label("match")
    )
    theirs = sa.select(absences.c.person, absences.c.began, absences.c.ended, nobody)
    there = (
        sa.false()
        if guild is None
        else build_shard_filter(guild, outages.c.shard, outages.c.shards)
    )
    lasting = sa.or_(stoppages.c.ended > since, stoppages.c.ended.is_(None))
    ended = sa.func.coalesce(stoppages.c.ended, sa.literal_column(str(NEVER), BIG))
    stopped = [
        sa.select(nobody, stoppages.c.began, ended, match).where(
            stoppages.c.scope == scope, stoppages.c.subject.in_(subjects), lasting
        )
        for scope, subjects, match in (
            (StoppageScope.SERVER, [guild], nobody),
            (StoppageScope.MATCH, of, stoppages.c.subject),
        )
        if guild is not None and subjects
    ]
    if guild is not None and of:
        for each in (find() for find in STOPPED_MATCHES.list_functions()):
            # By the matches that are meant: few belong to something that is ever stopped.
            paused = (
                sa.select(nobody, stoppages.c.began, ended, each.match)
                .join(each.match.table, each.subject == stoppages.c.subject)
                .where(stoppages.c.scope == each.scope, each.match.in_(of), lasting)
            )
            stopped.append(paused)
    query = sa.union_all(
        everyone.where(outages.c.ended > since, there),
        theirs.where(absences.c.person.in_(people), absences.c.ended > since),
        *stopped,
    )
    found = [Pause(*row) for row in connection.execute(query)]
    # Asked for them in order, SQLite would read all outages there ever were.
    return sorted(found, key=attrgetter("began"))


def _select_stoppages(scope: StoppageScope, which: ColumnElement[bool]) -> sa.Select[int]:
    """Return the query for the subjects of the stoppages of a scope that still last."""
    lasting = sa.and_(stoppages.c.scope == scope, stoppages.c.ended.is_(None))
    return sa.select(stoppages.c.subject).where(lasting, which)


def end_stoppage(
    connection: sa.Connection, scope: StoppageScope, subject: int, now: int
) -> int | None:
    """End a stoppage inside a transaction and return when it began; None where time ran."""
    which = {"in_scope": scope, "of": subject}
    # Asked first, since nearly always there is none, and a change makes others read again.
    if connection.execute(_SELECT_LASTING, which).first() is None:
        return None
    # It may have begun later than now, where the clock was set back meanwhile.
    ended = sa.case((stoppages.c.began < now, now), else_=stoppages.c.began + 1)
    ending = (
        sa.update(stoppages).where(_IS_LASTING).values(ended=ended).returning(stoppages.c.began)
    )
    began: int | None = connection.execute(ending, which).scalar()
    return began


def _postpone_deadlines(
    connection: sa.Connection, there: ServerFilter, began: int, ended: int
) -> None:
    """Give the time back in which nobody could answer open challenges, sign up or play."""
    for each in (deadline for find in DEADLINES.list_functions() for deadline in find()):
        table, created = each.column.table, each.created
        # What was made during the pause gets back only the time since it was made.
        since = sa.case((created > began, created), else_=began)
        those = sa.and_(each.waiting, created < ended, there(table.c.guild))
        later = each.column + ended - since
        connection.execute(sa.update(table).where(those).values({each.column.name: later}))
