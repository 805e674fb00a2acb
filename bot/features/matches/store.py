"""Matches and their events: the events are the match.

Each action adds its own in one transaction.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any, TypeAlias

from sqlalchemy import (
    Connection,
    Row,
    and_,
    bindparam,
    exists,
    func,
    insert,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.sql.elements import ColumnElement

from bot.features.matches.seat_rows import fetch_matches, reassign_seat, select_with_seats
from bot.platform.db.database import Database
from bot.platform.db.errors import SaveOutcome, StaleVersionError, StoreError
from bot.platform.db.jobs import enqueue_jobs, finish_job
from bot.platform.db.pauses import end_stoppage
from bot.platform.db.rating_rows import RATING_EDITION
from bot.platform.db.rows import (
    EventRow,
    Job,
    LiveMessage,
    MatchRow,
    MatchUpdate,
    MatchUpdateResult,
    NewMatch,
    NewMatchResult,
    QueuedJob,
    StoppageScope,
)
from bot.platform.db.sealing import get_seal, is_sealed
from bot.platform.db.statements import lock_rows
from bot.platform.db.tables import events as events_table
from bot.platform.db.tables import matches as table
from bot.platform.db.tables import seats

# Made once for every act: SQLAlchemy takes longer to make them than SQLite to run them.
_SELECT_BY_NUMBER = select_with_seats(table, seats, table.c.id == bindparam("wanted"))
_EVENT = [events_table.c[field.name] for field in fields(EventRow)]


DICE_FORMAT = 2
"""The format of the dice's derivation in the matches that begin now."""

UpdateWriter: TypeAlias = Callable[[Connection, int, MatchUpdate, str | None], None]
"""Writes in the transaction of an update what a feature keeps of it.

It is told the match, the update, and who had won a match that is annulled after its end.
"""

MakeRemovalJob: TypeAlias = Callable[[int], Job]
"""The job that removes a message that called somebody to act."""


