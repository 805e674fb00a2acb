"""What was played in a server within a week, counted by the database."""

from collections.abc import Collection

from sqlalchemy import Connection, and_, func, select
from sqlalchemy.sql.elements import ColumnElement

from bot.features.contests.tables import pairings
from bot.features.digest.rows import WeekFigures, WeekSpan, WeekWins
from bot.features.statistics.rows import ClubScope, MatchLength
from bot.features.statistics.store import has_computer, has_winners_seat, is_counted
from bot.features.statistics.store import table as lengths
from bot.platform.db.database import Database
from bot.platform.db.tables import matches, seats

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
