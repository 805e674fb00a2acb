"""Ladders, what happens on them, and the results of their matches."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import Any, TypeAlias

import sqlalchemy as sa
from sqlalchemy.sql.elements import ColumnElement

from bot.features.challenges.store import LADDER_CLOSINGS, LADDER_LOCKS, create_challenge
from bot.features.challenges.tables import NewChallenge, NewChallengeResult, challenges
from bot.features.contests.store import CompetitionStore
from bot.features.contests.tables import CompetitionChange
from bot.features.ladders import rungs, tables
from bot.features.ladders.tables import Ladder, LadderView, events, players, results
from bot.features.matches.rows import Limits, MatchUpdate, Seat
from bot.features.matches.store import END_WRITERS
from bot.features.matches.tables import matches
from bot.platform.db import exclusions
from bot.platform.db.database import lock_rows, reading, upsert_rows, writing
from bot.platform.db.jobs import enqueue_jobs
from bot.platform.db.pauses import ACTIVITIES, DEADLINES, ActiveRows, Deadline
from bot.platform.db.rows import Job, QueuedJob
from engine.outcome import ANNULLED

MAX_LATEST = 50
"""The latest results that a look at a ladder reads."""

JobsAfterEnd: TypeAlias = Callable[[Sequence[int]], Sequence[Job]]
"""The jobs that follow when somebody leaves or a ladder closes, given the challenges it ended."""
_EVENT = [events.c[field.name] for field in fields(rungs.LadderEvent)]
_PLAYER = [players.c[field.name] for field in fields(rungs.LadderPlayer)]


class Ladders(CompetitionStore[Ladder]):
    """Ladders by their number."""

    table = tables.ladders
    scope = exclusions.ExclusionScope.LADDER

    @staticmethod
    def _build(connection: sa.Connection, row: sa.RowMapping) -> Ladder:
        return Ladder(**row)

    @writing
    def create(
        self, connection: sa.Connection, new: tables.NewLadder, jobs: Callable[[int], Sequence[Job]]
    ) -> tuple[int, tuple[QueuedJob, ...]]:
        """Keep a new ladder, and return its number and the jobs that follow."""
        kept = {"last_event": 0, "counted_until": 0}
        inserted = (
            sa.insert(tables.ladders).values({**asdict(new), **kept}).returning(tables.ladders.c.id)
        )
        number = int(connection.execute(inserted).scalar_one())
        return number, enqueue_jobs(connection, new.guild, jobs(number))

    async def load_view(self, number: int) -> LadderView | None:
        """Return a ladder as it is at one moment; None if there is none.

        That costs the same however old it is, once its order is kept.
        """
        return await self._database.read(lambda connection: _load_view(connection, number))

    async def load_history(self, number: int) -> tables.LadderHistory:
        """Return all that ever happened on a ladder."""
        return await self._database.read(lambda connection: _load_history(connection, number))

    @writing
    def keep_order(self, connection: sa.Connection, number: int) -> None:
        """Replay all that happened on a ladder, and keep what it comes to."""
        lock_rows(connection, tables.ladders.c.id, [number])
        _rebuild_order(connection, number)

    @reading
    def find_wrong_orders(self, connection: sa.Connection) -> list[int]:
        """Return the ladders whose kept order is not what a replay comes to."""
        rows = (
            connection.execute(sa.select(tables.ladders).order_by(tables.ladders.c.id))
            .mappings()
            .all()
        )
        return [row["id"] for row in rows if _is_order_wrong(connection, Ladder(**row))]

    async def load_rulings(self, number: int) -> list[rungs.LadderEvent]:
        """Return what organisers did to a ladder, in the order in which they did it."""
        ruled = sa.select(*_EVENT).where(events.c.ladder == number, events.c.moderator.is_not(None))
        return await self._database.read(
            lambda connection: _build_events(connection, ruled.order_by(events.c.id))
        )

    async def has_joined(self, number: int, person: int) -> bool:
        """Whether somebody is on a ladder, or ever was."""
        return await self._has_happened(number, person, {rungs.LadderAction.JOIN}, 0)

    async def has_left_since(self, number: int, person: int, instant: int) -> bool:
        """Whether somebody has left a ladder, or was removed, since an instant."""
        return await self._has_happened(number, person, rungs.DEPARTURES, instant)

    @reading
    def _has_happened(
        self,
        connection: sa.Connection,
        number: int,
        person: int,
        actions: Collection[rungs.LadderAction],
        since: int,
    ) -> bool:
        return _has_happened(connection, number, {person}, actions, since)

    async def load_latest(self, guild: int, most: int) -> list[Ladder]:
        """Return a server's ladders, those that are open first, and of each kind the latest."""
        is_closed = sa.case((tables.ladders.c.closed.is_(None), 0), else_=1)
        query = (
            sa.select(tables.ladders)
            .where(tables.ladders.c.guild == guild)
            .order_by(is_closed, tables.ladders.c.id.desc())
            .limit(most)
        )
        return await self._load(query)

    async def load_open(self, guild: int) -> list[Ladder]:
        """Return a server's open ladders."""
        return await self._load_where(
            sa.and_(tables.ladders.c.guild == guild, tables.ladders.c.closed.is_(None))
        )

    async def join(
        self, number: int, joined: rungs.LadderEvent, most: int, jobs: Sequence[Job]
    ) -> CompetitionChange:
        """Let somebody join an open ladder that has room, or back in by a ruling.

        Where it has none, the player who has been gone for longest makes room.
        """
        person = joined.person or 0

        def work(connection: sa.Connection, before: LadderView) -> Sequence[Job] | None:
            if person in before.order:
                return None
            was_excluded = exclusions.is_excluded(
                connection, exclusions.ExclusionScope.LADDER, number, person
            )
            if was_excluded is (joined.moderator is None):
                return None
            added = [joined]
            order = [*before.order, person]
            if len(order) > most:
                longest = find_longest_gone(before)
                if longest is None:
                    return None
                order.remove(longest)
                added.insert(0, rungs.LadderEvent(joined.at, rungs.LadderAction.LEAVE, longest))
            exclusions.readmit_person(connection, exclusions.ExclusionScope.LADDER, person, number)
            _add_events(connection, before, added, order)
            return jobs

        return await self._change(number, work)

    async def leave(
        self, number: int, left: rungs.LadderEvent, jobs: JobsAfterEnd
    ) -> CompetitionChange:
        """Let somebody leave an open ladder, or be removed by a ruling.

        In the same step their own open challenge is withdrawn, and they decline the one made to
        them.
        """

        def work(connection: sa.Connection, before: LadderView) -> Sequence[Job] | None:
            if left.person not in before.order:
                return None
            order = [each for each in before.order if each != left.person]
            _add_events(connection, before, [left], order)
            if left.action is rungs.LadderAction.REMOVE and left.person is not None:
                # Now, and not when their data is deleted: it holds whatever they do.
                exclusions.exclude_person(
                    connection, exclusions.ExclusionScope.LADDER, [number], left.person
                )
            withdrawn = _close_challenges(
                connection, number, rungs.WITHDRAWN, left.at, challenges.c.challenger == left.person
            )
            declined = _close_challenges(
                connection, number, rungs.DECLINED, left.at, challenges.c.opponent == left.person
            )
            if declined:
                # Their challenger has won before they left.
                _rebuild_order(connection, number)
            return jobs([*withdrawn, *declined])

        return await self._change(number, work)

    async def close(
        self, number: int, ruling: rungs.LadderEvent, jobs: JobsAfterEnd
    ) -> CompetitionChange:
        """Close an open ladder; its open challenges are withdrawn."""

        def work(connection: sa.Connection, before: LadderView) -> Sequence[Job] | None:
            _add_events(connection, before, [ruling], before.order)
            connection.execute(
                sa.update(tables.ladders)
                .where(tables.ladders.c.id == number)
                .values(closed=ruling.at)
            )
            exclusions.readmit_everybody(connection, exclusions.ExclusionScope.LADDER, [number])
            ended = _close_challenges(connection, number, rungs.WITHDRAWN, ruling.at)
            return jobs(ended)

        return await self._change(number, work)

    @writing
    def challenge(
        self,
        connection: sa.Connection,
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
        before = _lock_open_view(connection, number)
        if before is None:
            return None
        require(before)
        return create_challenge(connection, new, seat, limits, jobs)

    async def drop(
        self,
        number: int,
        due: int,
        now: int,
        following: int,
        find: Callable[[LadderView], Collection[int]],
        jobs: Sequence[Job],
    ) -> CompetitionChange:
        """Let people of an open ladder drop, once for each time that this is due.

        `following` is when it is due next. What moves nobody is not kept.
        """

        def work(connection: sa.Connection, before: LadderView) -> Sequence[Job] | None:
            if before.ladder.next_drop != due:
                return None
            connection.execute(
                sa.update(tables.ladders)
                .where(tables.ladders.c.id == number)
                .values(next_drop=following)
            )
            order = list(before.order)
            moved = sorted(rungs.drop(order, find(before)))
            if not moved:
                return []
            dropped = [rungs.LadderEvent(now, rungs.LadderAction.DROP, person) for person in moved]
            _add_events(connection, before, dropped, order)
            return jobs

        return await self._change(number, work)

    async def save_presence(
        self, number: int, there: Mapping[int, bool], now: int, jobs: JobsAfterEnd
    ) -> CompetitionChange:
        """Keep who of an open ladder can play in its server, and who can't.

        The open challenges that those have made who can't are withdrawn: they cost nobody a rung.
        """

        def work(connection: sa.Connection, before: LadderView) -> Sequence[Job] | None:
            left = {each for each in before.rungs if not there.get(each, True)}
            back = {each for each in before.gone if there.get(each, False)}
            if not left | back:
                return None
            for people, since in ((left, now), (back, None)):
                theirs = sa.and_(players.c.ladder == number, players.c.person.in_(sorted(people)))
                connection.execute(sa.update(players).where(theirs).values(gone=since))
            ended = _close_challenges(
                connection, number, rungs.WITHDRAWN, now, challenges.c.challenger.in_(sorted(left))
            )
            return jobs(ended)

        return await self._change(number, work)

    async def move(
        self, number: int, channel_before: int, channel: int, jobs: Sequence[Job]
    ) -> CompetitionChange:
        """Let a ladder be in another channel than before, where it has no message yet."""

        def work(connection: sa.Connection, before: LadderView) -> Sequence[Job] | None:
            if before.ladder.channel != channel_before:
                return None
            moved = sa.update(tables.ladders).where(tables.ladders.c.id == number)
            connection.execute(moved.values(channel=channel, message=None))
            return jobs

        return await self._change(number, work)

    @writing
    def _change(
        self,
        connection: sa.Connection,
        number: int,
        change: Callable[[sa.Connection, LadderView], Sequence[Job] | None],
    ) -> CompetitionChange:
        """Change an open ladder that nobody else can change meanwhile.

        `change` returns the jobs that follow, or None where it can't be done any more.
        """
        before = _lock_open_view(connection, number)
        jobs = None if before is None else change(connection, before)
        if before is None or jobs is None:
            return CompetitionChange(is_made=False)
        return CompetitionChange(True, enqueue_jobs(connection, before.ladder.guild, jobs))


@END_WRITERS.add(3)
def write_update(
    connection: sa.Connection, match: int, step: MatchUpdate, winner_before: str | None
) -> None:
    """Keep what came of a match on its ladder, also when it is annulled afterwards."""
    ending = step.ending
    if ending is None:
        return
    number = connection.execute(sa.select(matches.c.ladder).where(matches.c.id == match)).scalar()
    if number is None:
        return
    lock_rows(connection, tables.ladders.c.id, [number])
    earlier = connection.execute(sa.select(results.c.how).where(results.c.match == match)).scalar()
    won = next((person for person, side in ending.sides.items() if side == ending.winner), None)
    result = {"match": match, "at": step.now, "winner": won, "how": ending.how}
    upsert_rows(connection, results, [result])
    over = (
        sa.update(challenges)
        .where(challenges.c.match == match)
        .values(closed=step.now)
        .returning(challenges.c.id)
    )
    for challenge in connection.execute(over).scalars().all():
        _count_challenge(connection, number, challenge, is_new=earlier is None)


@LADDER_LOCKS.add()
def lock_ladder(connection: sa.Connection, number: int) -> None:
    """Let nobody else change a ladder's order until the transaction ends."""
    lock_rows(connection, tables.ladders.c.id, [number])


@LADDER_CLOSINGS.add()
def write_closing(connection: sa.Connection, number: int, challenge: int) -> None:
    """Let the order of a ladder follow a challenge on it that was closed without a match."""
    _count_challenge(connection, number, challenge, is_new=True)


def _count_challenge(
    connection: sa.Connection, number: int, challenge: int, *, is_new: bool
) -> None:
    """Let the kept order of a ladder, which is locked, follow a challenge that is over."""
    row = (
        connection.execute(sa.select(tables.ladders).where(tables.ladders.c.id == number))
        .mappings()
        .one()
    )
    ladder = Ladder(**row)
    if not _is_kept(connection, ladder):
        return
    found = _select_challenges(challenges.c.id == challenge)
    over = _build_challenge(connection.execute(found).mappings().one())
    assert over.settled is not None
    is_late = over.is_climbed and (
        not ladder.is_open
        or over.settled <= ladder.counted_until
        or _has_happened(connection, number, over.people, rungs.DEPARTURES, over.made)
    )
    if over.how == ANNULLED or not is_new or is_late:
        # It may have changed all that came after it.
        _rebuild_order(connection, number)
        return
    for person in sorted(over.people):
        is_won = over.is_played and over.winner == person
        active = rungs.find_activity(over, person)
        done = {
            "played": players.c.played + int(over.is_played),
            "won": players.c.won + int(is_won),
            "active": sa.case((players.c.active < active, active), else_=players.c.active),
        }
        theirs = sa.and_(players.c.ladder == number, players.c.person == person)
        connection.execute(sa.update(players).where(theirs).values(done))
    if over.is_climbed:
        before = [each.person for each in _load_players(connection, number)]
        after = list(before)
        rungs.climb(after, over)
        _write_rungs(connection, number, before, after)
        counted = {"counted_until": over.settled}
        connection.execute(
            sa.update(tables.ladders).where(tables.ladders.c.id == number).values(counted)
        )


def find_longest_gone(view: LadderView) -> int | None:
    """Return who of a ladder has been gone for longest, to make room; None if nobody is gone."""
    gone = [(each.gone, each.person) for each in view.players if each.gone is not None]
    return min(gone)[1] if gone else None


def _add_events(
    connection: sa.Connection,
    before: LadderView,
    added: Sequence[rungs.LadderEvent],
    order: Sequence[int],
) -> None:
    """Keep what happened on a ladder, which is locked, and the order that comes of it."""
    number, ladder = before.ladder.id, before.ladder
    rows = [{"ladder": number, **asdict(event)} for event in added]
    connection.execute(sa.insert(events), rows)
    # Those who drop at one instant drop together.
    first = ladder.counted_until + (added[0].action is rungs.LadderAction.DROP)
    if any(each.at < first for each in added):
        # Two clocks differ, and what was stored first came later.
        _rebuild_order(connection, number)
        return
    for event in added:
        if event.action is rungs.LadderAction.JOIN:
            assert event.person is not None
            _write_newcomer(connection, number, event.person, event.at)
    _write_rungs(connection, number, before.order, order)
    counted = {
        "last_event": _select_last_event(number).scalar_subquery(),
        "counted_until": max(each.at for each in added),
    }
    connection.execute(
        sa.update(tables.ladders).where(tables.ladders.c.id == number).values(counted)
    )


def _write_newcomer(connection: sa.Connection, number: int, person: int, now: int) -> None:
    """Keep a row for somebody who joins, unless they come back to theirs."""
    theirs = sa.and_(players.c.ladder == number, players.c.person == person)
    active = sa.case((players.c.active < now, now), else_=players.c.active)
    back = sa.update(players).where(theirs).values(active=active)
    if connection.execute(back).rowcount:
        return
    new = {"ladder": number, **asdict(rungs.LadderPlayer(person, None, active=now))}
    connection.execute(sa.insert(players).values(new))


def _write_rungs(
    connection: sa.Connection, number: int, before: Sequence[int], after: Sequence[int]
) -> None:
    """Keep who stands on another rung than before, and who is off the ladder."""
    places = {person: rung for rung, person in enumerate(before, 1)}
    moved = [
        {"of_person": person, "new_rung": rung}
        for rung, person in enumerate(after, 1)
        if places.pop(person, None) != rung
    ]
    whose = sa.and_(players.c.ladder == number, players.c.person == sa.bindparam("of_person"))
    if moved:
        connection.execute(
            sa.update(players).where(whose).values(rung=sa.bindparam("new_rung")), moved
        )
    if places:
        off = sa.and_(players.c.ladder == number, players.c.person.in_(sorted(places)))
        connection.execute(sa.update(players).where(off).values(rung=None, gone=None))


def _rebuild_order(connection: sa.Connection, number: int) -> None:
    """Replay all that happened on a ladder, which is locked, and keep what it comes to."""
    history = _load_history(connection, number)
    rows = [{"ladder": number, **asdict(each)} for each in _replay(connection, number, history)]
    connection.execute(sa.delete(players).where(players.c.ladder == number))
    if rows:
        connection.execute(sa.insert(players), rows)
    over = sa.select(results.c.at).where(results.c.match == challenges.c.match).scalar_subquery()
    unclosed = sa.and_(
        challenges.c.ladder == number,
        challenges.c.closed.is_(None),
        sa.exists().where(results.c.match == challenges.c.match),
    )
    connection.execute(sa.update(challenges).where(unclosed).values(closed=over))
    instants = [each.at for each in history.events]
    instants += [each.settled for each in history.challenges if each.settled is not None]
    counted = {
        "last_event": _select_last_event(number).scalar_subquery(),
        "counted_until": max(instants, default=0),
    }
    connection.execute(
        sa.update(tables.ladders).where(tables.ladders.c.id == number).values(counted)
    )


def _replay(
    connection: sa.Connection, number: int, history: tables.LadderHistory
) -> tuple[rungs.LadderPlayer, ...]:
    """Return who is or was on a ladder by all that happened; who is gone is no matter of that."""
    known = sa.select(players.c.person, players.c.gone).where(
        players.c.ladder == number, players.c.rung.is_not(None), players.c.gone.is_not(None)
    )
    gone = {each.person: each.gone for each in connection.execute(known)}
    return tuple(
        replace(each, gone=None if each.rung is None else gone.get(each.person))
        for each in rungs.compute_players(history.events, history.challenges)
    )


def _select_last_event(number: int) -> sa.Select[int]:
    return sa.select(sa.func.coalesce(sa.func.max(events.c.id), 0)).where(events.c.ladder == number)


def _is_kept(connection: sa.Connection, ladder: Ladder) -> bool:
    """Return whether the kept order of a ladder counts all that happened on it.

    A version from before it was kept may still run beside this one for a moment.
    """
    if ladder.last_event != connection.execute(_select_last_event(ladder.id)).scalar():
        return False
    uncounted = sa.exists().where(
        challenges.c.ladder == ladder.id,
        challenges.c.closed.is_(None),
        results.c.match == challenges.c.match,
    )
    return not connection.execute(sa.select(uncounted)).scalar()


def _is_order_wrong(connection: sa.Connection, ladder: Ladder) -> bool:
    if not _is_kept(connection, ladder):
        # It is replayed at each look until it is kept.
        return False
    theirs = sa.select(*_PLAYER).where(players.c.ladder == ladder.id)
    kept = {rungs.LadderPlayer(**row) for row in connection.execute(theirs).mappings()}
    history = _load_history(connection, ladder.id)
    return kept != set(_replay(connection, ladder.id, history))


def _has_happened(
    connection: sa.Connection,
    number: int,
    people: Collection[int],
    actions: Collection[rungs.LadderAction],
    since: int,
) -> bool:
    found = sa.exists().where(
        events.c.ladder == number,
        events.c.person.in_(sorted(people)),
        events.c.action.in_(sorted(actions)),
        events.c.at >= since,
    )
    return bool(connection.execute(sa.select(found)).scalar())


def _close_challenges(
    connection: sa.Connection,
    number: int,
    state: str,
    now: int,
    which: ColumnElement[bool] | None = None,
) -> list[int]:
    """Close those open challenges of a ladder, and return them."""
    closing = (
        sa.update(challenges)
        .where(challenges.c.ladder == number, challenges.c.state == "open")
        .values(state=state, closed=now)
        .returning(challenges.c.id)
    )
    if which is not None:
        closing = closing.where(which)
    return sorted(connection.execute(closing).scalars())


def _lock_open_view(connection: sa.Connection, number: int) -> LadderView | None:
    """Return a ladder that nobody else can change until the transaction ends; None if closed."""
    lock_rows(connection, tables.ladders.c.id, [number])
    ladder = _load_ladder(connection, number)
    if ladder is None or not ladder.is_open:
        return None
    if not _is_kept(connection, ladder):
        _rebuild_order(connection, number)
    return _load_view(connection, number)


def _load_ladder(connection: sa.Connection, number: int) -> Ladder | None:
    row = (
        connection.execute(sa.select(tables.ladders).where(tables.ladders.c.id == number))
        .mappings()
        .first()
    )
    return None if row is None else Ladder(**row)


def _load_view(connection: sa.Connection, number: int) -> LadderView | None:
    ladder = _load_ladder(connection, number)
    if ladder is None:
        return None
    closing = None if ladder.is_open else _load_closing(connection, number)
    if _is_kept(connection, ladder):
        known = _load_players(connection, number)
        return LadderView(ladder, known, _load_latest(connection, number), closing)
    history = _load_history(connection, number)
    replayed = _replay(connection, number, history)
    on_it = tuple(each for each in replayed if each.rung is not None)
    return LadderView(replace(ladder, last_event=None), on_it, history.challenges, closing)


def _load_players(connection: sa.Connection, number: int) -> tuple[rungs.LadderPlayer, ...]:
    """Return those who are on a ladder, by rung."""
    theirs = (
        sa.select(*_PLAYER)
        .where(players.c.ladder == number, players.c.rung.is_not(None))
        .order_by(players.c.rung)
    )
    return tuple(rungs.LadderPlayer(**row) for row in connection.execute(theirs).mappings())


def _load_latest(connection: sa.Connection, number: int) -> tuple[rungs.LadderChallenge, ...]:
    """Return the challenges that go on, the latest that are over, and those that still count.

    A pair waits for a while after it has met, and the last of a ladder is never in the future.
    """
    here = challenges.c.ladder == number
    closed = challenges.c.closed
    rows = list(connection.execute(_select_challenges(here, closed.is_(None))).mappings())
    last = connection.execute(sa.select(sa.func.max(closed)).where(here)).scalar()
    if last is not None:
        waiting = _select_challenges(here, closed > last - rungs.REMATCH_MS)
        over = list(connection.execute(waiting).mappings())
        if len(over) < MAX_LATEST:
            ended = _select_challenges(here, closed.is_not(None))
            latest = ended.order_by(closed.desc(), challenges.c.id.desc()).limit(MAX_LATEST)
            over = list(connection.execute(latest).mappings())
        rows += over
    return tuple(_build_challenge(row) for row in sorted(rows, key=lambda row: row["id"]))


def _load_closing(connection: sa.Connection, number: int) -> rungs.LadderEvent | None:
    """Return the ruling by which a ladder was closed."""
    ruling = (
        sa.select(*_EVENT)
        .where(events.c.ladder == number, events.c.moderator.is_not(None))
        .where(events.c.action == rungs.LadderAction.CLOSE)
        .order_by(events.c.id.desc())
        .limit(1)
    )
    return next(iter(_build_events(connection, ruling)), None)


def _load_history(connection: sa.Connection, number: int) -> tables.LadderHistory:
    happened = sa.select(*_EVENT).where(events.c.ladder == number).order_by(events.c.id)
    made = _select_challenges(challenges.c.ladder == number).order_by(challenges.c.id)
    return tables.LadderHistory(
        tuple(_build_events(connection, happened)),
        tuple(_build_challenge(each) for each in connection.execute(made).mappings()),
    )


def _build_events(connection: sa.Connection, query: sa.Select[Any]) -> list[rungs.LadderEvent]:
    return [
        rungs.LadderEvent(**{**each, "action": rungs.LadderAction(each["action"])})
        for each in connection.execute(query).mappings()
    ]


def _select_challenges(*which: ColumnElement[bool]) -> sa.Select[Any]:
    """Return the query for challenges, with what came of their matches."""
    return (
        sa.select(
            *(challenges.c[name] for name in _CHALLENGE),
            results.c.at,
            results.c.winner,
            results.c.how,
        )
        .outerjoin(results, results.c.match == challenges.c.match)
        .where(*which)
    )


_CHALLENGE = ("id", "challenger", "opponent", "created", "expires", "match", "state", "closed")


def _build_challenge(row: sa.RowMapping) -> rungs.LadderChallenge:
    """Return a challenge with what came of its match, or of the challenge itself."""
    outcome: Mapping[str, Any] = {
        "settled": row["at"],
        "winner": row["winner"],
        "how": row["how"],
    }
    if row["closed"] is not None and row["state"] != "accepted":
        winner = row["challenger"] if row["state"] in rungs.UNANSWERED else None
        outcome = {"settled": row["closed"], "winner": winner, "how": row["state"]}
    return rungs.LadderChallenge(
        id=row["id"],
        challenger=row["challenger"],
        challenged=row["opponent"],
        made=row["created"],
        expires=row["expires"],
        match=row["match"],
        **outcome,
    )


@DEADLINES.add(2)
def list_deadlines() -> Sequence[Deadline]:
    """Return that nobody could play on an open ladder during an outage."""
    return [
        Deadline(
            tables.ladders.c.next_drop, tables.ladders.c.closed.is_(None), tables.ladders.c.created
        )
    ]


@ACTIVITIES.add(3)
def find_active_rows() -> ActiveRows:
    """Return that open ladders are something that goes on."""
    return ActiveRows(tables.ladders.c.guild, tables.ladders.c.closed.is_(None))
