"""What can go wrong in the store."""

import sqlite3
from pathlib import Path


class StoreError(Exception):
    """The database cannot be used, or could not take a change; the message is one sentence, and nothing was changed."""


class Stale(Exception):
    """The match has moved on: it has other events than the action knew of, or is over."""


class Taken(Exception):
    """The seat is taken, or the challenge is open no longer."""


_SENTENCES = {
    "SQLITE_NOTADB": "{path} is not a database",
    "SQLITE_CORRUPT": "{path} is damaged; restore a backup",
    "SQLITE_BUSY": "{path} is locked by another program; nothing was saved",
    "SQLITE_LOCKED": "{path} is locked by another program; nothing was saved",
    "SQLITE_READONLY": "{path} cannot be written to; check its permissions and its folder's",
    "SQLITE_CANTOPEN": "{path} cannot be opened; check its permissions and its folder's",
    "SQLITE_PERM": "{path} cannot be opened; check its permissions and its folder's",
    "SQLITE_FULL": "the disk is full; nothing was saved",
    "SQLITE_IOERR": "the disk under {path} fails; nothing was saved",
}


def in_words(path: Path, error: sqlite3.Error) -> StoreError:
    """Put SQLite's complaint about a file into one sentence."""
    name = getattr(error, "sqlite_errorname", "")
    for start, sentence in _SENTENCES.items():
        if name.startswith(start):
            return StoreError(sentence.format(path=path))
    return StoreError(f"the database refused: {error}")
