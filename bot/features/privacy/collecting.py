"""All rows that a person's data stands in, as they are given to that person."""

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, LargeBinary, Table, and_, or_, select

from bot.features.privacy.columns import COLUMNS, Erasure, PersonalColumn
from bot.features.privacy.erasing import PERSON_SCOPE, is_named_in
from bot.platform.db.tables import load_metadata, matches, seats

PersonalRows = Mapping[str, list[dict[str, Any]]]
"""Rows by their table."""
LARGEST_EXACT = 2**53
"""From here on whole numbers are written as texts, since most programs read them inexactly."""
_BY_MATCH = ("reports",)
"""Tables that name nobody, but have a row about each match."""


def collect_rows(connection: Connection, person: int) -> PersonalRows:
    """Return what is stored of a person, by table; those without a row of theirs are empty."""
    return {
        table.name: _collect_table(connection, table, person)
        for table in load_metadata().sorted_tables
        if _find_rows(table, person) is not None
    }


def list_matches(connection: Connection, person: int) -> list[int]:
    """Return the matches in which somebody sits or ever sat, in the order of their numbers."""
    sits = select(seats.c.match).where(seats.c.person == person)
    rows = select(matches.c.id, matches.c.former).where(
        or_(matches.c.id.in_(sits), is_named_in(matches.c.former, person))
    )
    sitting = set(connection.execute(sits).scalars())
    return sorted(
        row.id
        for row in connection.execute(rows)
        if row.id in sitting or any(each["person"] == person for each in row.former)
    )


def _collect_table(connection: Connection, table: Table, person: int) -> list[dict[str, Any]]:
    which = _find_rows(table, person)
    assert which is not None
    columns = [column for column in table.columns if is_exported(column)]
    query = select(*columns).where(which).order_by(*table.primary_key.columns)
    rows = [dict(row) for row in connection.execute(query).mappings()]
    return [{name: encode_value(value) for name, value in row.items()} for row in rows]


def is_exported(column: Column[Any]) -> bool:
    """Whether a column is given to those in whose rows it is.

    The secrets of the dice are not: those of matches that are over are in the matches' records.
    """
    rule = COLUMNS[f"{column.table.name}.{column.name}"]
    if isinstance(rule, PersonalColumn) and rule.withheld:
        return rule.erasure is Erasure.ROW
    return not isinstance(column.type, LargeBinary)


def _find_rows(table: Table, person: int) -> ColumnElement[bool] | None:
    """Return the condition for the rows of a table that are given to somebody; None for none."""
    played = select(seats.c.match).where(seats.c.person == person)
    if table.name == matches.name:
        return or_(matches.c.id.in_(played), is_named_in(matches.c.former, person))
    if table.name in _BY_MATCH:
        return table.c.match.in_(played)
    found = list(_find_conditions(table, person))
    return or_(*found) if found else None


def _find_conditions(table: Table, person: int) -> Iterator[ColumnElement[bool]]:
    for column in table.columns:
        rule = COLUMNS[f"{table.name}.{column.name}"]
        if not isinstance(rule, PersonalColumn) or rule.withheld:
            continue
        if rule.erasure is Erasure.PEOPLE:
            yield is_named_in(column, person)
        elif rule.erasure in (Erasure.ROW, Erasure.PSEUDONYM):
            theirs = column == person
            yield and_(theirs, table.c[rule.scope] == PERSON_SCOPE) if rule.scope else theirs


def encode_value(value: Any) -> Any:  # noqa: ANN401 - whatever a column holds
    """Return a value as it is exported, from a column or a document."""
    match value:
        case bool():
            return value
        case int() if abs(value) >= LARGEST_EXACT:
            return str(value)
        case list():
            return [encode_value(each) for each in value]
        case dict():
            return {name: encode_value(each) for name, each in value.items()}
    return value
