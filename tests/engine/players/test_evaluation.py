"""What positions are worth, and to whom."""

import pytest

from engine.outcome import GameOutcome
from engine.players.evaluation import Evaluation, evaluate_outcome
from engine.position import Side

GOLD, BLACK = Side.GOLD, Side.BLACK


@pytest.mark.parametrize(
    ("outcome", "side", "evaluation"),
    [
        (GameOutcome(GOLD, "off"), GOLD, Evaluation(1, 1)),
        (GameOutcome(GOLD, "off"), BLACK, Evaluation(0, -1)),
        (GameOutcome(BLACK, "off", points=3), BLACK, Evaluation(1, 3)),
        (GameOutcome(BLACK, "off", points=3), GOLD, Evaluation(0, -3)),
        (GameOutcome(None, "tie"), GOLD, Evaluation(0.5, 0)),
    ],
)
def test_a_game_that_has_ended_is_worth_what_it_counts(
    outcome: GameOutcome, side: Side, evaluation: Evaluation
) -> None:
    assert evaluate_outcome(outcome, side) == evaluation
    assert evaluate_outcome(outcome, side.other) == evaluation.opposite
