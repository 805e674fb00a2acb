"""What a throw gives to play: doubles, fixed numbers, the presumed six."""

import pytest

from engine import throws
from engine.refusal import Reason, Refusal
from engine.rules import Dice, DoublesRule, PairRule
from engine.throws import parse_throw
from tests.engine.build import make_rules

SIX = Dice(count=3, presumed=6)


@pytest.mark.parametrize(
    ("thrown", "choice"),
    [
        ((1, 2, 4), True),
        ((1, 1, 1), True),
        ((2, 3, 6), False),
        ((1, 6, 6), False),
    ],  # S0: 2-3-6 and 1-6-6 stand
)
def test_a_six_is_presumed_only_where_none_shows(thrown: tuple[int, ...], choice: bool) -> None:
    assert throws.must_choose(SIX, thrown) is choice
    assert not throws.must_choose(Dice(count=3), thrown)


@pytest.mark.parametrize(("number", "becomes"), [(1, (6, 2, 4)), (2, (1, 6, 4)), (4, (1, 2, 6))])
def test_one_two_four_may_become_three_throws(number: int, becomes: tuple[int, ...]) -> None:
    # S0's own example: 6-2-4, 1-6-4 or 1-2-6.
    assert throws.turn_die(SIX, (1, 2, 4), number) == becomes


def test_of_two_alike_only_one_is_turned() -> None:
    assert throws.turn_die(SIX, (3, 1, 3), 3) == (6, 1, 3)


def test_a_fixed_six_joins_two_dice() -> None:
    assert throws.list_numbers(Dice(count=2, fixed=(6,)), (3, 5)) == (6, 5, 3)


@pytest.mark.parametrize(
    ("dice", "thrown", "numbers"),
    [
        (Dice(2), (4, 4), (4, 4)),
        (Dice(2, doubles=DoublesRule.AGAIN), (4, 4), (4, 4)),
        (Dice(2, doubles=DoublesRule.TWICE), (4, 4), (4, 4, 4, 4)),
        (Dice(2, doubles=DoublesRule.TWICE_AGAIN), (4, 4), (4, 4, 4, 4)),
        (Dice(2, doubles=DoublesRule.TWICE), (4, 2), (4, 2)),
        (Dice(3, doubles=DoublesRule.TWICE), (4, 4, 4), (4,) * 6),
        (Dice(3, doubles=DoublesRule.TWICE), (4, 2, 4), (4, 4, 2)),
        (Dice(3, doubles=DoublesRule.TWICE, pairs=PairRule.ANY_PAIR), (4, 2, 4), (4, 4, 4, 4, 2)),
        (Dice(3, doubles=DoublesRule.TWICE, pairs=PairRule.ANY_PAIR), (4, 4, 4), (4,) * 6),
        (Dice(3, doubles=DoublesRule.AGAIN, pairs=PairRule.ANY_PAIR), (4, 2, 4), (4, 4, 2)),
        (Dice(3, doubles=DoublesRule.TWICE, pairs=PairRule.ANY_PAIR), (1, 2, 6), (6, 2, 1)),
    ],
)
def test_the_numbers_a_throw_gives(
    dice: Dice, thrown: tuple[int, ...], numbers: tuple[int, ...]
) -> None:
    assert throws.list_numbers(dice, thrown) == numbers


@pytest.mark.parametrize(
    ("dice", "thrown", "double"),
    [
        (Dice(3), (4, 4, 2), False),
        (Dice(3), (4, 4, 4), True),
        (Dice(2), (4, 4), True),
        (Dice(2), (4, 3), False),
        (Dice(1), (4,), False),
        (Dice(3, pairs=PairRule.ANY_PAIR), (4, 2, 4), True),
        (Dice(3, pairs=PairRule.ANY_PAIR), (4, 2, 3), False),
        (Dice(1, pairs=PairRule.ANY_PAIR), (4,), False),
    ],
)
def test_what_counts_as_doubles(dice: Dice, thrown: tuple[int, ...], double: bool) -> None:
    assert throws.is_double(dice, thrown) is double


def test_two_dice_leave_whole_throws_single_numbers_or_nothing() -> None:
    # 21 throws of two dice, 6 single numbers, and nothing.
    assert len(throws.list_possible_numbers(Dice(2))) == 21 + 6 + 1


def test_with_a_presumed_six_every_whole_throw_has_one() -> None:
    whole = {numbers for numbers in throws.list_possible_numbers(SIX) if len(numbers) == 3}
    assert len(whole) == 21  # a six and any throw of two dice
    assert all(numbers[0] == 6 for numbers in whole)


def test_twice_played_pairs_leave_any_part_of_them() -> None:
    possible = throws.list_possible_numbers(
        Dice(3, doubles=DoublesRule.TWICE, pairs=PairRule.ANY_PAIR)
    )
    assert {(4, 4, 4, 4, 2), (4, 4, 4, 2), (4, 4, 4, 4), (2,), (4,) * 6, ()} <= possible
    assert not {(4, 4, 2, 2), (4, 4, 4, 4, 4, 2)} & possible


@pytest.mark.parametrize("text", ["63", "6-3", " 6 3 ", "6,3", "6/3", "6 - 3"])
def test_a_typed_throw(text: str) -> None:
    assert parse_throw(text, make_rules("backgammon").dice) == (6, 3)


@pytest.mark.parametrize("text", ["", "6", "633", "70", "six", "6:3"])
def test_what_is_no_throw_of_two_dice(text: str) -> None:
    with pytest.raises(Refusal) as error:
        parse_throw(text, make_rules("backgammon").dice)
    assert error.value.reason is Reason.THROW
    assert error.value.parts == {"typed": text, "count": 2}
