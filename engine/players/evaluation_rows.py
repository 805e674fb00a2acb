"""The evaluations of many positions at once."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.players.evaluation import Evaluation

EvaluationRows: TypeAlias = NDArray[np.float64]
"""Many evaluations, a row each: the chance to win, the points, and whether both are exact."""

WIN, POINTS, EXACT = range(3)
"""The columns."""

NO_EVALUATIONS: EvaluationRows = np.empty((0, 3))
"""No evaluations at all."""


def build_rows(
    wins: NDArray[Any], points: NDArray[Any], exact: NDArray[np.bool_] | bool = False
) -> EvaluationRows:
    """Set chances and points side by side."""
    return np.stack((wins, points, np.broadcast_to(exact, wins.shape)), axis=1).astype(np.float64)


def unpack_evaluation(row: NDArray[np.float64]) -> Evaluation:
    """Return one of many evaluations."""
    return Evaluation(float(row[WIN]), float(row[POINTS]), bool(row[EXACT]))


def flip_evaluations(rows: EvaluationRows) -> EvaluationRows:
    """Return the same evaluations for the other side."""
    return np.stack((1 - rows[:, WIN], -rows[:, POINTS], rows[:, EXACT]), axis=1)
