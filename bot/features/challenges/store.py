"""Challenges, their seats, and how a full one becomes a match."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa
from sqlalchemy.sql.elements import ColumnElement

from bot.features.challenges.tables import Challenge, JoinResult, NewChallenge, NewChallengeResult
from bot.features.challenges.tables import challenge_seats as seats
from bot.features.challenges.tables import challenges as table
from bot.features.matches import store as matches
from bot.features.matches.rows import Limits, MatchUpdate, NewMatch, Seat
from bot.features.matches.store import load_rows_with_seats, require_match_limit, select_with_seats
from bot.features.matches.tables import matches as matches_table
from bot.features.preferences.store import blocks
from bot.platform.db.database import (
    StorePart,
    find_existing,
    lock_people,
    lock_rows,
    reading,
    writing,
)
from bot.platform.db.errors import DuplicateRematchError, LimitExceededError, SeatTakenError
from bot.platform.db.exclusions import ExclusionScope, find_exclusions
from bot.platform.db.jobs import enqueue_jobs, finish_job
from bot.platform.db.pauses import ACTIVITIES, DEADLINES, ActiveRows, Deadline
from bot.platform.db.rows import Job, QueuedJob
from bot.platform.db.sealing import SEALED_ROWS, SealedRows, get_seal
from bot.platform.db.tables import jobs
from bot.platform.features import ExtensionPoint
from engine.clock import HOUR, MINUTE

MAX_ACCEPTABLE_CHALLENGES = 50
"""Challenges among which somebody is looked for who would play."""

JobsAfterJoin = Callable[[Challenge, int | None], Sequence[Job]]
"""Returns the jobs that follow when somebody has joined.

