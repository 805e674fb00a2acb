"""Generations of a database: each backup that is restored begins one.

What people were shown after the backup was made is then known to come from a time that the database
has lost. A copy carries a mark, so that it does not matter how it is restored: the bot that opens
it finds the mark.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, delete, select, update

from bot.platform.db.copies import COPY_MARK
from bot.platform.db.database import Database
from bot.platform.db.jobs import enqueue_jobs
from bot.platform.db.rows import Job, QueuedJob
from bot.platform.db.statements import upsert_rows
from bot.platform.db.tables import matches
from bot.platform.db.tables import notes as table
from engine.strict_json import parse_json, write_json

GENERATIONS_KEY = "generations"
"""The entry that lists the generations, the first without a mark left out."""


@dataclass(frozen=True, slots=True)
class Generation:
    """A generation: the mark of its buttons, and the instant of the backup that began it."""

    mark: str
    began: int


class Generations:
    """The generations of a database, the oldest first."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load(self) -> tuple[Generation, ...]:
        """Return the generations, the first without a mark left out."""
        return await self._database.read(_load_generations)

    async def load_copy_instant(self) -> int | None:
        """Return when this database was copied; None if it is no copy, or was opened before."""
        query = select(table.c.text).where(table.c.name == COPY_MARK)
        text = await self._database.read(lambda connection: connection.execute(query).scalar())
        return None if text is None else int(text)

    async def start_generation(
        self, generation: Generation, jobs: Mapping[int, Sequence[Job]]
    ) -> tuple[QueuedJob, ...]:
        """Begin a generation and enqueue jobs by server; running matches have no message yet.

        Nothing is changed if another process was quicker.
        """

        def work(connection: Connection) -> tuple[QueuedJob, ...]:
            # Of several processes only one gets the deleted mark back, and that one goes on.
            mark = delete(table).where(table.c.name == COPY_MARK).returning(table.c.name)
            if connection.execute(mark).first() is None:
                return ()
            generations = [asdict(each) for each in (*_load_generations(connection), generation)]
            row = {"name": GENERATIONS_KEY, "text": write_json(generations)}
            upsert_rows(connection, table, [row])
            running = update(matches).where(matches.c.ended.is_(None))
            connection.execute(running.values(message=None))
            return tuple(
                job for guild, some in jobs.items() for job in enqueue_jobs(connection, guild, some)
            )

        return await self._database.write(work)


def _load_generations(connection: Connection) -> tuple[Generation, ...]:
    query = select(table.c.text).where(table.c.name == GENERATIONS_KEY)
    text = connection.execute(query).scalar()
    return tuple(Generation(**each) for each in parse_json(text)) if text else ()
