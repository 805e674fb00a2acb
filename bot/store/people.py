"""The people the bot has met, by the name they were last seen with."""

import json
from collections.abc import Iterable

from bot.store.database import Database


class People:
    """Names by id."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def remember(self, person: int, name: str, now: int) -> None:
        """Keep a person's present name."""
        await self._database.write(
            lambda connection: connection.execute(
                "INSERT INTO people (id, name, seen) VALUES (?, ?, ?)"
                " ON CONFLICT (id) DO UPDATE SET name = excluded.name, seen = excluded.seen",
                (person, name, now),
            )
        )

    async def names(self, people: Iterable[int]) -> dict[int, str]:
        """Return the names of those people that are known."""
        rows = await self._database.read(
            lambda connection: connection.execute(
                "SELECT id, name FROM people WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(list(people)),)
            ).fetchall()
        )
        return {row["id"]: row["name"] for row in rows}