It is given the challenge as it is now, and the match if one began.
"""


JobsAfterCreation = Callable[[int], Sequence[Job]]
"""The jobs that follow when a challenge of that number has been made."""


LADDER_LOCKS: ExtensionPoint[Callable[[sa.Connection, int], None]] = ExtensionPoint()
"""Lock a ladder, of that number, before a challenge made on it is changed."""
LADDER_CLOSINGS: ExtensionPoint[Callable[[sa.Connection, int, int], None]] = ExtensionPoint()
"""Let a ladder follow a challenge made on it that is closed; given the numbers of both."""


def _no_jobs(_: int) -> Sequence[Job]:
    return ()


class Challenges(StorePart):
    """Challenges by their number."""

    @writing
    def create(
        self,
        connection: sa.Connection,
        new: NewChallenge,
        seat: Seat,
        limits: Limits,
        jobs: JobsAfterCreation = _no_jobs,
    ) -> NewChallengeResult:
        """Keep a new challenge with its challenger seated, and the jobs that follow.

        Raises LimitExceededError if the challenger has as many as allowed, or has made too many
        lately, DuplicateRematchError if they offer that rematch already.
        """
        return create_challenge(connection, new, seat, limits, jobs)

    async def load_challenge(self, number: int) -> Challenge | None:
        """Return a challenge, or None."""
        return await self._database.read(lambda connection: _load_challenge(connection, number))

    async def load_open(self) -> list[Challenge]:
        """Return all open challenges, the oldest first."""
        query = select_with_seats(table, seats, table.c.state == "open")
        return await self._load(query)

    async def load_channels(self, numbers: Iterable[int]) -> dict[int, frozenset[int]]:
        """Return the channels that those challenges are shown in."""
        query = sa.select(table.c.id, table.c.channel).where(table.c.id.in_(set(numbers)))
        found = await self._load_rows(query)
        return {number: frozenset((channel,)) for number, channel in found}

    async def load_by_match(self, match: int) -> Challenge | None:
        """Return the challenge from which a match began, or None."""
        query = select_with_seats(table, seats, table.c.match == match)
        found = await self._load(query)
        return found[0] if found else None

    @writing
    def save_message(
        self,
        connection: sa.Connection,
        number: int,
        message: int,
        before: int | None = None,
        done: QueuedJob | None = None,
        posted_digits: int | None = None,
    ) -> bool:
        """Remember the message that shows a challenge, and the job done with it.

        Returns False if another message shows it by now. `before` is the one that showed it when
        the challenge was read. `posted_digits` says how much of the commitment it shows; None where
        it was posted too late to bind.
        """
        shown = sa.update(table).where(
            table.c.id == number,
            # The second condition lets a retry that posted the same message before succeed again.
            sa.or_(table.c.message.is_not_distinct_from(before), table.c.message == message),
        )

        values = {"message": message}
        if posted_digits is not None:
            values["posted_digits"] = posted_digits
        changed = connection.execute(shown.values(values)).rowcount == 1
        if done:
            finish_job(connection, done)
        return changed

    @writing
    def close(
        self, connection: sa.Connection, number: int, state: str, now: int, jobs: Sequence[Job] = ()
    ) -> tuple[QueuedJob, ...] | None:
        """Close a challenge and keep the jobs that follow; None if it was no longer open."""
        ladder = connection.execute(sa.select(table.c.ladder).where(table.c.id == number)).scalar()
        if ladder is not None:
            # Before the challenge, in the order of leaving one.
            for lock in LADDER_LOCKS.list_functions():
                lock(connection, ladder)
        # The condition is in the update, so that of two answers at once only one finds it open.
        still_open = sa.update(table).where(table.c.id == number, table.c.state == "open")
        guild = connection.execute(
            still_open.values(state=state, closed=now).returning(table.c.guild)
        ).scalar()
        if guild is None:
            return None
        if ladder is not None:
            for write_closing in LADDER_CLOSINGS.list_functions():
                write_closing(connection, ladder, number)
        return enqueue_jobs(connection, guild, jobs)

    @writing
    def postpone(
        self, connection: sa.Connection, number: int, before: int, until: int, jobs: Sequence[Job]
    ) -> tuple[QueuedJob, ...] | None:
        """Let an open challenge that expires at an instant expire later; None if it does not."""
        as_read = sa.and_(table.c.id == number, table.c.state == "open", table.c.expires == before)
        later = sa.update(table).where(as_read).values(expires=until).returning(table.c.guild)
        guild = connection.execute(later).scalar()
        return None if guild is None else enqueue_jobs(connection, guild, jobs)

    @writing
    def join(
        self,
        connection: sa.Connection,
        number: int,
        seat: Seat,
        edition: int,
        now: int,
        limits: Limits,
        jobs: JobsAfterJoin = lambda _, __: (),
    ) -> JoinResult:
        """Take a seat, begin the match if it was the last one, and keep the jobs that follow.

        Raises SeatTakenError if somebody was quicker or the challenge is no longer open,
        LimitExceededError if one of the people who would then be seated has as many running matches
        as allowed.
        """
        _take_seats(connection, number, [seat], now, limits)
        return _start_if_full(connection, number, edition, now, jobs)

    @writing
    def fill_seats(
        self,
        connection: sa.Connection,
        number: int,
        free: Sequence[Seat],
        edition: int,
        now: int,
        limits: Limits,
        jobs: JobsAfterJoin,
    ) -> JoinResult:
        """Take every free seat at once for a match without rating or pace, which begins.

        Raises what `join` raises.
        """
        _take_seats(connection, number, free, now, limits)
        connection.execute(
            # The terms change before the match begins with them: people had agreed to play each
            # other, not the computer, for ratings and by the clock.
            sa.update(table).where(table.c.id == number).values(rated=False, pace="none")
        )
        return _start_if_full(connection, number, edition, now, jobs)

    @writing
    def create_and_start(
        self,
        connection: sa.Connection,
        new: NewChallenge,
        sat: Sequence[Seat],
        edition: int,
        limits: Limits,
        jobs: JobsAfterJoin,
        opening: MatchUpdate | None = None,
    ) -> JoinResult:
        """Keep a challenge that is accepted as it is made, everyone seated, and begin its match.

        `opening` is what has happened as it begins.
        Raises LimitExceededError if the challenger has as many running matches as allowed, or has
        begun too many lately, DuplicateRematchError if they play that rematch already.
        """
        lock_people(connection, [new.challenger])
        require_person_rate(connection, new, limits.a_minute)
        require_server_rate(connection, new, limits.a_minute_here)
        require_match_limit(connection, [new.challenger], limits)
        require_no_running_rematch(connection, new)
        number = _insert_challenge(connection, new)
        for seat in sat:
            _insert_seat(connection, number, seat)
        return _start_if_full(connection, number, edition, new.created, jobs, opening)

    async def load_open_by_person(self, person: int, now: int) -> list[Challenge]:
        """Return a person's open challenges, oldest first.

        They made it, sit in it or are asked to answer it.
        """
        own = seats.alias()
        sits = sa.exists().where(own.c.challenge == table.c.id, own.c.person == person)
        concerned = sa.or_(table.c.challenger == person, table.c.opponent == person, sits)
        return await self._load_open_where(now, concerned)

    async def load_closed_to_person(self, person: int, since: int, now: int) -> list[Challenge]:
        """Return the challenges to a person that were closed since an instant, oldest first.

        Those of which nobody knows when it was are counted by when they would have expired.
        """
        closed = sa.func.coalesce(table.c.closed, table.c.expires) > since
        is_over = sa.or_(table.c.state != "open", table.c.expires <= now)
        query = select_with_seats(
            table, seats, sa.and_(table.c.opponent == person, is_over, closed)
        )
        return await self._load(query)

    async def load_open_numbers(self, guild: int, now: int) -> list[int]:
        """Return the numbers of a server's open challenges."""
        query = sa.select(table.c.id).where(
            table.c.state == "open", table.c.expires > now, table.c.guild == guild
        )
        return await self._load_column(query)

    async def load_open_in_channel(self, channel: int, now: int) -> list[Challenge]:
        """Return the open challenges of a channel or thread."""
        return await self._load_open_where(now, table.c.channel == channel)

    async def _load_open_where(self, now: int, condition: ColumnElement[bool]) -> list[Challenge]:
        # By their ids, so that the index of the open ones is read, and not all challenges in order.
        found = sa.select(table.c.id).where(
            table.c.state == "open", table.c.expires > now, condition
        )
        query = select_with_seats(table, seats, table.c.id.in_(found))
        return await self._load(query)

    async def _load(self, query: sa.Select[*tuple[Any, ...]]) -> list[Challenge]:
        return await self._database.read(
            lambda connection: [Challenge(**row) for row in load_rows_with_seats(connection, query)]
        )

    @reading
    def find_acceptable(
        self, connection: sa.Connection, guild: int, person: int, now: int
    ) -> list[int]:
        """Return the ids of a server's open challenges that others than that person may accept.

        The oldest come first. Challenges with somebody who has blocked that person, or is blocked
        by them, are left out.
        """
        blocked = sa.or_(
            sa.and_(blocks.c.person == person, blocks.c.blocked == seats.c.person),
            sa.and_(blocks.c.blocked == person, blocks.c.person == seats.c.person),
        )
        # A person who is back after a deletion is not named in blocks yet.
        unnamed = find_exclusions(connection, ExclusionScope.PERSON, [person])
        apart = seats.c.person.in_([person, *(by for by, _ in unnamed)])
        theirs = sa.exists().where(
            seats.c.challenge == table.c.id, sa.or_(apart, sa.exists().where(blocked))
        )
        query = (
            sa.select(table.c.id)
            .where(table.c.state == "open", table.c.expires > now)
            .where(table.c.guild == guild, table.c.opponent.is_(None), ~theirs)
            .order_by(table.c.created, table.c.id)
            .limit(MAX_ACCEPTABLE_CHALLENGES)
        )
        return list(connection.execute(query).scalars())

    async def find_without_job(self, kind: str) -> list[tuple[int, int]]:
        """Return the open challenges for which no job of that kind waits, each with its server."""
        waits = (
            sa.select(jobs.c.id)
            .where(jobs.c.kind == kind, jobs.c.key == sa.cast(table.c.id, sa.Text))
            .exists()
        )
        query = (
            sa.select(table.c.id, table.c.guild)
            .where(table.c.state == "open", ~waits)
            .order_by(table.c.id)
        )
        return await self._database.read(
            lambda connection: [(*row,) for row in connection.execute(query)]
        )

    async def load_all_open_numbers(self) -> list[int]:
        """Return the numbers of the open challenges."""
        query = sa.select(table.c.id).where(table.c.state == "open").order_by(table.c.id)
        return await self._load_column(query)

    async def find_existing(self, numbers: Collection[int]) -> set[int]:
        """Return which of those challenges there are."""
        return await self._database.read(
            lambda connection: find_existing(connection, table.c.id, numbers)
        )


