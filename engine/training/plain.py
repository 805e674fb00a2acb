"""What men mean to the greedy player, and throws to men, worked out from a game's rules as tables for the kernel."""

from functools import lru_cache
from itertools import combinations, product

import numpy as np

from engine import throws
from engine.players.inputs import scales
from engine.players.reach import grasp
from engine.position import Side
from engine.routes import NUMBERS, route
from engine.rules import Bearing, Dice, Ending, Rules
from engine.training import layout as at
from engine.training.layout import Floats

NEAR = 12
"""As far as a held point is felt."""
SURE = 0.99
"""The surest hit: its contrary keeps a logarithm."""


def greedy_tables(rules: Rules) -> Floats:
    """Lay out what men mean: the way they still have, what a hit costs, who may hit or faces whom; and the throws."""
    table = np.zeros(at.GREEDY, np.float32)
    table[at.PACE] = _mean(rules.dice) if rules.moving else rules.dice.count + len(rules.dice.fixed)
    table[at.SCALE : at.SHARES] = scales(rules)
    known = grasp(rules.dice)
    table[at.SHARES : at.SHARES + len(known.shares)] = known.shares
    table[at.HINDERED : at.TRAPPED] = known.hindered
    table[at.TRAPPED : at.GREEDY] = known.trapped
    reached = _reached(rules.dice, sums=rules.moving)
    for number, side in enumerate(Side):
        need = _need(rules, side)
        line = number * at.PLACES
        sent = route(rules, side).sent
        for place, pips in need.items():
            table[at.NEED + line + place] = pips
        for point in rules.course(side):
            table[at.LOST + line + point] = need[sent[point]] - need[point]
        for (source, target), pips in _ahead(rules, side.other).items():
            if rules.closed > 1:
                missed = np.log(1 - min(reached.get(pips, 0.0), SURE))
                table[at.MISSES + (line + target) * at.PLACES + source] = missed
        for (source, target), pips in _ahead(rules, side).items():
            table[at.FACING + (line + target) * at.PLACES + source] = pips <= NEAR
    return table


def _need(rules: Rules, side: Side) -> dict[int, float]:
    """The pips that a man at each place has to go, or the numbers that he needs where men do not move."""
    board = rules.board
    course = rules.course(side)
    beside = (board.hand, *board.bars)
    if not rules.moving:
        last = 0.0 if rules.bearing is Bearing.NONE else 1.0
        return {**dict.fromkeys(course, last), **dict.fromkeys(beside, last + 1)}
    spared = len(rules.home(side)) if rules.ending is Ending.GOAL else 0
    need = {point: float(max(0, len(course) - step - spared)) for step, point in enumerate(course)}
    targets = route(rules, side).targets
    for place in beside:
        first = next(targets[number][place] for number in NUMBERS if targets[number][place] >= 0)
        need[place] = need[first] + 1
    return need


def _ahead(rules: Rules, side: Side) -> dict[tuple[int, int], int]:
    """How many pips before each place of a side every point of its course lies."""
    course = rules.course(side)
    found: dict[tuple[int, int], int] = {}
    if rules.moving:
        for step, source in enumerate(course):
            found |= {(source, course[to]): to - step for to in range(step + 1, len(course))}
    targets = route(rules, side).targets
    for place, number in product((rules.board.hand, *rules.board.bars), NUMBERS):
        if targets[number][place] >= 0:
            found[place, targets[number][place]] = number
    return found


def _given(dice: Dice) -> list[tuple[int, ...]]:
    return [throws.numbers(dice, thrown) for thrown in product(NUMBERS, repeat=dice.count)]


@lru_cache(maxsize=64)
def _mean(dice: Dice) -> float:
    given = _given(dice)
    return sum(map(sum, given)) / len(given)


@lru_cache(maxsize=64)
def _reached(dice: Dice, *, sums: bool) -> dict[int, float]:
    """The chance of each number of pips to come up on the dice, alone or, with `sums`, added up."""
    given = _given(dice)
    found: dict[int, float] = {}
    for numbers in given:
        sizes = range(1, len(numbers) + 1) if sums else (1,)
        for pips in {sum(some) for size in sizes for some in combinations(numbers, size)}:
            found[pips] = found.get(pips, 0.0) + 1 / len(given)
    return found
