"""Ladders as they are stored, with all from which their order is computed."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.features.ladders.rungs import (
    DEPARTURES,
    LadderAction,
    LadderChallenge,
    LadderEvent,
    compute_rungs,
)
from bot.platform.db.rows import QueuedJob


@dataclass(frozen=True, slots=True, kw_only=True)
class NewLadder:
    """A ladder as somebody organises it; `next_drop` is when the inactive drop next."""

    guild: int
    channel: int
    name: str
    organiser: int
    game: str
    options: Mapping[str, str]
    rated: bool
    pace: str
    created: int
    next_drop: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder(NewLadder):
    """A ladder that is kept: `message` shows it; it is open until it is `closed`."""

    id: int
    message: int | None
    closed: int | None

    @property
    def is_open(self) -> bool:
        """Whether people can join it, and challenge each other on it."""
        return self.closed is None


@dataclass(frozen=True, slots=True)
class LadderView:
    """A ladder with all that happened on it, in the order in which it was stored."""

    ladder: Ladder
    events: tuple[LadderEvent, ...]
    challenges: tuple[LadderChallenge, ...]

    @property
    def rungs(self) -> tuple[int, ...]:
        """Who stands on which rung, the first on the top one."""
        return compute_rungs(self.events, self.challenges)

    @property
    def people(self) -> frozenset[int]:
        """Everybody who was on it at any time."""
        return frozenset(each.person for each in self.events if each.person is not None)

    @property
    def rulings(self) -> tuple[LadderEvent, ...]:
        """What organisers did to it."""
        return tuple(each for each in self.events if each.moderator is not None)

    @property
    def running(self) -> tuple[LadderChallenge, ...]:
        """The challenges that can be answered, or are being played."""
        return tuple(each for each in self.challenges if each.is_running)

    def count_matches(self, person: int) -> tuple[int, int]:
        """Return how many matches somebody has played on it, and how many of them they won."""
        played = [
            each
            for each in self.challenges
            if each.match is not None and each.is_counted and person in each.people
        ]
        return len(played), sum(each.winner == person for each in played)

    def has_left(self, person: int) -> bool:
        """Whether somebody was on it, and is no more."""
        return person in self.people and person not in self.rungs

    def has_left_since(self, person: int, instant: int) -> bool:
        """Whether somebody has left, or was removed, since an instant."""
        return any(
            each.person == person and each.action in DEPARTURES and each.at >= instant
            for each in self.events
        )

    def find_ruling(self, action: LadderAction) -> LadderEvent | None:
        """Return an organiser's latest ruling of a kind."""
        return next((each for each in reversed(self.rulings) if each.action is action), None)


@dataclass(frozen=True, slots=True)
class LadderChange:
    """Whether a ladder was changed, and the jobs that follow."""

    is_made: bool
    jobs: tuple[QueuedJob, ...] = ()
