"""Every match with all that is kept of it, a page at a time, to be gone through."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, fields

from sqlalchemy import Connection, and_, func, select, update

from bot.features.matches.seat_rows import fetch_matches, select_with_seats
from bot.platform.db.database import Database
from bot.platform.db.rating_rows import RatingChangeWithSide, make_change_with_side
from bot.platform.db.rows import EventRow, History, MatchRowState
from bot.platform.db.tables import events, jobs, matches, rating_changes, seats

_EVENT = [events.c[field.name] for field in fields(EventRow)]


class Histories:
    """The histories of all matches, in the order of their numbers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def count_matches(self) -> int:
        """Return how many matches there are."""
        query = select(func.count()).select_from(matches)
        return int(
            await self._database.read(lambda connection: connection.execute(query).scalar_one())
        )

    async def load_numbers(self, after: int, most: int) -> list[int]:
        """Return the numbers of the matches that come after a number, so many at most."""
        query = select(matches.c.id).where(matches.c.id > after).order_by(matches.c.id).limit(most)
        return await self._database.read(
            lambda connection: list(connection.execute(query).scalars())
        )

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
    rows = fetch_matches(connection, select_with_seats(matches, seats, matches.c.id.in_(next_ones)))
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
        by_match[row["match"]].append(make_change_with_side(dict(row)))
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
