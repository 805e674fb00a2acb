"""How kind the dice were: what a side threw, beside what it could expect."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import product

from engine import throws
from engine.rules import Dice
from engine.search.routes import NUMBERS


def measure_luck(dice: Dice, thrown: Iterable[tuple[int, ...]]) -> float:
    """Return by how many pips the throws exceed the average of as many throws.

    Doubles count as played.
    """
    return sum(sum(throws.list_numbers(dice, each)) - _average_pips(dice) for each in thrown)


@lru_cache(maxsize=64)
def _average_pips(dice: Dice) -> float:
    every = list(product(NUMBERS, repeat=dice.count))
    return sum(sum(throws.list_numbers(dice, each)) for each in every) / len(every)
