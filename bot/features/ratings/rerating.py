"""Boards rated anew from the results of their matches, as if each had just ended in turn."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, replace
from typing import TypeAlias

from sqlalchemy import Connection, delete

from bot.features.ratings.store import write_changes
from bot.platform.db.rating_rows import Leaderboard, RatingChange, RatingKey, RatingRow
from bot.platform.db.rows import Result
from bot.platform.db.statements import lock_ratings, on_board, upsert_rows
from bot.platform.db.tables import rating_changes, ratings

RateResult: TypeAlias = Callable[
    [Result, Mapping[RatingKey, RatingRow]], Mapping[RatingKey, RatingRow]
]
"""Turns the ratings before a result into those after it."""


def rerate_boards(
    connection: Connection,
    boards: Collection[Leaderboard],
    results: Iterable[Result],
    rate: RateResult,
) -> None:
    """Replace all that boards hold by what results come to, in the order in which they are given.

    It runs inside a transaction; nobody else rates until that ends.
    """
    # Locked before the rows go: a match that ended now would be rated from an empty board.
    lock_ratings(connection)
    for board in boards:
        for table in (rating_changes, ratings):
            connection.execute(delete(table).where(on_board(table, board)))
    rows: dict[RatingKey, RatingRow] = {}
    for result in results:
        # A match counts on several boards, and the others must not change.
        here = replace(result, boards=tuple(board for board in result.boards if board in boards))
        before = {key: rows[key] for key in here.rating_keys if key in rows}
        after = rate(here, before)
        changes = [RatingChange(key, before.get(key), row) for key, row in after.items()]
        write_changes(connection, result.match, changes, result.sides)
        rows |= after
    upsert_rows(
        connection, ratings, [{**key._asdict(), **asdict(row)} for key, row in rows.items()]
    )
