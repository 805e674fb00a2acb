"""Matches rated again, board by board in the order of their ends.

After an annulment those that ended later are rated a few in a transaction, so that other writers
wait for milliseconds only, and the ratings change at the end, all at once. It may be interrupted
anywhere and started again, and run for several annulled matches side by side. A repair rates whole
boards from the results of their matches, in one transaction.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Connection, Row, bindparam, delete, func, insert, select, tuple_, update

from bot.features.matches.rows import (
    DRAW,
    Leaderboard,
    RatingChange,
    RatingKey,
    SkillValue,
    build_change,
)
from bot.features.matches.tables import matches, rating_changes
from bot.features.ratings import tables
from bot.features.ratings.service import carry_over, get_board_order, list_earlier_boards
from bot.features.ratings.tables import Rerate, on_board, ratings
from bot.platform.db.database import Database
from engine.clock import DAY

PAGE = 20
"""Matches that are rated in a transaction: a few milliseconds."""

_MAX_MATCHES_A_STATEMENT = 500
"""Matches that are asked for in one statement, whose parameters databases limit."""


ChangeRow: TypeAlias = Row[*tuple[Any, ...]]
SkillValues: TypeAlias = Mapping[int, SkillValue]
EndOrder: TypeAlias = tuple[int, int]
"""The place of a match among those that ended: by its end and its id."""


class RerateConflictError(Exception):
    """Somebody else has changed the values from which this was computed."""


class LatestSkill(NamedTuple):
    """What somebody is believed to be after a match, the last of theirs so far."""

    match: int
    belief: SkillValue


class Meeting(NamedTuple):
    """A match that the daily limit counts: its day and game, and on which side everyone played."""

    day: int
    game: str
    sides: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class RerateProgress:
    """How far a board is rated again, and everyone's rating on it at that point.

    `met` are the matches of that day that the daily limit counts.
    """

    place: EndOrder
    known: Mapping[int, LatestSkill]
    met: Sequence[Meeting] = ()

    @property
    def skill_values(self) -> SkillValues:
        """What everyone is believed to be."""
        return {person: known.belief for person, known in self.known.items()}


def rerate_page(
    connection: Connection,
    board: Leaderboard,
    reckoned: RerateProgress,
    rerate: Rerate,
    until: int | None,
) -> RerateProgress | None:
    """Rate the next few matches again inside a transaction; None if there are none.

    Those are matches that ended until then.
    """
    here = (
        select(rating_changes.c.match)
        .where(on_board(rating_changes, board), rating_changes.c.match == matches.c.id)
        .exists()
    )
    # By end and id, since several matches may end in the same millisecond.
    query = select(matches.c.id, matches.c.ended).where(
        tuple_(matches.c.ended, matches.c.id) > tuple_(*reckoned.place), here
    )
    if until is not None:
        query = query.where(matches.c.ended <= until)
    found = connection.execute(query.order_by(matches.c.ended, matches.c.id).limit(PAGE)).all()
    if not found:
        return None
    page = list(_load_changes(connection, board, [row.id for row in found]))
    require_no_conflict(connection, board, reckoned, {row.person for rows in page for row in rows})
    known, met = _rerate_matches(connection, board, page, reckoned, rerate)
    return RerateProgress((found[-1].ended, found[-1].id), known, met)


def _load_changes(
    connection: Connection, board: Leaderboard, numbers: Sequence[int]
) -> Iterator[Sequence[ChangeRow]]:
    query = (
        select(rating_changes, matches.c.winner, matches.c.game)
        .join(matches)
        .where(on_board(rating_changes, board), rating_changes.c.match.in_(numbers))
        .order_by(matches.c.ended, matches.c.id, rating_changes.c.person)
    )
    found = connection.execute(query).all()
    return (list(rows) for _, rows in groupby(found, key=attrgetter("match")))


def require_no_conflict(
    connection: Connection, board: Leaderboard, reckoned: RerateProgress, people: set[int]
) -> None:
    """Raise RerateConflictError unless those people have the same ratings in the database."""
    known = {person: reckoned.known[person] for person in people if person in reckoned.known}
    numbers = sorted({last.match for last in known.values()})
    change = rating_changes.c
    said: dict[tuple[int, int], SkillValue] = {}
    for at in range(0, len(numbers), _MAX_MATCHES_A_STATEMENT):
        # By the matches alone: with people in the condition, SQLite would scan all of the board.
        query = select(change.match, change.person, change.after_mu, change.after_sigma).where(
            on_board(rating_changes, board),
            change.match.in_(numbers[at : at + _MAX_MATCHES_A_STATEMENT]),
        )
        said |= {
            (row.match, row.person): SkillValue(row.after_mu, row.after_sigma)
            for row in connection.execute(query)
        }
    if any(said.get((last.match, person)) != last.belief for person, last in known.items()):
        raise RerateConflictError


def _rerate_matches(
    connection: Connection,
    board: Leaderboard,
    page: Sequence[Sequence[ChangeRow]],
    reckoned: RerateProgress,
    rerate: Rerate,
) -> tuple[Mapping[int, LatestSkill], Sequence[Meeting]]:
    """Rate some matches from the given ratings.

    Returns the people's ratings after them, and the matches of their last day that the daily limit
    counts.
    """
    known, met = dict(reckoned.known), list(reckoned.met)
    people = {row.person for rows in page for row in rows}
    carried = load_carried_over(connection, board, people - known.keys())
    otherwise = []
    for rows in page:
        before = {
            person: known[person].belief if person in known else carried[person]
            for person in (row.person for row in rows)
            if person in known or person in carried
        }
        is_limited = False
        if rows[0].day is not None:
            meeting = build_meeting(rows[0].day, rows)
            met = [each for each in met if each.day == meeting.day]
            same_game = (each.sides for each in met if each.game == meeting.game)
            is_limited = tables.has_reached_limit(same_game, meeting.sides)
            met.append(meeting)
        changes = [build_change(row._asdict()) for row in rows]
        if all(
            change.before == before.get(change.key.person) and change.is_still == is_limited
            for change in changes
        ):
            # Nothing before this match has changed, so neither has its result: no row is written.
            known |= {
                row.person: LatestSkill(row.match, SkillValue(row.after_mu, row.after_sigma))
                for row in rows
            }
            continue
        found = before if is_limited else _rerate_match(rows, before, rerate)
        otherwise += [
            _build_change_row(row, before.get(row.person), found[row.person]) for row in rows
        ]
        known |= {row.person: LatestSkill(row.match, found[row.person]) for row in rows}
    if otherwise:
        change = rating_changes.c
        key = (change.match == bindparam("of_match"), change.person == bindparam("of_person"))
        connection.execute(
            update(rating_changes).where(on_board(rating_changes, board), *key), otherwise
        )
    return known, met


def _rerate_match(rows: Sequence[ChangeRow], beliefs: SkillValues, rerate: Rerate) -> SkillValues:
    people = {side: [row.person for row in rows if row.side == side] for side in ("gold", "black")}
    teams = {side: [beliefs.get(person) for person in team] for side, team in people.items()}
    found = rerate(teams, rows[0].winner)
    return {
        person: SkillValue(after.mu, after.sigma)
        for side, team in people.items()
        for person, after in zip(team, found[side], strict=True)
    }


def _build_change_row(
    row: ChangeRow, before: SkillValue | None, after: SkillValue
) -> dict[str, Any]:
    return {
        "of_match": row.match,
        "of_person": row.person,
        "before_mu": before and before.mu,
        "before_sigma": before and before.sigma,
        "after_mu": after.mu,
        "after_sigma": after.sigma,
    }


def build_meeting(day: int, rows: Sequence[ChangeRow]) -> Meeting:
    """Return what the daily limit needs to know of a match, by its rows on a board."""
    return Meeting(day, rows[0].game, {row.person: row.side for row in rows})


def load_carried_over(
    connection: Connection, board: Leaderboard, people: Collection[int] | None = None
) -> SkillValues:
    """Return what people, or all (None), start from on a season's board, by earlier seasons."""
    earlier = list_earlier_boards(board)
    if not earlier or (people is not None and not people):
        return {}
    scopes = [each.scope for each in earlier]
    query = select(ratings.c.scope, ratings.c.person, ratings.c.mu, ratings.c.sigma).where(
        ratings.c.scope.in_(scopes), ratings.c.pool == board.pool
    )
    if people is not None:
        query = query.where(ratings.c.person.in_(people))
    found: dict[int, dict[Leaderboard, SkillValue]] = defaultdict(dict)
    for scope, person, mu, sigma in connection.execute(query):
        found[person][Leaderboard(scope, board.pool)] = SkillValue(mu, sigma)
    carried = {person: carry_over(board, before) for person, before in found.items()}
    return {person: belief for person, belief in carried.items() if belief}


