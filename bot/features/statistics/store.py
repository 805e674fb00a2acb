"""A server's figures, counted by the database; and how many turns each finished match has had."""

import sqlalchemy as sa
from sqlalchemy.sql.elements import ColumnElement

from bot.features.matches.rows import DRAW, MatchUpdate
from bot.features.matches.store import END_WRITERS
from bot.features.matches.tables import events, matches, seats
from bot.features.statistics.rows import ClubFigures, ClubScope, MatchLength, Period, WinningStreak
from bot.platform.db.database import StorePart, build_upsert
from bot.platform.db.tables import BIG, NUMBER, PLACE, SHARED_RECORD, metadata
from engine.outcome import UNPLAYED

table = sa.Table(
    "match_lengths",
    metadata,
    sa.Column("match", BIG, sa.ForeignKey(matches.c.id), nullable=False, info=NUMBER),
    sa.Column("guild", BIG, nullable=False, info=PLACE),
    sa.Column("turns", sa.Integer, nullable=False, info=NUMBER),
    sa.PrimaryKeyConstraint("match"),
    sa.Index("match_lengths_of", "guild", "turns", "match"),
    info=SHARED_RECORD,
)

UNCOUNTED = sorted(UNPLAYED)
"""How matches end that do not count; in one order, so that the statements are the same."""
MAX_STREAKS, MIN_STREAK = 3, 2
"""People whose streaks are shown, and the wins of the shortest streak."""
_THROWN = "thrown"
"""The record of a throw, which begins a turn; opening rolls have one of their own."""


class Statistics(StorePart):
    """The figures of servers."""

    async def load_figures(self, club: ClubScope, period: Period) -> ClubFigures:
        """Return what has been played in a server, all of it as it is at one moment."""
        # It reads every finished match of the server: beside the others, so that none waits for it.
        async with self._database.open_read_transaction() as moment:
            return await moment.run_sync(_load_figures, club, period)


@END_WRITERS.add(4)
def write_update(
    connection: sa.Connection, match: int, step: MatchUpdate, winner_before: str | None
) -> None:
    """Keep how many turns a match has had when it ends."""
    if step.ending is None:
        return
    records = connection.execute(
        sa.select(events.c.record).where(events.c.match == match)
    ).scalars()
    turns = sum(record["event"] == _THROWN for record in records)
    guild = sa.select(matches.c.guild).where(matches.c.id == match).scalar_subquery()
    kept = (
        build_upsert(connection.dialect.name, table)
        .values(match=match, guild=guild, turns=turns)
        # What is annulled when it is over has been counted before.
        .on_conflict_do_nothing()
    )
    connection.execute(kept)


def _load_figures(connection: sa.Connection, club: ClubScope, period: Period) -> ClubFigures:
    games, against_computer = _count_games(connection, club)
    active, recently_active = connection.execute(_select_active(club, period)).one()
    streaks = connection.execute(_select_streaks(club))
    longest = connection.execute(_select_longest(club)).first()
    weeks = dict(connection.execute(_select_weeks(club, period)).all())
    return ClubFigures(
        weeks=tuple(weeks.get(number, 0) for number in range(len(period.starts))),
        active=active,
        recently_active=recently_active,
        games=games,
        against_computer=against_computer,
        streaks=tuple(WinningStreak(person, wins) for person, wins in streaks),
        longest=MatchLength(*longest) if longest else None,
    )


def is_counted(club: ClubScope) -> ColumnElement[bool]:
    """Return the condition that a match of a server counts."""
    return sa.and_(
        matches.c.guild == club.guild,
        # By this the databases know that the index of what is over holds them all.
        matches.c.ended.is_not(None),
        matches.c.how.not_in(UNCOUNTED),
    )


def has_computer(club: ClubScope) -> ColumnElement[bool]:
    """Return the condition that the computer sits in a match."""
    # Another name: the query around it may be about seats, too.
    taken = seats.alias("taken")
    theirs = (
        taken.c.match == matches.c.id,
        # The ids of people are far larger: within these few the index finds at most the computer.
        taken.c.person.between(min(club.computers), max(club.computers)),
        taken.c.person.in_(sorted(club.computers)),
    )
    return sa.exists(sa.select(taken.c.person).where(*theirs).correlate(matches))


def _is_within(period: Period) -> ColumnElement[bool]:
    return sa.and_(matches.c.ended >= period.starts[0], matches.c.ended < period.end)


