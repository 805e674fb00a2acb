"""A club's figures as they are read."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClubScope:
    """Whose matches are counted: a server's, and who in them is the computer."""

    guild: int
    computers: Collection[int]


@dataclass(frozen=True, slots=True)
class Period:
    """Which weeks are counted: where each begins, where the last ends, and which are recent.

    All are instants in milliseconds, the earliest first. `recent` is where the weeks begin that are
    counted by themselves as well.
    """

    starts: Sequence[int]
    end: int
    recent: int


@dataclass(frozen=True, slots=True)
class WinningStreak:
    """How many matches somebody has won one after another."""

    person: int
    wins: int


@dataclass(frozen=True, slots=True)
class MatchLength:
    """How many turns a match has had."""

    match: int
    turns: int


@dataclass(frozen=True, slots=True)
class ClubFigures:
    """What has been played in a server, between people unless it says otherwise.

    `weeks` are the matches finished in each week of the period, the earliest first. `active` and
    `recently_active` are how many people played one in the period, and in its recent weeks. `games`
    are all games and their matches since the beginning, the most played first; `against_computer`
    counts the matches with the computer. `streaks` are the longest of different people.
    """

    weeks: tuple[int, ...]
    active: int
    recently_active: int
    games: tuple[tuple[str, int], ...]
    against_computer: int
    streaks: tuple[WinningStreak, ...]
    longest: MatchLength | None

    @property
    def total(self) -> int:
        """The matches between people since the beginning."""
        return sum(count for _, count in self.games)
