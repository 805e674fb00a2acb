"""The throws of a game's dice and how likely they are."""

from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod

from engine import throws
from engine.routes import NUMBERS
from engine.rules import Dice


@lru_cache(maxsize=64)
def every_throw(dice: Dice) -> tuple[tuple[tuple[int, ...], float], ...]:
    """Return every throw, its dice in order of size, with its probability."""
    all_orders = len(NUMBERS) ** dice.count
    thrown = combinations_with_replacement(NUMBERS, dice.count)
    return tuple((each, _orders(each) / all_orders) for each in thrown)


@lru_cache(maxsize=64)
def mean_pips(dice: Dice) -> float:
    """Return how many pips a throw gives to play on average."""
    return sum(chance * sum(throws.numbers(dice, thrown)) for thrown, chance in every_throw(dice))


def _orders(thrown: tuple[int, ...]) -> int:
    """Count the ways in which dice can fall to show these numbers."""
    return factorial(len(thrown)) // prod(factorial(thrown.count(number)) for number in NUMBERS)
