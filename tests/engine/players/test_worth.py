"""What positions are worth, and to whom."""

import pytest

from engine.outcome import Outcome
from engine.players.worth import Worth, ended
from engine.position import Side

GOLD, BLACK = Side.GOLD, Side.BLACK


@pytest.mark.parametrize(
    ("outcome", "side", "worth"),
    [
        (Outcome(GOLD, "off"), GOLD, Worth(1, 1)),
        (Outcome(GOLD, "off"), BLACK, Worth(0, -1)),
        (Outcome(BLACK, "off", points=3), BLACK, Worth(1, 3)),
        (Outcome(BLACK, "off", points=3), GOLD, Worth(0, -3)),
        (Outcome(None, "tie"), GOLD, Worth(0.5, 0)),
    ],
)
def test_a_game_that_has_ended_is_worth_what_it_counts(
    outcome: Outcome, side: Side, worth: Worth
) -> None:
    assert ended(outcome, side) == worth
    assert ended(outcome, side.other) == worth.turned
