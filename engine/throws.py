"""What a throw of the dice gives to play: doubles, fixed numbers and the presumed six."""

from dataclasses import replace
from functools import lru_cache
from itertools import chain, combinations, combinations_with_replacement

from engine.routes import NUMBERS
from engine.rules import Dice, Doubles, Pairs, Rules, Third

PAIR = 2
"""Of how many dice it is plain whether they are doubles."""


def must_choose(dice: Dice, thrown: tuple[int, ...]) -> bool:
    """Whether a die must be turned to the presumed number before anything is played."""
    return dice.presumed is not None and (dice.named or dice.presumed not in thrown)


def turned(dice: Dice, thrown: tuple[int, ...], number: int) -> tuple[int, ...]:
    """Return the throw with one die that shows `number` turned to the presumed number."""
    assert dice.presumed is not None
    at = thrown.index(number)
    return (*thrown[:at], dice.presumed, *thrown[at + 1 :])


def turnings(dice: Dice, thrown: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the throws after a die is turned to the presumed number.

    That is the throw itself where no die is turned.
    """
    if not must_choose(dice, thrown):
        return [thrown]
    return [turned(dice, thrown, number) for number in sorted(set(thrown))]


def is_double(dice: Dice, thrown: tuple[int, ...]) -> bool:
    """Whether a throw counts as doubles: all alike, or any two alike where the players chose so."""
    kinds = len(set(thrown))
    return kinds == 1 < len(thrown) if dice.pairs is Pairs.ALL_ALIKE else kinds < len(thrown)


def differ(one: Rules, other: Rules) -> bool:
    """Return whether rules differ in more than which doubles count where that changes nothing."""
    return _plainly(one) != _plainly(other)


def _plainly(rules: Rules) -> Rules:
    dice = rules.dice
    if dice.count > PAIR and dice.doubles is not Doubles.PLAIN:
        return rules
    return replace(rules, dice=replace(dice, pairs=Pairs.ALL_ALIKE))


def numbers(dice: Dice, thrown: tuple[int, ...]) -> tuple[int, ...]:
    """Return the numbers a throw gives to play, highest first."""
    given = list(thrown)
    if dice.doubles.played_twice and is_double(dice, thrown):
        given += [number for number in thrown if thrown.count(number) > 1]
    return tuple(sorted((*given, *added(dice, thrown)), reverse=True))


def added(dice: Dice, thrown: tuple[int, ...]) -> tuple[int, ...]:
    """Return the numbers that come with a throw though no die shows them."""
    match dice.third:
        case Third.MAJORET:
            return (*dice.fixed, max(thrown))
        case Third.MINORET:
            return (*dice.fixed, min(thrown))
    return dice.fixed


@lru_cache
def possible(dice: Dice) -> frozenset[tuple[int, ...]]:
    """Every set of numbers that may be left to play after some throw, highest first."""
    thrown = combinations_with_replacement(NUMBERS, dice.count)
    whole = {numbers(dice, turning) for each in thrown for turning in turnings(dice, each)}
    return frozenset(
        chain.from_iterable(
            combinations(each, size) for each in whole for size in range(len(each) + 1)
        )
    )
