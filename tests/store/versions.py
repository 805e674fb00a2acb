"""Databases as programs of every earlier version left them: a file, or on a server."""

import gzip
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from alembic import command
from sqlalchemy import JSON, Column, Connection, MetaData, insert, inspect, select, text

from bot.platform.db.address import get_file_path, parse_address
from bot.platform.db.database import Database
from bot.platform.db.engines import READER_NAME
from bot.platform.db.migration import VERSION_TABLE, build_alembic_config, find_newest_version
from bot.platform.db.shards import ALL_SHARDS, Process
from tests.support.stored import ANA, BEN, NOW

SAMPLES = Path(__file__).with_name("samples")
WRITTEN = (1, 2, 4, 5)
"""The versions of which a program has written a file.

In it Ana beat Ben in match 1, plays him in match 2, and challenges Cyn.
"""
VERSIONS = range(1, find_newest_version())

NUMBERED = ("matches", "invitations", "challenges", "jobs")
"""The tables whose rows are numbered by the database."""
ADDED: dict[int, list[str]] = {
    6: [
        "INSERT INTO puzzles (scope, id, day, puzzle) VALUES ('server', 1, 20000, 'p')",
        f"INSERT INTO streaks (person, day, puzzle, streak) VALUES ({ANA}, 20000, 'p', 3)",
    ],
    7: [
        f"INSERT INTO outages (began, ended) VALUES ({NOW}, {NOW + 1})",
        f"INSERT INTO absences (person, began, ended) VALUES ({ANA}, {NOW}, {NOW})",
        f"INSERT INTO habits (person, reminder, throws) VALUES ({ANA}, 'direct', 1)",
        "INSERT INTO servers (guild, pace) VALUES (1, 'day')",
    ],
    8: [
        f"INSERT INTO audit VALUES (1, 1, {NOW}, {BEN}, 'draw', 1, 'a slip', '[]')",
    ],
    9: [
        f"INSERT INTO memos (person, match, text) VALUES ({ANA}, 2, 'mind the ace point')",
        f"INSERT INTO follows (match, person, often) VALUES (2, {BEN}, 'turn')",
    ],
}
"""What a program of each version wrote into the tables that were new in it."""


_files: dict[int, bytes] = {}
"""The files of earlier versions that were made before: the newest takes 40 migrations."""


async def create_old_database(version: int, where: str | Path) -> None:
    """Make an earlier version's database, in a file that is not there yet or an empty database."""
    file = get_file_path(parse_address(where))
    if file and version in _files:
        file.write_bytes(_files[version])
        return
    await _create_old_database(version, where, file)
    if file:
        _files[version] = file.read_bytes()


async def _create_old_database(version: int, where: str | Path, file: Path | None) -> None:
    written = max(each for each in WRITTEN if each <= version)
    sample = gzip.decompress((SAMPLES / f"v{written}.sqlite3.gz").read_bytes())
    if file:
        file.write_bytes(sample)
    database = Database(parse_address(where), Process(READER_NAME, ALL_SHARDS))

    def work(connection: Connection) -> None:
        config = build_alembic_config(connection)
        if connection.dialect.name == "postgresql":
            command.upgrade(config, str(written))
            _copy_rows(sample, connection)
        elif not inspect(connection).has_table(VERSION_TABLE):
            command.stamp(config, str(written))
        for each in range(written + 1, version + 1):
            command.upgrade(config, str(each))
            for statement in ADDED.get(each, []):
                connection.execute(text(statement))
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql(f"PRAGMA user_version = {version}")

    try:
        await database.write(work)
    finally:
        await database.close()


def _copy_rows(sample: bytes, connection: Connection) -> None:
    """Write a file's rows into the tables of a server, which are of the same version."""
    tables = MetaData()
    tables.reflect(connection)
    with closing(sqlite3.connect(":memory:")) as source:
        # In memory there is no log, of which the head of a file tells that it has one.
        source.deserialize(sample[:18] + b"\x01\x01" + sample[20:])
        source.row_factory = sqlite3.Row
        for table in tables.sorted_tables:
            if table.name == VERSION_TABLE:
                continue
            for row in source.execute(f'SELECT * FROM "{table.name}"'):
                options = {
                    column.name: _decode_value(column, row[column.name]) for column in table.columns
                }
                connection.execute(insert(table).values(options))
            if table.name in NUMBERED:
                counted = (
                    f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), max(id)) "
                    f"FROM {table.name}"
                )
                connection.execute(text(counted))


def _decode_value(column: Column[Any], kept: Any) -> Any:
    return json.loads(kept) if isinstance(column.type, JSON) and kept is not None else kept


async def dump_database(where: str | Path) -> dict[str, list[str]]:
    """All that a database of any version says, by table, its version included."""

    def work(connection: Connection) -> dict[str, list[str]]:
        tables = MetaData()
        tables.reflect(connection)
        return {
            table.name: sorted(map(str, connection.execute(select(table))))
            for table in tables.sorted_tables
        }

    database = Database(parse_address(where), Process(READER_NAME, ALL_SHARDS))
    try:
        return await database.read(work)
    finally:
        await database.close()
