"""Jobs: what must follow a change, written in the same transaction as the change."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, and_, delete, func, literal_column, null, select, update
from sqlalchemy.sql.elements import ColumnElement

from bot.store.database import Database
from bot.store.rows import Job, QueuedJob
from bot.store.statements import upsert
from bot.store.tables import jobs as table

_COLUMNS = [column for column in table.c if column is not table.c.created]


class Jobs:
    """Jobs by when they are due."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, jobs: Sequence[Job]) -> tuple[QueuedJob, ...]:
        """Keep wishes; one for a job that waits, or was given up, renews it."""
        return await self._database.write(lambda connection: add_jobs(connection, jobs))

    async def due(self, now: int, limit: int) -> list[QueuedJob]:
        """Return the jobs whose time has come, the longest due first."""
        query = (
            select(*_COLUMNS)
            .where(table.c.given_up.is_(None), table.c.due <= now)
            .order_by(table.c.due, table.c.id)
            .limit(limit)
        )
        return await self._database.read(lambda connection: [_job(row) for row in connection.execute(query)])

    async def next_due(self, after: int = 0) -> int | None:
        """Return when the next job is due after an instant; None where none waits."""
        query = select(func.min(table.c.due)).where(table.c.given_up.is_(None), table.c.due > after)
        return await self._database.read(lambda connection: connection.execute(query).scalar())

    async def done(self, job: QueuedJob) -> bool:
        """Forget a job that was done; False where it was renewed meanwhile, and so stays."""
        return await self._database.write(lambda connection: finish_job(connection, job))

    async def renew(self, job: QueuedJob, wish: Job) -> tuple[QueuedJob, ...]:
        """Put another wish in the place of a job that was done, unless it was renewed meanwhile."""

        def work(connection: Connection) -> tuple[QueuedJob, ...]:
            return add_jobs(connection, [wish]) if finish_job(connection, job) else ()

        return await self._database.write(work)

    async def put_off(self, job: QueuedJob, due: int, error: str) -> None:
        """Let a job that failed wait again, unless it was renewed meanwhile."""
        values = {"tries": table.c.tries + 1, "due": due, "error": error}
        await self._database.write(lambda connection: _change(connection, job, values))

    async def hurry(self, now: int) -> None:
        """Let all jobs that have failed, and wait to be tried again, be due now."""
        waiting = and_(table.c.error.is_not(None), table.c.given_up.is_(None), table.c.due > now)
        await self._database.write(lambda connection: connection.execute(update(table).where(waiting).values(due=now)))

    async def bring_forward(self, kind: str | None, until: int, now: int) -> None:
        """Let the jobs of a kind, or of every kind (None), that are due until then be due now."""
        waiting = and_(table.c.given_up.is_(None), table.c.due > now, table.c.due <= until)
        soon = waiting if kind is None else and_(waiting, table.c.kind == kind)
        await self._database.write(lambda connection: connection.execute(update(table).where(soon).values(due=now)))

    async def give_up(self, job: QueuedJob, error: str, now: int) -> None:
        """Keep a job with its error and try it no more, unless it was renewed meanwhile."""
        values = {"tries": table.c.tries + 1, "given_up": now, "error": error}
        await self._database.write(lambda connection: _change(connection, job, values))

    async def given_up(self) -> list[QueuedJob]:
        """Return the jobs that were given up, the first first."""
        query = select(*_COLUMNS).where(table.c.given_up.is_not(None)).order_by(table.c.given_up, table.c.id)
        return await self._database.read(lambda connection: [_job(row) for row in connection.execute(query)])


def add_jobs(connection: Connection, jobs: Sequence[Job]) -> tuple[QueuedJob, ...]:
    """Keep wishes inside a transaction, and return the jobs as they wait now; of two alike the later counts."""
    if not jobs:
        return ()
    # In one order everywhere, so that two transactions never wait for each other's.
    latest = sorted({(job.kind, job.key): job for job in jobs}.items())
    insert = upsert(connection, table)
    renewed = insert.on_conflict_do_update(
        index_elements=["kind", "key"],
        set_={
            "due": insert.excluded.due,
            "detail": insert.excluded.detail,
            # Written out: with parameters of its own SQLAlchemy would send each row by itself.
            "revision": table.c.revision + literal_column("1"),
            "tries": literal_column("0"),
            "error": null(),
            "given_up": null(),
        },
    ).returning(*_COLUMNS)
    rows = [{"kind": job.kind, "key": job.key, "due": job.due, "detail": dict(job.detail)} for _, job in latest]
    kept = {(job.kind, job.key): job for job in map(_job, connection.execute(renewed, rows))}
    return tuple(kept[key] for key in dict.fromkeys((job.kind, job.key) for job in jobs))


def finish_job(connection: Connection, job: QueuedJob) -> bool:
    """Forget a job inside a transaction, if it is still the one that was done."""
    return connection.execute(delete(table).where(_as_it_was(job))).rowcount == 1


def _change(connection: Connection, job: QueuedJob, values: Mapping[str, Any]) -> None:
    connection.execute(update(table).where(_as_it_was(job)).values(values))


def _as_it_was(job: QueuedJob) -> ColumnElement[bool]:
    return and_(table.c.id == job.id, table.c.revision == job.revision)


def _job(row: Row[*tuple[Any, ...]]) -> QueuedJob:
    return QueuedJob(**row._mapping)  # noqa: SLF001 - SQLAlchemy's public name for it
