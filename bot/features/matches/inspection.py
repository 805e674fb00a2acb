"""Inconsistencies in the whole database: ratings and their changes by matches, jobs, challenges."""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, TypeAlias

from sqlalchemy import Connection, Row, Text, and_, cast, func, select

from bot.features.matches.seat_rows import fetch_matches, select_with_seats
from bot.platform.db.database import Database
from bot.platform.db.jobs import JOB_COLUMNS
from bot.platform.db.rating_rows import DRAW, Leaderboard, RatingKey, SkillValue, make_skill_value
from bot.platform.db.rows import DatabaseLoad, MatchRow, QueuedJob
from bot.platform.db.tables import (
    challenges,
    jobs,
    matches,
    rating_changes,
    ratings,
    seats,
    servers,
)
from engine.strict_json import parse_json

PAGE = 2000
"""Rows that are read at a time."""

BoardsOf: TypeAlias = Callable[[MatchRow], Collection[Leaderboard]]
"""Returns the boards on which a match counts."""

_Row: TypeAlias = Row[*tuple[Any, ...]]


class Inspection:
    """Questions to the whole database, each answered as it is at one moment."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find_wrong_ratings(self, rating_anew: str, boards: BoardsOf) -> list[RatingKey]:
        """Return the ratings that differ from what people's matches made of them.

        They differ in results, mean or uncertainty. A job of the kind `rating_anew`, whose key is a
        match, is still to correct mean and uncertainty on the boards of that match: until then only
        the results are judged there. A job that was given up is itself what is wrong.
        """

        def work(connection: Connection) -> list[RatingKey]:
            unsettled = {
                board
                for row in _load_matches_with_job(connection, rating_anew)
                for board in boards(row)
            }
            return [
                *_find_wrong_ratings(connection, unsettled),
                *_find_matchless_ratings(connection),
            ]

        # At one moment: a match that ends between two queries would look like an inconsistency.
        async with self._database.open_read_transaction() as moment:
            return await moment.run_sync(work)

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


def _load_matches_with_job(connection: Connection, kind: str) -> list[MatchRow]:
    """Return the matches for which a job of that kind waits."""
    waits = (
        select(jobs.c.id)
        .where(jobs.c.kind == kind, jobs.c.key == cast(matches.c.id, Text))
        .exists()
    )
    return fetch_matches(connection, select_with_seats(matches, seats, waits))


def _find_wrong_ratings(
    connection: Connection, unsettled: Collection[Leaderboard]
) -> Iterator[RatingKey]:
    """Yield the ratings that what matches did to them does not lead to."""
    change = rating_changes.c
    key = (change.scope, change.pool, change.person)
    same = and_(*(column == ratings.c[column.name] for column in key))
    query = (
        select(
            *key,
            *(
                change[name]
                for name in ("before_mu", "before_sigma", "after_mu", "after_sigma", "side")
            ),
            matches.c.winner,
            *(ratings.c[name] for name in ("mu", "sigma", "won", "drawn", "lost")),
        )
        .join(matches)
        # An outer join, so that changes whose rating is missing are found as well.
        .outerjoin(ratings, same)
        .order_by(*key)
        .execution_options(yield_per=PAGE)
    )
    for columns, rows in groupby(
        connection.execute(query), key=attrgetter("scope", "pool", "person")
    ):
        rating, changes = RatingKey(*columns), list(rows)
        if not _has_right_results(changes) or not (
            rating.board in unsettled or _is_consistent_chain(changes)
        ):
            yield rating


def _has_right_results(changes: Sequence[_Row]) -> bool:
    """Whether what is stored counts the results of somebody's matches."""
    won = sum(row.winner == row.side for row in changes)
    drawn = sum(row.winner == DRAW for row in changes)
    lost = len(changes) - won - drawn
    # The stored rating is joined to each of its changes, so any row has it.
    stored = changes[0]
    return (won, drawn, lost) == (stored.won, stored.drawn, stored.lost)


def _is_consistent_chain(changes: Sequence[_Row]) -> bool:
    """Whether the changes of a rating form a chain that ends at the stored value.

    Their order is free: two matches that ended in the same moment may have been rated either way.
    """
    steps = {
        # Two changes that begin at the same value leave one entry, and so break the chain below.
        make_skill_value(row.before_mu, row.before_sigma): SkillValue(row.after_mu, row.after_sigma)
        for row in changes
    }
    # None is the value before the first match of a newcomer.
    at = None
    for _ in changes:
        if at not in steps:
            return False
        at = steps.pop(at)
    stored = changes[0]
    return at == make_skill_value(stored.mu, stored.sigma)


def _find_matchless_ratings(connection: Connection) -> Iterator[RatingKey]:
    """Yield the ratings that rest on no match."""
    key = ("scope", "pool", "person")
    some = (
        select(rating_changes.c.match)
        .where(*(rating_changes.c[name] == ratings.c[name] for name in key))
        .exists()
    )
    for row in connection.execute(select(*(ratings.c[name] for name in key)).where(~some)):
        yield RatingKey(*row)
