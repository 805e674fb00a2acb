"""Jobs: what must follow a change, written in the same transaction as the change.

A kind of job is declared by its typed payload, and stored under its name and a key, with a detail
in JSON. What was stored by an earlier version must be done by a later one, so kinds, keys and the
names in the detail never change.

A job is done by the process that serves its server. That process leases it: the lease is prolonged
while the job is done, and lapses when the process dies. A job that is due when it is stored is
leased in the same statement.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, dataclass, field, replace
from enum import StrEnum, auto
from functools import cache
from typing import Any, ClassVar, Self, dataclass_transform

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.dml import ReturningUpdate
from sqlalchemy.sql.elements import ColumnElement
from sqlalchemy.sql.functions import FunctionElement

from bot.platform.db.database import Database, StorePart, build_upsert, writing
from bot.platform.db.rows import Job, QueuedJob
from bot.platform.db.shards import Process, Shards
from bot.platform.db.tables import jobs as table
from engine.strict_json import parse_json

_KEY_FIELD = re.compile(r"\{(\w+)\}")


class Subject(StrEnum):
    """What a job is about: the field of its payload that holds the id."""

    MATCH = auto()
    CHALLENGE = auto()
    CONTEST = auto()
    LADDER = auto()
    SERVER = auto()
    THREAD = auto()
    INTERACTION = auto()
    PERSON = auto()


class MalformedJobError(ValueError):
    """A stored job from which its payload cannot be made; the message says why."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class JobPayload:
    """What a job is to do. A subclass declares a kind of job, and is made a frozen dataclass.

    `key` is the form of the stored key; the other fields are stored in the detail. What is None is
    not stored: a job that is renewed keeps it from before. `is_timed` jobs are done because their
    time has come, and so not while the clock may be wrong; those that `needs_server` are not tried
    while it cannot be reached; those that `posts_elsewhere` do so in a channel that the server
    chose, not where a match is shown. What `is_postponed` has its stored deadline moved by the
    time in which nobody could act, and is looked at again once a longer one is over; what
    `follows_clock` is looked at again as soon as people can act.
    """

    kind: ClassVar[str]
    about: ClassVar[Subject]
    is_timed: ClassVar[bool]
    needs_server: ClassVar[bool]
    posts_elsewhere: ClassVar[bool]
    is_postponed: ClassVar[bool]
    follows_clock: ClassVar[bool]
    _key: ClassVar[str]
    _key_pattern: ClassVar[re.Pattern[str]]

    def __init_subclass__(
        cls,
        *,
        kind: str,
        about: Subject,
        key: str | None = None,
        is_timed: bool = False,
        needs_server: bool = False,
        posts_elsewhere: bool = False,
        is_postponed: bool = False,
        follows_clock: bool = False,
    ) -> None:
        """Declare a kind of job; its key is the id of what it is about unless `key` says more."""
        if kind in JOB_KINDS:
            raise TypeError(f"two jobs are declared with the kind “{kind}”")
        cls.kind, cls.about = kind, about
        cls.is_timed, cls.needs_server = is_timed, needs_server
        cls.posts_elsewhere, cls.is_postponed = posts_elsewhere, is_postponed
        cls.follows_clock = follows_clock
        cls._key = key or f"{{{about}}}"
        # Each `{field}` of the key becomes a group of that name, by which the field is read back.
        cls._key_pattern = re.compile(_KEY_FIELD.sub(r"(?P<\1>-?\\w+)", cls._key))
        # Without slots, since `build_job` reads the fields by `vars`.
        JOB_KINDS[kind] = dataclass(frozen=True)(cls)

    def build_job(self, due: int) -> Job:
        """Return the job, in its stored form, that does this at an instant."""
        stored = {name: value for name, value in vars(self).items() if value is not None}
        in_key = self._key_pattern.groupindex
        detail = {name: value for name, value in stored.items() if name not in in_key}
        return Job(self.kind, self._key.format(**stored), due, detail)

    @classmethod
    def load(cls, job: Job) -> Self:
        """Return the payload of a stored job of this kind; raises MalformedJobError."""
        stored = cls._read_fields(job)
        if lacking := [
            name
            for name, each in _get_fields(cls).items()
            if name not in stored and each.default is MISSING
        ]:
            raise MalformedJobError(f"its detail lacks {', '.join(lacking)}")
        if wrong := [
            name
            for name, value in stored.items()
            if not isinstance(value, _get_fields(cls)[name].type)
        ]:
            raise MalformedJobError(f"its detail has an invalid {', '.join(wrong)}")
        return cls(**stored)

    @classmethod
    def find_subject(cls, job: Job) -> tuple[Subject, int]:
        """Return what a stored job of this kind is about, and its id; raises MalformedJobError."""
        subject = cls._read_fields(job).get(cls.about)
        if not isinstance(subject, int):
            raise MalformedJobError("it does not say what it is about")
        return cls.about, subject

    @classmethod
    def _read_fields(cls, job: Job) -> dict[str, Any]:
        """Return those fields that a stored job has; what this version does not know is ignored."""
        known = _get_fields(cls)
        in_key = cls._key_pattern.fullmatch(job.key)
        if in_key is not None:
            # A key that has the right form but no valid number or choice in it names nothing,
            # either.
            with suppress(ValueError):
                named = {name: known[name].type(text) for name, text in in_key.groupdict().items()}
                # The key counts where the detail has a field of the same name.
                return {name: job.detail[name] for name in known if name in job.detail} | named
        raise MalformedJobError(f"its key names no {' and '.join(cls._key_pattern.groupindex)}")


