"""How people and servers like their boards drawn."""

from bot.store.database import Database
from bot.store.rows import Look


class Looks:
    """Looks by scope (`person` or `server`) and id."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, scope: str, owner: int) -> Look:
        """Return what was chosen, or the look of those who chose nothing."""
        row = await self._database.read(
            lambda connection: connection.execute(
                "SELECT theme, seat, numbered FROM looks WHERE scope = ? AND id = ?", (scope, owner)
            ).fetchone()
        )
        return Look(row["theme"], row["seat"], bool(row["numbered"])) if row else Look()

    async def set(self, scope: str, owner: int, look: Look) -> None:
        """Keep a look in place of the one before."""
        await self._database.write(
            lambda connection: connection.execute(
                "INSERT OR REPLACE INTO looks VALUES (?,?,?,?,?)",
                (scope, owner, look.theme, look.seat, int(look.numbered)),
            )
        )
