"""The throws of a game's dice and how likely they are."""

from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod

from engine import throws
from engine.rules import Dice
from engine.search.routes import NUMBERS


@lru_cache(maxsize=64)
def list_throws(dice: Dice) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return every throw, its dice in order of size, and in how many ways its dice can fall."""
    # Dice in another order give the same plays, so two dice make 21 throws and not 36.
    thrown = combinations_with_replacement(NUMBERS, dice.count)
    return tuple((each, _count_orders(each)) for each in thrown)


def count_answers(dice: Dice) -> int:
    """Return how many throws there are to answer.

    A throw with a choice of the presumed number counts once for each choice.
    """
    return sum(len(throws.list_turned_throws(dice, thrown)) for thrown, _ in list_throws(dice))


def count_ordered_throws(dice: Dice) -> int:
    """Return in how many ways the dice can fall."""
    return sum(count for _, count in list_throws(dice))


@lru_cache(maxsize=64)
def compute_mean_pips(dice: Dice) -> float:
    """Return how many pips a throw gives to play on average."""
    pips = sum(
        count * sum(throws.list_numbers(dice, thrown)) for thrown, count in list_throws(dice)
    )
    return pips / count_ordered_throws(dice)


def _count_orders(thrown: tuple[int, ...]) -> int:
    # Swapping dice that show the same gives no other order.
    return factorial(len(thrown)) // prod(factorial(thrown.count(number)) for number in NUMBERS)