_UNRATED = SkillValue(0.0, 0.0)
"""Stands in a change that has yet to be rated; nobody has such a rating."""


async def rerate_after(
    database: Database, board: Leaderboard, match: int, rerate: Rerate, until: int
) -> None:
    """Rate again, on one board, all matches that ended after one that was annulled.

    All that ended by `until` must have been stored: those are rated a few at a time, and the others
    at once together with the final ratings.
    """
    while True:
        try:
            await _try_rerate(database, board, match, rerate, until)
        except RerateConflictError:
            # A match was rated or annulled meanwhile: what is stored so far stays, and is found
            # unchanged on the next way through.
            continue
        return


def rerate_boards(
    connection: Connection,
    boards: Collection[Leaderboard],
    results: Sequence[tables.Result],
    rerate: Rerate,
) -> None:
    """Replace all that boards hold by what the results of their matches come to.

    It runs inside a transaction, after the rows of these matches say how they ended; nobody else
    rates until that ends.
    """
    # Locked before the rows go: a match that ended now would be rated from an empty board.
    tables.lock_ratings(connection)
    # A season's ratings start from those of the seasons before.
    for board in sorted(boards, key=get_board_order):
        for table in (rating_changes, ratings):
            connection.execute(delete(table).where(on_board(table, board)))
        _insert_unrated_changes(connection, board, results)
        settled = _rerate_rest(connection, board, RerateProgress((0, 0), {}), rerate)
        _insert_ratings(connection, board, settled.skill_values)