JOB_KINDS: dict[str, type[JobPayload]] = {}
"""The declared kinds of jobs, by their stored names."""


def list_postponed_kinds() -> list[str]:
    """Return the kinds of jobs whose deadlines are moved by time in which nobody could act."""
    return sorted(kind for kind, payload in JOB_KINDS.items() if payload.is_postponed)


def list_clock_kinds() -> list[str]:
    """Return the kinds of jobs that are looked at again as soon as people can act."""
    return sorted(kind for kind, payload in JOB_KINDS.items() if payload.follows_clock)


def _get_fields(payload: type[JobPayload]) -> Mapping[str, Any]:
    # The type of what a class decorator makes does not say that it is a dataclass.
    fields: Mapping[str, Any] = vars(payload)["__dataclass_fields__"]
    return fields


JOB_COLUMNS = [
    column for column in table.c if column not in (table.c.created, table.c.leased_until)
]
"""What is read of a job."""
LEASE_MS = 20_000
"""Milliseconds for which a lease holds unless it is prolonged."""


class _DatabaseNow(FunctionElement[int]):
    """The present instant by the database's own clock, since those of several machines differ."""

    type = sa.BigInteger()
    inherit_cache = True


@compiles(_DatabaseNow, "sqlite")
def _compile_now_sqlite(*_: object, **__: object) -> str:
    # 2440587.5 is the Julian day with which 1970 begins, and a day has 86,400,000 ms.
    return "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"


@compiles(_DatabaseNow, "postgresql")
def _compile_now_postgresql(element: _DatabaseNow, compiler: SQLCompiler, **_: object) -> str:
    # Not `now()`, which is the beginning of the transaction, however long that has waited.
    return "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"


class _JsonMerge(FunctionElement[Any]):
    """A document with the members of another, which count where both have one of that name."""

    inherit_cache = True


@compiles(_JsonMerge, "sqlite")
def _compile_merge_sqlite(element: _JsonMerge, compiler: SQLCompiler, **options: Any) -> str:  # noqa: ANN401
    # Unlike `||` below, json_patch merges objects within objects and drops what becomes null.
    # Details are flat and hold no null, so the two do the same here.
    return f"json_patch({compiler.process(element.clauses, **options)})"


@compiles(_JsonMerge, "postgresql")
def _compile_merge_postgresql(element: _JsonMerge, compiler: SQLCompiler, **options: Any) -> str:  # noqa: ANN401
    old, new = (compiler.process(each, **options) for each in element.clauses)
    return f"CAST(CAST({old} AS jsonb) || CAST({new} AS jsonb) AS json)"


# Written out: with parameters of its own SQLAlchemy would send each row of an insertion by itself.
_LEASE_END = _DatabaseNow() + sa.literal_column(str(LEASE_MS))
# A lease that holds for longer than any can was made before the clock was set back.
_IS_LEASED = sa.and_(
    table.c.leased_by.is_not(None),
    table.c.leased_until > _DatabaseNow(),
    table.c.leased_until <= _LEASE_END,
)
_HAS_FAILED = sa.and_(table.c.error.is_not(None), table.c.given_up.is_(None))
"""What has failed, and is to be tried again."""
# What every act enqueues and finishes is made into statements once.
_DELETE_DONE = sa.delete(table).where(
    table.c.id == sa.bindparam("done"), table.c.revision == sa.bindparam("as_done")
)
# As text, since the column's own type raises on a detail that is no JSON, which would hide every
# other job.
_LOAD_ALL = sa.select(
    *(column for column in JOB_COLUMNS if column is not table.c.detail),
    sa.cast(table.c.detail, sa.Text).label("detail"),
).order_by(table.c.id)
_NO_LEASE: Mapping[str, Any] = {"leased_by": None, "leased_until": None}


