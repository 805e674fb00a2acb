"""Reports of how a match was played, kept once they are made."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Column, Connection, ForeignKey, Table, select

from bot.platform.db.columns import BIG, DOCUMENT
from bot.platform.db.database import Database
from bot.platform.db.jobs import enqueue_jobs, finish_job
from bot.platform.db.rows import Job, QueuedJob
from bot.platform.db.statements import upsert_rows
from bot.platform.db.tables import matches, metadata

table = Table(
    "reports",
    metadata,
    Column("match", BIG, ForeignKey(matches.c.id), primary_key=True, autoincrement=False),
    Column("document", DOCUMENT, nullable=False),
    Column("made", BIG, nullable=False),
)


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
    ) -> tuple[QueuedJob, ...]:
        """Keep a report, the job done with it, and the jobs that follow, of the match's server."""

        def work(connection: Connection) -> tuple[QueuedJob, ...]:
            upsert_rows(connection, table, [{"match": match, "document": document, "made": now}])
            # In the same transaction: a crash in between would have the match judged a second time.
            finish_job(connection, done)
            return enqueue_jobs(connection, guild, jobs)

        return await self._database.write(work)
