"""What a position is worth, wherever it comes from."""

import pytest

from engine.games import GAMES
from engine.match import Phase
from engine.players.evaluation import Evaluation
from engine.players.midgame import build_match
from engine.players.requests import evaluate_position
from engine.position import Side
from tests.engine.build import LUDUS, build_position


@pytest.mark.parametrize(
    ("slug", "text", "evaluation"),
    [
        ("zeno", "t1,z14 g15 gold -", Evaluation(1, 1)),
        ("zeno", "t1,z14 g15 black -", Evaluation(0, -1)),
        ("paume-carie-one", "off15 a3,off12 gold -", Evaluation(1, 3)),
        ("twelve-dogs", "a2,c2,e2,hand6 b2,d2,f2,hand6 gold -", Evaluation(0.5, 0)),
        ("backgammon", "z1,off14 a2,off13 gold 2-1", Evaluation(1, 1)),
    ],
)
def test_what_is_certain(slug: str, text: str, evaluation: Evaluation) -> None:
    known, position = build_position(text, slug)
    assert evaluate_position(known, position) == evaluation


def test_before_a_throw_and_with_one() -> None:
    known, position = build_position("a15 z15 gold -", "zeno")
    assert build_match(GAMES["zeno"], known, position).phase is Phase.THROW
    assert 0.4 < evaluate_position(known, position).win < 0.7
    high = evaluate_position(known, position._replace(dice=(6, 6, 5)))
    assert 0.4 < high.win < 0.8


@pytest.mark.parametrize(
    ("slug", "options", "dice", "thrown"),
    [
        ("zeno", {}, "6-5-2", (2, 5, 6)),
        ("zeno", {}, "5-2", (1, 2, 5)),  # the first throw of which they may be left
        (LUDUS, {}, "6-4-2", (2, 4, 6)),
        (LUDUS, {"dice": "two-and-six"}, "6-4-2", (2, 4)),
        ("pareia-de-entrada", {}, "4-4-4-4", (4, 4)),
        ("pareia-de-entrada", {}, "4-4", (4, 4)),  # two of four: only doubles give two fours
        ("pareia-de-entrada", {}, "4", (1, 4)),  # perhaps of doubles, but not surely
    ],
)
def test_of_which_throw_numbers_are_left(
    slug: str, options: dict[str, str], dice: str, thrown: tuple[int, ...]
) -> None:
    start = GAMES[slug].resolve_rules(options).start_position
    numbers = tuple(map(int, dice.split("-")))
    match = build_match(
        GAMES[slug], GAMES[slug].resolve_rules(options), start._replace(dice=numbers)
    )
    assert (tuple(sorted(match.thrown)), match.thrower) == (thrown, Side.GOLD)
