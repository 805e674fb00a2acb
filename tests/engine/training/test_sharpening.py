"""1-ply lessons are about where the games' turns may lead.

A net that learns them plays closer to them.
"""

from itertools import combinations_with_replacement, count
from math import ceil
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("numba", reason="the extra `train` is not installed")

from engine.games import GAMES
from engine.players.ahead import CLOSE
from engine.players.net import OUTPUTS, Net, load, save
from engine.training import layout as at
from engine.training.fitting import (
    BATCH,
    COMPARED,
    PASSES,
    Batch,
    Faults,
    Lessons,
    faults,
    fitted,
    slopes_of,
)
from engine.training.layout import Desk, Floats, Row
from engine.training.lessons import MOST_ENDS, TRACE, shares_ahead
from engine.training.nets import judge
from engine.training.practice import Plan
from engine.training.sharpening import Gathered, gains, gathered_at_once, inputs_of, sharpen
from engine.training.turns import take_turn
from engine.training.workshop import NOTHING, Workshop, spare_desk

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


def gathered(shop: Workshop, count: int) -> Gathered:
    """So many lessons, or a few less."""
    return gathered_at_once(shop, spare_desk(), spare_desk(), count)


@pytest.mark.parametrize("slug", ["backgammon", "zeno", "emperador", "tabula", "laquet"])
def test_the_inputs_of_lessons_are_those_by_which_the_kernel_judges(slug: str) -> None:
    shop = untrained(slug)
    kept = gathered(shop, 40).kept
    said = shop.net({}).evaluate(inputs_of(GAMES[slug].rules_with({}), kept)).win
    for number in range(len(said)):
        row = number * at.ROW
        judge(*shop.known, 0, kept, row, int(kept[row + at.TURN]), shop.desk.floats)
        assert said[number] == pytest.approx(shop.desk.floats[at.OUTPUTS_NOW], abs=1e-5)


def after_the_best_plays(shop: Workshop, row: Row) -> set[bytes]:
    """What a position becomes when each throw is played as the net thinks best."""
    found = set()
    count = int(shop.known.table[at.DICE])
    for dice in combinations_with_replacement(range(1, 7), count):
        shop.desk.nodes[at.GAME : at.GAME + at.ROW] = row
        shop.desk.book[at.DICE_THROWN : at.DICE_THROWN + count] = dice[::-1]
        take_turn(shop.known, shop.desk, True)
        found.add(men_of(shop.desk.nodes[at.GAME : at.GAME + at.ROW]))
    return found


def men_of(row: Row) -> bytes:
    """The men of both sides."""
    return row[: at.SIDES * at.PLACES].tobytes()


def before_and_ahead(shop: Workshop, deep: Desk, row: Row) -> tuple[Floats, Floats]:
    """Return what the net says of a position, and what it sees at 1-ply.

    Each is three shares, for the side to throw.
    """
    judge(*shop.known, 0, row, 0, int(row[at.TURN]), shop.desk.floats)
    said = shop.desk.floats[at.OUTPUTS_NOW : at.OUTPUTS_NOW + OUTPUTS].copy()
    shares = np.zeros(OUTPUTS, np.float32)
    shop.desk.nodes[at.GAME : at.GAME + at.ROW] = row
    shares_ahead(shop.known, shop.desk, deep, shares)
    return said, shares


def other_view(shares: Floats, whole: int) -> Floats:
    """Shares, or with a whole of nought differences of shares, as the other side sees them."""
    return np.array([whole - shares[0], shares[2], shares[1]], np.float32)


LAID = 160
OPENINGS = ["backgammon", "tabula", "laquet"]
"""Games in which so many lessons do not reach an end, and the sides throw by turns."""


def points_of(shares: Floats, extra: int) -> float:
    """What shares come to, but for a constant."""
    return float(2 * shares[0] + extra * (shares[1] - shares[2]))


def close_of(points: list[float]) -> int:
    """Return how many of a turn's ends are evaluated at 1-ply.

    The best of the ends has the lowest value.
    """
    return min(MOST_ENDS, sum(each <= points[0] + CLOSE for each in points))


@pytest.mark.parametrize("slug", OPENINGS)
def test_the_turns_of_lessons_follow_from_the_best_of_those_before(slug: str) -> None:
    shop = untrained(slug)
    found = gathered(shop, LAID)
    rows = found.kept.reshape(-1, at.ROW)
    deep = spare_desk()
    extra = int(shop.known.table[at.EXTRA])
    turns = [np.flatnonzero(found.turns == turn) for turn in range(found.turns[-1] + 1)]
    assert len(turns) > 5
    assert any(len(turn) > 1 for turn in turns)
    errors = []
    worths = []
    left_as_seen = 0
    for turn, after in zip(turns, [*turns[1:], None], strict=True):
        # The side that throws next sees them all, so the best for who had the turn is the least.
        judged = [before_and_ahead(shop, deep, rows[each]) for each in turn]
        close = close_of([points_of(said, extra) for said, _ in judged])
        best = int(np.argmin([points_of(ahead, extra) for _, ahead in judged[:close]]))
        if after is not None:
            assert men_of(rows[after[0]]) in after_the_best_plays(shop, rows[turn[best]])
        error = judged[best][1] - judged[0][0]
        errors.append(error)
        worths.append(
            [ahead for _, ahead in judged[:close]] + [said + error for said, _ in judged[close:]]
        )
        left_as_seen += len(turn) - close
    assert left_as_seen > 5
    later = np.zeros(OUTPUTS, np.float32)
    known = OUTPUTS if extra else 1
    for turn, error, seen in reversed(list(zip(turns, errors, worths, strict=True))):
        for each, shares in zip(turn, seen, strict=True):
            assert found.shares[each][:known] == pytest.approx((shares + later)[:known], abs=1e-4)
        # The turn before is of the other side, whom the same error concerns the other way round.
        later = TRACE * other_view(error + later, 0)


