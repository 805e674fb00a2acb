"""Matches and their events: the events are the match.

Each action adds its own in one transaction.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeAlias

import sqlalchemy as sa
from sqlalchemy.sql.elements import ColumnElement

from bot.features.matches.rows import (
    RATING_EDITION,
    EndedMatch,
    EventRow,
    FormerHolder,
    Limits,
    LiveMessage,
    MatchRow,
    MatchUpdate,
    MatchUpdateResult,
    NewMatch,
    NewMatchResult,
    Seat,
    SeatTakeover,
)
from bot.features.matches.tables import events as events_table
from bot.features.matches.tables import matches as table
from bot.features.matches.tables import seats
from bot.platform.db import pauses
from bot.platform.db.database import StorePart, lock_people, lock_rows, reading, writing
from bot.platform.db.errors import LimitExceededError, SaveOutcome, StaleVersionError, StoreError
from bot.platform.db.jobs import enqueue_jobs, finish_job
from bot.platform.db.rows import Job, QueuedJob, StoppageScope
from bot.platform.db.sealing import SEALED_ROWS, SealedRows, get_seal, is_sealed
from bot.platform.db.store import GENERATION_STARTS
from bot.platform.features import ExtensionPoint
from engine.clock import UNLIMITED

_SEAT_FIELDS = [field.name for field in fields(Seat)]


def select_with_seats(
    table: sa.Table,
    seats: sa.Table,
    which: ColumnElement[bool],
    order: Sequence[ColumnElement[Any]] = (),
) -> sa.Select[*tuple[Any, ...]]:
    """Return the query for rows of a table with their seats, by id unless `order` is given."""
    # Gold's seats first, each side's in the order of its turns.
    # False sorts before true in both databases.
    in_turn = (seats.c.side == "black", seats.c.number)
    return _join_seats(table, seats).where(which).order_by(*(order or [table.c.id]), *in_turn)


@cache
def _join_seats(table: sa.Table, seats: sa.Table) -> sa.Select[*tuple[Any, ...]]:
    sat = [seats.c[name].label(f"seat_{name}") for name in _SEAT_FIELDS]
    return sa.select(table, *sat).join(seats)


def load_rows_with_seats(
    connection: sa.Connection,
    query: sa.Select[*tuple[Any, ...]],
    values: Mapping[str, Any] | None = None,
) -> Iterator[Mapping[str, Any]]:
    """Yield what `select_with_seats` finds with the values of its parameters, a mapping per row.

    It holds the columns, the secret opened, and `seats`.
    """
    # Every order ends in, or begins with, the id, so the rows of one id are adjacent.
    for _, found in groupby(connection.execute(query, values).mappings(), itemgetter("id")):
        each = [dict(row) for row in found]
        sat = tuple(Seat(*(row.pop(f"seat_{name}") for name in _SEAT_FIELDS)) for row in each)
        yield {**each[0], "secret": get_seal(connection).unseal(each[0]["secret"]), "seats": sat}


def load_matches(
    connection: sa.Connection,
    query: sa.Select[*tuple[Any, ...]],
    values: Mapping[str, Any] | None = None,
) -> list[MatchRow]:
    """Return the matches that a query of `seated` finds with the values of its parameters."""
    return [
        MatchRow(**{**row, "former": _build_former_holders(row["former"])})
        for row in load_rows_with_seats(connection, query, values)
    ]


def _build_former_holders(stored: Sequence[Mapping[str, Any]]) -> tuple[FormerHolder, ...]:
    return tuple(FormerHolder(**each) for each in stored)


def require_match_limit(
    connection: sa.Connection, persons: Collection[int], limits: Limits
) -> None:
    """Raise LimitExceededError if one of those (locked) people has too many running matches.

    Those of leagues do not count.
    """
    counted = [person for person in persons if person not in limits.exempt]
    running = (
        sa.select(seats.c.person)
        .join(table)
        # A league begins many matches at once, which nobody takes on one by one.
        .where(
            seats.c.person.in_(counted),
            table.c.ended.is_(None),
            table.c.contest.is_(None),
        )
        .group_by(seats.c.person)
        .having(sa.func.count() >= limits.running)
    )
    full = set(connection.execute(running).scalars())
    for person in counted:
        if person in full:
            raise LimitExceededError(person, "running", limits.running)


def reassign_seat(
    connection: sa.Connection, number: int, version: int, takeover: SeatTakeover
) -> None:
    """Seat somebody in the place of another, who is remembered to have sat there until now."""
    # Locked before it is counted, so that two seats taken at once cannot exceed the limit.
    lock_people(connection, [takeover.person])
    require_match_limit(connection, [takeover.person], takeover.limits)
    seat = sa.and_(
        seats.c.match == number,
        seats.c.side == takeover.side,
        seats.c.number == takeover.number,
    )
    person = connection.execute(sa.select(seats.c.person).where(seat)).scalar_one()
    was = sa.select(table.c.former).where(table.c.id == number)
    former = connection.execute(was).scalar_one()
    left = FormerHolder(takeover.side, takeover.number, person, version)
    connection.execute(sa.update(seats).where(seat).values(person=takeover.person))
    connection.execute(
        sa.update(table).where(table.c.id == number).values(former=[*former, asdict(left)])
    )


# Made once for every act: SQLAlchemy takes longer to make them than SQLite to run them.
_SELECT_BY_NUMBER = select_with_seats(table, seats, table.c.id == sa.bindparam("wanted"))
_ADVANCE = (
    sa.update(table)
    .where(
        table.c.id == sa.bindparam("wanted"),
        table.c.version == sa.bindparam("expected"),
        ~sa.exists().where(
            events_table.c.match == sa.bindparam("wanted"),
            events_table.c.cause == sa.bindparam("by"),
        ),
    )
    .returning(
        *(table.c.guild, table.c.channel, table.c.message, table.c.since, table.c.shown),
        *(table.c.notice, table.c.thread, table.c.parent),
    )
)
_ADVANCE_RUNNING = _ADVANCE.where(table.c.ended.is_(None))
"""Written once, as writing it took longer than the database takes for it."""
_UPDATE = sa.update(table).where(table.c.id == sa.bindparam("wanted")).returning(table.c.guild)
_UPDATE_AS_READ = _UPDATE.where(
    # Compared with `=`, a notice that is missing would not equal one that is missing as well.
    table.c.notice.is_not_distinct_from(sa.bindparam("as_read"))
)
_MATCHES_OF_A_NEWCOMER, _MATCHES_LOOKED_AT = 2, 100
_LATEST = sa.select(seats.c.match).where(seats.c.person == sa.bindparam("person"))
_SELECT_ENDED_LATELY = (
    sa.select(table.c.id)
    .where(
        table.c.id.in_(_LATEST.order_by(seats.c.match.desc()).limit(_MATCHES_LOOKED_AT)),
        table.c.game == sa.bindparam("game"),
        table.c.ended.is_not(None),
    )
    .limit(_MATCHES_OF_A_NEWCOMER)
)
"""Of somebody's latest matches, lest all be read of who has played thousands."""
_EVENT = [events_table.c[field.name] for field in fields(EventRow)]


