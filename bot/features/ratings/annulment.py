"""An annulled match taken out of its players' ratings and results, inside its transaction.

The matches that ended after it are rated again afterwards (see `rerating`).
"""

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, TypeAlias

from sqlalchemy import Connection, Row, delete, func, select, update

from bot.platform.db.rating_rows import DRAW, Leaderboard
from bot.platform.db.statements import lock_ratings, on_board
from bot.platform.db.tables import matches, rating_changes, ratings

_ChangeRow: TypeAlias = Row[*tuple[Any, ...]]


def remove_match(connection: Connection, match: int, winner: str) -> None:
    """Take a match with that winner out of its players' ratings, inside a transaction."""
    # Locked before the changes are read, or a rating of the same moment would rest on them.
    lock_ratings(connection)
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
