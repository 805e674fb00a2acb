"""Reports of how a match was played, kept once they are made, and the blunders that they found.

A person's blunders are their own puzzles: how often each was tried, and whether it is solved.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    ForeignKey,
    Integer,
    PrimaryKeyConstraint,
    Table,
    Text,
    and_,
    cast,
    delete,
    func,
    select,
    update,
)

from bot.platform.db.columns import BIG, DOCUMENT, REAL, Flag
from bot.platform.db.database import Database
from bot.platform.db.jobs import enqueue_jobs, finish_job
from bot.platform.db.rows import Job, QueuedJob
from bot.platform.db.statements import make_upsert, upsert_rows
from bot.platform.db.tables import matches, metadata, people

table = Table(
    "reports",
    metadata,
    Column("match", BIG, ForeignKey(matches.c.id), primary_key=True, autoincrement=False),
    Column("document", DOCUMENT, nullable=False),
    Column("made", BIG, nullable=False),
)

blunders = Table(
    "blunders",
    metadata,
    Column("person", BIG, ForeignKey(people.c.id), nullable=False),
    Column("match", BIG, ForeignKey(matches.c.id), nullable=False),
    Column("version", Integer, nullable=False),
    Column("play", Text, nullable=False),
    Column("error", REAL, nullable=False),
    Column("tries", Integer, nullable=False, server_default="0"),
    Column("solved", Flag, nullable=False, server_default="0"),
    PrimaryKeyConstraint("person", "match", "version"),
)


@dataclass(frozen=True, slots=True)
class Blunder:
    """A play by which somebody gave much away, in a match at a version, and how much in points."""

    person: int
    match: int
    version: int
    play: str
    error: float


@dataclass(frozen=True, slots=True)
class BlunderCounts:
    """How many blunders somebody has to solve, and how many they have solved."""

    all: int
    solved: int


class Reports:
    """Reports by match."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, match: int) -> dict[str, Any] | None:
        """Return a match's report; None if there is none."""
        query = select(table.c.document).where(table.c.match == match)
        return await self._database.read(lambda connection: connection.execute(query).scalar())

    async def save(
        self,
        match: int,
        document: dict[str, Any],
        now: int,
        done: QueuedJob,
        guild: int,
        jobs: Sequence[Job] = (),
        found: Sequence[Blunder] = (),
    ) -> tuple[QueuedJob, ...]:
        """Keep a report and its blunders, the job done, and the jobs that follow in its server."""

        def work(connection: Connection) -> tuple[QueuedJob, ...]:
            upsert_rows(connection, table, [{"match": match, "document": document, "made": now}])
            if found:
                # A report that is made again leaves what was tried of them.
                new = make_upsert(connection.dialect.name, blunders).values(
                    [asdict(each) for each in found]
                )
                connection.execute(new.on_conflict_do_nothing())
            # In the same transaction: a crash in between would have the match judged a second time.
            finish_job(connection, done)
            return enqueue_jobs(connection, guild, jobs)

        return await self._database.write(work)


class Blunders:
    """Blunders by person, match and version."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find_next(self, person: int) -> Blunder | None:
        """Return the one that somebody is to try next; None where they have none.

        Each comes once before any comes again, and the worst come first; of those that were tried
        as often, the unsolved do.
        """
        query = (
            select(*_BLUNDER)
            .where(blunders.c.person == person)
            .order_by(
                blunders.c.tries,
                blunders.c.solved,
                blunders.c.error.desc(),
                blunders.c.match,
                blunders.c.version,
            )
            .limit(1)
        )
        row = await self._database.read(lambda connection: connection.execute(query).first())
        return Blunder(*row) if row else None

    async def get(self, person: int, match: int, version: int) -> Blunder | None:
        """Return one of somebody's blunders; None if they have no such one."""
        query = select(*_BLUNDER).where(_is_blunder(person, match, version))
        row = await self._database.read(lambda connection: connection.execute(query).first())
        return Blunder(*row) if row else None

    async def record_try(self, person: int, match: int, version: int, *, solved: bool) -> None:
        """Keep that somebody has tried one, and whether they ever solved it."""
        tried = (
            update(blunders)
            .where(_is_blunder(person, match, version))
            .values(
                tries=blunders.c.tries + 1,
                solved=True if solved else blunders.c.solved,
            )
        )
        await self._database.write(lambda connection: connection.execute(tried))

    async def remove(self, person: int, match: int, version: int) -> None:
        """Forget one that is no puzzle."""
        gone = delete(blunders).where(_is_blunder(person, match, version))
        await self._database.write(lambda connection: connection.execute(gone))

    async def count(self, person: int) -> BlunderCounts:
        """Count somebody's blunders."""
        query = select(
            func.count(), func.coalesce(func.sum(cast(blunders.c.solved, Integer)), 0)
        ).where(blunders.c.person == person)
        every, solved = await self._database.read(
            lambda connection: connection.execute(query).one()
        )
        return BlunderCounts(every, int(solved))


_BLUNDER = (
    blunders.c.person,
    blunders.c.match,
    blunders.c.version,
    blunders.c.play,
    blunders.c.error,
)


def _is_blunder(person: int, match: int, version: int) -> ColumnElement[bool]:
    return and_(
        blunders.c.person == person, blunders.c.match == match, blunders.c.version == version
    )
