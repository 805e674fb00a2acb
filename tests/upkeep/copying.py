"""A database grown large: the matches of a season again and again."""

import sqlite3
from contextlib import closing
from pathlib import Path

TABLES = {"matches": "id", "seats": "match", "events": "match"}
"""What a match is made of, and the column that says which it is."""


def copy_matches(file: Path, matches: int) -> None:
    """Copy a file's finished matches until there are this many; the copies are unrated."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        over = [
            number
            for (number,) in connection.execute("SELECT id FROM matches WHERE ended IS NOT NULL")
        ]
        (last,) = connection.execute("SELECT max(id) FROM matches").fetchone()
        numbers = [(last + 1 + at, over[at % len(over)]) for at in range(matches - last)]
        connection.execute("CREATE TEMPORARY TABLE copies (made INTEGER, source INTEGER)")
        connection.executemany("INSERT INTO copies VALUES (?, ?)", numbers)
        for table, key in TABLES.items():
            columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
            special = {key: "made", "rated": "0"}
            taken = ", ".join(special.get(column, f'{table}."{column}"') for column in columns)
            connection.execute(
                f"INSERT INTO {table} SELECT {taken} "
                f"FROM copies JOIN {table} ON {table}.{key} = copies.source"
            )
        connection.execute("DROP TABLE copies")
        connection.execute("COMMIT")