def create_challenge(
    connection: sa.Connection,
    new: NewChallenge,
    seat: Seat,
    limits: Limits,
    jobs: JobsAfterCreation = _no_jobs,
) -> NewChallengeResult:
    """Keep a new challenge inside a transaction; raises what `Challenges.create` raises."""
    # Two challenges made at once would each be counted without the other.
    lock_people(connection, [new.challenger])
    require_match_limit(connection, [new.challenger], limits)
    require_person_rate(connection, new, limits.a_minute)
    require_server_rate(connection, new, limits.a_minute_here)
    require_rate_to_one(connection, new, limits.an_hour_to_one)
    require_open_limit(connection, new, limits.open)
    number = _insert_challenge(connection, new)
    _insert_seat(connection, number, seat)
    challenge = Challenge(
        **asdict(new), id=number, message=None, state="open", match=None, seats=(seat,)
    )
    return NewChallengeResult(challenge, enqueue_jobs(connection, new.guild, jobs(number)))


def _insert_challenge(connection: sa.Connection, new: NewChallenge) -> int:
    values = {**asdict(new), "secret": get_seal(connection).seal(new.secret)}
    number: int = connection.execute(
        sa.insert(table).values(values).returning(table.c.id)
    ).scalar_one()
    return number


def _take_seats(
    connection: sa.Connection, number: int, wanted: Sequence[Seat], now: int, limits: Limits
) -> None:
    """Take seats of an open challenge, all or none."""
    # The challenge is locked before it is read, or two people could take its last seat.
    lock_rows(connection, table.c.id, [number])
    before = _load_challenge(connection, number)
    if before is None or before.state != "open" or before.expires <= now:
        raise SeatTakenError
    if not all(_is_free(before, seat) for seat in wanted):
        raise SeatTakenError
    persons = [session.person for session in (*before.seats, *wanted)]
    lock_people(connection, persons)
    require_match_limit(connection, persons, limits)
    for seat in wanted:
        _insert_seat(connection, number, seat)


