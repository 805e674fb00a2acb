"""Matches and their events: the events are the match, and each action adds its own in one transaction."""

import json
import sqlite3

from bot.store import ratings
from bot.store.database import Database
from bot.store.errors import Stale, StoreError
from bot.store.invitations import read_seats
from bot.store.rows import Appended, Ending, EventRow, MatchRow, RatingChange, Step


class Matches:
    """Matches by their number."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, number: int) -> MatchRow | None:
        """Return a match, or None."""
        return await self._database.read(lambda connection: _fetch(connection, number))

    async def events(self, number: int) -> list[EventRow]:
        """Return a match's events in order."""
        rows = await self._database.read(
            lambda connection: connection.execute(
                "SELECT version, at, person, cause, record FROM events WHERE match = ? ORDER BY version", (number,)
            ).fetchall()
        )
        return [EventRow(row[0], row[1], row[2], row[3], json.loads(row[4])) for row in rows]

    async def append(self, number: int, step: Step) -> Appended:
        """Add what an action does, its ending and ratings included, all or nothing.

        Nothing is changed where the action's cause was applied before; raises Stale where the match has moved on or
        is over, StoreError where there is none of that number.
        """

        def work(connection: sqlite3.Connection) -> Appended:
            row = connection.execute("SELECT version, ended FROM matches WHERE id = ?", (number,)).fetchone()
            if row is None:
                raise StoreError(f"there is no match {number}")
            if _applied(connection, number, step.cause):
                return Appended(False, row["version"])
            if row["version"] != step.expected_version or row["ended"] is not None:
                raise Stale
            after = _add(connection, number, step)
            changes = _end(connection, number, step.ending, step.now) if step.ending else ()
            return Appended(True, after, changes)

        return await self._database.write(work)

    async def set_message(self, number: int, message: int) -> None:
        """Remember the message that carries the buttons of the turn."""
        await self._database.write(
            lambda connection: connection.execute("UPDATE matches SET message = ? WHERE id = ?", (message, number))
        )

    async def running_in(self, channel: int) -> list[MatchRow]:
        """Return the matches running in a channel, the oldest first."""
        return await self._running("channel = ?", channel)

    async def running_of(self, person: int) -> list[MatchRow]:
        """Return the matches a person is playing, the oldest first."""
        return await self._running("id IN (SELECT match FROM seats WHERE person = ?)", person)

    async def _running(self, where: str, value: int) -> list[MatchRow]:
        def work(connection: sqlite3.Connection) -> list[MatchRow]:
            query = f"SELECT id FROM matches WHERE ended IS NULL AND {where} ORDER BY id"  # noqa: S608 - our own words
            found = [_fetch(connection, row["id"]) for row in connection.execute(query, (value,)).fetchall()]
            return [row for row in found if row]

        return await self._database.read(work)


def _applied(connection: sqlite3.Connection, number: int, cause: str) -> bool:
    query = "SELECT 1 FROM events WHERE match = ? AND cause = ?"
    return connection.execute(query, (number, cause)).fetchone() is not None


def _add(connection: sqlite3.Connection, number: int, step: Step) -> int:
    version = step.expected_version
    for record in step.records:
        version += 1
        # An action's further events follow from its first, which alone names the cause.
        cause = step.cause if version == step.expected_version + 1 else None
        connection.execute(
            "INSERT INTO events VALUES (?,?,?,?,?,?)",
            (number, version, step.now, step.person, cause, json.dumps(record)),
        )
    connection.execute(
        "UPDATE matches SET version = ?, snapshot = ?, touched = ? WHERE id = ?",
        (version, json.dumps(dict(step.snapshot)), step.now, number),
    )
    return version


def _end(connection: sqlite3.Connection, number: int, ending: Ending, now: int) -> tuple[RatingChange, ...]:
    connection.execute(
        "UPDATE matches SET ended = ?, winner = ?, by = ? WHERE id = ?", (now, ending.winner, ending.by, number)
    )
    if ending.rate is None:
        return ()
    before = ratings.fetch(connection, ending.keys)
    return ratings.store(connection, number, before, ending.rate(before))


def _fetch(connection: sqlite3.Connection, number: int) -> MatchRow | None:
    row = connection.execute("SELECT * FROM matches WHERE id = ?", (number,)).fetchone()
    if row is None:
        return None
    fields = (
        dict(row) | {name: json.loads(row[name]) for name in ("options", "snapshot")} | {"rated": bool(row["rated"])}
    )
    return MatchRow(**fields, seats=read_seats(connection, "seats", "match", number))
