"""Rows of challenges, and what storing one comes to."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.platform.db.rows import QueuedJob, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class NewChallenge:
    """A challenge as made: `players` people a side; `rematch_of` is the match that it repeats.

    `ladder` is the one on which it is made, if on any.
    """

    guild: int
    channel: int
    challenger: int
    opponent: int | None
    side: str
    game: str
    options: Mapping[str, str]
    rated: bool
    players: int
    # Not in the repr, so that no log or traceback shows what the dice are made of.
    secret: bytes = field(repr=False)
    commitment: str
    created: int
    expires: int
    pace: str = "none"
    rematch_of: int | None = None
    ladder: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge(NewChallenge):
    """A challenge with its state: `open`, `accepted`, `declined`, `withdrawn` or `lapsed`.

    `closed` is when it came to one of the last three. `posted_digits` are the hexadecimal digits of
    its commitment that its message showed when it was posted; what an edit shows is not counted.
    """

    id: int
    message: int | None
    state: str
    match: int | None
    seats: tuple[Seat, ...]
    closed: int | None = None
    posted_digits: int = 0


@dataclass(frozen=True, slots=True)
class NewChallengeResult:
    """A new challenge, and the jobs that follow."""

    challenge: Challenge
    jobs: tuple[QueuedJob, ...] = ()


@dataclass(frozen=True, slots=True)
class JoinResult:
    """A challenge after somebody took a seat, the match if it was the last, and the jobs."""

    challenge: Challenge
    match: int | None
    jobs: tuple[QueuedJob, ...] = ()
