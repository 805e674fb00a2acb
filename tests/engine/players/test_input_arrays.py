"""The inputs of many positions at once are those of each by itself."""

import numpy as np
import pytest

from engine.players.boards import stack_positions
from engine.players.input_arrays import build_inputs
from engine.position import Side
from tests.engine.build import build_position
from tests.engine.players.one_by_one import compute_position_inputs


def test_what_greedy_goes_by_is_seen() -> None:
    # The way before the first throw is 2; nothing is in danger; 8.4 pips of 167 are barred;
    # the lead is halved.
    known, begin = build_position("a2,m5,r3,t5 f5,h3,n5,z2 gold -", "backgammon")
    row = build_inputs(known, stack_positions(known, [begin]), Side.GOLD)[0]
    assert row[-17:-10].tolist() == pytest.approx([2, 0, 0.40240, 2, 0, 0.40240, 0.12362], abs=1e-4)
    assert np.allclose(row, compute_position_inputs(known, begin))


def test_how_far_a_throw_reaches_is_seen() -> None:
    # Gold's blot may lose 12 pips by three throws; six points bar both others,
    # who would go 268 pips in 36 throws and past six points in 23 of them.
    # What men lose counts by 8 of 167 pips, what a man goes by 49 of 6.
    known, barred = build_position("a2,m1,off12 b2,c2,d2,e2,f2,g2,z1,off2 gold -", "backgammon")
    row = build_inputs(known, stack_positions(known, [barred]), Side.GOLD)[0]
    costs = 8 / 167
    own = [3 / 36, 3 / 36 * 12 * costs, 2 * 268 / 36 * costs, 268 / 36 * 6 / 49, 23 / 36]
    assert row[-10:-5].tolist() == pytest.approx(own, abs=1e-4)
    assert np.allclose(row, compute_position_inputs(known, barred))


def test_what_emperador_remembers_is_seen() -> None:
    # Gold holds six points in a row before black's man on the bar, and has hit two men since.
    text = "n2,o2,p2,q2,r2,s2,t3 a13,z1,bar1 black - gold-hits=2"
    known, position = build_position(text, "emperador")
    row, none = build_inputs(
        known, stack_positions(known, [position, position._replace(memory=0)]), Side.BLACK
    )
    assert np.allclose(row, compute_position_inputs(known, position))
    assert row[-6:].tolist() == [0, 0, 0, 1, 1, 0]
    assert not none[-6:].any()
