"""How likely throws are."""

import pytest

from engine.players.chances import compute_mean_pips, count_ordered_throws, list_throws
from engine.rules import Dice, DoublesRule, ThirdDie


def test_throws_of_two_dice() -> None:
    found = dict(list_throws(Dice(count=2)))
    assert len(found) == 21
    assert found[3, 3] == 1
    assert found[1, 6] == 2
    assert sum(found.values()) == count_ordered_throws(Dice(count=2)) == 36


def test_throws_of_three_dice() -> None:
    found = dict(list_throws(Dice(count=3)))
    assert len(found) == 56
    assert found[2, 2, 2] == 1
    assert found[2, 2, 5] == 3
    assert found[1, 2, 5] == 6
    assert sum(found.values()) == count_ordered_throws(Dice(count=3)) == 216


@pytest.mark.parametrize(
    ("dice", "pips"),
    [
        (Dice(count=2), 7),
        (Dice(count=3), 10.5),
        (Dice(count=2, fixed=(6,)), 13),
        (
            Dice(count=2, doubles=DoublesRule.TWICE),
            7 + 7 / 6,
        ),  # one throw in six gives its seven pips, on average, again
        (Dice(count=2, third=ThirdDie.MAJORET), 7 + 161 / 36),  # the mean of the higher of two dice
    ],
)
def test_the_pips_of_a_throw_on_average(dice: Dice, pips: float) -> None:
    assert compute_mean_pips(dice) == pytest.approx(pips)
