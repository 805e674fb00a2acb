"""Small facts that the program keeps about itself, by name."""

from bot.store.database import Database


class Notes:
    """Texts by name."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, name: str) -> str | None:
        """Return a note, or None."""
        row = await self._database.read(
            lambda connection: connection.execute("SELECT text FROM notes WHERE name = ?", (name,)).fetchone()
        )
        return row["text"] if row else None

    async def set(self, name: str, text: str) -> None:
        """Keep a note in place of the one before."""
        await self._database.write(
            lambda connection: connection.execute(
                "INSERT OR REPLACE INTO notes (name, text) VALUES (?, ?)", (name, text)
            )
        )
