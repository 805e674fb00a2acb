"""Inconsistencies in the whole database: matches, jobs, challenges."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Text, cast, func, select

from bot.platform.db.database import Database
from bot.platform.db.jobs import JOB_COLUMNS
from bot.platform.db.rows import DatabaseLoad, QueuedJob
from bot.platform.db.tables import (
    challenges,
    jobs,
    matches,
    seats,
    servers,
)
from engine.strict_json import parse_json

PAGE = 2000
"""Rows that are read at a time."""


class Inspection:
    """Questions to the whole database, each answered as it is at one moment."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def measure_load(self, now: int) -> DatabaseLoad:
        """Return what there is to do."""
        waits = jobs.c.given_up.is_(None)
        query = select(
            select(func.count()).where(waits).scalar_subquery(),
            select(func.count()).where(waits, jobs.c.error.is_not(None)).scalar_subquery(),
            select(func.count()).where(jobs.c.given_up.is_not(None)).scalar_subquery(),
            select(func.count()).where(matches.c.ended.is_(None)).scalar_subquery(),
            select(func.min(jobs.c.due)).where(waits, jobs.c.due <= now).scalar_subquery(),
        )
        return await self._database.read(
            lambda connection: DatabaseLoad(*connection.execute(query).one())
        )

    async def find_unseated_matches(self) -> list[int]:
        """Return the matches of which not both sides have somebody."""
        query = (
            select(matches.c.id)
            .outerjoin(seats)
            .group_by(matches.c.id)
            .having(func.count(seats.c.side.distinct()) < 2)
            .order_by(matches.c.id)
        )
        return await self._load_numbers(query)

    async def load_match_channels(self) -> list[tuple[int, int, int]]:
        """Return the servers and channels in which matches go on, each with its first match."""
        here = (matches.c.guild, matches.c.channel)
        query = (
            select(*here, func.min(matches.c.id))
            .where(matches.c.ended.is_(None))
            .group_by(*here)
            .order_by(*here)
        )
        return await self._database.read(
            lambda connection: [(*row,) for row in connection.execute(query)]
        )

    async def find_challenges_without_job(self, kind: str) -> list[tuple[int, int]]:
        """Return the open challenges for which no job of that kind waits, each with its server."""
        waits = (
            select(jobs.c.id)
            .where(jobs.c.kind == kind, jobs.c.key == cast(challenges.c.id, Text))
            .exists()
        )
        challenge = challenges.c
        query = (
            select(challenge.id, challenge.guild)
            .where(challenge.state == "open", ~waits)
            .order_by(challenge.id)
        )
        return await self._database.read(
            lambda connection: [(*row,) for row in connection.execute(query)]
        )

    async def load_open_challenges(self) -> list[int]:
        """Return the numbers of the open challenges."""
        challenge = challenges.c
        query = select(challenge.id).where(challenge.state == "open").order_by(challenge.id)
        return await self._load_numbers(query)

    async def load_servers(self) -> list[int]:
        """Return the servers that chose anything."""
        return await self._load_numbers(select(servers.c.guild).order_by(servers.c.guild))

    async def load_jobs(self) -> list[QueuedJob]:
        """Return all jobs, also those given up; a detail that is no object is left empty."""
        columns = [column for column in JOB_COLUMNS if column is not jobs.c.detail]
        # As text, since the column's own type raises on a detail that is no JSON, which would hide
        # every other job.
        query = select(*columns, cast(jobs.c.detail, Text).label("detail")).order_by(jobs.c.id)
        return await self._database.read(
            lambda connection: [
                QueuedJob(**{**row, "detail": _parse_detail(row["detail"])})
                for row in connection.execute(query).mappings()
            ]
        )

    async def find_unreadable_jobs(self) -> set[int]:
        """Return the jobs whose detail is no JSON object: it stops any process that takes it up."""
        query = select(jobs.c.id, cast(jobs.c.detail, Text))
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return {number for number, text in rows if _parse_object(text) is None}

    async def find_existing_matches(self, numbers: Collection[int]) -> set[int]:
        """Return which of those matches there are."""
        return await self._find_existing(matches.c.id, sorted(numbers))

    async def find_existing_challenges(self, numbers: Collection[int]) -> set[int]:
        """Return which of those challenges there are."""
        return await self._find_existing(challenges.c.id, sorted(numbers))

    async def _find_existing(
        self,
        column: Any,  # noqa: ANN401 - a column of either table
        numbers: Sequence[int],
    ) -> set[int]:
        known: set[int] = set()
        # In pages, as both databases limit the number of parameters of a statement.
        for begin in range(0, len(numbers), PAGE):
            known |= set(
                await self._load_numbers(
                    select(column).where(column.in_(numbers[begin : begin + PAGE]))
                )
            )
        return known

    async def _load_numbers(self, query: Any) -> list[int]:  # noqa: ANN401 - a selection of one column
        return await self._database.read(
            lambda connection: list(connection.execute(query).scalars())
        )


def _parse_object(text: str) -> dict[str, Any] | None:
    """Return the object that a text is in JSON, None if it is no object."""
    try:
        value = parse_json(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _parse_detail(text: str) -> dict[str, Any]:
    return _parse_object(text) or {}
