"""In which finished matches the opening roll made people change sides."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

from alembic import op
from sqlalchemy import Column, bindparam, column, select, table, update

from bot.platform.db.migrations.operations import create_partial_index
from bot.platform.db.tables import BIG, DOCUMENT, Flag

revision = "23"
down_revision = "22"

_WINNER_IS_GOLD = ("baralie", "seis-dos-e-as")
"""The games in which the winner of the opening roll plays gold."""
_WINNER_CHOOSES = ("laquet", "cab-e-quinal", "cab-e-quinal-fixed")
"""The games in which the winner of the opening roll chooses a side."""


def upgrade() -> None:
    """Add the column, to the index of a server's results too, and fill it for what is over."""
    swapped = Column("swapped", Flag, nullable=False, server_default="0")
    op.add_column("matches", swapped)
    op.drop_index("server_results", "matches")
    columns = ["guild", "ended", "id", "game", "how", "winner", "swapped"]
    create_partial_index("server_results", "matches", columns, "ended IS NOT NULL")
    _mark_swapped()


def _mark_swapped() -> None:
    matches = table(
        "matches", column("id", BIG), column("game"), column("ended", BIG), column("swapped", Flag)
    )
    events = table("events", column("match", BIG), column("version"), column("record", DOCUMENT))
    connection = op.get_bind()
    happened = connection.execute(
        select(matches.c.id, matches.c.game, events.c.record)
        .join(events, events.c.match == matches.c.id)
        .where(matches.c.ended.is_not(None))
        .where(matches.c.game.in_(_WINNER_IS_GOLD + _WINNER_CHOOSES))
        .order_by(matches.c.id, events.c.version)
    )
    found = [
        {"match": number}
        for (number, game), rows in groupby(happened, itemgetter(0, 1))
        if find_swap(game, (row.record for row in rows))
    ]
    change = update(matches).where(matches.c.id == bindparam("match")).values(swapped=True)
    if found:
        connection.execute(change, found)


def find_swap(game: str, records: Iterable[Mapping[str, Any]]) -> bool:
    """Return whether people had changed sides by the end of a match, from all its events."""
    winner, swapped = None, False
    for record in records:
        match record:
            case {"event": "battled", "gold": gold, "black": black}:
                if winner is None and sum(gold) != sum(black):
                    winner = "gold" if sum(gold) > sum(black) else "black"
                    swapped = game in _WINNER_IS_GOLD and winner == "black"
            case {"event": "chosen", "what": "side", "value": side}:
                swapped = side != winner
            case {"event": "takenback"} if game in _WINNER_CHOOSES:
                # Before the first throw only the choice of a side can be taken back.
                swapped = False
            case {"event": "thrown"}:
                # From then on the sides are settled.
                break
    return swapped
