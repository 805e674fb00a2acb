"""Challenges, their seats, and how a full one becomes a match."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict

from sqlalchemy import Connection, and_, exists, insert, or_, select, update
from sqlalchemy.sql.elements import ColumnElement

from bot.features.challenges.limits import (
    require_no_running_rematch,
    require_open_limit,
    require_person_rate,
    require_rate_to_one,
    require_server_rate,
)
from bot.features.matches import store as matches
from bot.features.matches.seat_rows import fetch_rows_with_seats, select_with_seats
from bot.platform.db.challenge_rows import Challenge, JoinResult, NewChallenge, NewChallengeResult
from bot.platform.db.database import Database
from bot.platform.db.errors import SeatTakenError
from bot.platform.db.jobs import enqueue_jobs, finish_job
from bot.platform.db.match_limits import require_match_limit
from bot.platform.db.rows import Job, Limits, MatchUpdate, NewMatch, QueuedJob, Seat
from bot.platform.db.sealing import get_seal
from bot.platform.db.statements import lock_people, lock_rows
from bot.platform.db.tables import blocks
from bot.platform.db.tables import challenge_seats as seats
from bot.platform.db.tables import challenges as table

MAX_ACCEPTABLE_CHALLENGES = 50
"""Challenges among which somebody is looked for who would play."""

JobsAfterJoin = Callable[[Challenge, int | None], Sequence[Job]]
"""Returns the jobs that follow when somebody has joined.

