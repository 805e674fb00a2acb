"""The throws of a game's dice and how likely they are."""

from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod

from engine import throws
from engine.routes import NUMBERS
from engine.rules import Dice


@lru_cache(maxsize=64)
def every_throw(dice: Dice) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return every throw, its dice in order of size, and in how many ways its dice can fall."""
    thrown = combinations_with_replacement(NUMBERS, dice.count)
    return tuple((each, _ways(each)) for each in thrown)


def answers(dice: Dice) -> int:
    """Return how many throws there are to answer.

    A throw with a choice of the presumed number counts once for each choice.
    """
    return sum(len(throws.turnings(dice, thrown)) for thrown, _ in every_throw(dice))


def ways(dice: Dice) -> int:
    """Return in how many ways the dice can fall."""
    return sum(count for _, count in every_throw(dice))


@lru_cache(maxsize=64)
def mean_pips(dice: Dice) -> float:
    """Return how many pips a throw gives to play on average."""
    pips = sum(count * sum(throws.numbers(dice, thrown)) for thrown, count in every_throw(dice))
    return pips / ways(dice)


def _ways(thrown: tuple[int, ...]) -> int:
    return factorial(len(thrown)) // prod(factorial(thrown.count(number)) for number in NUMBERS)
