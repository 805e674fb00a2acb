"""What a server has scheduled, as it is stored, and what is counted of its week."""

from dataclasses import dataclass
from enum import StrEnum, auto

from bot.features.statistics.rows import MatchLength

MONDAY = 0
"""The number of the first day of a week."""


class PostKind(StrEnum):
    """What is posted."""

    PUZZLE = auto()
    DIGEST = auto()

    @property
    def weekday(self) -> int | None:
        """The day of the week on which it is posted; None for every day."""
        return MONDAY if self is PostKind.DIGEST else None


@dataclass(frozen=True, slots=True)
class ScheduledPost:
    """What a server has posted: where, None for nowhere, and at which hour by its clocks.

    `day` is the last whose post is made, or needs none; `begun` is the last whose post was begun.
    `message` in `place` is the latest that was posted, and `subject` says what it shows.
    """

    guild: int
    post: PostKind
    channel: int | None
    hour: int
    day: int
    begun: int | None = None
    place: int | None = None
    message: int | None = None
    subject: str | None = None


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