class Matches:
    """Matches by their number."""

    def __init__(self, database: Database, writers: Sequence[UpdateWriter] = ()) -> None:
        self._database = database
        self._writers = writers

    async def start(self, beginning: NewMatch, jobs: Sequence[Job] = ()) -> NewMatchResult:
        """Begin a match."""

        def work(connection: Connection) -> NewMatchResult:
            number = insert_match(connection, beginning)
            return NewMatchResult(number, enqueue_jobs(connection, beginning.guild, jobs))

        return await self._database.write(work)

    async def get(self, number: int) -> MatchRow | None:
        """Return a match, or None."""
        rows = await self._database.read(
            lambda connection: fetch_matches(connection, _SELECT_BY_NUMBER, {"wanted": number})
        )
        return rows[0] if rows else None

    async def load_rows(self, numbers: Sequence[int]) -> list[MatchRow]:
        """Return the matches of those numbers, in their order."""
        query = select_with_seats(table, seats, table.c.id.in_(numbers))
        found = await self._database.read(lambda connection: fetch_matches(connection, query))
        by_number = {row.id: row for row in found}
        return [by_number[number] for number in numbers if number in by_number]

    async def load_numbers(self) -> list[int]:
        """Return the numbers of all matches."""
        query = select(table.c.id).order_by(table.c.id)
        return await self._database.read(
            lambda connection: list(connection.execute(query).scalars())
        )

    async def load_events(self, number: int) -> list[EventRow]:
        """Return a match's events in order."""
        query = (
            select(*_EVENT).where(events_table.c.match == number).order_by(events_table.c.version)
        )
        return await self._database.read(
            lambda connection: [EventRow(*row) for row in connection.execute(query)]
        )

    async def load_instants(self, number: int, versions: Sequence[int]) -> dict[int, int]:
        """Return when the events happened that brought a match to some of its versions."""
        query = select(events_table.c.version, events_table.c.at).where(
            events_table.c.match == number, events_table.c.version.in_(versions)
        )
        return await self._database.read(
            lambda connection: {row.version: row.at for row in connection.execute(query)}
        )

    async def is_saved(self, person: int, cause: str) -> bool:
        """Whether something that a person did through an interaction is saved.

        That is an action, or the taking of a seat.
        """
        acted = exists().where(events_table.c.person == person, events_table.c.cause == cause)
        # What somebody gives to the dice begins with the interaction.
        given = func.substr(seats.c.contribution, 1, len(cause)) == cause
        sat = exists().where(seats.c.person == person, given)
        return await self._database.read(
            lambda connection: bool(connection.execute(select(or_(acted, sat))).scalar_one())
        )

    async def apply_update(self, number: int, step: MatchUpdate) -> MatchUpdateResult:
        """Add what an action does, its ending, ratings and jobs included, all or nothing.

        Nothing is changed if the action's cause was applied before. Raises StaleVersionError if the
        match has moved on or is over (but it may be annulled), LimitExceededError if the one who
        takes a seat has as many running matches as allowed, StoreError if there is no match of that
        id.
        """

        def work(connection: Connection) -> MatchUpdateResult:
            annuls = step.ending is not None and step.ending.annuls
            # Read first: the update overwrites the winner, who says which results to take back.
            winner_before = _lock_winner(connection, number) if annuls else None
            guild = _advance_version(connection, number, step)
            if guild is None:
                return _explain_refusal(connection, number, step.cause)
            _insert_events(connection, number, step)
            if step.ending:
                _unseal_secret(connection, number)
                # A match that ends while it can be shown nowhere would leave its stoppage open for
                # good.
                end_stoppage(connection, StoppageScope.MATCH, number, step.now)
            if step.takeover:
                reassign_seat(connection, number, _get_next_version(step), step.takeover)
            for write in self._writers:
                write(connection, number, step, winner_before)
            return MatchUpdateResult(
                True, _get_next_version(step), enqueue_jobs(connection, guild, step.jobs)
            )

        return await self._database.write(work)

    async def save_live_message(
        self,
        number: int,
        live: LiveMessage,
        done: QueuedJob | None,
        jobs: Sequence[Job] = (),
        remove: MakeRemovalJob | None = None,
        watch: Job | None = None,
    ) -> tuple[QueuedJob, ...]:
        """Remember the live message and the job done, and enqueue the jobs that follow.

        The message's channel becomes the match's. If the match could be shown nowhere before, its
        time runs on, and its clock is watched from now on. A call to act that was stored since the
        match was read stays, unless the live message brings one of its own. The one that is
        replaced is removed.
        """

        def work(connection: Connection) -> tuple[QueuedJob, ...]:
            values = asdict(live)
            stored = values.pop("notice_before")
            # Compared with `=`, a notice that is missing would not equal one that is missing as
            # well.
            as_read = table.c.notice.is_not_distinct_from(stored)
            guild = _update_match(connection, number, values, as_read)
            if guild is None:
                # Another notice was stored since the match was read. The row is locked, and what
                # counts is what it holds now.
                stored = _lock_notice(connection, number).notice
                values["notice"] = live.notice or stored
                guild = _update_match(connection, number, values)
            if done:
                finish_job(connection, done)
            follow = [*jobs]
            if remove and stored not in (None, values["notice"]):
                follow.append(remove(stored))
            if (
                watch
                and end_stoppage(connection, StoppageScope.MATCH, number, watch.due) is not None
            ):
                follow.append(watch)
            return enqueue_jobs(connection, guild or 0, follow)

        return await self._database.write(work)

    async def save_notice(
        self, number: int, notice: int, version: int, remove: MakeRemovalJob
    ) -> tuple[QueuedJob, ...]:
        """Remember the message that calls somebody to act at a version, in place of the one before.

        If the match has moved on while it was posted, that message is removed instead.
        """

        def work(connection: Connection) -> tuple[QueuedJob, ...]:
            stored = _lock_notice(connection, number)
            if stored.version != version:
                return enqueue_jobs(connection, stored.guild, [remove(notice)])
            _update_match(connection, number, {"notice": notice})
            replaced = [] if stored.notice in (None, notice) else [remove(stored.notice)]
            return enqueue_jobs(connection, stored.guild, replaced)

        return await self._database.write(work)

    async def save_thread(self, number: int, thread: int) -> None:
        """Remember the thread that was opened for a match, unless it has one."""
        there = update(table).where(table.c.id == number, table.c.thread.is_(None))
        there = there.values(thread=thread)
        await self._database.write(lambda connection: connection.execute(there))

    async def load_running(self) -> list[MatchRow]:
        """Return all running matches, the oldest first."""
        return await self._load_running_where(true())

    async def load_running_in_channel(self, channel: int) -> list[MatchRow]:
        """Return the matches running in a channel, the oldest first."""
        return await self._load_running_where(table.c.channel == channel)

    async def load_running_under_channel(self, channel: int) -> list[MatchRow]:
        """Return the matches running in a channel or in its threads, the oldest first."""
        return await self._load_running_where(
            or_(table.c.channel == channel, table.c.parent == channel)
        )

    async def load_channels(self, numbers: Iterable[int]) -> dict[int, frozenset[int]]:
        """Return the channels and threads that those matches are, or were, shown in."""
        query = select(table.c.id, table.c.channel, table.c.thread, table.c.parent).where(
            table.c.id.in_(set(numbers))
        )
        found = await self._database.read(lambda connection: connection.execute(query).all())
        return {number: frozenset(filter(None, places)) for number, *places in found}

    async def load_running_in_server(self, guild: int) -> list[MatchRow]:
        """Return the matches running in a server, the oldest first."""
        return await self._load_running_where(table.c.guild == guild)

    async def load_running_by_person(self, person: int) -> list[MatchRow]:
        """Return the matches a person is playing, the oldest first."""
        return await self._load_running_where(_is_played_by(person))

    async def load_ended_by_person(self, person: int, limit: int) -> list[MatchRow]:
        """Return the matches a person has played to the end, the newest first."""
        newest_first = (table.c.ended.desc(), table.c.id.desc())
        theirs = select(table.c.id).where(table.c.ended.is_not(None), _is_played_by(person))
        newest = theirs.order_by(*newest_first).limit(limit)
        query = select_with_seats(table, seats, table.c.id.in_(newest), order=newest_first)
        return await self._database.read(lambda connection: fetch_matches(connection, query))

    async def _load_running_where(self, which: ColumnElement[bool]) -> list[MatchRow]:
        query = select_with_seats(table, seats, and_(table.c.ended.is_(None), which))
        return await self._database.read(lambda connection: fetch_matches(connection, query))


