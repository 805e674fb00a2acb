"""The evaluations of many positions at once."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.players.evaluation import Evaluation

EvaluationRows: TypeAlias = NDArray[np.float64]
"""Many evaluations, a row each: the chance to win, and the points."""

POINTS = 1
"""The column of the points."""

NO_EVALUATIONS: EvaluationRows = np.empty((0, 2))
"""No evaluations at all."""


def unpack_evaluation(row: NDArray[np.float64]) -> Evaluation:
    """Return one of many evaluations."""
    return Evaluation(float(row[0]), float(row[1]))


def flip_evaluations(rows: EvaluationRows) -> EvaluationRows:
    """Return the same evaluations for the other side."""
    return np.stack((1 - rows[:, 0], -rows[:, 1]), axis=1)
