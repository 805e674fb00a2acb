"""The greedy player's judgement, compiled: the race, the blots within reach, and the points that bar the way.

It needs no training: it is what the nets are measured against, and what they learn from first.
"""

import math

from engine.training.compiled import compiled
from engine.training.layout import (
    CLOSED,
    ENDING,
    ENDING_FULL,
    FACING,
    LOST,
    MISSES,
    NEED,
    PACE,
    PLACES,
    SIZE,
    WIDTH,
    Floats,
    Ints,
    Row,
)

THREAT_LATER = 0.4
"""A blot of the side that throws next is in danger only when it stays where it is."""
WALL_COST = 0.35
"""Pips that a held point costs each man of the other side who has it before him."""
PRESENCE = 4.0
"""Pips that a man more on a full table's point counts."""
SPREAD = 2.3
RESTLESS = 20.0


@compiled
def _danger(t: Ints, g: Floats, nodes: Row, row: int, side: int, place: int) -> float:
    """The chance that a blot is hit by the other side's next throw."""
    missed = 0.0
    for source in range(t[WIDTH]):
        if nodes[row + (1 - side) * PLACES + source] > 0:
            missed += g[MISSES + (side * PLACES + source) * PLACES + place]
    return 1 - math.exp(missed)


@compiled
def _barred(t: Ints, g: Floats, nodes: Row, row: int, side: int, place: int) -> float:
    """How many men of a side soon come to that point."""
    barred = 0.0
    for source in range(t[WIDTH]):
        barred += nodes[row + side * PLACES + source] * g[FACING + (side * PLACES + source) * PLACES + place]
    return barred


@compiled
def _cost(t: Ints, g: Floats, nodes: Row, row: int, side: int, threat: float) -> float:
    """How far in pips a side still is from its goal: the way, its blots in danger, and what bars the way."""
    cost = 0.0
    mine = row + side * PLACES
    theirs = row + (1 - side) * PLACES
    for place in range(t[WIDTH]):
        count = nodes[mine + place]
        cost += count * g[NEED + side * PLACES + place]
        lost = g[LOST + side * PLACES + place]
        if count == 1 and lost > 0:
            cost += threat * lost * _danger(t, g, nodes, row, side, place)
        if nodes[theirs + place] >= t[CLOSED] and place < t[SIZE]:
            cost += WALL_COST * _barred(t, g, nodes, row, side, place)
        if t[ENDING] == ENDING_FULL and place < t[SIZE] and count >= t[CLOSED]:
            cost -= PRESENCE
    return cost


@compiled
def greedy_equity(t: Ints, g: Floats, nodes: Row, row: int, view: int) -> float:
    """What a position seems worth to the side that throws next: its lead, the less sure the more is still to come."""
    cost = _cost(t, g, nodes, row, view, THREAT_LATER)
    others_cost = _cost(t, g, nodes, row, 1 - view, 1.0)
    left = 0.0
    for side in range(2):
        for place in range(t[WIDTH]):
            left += nodes[row + side * PLACES + place] * g[NEED + side * PLACES + place]
    lead = others_cost - cost + g[PACE] / 2
    return 2 / (1 + math.exp(-1.7 * lead / math.sqrt(SPREAD * left + RESTLESS))) - 1
