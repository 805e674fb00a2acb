"""How kind the dice were, worked out by hand."""

import pytest

from engine.games import GAMES
from engine.luck import measure_luck


def test_three_dice_give_ten_and_a_half_on_average() -> None:
    dice = GAMES["zeno"].rules.dice
    assert measure_luck(dice, [(6, 6, 6)]) == pytest.approx(7.5)
    assert measure_luck(dice, [(1, 1, 2), (6, 5, 6)]) == pytest.approx(4 + 17 - 21)


def test_doubles_that_are_played_twice_count_twice() -> None:
    # Two dice give 7; a double, one throw in six, gives as much again, 7 on average: 7 + 7 / 6.
    assert measure_luck(GAMES["backgammon"].rules.dice, [(3, 3)]) == pytest.approx(12 - 7 - 7 / 6)


def test_numbers_that_are_always_there_are_no_luck() -> None:
    # Two dice and a six that is always there.
    assert measure_luck(GAMES["baralie"].rules.dice, [(4, 3)]) == pytest.approx(0)


def test_who_threw_nothing_had_no_luck() -> None:
    assert measure_luck(GAMES["zeno"].rules.dice, []) == 0
