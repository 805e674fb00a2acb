"""Ladders, what happens on them, and the results of their matches."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any, TypeAlias

from sqlalchemy import Connection, RowMapping, and_, case, exists, insert, select, update
from sqlalchemy.sql.elements import ColumnElement

from bot.features.challenges.store import create_challenge
from bot.features.ladders.rows import Ladder, LadderChange, LadderView, NewLadder
from bot.features.ladders.rungs import (
    DECLINED,
    UNANSWERED,
    WITHDRAWN,
    LadderAction,
    LadderChallenge,
    LadderEvent,
)
from bot.features.ladders.tables import events, results
from bot.platform.db.challenge_rows import NewChallenge, NewChallengeResult
from bot.platform.db.database import Database
from bot.platform.db.jobs import enqueue_jobs, finish_job
from bot.platform.db.rows import Job, Limits, MatchUpdate, QueuedJob, Seat
from bot.platform.db.statements import lock_rows, upsert_rows
from bot.platform.db.tables import challenges, matches
from bot.platform.db.tables import ladders as table

JobsAfterEnd: TypeAlias = Callable[[Sequence[int]], Sequence[Job]]
"""The jobs that follow when somebody leaves or a ladder closes, given the challenges it ended."""
_EVENT = [events.c[field.name] for field in fields(LadderEvent)]


class Ladders:
    """Ladders by their number."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(
        self, new: NewLadder, jobs: Callable[[int], Sequence[Job]]
    ) -> tuple[int, tuple[QueuedJob, ...]]:
        """Keep a new ladder, and return its number and the jobs that follow."""

        def work(connection: Connection) -> tuple[int, tuple[QueuedJob, ...]]:
            inserted = insert(table).values(asdict(new)).returning(table.c.id)
            number = int(connection.execute(inserted).scalar_one())
            return number, enqueue_jobs(connection, new.guild, jobs(number))

        return await self._database.write(work)

    async def load_view(self, number: int) -> LadderView | None:
        """Return a ladder with all that happened on it, as it is at one moment; None if none is."""
        return await self._database.read(lambda connection: _fetch_view(connection, number))

    async def load_several(self, numbers: set[int]) -> dict[int, Ladder]:
        """Return those of some ladders that there are, by their numbers."""
        found = await self._load(table.c.id.in_(numbers))
        return {each.id: each for each in found}

    async def load_latest(self, guild: int, most: int) -> list[Ladder]:
        """Return a server's ladders, those that are open first, and of each kind the latest."""
        is_closed = case((table.c.closed.is_(None), 0), else_=1)
        query = (
            select(table)
            .where(table.c.guild == guild)
            .order_by(is_closed, table.c.id.desc())
            .limit(most)
        )
        return await self._database.read(
            lambda connection: [Ladder(**row) for row in connection.execute(query).mappings()]
        )

    async def load_open(self, guild: int) -> list[Ladder]:
        """Return a server's open ladders."""
        return await self._load(and_(table.c.guild == guild, table.c.closed.is_(None)))

    async def load_channels(self, numbers: set[int]) -> dict[int, frozenset[int]]:
        """Return the channels in which those ladders are shown."""
        found = await self._load(table.c.id.in_(numbers))
        return {each.id: frozenset({each.channel}) for each in found}

    async def find_existing(self, numbers: set[int]) -> set[int]:
        """Return which of those ladders there are."""
        return {each.id for each in await self._load(table.c.id.in_(numbers))}

    async def _load(self, which: ColumnElement[bool]) -> list[Ladder]:
        query = select(table).where(which).order_by(table.c.id)
        return await self._database.read(
            lambda connection: [Ladder(**row) for row in connection.execute(query).mappings()]
        )

    async def join(
        self, number: int, person: int, now: int, most: int, jobs: Sequence[Job]
    ) -> LadderChange:
        """Let somebody join an open ladder that has room."""

        def work(connection: Connection) -> LadderChange:
            before = _lock_open_view(connection, number)
            if before is None or person in before.rungs or len(before.rungs) >= most:
                return LadderChange(is_made=False)
            _insert_events(connection, number, [LadderEvent(now, LadderAction.JOIN, person)])
            return _finish_change(connection, before, jobs)

        return await self._database.write(work)

    async def leave(self, number: int, left: LadderEvent, jobs: JobsAfterEnd) -> LadderChange:
        """Let somebody leave an open ladder, or be removed by a ruling.

        In the same step their own open challenge is withdrawn, and they decline the one made to
        them.
        """

        def work(connection: Connection) -> LadderChange:
            before = _lock_open_view(connection, number)
            if before is None or left.person not in before.rungs:
                return LadderChange(is_made=False)
            _insert_events(connection, number, [left])
            ended = [
                *_close_challenges(
                    connection, number, WITHDRAWN, left.at, challenges.c.challenger == left.person
                ),
                *_close_challenges(
                    connection, number, DECLINED, left.at, challenges.c.opponent == left.person
                ),
            ]
            return _finish_change(connection, before, jobs(ended))

        return await self._database.write(work)

    async def close(self, number: int, ruling: LadderEvent, jobs: JobsAfterEnd) -> LadderChange:
        """Close an open ladder; its open challenges are withdrawn."""

        def work(connection: Connection) -> LadderChange:
            before = _lock_open_view(connection, number)
            if before is None:
                return LadderChange(is_made=False)
            _insert_events(connection, number, [ruling])
            connection.execute(update(table).where(table.c.id == number).values(closed=ruling.at))
            ended = _close_challenges(connection, number, WITHDRAWN, ruling.at)
            return _finish_change(connection, before, jobs(ended))

        return await self._database.write(work)

    async def challenge(
        self,
        new: NewChallenge,
        seat: Seat,
        limits: Limits,
        require: Callable[[LadderView], None],
        jobs: Callable[[int], Sequence[Job]],
    ) -> NewChallengeResult | None:
        """Keep a challenge on an open ladder; None if it is closed.

        `require` raises an error unless the challenge is allowed on the ladder as it is then, when
        nobody else can change it. Raises LimitExceededError as for every challenge.
        """
        assert new.ladder is not None
        number = new.ladder

        def work(connection: Connection) -> NewChallengeResult | None:
            before = _lock_open_view(connection, number)
            if before is None:
                return None
            require(before)
            return create_challenge(connection, new, seat, limits, jobs)

        return await self._database.write(work)

    async def drop(
        self,
        number: int,
        due: int,
        now: int,
        following: int,
        find: Callable[[LadderView], Collection[int]],
        jobs: Sequence[Job],
    ) -> LadderChange:
        """Let people of an open ladder drop, once for each time that this is due.

        `following` is when it is due next.
        """

        def work(connection: Connection) -> LadderChange:
            before = _lock_open_view(connection, number)
            if before is None or before.ladder.next_drop != due:
                return LadderChange(is_made=False)
            dropping = sorted(find(before))
            dropped = [LadderEvent(now, LadderAction.DROP, person) for person in dropping]
            _insert_events(connection, number, dropped)
            connection.execute(
                update(table).where(table.c.id == number).values(next_drop=following)
            )
            return _finish_change(connection, before, jobs)

        return await self._database.write(work)

    async def save_message(
        self, number: int, message: int, before: int | None, done: QueuedJob
    ) -> bool:
        """Remember the message that shows a ladder, and that a job is done.

        Return False, changing neither, where another message shows it by now.
        """
        as_read = and_(table.c.id == number, table.c.message.is_not_distinct_from(before))

        def work(connection: Connection) -> bool:
            shown = update(table).where(as_read).values(message=message)
            if connection.execute(shown).rowcount != 1:
                return False
            finish_job(connection, done)
            return True

        return await self._database.write(work)


