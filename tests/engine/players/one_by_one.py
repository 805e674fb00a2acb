"""The inputs of one position, place by place.

`engine.players.input_arrays`, which finds them for many at once, is tested against it.
"""

import numpy as np

from engine.players import inputs
from engine.players.boards import stack_positions
from engine.position import Position
from engine.rules import Rules


def compute_position_inputs(rules: Rules, position: Position) -> inputs.Floats:
    """Return a position's inputs before a throw, as the side to move sees it: one float32 each."""
    side = position.turn
    found = inputs.lay_out_inputs(rules, side)
    seen = np.zeros(found.count, np.float32)
    for firsts, men in ((found.mine, position.men(side)), (found.theirs, position.men(side.other))):
        for first, count in zip(firsts, men, strict=True):
            if count and first >= 0:
                seen[first : first + inputs.UNITS] = inputs.encode_men(count)
    seen[found.weighed : found.weighed + inputs.FEATURE_INPUTS] = inputs.compute_feature_inputs(
        rules, stack_positions(rules, [position]), side
    )[0]
    if found.memory >= 0:
        seen[found.memory :] = inputs.encode_memory(position.memory, side)
    return seen