DICE_FORMAT = 2
"""The format of the dice's derivation in the matches that begin now."""

UpdateWriter: TypeAlias = Callable[[sa.Connection, int, MatchUpdate, str | None], None]
"""Writes in the transaction of an end, an annulment or a ruling what a feature keeps of it.

It gets the match, the update, and the winner of a match that is annulled after its end.
"""

END_WRITERS: ExtensionPoint[UpdateWriter] = ExtensionPoint()
"""What features write in the transaction that ends or annuls a match, in a fixed order."""

MakeRemovalJob: TypeAlias = Callable[[int], Job]
"""The job that removes a message that called somebody to act."""


class Matches(StorePart):
    """Matches by their number."""

    @writing
    def start(
        self, connection: sa.Connection, beginning: NewMatch, jobs: Sequence[Job] = ()
    ) -> NewMatchResult:
        """Begin a match."""
        number = insert_match(connection, beginning)
        return NewMatchResult(number, enqueue_jobs(connection, beginning.guild, jobs))

    async def load_row(self, number: int) -> MatchRow | None:
        """Return a match, or None."""
        rows = await self._database.read(
            lambda connection: load_matches(connection, _SELECT_BY_NUMBER, {"wanted": number})
        )
        return rows[0] if rows else None

    async def load_rows(self, numbers: Sequence[int]) -> list[MatchRow]:
        """Return the matches of those numbers, in their order."""
        query = select_with_seats(table, seats, table.c.id.in_(numbers))
        found = await self._database.read(lambda connection: load_matches(connection, query))
        by_number = {row.id: row for row in found}
        return [by_number[number] for number in numbers if number in by_number]

    async def load_numbers(self) -> list[int]:
        """Return the numbers of all matches."""
        query = sa.select(table.c.id).order_by(table.c.id)
        return await self._load_column(query)

    async def load_events(self, number: int) -> list[EventRow]:
        """Return a match's events in order."""
        query = (
            sa.select(*_EVENT)
            .where(events_table.c.match == number)
            .order_by(events_table.c.version)
        )
        return await self._database.read(
            lambda connection: [EventRow(*row) for row in connection.execute(query)]
        )

    async def load_instants(self, number: int, versions: Sequence[int]) -> dict[int, int]:
        """Return when the events happened that brought a match to some of its versions."""
        query = sa.select(events_table.c.version, events_table.c.at).where(
            events_table.c.match == number, events_table.c.version.in_(versions)
        )
        return await self._database.read(
            lambda connection: {row.version: row.at for row in connection.execute(query)}
        )

    async def is_saved(self, person: int, cause: str) -> bool:
        """Whether something that a person did through an interaction is saved.

        That is an action, or the taking of a seat.
        """
        acted = sa.exists().where(events_table.c.person == person, events_table.c.cause == cause)
        # What somebody gives to the dice begins with the interaction.
        given = sa.func.substr(seats.c.contribution, 1, len(cause)) == cause
        sat = sa.exists().where(seats.c.person == person, given)
        return await self._database.read(
            lambda connection: bool(connection.execute(sa.select(sa.or_(acted, sat))).scalar_one())
        )

    @writing
    def apply_update(
        self, connection: sa.Connection, number: int, step: MatchUpdate
    ) -> MatchUpdateResult:
        """Add what an action does, its ending, ratings and jobs included, all or nothing.

        Nothing is changed if the action's cause was applied before. Raises StaleVersionError if the
        match has moved on or is over (but it may be annulled), LimitExceededError if the one who
        takes a seat has as many running matches as allowed, StoreError if there is no match of that
        id.
        """
        annuls = step.ending is not None and step.ending.annuls
        # Read first: the update overwrites the winner, who says which results to take back.
        winner_before = _lock_winner(connection, number) if annuls else None
        shown = _advance_version(connection, number, step)
        if shown is None:
            return _explain_refusal(connection, number, step.cause)
        _insert_events(connection, number, step)
        if step.ending:
            _unseal_secret(connection, number)
            # A match that ends while it can be shown nowhere would leave its stoppage open for
            # good.
            pauses.end_stoppage(connection, StoppageScope.MATCH, number, step.now)
        if step.takeover:
            reassign_seat(connection, number, _get_next_version(step), step.takeover)
        if step.ending or step.ruling:
            for write in END_WRITERS.list_functions():
                write(connection, number, step, winner_before)
        jobs = enqueue_jobs(connection, shown["guild"], step.jobs)
        return MatchUpdateResult(True, _get_next_version(step), jobs, shown)

    @writing
    def save_live_message(
        self,
        connection: sa.Connection,
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
        values = asdict(live)
        stored = values.pop("notice_before")
        as_read = {"wanted": number, "as_read": stored}
        guild = connection.execute(_UPDATE_AS_READ, as_read | values).scalar()
        if guild is None:
            # Another notice was stored since the match was read. The row is locked, and what
            # counts is what it holds now.
            stored = _lock_notice(connection, number).notice
            values["notice"] = live.notice or stored
            guild = connection.execute(_UPDATE, {"wanted": number} | values).scalar()
        if done:
            finish_job(connection, done)
        follow = [*jobs]
        if remove and stored not in (None, values["notice"]):
            follow.append(remove(stored))
        if (
            watch
            and pauses.end_stoppage(connection, StoppageScope.MATCH, number, watch.due) is not None
        ):
            follow.append(watch)
        return enqueue_jobs(connection, guild or 0, follow)

    @writing
    def save_notice(
        self,
        connection: sa.Connection,
        number: int,
        notice: int,
        version: int,
        remove: MakeRemovalJob,
    ) -> tuple[QueuedJob, ...]:
        """Remember the message that calls somebody to act at a version, in place of the one before.

        If the match has moved on while it was posted, that message is removed instead.
        """
        stored = _lock_notice(connection, number)
        if stored.version != version:
            return enqueue_jobs(connection, stored.guild, [remove(notice)])
        connection.execute(_UPDATE, {"wanted": number, "notice": notice})
        replaced = [] if stored.notice in (None, notice) else [remove(stored.notice)]
        return enqueue_jobs(connection, stored.guild, replaced)

    async def save_thread(self, number: int, thread: int) -> None:
        """Remember the thread that was opened for a match, unless it has one."""
        there = sa.update(table).where(table.c.id == number, table.c.thread.is_(None))
        there = there.values(thread=thread)
        await self._database.write(lambda connection: connection.execute(there))

    async def load_running(self) -> list[MatchRow]:
        """Return all running matches, the oldest first."""
        return await self._load_running_where(sa.true())

    async def load_running_in_channel(self, channel: int) -> list[MatchRow]:
        """Return the matches running in a channel, the oldest first."""
        return await self._load_running_where(table.c.channel == channel)

    async def load_running_under_channel(self, channel: int) -> list[MatchRow]:
        """Return the matches running in a channel or in its threads, the oldest first."""
        return await self._load_running_where(
            sa.or_(table.c.channel == channel, table.c.parent == channel)
        )

    async def load_channels(self, numbers: Iterable[int]) -> dict[int, frozenset[int]]:
        """Return the channels and threads that those matches are, or were, shown in."""
        query = sa.select(table.c.id, table.c.channel, table.c.thread, table.c.parent).where(
            table.c.id.in_(set(numbers))
        )
        found = await self._load_rows(query)
        return {number: frozenset(filter(None, places)) for number, *places in found}

    async def load_running_in_server(self, guild: int) -> list[MatchRow]:
        """Return the matches running in a server, the oldest first."""
        return await self._load_running_where(table.c.guild == guild)

    async def load_running_numbers(self, guild: int) -> list[int]:
        """Return the numbers of the matches running in a server."""
        query = sa.select(table.c.id).where(table.c.ended.is_(None), table.c.guild == guild)
        return await self._load_column(query)

    async def load_running_by_person(self, person: int) -> list[MatchRow]:
        """Return the matches a person is playing, the oldest first."""
        return await self._load_running_where(_is_played_by(person))

    async def load_ended_by_person(self, person: int, limit: int) -> list[MatchRow]:
        """Return the matches a person has played to the end, the newest first."""
        newest_first = (table.c.ended.desc(), table.c.id.desc())
        theirs = sa.select(table.c.id).where(table.c.ended.is_not(None), _is_played_by(person))
        newest = theirs.order_by(*newest_first).limit(limit)
        query = select_with_seats(table, seats, table.c.id.in_(newest), order=newest_first)
        return await self._database.read(lambda connection: load_matches(connection, query))

    @reading
    def find_newcomers(
        self, connection: sa.Connection, people: Sequence[int], game: str
    ) -> frozenset[int]:
        """Return who of some people have not finished two of their latest matches of a game."""
        ended = (
            connection.execute(_SELECT_ENDED_LATELY, {"person": person, "game": game}).all()
            for person in people
        )
        return frozenset(
            person
            for person, found in zip(people, ended, strict=True)
            if len(found) < _MATCHES_OF_A_NEWCOMER
        )

    async def load_ended_since(self, person: int, since: int) -> list[EndedMatch]:
        """Return what a person has played to the end since an instant and by a clock, in order."""
        query = (
            sa.select(table.c.id, table.c.game, table.c.created, table.c.ended)
            .join(seats)
            .where(seats.c.person == person, table.c.ended > since, table.c.pace != UNLIMITED.name)
            .order_by(table.c.id)
        )
        return await self._database.read(
            lambda connection: [EndedMatch(*row) for row in connection.execute(query)]
        )

    async def _load_running_where(self, which: ColumnElement[bool]) -> list[MatchRow]:
        query = select_with_seats(table, seats, sa.and_(table.c.ended.is_(None), which))
        return await self._database.read(lambda connection: load_matches(connection, query))


def insert_match(connection: sa.Connection, beginning: NewMatch) -> int:
    """Begin a match inside a transaction, and return its number."""
    values = asdict(beginning)
    sat, step = values.pop("seats"), beginning.opening
    del values["opening"]
    if step:
        values |= {"version": _get_next_version(step), "snapshot": dict(step.snapshot)}
    # A reader of the secret in a copy of the database could foresee every throw of the match.
    values["secret"] = get_seal(connection).seal(beginning.secret)
    # Given beside the statement, which is so compiled once for all matches.
    values |= {"touched": beginning.created, "rating_edition": RATING_EDITION}
    inserted = connection.execute(sa.insert(table).returning(table.c.id), values)
    number: int = inserted.scalar_one()
    connection.execute(sa.insert(seats), [{"match": number, **seat} for seat in sat])
    if step:
        _insert_events(connection, number, step)
    return number


def _lock_notice(connection: sa.Connection, number: int) -> sa.Row[int, int, int | None]:
    """Return the server, version and call to act of a match, and lock it against others."""
    lock_rows(connection, table.c.id, [number])
    query = sa.select(table.c.guild, table.c.version, table.c.notice).where(table.c.id == number)
    return connection.execute(query).one()


def _lock_winner(connection: sa.Connection, number: int) -> str | None:
    """Return who has won a match, locked until the transaction ends; None while it goes on."""
    lock_rows(connection, table.c.id, [number])
    return connection.execute(sa.select(table.c.winner).where(table.c.id == number)).scalar()


def _advance_version(
    connection: sa.Connection, number: int, step: MatchUpdate
) -> Mapping[str, Any] | None:
    """Bring the match to the version after an action, and return where it is shown.

    Return None if that is not possible. Then nothing is changed.
    """
    which = {"wanted": number, "expected": step.expected_version, "by": step.cause}
    values: dict[str, object] = {
        "version": _get_next_version(step),
        "snapshot": dict(step.snapshot),
        "touched": step.now,
    }
    advance = _ADVANCE if step.ending and step.ending.annuls else _ADVANCE_RUNNING
    if step.ending:
        # What is annulled when it is over keeps its place among the matches that ended.
        advance = advance.values(ended=sa.func.coalesce(table.c.ended, step.now))
        values |= {"winner": step.ending.winner, "swapped": step.ending.swapped}
        values |= {"how": step.ending.how, "parts": dict(step.ending.parts)}
    # One statement checks and changes, so that of two actions on the same version one finds the
    # other's.
    advanced = connection.execute(advance, which | values).mappings().first()
    return None if advanced is None else dict(advanced)


def _unseal_secret(connection: sa.Connection, number: int) -> None:
    """Store the secret of a finished match unsealed: it is public, and checking it needs no key."""
    kept = connection.execute(sa.select(table.c.secret).where(table.c.id == number)).scalar_one()
    if is_sealed(kept):
        secret = get_seal(connection).unseal(kept)
        connection.execute(sa.update(table).where(table.c.id == number).values(secret=secret))


def _explain_refusal(connection: sa.Connection, number: int, cause: str) -> MatchUpdateResult:
    version = connection.execute(sa.select(table.c.version).where(table.c.id == number)).scalar()
    if version is None:
        raise StoreError(f"there is no match {number}", SaveOutcome.NOTHING)
    applied = sa.select(events_table.c.version).where(
        events_table.c.match == number, events_table.c.cause == cause
    )
    if connection.execute(applied).first() is None:
        raise StaleVersionError
    return MatchUpdateResult(False, version)


def _get_next_version(step: MatchUpdate) -> int:
    return step.expected_version + len(step.records)


def _insert_events(connection: sa.Connection, number: int, step: MatchUpdate) -> None:
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
    connection.execute(sa.insert(events_table), added)


def _is_played_by(person: int) -> ColumnElement[bool]:
    return table.c.id.in_(sa.select(seats.c.match).where(seats.c.person == person))


@pauses.ACTIVITIES.add(0)
def find_active_rows() -> pauses.ActiveRows:
    """Return that running matches are something that goes on."""
    return pauses.ActiveRows(table.c.guild, table.c.ended.is_(None))


@pauses.STOPPED_MATCHES.add()
def find_stopped_matches() -> pauses.StoppedMatches:
    """Return that the clocks of a contest's matches stand while it is paused."""
    return pauses.StoppedMatches(StoppageScope.CONTEST, table.c.contest, table.c.id)


@SEALED_ROWS.add(0)
def list_sealed_rows() -> Sequence[SealedRows]:
    """Return the secrets of running matches."""
    return [(table.c.secret, sa.select(table.c.id, table.c.secret).where(table.c.ended.is_(None)))]


@GENERATION_STARTS.add()
def forget_messages(connection: sa.Connection) -> None:
    """Let running matches have no message yet: what they show may be from a time that is lost."""
    connection.execute(sa.update(table).where(table.c.ended.is_(None)).values(message=None))
