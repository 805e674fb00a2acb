"""What greedy goes by is the same in the kernel, and is where a net begins."""

import pytest

pytest.importorskip("numba", reason="the extra `train` is not installed")

from random import Random

import numpy as np

from engine.games import GAMES
from engine.players import greedy
from engine.players.boards import boards
from engine.position import Side
from engine.training import layout as at
from engine.training.greed import weigh
from engine.training.matches import Bound, meet_quickly
from engine.training.rows import write_row
from engine.training.workshop import Workshop
from tests.conformance.matches import SETTINGS, Setting, name
from tests.engine.training.chance_positions import positions

POSITIONS = 10


@pytest.mark.parametrize("setting", SETTINGS, ids=name)
def test_greedy_goes_by_the_same_in_the_kernel(setting: Setting) -> None:
    slug, options = setting
    rules = GAMES[slug].rules_with(dict(options))
    shop = Workshop(rules, 16, 1)
    for position in positions(rules, Random(name(setting)), POSITIONS):
        write_row(shop.nodes, position)
        men = boards(rules, [position])
        for number, side in enumerate(Side):
            weigh(shop.table, shop.greedy, shop.nodes, 0, number, shop.floats)
            wanted = greedy.weigh(rules, side, men.men(side), men.men(side.other))[0]
            assert np.allclose(shop.floats[at.WEIGHED : at.WEIGHED + greedy.WEIGHED], wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("slug", ["backgammon", "todas-tablas"])
def test_a_net_begins_as_good_as_greedy(slug: str) -> None:
    shop = Workshop(GAMES[slug].rules_with({}), 16, 1)
    shop.untrained(1)
    met = meet_quickly(shop, at.BY_NET, at.GREEDILY, Bound(400, 60))
    assert abs(met.share - 0.5) < 5 * met.share_error


def test_the_last_games_are_remembered() -> None:
    shop = Workshop(GAMES["laquet"].rules_with({}), 16, 1)
    shop.untrained(1)
    before = shop.nets.copy()
    assert shop.teach(3, 0.01, 0.5, again=4) == 3
    assert (shop.lengths[:3] > 1).all()
    assert not shop.lengths[3:].any()
    assert set(shop.ends[:9:3]) <= {0.0, 0.5, 1.0}
    assert not np.array_equal(shop.nets, before)
    # Every game began with the men as they are set out.
    games = shop.kept.reshape(len(shop.lengths), -1)[:3]
    assert all(np.array_equal(game[: at.LEFT], shop.start[: at.LEFT]) for game in games)
