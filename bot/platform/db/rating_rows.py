"""Rows of ratings, and what rates matches."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias

DRAW = "draw"
"""The result that is neither side's."""


RATING_EDITION = 2
"""The edition of the rules by which matches are rated that begin now.

By the second, two people move each other's ratings only so often a day, and seasons have ratings.
"""


class Leaderboard(NamedTuple):
    """One leaderboard: the scope and the pool of its ratings."""

    scope: str
    pool: str


class RatingKey(NamedTuple):
    """One rating: the scope (a server, or everywhere), the pool (a game, or all), the person."""

    scope: str
    pool: str
    person: int

    @property
    def board(self) -> Leaderboard:
        """The leaderboard to which it belongs."""
        return Leaderboard(self.scope, self.pool)


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A rating and the results it rests on."""

    mu: float
    sigma: float
    games: int
    won: int
    drawn: int
    lost: int
    updated: int


class SkillEstimate(Protocol):
    """What somebody's strength is believed to be: a mean and an uncertainty."""

    @property
    def mu(self) -> float:
        """The mean."""
        ...

    @property
    def sigma(self) -> float:
        """The uncertainty."""
        ...


class SkillValue(NamedTuple):
    """A mean and an uncertainty, as they were."""

    mu: float
    sigma: float


def make_skill_value(mu: float | None, sigma: float | None) -> SkillValue | None:
    """Return the belief in two columns; None for a newcomer, for whom they hold nothing."""
    return None if mu is None or sigma is None else SkillValue(mu, sigma)


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What a match did to one rating; `before` is None for the first."""

    key: RatingKey
    before: SkillEstimate | None
    after: SkillEstimate

    @property
    def is_still(self) -> bool:
        """Whether the rating is as it was: the match counts as played, and moves nothing."""
        return self.before is not None and (self.before.mu, self.before.sigma) == (
            self.after.mu,
            self.after.sigma,
        )


@dataclass(frozen=True, slots=True)
class RatingChangeWithSide(RatingChange):
    """What a match did to one rating, on which side that person played, and the day of a limit."""

    side: str
    day: int | None


@dataclass(frozen=True, slots=True)
class BoardChanges:
    """What a match did to the ratings of everyone in it, on one board."""

    match: int
    changes: tuple[RatingChangeWithSide, ...]


def make_change(row: Mapping[str, Any]) -> RatingChange:
    """Return what a row of changes says."""
    key = RatingKey(row["scope"], row["pool"], row["person"])
    before = make_skill_value(row["before_mu"], row["before_sigma"])
    return RatingChange(key, before, SkillValue(row["after_mu"], row["after_sigma"]))


def make_change_row(match: int, change: RatingChange, side: str, day: int | None) -> dict[str, Any]:
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


def make_change_with_side(row: Mapping[str, Any]) -> RatingChangeWithSide:
    """Return what a row of changes says, with the side and the day."""
    change = make_change(row)
    return RatingChangeWithSide(change.key, change.before, change.after, row["side"], row["day"])


Teams: TypeAlias = Mapping[str, Sequence[SkillEstimate | None]]
"""The strengths of both sides' people, by side; None is a newcomer."""


Rerate: TypeAlias = Callable[[Teams, str], Mapping[str, Sequence[SkillEstimate]]]
"""Turns both sides' strengths before a result into those after it: `gold`, `black` or `draw`.

The first two are the side that won.
"""


Rate: TypeAlias = Callable[[Mapping[RatingKey, RatingRow]], Mapping[RatingKey, RatingRow]]
"""Turns the ratings before a result into those after it; it runs inside the transaction."""
