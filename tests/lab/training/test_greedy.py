"""What greedy goes by is the same in the kernel, and is where a net begins."""

import pytest

pytest.importorskip("numba", reason="the extra `train` is not installed")

import numpy as np

from engine.games import GAMES
from engine.players import greedy
from lab.training import layout as at
from lab.training.greedy import write_features
from lab.training.matches import Bound, play_fast_match
from lab.training.workshop import Workshop
from tests.conformance.matches import SETTINGS, Setting
from tests.lab.training.laid_out import lay_out_both_sides, mark_settings


@mark_settings(SETTINGS)
def test_greedy_goes_by_the_same_in_the_kernel(setting: Setting) -> None:
    for shop, rules, number, side, mine, theirs in lay_out_both_sides(setting):
        write_features(
            shop.known.table, shop.known.greedy, shop.desk.nodes, 0, number, shop.desk.floats
        )
        wanted = greedy.compute_features(rules, side, mine, theirs)[0]
        assert np.allclose(
            shop.desk.floats[at.FEATURES : at.FEATURES + greedy.FEATURE_COUNT],
            wanted,
            rtol=1e-4,
            atol=1e-4,
        )


@pytest.mark.parametrize("slug", ["backgammon", "todas-tablas"])
def test_a_net_begins_as_good_as_greedy(slug: str) -> None:
    shop = Workshop(GAMES[slug].resolve_rules({}), 16, 1)
    shop.initialise_net(1)
    met = play_fast_match(shop, at.BY_NET, at.GREEDILY, Bound(400, 60))
    assert abs(met.share - 0.5) < 5 * met.share_error


def test_the_last_games_are_remembered() -> None:
    shop = Workshop(GAMES["laquet"].resolve_rules({}), 16, 1)
    shop.initialise_net(1)
    before = shop.known.nets.copy()
    assert shop.learn_from_games(3, 0.01, 0.5, again=4) == 3
    assert (shop.past.lengths[:3] > 1).all()
    assert not shop.past.lengths[3:].any()
    assert set(shop.past.ends[:9:3]) <= {0.0, 0.5, 1.0}
    assert not np.array_equal(shop.known.nets, before)
    # Every game began with the men as they are set out.
    games = shop.past.kept.reshape(len(shop.past.lengths), -1)[:3]
    assert all(np.array_equal(game[: at.LEFT], shop.start[: at.LEFT]) for game in games)
