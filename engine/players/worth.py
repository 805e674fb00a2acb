"""The worth of positions, plays and throws, as shown to users; needs no numpy."""

from dataclasses import dataclass
from typing import NamedTuple

from engine.events import Event
from engine.outcome import Outcome
from engine.position import Side


@dataclass(frozen=True, slots=True)
class Worth:
    """A position's worth to one side: its chance to win, from 0 to 1, and its expected points."""

    win: float
    points: float

    @property
    def turned(self) -> "Worth":
        """The same for the other side."""
        return Worth(1 - self.win, -self.points)


class Prospect(NamedTuple):
    """Something that may be done now, and what it is worth to the player who does it."""

    event: Event
    worth: Worth


@dataclass(frozen=True, slots=True)
class Judged:
    """One throw or decision of a match, judged.

    `version` is that of the match after it, `side` whose it was. A throw has `luck`, a decision an
    `error`, never below zero, both in points; the other of the two is zero. `best` is the best
    alternative to a decision, `worth` the match's worth to gold after it.
    """

    version: int
    side: Side
    thrown: bool
    luck: float
    error: float
    best: Event | None
    worth: Worth


def ended(outcome: Outcome, side: Side) -> Worth:
    """Return what a game that has ended is worth to a side; a draw is half a win, and no points."""
    if outcome.winner is None:
        return Worth(0.5, 0.0)
    return (
        Worth(1.0, float(outcome.points))
        if outcome.winner is side
        else Worth(0.0, -float(outcome.points))
    )
