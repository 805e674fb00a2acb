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
from engine.players.net import OUTPUTS, Net, load_net, save_net
from engine.players.one_ply import CLOSE
from lab.training import layout as at
from lab.training.fitting import (
    BATCH,
    COMPARISON_WEIGHT,
    PASSES,
    Batch,
    Lessons,
    NetValidation,
    compute_gradients,
    fit_net,
    validate_net,
)
from lab.training.layout import Floats, Row, TurnMemory
from lab.training.lessons import MAX_ENDS, TRACE, write_one_ply_shares
from lab.training.nets import evaluate_row
from lab.training.practice import TrainingPlan
from lab.training.sharpening import (
    LessonRows,
    compute_row_inputs,
    gather_lesson_rows,
    is_improvement,
    sharpen_net,
)
from lab.training.turns import take_turn
from lab.training.workshop import EMPTY_SCORE, Workshop, new_spare_memory

STEP_SIZE = 1e-3
"""By how much a weight is moved to see by how much the error then grows."""


def make_untrained_workshop(slug: str) -> Workshop:
    """A workshop whose net has learnt nothing, and plays as greedy does."""
    shop = Workshop(GAMES[slug].resolve_rules({}), 8, 1)
    shop.initialise_net(1)
    return shop


def build_net(shop: Workshop, slug: str) -> Net:
    """Its net."""
    return shop.export_net({"game": slug, "seconds": 0.0})


def gather_some_lessons(shop: Workshop, count: int) -> LessonRows:
    """So many lessons, or a few less."""
    return gather_lesson_rows(shop, new_spare_memory(), new_spare_memory(), count)


@pytest.mark.parametrize("slug", ["backgammon", "zeno", "emperador", "tabula", "laquet"])
def test_the_inputs_of_lessons_are_those_by_which_the_kernel_judges(slug: str) -> None:
    shop = make_untrained_workshop(slug)
    kept = gather_some_lessons(shop, 40).kept
    said = shop.export_net({}).evaluate(compute_row_inputs(GAMES[slug].resolve_rules({}), kept)).win
    for number in range(len(said)):
        row = number * at.ROW
        evaluate_row(*shop.known, 0, kept, row, int(kept[row + at.TURN]), shop.desk.floats)
        assert said[number] == pytest.approx(shop.desk.floats[at.OUTPUTS_NOW], abs=1e-5)


def list_best_results(shop: Workshop, row: Row) -> set[bytes]:
    """What a position becomes when each throw is played as the net thinks best."""
    found = set()
    count = int(shop.known.table[at.DICE])
    for dice in combinations_with_replacement(range(1, 7), count):
        shop.desk.nodes[at.GAME : at.GAME + at.ROW] = row
        shop.desk.book[at.DICE_THROWN : at.DICE_THROWN + count] = dice[::-1]
        take_turn(shop.known, shop.desk, True)
        found.add(extract_men(shop.desk.nodes[at.GAME : at.GAME + at.ROW]))
    return found


def extract_men(row: Row) -> bytes:
    """The men of both sides."""
    return row[: at.SIDES * at.PLACES].tobytes()


def evaluate_both_plies(shop: Workshop, deep: TurnMemory, row: Row) -> tuple[Floats, Floats]:
    """Return what the net says of a position, and what it sees at 1-ply.

    Each is three shares, for the side to throw.
    """
    evaluate_row(*shop.known, 0, row, 0, int(row[at.TURN]), shop.desk.floats)
    said = shop.desk.floats[at.OUTPUTS_NOW : at.OUTPUTS_NOW + OUTPUTS].copy()
    shares = np.zeros(OUTPUTS, np.float32)
    shop.desk.nodes[at.GAME : at.GAME + at.ROW] = row
    write_one_ply_shares(shop.known, shop.desk, deep, shares)
    return said, shares


def mirror_shares(shares: Floats, whole: int) -> Floats:
    """Shares, or with a whole of nought differences of shares, as the other side sees them."""
    return np.array([whole - shares[0], shares[2], shares[1]], np.float32)


LESSON_COUNT = 160
OPENINGS = ["backgammon", "tabula", "laquet"]
"""Games in which so many lessons do not reach an end, and the sides throw by turns."""


def compute_points(shares: Floats, extra: int) -> float:
    """What shares come to, but for a constant."""
    return float(2 * shares[0] + extra * (shares[1] - shares[2]))


def count_close_ends(points: list[float]) -> int:
    """Return how many of a turn's ends are evaluated at 1-ply.

    The best of the ends has the lowest value.
    """
    return min(MAX_ENDS, sum(each <= points[0] + CLOSE for each in points))


