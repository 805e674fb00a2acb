"""Lessons one throw further are of the games' own positions, and a net that learns them comes nearer to them."""

from itertools import combinations_with_replacement, pairwise
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("numba", reason="the extra `train` is not installed")

from engine.games import GAMES
from engine.players.net import OUTPUTS, Net, load, save
from engine.training import layout as at
from engine.training.fitting import Lessons, distance, fitted, slopes_of
from engine.training.layout import Floats, Row
from engine.training.matches import Ahead
from engine.training.nets import judge
from engine.training.practice import Plan
from engine.training.sharpening import gathered_at_once, inputs_of, sharpen
from engine.training.turns import take_turn
from engine.training.workshop import Workshop

SLIGHTLY = 1e-3
"""By how much a weight is moved to see by how much the error then grows."""


def untrained(slug: str) -> Workshop:
    """A workshop whose net has learnt nothing, and plays as greedy does."""
    shop = Workshop(GAMES[slug].rules_with({}), 8, 1)
    shop.untrained(1)
    return shop


def net_of(shop: Workshop, slug: str) -> Net:
    """Its net."""
    return shop.net({"game": slug, "seconds": 0.0})


@pytest.mark.parametrize("slug", ["backgammon", "zeno", "emperador", "tabula", "laquet"])
def test_the_inputs_of_lessons_are_those_by_which_the_kernel_judges(slug: str) -> None:
    rules = GAMES[slug].rules_with({})
    shop = untrained(slug)
    kept, _ = gathered_at_once(shop, Ahead(rules), 40, 20)
    said = shop.net({}).evaluate(inputs_of(rules, kept)).win
    for number in range(40):
        row = number * at.ROW
        judge(shop.table, shop.greedy, shop.nets, 0, kept, row, int(kept[row + at.TURN]), shop.floats)
        assert said[number] == pytest.approx(shop.floats[at.OUTPUTS_NOW], abs=1e-5)


def after_the_best_plays(shop: Workshop, row: Row) -> set[bytes]:
    """What a position becomes when each throw is played as the net thinks best."""
    found = set()
    for dice in combinations_with_replacement(range(1, 7), 2):
        shop.nodes[at.GAME : at.GAME + at.ROW] = row
        shop.book[at.DICE_THROWN : at.DICE_THROWN + 2] = dice[::-1]
        take_turn(*shop.parts, True, shop.floats)
        found.add(men_of(shop.nodes[at.GAME : at.GAME + at.ROW]))
    return found


def men_of(row: Row) -> bytes:
    """The men of both sides."""
    return row[: at.SIDES * at.PLACES].tobytes()


@pytest.mark.parametrize(("strays", "best_only"), [(0, True), (100, False)])
def test_a_side_plays_what_seems_best_but_where_it_strays(strays: int, *, best_only: bool) -> None:
    shop = untrained("backgammon")
    kept, _ = gathered_at_once(shop, Ahead(GAMES["backgammon"].rules_with({})), 40, strays)
    followed = [
        men_of(after) in after_the_best_plays(shop, before)
        for before, after in pairwise(kept.reshape(-1, at.ROW))
        if men_of(after) != men_of(shop.start)  # another game begins there
    ]
    assert all(followed) is best_only


def lessons_of(slug: str, count: int) -> Lessons:
    """So many lessons of a net that has learnt nothing."""
    rules = GAMES[slug].rules_with({})
    kept, shares = gathered_at_once(untrained(slug), Ahead(rules), count, 20)
    return Lessons(inputs_of(rules, kept).astype(np.float16), shares)


def error_of(net: Net, inputs: Floats, shares: Floats) -> float:
    """The cross entropy of what a net says, as a mean over the lessons."""
    judged = net.evaluate(inputs)
    said = np.column_stack((judged.win, judged.won / net.extra, judged.lost / net.extra)).astype(np.float64)
    return float(-(shares * np.log(said) + (1 - shares) * np.log(1 - said)).sum(axis=1).mean())


def test_the_slopes_say_by_how_much_the_error_grows() -> None:
    net = net_of(untrained("backgammon"), "backgammon")
    inputs, shares = lessons_of("backgammon", 20).some(slice(None))
    weights = net.first, net.bias, net.second, net.offset
    for part, slopes in zip(weights, slopes_of(weights, inputs, shares, OUTPUTS), strict=True):
        steepest = np.unravel_index(np.abs(slopes).argmax(), slopes.shape)
        kept = part[steepest]
        part[steepest] = kept + SLIGHTLY
        more = error_of(net, inputs, shares)
        part[steepest] = kept - SLIGHTLY
        less = error_of(net, inputs, shares)
        part[steepest] = kept
        assert slopes[steepest] == pytest.approx((more - less) / (2 * SLIGHTLY), rel=0.05)


@pytest.mark.parametrize("slug", ["backgammon", "laquet"])
def test_a_net_comes_nearer_to_what_it_is_taught(slug: str) -> None:
    lessons = lessons_of(slug, 1500)
    learnt, held_back = (
        Lessons(lessons.inputs[part], lessons.shares[part]) for part in (slice(1000), slice(1000, None))
    )
    steps = iter(range(1000))
    before = net_of(untrained(slug), slug)
    after = fitted(before, learnt, lambda: next(steps) / 300, 1)
    assert distance(after, held_back) < 0.9 * distance(before, held_back)
    if not before.extra:
        assert (after.second[:, 1:] == before.second[:, 1:]).all()


def test_a_net_is_sharpened_and_written_down(tmp_path: Path) -> None:
    save(net_of(untrained("laquet"), "laquet"), tmp_path / "laquet.npz")
    heard: list[str] = []
    sharpen(GAMES["laquet"], Plan(4.0, 4.0, tmp_path, tmp_path / "new"), 12, 1, heard.append)
    sharp = load(tmp_path / "new" / "laquet.npz")
    assert sharp.hidden == 12
    assert sharp.facts["lessons"] > 100
    assert any(line.endswith("before") for line in heard)
    assert load(tmp_path / "laquet.npz").hidden != 12
