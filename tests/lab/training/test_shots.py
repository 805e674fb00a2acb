"""How far the next throw reaches is the same in the kernel."""

import pytest

pytest.importorskip("numba", reason="the extra `train` is not installed")

import numpy as np

from engine.players.shots import REACHED, measure_reach
from lab.training import layout as at
from lab.training.shots import write_reach as reach_compiled
from tests.conformance.matches import SETTINGS, Setting
from tests.lab.training.laid_out import lay_out_both_sides, mark_settings


@mark_settings(SETTINGS)
def test_a_throw_reaches_as_far_in_the_kernel(setting: Setting) -> None:
    for shop, rules, number, side, mine, theirs in lay_out_both_sides(setting):
        table, greedy, _ = shop.known
        floats = shop.desk.floats
        reach_compiled(table, greedy, shop.desk.nodes, 0, number, floats, at.FEATURES + at.REACH)
        found = floats[at.FEATURES + at.REACH : at.FEATURES + at.FEATURE_COUNT]
        wanted = measure_reach(rules, side, mine, theirs)[0]
        assert len(wanted) == 2 * REACHED
        assert np.allclose(found, wanted, rtol=1e-4, atol=1e-4)
