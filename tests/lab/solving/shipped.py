"""The tables that come with the program, as chances by state."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from engine.players.exact import load_table
from engine.players.files import STEPS, TABLES

HALF_A_STEP = 0.5 / STEPS + 1e-12
"""What rounding may change."""

Values = npt.NDArray[np.float64]


def load_shipped(name: str, states: Sequence[bytes]) -> tuple[Values, Values]:
    """Return the chances to win and to lose of these states, or of each pair of them."""
    table = load_table(TABLES / name)
    rows = {row.tobytes(): at for at, row in enumerate(table.states)}
    places = np.array([rows[each] for each in states])
    if table.index != "points":
        places = places[:, None] * len(rows) + places
    return table.wins[places] / STEPS, table.losses[places] / STEPS