def _start_if_full(
    connection: sa.Connection,
    number: int,
    edition: int,
    now: int,
    jobs: JobsAfterJoin,
    opening: MatchUpdate | None = None,
) -> JoinResult:
    """Begin the match if everyone is seated; return the challenge and the jobs that follow."""
    challenge = _load_challenge(connection, number)
    assert challenge is not None
    if len(challenge.seats) == 2 * challenge.players:
        _start_match(connection, challenge, edition, now, opening)
        # Read again for the jobs, which need to know the match.
        challenge = _load_challenge(connection, number)
        assert challenge is not None
    followed = enqueue_jobs(connection, challenge.guild, jobs(challenge, challenge.match))
    return JoinResult(challenge, challenge.match, followed)


def _is_free(challenge: Challenge, seat: Seat) -> bool:
    return all(
        # The second condition keeps one person from sitting twice at a table.
        (taken.side, taken.number) != (seat.side, seat.number) and taken.person != seat.person
        for taken in challenge.seats
    )


def _insert_seat(connection: sa.Connection, number: int, seat: Seat) -> None:
    connection.execute(sa.insert(seats).values(challenge=number, **asdict(seat)))


def _start_match(
    connection: sa.Connection, full: Challenge, edition: int, now: int, opening: MatchUpdate | None
) -> None:
    beginning = NewMatch(
        guild=full.guild,
        channel=full.channel,
        game=full.game,
        edition=edition,
        options=full.options,
        rated=full.rated,
        secret=full.secret,
        commitment=full.commitment,
        dice=matches.DICE_FORMAT,
        created=now,
        seats=full.seats,
        pace=full.pace,
        opening=opening,
        ladder=full.ladder,
        posted_digits=full.posted_digits,
    )
    match = matches.insert_match(connection, beginning)
    connection.execute(
        sa.update(table).where(table.c.id == full.id).values(state="accepted", match=match)
    )


def _load_challenge(connection: sa.Connection, number: int) -> Challenge | None:
    found = [
        Challenge(**row)
        for row in load_rows_with_seats(
            connection, select_with_seats(table, seats, table.c.id == number)
        )
    ]
    return found[0] if found else None


@DEADLINES.add(0)
def list_deadlines() -> Sequence[Deadline]:
    """Return that nobody could accept a challenge during an outage."""
    return [Deadline(table.c.expires, table.c.state == "open", table.c.created)]


