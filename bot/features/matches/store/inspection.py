"""Inconsistencies among all matches, how much there is to do, and every match with its events."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import asdict, fields
from typing import Any

from sqlalchemy import Connection, and_, func, or_, select, update

from bot.features.matches.rows import (
    EventRow,
    History,
    MatchRowState,
    RatingChangeWithSide,
    build_change_with_side,
)
from bot.features.matches.store import load_matches, select_with_seats
from bot.features.matches.tables import events, matches, rating_changes, seats
from bot.platform.db.database import StorePart, find_existing
from bot.platform.db.integrity import INTEGRITY_CHECKS
from bot.platform.db.rows import DatabaseLoad
from bot.platform.db.tables import jobs

_EVENT = [events.c[field.name] for field in fields(EventRow)]


class Histories(StorePart):
    """The histories of all matches, in the order of their numbers."""

    async def count_matches(self) -> int:
        """Return how many matches there are."""
        query = select(func.count()).select_from(matches)
        return int(
            await self._database.read(lambda connection: connection.execute(query).scalar_one())
        )

    async def load_numbers(self, after: int, most: int) -> list[int]:
        """Return the numbers of the matches that come after a number, so many at most."""
        query = select(matches.c.id).where(matches.c.id > after).order_by(matches.c.id).limit(most)
        return await self._load_column(query)

    async def load_page(self, after: int, most: int) -> list[History]:
        """Return the matches that come after an id, at most that many, each as it is at one moment.

        A match without people in its seats is left out.
        """
        async with self._database.open_read_transaction() as moment:
            return await moment.run_sync(_load_page, after, most)

    async def rewrite_row(self, number: int, version: int, restated: MatchRowState) -> bool:
        """Set a match's row to what its events come to; return False if the match has gone on.

        `version` is the one to which the events lead.
        """
        here = and_(matches.c.id == number, matches.c.version == version)
        change = update(matches).where(here).values(asdict(restated))
        return await self._database.write(
            lambda connection: connection.execute(change).rowcount == 1
        )


def _load_page(connection: Connection, after: int, most: int) -> list[History]:
    next_ones = select(matches.c.id).where(matches.c.id > after).order_by(matches.c.id).limit(most)
    rows = load_matches(connection, select_with_seats(matches, seats, matches.c.id.in_(next_ones)))
    numbers = [row.id for row in rows]
    # One query a table for the whole page, instead of one a match.
    happened, changes = _load_events(connection, numbers), _load_rating_changes(connection, numbers)
    # Few matches go on, and what waits for the others is of no matter.
    kinds = _load_job_kinds(connection, [row.id for row in rows if row.ended is None])
    return [
        History(row, tuple(happened[row.id]), tuple(changes[row.id]), frozenset(kinds[str(row.id)]))
        for row in rows
    ]


def _load_events(connection: Connection, numbers: Sequence[int]) -> dict[int, list[EventRow]]:
    query = (
        select(events.c.match, *_EVENT)
        .where(events.c.match.in_(numbers))
        .order_by(events.c.match, events.c.version)
    )
    by_match: dict[int, list[EventRow]] = defaultdict(list)
    for match, *event in connection.execute(query):
        by_match[match].append(EventRow(*event))
    return by_match


def _load_rating_changes(
    connection: Connection, numbers: Sequence[int]
) -> dict[int, list[RatingChangeWithSide]]:
    key = rating_changes.primary_key.columns
    query = select(rating_changes).where(rating_changes.c.match.in_(numbers)).order_by(*key)
    by_match: dict[int, list[RatingChangeWithSide]] = defaultdict(list)
    for row in connection.execute(query).mappings():
        by_match[row["match"]].append(build_change_with_side(dict(row)))
    return by_match


def _load_job_kinds(connection: Connection, numbers: Sequence[int]) -> dict[str, list[str]]:
    if not numbers:
        return defaultdict(list)
    query = select(jobs.c.key, jobs.c.kind).where(
        jobs.c.key.in_([str(number) for number in numbers])
    )
    by_key: dict[str, list[str]] = defaultdict(list)
    for key, kind in connection.execute(query):
        by_key[key].append(kind)
    return by_key


class Inspection(StorePart):
    """Questions to the whole database, each answered as it is at one moment."""

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

    async def find_existing_matches(self, numbers: Collection[int]) -> set[int]:
        """Return which of those matches there are."""
        return await self._database.read(
            lambda connection: find_existing(connection, matches.c.id, numbers)
        )

    async def _load_numbers(self, query: Any) -> list[int]:  # noqa: ANN401 - a selection of one column
        return await self._load_column(query)


@INTEGRITY_CHECKS.add()
def find_event_gaps(connection: Connection) -> list[str]:
    """Return of which matches events are missing, a sentence each."""
    # Versions are unique in a match and begin at 1: with the right count and the right last one
    # there is no gap.
    count, last = func.count(events.c.version), func.coalesce(func.max(events.c.version), 0)
    query = (
        select(matches.c.id, matches.c.version, count)
        .outerjoin(events)
        .group_by(matches.c.id, matches.c.version)
        .having(or_(count != matches.c.version, last != matches.c.version))
        .order_by(matches.c.id)
    )
    return [
        f"match {number} should have the events 1 to {version}, but has {there}"
        for number, version, there in connection.execute(query)
    ]