class Jobs(StorePart):
    """Jobs by when they are due."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._process = database.process.name
        self._own = database.process.shards.build_server_filter(table.c.guild)
        # Asked after every act, and so made into statements once.
        self._lease_due = _build_lease(database.process.shards)
        waiting = sa.and_(table.c.given_up.is_(None), table.c.due > sa.bindparam("after"))
        self._find_next_due = sa.select(sa.func.min(table.c.due)).where(waiting, self._own)

    async def enqueue(self, guild: int, jobs: Sequence[Job]) -> tuple[QueuedJob, ...]:
        """Keep jobs of a server; a job that waits already, or was given up, is renewed."""
        return await self._database.write(lambda connection: enqueue_jobs(connection, guild, jobs))

    async def lease_due(self, now: int, limit: int) -> list[QueuedJob]:
        """Lease jobs that are due and that nobody else does; return them, longest due first.

        Those that this process does already are among them.
        """
        limits = {"now": now, "most": limit, "process": self._process}
        jobs = await self._database.write(
            lambda connection: [
                build_queued_job(row) for row in connection.execute(self._lease_due, limits)
            ]
        )
        # RETURNING gives the rows in no particular order.
        return sorted(jobs, key=lambda job: (job.due, job.id))

    async def load_now(self) -> int:
        """Return the present instant by the database's own clock."""
        query = sa.select(_DatabaseNow())
        return await self._database.read(
            lambda connection: int(connection.execute(query).scalar_one())
        )

    async def prolong_leases(self, jobs: Sequence[QueuedJob]) -> None:
        """Hold the leases of jobs that are being done."""
        # A lease that has lapsed may be another process's by now, and then stays with it.
        which = sa.and_(
            table.c.id.in_([job.id for job in jobs]), table.c.leased_by == self._process
        )
        prolonged = sa.update(table).where(which).values(leased_until=_LEASE_END)
        await self._database.write(lambda connection: connection.execute(prolonged))

    async def end_old_leases(self) -> None:
        """End the leases of those who served these servers before."""
        # Safe only while this process holds its shards: nobody else can then do their jobs.
        others = sa.and_(
            table.c.leased_by.is_not(None), table.c.leased_by != self._process, self._own
        )
        await self._database.write(
            lambda connection: connection.execute(_build_release().where(others))
        )

    async def release_leases(self) -> None:
        """End the leases of this process, which stops doing jobs."""
        own = table.c.leased_by == self._process
        await self._database.write(
            lambda connection: connection.execute(_build_release().where(own))
        )

    async def find_next_due(self, after: int = 0) -> int | None:
        """Return when this process's next job is due after an instant; None if none waits."""
        return await self._database.read(
            lambda connection: connection.execute(self._find_next_due, {"after": after}).scalar()
        )

    async def finish(self, job: QueuedJob) -> bool:
        """Delete a job that was done; return False if it was renewed meanwhile, and so stays."""
        return await self._database.write(lambda connection: finish_job(connection, job))

    @writing
    def exchange(
        self,
        connection: sa.Connection,
        wanted: Sequence[tuple[int, Job]],
        done: Sequence[QueuedJob],
    ) -> tuple[QueuedJob, ...]:
        """Enqueue jobs, each of a server, and delete others, all in one transaction."""
        if done:
            rows = [{"done": each.id, "as_done": each.revision} for each in done]
            connection.execute(_DELETE_DONE, rows)
        by_server: dict[int, list[Job]] = {}
        for guild, job in wanted:
            by_server.setdefault(guild, []).append(job)
        added = [
            each
            for guild, jobs in sorted(by_server.items())
            for each in enqueue_jobs(connection, guild, jobs)
        ]
        kept = {(each.kind, each.key): each for each in added}
        return tuple(kept[job.kind, job.key] for _, job in wanted)

    @writing
    def replace(
        self, connection: sa.Connection, job: QueuedJob, newer: Job
    ) -> tuple[QueuedJob, ...]:
        """Replace a job that was done by another, unless it was renewed meanwhile."""
        return enqueue_jobs(connection, job.guild, [newer]) if finish_job(connection, job) else ()

    async def schedule_retry(self, job: QueuedJob, due: int, error: str) -> None:
        """Let a job that failed wait again, unless it was renewed meanwhile."""
        values = {"tries": table.c.tries + 1, "due": due, "error": error, **_NO_LEASE}
        await self._database.write(lambda connection: _update_job(connection, job, values))

    async def is_waiting(self, kind: str, key: str) -> bool:
        """Return whether a job is yet to be done, or is being done."""
        query = sa.select(
            sa.exists().where(table.c.kind == kind, table.c.key == key, table.c.given_up.is_(None))
        )
        return await self._database.read(lambda connection: bool(connection.scalar(query)))

    async def load_failed(self, guild: int) -> list[QueuedJob]:
        """Return the jobs of a server that have failed and wait for a retry, oldest first."""
        query = sa.select(*JOB_COLUMNS).where(_HAS_FAILED, table.c.guild == guild, self._own)
        return await self._database.read(
            lambda connection: [
                build_queued_job(row)
                for row in connection.execute(query.order_by(table.c.due, table.c.id))
            ]
        )

    async def hasten_failed(
        self, due: int, guild: int | None = None, only: Collection[int] | None = None
    ) -> None:
        """Make failed jobs due then at the latest.

        Those of a server, or all that this process serves (None); of them `only` those with these
        ids.
        """
        there = [_HAS_FAILED, table.c.due > due, self._own]
        if guild is not None:
            there.append(table.c.guild == guild)
        if only is not None:
            there.append(table.c.id.in_(only))
        await self._database.write(
            lambda connection: connection.execute(sa.update(table).where(*there).values(due=due))
        )

    async def bring_forward(self, kind: str | None, until: int, now: int) -> None:
        """Make this process's jobs of a kind, or of all (None), due now if due until then."""
        soon = sa.and_(
            table.c.given_up.is_(None), table.c.due > now, table.c.due <= until, self._own
        )
        those = soon if kind is None else sa.and_(soon, table.c.kind == kind)
        await self._database.write(
            lambda connection: connection.execute(sa.update(table).where(those).values(due=now))
        )

    async def give_up(self, job: QueuedJob, error: str, now: int) -> None:
        """Keep a job with its error and give it up, unless it was renewed meanwhile."""
        values = {"tries": table.c.tries + 1, "given_up": now, "error": error, **_NO_LEASE}
        await self._database.write(lambda connection: _update_job(connection, job, values))

    async def load_all(self) -> list[QueuedJob]:
        """Return all jobs, also those given up; a detail that is no object is left empty."""
        return await self._database.read(
            lambda connection: [
                QueuedJob(**{**row, "detail": _parse_detail(row["detail"])})
                for row in connection.execute(_LOAD_ALL).mappings()
            ]
        )

    async def find_unreadable(self) -> set[int]:
        """Return the jobs whose detail is no JSON object: it stops any process that takes it up."""
        query = sa.select(table.c.id, sa.cast(table.c.detail, sa.Text))
        rows = await self._load_rows(query)
        return {number for number, text in rows if _parse_object(text) is None}


