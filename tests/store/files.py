"""Looking into a store's file without the store."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path


@contextmanager
def plainly(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a file without the store."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


def everything(path: Path) -> list[str]:
    """All that a file says, to see that nothing changed."""
    with plainly(path) as connection:
        return list(connection.iterdump())


def pragma(path: Path, name: str) -> int:
    """One number from the file's head."""
    with plainly(path) as connection:
        return int(connection.execute(f"PRAGMA {name}").fetchone()[0])
