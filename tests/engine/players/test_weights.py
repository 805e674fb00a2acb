"""The nets that come with Tabula.

Each fits its game, says how it was trained, and does not lose to greedy.
"""

from pathlib import Path

import numpy as np
import pytest

from engine.games import EDITIONS, GAMES
from engine.players.files import WEIGHTS
from engine.players.net import load_net
from engine.players.nets import get_net, load_net_cached

NETS = sorted(WEIGHTS.glob("*.npz"))
MAX_BYTES = 256 * 1024
"""Room for 512 hidden units."""


@pytest.mark.parametrize("path", NETS, ids=lambda path: path.stem)
def test_a_net_belongs_to_its_game_and_says_how_it_came_about(path: Path) -> None:
    facts = load_net(path).facts
    slug, *made_for = path.stem.split(".")
    game = GAMES[slug]
    options = dict(choice.split("=") for choice in made_for)
    assert facts["game"] == game.slug
    # A net may have learnt from an earlier edition of the game, whose options it names.
    learnt = EDITIONS[slug, facts["edition"]]
    usual = {option.name: option.default_value.name for option in learnt.options}
    assert facts["options"].items() <= (usual | options).items()
    assert facts["games"] > 0
    assert facts["seconds"] > 0
    assert {"games", "share", "error"} <= facts["strength"]["greedy"].keys()
    assert get_net(game.resolve_rules(options)) is load_net_cached(path)


@pytest.mark.parametrize("path", NETS, ids=lambda path: path.stem)
def test_a_net_is_small_and_sound(path: Path) -> None:
    assert path.stat().st_size < MAX_BYTES
    net = load_net(path)
    assert all(np.isfinite(array).all() for array in (net.first, net.bias, net.second, net.offset))


@pytest.mark.parametrize("path", NETS, ids=lambda path: path.stem)
def test_a_net_does_not_lose_to_greedy(path: Path) -> None:
    # With nothing to choose nobody can win more than half; the net still evaluates better there.
    met = load_net(path).facts["strength"]["greedy"]
    assert met["share"] + 2 * met["error"] > 0.5
