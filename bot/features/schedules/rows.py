"""What a server has the bot post of itself, as it is stored."""

from dataclasses import dataclass
from enum import StrEnum, auto

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
