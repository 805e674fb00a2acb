"""Seats, of a challenge or of a match: read in one statement with what they belong to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Select, Table, and_, select, update
from sqlalchemy.sql.elements import ColumnElement

from bot.platform.db.match_limits import require_match_limit
from bot.platform.db.rows import FormerHolder, MatchRow, Seat, SeatTakeover
from bot.platform.db.sealing import get_seal
from bot.platform.db.statements import lock_people
from bot.platform.db.tables import matches
from bot.platform.db.tables import seats as match_seats

_FIELDS = [field.name for field in fields(Seat)]


def select_with_seats(
    table: Table, seats: Table, which: ColumnElement[bool], order: Sequence[ColumnElement[Any]] = ()
) -> Select[*tuple[Any, ...]]:
    """Return the query for rows of a table with their seats, by id unless `order` is given."""
    sat = [seats.c[name].label(f"seat_{name}") for name in _FIELDS]
    # Gold's seats first, each side's in the order of its turns.
    # False sorts before true in both databases.
    in_turn = (seats.c.side == "black", seats.c.number)
    return select(table, *sat).join(seats).where(which).order_by(*(order or [table.c.id]), *in_turn)


def fetch_rows_with_seats(
    connection: Connection,
    query: Select[*tuple[Any, ...]],
    values: Mapping[str, Any] | None = None,
) -> Iterator[Mapping[str, Any]]:
    """Yield what `select_with_seats` finds with the values of its parameters, a mapping per row.

    It holds the columns, the secret opened, and `seats`.
    """
    # Every order ends in, or begins with, the id, so the rows of one id are adjacent.
    for _, found in groupby(connection.execute(query, values).mappings(), itemgetter("id")):
        each = [dict(row) for row in found]
        sat = tuple(Seat(*(row.pop(f"seat_{name}") for name in _FIELDS)) for row in each)
        yield {**each[0], "secret": get_seal(connection).unseal(each[0]["secret"]), "seats": sat}


def fetch_matches(
    connection: Connection,
    query: Select[*tuple[Any, ...]],
    values: Mapping[str, Any] | None = None,
) -> list[MatchRow]:
    """Return the matches that a query of `seated` finds with the values of its parameters."""
    return [
        MatchRow(**{**row, "former": _make_former_holders(row["former"])})
        for row in fetch_rows_with_seats(connection, query, values)
    ]


def _make_former_holders(stored: Sequence[Mapping[str, Any]]) -> tuple[FormerHolder, ...]:
    return tuple(FormerHolder(**each) for each in stored)


def reassign_seat(
    connection: Connection, number: int, version: int, takeover: SeatTakeover
) -> None:
    """Seat somebody in the place of another, who is remembered to have sat there until now."""
    # Locked before it is counted, so that two seats taken at once cannot exceed the limit.
    lock_people(connection, [takeover.person])
    require_match_limit(connection, [takeover.person], takeover.limits)
    seat = and_(
        match_seats.c.match == number,
        match_seats.c.side == takeover.side,
        match_seats.c.number == takeover.number,
    )
    person = connection.execute(select(match_seats.c.person).where(seat)).scalar_one()
    was = select(matches.c.former).where(matches.c.id == number)
    former = connection.execute(was).scalar_one()
    left = FormerHolder(takeover.side, takeover.number, person, version)
    connection.execute(update(match_seats).where(seat).values(person=takeover.person))
    connection.execute(
        update(matches).where(matches.c.id == number).values(former=[*former, asdict(left)])
    )
