"""What a throw of the dice gives to play: doubles, fixed numbers and the presumed six."""

import re
from dataclasses import replace
from functools import lru_cache
from itertools import chain, combinations, combinations_with_replacement

from engine.refusal import Reason, Refusal
from engine.rules import Dice, DoublesRule, PairRule, Rules, ThirdDie
from engine.search.routes import NUMBERS

PAIR_SIZE = 2
"""Of how many dice it is plain whether they are doubles."""


def parse_throw(text: str, dice: Dice) -> tuple[int, ...]:
    """Read a throw as it is typed: `63`, `6-3`, `6 3` or `6,3`; raises Refusal."""
    typed = re.sub(r"[\s,/+-]+", "", text)
    if not re.fullmatch("[1-6]+", typed) or len(typed) != dice.count:
        raise Refusal(Reason.THROW, typed=text, count=dice.count)
    return tuple(map(int, typed))


def must_choose(dice: Dice, thrown: tuple[int, ...]) -> bool:
    """Whether a die must be turned to the presumed number before anything is played."""
    return dice.presumed is not None and (dice.named or dice.presumed not in thrown)


def turn_die(dice: Dice, thrown: tuple[int, ...], number: int) -> tuple[int, ...]:
    """Return the throw with one die that shows `number` turned to the presumed number."""
    assert dice.presumed is not None
    at = thrown.index(number)
    return (*thrown[:at], dice.presumed, *thrown[at + 1 :])


def list_turned_throws(dice: Dice, thrown: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the throws after a die is turned to the presumed number.

    That is the throw itself where no die is turned.
    """
    if not must_choose(dice, thrown):
        return [thrown]
    return [turn_die(dice, thrown, number) for number in sorted(set(thrown))]


def is_double(dice: Dice, thrown: tuple[int, ...]) -> bool:
    """Whether a throw counts as doubles: all alike, or any two alike where the players chose so."""
    kinds = len(set(thrown))
    # A single die is no double, though all its numbers are alike.
    return kinds == 1 < len(thrown) if dice.pairs is PairRule.ALL_ALIKE else kinds < len(thrown)


def is_rule_change(one: Rules, other: Rules) -> bool:
    """Return whether rules differ in more than which doubles count where that changes nothing."""
    return _normalise_pairs(one) != _normalise_pairs(other)


def _normalise_pairs(rules: Rules) -> Rules:
    dice = rules.dice
    # Of two dice both rules name the same throws, and plain doubles do nothing anyway.
    if dice.count > PAIR_SIZE and dice.doubles is not DoublesRule.PLAIN:
        return rules
    return replace(rules, dice=replace(dice, pairs=PairRule.ALL_ALIKE))


def list_numbers(dice: Dice, thrown: tuple[int, ...]) -> tuple[int, ...]:
    """Return the numbers a throw gives to play, highest first."""
    given = list(thrown)
    if dice.doubles.is_played_twice and is_double(dice, thrown):
        given += [number for number in thrown if thrown.count(number) > 1]
    return tuple(sorted((*given, *list_added_numbers(dice, thrown)), reverse=True))


def list_added_numbers(dice: Dice, thrown: tuple[int, ...]) -> tuple[int, ...]:
    """Return the numbers that come with a throw though no die shows them."""
    match dice.third:
        case ThirdDie.MAJORET:
            return (*dice.fixed, max(thrown))
        case ThirdDie.MINORET:
            return (*dice.fixed, min(thrown))
    return dice.fixed


@lru_cache
def list_possible_numbers(dice: Dice) -> frozenset[tuple[int, ...]]:
    """Every set of numbers that may be left to play after some throw, highest first."""
    thrown = combinations_with_replacement(NUMBERS, dice.count)
    whole = {
        list_numbers(dice, turning) for each in thrown for turning in list_turned_throws(dice, each)
    }
    return frozenset(
        chain.from_iterable(
            combinations(each, size) for each in whole for size in range(len(each) + 1)
        )
    )