@ACTIVITIES.add(1)
def find_active_rows() -> ActiveRows:
    """Return that open challenges are something that goes on."""
    return ActiveRows(table.c.guild, table.c.state == "open")


@SEALED_ROWS.add(1)
def list_sealed_rows() -> Sequence[SealedRows]:
    """Return the secrets of open challenges, and of those whose match goes on."""
    rows = sa.select(table.c.id, table.c.secret)
    there = matches_table.c
    is_running = sa.and_(table.c.match == there.id, there.ended.is_(None))
    return [
        (table.c.secret, rows.where(table.c.state == "open")),
        (table.c.secret, rows.join(matches_table, is_running)),
    ]


MAX_COUNTED_CHALLENGES = 2000
"""Latest challenges that are read to count how many a server has made within a minute."""


def require_person_rate(connection: sa.Connection, new: NewChallenge, most: int | None) -> None:
    """Raise LimitExceededError if a challenger has made that many within a minute.

    They count whatever became of them.
    """
    if most is None:
        return
    lately = sa.select(sa.func.count()).where(
        table.c.challenger == new.challenger, _in_last_minute(table.c.created, new)
    )
    if connection.execute(lately).scalar_one() >= most:
        raise LimitExceededError(new.challenger, "lately", most)


def require_rate_to_one(connection: sa.Connection, new: NewChallenge, most: int | None) -> None:
    """Raise LimitExceededError if somebody was challenged that often within an hour in vain.

    Each challenge calls them, also one that is withdrawn at once.
    """
    if most is None or new.opponent is None:
        return
    in_vain = sa.select(sa.func.count()).where(
        table.c.challenger == new.challenger,
        table.c.opponent == new.opponent,
        table.c.match.is_(None),
        table.c.created > new.created - HOUR,
        table.c.created <= new.created,
    )
    if connection.execute(in_vain).scalar_one() >= most:
        raise LimitExceededError(new.opponent, "to one", most)


def require_server_rate(connection: sa.Connection, new: NewChallenge, most: int | None) -> None:
    """Raise LimitExceededError if that many were made in a server within a minute.

    Only the latest challenges of all servers are counted.
    """
    if most is None or not new.guild:
        return
    # By their numbers, so that it takes no longer however many there are of earlier days.
    latest = (
        sa.select(table.c.guild, table.c.created)
        .order_by(table.c.id.desc())
        .limit(MAX_COUNTED_CHALLENGES)
        .subquery()
    )
    here = sa.select(sa.func.count()).where(
        latest.c.guild == new.guild, _in_last_minute(latest.c.created, new)
    )
    if connection.execute(here).scalar_one() >= most:
        raise LimitExceededError(new.challenger, "here", most)


def _in_last_minute(created: ColumnElement[int], new: NewChallenge) -> ColumnElement[bool]:
    """Return the condition that a challenge was made in the minute up to a new one."""
    return sa.and_(created > new.created - MINUTE, created <= new.created)


def require_no_running_rematch(connection: sa.Connection, new: NewChallenge) -> None:
    """Raise DuplicateRematchError if a challenger's rematch that began at once is still running."""
    if new.rematch_of is None:
        return
    running = (
        sa.select(table.c.id)
        .join(matches_table, table.c.match == matches_table.c.id)
        .where(table.c.challenger == new.challenger, table.c.rematch_of == new.rematch_of)
        .where(matches_table.c.ended.is_(None))
    )
    number = connection.execute(running).scalar()
    if number is not None:
        raise DuplicateRematchError(number)


def require_open_limit(connection: sa.Connection, new: NewChallenge, most: int) -> None:
    """Raise LimitExceededError if a challenger has that many open challenges."""
    # One whose time is over may still wait to be closed.
    theirs = sa.select(table.c.id, table.c.rematch_of).where(
        table.c.challenger == new.challenger, table.c.state == "open", table.c.expires > new.created
    )
    still_open = connection.execute(theirs.order_by(table.c.id)).all()
    for number, rematch_of in still_open:
        if rematch_of is not None and rematch_of == new.rematch_of:
            raise DuplicateRematchError(number)
    if len(still_open) >= most:
        raise LimitExceededError(new.challenger, "open", most)
