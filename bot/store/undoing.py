"""Ratings as if a match had not been played: the matches that ended after it are rated anew, board by board.

Everything is done in the transaction of the annulment, a few matches between two questions to the database, so that the
program answers others meanwhile. What comes after a match on a board is in the order in which the matches ended.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Connection, Row, bindparam, delete, func, select, tuple_, update

from bot.store.rows import Belief, Board, Rerate, believed
from bot.store.statements import hold_ratings, lock, on_board
from bot.store.tables import matches, rating_changes, ratings

PAGE = 20
"""Matches that are rated at a stretch: a few milliseconds."""

_Change: TypeAlias = Row[*tuple[Any, ...]]
_Beliefs: TypeAlias = dict[int, Belief]


class Result(NamedTuple):
    """How a match ended before it was annulled, and when."""

    winner: str
    ended: int


def result(connection: Connection, match: int) -> Result | None:
    """Return how a match ended, which nobody else changes until the transaction ends; None while it goes on."""
    lock(connection, matches.c.id, [match])
    row = connection.execute(select(matches.c.winner, matches.c.ended).where(matches.c.id == match)).first()
    return None if row is None or row.ended is None else Result(row.winner, row.ended)


def undo(connection: Connection, match: int, before: Result, rerate: Rerate) -> None:
    """Take a match, which ended so, out of all ratings, inside a transaction."""
    hold_ratings(connection)
    counted = select(rating_changes).where(rating_changes.c.match == match)
    changes = connection.execute(counted.order_by(rating_changes.c.scope, rating_changes.c.pool)).all()
    for (scope, pool), found in groupby(changes, key=attrgetter("scope", "pool")):
        _undo(connection, Board(scope, pool), match, before, list(found), rerate)


def _undo(
    connection: Connection, board: Board, match: int, before: Result, changes: Sequence[_Change], rerate: Rerate
) -> None:
    beliefs = _at(connection, board, match, before)
    connection.execute(delete(rating_changes).where(on_board(rating_changes, board), rating_changes.c.match == match))
    moved = {change.person for change in changes}
    for page in _after(connection, board, match, before):
        moved |= _rate_anew(connection, board, page, beliefs, rerate)
    _count_off(connection, board, before, changes)
    _believe(connection, board, moved, beliefs)


def _at(connection: Connection, board: Board, match: int, before: Result) -> _Beliefs:
    """Return what everyone on a board was believed to be before a match."""
    change = rating_changes.c
    order = (matches.c.ended.desc(), matches.c.id.desc())
    last_first = func.row_number().over(partition_by=change.person, order_by=order).label("place")
    earlier = (
        select(change.person, change.after_mu, change.after_sigma, last_first)
        .join(matches)
        .where(on_board(rating_changes, board), tuple_(matches.c.ended, matches.c.id) < tuple_(before.ended, match))
        .subquery()
    )
    query = select(earlier.c.person, earlier.c.after_mu, earlier.c.after_sigma).where(earlier.c.place == 1)
    return {person: Belief(mu, sigma) for person, mu, sigma in connection.execute(query)}


def _after(connection: Connection, board: Board, match: int, before: Result) -> Iterator[list[list[_Change]]]:
    """Yield what the matches of a board that ended after one did to its ratings, some matches at a time."""
    last = (before.ended, match)
    here = (
        select(rating_changes.c.match)
        .where(on_board(rating_changes, board), rating_changes.c.match == matches.c.id)
        .exists()
    )
    while True:
        query = (
            select(matches.c.id, matches.c.ended)
            .where(tuple_(matches.c.ended, matches.c.id) > tuple_(*last), here)
            .order_by(matches.c.ended, matches.c.id)
            .limit(PAGE)
        )
        found = connection.execute(query).all()
        if not found:
            return
        yield _changes(connection, board, [row.id for row in found])
        last = (found[-1].ended, found[-1].id)


def _changes(connection: Connection, board: Board, numbers: Sequence[int]) -> list[list[_Change]]:
    query = (
        select(rating_changes, matches.c.winner)
        .join(matches)
        .where(on_board(rating_changes, board), rating_changes.c.match.in_(numbers))
        .order_by(matches.c.ended, matches.c.id, rating_changes.c.person)
    )
    found = connection.execute(query).all()
    return [list(rows) for _, rows in groupby(found, key=attrgetter("match"))]


def _rate_anew(
    connection: Connection, board: Board, page: Sequence[Sequence[_Change]], beliefs: _Beliefs, rerate: Rerate
) -> set[int]:
    """Rate some matches by what people were believed to be before them, and return those who come out otherwise."""
    otherwise = []
    for rows in page:
        if all(believed(row.before_mu, row.before_sigma) == beliefs.get(row.person) for row in rows):
            beliefs |= {row.person: Belief(row.after_mu, row.after_sigma) for row in rows}
            continue
        found = _rated(rows, beliefs, rerate)
        otherwise += [_changed(row, beliefs.get(row.person), found[row.person]) for row in rows]
        beliefs |= found
    if otherwise:
        change = rating_changes.c
        key = (change.match == bindparam("of_match"), change.person == bindparam("of_person"))
        connection.execute(update(rating_changes).where(on_board(rating_changes, board), *key), otherwise)
    return {row["of_person"] for row in otherwise}


def _rated(rows: Sequence[_Change], beliefs: Mapping[int, Belief], rerate: Rerate) -> _Beliefs:
    people = {side: [row.person for row in rows if row.side == side] for side in ("gold", "black")}
    teams = {side: [beliefs.get(person) for person in team] for side, team in people.items()}
    found = rerate(teams, rows[0].winner)
    return {
        person: Belief(after.mu, after.sigma)
        for side, team in people.items()
        for person, after in zip(team, found[side], strict=True)
    }


def _changed(row: _Change, before: Belief | None, after: Belief) -> dict[str, Any]:
    return {
        "of_match": row.match,
        "of_person": row.person,
        "before_mu": before and before.mu,
        "before_sigma": before and before.sigma,
        "after_mu": after.mu,
        "after_sigma": after.sigma,
    }


def _count_off(connection: Connection, board: Board, before: Result, changes: Sequence[_Change]) -> None:
    """Count a match off the results of those who were rated in it, and forget the ratings that rest on none."""
    for change in changes:
        mine = (on_board(ratings, board), ratings.c.person == change.person)
        counted = ratings.c.drawn if before.winner == "draw" else ratings.c.lost
        if change.side == before.winner:
            counted = ratings.c.won
        latest = (
            select(func.max(matches.c.ended))
            .join(rating_changes)
            .where(on_board(rating_changes, board), rating_changes.c.person == change.person)
            .scalar_subquery()
        )
        values = {"games": ratings.c.games - 1, counted.name: counted - 1}
        connection.execute(delete(ratings).where(*mine, ratings.c.games == 1))
        connection.execute(update(ratings).where(*mine).values(**values, updated=latest))


def _believe(connection: Connection, board: Board, moved: set[int], beliefs: Mapping[int, Belief]) -> None:
    """Write what people are believed to be now."""
    rows = [
        {"of_person": person, "mu": beliefs[person].mu, "sigma": beliefs[person].sigma}
        for person in sorted(moved)
        if person in beliefs
    ]
    if rows:
        query = update(ratings).where(on_board(ratings, board), ratings.c.person == bindparam("of_person"))
        connection.execute(query, rows)