def write_update(
    connection: Connection, match: int, step: MatchUpdate, winner_before: str | None
) -> None:
    """Keep what came of a match on its ladder, also when it is annulled afterwards."""
    ending = step.ending
    if ending is None:
        return
    on_ladder = exists().where(matches.c.id == match, matches.c.ladder.is_not(None))
    if not connection.execute(select(on_ladder)).scalar():
        return
    won = next((person for person, side in ending.sides.items() if side == ending.winner), None)
    result = {"match": match, "at": step.now, "winner": won, "how": ending.how}
    upsert_rows(connection, results, [result])


def _insert_events(connection: Connection, number: int, added: Sequence[LadderEvent]) -> None:
    if added:
        connection.execute(insert(events), [{"ladder": number, **asdict(event)} for event in added])


def _close_challenges(
    connection: Connection,
    number: int,
    state: str,
    now: int,
    which: ColumnElement[bool] | None = None,
) -> list[int]:
    """Close those open challenges of a ladder, and return them."""
    closing = (
        update(challenges)
        .where(challenges.c.ladder == number, challenges.c.state == "open")
        .values(state=state, closed=now)
        .returning(challenges.c.id)
    )
    if which is not None:
        closing = closing.where(which)
    return sorted(connection.execute(closing).scalars())


def _finish_change(connection: Connection, view: LadderView, jobs: Sequence[Job]) -> LadderChange:
    return LadderChange(is_made=True, jobs=enqueue_jobs(connection, view.ladder.guild, jobs))


def _lock_open_view(connection: Connection, number: int) -> LadderView | None:
    """Return a ladder that nobody else can change until the transaction ends; None if closed."""
    lock_rows(connection, table.c.id, [number])
    view = _fetch_view(connection, number)
    return view if view and view.ladder.is_open else None


def _fetch_view(connection: Connection, number: int) -> LadderView | None:
    row = connection.execute(select(table).where(table.c.id == number)).mappings().first()
    if row is None:
        return None
    happened = select(*_EVENT).where(events.c.ladder == number).order_by(events.c.id)
    made = (
        select(
            *(challenges.c[name] for name in _CHALLENGE),
            results.c.at,
            results.c.winner,
            results.c.how,
        )
        .outerjoin(results, results.c.match == challenges.c.match)
        .where(challenges.c.ladder == number)
        .order_by(challenges.c.id)
    )
    return LadderView(
        Ladder(**row),
        tuple(
            LadderEvent(**{**each, "action": LadderAction(each["action"])})
            for each in connection.execute(happened).mappings()
        ),
        tuple(_make_challenge(each) for each in connection.execute(made).mappings()),
    )


_CHALLENGE = ("id", "challenger", "opponent", "created", "expires", "match", "state", "closed")


def _make_challenge(row: RowMapping) -> LadderChallenge:
    """Return a challenge with what came of its match, or of the challenge itself."""
    outcome: Mapping[str, Any] = {
        "settled": row["at"],
        "winner": row["winner"],
        "how": row["how"],
    }
    if row["closed"] is not None:
        winner = row["challenger"] if row["state"] in UNANSWERED else None
        outcome = {"settled": row["closed"], "winner": winner, "how": row["state"]}
    return LadderChallenge(
        id=row["id"],
        challenger=row["challenger"],
        challenged=row["opponent"],
        made=row["created"],
        expires=row["expires"],
        match=row["match"],
        **outcome,
    )
