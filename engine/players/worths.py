"""What many positions are worth at once."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.players.worth import Evaluation

EvaluationRows: TypeAlias = NDArray[np.float64]
"""Many worths, a row each: the chance to win, and the points."""

POINTS = 1
"""The column of the points."""

NO_EVALUATIONS: EvaluationRows = np.empty((0, 2))
"""No worths at all."""


def unpack_evaluation(row: NDArray[np.float64]) -> Evaluation:
    """Return one of many worths."""
    return Evaluation(float(row[0]), float(row[1]))


def flip_evaluations(worths: EvaluationRows) -> EvaluationRows:
    """Return the same worths for the other side."""
    return np.stack((1 - worths[:, 0], -worths[:, 1]), axis=1)
