"""What the migrations repeat: strict tables, checks of JSON, and indexes of a part of a table."""

from collections.abc import Sequence

from alembic import op
from sqlalchemy import CheckConstraint, Column, text
from sqlalchemy.schema import SchemaItem

from bot.platform.db.tables import DOCUMENT


def create_strict_table(name: str, *items: SchemaItem, has_rowid: bool = True) -> None:
    """Create a table that SQLite keeps strictly to its columns' types.

    Without row ids SQLite orders it by its primary key, which suits small rows found by that key.
    """
    # Passed only where it is asked for: dialects give options a meaning by their presence.
    without = {} if has_rowid else {"sqlite_with_rowid": False}
    op.create_table(name, *items, sqlite_strict=True, **without)


def create_json_check(column: str) -> CheckConstraint:
    """Return the check that a column holds JSON: PostgreSQL's type checks that by itself."""
    return CheckConstraint(f"json_valid({column})").ddl_if(dialect="sqlite")


def add_json_column(table: str, name: str, *, default: str) -> None:
    """Add a column of JSON, with its check where the database needs one."""
    # SQLite adds no constraint to an existing table, only one that comes with a column; and there
    # `ddl_if` is not asked.
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    checks = [CheckConstraint(f"json_valid({name})")] if is_sqlite else []
    column = Column(name, DOCUMENT, *checks, nullable=False, server_default=default)
    op.add_column(table, column, inline_references=True)


def create_partial_index(
    name: str, table: str, columns: Sequence[str], where: str, *, is_unique: bool = False
) -> None:
    """Create an index of the rows for which a condition holds."""
    condition = text(where)
    op.create_index(
        name,
        table,
        columns,
        unique=is_unique,
        sqlite_where=condition,
        postgresql_where=condition,
    )