@pytest.mark.parametrize("slug", OPENINGS)
def test_the_turns_of_lessons_follow_from_the_best_of_those_before(slug: str) -> None:
    shop = make_untrained_workshop(slug)
    found = gather_some_lessons(shop, LESSON_COUNT)
    rows = found.kept.reshape(-1, at.ROW)
    deep = new_spare_memory()
    extra = int(shop.known.table[at.EXTRA])
    turns = [np.flatnonzero(found.turns == turn) for turn in range(found.turns[-1] + 1)]
    assert len(turns) > 5
    assert any(len(turn) > 1 for turn in turns)
    errors = []
    expected = []
    left_as_seen = 0
    for turn, after in zip(turns, [*turns[1:], None], strict=True):
        # The side that throws next sees them all, so the best for who had the turn is the least.
        judged = [evaluate_both_plies(shop, deep, rows[each]) for each in turn]
        close = count_close_ends([compute_points(said, extra) for said, _ in judged])
        best = int(np.argmin([compute_points(ahead, extra) for _, ahead in judged[:close]]))
        if after is not None:
            assert extract_men(rows[after[0]]) in list_best_results(shop, rows[turn[best]])
        error = judged[best][1] - judged[0][0]
        errors.append(error)
        expected.append(
            [ahead for _, ahead in judged[:close]] + [said + error for said, _ in judged[close:]]
        )
        left_as_seen += len(turn) - close
    assert left_as_seen > 5
    later = np.zeros(OUTPUTS, np.float32)
    known = OUTPUTS if extra else 1
    for turn, error, seen in reversed(list(zip(turns, errors, expected, strict=True))):
        for each, shares in zip(turn, seen, strict=True):
            assert found.shares[each][:known] == pytest.approx((shares + later)[:known], abs=1e-4)
        # The turn before is of the other side, whom the same error concerns the other way round.
        later = TRACE * mirror_shares(error + later, 0)


def make_lessons(slug: str, count: int, seed: int = 1) -> Lessons:
    """So many lessons of a net that has learnt nothing, or a few less."""
    shop = make_untrained_workshop(slug)
    shop.seed_dice(seed)
    return gather_some_lessons(shop, count).to_lessons(GAMES[slug].resolve_rules({}))


def test_a_sign_says_whether_the_side_to_throw_had_the_turn() -> None:
    lessons = make_lessons("backgammon", 100)
    assert (lessons.signs == -1).all()
    # After doubles a side throws again in Pareia de entrada, so it sees some of its ends itself.
    assert set(make_lessons("pareia-de-entrada", 300).signs) == {-1, 1}


def compute_error(net: Net, batch: Batch) -> float:
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
    return float(entropy + COMPARISON_WEIGHT / 2 * compared) / len(out)


def test_the_slopes_say_by_how_much_the_error_grows() -> None:
    net = build_net(make_untrained_workshop("backgammon"), "backgammon")
    batch = make_lessons("backgammon", 100).full_batch
    weights = net.first, net.bias, net.second, net.offset
    for part, slopes in zip(weights, compute_gradients(weights, batch, net.extra), strict=True):
        steepest = np.unravel_index(np.abs(slopes).argmax(), slopes.shape)
        kept = part[steepest]
        part[steepest] = kept + STEP_SIZE
        more = compute_error(net, batch)
        part[steepest] = kept - STEP_SIZE
        less = compute_error(net, batch)
        part[steepest] = kept
        assert slopes[steepest] == pytest.approx((more - less) / (2 * STEP_SIZE), rel=0.05)


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
    assert validate_net(net, lessons).given_away == pytest.approx(0.2)


@pytest.mark.parametrize("slug", ["backgammon", "laquet"])
def test_a_net_comes_nearer_to_what_it_is_taught(slug: str) -> None:
    learnt, held_back = make_lessons(slug, 12000), make_lessons(slug, 6000, seed=2)
    net = build_net(make_untrained_workshop(slug), slug)
    after = fit_net(net, learnt, lambda: 0.0, 1)
    before = validate_net(net, held_back)
    assert validate_net(after, held_back).distance < 0.97 * before.distance
    assert validate_net(after, held_back).given_away < 0.9 * before.given_away
    if not net.extra:
        assert (after.second[:, 1:] == net.second[:, 1:]).all()


def test_a_net_learns_each_lesson_so_often_at_most_or_as_long_as_there_is_time() -> None:
    net = build_net(make_untrained_workshop("laquet"), "laquet")
    lessons = make_lessons("laquet", 2000)
    asked = count()
    fit_net(net, lessons, lambda: next(asked) * 0.0, 1)
    assert next(asked) == PASSES * ceil(len(lessons.sizes) / BATCH) + 1
    hurried = fit_net(net, lessons, lambda: 1.0, 1)
    assert np.array_equal(hurried.first, net.first)


@pytest.mark.parametrize(
    ("given_away", "won", "keeps"),
    [(0.2, 520, True), (0.2, 490, True), (0.2, 400, False), (0.3, 520, False), (0.3, 400, False)],
)
def test_a_net_gains_that_gives_less_away_and_does_not_lose_to_itself_as_it_was(
    given_away: float, won: int, keeps: bool
) -> None:
    # Who wins half of all games wins 468 to 532 of a thousand in nineteen cases of twenty.
    met = EMPTY_SCORE._replace(won=won, lost=1000 - won)
    assert is_improvement(NetValidation(0.1, 0.3), NetValidation(0.1, given_away), met) is keeps


def test_a_net_is_sharpened_and_written_down(tmp_path: Path) -> None:
    save_net(build_net(make_untrained_workshop("laquet"), "laquet"), tmp_path / "laquet.npz")
    texts: list[str] = []
    sharpen_net(
        GAMES["laquet"], TrainingPlan(4.0, 4.0, tmp_path, tmp_path / "new"), 12, 1, texts.append
    )
    sharp = load_net(tmp_path / "new" / "laquet.npz")
    assert sharp.unit_count == 12
    assert sharp.facts["lessons"] > 100
    assert any("given away" in line for line in texts)
    assert load_net(tmp_path / "laquet.npz").unit_count != 12