def _count_games(
    connection: sa.Connection, club: ClubScope
) -> tuple[tuple[tuple[str, int], ...], int]:
    """Return the matches of each game between people, and how many are against the computer."""
    with_computer = sa.func.count().filter(has_computer(club))
    query = (
        sa.select(matches.c.game, sa.func.count(), with_computer)
        .where(is_counted(club))
        .group_by(matches.c.game)
    )
    games = []
    against_computer = 0
    for game, count, against in connection.execute(query):
        against_computer += against
        if count > against:
            games.append((game, count - against))
    ordered = sorted(games, key=lambda each: (-each[1], each[0]))
    return tuple(ordered), against_computer


def _select_weeks(club: ClubScope, period: Period) -> sa.Select[int, int]:
    """Return the query for the weeks in which matches were finished, by number, and how many."""
    latest_first = list(enumerate(period.starts))[::-1]
    week = sa.case(*((matches.c.ended >= start, number) for number, start in latest_first))
    # Numbered inside: PostgreSQL takes an expression with parameters for another one each time.
    dated = (
        sa.select(week.label("week"))
        .where(is_counted(club), _is_within(period), ~has_computer(club))
        .subquery()
    )
    return sa.select(dated.c.week, sa.func.count()).group_by(dated.c.week)


def _select_active(club: ClubScope, period: Period) -> sa.Select[int, int]:
    """Return the query for how many people have played within a period, and of late."""
    latest = (
        sa.select(sa.func.max(matches.c.ended).label("ended"))
        .join(seats, seats.c.match == matches.c.id)
        .where(is_counted(club), _is_within(period), ~has_computer(club))
        .group_by(seats.c.person)
        .subquery()
    )
    recently = sa.func.count().filter(latest.c.ended >= period.recent)
    return sa.select(sa.func.count(), recently).select_from(latest)


def _select_streaks(club: ClubScope) -> sa.Select[int, int]:
    """Return the query for the longest streaks, each of another person: who, and how many wins."""
    played = (
        sa.select(
            seats.c.person,
            matches.c.ended,
            matches.c.id,
            sa.case((has_winners_seat(), 1), else_=0).label("won"),
        )
        .join(seats, seats.c.match == matches.c.id)
        .where(is_counted(club), ~has_computer(club))
        .subquery()
    )
    # How many matches somebody has not won so far: the wins between two of them have the same.
    before: ColumnElement[int] = sa.func.sum(sa.literal_column("1") - played.c.won).over(
        partition_by=played.c.person, order_by=(played.c.ended, played.c.id)
    )
    numbered = sa.select(played, before.label("streak")).subquery()
    runs = (
        sa.select(
            numbered.c.person,
            sa.func.count().label("wins"),
            sa.func.max(numbered.c.ended).label("ended"),
        )
        .where(numbered.c.won == 1)
        .group_by(numbered.c.person, numbered.c.streak)
        .having(sa.func.count() >= MIN_STREAK)
        .subquery()
    )
    # Of equal ones the earlier: it was there to be reached.
    rank = sa.func.row_number().over(
        partition_by=runs.c.person, order_by=(runs.c.wins.desc(), runs.c.ended)
    )
    ranked = sa.select(runs, rank.label("place")).subquery()
    return (
        sa.select(ranked.c.person, ranked.c.wins)
        .where(ranked.c.place == 1)
        .order_by(ranked.c.wins.desc(), ranked.c.ended, ranked.c.person)
        .limit(MAX_STREAKS)
    )


def has_winners_seat() -> ColumnElement[bool]:
    """Return the condition that somebody sits in a winner's seat at the end of a match.

    Seats are of the sides on which people sat down, which the opening roll may have swapped.
    """
    is_drawn = matches.c.winner == DRAW
    is_of_winner = seats.c.side == matches.c.winner
    return sa.and_(~is_drawn, is_of_winner != (matches.c.swapped == sa.literal_column("1")))


def _select_longest(club: ClubScope) -> sa.Select[int, int]:
    """Return the query for the match with the most turns; of equal ones the earlier."""
    return (
        sa.select(table.c.match, table.c.turns)
        .join(matches, matches.c.id == table.c.match)
        # Not by the match's own server and end, by which SQLite would look at all of them first.
        .where(table.c.guild == club.guild, matches.c.how.not_in(UNCOUNTED), ~has_computer(club))
        .order_by(table.c.turns.desc(), table.c.match)
        .limit(1)
    )
