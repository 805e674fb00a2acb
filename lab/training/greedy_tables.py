"""What men mean to the greedy player, and throws to men, as tables for the kernel.

They are made from a game's rules.
"""

import numpy as np

from engine.players.greedy import compute_pace, compute_place_values
from engine.players.inputs import compute_scales
from engine.players.shots import compute_throw_reach
from engine.position import Side
from engine.rules import Rules
from lab.training import layout as at
from lab.training.layout import Floats


def build_greedy_tables(rules: Rules) -> Floats:
    """Lay out what men mean and the throws.

    For men: the pips they still have to go, what a hit costs, and which men may hit which.
    """
    table = np.zeros(at.GREEDY, np.float32)
    table[at.PACE] = compute_pace(rules)
    table[at.SCALE : at.SHARES] = compute_scales(rules)
    known = compute_throw_reach(rules.dice)
    table[at.SHARES : at.SHARES + len(known.shares)] = known.shares
    table[at.HINDERED : at.TRAPPED] = known.hindered
    table[at.TRAPPED : at.GREEDY] = known.trapped
    places = len(rules.board.place_names)
    by_place = (at.SIDES, at.PLACES)
    by_pair = (at.SIDES, at.PLACES, at.PLACES)
    for number, side in enumerate(Side):
        felt = compute_place_values(rules, side)
        for start, means in ((at.NEED, felt.need), (at.LOST, felt.lost)):
            _view_part(table, start, by_place)[number, :places] = means
        for start, means in ((at.MISSES, felt.misses), (at.FACING, felt.facing)):
            # The kernel goes through the men of one place after another that may come to a point.
            _view_part(table, start, by_pair)[number, :places, :places] = means.T
    return table


def _view_part(table: Floats, start: int, shape: tuple[int, ...]) -> Floats:
    """Return a part of a table, to be written to."""
    return table[start : start + int(np.prod(shape))].reshape(shape)
