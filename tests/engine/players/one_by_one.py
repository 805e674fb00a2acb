"""The inputs of one position, place by place.

`engine.players.seen`, which finds them for many at once, is tested against it.
"""

import numpy as np

from engine.players.boards import boards
from engine.players.inputs import UNITS, WEIGHED, Floats, layout, remembered, units, weighed
from engine.position import Position
from engine.rules import Rules


def inputs(rules: Rules, position: Position) -> Floats:
    """Return a position's inputs before a throw, as the side to move sees it: one float32 each."""
    side = position.turn
    found = layout(rules, side)
    seen = np.zeros(found.count, np.float32)
    for firsts, men in ((found.mine, position.men(side)), (found.theirs, position.men(side.other))):
        for first, count in zip(firsts, men, strict=True):
            if count and first >= 0:
                seen[first : first + UNITS] = units(count)
    seen[found.weighed : found.weighed + WEIGHED] = weighed(rules, boards(rules, [position]), side)[
        0
    ]
    if found.memory >= 0:
        seen[found.memory :] = remembered(position.memory, side)
    return seen
