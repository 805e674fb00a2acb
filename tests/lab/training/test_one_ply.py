"""What the kernel sees one throw further is what the players of a match see there."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest

pytest.importorskip("numba", reason="the extra `train` is not installed")

from engine.events import Thrown
from engine.games import GAMES
from engine.match import Match, Phase, apply_unchecked
from engine.players import nets
from engine.players.midgame import build_match
from engine.players.net import OUTPUTS, load_net, save_net
from engine.players.one_ply import deepen_prospects, evaluate_one_ply
from engine.players.prospects import apply_decision, evaluate_match, list_prospects
from engine.position import Side
from lab.training import layout as at
from lab.training.lessons import write_one_ply_shares
from lab.training.matches import LuckMeter, OnePlyPlayer
from lab.training.one_ply import evaluate_before_throw
from lab.training.rows import read_row
from lab.training.turns import score_game
from lab.training.workshop import Workshop, assign_policy, new_spare_memory
from tests.conformance.matches import play_random_match
from tests.lab.training.laid_out import lay_out

GAMES_SEEN = [
    "backgammon",
    "zeno",
    "emperador",
    "laquet",
    "buffa-cortesa",
    "ludus-anglicorum",
    "paume-carie-two",
    "fallas",
]
MOMENTS = 2
TOLERANCE = 2e-3
"""How far two sums of the same floats may lie apart."""


@pytest.fixture(params=GAMES_SEEN)
def slug(request: pytest.FixtureRequest) -> str:
    """One game after the other."""
    return str(request.param)


@pytest.fixture
def shop(slug: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workshop]:
    """Yield a workshop whose net has learnt from a few games.

    The players of matches have the same net.
    """
    monkeypatch.setattr(nets, "WEIGHTS", tmp_path)
    nets.get_net.cache_clear()
    taught = Workshop(GAMES[slug].resolve_rules({}), 16, 1)
    taught.initialise_net(1)
    taught.learn_from_games(20, 0.02, 0.7, by=at.GREEDILY)
    path = tmp_path / f"{slug}.npz"
    save_net(taught.export_net({"game": slug}), path)
    taught.install_net(load_net(path))
    assign_policy(taught.desk.book, at.BY_NET)
    yield taught
    nets.get_net.cache_clear()


def sample_matches(slug: str) -> list[Match]:
    """A few moments of a random match, a throw being due."""
    due = [match for match in play_random_match(slug, (), 0).moments if match.phase is Phase.THROW]
    return Random(slug).sample(due, MOMENTS)


def test_a_throw_that_is_due_is_worth_the_same(slug: str, shop: Workshop) -> None:
    for match in sample_matches(slug):
        lay_out(shop, match)
        assert evaluate_before_throw(shop.known, shop.desk) == pytest.approx(
            evaluate_one_ply(match, match.turn).points, abs=TOLERANCE
        )


def test_a_lesson_says_what_a_throw_that_is_due_is_worth(slug: str, shop: Workshop) -> None:
    deep = new_spare_memory()
    shares = np.zeros(OUTPUTS, np.float32)
    extra = int(shop.known.table[at.EXTRA])
    for match in sample_matches(slug):
        lay_out(shop, match)
        write_one_ply_shares(shop.known, shop.desk, deep, shares)
        evaluation = evaluate_one_ply(match, match.turn)
        assert shares[0] == pytest.approx(evaluation.win, abs=TOLERANCE)
        said = 2 * shares[0] - 1 + extra * (shares[1] - shares[2])
        assert said == pytest.approx(evaluation.points, abs=TOLERANCE)


def test_the_luck_of_a_throw_is_what_it_is_worth_beyond_the_mean(slug: str, shop: Workshop) -> None:
    for match in sample_matches(slug):
        lay_out(shop, match)
        lucky = LuckMeter().throw_dice(shop, tuple(Side).index(match.turn))
        dice = shop.desk.book[at.DICE_THROWN : at.DICE_THROWN + match.rules.dice.count].tolist()
        best, mean = (
            evaluate_match(apply_unchecked(match, Thrown(tuple(dice))), match.turn),
            evaluate_one_ply(match, match.turn),
        )
        assert lucky == pytest.approx(
            (best.win - mean.win, best.points - mean.points), abs=TOLERANCE
        )


def test_luck_is_the_other_sides_misfortune(slug: str, shop: Workshop) -> None:
    for match in sample_matches(slug):
        lay_out(shop, match)
        before = shop.desk.book[at.RANDOM]
        ours = LuckMeter().throw_dice(shop, 0)
        shop.desk.book[at.RANDOM] = before
        assert list(LuckMeter().throw_dice(shop, 1)) == list(-ours)


def test_the_play_is_no_worse_than_the_one_that_the_players_think_best(
    slug: str, shop: Workshop
) -> None:
    chance = Random(f"{slug} dice")
    player = OnePlyPlayer(GAMES[slug].resolve_rules({}))
    for match in sample_matches(slug):
        dice = tuple(chance.randint(1, 6) for _ in range(match.rules.dice.count))
        thrown = apply_unchecked(match, Thrown(dice))
        if thrown.phase not in (Phase.PLAY, Phase.CHOOSE) or not list_prospects(thrown):
            continue
        lay_out(shop, match, dice)
        goes_on = player.take_turn(shop, thrown=True)
        best = evaluate_one_ply(_play_out(thrown), match.turn).points
        # It may be better: the players of a match look at fewer plays
        # where numbers are offered or turned.
        assert _evaluate_ahead(shop, match, goes_on=goes_on) > best - TOLERANCE


def _play_out(match: Match) -> Match:
    """The match after the throw, played as the players of matches think best."""
    there = apply_decision(match, deepen_prospects(match, list_prospects(match))[0].event)
    return _play_out(there) if there.phase is Phase.PLAY else there


def _evaluate_ahead(shop: Workshop, match: Match, *, goes_on: bool) -> float:
    """What the kernel's turn came to, as the players see it one throw further."""
    if not goes_on:
        return float(
            score_game(shop.known.table, shop.desk.nodes, at.GAME, tuple(Side).index(match.turn))
        )
    position = read_row(match.rules, shop.desk.nodes, at.GAME // at.ROW)
    there = build_match(match.game, match.rules, position)
    return evaluate_one_ply(there, match.turn).points