async def _try_rerate(
    database: Database, board: Leaderboard, match: int, rerate: Rerate, until: int
) -> None:
    reckoned = await database.read(
        lambda connection: _load_progress_before(connection, board, match)
    )
    going_on: RerateProgress | None = reckoned
    while going_on is not None:
        reckoned = going_on
        going_on = await _rerate_next_page(database, board, reckoned, rerate, until)
    # Looked up outside the last transaction, since it reads the whole board and others wait for
    # that one.
    stale = await database.read(
        lambda connection: _find_stale_people(connection, board, reckoned.skill_values)
    )

    def end(connection: Connection) -> None:
        tables.lock_ratings(connection)
        settled = _rerate_rest(connection, board, reckoned, rerate)
        moved = {
            person for person, known in settled.known.items() if known != reckoned.known.get(person)
        } | stale
        require_no_conflict(connection, board, settled, moved)
        _write_skill_values(connection, board, moved, settled.skill_values)

    await database.write(end)


async def _rerate_next_page(
    database: Database, board: Leaderboard, reckoned: RerateProgress, rerate: Rerate, until: int
) -> RerateProgress | None:
    def work(connection: Connection) -> RerateProgress | None:
        tables.lock_ratings(connection)
        return rerate_page(connection, board, reckoned, rerate, until)

    return await database.write(work)


def _load_progress_before(connection: Connection, board: Leaderboard, match: int) -> RerateProgress:
    """Return what everyone on a board was believed to be before a match."""
    ended: int = connection.execute(
        select(matches.c.ended).where(matches.c.id == match)
    ).scalar_one()
    change = rating_changes.c
    order = (matches.c.ended.desc(), matches.c.id.desc())
    # One statement finds the latest earlier match of everyone on the board.
    last_first = func.row_number().over(partition_by=change.person, order_by=order).label("place")
    earlier = (
        select(change.person, change.match, change.after_mu, change.after_sigma, last_first)
        .join(matches)
        .where(
            on_board(rating_changes, board),
            tuple_(matches.c.ended, matches.c.id) < tuple_(ended, match),
        )
        .subquery()
    )
    columns = (earlier.c.person, earlier.c.match, earlier.c.after_mu, earlier.c.after_sigma)
    found = connection.execute(select(*columns).where(earlier.c.place == 1))
    return RerateProgress(
        (ended, match),
        {person: LatestSkill(last, SkillValue(mu, sigma)) for person, last, mu, sigma in found},
        _load_meetings_before(connection, board, (ended, match)),
    )


def _load_meetings_before(
    connection: Connection, board: Leaderboard, place: EndOrder
) -> Sequence[Meeting]:
    """Return the matches before a place, of its day, that the daily limit counts."""
    change = rating_changes.c
    day = tables.find_day(place[0])
    query = (
        select(change.match, change.person, change.side, matches.c.game)
        .join(matches)
        .where(
            # By the ends, which have an index: the days of a whole board have none.
            matches.c.ended >= day * DAY,
            tuple_(matches.c.ended, matches.c.id) < tuple_(*place),
            on_board(rating_changes, board),
            change.day == day,
        )
        .order_by(change.match)
    )
    found = connection.execute(query).all()
    return [build_meeting(day, list(rows)) for _, rows in groupby(found, key=attrgetter("match"))]


