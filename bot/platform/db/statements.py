"""Statements that every family of tables uses."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Column, Connection, Table, and_, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.elements import ColumnElement

from bot.platform.db.rating_rows import Leaderboard
from bot.platform.db.tables import people


def upsert_rows(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows, each in place of the one with its key if there is one."""
    if not rows:
        return
    insert = make_upsert(connection.dialect.name, table)
    key = table.primary_key.columns
    other = {
        column.name: insert.excluded[column.name]
        for column in table.columns
        if column.name not in key
    }
    connection.execute(insert.on_conflict_do_update(index_elements=list(key), set_=other), rows)


def make_upsert(dialect: str, table: Table) -> sqlite.Insert | postgresql.Insert:
    """Return an insertion that can handle conflicts; each database has its own class for it."""
    return postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)


def lock_rows(connection: Connection, column: Column[int], numbers: Iterable[int]) -> None:
    """Let nobody else change those rows, or decide by them, until the transaction ends.

    SQLite, which has one writer, needs no such lock and its statement omits the clause. Locked in
    order, two transactions never deadlock. Rows may still refer to them: that is why the weaker
    lock is used.
    """
    rows = (
        select(column)
        .where(column.in_(sorted(set(numbers))))
        .order_by(column)
        .with_for_update(key_share=True)
    )
    connection.execute(rows).all()


RATING_LOCK = 0x7AB01B
"""Our lock on the ratings of a PostgreSQL database."""


def lock_ratings_shared(connection: Connection) -> None:
    """Let others rate beside this transaction, but not rate again; SQLite has one writer."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock_shared(RATING_LOCK)))


def lock_ratings(connection: Connection) -> None:
    """Let nobody else rate until the transaction ends.

    The caller may hold no row lock except that of one match.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(RATING_LOCK)))


@contextmanager
def overwrite_deleted(connection: Connection) -> Iterator[None]:
    """Let what is deleted or replaced meanwhile be overwritten in the file, not only be forgotten.

    A server does so by itself sooner or later, and knows no such wish.
    """
    if connection.dialect.name != "sqlite":
        yield
        return
    connection.exec_driver_sql("PRAGMA secure_delete = ON")
    try:
        yield
    finally:
        connection.exec_driver_sql("PRAGMA secure_delete = OFF")


PSEUDONYM_LOCK = 0x7AB01E
"""Our lock on the pseudonyms of a PostgreSQL database."""


def lock_pseudonyms(connection: Connection) -> None:
    """Let nobody else give a pseudonym until the transaction ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(PSEUDONYM_LOCK)))


def on_board(table: Table, board: Leaderboard) -> ColumnElement[bool]:
    """Return the condition that a row of a table belongs to a board."""
    return and_(table.c.scope == board.scope, table.c.pool == board.pool)


def lock_people(connection: Connection, persons: Iterable[int]) -> None:
    """Lock what is counted and rated for each of them."""
    lock_rows(connection, people.c.id, persons)
