"""The greedy evaluation, compiled: race, blots within reach, and blocking points.

It needs no training: it is what the nets are measured against, and what they learn from first.
"""

import math

import numpy as np

from lab.training.compiled import compiled, compiled_floats
from lab.training.layout import (
    BAN_CLOSED,
    BARRED,
    DANGER,
    ENDING,
    ENDING_FULL,
    FACING,
    FEATURES,
    LEAD,
    LOST,
    MISSES,
    NEED,
    PACE,
    PLACES,
    SIDE_FEATURES,
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

ZERO = np.float32(0)


@compiled_floats
def _sum_men(t: Ints, g: Floats, nodes: Row, row: int, side: int, line: int) -> float:
    """Return the sum, over a side's places, of a greedy table's line times the men there."""
    men = np.uintp(row + side * PLACES)
    each = np.uintp(line)
    total = ZERO
    for place in range(np.uintp(t[WIDTH])):
        total += np.float32(nodes[men + place]) * g[each + place]
    return float(total)


@compiled_floats
def _compute_hit_chance(t: Ints, g: Floats, nodes: Row, row: int, side: int, place: int) -> float:
    """The chance that a blot is hit by the other side's next throw."""
    men = np.uintp(row + (1 - side) * PLACES)
    misses = np.uintp(MISSES + (side * PLACES + place) * PLACES)
    # The table holds logarithms of the chances to miss: their sum is that of the product, as if
    # each man tried for himself.
    missed = ZERO
    for source in range(np.uintp(t[WIDTH])):
        missed += g[misses + source] if nodes[men + source] > 0 else ZERO
    return 1 - math.exp(missed) if missed < 0 else 0.0


@compiled
def _count_facing(t: Ints, g: Floats, nodes: Row, row: int, side: int, place: int) -> float:
    """How many men of a side soon come to that point."""
    return _sum_men(t, g, nodes, row, side, FACING + (side * PLACES + place) * PLACES)


@compiled
def _write_side_features(
    t: Ints, g: Floats, nodes: Row, row: int, side: int, floats: Floats, at: int
) -> float:
    """Write in pips a side's way, its blots in danger and what bars it.

    Returns what a table's points count.
    """
    danger = barred = presence = 0.0
    mine = row + side * PLACES
    theirs = row + (1 - side) * PLACES
    for place in range(t[WIDTH]):
        count = nodes[mine + place]
        lost = g[LOST + side * PLACES + place]
        if count == 1 and lost > 0:
            danger += lost * _compute_hit_chance(t, g, nodes, row, side, place)
        if nodes[theirs + place] >= t[BAN_CLOSED] and place < t[SIZE]:
            barred += WALL_COST * _count_facing(t, g, nodes, row, side, place)
        if t[ENDING] == ENDING_FULL and place < t[SIZE] and count >= t[BAN_CLOSED]:
            presence += PRESENCE
    floats[at] = _sum_men(t, g, nodes, row, side, NEED + side * PLACES)
    floats[at + DANGER] = danger
    floats[at + BARRED] = barred
    return presence


@compiled
def write_features(t: Ints, g: Floats, nodes: Row, row: int, view: int, floats: Floats) -> None:
    """Write what matters in a position to the side that throws next.

    It is laid out as in `engine.players.greedy.compute_features`.
    """
    other = FEATURES + SIDE_FEATURES
    lead = _write_side_features(t, g, nodes, row, view, floats, FEATURES)
    lead -= _write_side_features(t, g, nodes, row, 1 - view, floats, other)
    # The side to throw is half a throw ahead, and may still bring its own blots to safety.
    lead += floats[other] + floats[other + DANGER] + floats[other + BARRED] + g[PACE] / 2
    lead -= floats[FEATURES] + THREAT_LATER * floats[FEATURES + DANGER] + floats[FEATURES + BARRED]
    left = floats[FEATURES] + floats[other]
    # The lead over its deviation is a normal score. A normal distribution is close to a logistic
    # one with 1.7 times the score, so this is nearly the logarithm of the odds.
    floats[FEATURES + LEAD] = 1.7 * lead / math.sqrt(SPREAD * left + RESTLESS)


@compiled
def compute_greedy_equity(
    t: Ints, g: Floats, nodes: Row, row: int, view: int, floats: Floats
) -> float:
    """Return a position's apparent evaluation for the side that throws next.

    It follows from the lead, the less surely the more is still to come.
    """
    write_features(t, g, nodes, row, view, floats)
    return 2 / (1 + math.exp(-floats[FEATURES + LEAD])) - 1
