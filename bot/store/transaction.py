"""All or nothing: work on a connection inside one transaction."""

import sqlite3
from collections.abc import Callable
from typing import TypeVar

BUSY_S = 5.0
"""Seconds to wait for another program that holds the file."""

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]


def in_transaction(connection: sqlite3.Connection, work: Work[T], begin: str = "BEGIN IMMEDIATE") -> T:
    """Run work in a transaction and commit it; whatever is raised undoes it and goes on to the caller."""
    connection.execute(begin)
    try:
        result = work(connection)
        connection.execute("COMMIT")
    except BaseException:
        # SQLite has rolled back by itself after some failures of the disk.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return result