def lessons_of(slug: str, count: int, seed: int = 1) -> Lessons:
    """So many lessons of a net that has learnt nothing, or a few less."""
    shop = untrained(slug)
    shop.shake(seed)
    return gathered(shop, count).lessons(GAMES[slug].rules_with({}))


def test_a_sign_says_whether_the_side_to_throw_had_the_turn() -> None:
    lessons = lessons_of("backgammon", 100)
    assert (lessons.signs == -1).all()
    # After doubles a side throws again in Pareia de entrada, so it sees some of its ends itself.
    assert set(lessons_of("pareia-de-entrada", 300).signs) == {-1, 1}


def error_of(net: Net, batch: Batch) -> float:
    """Return a net's error per lesson: the cross entropy, and that in comparing a turn's ends."""
    judged = net.evaluate(batch.inputs)
    said = np.column_stack((judged.win, judged.won / net.extra, judged.lost / net.extra)).astype(
        np.float64
    )
    entropy = -(batch.shares * np.log(said) + (1 - batch.shares) * np.log(1 - said)).sum()
    out = said - batch.shares
    own = batch.signs * (2 * out[:, 0] + net.extra * (out[:, 1] - out[:, 2]))
    turns = np.split(own, batch.firsts[1:])
    compared = sum(float(((turn - turn.mean()) ** 2).sum()) for turn in turns)
    return float(entropy + COMPARED / 2 * compared) / len(out)


def test_the_slopes_say_by_how_much_the_error_grows() -> None:
    net = net_of(untrained("backgammon"), "backgammon")
    batch = lessons_of("backgammon", 100).all
    weights = net.first, net.bias, net.second, net.offset
    for part, slopes in zip(weights, slopes_of(weights, batch, net.extra), strict=True):
        steepest = np.unravel_index(np.abs(slopes).argmax(), slopes.shape)
        kept = part[steepest]
        part[steepest] = kept + SLIGHTLY
        more = error_of(net, batch)
        part[steepest] = kept - SLIGHTLY
        less = error_of(net, batch)
        part[steepest] = kept
        assert slopes[steepest] == pytest.approx((more - less) / (2 * SLIGHTLY), rel=0.05)


@pytest.mark.parametrize("sign", [1, -1])
def test_what_a_net_gives_away_is_the_best_less_its_choice(sign: int) -> None:
    # The greater the only input is, the higher it evaluates a position;
    # of two ends it therefore takes the worse.
    one = np.ones((1, 1), np.float32)
    net = Net(
        one,
        np.zeros(1, np.float32),
        np.array([[1, 0, 0]], np.float32),
        np.zeros(OUTPUTS, np.float32),
        0,
        {},
    )
    shares = np.array([[0.4, 0, 0], [0.6, 0, 0], [0.5, 0, 0]], np.float32)
    signs = np.full(3, sign, np.float32)
    lessons = Lessons(np.array([[1], [-1], [0]], np.float16), shares, signs, np.array([2, 1]))
    # The first turn gives away 0.2 of a game that is worth two points more won than lost;
    # the second has no choice.
    assert faults(net, lessons).given_away == pytest.approx(0.2)


@pytest.mark.parametrize("slug", ["backgammon", "laquet"])
def test_a_net_comes_nearer_to_what_it_is_taught(slug: str) -> None:
    learnt, held_back = lessons_of(slug, 12000), lessons_of(slug, 6000, seed=2)
    net = net_of(untrained(slug), slug)
    after = fitted(net, learnt, lambda: 0.0, 1)
    before = faults(net, held_back)
    assert faults(after, held_back).distance < 0.97 * before.distance
    assert faults(after, held_back).given_away < 0.9 * before.given_away
    if not net.extra:
        assert (after.second[:, 1:] == net.second[:, 1:]).all()


def test_a_net_learns_each_lesson_so_often_at_most_or_as_long_as_there_is_time() -> None:
    net = net_of(untrained("laquet"), "laquet")
    lessons = lessons_of("laquet", 2000)
    asked = count()
    fitted(net, lessons, lambda: next(asked) * 0.0, 1)
    assert next(asked) == PASSES * ceil(len(lessons.sizes) / BATCH) + 1
    hurried = fitted(net, lessons, lambda: 1.0, 1)
    assert np.array_equal(hurried.first, net.first)


@pytest.mark.parametrize(
    ("given_away", "won", "keeps"),
    [(0.2, 520, True), (0.2, 490, True), (0.2, 400, False), (0.3, 520, False), (0.3, 400, False)],
)
def test_a_net_gains_that_gives_less_away_and_does_not_lose_to_itself_as_it_was(
    given_away: float, won: int, keeps: bool
) -> None:
    # Who wins half of all games wins 468 to 532 of a thousand in nineteen cases of twenty.
    met = NOTHING._replace(won=won, lost=1000 - won)
    assert gains(Faults(0.1, 0.3), Faults(0.1, given_away), met) is keeps


def test_a_net_is_sharpened_and_written_down(tmp_path: Path) -> None:
    save(net_of(untrained("laquet"), "laquet"), tmp_path / "laquet.npz")
    heard: list[str] = []
    sharpen(GAMES["laquet"], Plan(4.0, 4.0, tmp_path, tmp_path / "new"), 12, 1, heard.append)
    sharp = load(tmp_path / "new" / "laquet.npz")
    assert sharp.hidden == 12
    assert sharp.facts["lessons"] > 100
    assert any("given away" in line for line in heard)
    assert load(tmp_path / "laquet.npz").hidden != 12
