"""What is counted of a club's week."""

from dataclasses import dataclass

from bot.features.statistics.rows import MatchLength


@dataclass(frozen=True, slots=True)
class WeekSpan:
    """The instants, in milliseconds, at which a week begins and ends."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class WeekWins:
    """How many matches somebody has won in a week."""

    person: int
    wins: int


@dataclass(frozen=True, slots=True)
class LuckyThrow:
    """A throw and the equity that it gained over an average one.

    The match was at `version` before it, and `side` threw.
    """

    match: int
    version: int
    side: str
    dice: tuple[int, ...]
    luck: float


@dataclass(frozen=True, slots=True)
class WeekFigures:
    """What people played with each other in a server within a week.

    `games` are the most played ones with their matches, `winners` those who won the most, and
    `longest` is the match with the most turns.
    """

    matches: int
    players: int
    games: tuple[tuple[str, int], ...]
    winners: tuple[WeekWins, ...]
    longest: MatchLength | None
