"""How likely throws are."""

import pytest

from engine.players.chances import every_throw, mean_pips, ways
from engine.rules import Dice, Doubles, Third


def test_throws_of_two_dice() -> None:
    found = dict(every_throw(Dice(count=2)))
    assert len(found) == 21
    assert found[3, 3] == 1
    assert found[1, 6] == 2
    assert sum(found.values()) == ways(Dice(count=2)) == 36


def test_throws_of_three_dice() -> None:
    found = dict(every_throw(Dice(count=3)))
    assert len(found) == 56
    assert found[2, 2, 2] == 1
    assert found[2, 2, 5] == 3
    assert found[1, 2, 5] == 6
    assert sum(found.values()) == ways(Dice(count=3)) == 216


@pytest.mark.parametrize(
    ("dice", "pips"),
    [
        (Dice(count=2), 7),
        (Dice(count=3), 10.5),
        (Dice(count=2, fixed=(6,)), 13),
        (
            Dice(count=2, doubles=Doubles.TWICE),
            7 + 7 / 6,
        ),  # one throw in six gives its seven pips, on average, again
        (Dice(count=2, third=Third.MAJORET), 7 + 161 / 36),  # the mean of the higher of two dice
    ],
)
def test_the_pips_of_a_throw_on_average(dice: Dice, pips: float) -> None:
    assert mean_pips(dice) == pytest.approx(pips)