def insert_match(connection: Connection, beginning: NewMatch) -> int:
    """Begin a match inside a transaction, and return its number."""
    values = asdict(beginning)
    sat, step = values.pop("seats"), beginning.opening
    del values["opening"]
    if step:
        values |= {"version": _get_next_version(step), "snapshot": dict(step.snapshot)}
    # Whoever read the secret in a copy of the database could foresee every throw of the match.
    values["secret"] = get_seal(connection).seal(beginning.secret)
    # Given beside the statement, which is so compiled once for all matches.
    values |= {"touched": beginning.created, "rating_edition": RATING_EDITION}
    inserted = connection.execute(insert(table).returning(table.c.id), values)
    number: int = inserted.scalar_one()
    connection.execute(insert(seats), [{"match": number, **seat} for seat in sat])
    if step:
        _insert_events(connection, number, step)
    return number


def _update_match(
    connection: Connection,
    number: int,
    values: Mapping[str, Any],
    where: ColumnElement[bool] | None = None,
) -> int | None:
    """Change a match's row if a condition holds and return its server; None if it does not."""
    changed = update(table).where(table.c.id == number).values(**values).returning(table.c.guild)
    if where is not None:
        changed = changed.where(where)
    guild: int | None = connection.execute(changed).scalar()
    return guild


def _lock_notice(connection: Connection, number: int) -> Row[int, int, int | None]:
    """Return the server, version and call to act of a match, and lock it against others."""
    lock_rows(connection, table.c.id, [number])
    query = select(table.c.guild, table.c.version, table.c.notice).where(table.c.id == number)
    return connection.execute(query).one()


def _lock_winner(connection: Connection, number: int) -> str | None:
    """Return who has won a match, locked until the transaction ends; None while it goes on."""
    lock_rows(connection, table.c.id, [number])
    return connection.execute(select(table.c.winner).where(table.c.id == number)).scalar()


def _advance_version(connection: Connection, number: int, step: MatchUpdate) -> int | None:
    """Bring the match to the version after an action, and return its server; None if not possible.

    Then nothing is changed.
    """
    applied = exists().where(events_table.c.match == number, events_table.c.cause == step.cause)
    values: dict[str, object] = {
        "version": _get_next_version(step),
        "snapshot": dict(step.snapshot),
        "touched": step.now,
    }
    advanced = update(table).where(
        table.c.id == number, table.c.version == step.expected_version, ~applied
    )
    if step.ending:
        # What is annulled when it is over keeps its place among the matches that ended.
        values |= {"ended": func.coalesce(table.c.ended, step.now), "winner": step.ending.winner}
        values |= {"how": step.ending.how, "parts": dict(step.ending.parts)}
        values["swapped"] = step.ending.swapped
    if step.ending is None or not step.ending.annuls:
        advanced = advanced.where(table.c.ended.is_(None))
    # One statement checks and changes, so that of two actions on the same version one finds the
    # other's.
    guild: int | None = connection.execute(
        advanced.values(values).returning(table.c.guild)
    ).scalar()
    return guild


def _unseal_secret(connection: Connection, number: int) -> None:
    """Store the secret of a finished match unsealed: it is public, and checking it needs no key."""
    kept = connection.execute(select(table.c.secret).where(table.c.id == number)).scalar_one()
    if is_sealed(kept):
        told = get_seal(connection).unseal(kept)
        connection.execute(update(table).where(table.c.id == number).values(secret=told))


def _explain_refusal(connection: Connection, number: int, cause: str) -> MatchUpdateResult:
    version = connection.execute(select(table.c.version).where(table.c.id == number)).scalar()
    if version is None:
        raise StoreError(f"there is no match {number}", SaveOutcome.NOTHING)
    applied = select(events_table.c.version).where(
        events_table.c.match == number, events_table.c.cause == cause
    )
    if connection.execute(applied).first() is None:
        raise StaleVersionError
    return MatchUpdateResult(False, version)


def _get_next_version(step: MatchUpdate) -> int:
    return step.expected_version + len(step.records)


def _insert_events(connection: Connection, number: int, step: MatchUpdate) -> None:
    added: list[dict[str, object]] = [
        {
            "match": number,
            "version": version,
            "at": step.now,
            "person": step.person,
            "cause": None,
            "record": record,
        }
        for version, record in enumerate(step.records, step.expected_version + 1)
    ]
    # An action's further events follow from its first, which alone names the cause.
    added[0]["cause"] = step.cause
    connection.execute(insert(events_table), added)


def _is_played_by(person: int) -> ColumnElement[bool]:
    return table.c.id.in_(select(seats.c.match).where(seats.c.person == person))
