"""Matches rated again, board by board in the order of their ends.

After an annulment those that ended later are rated a few in a transaction, so that other writers
wait for milliseconds only, and the ratings change at the end, all at once. It may be interrupted
anywhere and started again, and run for several annulled matches side by side. A repair rates whole
boards from the results of their matches, in one transaction.
"""

from collections.abc import Collection, Sequence
from itertools import groupby
from operator import attrgetter

from sqlalchemy import Connection, bindparam, delete, func, insert, select, tuple_, update

from bot.features.ratings.daily_limit import find_day
from bot.features.ratings.rerating_pages import (
    EndOrder,
    LatestSkill,
    Meeting,
    RerateConflictError,
    RerateProgress,
    SkillValues,
    make_meeting,
    require_no_conflict,
    rerate_page,
)
from bot.features.ratings.seasons import get_board_order
from bot.platform.db.database import Database
from bot.platform.db.rating_rows import (
    DRAW,
    Leaderboard,
    RatingChange,
    RatingKey,
    Rerate,
    SkillValue,
    make_change_row,
)
from bot.platform.db.rows import Result
from bot.platform.db.statements import lock_ratings, on_board
from bot.platform.db.tables import matches, rating_changes, ratings
from engine.clock import DAY

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
    results: Sequence[Result],
    rerate: Rerate,
) -> None:
    """Replace all that boards hold by what the results of their matches come to.

    It runs inside a transaction, after the rows of these matches say how they ended; nobody else
    rates until that ends.
    """
    # Locked before the rows go: a match that ended now would be rated from an empty board.
    lock_ratings(connection)
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
        lock_ratings(connection)
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
        lock_ratings(connection)
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
    day = find_day(place[0])
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
    return [make_meeting(day, list(rows)) for _, rows in groupby(found, key=attrgetter("match"))]


def _rerate_rest(
    connection: Connection, board: Leaderboard, reckoned: RerateProgress, rerate: Rerate
) -> RerateProgress:
    """Rate all other matches again, under the lock: no further match can end until it goes."""
    while (after := rerate_page(connection, board, reckoned, rerate, None)) is not None:
        reckoned = after
    return reckoned


def _insert_unrated_changes(
    connection: Connection, board: Leaderboard, results: Sequence[Result]
) -> None:
    """Insert a change for everyone in those results that count on a board."""
    rows = [
        make_change_row(
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
            **counted._mapping,  # noqa: SLF001 - its public name
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
