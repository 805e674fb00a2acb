"""The tables as they are, compared with those that this program expects.

Alembic takes a while to import, and only the doctor and the check of a copy need it, so this module
is imported then.
"""

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, create_engine, inspect, text
from sqlalchemy.exc import SAWarning

from bot.platform.db.migration import VERSION_TABLE, apply_migrations
from bot.platform.db.tables import load_metadata

_EXPRESSION_INDEX = "rating_standings"
"""An index of an expression, which each database words differently; its name identifies it."""
_INDEXES = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'index'",
    "postgresql": "SELECT indexname FROM pg_indexes WHERE schemaname = current_schema()",
}
_TRIGGERS = {
    "sqlite": "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname, tgrelid::regclass FROM pg_trigger WHERE NOT tgisinternal",
}
_NOT_IN_OLD_FILES = {"mu < 1e6", "sigma > 0 AND sigma < 1e6"}
"""Guards that files of the first versions never had."""
_JSON_CHECK_PREFIX = "json_valid("
"""How the guards begin that PostgreSQL's type for documents makes unnecessary."""


class NewFile(NamedTuple):
    """The tables of a new file: their definitions, and the guards of each table."""

    definitions: frozenset[tuple[Any, ...]]
    checks: Mapping[str, Counter[str]]


def find_differences(connection: Connection) -> list[str]:
    """Return how the tables differ from this program's, a sentence each.

    Compared are tables, columns, indexes, constraints and triggers.
    """
    if (
        connection.dialect.name == "sqlite"
        and _load_definitions(connection) == make_new_file().definitions
    ):
        # Word for word a new file's. One that came up from an earlier version never is.
        return []
    opts = {"version_table": VERSION_TABLE, "include_object": _is_comparable}
    context = MigrationContext.configure(connection, opts=opts)
    with warnings.catch_warnings():
        # SQLAlchemy and Alembic warn of the index that is known by its name.
        warnings.simplefilter("ignore", UserWarning)
        warnings.simplefilter("ignore", SAWarning)
        changes = compare_metadata(context, load_metadata())
    found = [
        _describe_change(each) for each in _flatten_changes(changes) if not _is_nullable_key(each)
    ]
    dialect = connection.dialect.name
    if _EXPRESSION_INDEX not in connection.execute(text(_INDEXES[dialect])).scalars().all():
        found.append(f"the index {_EXPRESSION_INDEX} is missing")
    found += (
        f"the table {table} has a trigger {name} that is not Tabula's"
        for name, table in connection.execute(text(_TRIGGERS[dialect]))
    )
    # Alembic compares neither primary keys nor CHECK constraints.
    return [*found, *_find_missing_keys(connection), *_find_missing_checks(connection)]


def _is_comparable(_: object, name: str | None, *__: object) -> bool:
    return name != _EXPRESSION_INDEX


def _is_nullable_key(change: tuple[Any, ...]) -> bool:
    """Whether a change concerns a key of an old file: it is never empty, declared or not."""
    match change:
        case ("modify_nullable", _, table, column, *_):
            return column in load_metadata().tables[table].primary_key.columns
    return False


def _flatten_changes(changes: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    """Yield what would have to be changed; what concerns one column comes as a list."""
    for change in changes:
        yield from change if isinstance(change, list) else [change]


def _describe_change(change: tuple[Any, ...]) -> str:
    match change:
        case ("add_table", table):
            return f"the table {table.name} is missing"
        case ("remove_table", table):
            return f"the table {table.name} is not one of Tabula's"
        case ("add_column", _, table, column):
            return f"the table {table} lacks the column {column.name}"
        case ("remove_column", _, table, column):
            return f"the table {table} has a column {column.name} that is not Tabula's"
        case ("add_index", index):
            return f"the index {index.name} is missing"
        case ("remove_index", index):
            return f"the table {index.table.name} has an index {index.name} that is not Tabula's"
        case ("add_constraint" | "add_fk", constraint):
            columns = ", ".join(column.name for column in constraint.columns)
            kind = "reference" if change[0] == "add_fk" else "uniqueness"
            return f"the table {constraint.table.name} lacks the {kind} of {columns}"
        case ("remove_constraint" | "remove_fk", constraint):
            table = constraint.table.name
            return f"the table {table} has a constraint {constraint.name} that is not Tabula's"
        case (str(kind), _, table, column, *_):
            what = kind.removeprefix("modify_")
            return f"the column {column} of the table {table} is not as it should be: its {what}"
    return f"the tables are not as they should be: {change}"


def _find_missing_keys(connection: Connection) -> Iterator[str]:
    there = inspect(connection)
    names = set(there.get_table_names())
    for table in load_metadata().sorted_tables:
        if table.name not in names:
            continue
        expected = [column.name for column in table.primary_key.columns]
        if sorted(there.get_pk_constraint(table.name)["constrained_columns"]) != sorted(expected):
            yield f"the table {table.name} lacks the primary key of {', '.join(expected)}"


def _find_missing_checks(connection: Connection) -> Iterator[str]:
    """Yield the missing CHECK constraints.

    A file names them; a server, which rewords them, only gives their number.
    """
    names = set(inspect(connection).get_table_names())
    for table, expected in make_new_file().checks.items():
        if table not in names:
            continue
        there = _load_checks(connection, table)
        if connection.dialect.name == "sqlite":
            for check in set((expected - there).elements()) - _NOT_IN_OLD_FILES:
                yield f"the table {table} lacks the guard {check}"
            continue
        due = sum(
            count for check, count in expected.items() if not check.startswith(_JSON_CHECK_PREFIX)
        )
        if there.total() < due:
            yield f"the table {table} should have {due} guards, but has {there.total()}"


@cache
def make_new_file() -> NewFile:
    """Make the tables of a new file in memory."""
    # Only the migrations contain the checks, not `tables`.
    engine = create_engine("sqlite://")
    try:
        with engine.begin() as connection:
            apply_migrations(connection, 0)
            return NewFile(
                _load_definitions(connection),
                {
                    table.name: _load_checks(connection, table.name)
                    for table in load_metadata().sorted_tables
                },
            )
    finally:
        # From Python 3.13 on a connection that is forgotten while open is a warning.
        engine.dispose()


def _load_definitions(connection: Connection) -> frozenset[tuple[Any, ...]]:
    found = connection.exec_driver_sql("SELECT type, name, tbl_name, sql FROM sqlite_master")
    return frozenset(map(tuple, found))


def _load_checks(connection: Connection, table: str) -> Counter[str]:
    checks = inspect(connection).get_check_constraints(table)
    # SQLite keeps a check as it was written: quotes and line breaks make no difference.
    return Counter(" ".join(each["sqltext"].replace('"', "").split()) for each in checks)
