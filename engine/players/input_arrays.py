"""What a net sees of many positions at once: an array with a row of inputs for each."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from engine.match import end_throw
from engine.players.boards import Boards
from engine.players.inputs import (
    FEATURE_INPUTS,
    UNITS,
    Floats,
    compute_feature_inputs,
    encode_memory,
    encode_men,
    lay_out_inputs,
)
from engine.position import Position, Side
from engine.rules import Rules

_UNITS = np.array([encode_men(count) for count in range(256)], np.float32)
"""The inputs for every count of men that a byte can hold."""


@dataclass(frozen=True, eq=False)
class InputColumns:
    """Which places are seen, and where the inputs of each stand, one after another."""

    places: npt.NDArray[np.intp]
    columns: npt.NDArray[np.intp]


def build_inputs(rules: Rules, before: Boards, thrower: Side) -> Floats:
    """Return the inputs of positions in which that side throws next, one row each.

    Which side is to move in them makes no difference.
    """
    found = lay_out_inputs(rules, thrower)
    count = len(before.memory)
    rows = np.zeros((count, found.count), np.float32)
    for firsts, side in ((found.mine, thrower), (found.theirs, thrower.other)):
        gathering = _locate_columns(firsts)
        men = before.men(side).take(gathering.places, axis=1)
        rows[:, gathering.columns] = _UNITS.take(men, axis=0).reshape(count, -1)
    rows[:, found.weighed : found.weighed + FEATURE_INPUTS] = compute_feature_inputs(
        rules, before, thrower
    )
    if found.memory >= 0:
        for at in np.flatnonzero(before.memory):
            gold, black, memory = (part[at] for part in before)
            position = Position(gold.tobytes(), black.tobytes(), thrower, (), int(memory))
            # A blockade that the last play has broken is forgotten once the throw is done.
            rows[at, found.memory :] = encode_memory(end_throw(rules, position).memory, thrower)
    return rows


@lru_cache(maxsize=512)
def _locate_columns(firsts: tuple[int, ...]) -> InputColumns:
    kept = [(place, first) for place, first in enumerate(firsts) if first >= 0]
    columns = [first + unit for _, first in kept for unit in range(UNITS)]
    return InputColumns(np.array([place for place, _ in kept], np.intp), np.array(columns, np.intp))
