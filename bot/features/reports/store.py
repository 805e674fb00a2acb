"""Reports of how a match was played, kept once they are made, and the blunders that they found.

A person's blunders are their own puzzles: how often each was tried, and whether it is solved.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy as sa

from bot.features.matches.tables import matches
from bot.platform.db import tables as db
from bot.platform.db.database import StorePart, build_upsert, upsert_rows, writing
from bot.platform.db.jobs import enqueue_jobs, finish_job
from bot.platform.db.rows import Job, QueuedJob

table = sa.Table(
    "reports",
    db.metadata,
    sa.Column(
        "match",
        db.BIG,
        sa.ForeignKey(matches.c.id),
        primary_key=True,
        autoincrement=False,
        info=db.NUMBER,
    ),
    sa.Column("document", db.DOCUMENT, nullable=False, info=db.OUTCOME),
    sa.Column("made", db.BIG, nullable=False, info=db.INSTANT),
    info=db.MATCH_DETAIL,
)

blunders = sa.Table(
    "blunders",
    db.metadata,
    sa.Column("person", db.BIG, sa.ForeignKey(db.people.c.id), nullable=False, info=db.OWNER),
    sa.Column("match", db.BIG, sa.ForeignKey(matches.c.id), nullable=False, info=db.NUMBER),
    sa.Column("version", sa.Integer, nullable=False, info=db.NUMBER),
    sa.Column("play", sa.Text, nullable=False, info=db.OWN),
    sa.Column("error", db.REAL, nullable=False, info=db.OWN),
    sa.Column("tries", sa.Integer, nullable=False, server_default="0", info=db.OWN),
    sa.Column("solved", db.Flag, nullable=False, server_default="0", info=db.OWN),
    sa.PrimaryKeyConstraint("person", "match", "version"),
    info=db.PLAYERS_OWN,
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


class Reports(StorePart):
    """Reports by match."""

    async def load_report(self, match: int) -> dict[str, Any] | None:
        """Return a match's report; None if there is none."""
        query = sa.select(table.c.document).where(table.c.match == match)
        return await self._database.read(lambda connection: connection.execute(query).scalar())

    @writing
    def save(
        self,
        connection: sa.Connection,
        match: int,
        document: dict[str, Any],
        now: int,
        done: QueuedJob,
        guild: int,
        jobs: Sequence[Job] = (),
        found: Sequence[Blunder] = (),
    ) -> tuple[QueuedJob, ...]:
        """Keep a report and its blunders, the job done, and the jobs that follow in its server."""
        upsert_rows(connection, table, [{"match": match, "document": document, "made": now}])
        if found:
            # A report that is made again leaves what was tried of them.
            new = build_upsert(connection.dialect.name, blunders).values(
                [asdict(each) for each in found]
            )
            connection.execute(new.on_conflict_do_nothing())
        # In the same transaction: a crash in between would have the match judged a second time.
        finish_job(connection, done)
        return enqueue_jobs(connection, guild, jobs)


class Blunders(StorePart):
    """Blunders by person, match and version."""

    async def find_next(self, person: int) -> Blunder | None:
        """Return the one that somebody is to try next; None where they have none.

        Each comes once before any comes again, and the worst come first; of those that were tried
        as often, the unsolved do.
        """
        query = (
            sa.select(*_BLUNDER)
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

    async def load_blunder(self, person: int, match: int, version: int) -> Blunder | None:
        """Return one of somebody's blunders; None if they have no such one."""
        query = sa.select(*_BLUNDER).where(_is_blunder(person, match, version))
        row = await self._database.read(lambda connection: connection.execute(query).first())
        return Blunder(*row) if row else None

    async def record_try(self, person: int, match: int, version: int, *, solved: bool) -> None:
        """Keep that somebody has tried one, and whether they ever solved it."""
        tried = (
            sa.update(blunders)
            .where(_is_blunder(person, match, version))
            .values(
                tries=blunders.c.tries + 1,
                solved=True if solved else blunders.c.solved,
            )
        )
        await self._database.write(lambda connection: connection.execute(tried))

    async def remove(self, person: int, match: int, version: int) -> None:
        """Forget one that is no puzzle."""
        gone = sa.delete(blunders).where(_is_blunder(person, match, version))
        await self._database.write(lambda connection: connection.execute(gone))

    async def count(self, person: int) -> BlunderCounts:
        """Count somebody's blunders."""
        query = sa.select(
            sa.func.count(),
            sa.func.coalesce(sa.func.sum(sa.cast(blunders.c.solved, sa.Integer)), 0),
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


def _is_blunder(person: int, match: int, version: int) -> sa.ColumnElement[bool]:
    return sa.and_(
        blunders.c.person == person, blunders.c.match == match, blunders.c.version == version
    )
