"""Ratings: one row for each board and person."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import astuple

from bot.store.database import Database
from bot.store.rows import RatingChange, RatingKey, RatingRow

_COLUMNS = "mu, sigma, games, won, drawn, lost, updated"


class Ratings:
    """Ratings by board."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def board(self, scope: str, pool: str) -> list[tuple[int, RatingRow]]:
        """Return everyone on a board, the best first by what is certain of them."""
        rows = await self._database.read(
            lambda connection: connection.execute(
                f"SELECT person, {_COLUMNS} FROM ratings WHERE scope = ? AND pool = ?"  # noqa: S608 - our own words
                " ORDER BY mu - 3 * sigma DESC, person",
                (scope, pool),
            ).fetchall()
        )
        return [(row[0], RatingRow(*row[1:])) for row in rows]

    async def of(self, scope: str, person: int) -> list[tuple[str, RatingRow]]:
        """Return a person's ratings in a scope, by pool."""
        rows = await self._database.read(
            lambda connection: connection.execute(
                f"SELECT pool, {_COLUMNS} FROM ratings WHERE scope = ? AND person = ?",  # noqa: S608 - our own words
                (scope, person),
            ).fetchall()
        )
        return [(row[0], RatingRow(*row[1:])) for row in rows]

    async def course(self, scope: str, pool: str, person: int) -> list[tuple[float, float]]:
        """Return mean and uncertainty of a person's rating after each of their matches, the oldest first."""
        rows = await self._database.read(
            lambda connection: connection.execute(
                "SELECT after_mu, after_sigma FROM rating_changes JOIN matches ON matches.id = rating_changes.match"
                " WHERE scope = ? AND pool = ? AND person = ? ORDER BY matches.ended, matches.id",
                (scope, pool, person),
            ).fetchall()
        )
        return [(row[0], row[1]) for row in rows]

    async def get(self, keys: Sequence[RatingKey]) -> dict[RatingKey, RatingRow]:
        """Return the ratings that exist."""
        return await self._database.read(lambda connection: fetch(connection, keys))


def fetch(connection: sqlite3.Connection, keys: Sequence[RatingKey]) -> dict[RatingKey, RatingRow]:
    """Return the ratings that exist, inside work on the database."""
    query = f"SELECT {_COLUMNS} FROM ratings WHERE scope = ? AND pool = ? AND person = ?"  # noqa: S608
    found = {key: connection.execute(query, key).fetchone() for key in keys}
    return {key: RatingRow(*row) for key, row in found.items() if row}


def store(
    connection: sqlite3.Connection,
    match: int,
    before: Mapping[RatingKey, RatingRow],
    after: Mapping[RatingKey, RatingRow],
) -> tuple[RatingChange, ...]:
    """Write the ratings after a match and what it changed, inside a transaction."""
    for key, row in after.items():
        connection.execute(
            f"INSERT OR REPLACE INTO ratings (scope, pool, person, {_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?)",  # noqa: S608
            (*key, *astuple(row)),
        )
        old = before.get(key)
        connection.execute(
            "INSERT INTO rating_changes VALUES (?,?,?,?,?,?,?,?)",
            (match, *key, old and old.mu, old and old.sigma, row.mu, row.sigma),
        )
    return tuple(RatingChange(key, before.get(key), row) for key, row in after.items())