def enqueue_jobs(
    connection: sa.Connection, guild: int, jobs: Sequence[Job]
) -> tuple[QueuedJob, ...]:
    """Enqueue a server's jobs inside a transaction, and return the jobs as they wait now.

    Of two with the same kind and key the later counts, with such details of the earlier as it does
    not have itself: what somebody wanted is not forgotten because more is. Those that are due, and
    of a server that this process serves, are leased by it.
    """
    if not jobs:
        return ()
    latest: dict[tuple[str, str], Job] = {}
    for job in jobs:
        earlier = latest.get((job.kind, job.key), job)
        latest[job.kind, job.key] = replace(job, detail={**earlier.detail, **job.detail})
    renewed = _build_renewal(connection.dialect.name)
    process: Process = connection.get_execution_options()["process"]
    # In one order everywhere, so that two transactions never wait for each other's.
    rows = [_build_row(process, guild, job) for _, job in sorted(latest.items())]
    kept = {
        (job.kind, job.key): job for job in map(build_queued_job, connection.execute(renewed, rows))
    }
    # In the order of the call again, which the sorting above has changed.
    return tuple(kept[key] for key in dict.fromkeys((job.kind, job.key) for job in jobs))


@cache
def _build_lease(shards: Shards) -> ReturningUpdate[Any]:
    """Return the statement that leases a process's due jobs."""
    process: sa.BindParameter[str] = sa.bindparam("process")
    free = sa.or_(table.c.leased_by == process, sa.not_(_IS_LEASED))
    own = shards.build_server_filter(table.c.guild)
    found = (
        sa.select(table.c.id)
        .where(table.c.given_up.is_(None), table.c.due <= sa.bindparam("now"), free, own)
        .order_by(table.c.due, table.c.id)
        .limit(sa.bindparam("most", type_=sa.Integer))
        # What another process is about to lease is no matter of this one.
        .with_for_update(skip_locked=True)
        .cte("found")
    )
    return (
        sa.update(table)
        .where(table.c.id.in_(sa.select(found.c.id)))
        .values(leased_by=process, leased_until=_LEASE_END)
        .returning(*JOB_COLUMNS)
    )


