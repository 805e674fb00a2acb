"""What a position is worth to one side: its chance to win, and the points that it may expect."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.outcome import Outcome
from engine.position import Side

Worths: TypeAlias = NDArray[np.float64]
"""Many worths at once, a row each: the chance to win, and the points."""

POINTS = 1
"""The column of the points."""

NONE: Worths = np.empty((0, 2))
"""No worths at all."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What a position is worth to the side in question: its chance to win, from 0 to 1, and its expected points."""

    win: float
    points: float

    @property
    def turned(self) -> "Worth":
        """The same for the other side."""
        return Worth(1 - self.win, -self.points)


def of_row(row: NDArray[np.float64]) -> Worth:
    """Return one of many worths."""
    return Worth(float(row[0]), float(row[1]))


def turned(worths: Worths) -> Worths:
    """Return the same worths for the other side."""
    return np.stack((1 - worths[:, 0], -worths[:, 1]), axis=1)


def ended(outcome: Outcome, side: Side) -> Worth:
    """Return what a game that has ended is worth to a side; a draw is half a win, and no points."""
    if outcome.winner is None:
        return Worth(0.5, 0.0)
    return Worth(1.0, float(outcome.points)) if outcome.winner is side else Worth(0.0, -float(outcome.points))