It is given the challenge as it is now, and the match if one began.
"""


JobsAfterCreation = Callable[[int], Sequence[Job]]
"""The jobs that follow when a challenge of that number has been made."""


def _no_jobs(_: int) -> Sequence[Job]:
    return ()


class Challenges:
    """Challenges by their number."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(
        self, new: NewChallenge, seat: Seat, limits: Limits, jobs: JobsAfterCreation = _no_jobs
    ) -> NewChallengeResult:
        """Keep a new challenge with its challenger seated, and the jobs that follow.

        Raises LimitExceededError if the challenger has as many as allowed, or has made too many
        lately, Repeated if they offer that rematch already.
        """

        def work(connection: Connection) -> NewChallengeResult:
            return create_challenge(connection, new, seat, limits, jobs)

        return await self._database.write(work)

    async def get(self, number: int) -> Challenge | None:
        """Return a challenge, or None."""
        return await self._database.read(lambda connection: _fetch_challenge(connection, number))

    async def load_open(self) -> list[Challenge]:
        """Return all open challenges, the oldest first."""
        query = select_with_seats(table, seats, table.c.state == "open")
        return await self._database.read(
            lambda connection: [
                Challenge(**row) for row in fetch_rows_with_seats(connection, query)
            ]
        )

    async def load_channels(self, numbers: Iterable[int]) -> dict[int, frozenset[int]]:
        """Return the channels that those challenges are shown in."""
        query = select(table.c.id, table.c.channel).where(table.c.id.in_(set(numbers)))
        found = await self._database.read(lambda connection: connection.execute(query).all())
        return {number: frozenset((channel,)) for number, channel in found}

    async def get_by_match(self, match: int) -> Challenge | None:
        """Return the challenge from which a match began, or None."""
        query = select_with_seats(table, seats, table.c.match == match)
        found = await self._database.read(
            lambda connection: [
                Challenge(**row) for row in fetch_rows_with_seats(connection, query)
            ]
        )
        return found[0] if found else None

    async def save_message(
        self,
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
        shown = update(table).where(
            table.c.id == number,
            # The second condition lets a retry that posted the same message before succeed again.
            or_(table.c.message.is_not_distinct_from(before), table.c.message == message),
        )

        values = {"message": message}
        if posted_digits is not None:
            values["posted_digits"] = posted_digits

        def work(connection: Connection) -> bool:
            changed = connection.execute(shown.values(values)).rowcount == 1
            if done:
                finish_job(connection, done)
            return changed

        return await self._database.write(work)

    async def close(
        self, number: int, state: str, now: int, jobs: Sequence[Job] = ()
    ) -> tuple[QueuedJob, ...] | None:
        """Close a challenge and keep the jobs that follow; None if it was no longer open."""

        def work(connection: Connection) -> tuple[QueuedJob, ...] | None:
            # The condition is in the update, so that of two answers at once only one finds it open.
            still_open = update(table).where(table.c.id == number, table.c.state == "open")
            guild = connection.execute(
                still_open.values(state=state, closed=now).returning(table.c.guild)
            ).scalar()
            return None if guild is None else enqueue_jobs(connection, guild, jobs)

        return await self._database.write(work)

    async def postpone(
        self, number: int, before: int, until: int, jobs: Sequence[Job]
    ) -> tuple[QueuedJob, ...] | None:
        """Let an open challenge that expires at an instant expire later; None if it does not."""
        as_read = and_(table.c.id == number, table.c.state == "open", table.c.expires == before)

        def work(connection: Connection) -> tuple[QueuedJob, ...] | None:
            later = update(table).where(as_read).values(expires=until).returning(table.c.guild)
            guild = connection.execute(later).scalar()
            return None if guild is None else enqueue_jobs(connection, guild, jobs)

        return await self._database.write(work)

    async def close_lapsed(self, now: int) -> list[Challenge]:
        """Close every challenge whose time is over, and return them."""

        def work(connection: Connection) -> list[Challenge]:
            lapsed = (
                update(table)
                .where(table.c.state == "open", table.c.expires <= now)
                .values(state="lapsed", closed=now)
                .returning(table.c.id)
            )
            numbers = connection.execute(lapsed).scalars().all()
            query = select_with_seats(table, seats, table.c.id.in_(numbers))
            return [Challenge(**row) for row in fetch_rows_with_seats(connection, query)]

        return await self._database.write(work)

    async def join(
        self,
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

        def work(connection: Connection) -> JoinResult:
            _take_seats(connection, number, [seat], now, limits)
            return _start_if_full(connection, number, edition, now, jobs)

        return await self._database.write(work)

    async def fill_seats(
        self,
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

        def work(connection: Connection) -> JoinResult:
            _take_seats(connection, number, free, now, limits)
            connection.execute(
                # The terms change before the match begins with them: people had agreed to play each
                # other, not the computer, for ratings and by the clock.
                update(table).where(table.c.id == number).values(rated=False, pace="none")
            )
            return _start_if_full(connection, number, edition, now, jobs)

        return await self._database.write(work)

    async def create_and_start(
        self,
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

        def work(connection: Connection) -> JoinResult:
            lock_people(connection, [new.challenger])
            require_person_rate(connection, new, limits.a_minute)
            require_server_rate(connection, new, limits.a_minute_here)
            require_match_limit(connection, [new.challenger], limits)
            require_no_running_rematch(connection, new)
            number = _insert_challenge(connection, new)
            for seat in sat:
                _insert_seat(connection, number, seat)
            return _start_if_full(connection, number, edition, new.created, jobs, opening)

        return await self._database.write(work)

    async def load_open_by_person(self, person: int, now: int) -> list[Challenge]:
        """Return a person's open challenges, oldest first.

        They made it, sit in it or are asked to answer it.
        """
        own = seats.alias()
        sits = exists().where(own.c.challenge == table.c.id, own.c.person == person)
        concerned = or_(table.c.challenger == person, table.c.opponent == person, sits)
        return await self._load_open_where(now, concerned)

    async def load_open_in_channel(self, channel: int, now: int) -> list[Challenge]:
        """Return the open challenges of a channel or thread."""
        return await self._load_open_where(now, table.c.channel == channel)

    async def _load_open_where(self, now: int, condition: ColumnElement[bool]) -> list[Challenge]:
        # By their ids, so that the index of the open ones is read, and not all challenges in order.
        found = select(table.c.id).where(table.c.state == "open", table.c.expires > now, condition)
        query = select_with_seats(table, seats, table.c.id.in_(found))
        return await self._database.read(
            lambda connection: [
                Challenge(**row) for row in fetch_rows_with_seats(connection, query)
            ]
        )

    async def find_acceptable(self, guild: int, person: int, now: int) -> list[int]:
        """Return the ids of a server's open challenges that others than that person may accept.

        The oldest come first. Challenges with somebody who has blocked that person, or is blocked
        by them, are left out.
        """
        blocked = or_(
            and_(blocks.c.person == person, blocks.c.blocked == seats.c.person),
            and_(blocks.c.blocked == person, blocks.c.person == seats.c.person),
        )
        theirs = exists().where(
            seats.c.challenge == table.c.id, or_(seats.c.person == person, exists().where(blocked))
        )
        query = (
            select(table.c.id)
            .where(table.c.state == "open", table.c.expires > now)
            .where(table.c.guild == guild, table.c.opponent.is_(None), ~theirs)
            .order_by(table.c.created, table.c.id)
            .limit(MAX_ACCEPTABLE_CHALLENGES)
        )
        return await self._database.read(
            lambda connection: list(connection.execute(query).scalars())
        )


def create_challenge(
    connection: Connection,
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
    made = Challenge(
        **asdict(new), id=number, message=None, state="open", match=None, seats=(seat,)
    )
    return NewChallengeResult(made, enqueue_jobs(connection, new.guild, jobs(number)))


def _insert_challenge(connection: Connection, new: NewChallenge) -> int:
    values = {**asdict(new), "secret": get_seal(connection).seal(new.secret)}
    number: int = connection.execute(
        insert(table).values(values).returning(table.c.id)
    ).scalar_one()
    return number


def _take_seats(
    connection: Connection, number: int, wanted: Sequence[Seat], now: int, limits: Limits
) -> None:
    """Take seats of an open challenge, all or none."""
    # The challenge is locked before it is read, or two people could take its last seat.
    lock_rows(connection, table.c.id, [number])
    before = _fetch_challenge(connection, number)
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
    connection: Connection,
    number: int,
    edition: int,
    now: int,
    jobs: JobsAfterJoin,
    opening: MatchUpdate | None = None,
) -> JoinResult:
    """Begin the match if everyone is seated; return the challenge and the jobs that follow."""
    challenge = _fetch_challenge(connection, number)
    assert challenge is not None
    if len(challenge.seats) == 2 * challenge.players:
        _start_match(connection, challenge, edition, now, opening)
        # Read again for the jobs, which need to know the match.
        challenge = _fetch_challenge(connection, number)
        assert challenge is not None
    followed = enqueue_jobs(connection, challenge.guild, jobs(challenge, challenge.match))
    return JoinResult(challenge, challenge.match, followed)


def _is_free(challenge: Challenge, seat: Seat) -> bool:
    return all(
        # The second condition keeps one person from sitting twice at a table.
        (taken.side, taken.number) != (seat.side, seat.number) and taken.person != seat.person
        for taken in challenge.seats
    )


def _insert_seat(connection: Connection, number: int, seat: Seat) -> None:
    connection.execute(insert(seats).values(challenge=number, **asdict(seat)))


def _start_match(
    connection: Connection, full: Challenge, edition: int, now: int, opening: MatchUpdate | None
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
        update(table).where(table.c.id == full.id).values(state="accepted", match=match)
    )


def _fetch_challenge(connection: Connection, number: int) -> Challenge | None:
    found = [
        Challenge(**row)
        for row in fetch_rows_with_seats(
            connection, select_with_seats(table, seats, table.c.id == number)
        )
    ]
    return found[0] if found else None
