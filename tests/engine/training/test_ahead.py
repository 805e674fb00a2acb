"""What the kernel sees one throw further is what the players of a match see there."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest

pytest.importorskip("numba", reason="the extra `train` is not installed")

from engine.events import Thrown
from engine.games import GAMES
from engine.match import Match, Phase, follow
from engine.players import nets
from engine.players.ahead import ahead, deepened
from engine.players.net import OUTPUTS, load, save
from engine.players.prospects import after, prospects, worth_of
from engine.players.value import match_at
from engine.position import Side
from engine.training import layout as at
from engine.training.ahead import before_throw
from engine.training.lessons import shares_ahead
from engine.training.matches import Ahead, Luck
from engine.training.rows import read_row
from engine.training.turns import result
from engine.training.workshop import Workshop, both_by, spare_desk
from tests.conformance.matches import story
from tests.engine.training.laid_out import lay_out

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
CLOSELY = 2e-3
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
    nets.net_for.cache_clear()
    taught = Workshop(GAMES[slug].rules_with({}), 16, 1)
    taught.untrained(1)
    taught.teach(20, 0.02, 0.7, by=at.GREEDILY)
    path = tmp_path / f"{slug}.npz"
    save(taught.net({"game": slug}), path)
    taught.take(load(path))
    both_by(taught.desk.book, at.BY_NET)
    yield taught
    nets.net_for.cache_clear()


def moments(slug: str) -> list[Match]:
    """A few moments of a random match, a throw being due."""
    due = [match for match in story(slug, (), 0).moments if match.phase is Phase.THROW]
    return Random(slug).sample(due, MOMENTS)


def test_a_throw_that_is_due_is_worth_the_same(slug: str, shop: Workshop) -> None:
    for match in moments(slug):
        lay_out(shop, match)
        assert before_throw(shop.known, shop.desk) == pytest.approx(
            ahead(match, match.turn).points, abs=CLOSELY
        )


def test_a_lesson_says_what_a_throw_that_is_due_is_worth(slug: str, shop: Workshop) -> None:
    deep = spare_desk()
    shares = np.zeros(OUTPUTS, np.float32)
    extra = int(shop.known.table[at.EXTRA])
    for match in moments(slug):
        lay_out(shop, match)
        shares_ahead(shop.known, shop.desk, deep, shares)
        worth = ahead(match, match.turn)
        assert shares[0] == pytest.approx(worth.win, abs=CLOSELY)
        said = 2 * shares[0] - 1 + extra * (shares[1] - shares[2])
        assert said == pytest.approx(worth.points, abs=CLOSELY)


def test_the_luck_of_a_throw_is_what_it_is_worth_beyond_the_mean(slug: str, shop: Workshop) -> None:
    for match in moments(slug):
        lay_out(shop, match)
        lucky = Luck().throw(shop, tuple(Side).index(match.turn))
        dice = shop.desk.book[at.DICE_THROWN : at.DICE_THROWN + match.rules.dice.count].tolist()
        best, mean = (
            worth_of(follow(match, Thrown(tuple(dice))), match.turn),
            ahead(match, match.turn),
        )
        assert lucky == pytest.approx((best.win - mean.win, best.points - mean.points), abs=CLOSELY)


def test_luck_is_the_other_sides_misfortune(slug: str, shop: Workshop) -> None:
    for match in moments(slug):
        lay_out(shop, match)
        before = shop.desk.book[at.RANDOM]
        ours = Luck().throw(shop, 0)
        shop.desk.book[at.RANDOM] = before
        assert list(Luck().throw(shop, 1)) == list(-ours)


def test_the_play_is_no_worse_than_the_one_that_the_players_think_best(
    slug: str, shop: Workshop
) -> None:
    chance = Random(f"{slug} dice")
    player = Ahead(GAMES[slug].rules_with({}))
    for match in moments(slug):
        dice = tuple(chance.randint(1, 6) for _ in range(match.rules.dice.count))
        thrown = follow(match, Thrown(dice))
        if thrown.phase not in (Phase.PLAY, Phase.CHOOSE) or not prospects(thrown):
            continue
        lay_out(shop, match, dice)
        goes_on = player.take_turn(shop, thrown=True)
        best = ahead(_played_out(thrown), match.turn).points
        # It may be better: the players of a match look at fewer plays
        # where numbers are offered or turned.
        assert _worth(shop, match, goes_on=goes_on) > best - CLOSELY


def _played_out(match: Match) -> Match:
    """The match after the throw, played as the players of matches think best."""
    there = after(match, deepened(match, prospects(match))[0].event)
    return _played_out(there) if there.phase is Phase.PLAY else there


def _worth(shop: Workshop, match: Match, *, goes_on: bool) -> float:
    """What the kernel's turn came to, as the players see it one throw further."""
    if not goes_on:
        return float(
            result(shop.known.table, shop.desk.nodes, at.GAME, tuple(Side).index(match.turn))
        )
    position = read_row(match.rules, shop.desk.nodes, at.GAME // at.ROW)
    there = match_at(match.game, match.rules, position)
    return ahead(there, match.turn).points
