"""What was played in a server within a week, counted by the database."""

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import Connection, and_, func, select
from sqlalchemy.sql.elements import ColumnElement

from bot.features.contests.tables import pairings
from bot.features.digest.rows import LuckyThrow, WeekFigures, WeekSpan, WeekWins
from bot.features.reports.store import table as reports
from bot.features.statistics.rows import ClubScope, MatchLength
from bot.features.statistics.store import has_computer, has_winners_seat, is_counted
from bot.features.statistics.store import table as lengths
from bot.platform.db.database import Database
from bot.platform.db.tables import events, matches, seats

MOST_REPORTS = 200
"""Reports that are read for a week; the latest."""
_THROWN = "thrown"
"""The record of a throw; opening rolls have one of their own."""
MOST_GAMES, MOST_WINNERS = 3, 3
"""Games and people that are told of a week."""


class WeekDigests:
    """The weeks of servers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load_figures(self, club: ClubScope, week: WeekSpan) -> WeekFigures:
        """Return what people played with each other, all of it as it is at one moment."""
        async with self._database.open_read_transaction() as moment:
            return await moment.run_sync(_load_figures, club, week)

    async def find_luckiest_throw(self, club: ClubScope, week: WeekSpan) -> LuckyThrow | None:
        """Return the luckiest throw of the matches that have a report; None without any."""
        reported = (
            select(reports.c.match, reports.c.document)
            .join(matches, matches.c.id == reports.c.match)
            .where(_is_within(club, week))
            .order_by(matches.c.ended.desc(), matches.c.id)
            .limit(MOST_REPORTS)
        )

        def work(connection: Connection) -> LuckyThrow | None:
            best: tuple[float, int, Mapping[str, Any]] | None = None
            # One after another, since a report is long.
            for match, document in connection.execute(reported):
                for row in document["judged"]:
                    if row["thrown"] and row["luck"] > (best[0] if best else 0.0):
                        best = row["luck"], match, row
            if best is None:
                return None
            luck, match, row = best
            happened = select(events.c.record).where(
                events.c.match == match,
                events.c.version > row["first"],
                events.c.version <= row["version"],
            )
            for record in connection.execute(happened.order_by(events.c.version)).scalars():
                if record["event"] == _THROWN:
                    dice = tuple(record["dice"])
                    return LuckyThrow(match, row["first"], row["side"], dice, luck)
            return None

        return await self._database.read(work)

    async def find_finished(self, contests: Collection[int], week: WeekSpan) -> set[int]:
        """Return the contests whose last match ended within a week."""
        query = (
            select(pairings.c.contest)
            .join(matches, matches.c.id == pairings.c.match)
            .where(pairings.c.contest.in_(contests))
            .group_by(pairings.c.contest)
            .having(func.max(matches.c.ended) >= week.start, func.max(matches.c.ended) < week.end)
        )
        return await self._database.read(
            lambda connection: set(connection.execute(query).scalars())
        )


def _load_figures(connection: Connection, club: ClubScope, week: WeekSpan) -> WeekFigures:
    is_within = _is_within(club, week)
    count = func.count()
    played = (
        select(matches.c.game, count)
        .where(is_within)
        .group_by(matches.c.game)
        .order_by(count.desc(), matches.c.game)
    )
    games = [(game, number) for game, number in connection.execute(played)]
    sat = seats.join(matches, matches.c.id == seats.c.match)
    players = select(func.count(seats.c.person.distinct())).select_from(sat).where(is_within)
    won = (
        select(seats.c.person, count)
        .select_from(sat)
        .where(is_within, has_winners_seat())
        .group_by(seats.c.person)
        .order_by(count.desc(), seats.c.person)
        .limit(MOST_WINNERS)
    )
    longest = (
        select(lengths.c.match, lengths.c.turns)
        .join(matches, matches.c.id == lengths.c.match)
        .where(is_within)
        .order_by(lengths.c.turns.desc(), lengths.c.match)
        .limit(1)
    )
    found = connection.execute(longest).first()
    return WeekFigures(
        matches=sum(number for _, number in games),
        players=connection.execute(players).scalar_one(),
        games=tuple(games[:MOST_GAMES]),
        winners=tuple(WeekWins(*row) for row in connection.execute(won)),
        longest=MatchLength(*found) if found else None,
    )


def _is_within(club: ClubScope, week: WeekSpan) -> ColumnElement[bool]:
    """Return the condition that a match between people counts and ended within a week."""
    return and_(
        is_counted(club),
        matches.c.ended >= week.start,
        matches.c.ended < week.end,
        ~has_computer(club),
    )
