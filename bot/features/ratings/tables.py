"""The tables of ratings, what their store takes and gives, and what counts of one day."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import sqlalchemy as sa

from bot.features.matches import rows
from bot.platform.db import tables as db
from engine.clock import DAY

DAILY_MEETINGS = 3
"""Matches of the same people in one game and day (UTC) that move their ratings.

Two accounts that play each other all day could lift one of them as high as they like, and a friend
who always loses does the same without meaning to. Three decide a best of five, and leave an honest
evening whole. Newcomers who farm get 336 points by three wins, less than half of what twelve in a
row would give, and each further day gives less.
"""

ratings = sa.Table(
    "ratings",
    db.metadata,
    sa.Column("scope", sa.Text, nullable=False, info=db.RATING),
    sa.Column("pool", sa.Text, nullable=False, info=db.RATING),
    sa.Column("person", db.BIG, sa.ForeignKey(db.people.c.id), nullable=False, info=db.PARTICIPANT),
    sa.Column("mu", db.REAL, nullable=False, info=db.RATING),
    sa.Column("sigma", db.REAL, nullable=False, info=db.RATING),
    sa.Column("games", sa.Integer, nullable=False, info=db.RATING),
    sa.Column("won", sa.Integer, nullable=False, info=db.RATING),
    sa.Column("drawn", sa.Integer, nullable=False, info=db.RATING),
    sa.Column("lost", sa.Integer, nullable=False, info=db.RATING),
    sa.Column("updated", db.BIG, nullable=False, info=db.INSTANT),
    sa.PrimaryKeyConstraint("scope", "pool", "person"),
    sa.Index("ratings_of", "person"),
    info=db.SHARED_RECORD,
)

# Literal, as in the index: with a parameter no database would see that the two are the same.
STRENGTH = ratings.c.mu - sa.literal_column("3") * ratings.c.sigma
"""What is certain of somebody's strength."""

sa.Index(
    "rating_standings",
    ratings.c.scope,
    ratings.c.pool,
    STRENGTH.desc(),
    ratings.c.person,
    # So that those without enough games are passed over without a look at their rows.
    ratings.c.games,
)

RATING_LOCK = 0x7AB01B
"""Our lock on the ratings of a PostgreSQL database."""


def lock_ratings_shared(connection: sa.Connection) -> None:
    """Let others rate beside this transaction, but not rate again; SQLite has one writer."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock_shared(RATING_LOCK)))


def lock_ratings(connection: sa.Connection) -> None:
    """Let nobody else rate until the transaction ends.

    The caller may hold no row lock except that of one match.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(RATING_LOCK)))


def on_board(table: sa.Table, board: rows.Leaderboard) -> sa.ColumnElement[bool]:
    """Return the condition that a row of a table belongs to a board."""
    return sa.and_(table.c.scope == board.scope, table.c.pool == board.pool)


@dataclass(frozen=True, slots=True)
class BoardChanges:
    """What a match did to the ratings of everyone in it, on one board."""

    match: int
    changes: tuple[rows.RatingChangeWithSide, ...]


def build_change_row(
    match: int, change: rows.RatingChange, side: str, day: int | None
) -> dict[str, Any]:
    """Return the row that keeps what a match did to somebody's rating on a side, and its day."""
    before = change.before
    return {
        "match": match,
        **change.key._asdict(),
        "before_mu": before and before.mu,
        "before_sigma": before and before.sigma,
        "after_mu": change.after.mu,
        "after_sigma": change.after.sigma,
        "side": side,
        "day": day,
    }


Teams: TypeAlias = Mapping[str, Sequence[rows.SkillEstimate | None]]
"""The strengths of both sides' people, by side; None is a newcomer."""

Rerate: TypeAlias = Callable[[Teams, str], Mapping[str, Sequence[rows.SkillEstimate]]]
"""Turns both sides' strengths before a result into those after it: `gold`, `black` or `draw`.

The first two are the side that won.
"""


@dataclass(frozen=True, slots=True)
class Result:
    """How a rated match ended, when, which boards it counts on, and who played on which side.

    `day` is the day, since 1970, on which its people's limit counts it; None where none does.
    """

    match: int
    ended: int
    winner: str
    boards: tuple[rows.Leaderboard, ...]
    people: Mapping[str, tuple[int, ...]]
    day: int | None = None

    @property
    def rating_keys(self) -> tuple[rows.RatingKey, ...]:
        """Every rating that it changes."""
        people = [person for team in self.people.values() for person in team]
        return tuple(rows.RatingKey(*board, person) for board in self.boards for person in people)

    @property
    def sides(self) -> Mapping[int, str]:
        """On which side everyone played."""
        return {person: side for side, team in self.people.items() for person in team}


def find_day(instant: int) -> int:
    """Return the day of an instant, counted from 1970 in UTC."""
    return instant // DAY


def has_reached_limit(earlier: Iterable[Mapping[int, str]], sides: Mapping[int, str]) -> bool:
    """Whether people have met as often as counts, by the sides of earlier matches of the day."""
    return sum(has_same_sides(each, sides) for each in earlier) >= DAILY_MEETINGS


def has_same_sides(earlier: Mapping[int, str], sides: Mapping[int, str]) -> bool:
    """Whether all who play now played in an earlier match, with and against the same people."""
    # Colours may have changed: either everybody is on their side of then, or nobody is.
    return len({earlier.get(person) == side for person, side in sides.items()}) == 1 and all(
        person in earlier for person in sides
    )
