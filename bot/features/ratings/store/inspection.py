"""Ratings that are not what the matches they rest on have made of them."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Connection, Row, Text, and_, cast, select

from bot.features.matches.rows import (
    DRAW,
    Leaderboard,
    MatchRow,
    RatingKey,
    SkillValue,
    build_skill_value,
)
from bot.features.matches.store import load_matches, select_with_seats
from bot.features.matches.tables import matches, rating_changes, seats
from bot.features.ratings.store.rerating import load_carried_over
from bot.features.ratings.tables import DAILY_MEETINGS, has_same_sides, on_board, ratings
from bot.platform.db.tables import jobs
from engine.clock import MINUTE

PAGE = 2000
"""Rows that are read at a time."""

SWAPPED_WITHIN_MS = MINUTE
"""How far apart two ends may lie that were stored in the other order: a write waits no longer."""

BoardsOf: TypeAlias = Callable[[MatchRow], Collection[Leaderboard]]
"""Returns the boards whose ratings change when a match is annulled."""

_Row: TypeAlias = Row[*tuple[Any, ...]]


class _DayMatch(NamedTuple):
    """A match that the daily limit counts, and whether it left the ratings as they were."""

    match: int
    ended: int
    sides: dict[int, str]
    is_still: bool


def find_unsettled_boards(
    connection: Connection, rating_anew: str, boards: BoardsOf
) -> set[Leaderboard]:
    """Return the boards on which a job of that kind, whose key is a match, is still to rate."""
    waits = (
        select(jobs.c.id)
        .where(jobs.c.kind == rating_anew, jobs.c.key == cast(matches.c.id, Text))
        .exists()
    )
    rows = load_matches(connection, select_with_seats(matches, seats, waits))
    return {board for row in rows for board in boards(row)}


def find_wrong_ratings(
    connection: Connection, unsettled: Collection[Leaderboard]
) -> Iterator[RatingKey]:
    """Yield the ratings that what matches did to them does not lead to, and those without any.

    On unsettled boards only the results are judged.
    """
    change = rating_changes.c
    boards = connection.execute(select(change.scope, change.pool).distinct()).all()
    for board in sorted(Leaderboard(*row) for row in boards):
        yield from _find_wrong_on_board(connection, board, is_settled=board not in unsettled)
    yield from _find_matchless_ratings(connection)


def _find_wrong_on_board(
    connection: Connection, board: Leaderboard, *, is_settled: bool
) -> Iterator[RatingKey]:
    change = rating_changes.c
    carried = load_carried_over(connection, board)
    key = (change.scope, change.pool, change.person)
    same = and_(*(column == ratings.c[column.name] for column in key))
    query = (
        select(
            change.person,
            *(
                change[name]
                for name in ("before_mu", "before_sigma", "after_mu", "after_sigma", "side")
            ),
            matches.c.winner,
            *(ratings.c[name] for name in ("mu", "sigma", "won", "drawn", "lost")),
        )
        .join(matches)
        # An outer join, so that changes whose rating is missing are found as well.
        .outerjoin(ratings, same)
        .where(on_board(rating_changes, board))
        .order_by(change.person)
        .execution_options(yield_per=PAGE)
    )
    for person, rows in groupby(connection.execute(query), key=attrgetter("person")):
        changes = list(rows)
        if not _has_right_results(changes) or (
            is_settled and not _is_consistent_chain(changes, carried.get(person))
        ):
            yield RatingKey(*board, person)


def _has_right_results(changes: Sequence[_Row]) -> bool:
    """Whether what is stored counts the results of somebody's matches."""
    won = sum(row.winner == row.side for row in changes)
    drawn = sum(row.winner == DRAW for row in changes)
    lost = len(changes) - won - drawn
    # The stored rating is joined to each of its changes, so any row has it.
    stored = changes[0]
    return (won, drawn, lost) == (stored.won, stored.drawn, stored.lost)


def _is_consistent_chain(changes: Sequence[_Row], start: SkillValue | None) -> bool:
    """Whether the changes of a rating form a chain from a start to the stored value.

    The start is None for a newcomer. Their order is free: two matches that ended in the same moment
    may have been rated either way.
    """
    steps = [
        (
            build_skill_value(row.before_mu, row.before_sigma),
            SkillValue(row.after_mu, row.after_sigma),
        )
        for row in changes
    ]
    # Two changes that begin at the same value leave one entry, and so break the chain below.
    moves = {before: after for before, after in steps if before != after}
    at = start
    passed = {at}
    for _ in range(sum(before != after for before, after in steps)):
        if at not in moves:
            return False
        at = moves.pop(at)
        passed.add(at)
    stored = changes[0]
    # What moves nothing, by the daily limit, does so somewhere on the way.
    return at == build_skill_value(stored.mu, stored.sigma) and passed.issuperset(
        after for before, after in steps if before == after
    )


def _find_matchless_ratings(connection: Connection) -> Iterator[RatingKey]:
    """Yield the ratings that rest on no match."""
    key = ("scope", "pool", "person")
    some = (
        select(rating_changes.c.match)
        .where(*(rating_changes.c[name] == ratings.c[name] for name in key))
        .exists()
    )
    for row in connection.execute(select(*(ratings.c[name] for name in key)).where(~some)):
        yield RatingKey(*row)


def find_wrong_limits(
    connection: Connection, unsettled: Collection[Leaderboard]
) -> Iterator[tuple[int, Leaderboard]]:
    """Yield the matches to which the daily limit was applied wrongly, each with the board."""
    change = rating_changes.c
    names = ("before_mu", "before_sigma", "after_mu", "after_sigma", "side")
    query = (
        select(
            change.scope,
            change.pool,
            change.day,
            matches.c.game,
            change.match,
            matches.c.ended,
            change.person,
            *(change[name] for name in names),
        )
        .join(matches)
        .where(change.day.is_not(None))
        .order_by(change.scope, change.pool, change.day, matches.c.game, change.match)
        .execution_options(yield_per=PAGE)
    )
    for (scope, pool, *_), rows in groupby(
        connection.execute(query), key=attrgetter("scope", "pool", "day", "game")
    ):
        board = Leaderboard(scope, pool)
        played = [
            _build_day_match(list(each)) for _, each in groupby(rows, key=attrgetter("match"))
        ]
        if board not in unsettled:
            yield from ((each, board) for each in _find_wrongly_limited(played))


def _build_day_match(rows: Sequence[_Row]) -> _DayMatch:
    is_still = all(
        (row.before_mu, row.before_sigma) == (row.after_mu, row.after_sigma) for row in rows
    )
    sides = {row.person: row.side for row in rows}
    return _DayMatch(rows[0].match, rows[0].ended, sides, is_still)


def _find_wrongly_limited(played: Sequence[_DayMatch]) -> Iterator[int]:
    """Yield the wrongly limited among a board's matches of one game and day.

    Two that ended at nearly the same time may have been stored in either order, so they are counted
    for each other, or not, as it fits.
    """
    by_person: dict[int, list[_DayMatch]] = defaultdict(list)
    for each in played:
        for person in each.sides:
            by_person[person].append(each)
    for one in played:
        ends = [
            other.ended
            for other in by_person[next(iter(one.sides))]
            if other.match != one.match and has_same_sides(other.sides, one.sides)
        ]
        surely_before = sum(ended < one.ended - SWAPPED_WITHIN_MS for ended in ends)
        perhaps_before = sum(ended <= one.ended + SWAPPED_WITHIN_MS for ended in ends)
        least = surely_before >= DAILY_MEETINGS
        most = perhaps_before >= DAILY_MEETINGS
        if not least <= one.is_still <= most:
            yield one.match
