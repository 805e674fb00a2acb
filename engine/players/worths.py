"""What many positions are worth at once."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.players.worth import Worth

Worths: TypeAlias = NDArray[np.float64]
"""Many worths, a row each: the chance to win, and the points."""

POINTS = 1
"""The column of the points."""

NONE: Worths = np.empty((0, 2))
"""No worths at all."""


def of_row(row: NDArray[np.float64]) -> Worth:
    """Return one of many worths."""
    return Worth(float(row[0]), float(row[1]))


def turned(worths: Worths) -> Worths:
    """Return the same worths for the other side."""
    return np.stack((1 - worths[:, 0], -worths[:, 1]), axis=1)
