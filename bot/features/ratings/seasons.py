"""Seasons: each quarter has leaderboards of its own, beside those of all time.

A season's ratings are rows like all others, on a board whose scope names the season. Somebody's
first match of a season starts from their rating in an earlier one, about which less is certain by
now; nothing has to be done when a season begins or ends.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from math import sqrt
from typing import NamedTuple

from bot.platform.db.rating_rows import Leaderboard, SkillEstimate, SkillValue

QUARTERS = 4
REMEMBERED = QUARTERS
"""Seasons after which somebody who has not played starts as a newcomer: a year."""
WIDENING = 10 / 3
"""The uncertainty that each season adds, as the root of what is added to its square.

Glickman's way to choose it is to say when a settled rating is worth no more than none: here after a
year. From an uncertainty of 5, below which a rating is certain, four seasons lead to the 25/3 of a
newcomer: 25 + 4 (10/3)^2 = (25/3)^2.
"""
MOST_UNCERTAIN = 25 / 3
"""The uncertainty of a newcomer, the greatest there is."""

_IN = "@"
"""Between a scope and a season in the name of a season's scope."""
_WRITTEN = re.compile(r"(?P<year>[0-9]{4})-?[Qq](?P<quarter>[1-4])")


class Season(NamedTuple):
    """A quarter of a year, in UTC."""

    year: int
    quarter: int

    def __str__(self) -> str:
        return f"{self.year}-Q{self.quarter}"

    def shift(self, seasons: int) -> "Season":
        """Return the season that comes so many after this one."""
        year, quarter = divmod(self.year * QUARTERS + self.quarter - 1 + seasons, QUARTERS)
        return Season(year, quarter + 1)


def find_season(instant: int) -> Season:
    """Return the season in which an instant lies."""
    at = datetime.fromtimestamp(instant / 1000, UTC)
    return Season(at.year, (at.month + 2) // 3)


def parse_season(text: str) -> Season | None:
    """Return the season that a text names; None if it names none."""
    found = _WRITTEN.fullmatch(text.strip())
    return Season(int(found["year"]), int(found["quarter"])) if found else None


def make_season_scope(scope: str, season: Season | None) -> str:
    """Return the scope of a season's boards; without a season, that of all time."""
    return f"{scope}{_IN}{season}" if season else scope


def split_scope(scope: str) -> tuple[str, Season | None]:
    """Return the scope of all time to which a scope belongs, and its season, if it is of one."""
    base, _, season = scope.partition(_IN)
    return base, parse_season(season)


def get_board_order(board: Leaderboard) -> tuple[int, ...]:
    """Return what sorts the boards of each season before those that start from them."""
    _, season = split_scope(board.scope)
    return tuple(season or ())


def is_later_season(board: Leaderboard, other: Leaderboard) -> bool:
    """Whether a board is of a later season than another of the same people and games."""
    (base, season), (other_base, other_season) = split_scope(board.scope), split_scope(other.scope)
    if season is None or other_season is None or season <= other_season:
        return False
    return (base, board.pool) == (other_base, other.pool)


def list_earlier_boards(board: Leaderboard) -> tuple[Leaderboard, ...]:
    """Return the boards from which ratings are carried over to a board, the latest first."""
    base, season = split_scope(board.scope)
    if season is None:
        return ()
    return tuple(
        Leaderboard(make_season_scope(base, season.shift(-back)), board.pool)
        for back in range(1, REMEMBERED + 1)
    )


def carry_over(
    board: Leaderboard, earlier: Mapping[Leaderboard, SkillEstimate]
) -> SkillValue | None:
    """Return what somebody starts from on a board, by their ratings on those before.

    None for a newcomer.
    """
    for seasons, before in enumerate(list_earlier_boards(board), 1):
        if found := earlier.get(before):
            wider = sqrt(found.sigma**2 + seasons * WIDENING**2)
            return SkillValue(found.mu, min(wider, MOST_UNCERTAIN))
    return None
