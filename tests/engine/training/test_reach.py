"""How far the next throw reaches is the same in the kernel."""

import pytest

pytest.importorskip("numba", reason="the extra `train` is not installed")

from random import Random

import numpy as np

from engine.games import GAMES
from engine.players.boards import boards
from engine.players.reach import REACHED, reach
from engine.position import Side
from engine.training import layout as at
from engine.training.reach import reach as reach_compiled
from engine.training.rows import write_row
from engine.training.workshop import Workshop
from tests.conformance.matches import SETTINGS, Setting, name
from tests.engine.training.chance_positions import positions

POSITIONS = 10


@pytest.mark.parametrize("setting", SETTINGS, ids=name)
def test_a_throw_reaches_as_far_in_the_kernel(setting: Setting) -> None:
    slug, options = setting
    rules = GAMES[slug].rules_with(dict(options))
    shop = Workshop(rules, 16, 1)
    for position in positions(rules, Random(name(setting)), POSITIONS):
        write_row(shop.nodes, position)
        men = boards(rules, [position])
        for number, side in enumerate(Side):
            reach_compiled(shop.table, shop.greedy, shop.nodes, 0, number, shop.floats, at.WEIGHED + at.REACH)
            found = shop.floats[at.WEIGHED + at.REACH : at.WEIGHED + at.WEIGHED_COUNT]
            wanted = reach(rules, side, men.men(side), men.men(side.other))[0]
            assert len(wanted) == 2 * REACHED
            assert np.allclose(found, wanted, rtol=1e-4, atol=1e-4)