def _rerate_rest(
    connection: Connection, board: Leaderboard, reckoned: RerateProgress, rerate: Rerate
) -> RerateProgress:
    """Rate all other matches again, under the lock: no further match can end until it goes."""
    while (after := rerate_page(connection, board, reckoned, rerate, None)) is not None:
        reckoned = after
    return reckoned


def _insert_unrated_changes(
    connection: Connection, board: Leaderboard, results: Sequence[tables.Result]
) -> None:
    """Insert a change for everyone in those results that count on a board."""
    rows = [
        tables.build_change_row(
            result.match,
            RatingChange(RatingKey(*board, person), _UNRATED, _UNRATED),
            side,
            result.day,
        )
        for result in results
        if board in result.boards
        for person, side in result.sides.items()
    ]
    if rows:
        connection.execute(insert(rating_changes), rows)


def _insert_ratings(connection: Connection, board: Leaderboard, beliefs: SkillValues) -> None:
    """Insert everyone's rating on a board, with the results it rests on."""
    change = rating_changes.c
    counts = (
        select(
            change.person,
            func.count().label("games"),
            func.count().filter(change.side == matches.c.winner).label("won"),
            func.count().filter(matches.c.winner == DRAW).label("drawn"),
            func.max(matches.c.ended).label("updated"),
        )
        .join(matches)
        .where(on_board(rating_changes, board))
        .group_by(change.person)
    )
    rows = [
        {
            **board._asdict(),
            **beliefs[counted.person]._asdict(),
            **counted._asdict(),
            "lost": counted.games - counted.won - counted.drawn,
        }
        for counted in connection.execute(counts)
    ]
    if rows:
        connection.execute(insert(ratings), rows)


def _find_stale_people(
    connection: Connection, board: Leaderboard, beliefs: SkillValues
) -> set[int]:
    """Return the people whose rating on the leaderboard differs from the computed one."""
    query = select(ratings.c.person, ratings.c.mu, ratings.c.sigma).where(on_board(ratings, board))
    said = {row.person: SkillValue(row.mu, row.sigma) for row in connection.execute(query)}
    return {person for person, belief in beliefs.items() if said.get(person) != belief}


def _write_skill_values(
    connection: Connection, board: Leaderboard, moved: set[int], beliefs: SkillValues
) -> None:
    """Let the leaderboard say what people are believed to be now."""
    rows = [
        {"of_person": person, "mu": beliefs[person].mu, "sigma": beliefs[person].sigma}
        for person in sorted(moved)
    ]
    if rows:
        query = update(ratings).where(
            on_board(ratings, board), ratings.c.person == bindparam("of_person")
        )
        connection.execute(query, rows)


_ChangeRow: TypeAlias = Row[*tuple[Any, ...]]


def remove_match(connection: Connection, match: int, winner: str) -> None:
    """Take a match with that winner out of its players' ratings, inside a transaction."""
    # Locked before the changes are read, or a rating of the same moment would rest on them.
    tables.lock_ratings(connection)
    counted = select(rating_changes).where(rating_changes.c.match == match)
    changes = connection.execute(
        counted.order_by(rating_changes.c.scope, rating_changes.c.pool)
    ).all()
    connection.execute(delete(rating_changes).where(rating_changes.c.match == match))
    for (scope, pool), found in groupby(changes, key=attrgetter("scope", "pool")):
        _subtract_results(connection, Leaderboard(scope, pool), winner, list(found))


def _subtract_results(
    connection: Connection, board: Leaderboard, winner: str, changes: Sequence[_ChangeRow]
) -> None:
    """Subtract a match from the results of those rated in it.

    Ratings that rest on no other match are deleted.
    """
    for change in changes:
        mine = (on_board(ratings, board), ratings.c.person == change.person)
        # A draw counts for both sides; otherwise each side's column follows from the winner.
        counted = ratings.c.drawn if winner == DRAW else ratings.c.lost
        if change.side == winner:
            counted = ratings.c.won
        latest = (
            select(func.max(matches.c.ended))
            .join(rating_changes)
            .where(on_board(rating_changes, board), rating_changes.c.person == change.person)
            .scalar_subquery()
        )
        values = {"games": ratings.c.games - 1, counted.name: counted - 1}
        # Deleted first, while the count still includes this match: no rating rests on no match.
        connection.execute(delete(ratings).where(*mine, ratings.c.games == 1))
        connection.execute(update(ratings).where(*mine).values(**values, updated=latest))