@cache
def _build_renewal(dialect: str) -> sa.Executable:
    """Return the statement that enqueues jobs, or renews those that wait already."""
    # The instant means nothing where nobody has leased the job.
    insert = build_upsert(dialect, table).values(leased_until=_LEASE_END)
    # A runner that does the old revision is left to finish it.
    merged = _JsonMerge(table.c.detail, insert.excluded.detail)
    theirs = sa.and_(_IS_LEASED, table.c.leased_by.is_distinct_from(insert.excluded.leased_by))
    return insert.on_conflict_do_update(
        index_elements=["kind", "key"],
        set_={
            "due": insert.excluded.due,
            # Of a job that was given up nothing is wanted any more, so its old detail is not
            # merged.
            "detail": sa.case((table.c.given_up.is_(None), merged), else_=insert.excluded.detail),
            "guild": insert.excluded.guild,
            # A runner of the earlier revision can then neither delete nor postpone this one.
            "revision": table.c.revision + sa.literal_column("1"),
            "tries": sa.literal_column("0"),
            "error": sa.null(),
            "given_up": sa.null(),
            "leased_by": sa.case((theirs, table.c.leased_by), else_=insert.excluded.leased_by),
            "leased_until": sa.case(
                (theirs, table.c.leased_until), else_=insert.excluded.leased_until
            ),
        },
    ).returning(*JOB_COLUMNS)


def _build_row(process: Process, guild: int, job: Job) -> dict[str, Any]:
    """Return the row of a new job: a due one of a server of this process is leased by it."""
    begins = process.shards.has_server(guild) and job.due <= process.clock()
    columns = {"kind": job.kind, "key": job.key, "due": job.due, "detail": dict(job.detail)}
    return {**columns, "guild": guild, "leased_by": process.name if begins else None}


def make_jobs_due(
    connection: sa.Connection, guild: int, now: int, kinds: Collection[str]
) -> list[QueuedJob]:
    """Make a server's jobs due now inside a transaction: failed, given up, and of those kinds."""
    failed = sa.or_(table.c.error.is_not(None), table.c.kind.in_(sorted(kinds)))
    values = {"due": now, "given_up": None, "tries": 0, "revision": table.c.revision + 1}
    waits = sa.or_(table.c.due > now, table.c.given_up.is_not(None))
    again = sa.and_(table.c.guild == guild, failed, waits)
    due = sa.update(table).where(again).values(values).returning(*JOB_COLUMNS)
    return [build_queued_job(row) for row in connection.execute(due)]


def bring_jobs_forward(
    connection: sa.Connection, kind: str, keys: Collection[str], now: int
) -> tuple[QueuedJob, ...]:
    """Make waiting jobs of a kind due now inside a transaction, and return them."""
    if not keys:
        return ()
    waits = sa.and_(table.c.kind == kind, table.c.key.in_(keys), table.c.due > now)
    values = {"due": now, "revision": table.c.revision + 1}
    due = sa.update(table).where(waits, table.c.given_up.is_(None)).values(values)
    found = connection.execute(due.returning(*JOB_COLUMNS))
    return tuple(build_queued_job(row) for row in found)


def finish_job(connection: sa.Connection, job: QueuedJob) -> bool:
    """Forget a job inside a transaction, if it is still the one that was done."""
    done = {"done": job.id, "as_done": job.revision}
    return connection.execute(_DELETE_DONE, done).rowcount == 1


def _build_release() -> sa.Update:
    return sa.update(table).values(_NO_LEASE)


def _update_job(connection: sa.Connection, job: QueuedJob, values: Mapping[str, Any]) -> None:
    connection.execute(sa.update(table).where(_is_same_revision(job)).values(values))


def _is_same_revision(job: QueuedJob) -> ColumnElement[bool]:
    return sa.and_(table.c.id == job.id, table.c.revision == job.revision)


def build_queued_job(row: sa.Row[*tuple[Any, ...]]) -> QueuedJob:
    """Return the job that a row of COLUMNS is."""
    return QueuedJob(**row._asdict())


def _parse_object(text: str) -> dict[str, Any] | None:
    """Return the object that a text is in JSON, None if it is no object."""
    try:
        value = parse_json(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _parse_detail(text: str) -> dict[str, Any]:
    return _parse_object(text) or {}
