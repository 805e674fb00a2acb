"""Taking a database back to an earlier version, so that the migrations after it meet real rows.

What is to be undone is found by comparing the tables of the two versions. Nothing need be written
here for a new migration.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from alembic import command
from sqlalchemy import Connection, NullPool, create_engine

from bot.platform.db.migration import VERSION_TABLE, build_alembic_config, find_newest_version


@dataclass(frozen=True)
class Schema:
    """The tables of a version in the order in which they were made, and its indexes, as SQL."""

    tables: dict[str, str]
    keys: dict[str, frozenset[str]]
    columns: dict[str, frozenset[str]]
    indexes: dict[str, str]


def return_to_version(connection: Connection, version: int) -> None:
    """Undo what the migrations after a version have done, for rows as that version wrote them."""
    for statement in list_undoing_statements(version):
        connection.exec_driver_sql(statement)
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA user_version = {version}")


def return_file_to_version(path: Path, version: int) -> None:
    """Undo the same in a file that nobody has open."""
    with create_engine(f"sqlite:///{path}", poolclass=NullPool).begin() as connection:
        return_to_version(connection, version)


def list_undoing_statements(version: int) -> Iterator[str]:
    """Yield the statements that undo the migrations after a version.

    A table that had another key, or columns that it has no longer, is made anew without rows.
    """
    old, new = load_schema(version), load_schema(find_newest_version())
    anew = [
        name
        for name in old.tables
        if old.keys[name] != new.keys.get(name)
        or not old.columns[name] <= new.columns.get(name, set())
    ]
    gone = [name for name in reversed(new.tables) if name not in old.tables or name in anew]
    for name, made in new.indexes.items():
        if old.indexes.get(name) != made:
            yield f"DROP INDEX {name}"
    for name in new.tables:
        if name not in gone:
            for column in sorted(new.columns[name] - old.columns[name]):
                yield f'ALTER TABLE {name} DROP COLUMN "{column}"'
    yield from (f"DROP TABLE {name}" for name in gone)
    yield from (old.tables[name] for name in anew)
    for name, made in old.indexes.items():
        if new.indexes.get(name) != made or any(f" ON {table} " in made for table in anew):
            yield made
    yield f"UPDATE {VERSION_TABLE} SET version_num = '{version}'"


@cache
def load_schema(version: int) -> Schema:
    """Read what the migrations up to a version make of an empty database."""
    with create_engine("sqlite://").begin() as connection:
        command.upgrade(build_alembic_config(connection), str(version))
        made = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
        found = connection.exec_driver_sql(made).all()
        tables = {name: sql for kind, name, sql in found if kind == "table"}
        described = {
            name: connection.exec_driver_sql(
                f"SELECT name, pk FROM pragma_table_info('{name}')"
            ).all()
            for name in tables
        }
        keys = {name: frozenset(each for each, pk in described[name] if pk) for name in tables}
        columns = {name: frozenset(each for each, _ in described[name]) for name in tables}
        indexes = {name: sql for kind, name, sql in found if kind == "index"}
        return Schema(tables, keys, columns, indexes)
