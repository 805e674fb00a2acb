"""A plain evaluation for games without a trained net: race, blots within reach, blocking points.

Everything is counted in pips, so that it adds up; the lead in pips then becomes a chance to win as
in a race, where what is still to come grows less certain with every throw left.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from engine import throws
from engine.outcome import GameOutcome
from engine.players.boards import Men
from engine.players.chances import compute_mean_pips, count_ordered_throws, list_throws
from engine.players.evaluation_rows import EvaluationRows, build_rows
from engine.position import Position, Side
from engine.rules import BearingRule, Dice, Ending, Rules
from engine.search.routes import NUMBERS, build_route

Numbers = NDArray[np.float64]

_THREAT_LATER = (
    0.4  # a blot of the side that throws next is in danger only when it stays where it is
)
_WALL = 0.35  # pips that a held point costs each man of the other side who has it before him
_NEAR = 12  # as far as a held point is felt
_PRESENCE = 4.0  # pips that a man more on a full table's point counts
_SPREAD = 2.3  # by how much the square of the deviation grows with every pip that is left
_RESTLESS = 20.0  # and what it is at least


_NORMAL = 1.7
"""With this factor the logistic curve follows the normal distribution closely."""
_SIDE_NUMBERS = 3
_LEAD_WEIGHTS = np.array((-1.0, -_THREAT_LATER, -1.0, 1.0, 1.0, 1.0))
"""How each number of the sides adds to the lead of the one that throws next."""

FEATURE_COUNT = 7
"""How many numbers `compute_features` gives of a position."""
LEAD = 6
"""The last of them."""


@dataclass(frozen=True, eq=False)
class PlaceValues:
    """What one side's men mean to it and to the other side, by place.

    `need` are the pips that a man still has to go, `lost` those that he loses, if any, when he is
    hit. `misses` is the logarithm of the chance that a man of the other side (first place) does not
    hit a blot (second place) with his next throw, and `facing` is 1 where a man of the side itself
    (first place) soon comes to a point (second place).
    """

    need: Numbers
    lost: Numbers
    misses: Numbers
    facing: Numbers


def evaluate_positions(rules: Rules, side: Side, mine: Men, theirs: Men) -> EvaluationRows:
    """Return the evaluation of positions for the side that throws next, one row each.

    `mine` and `theirs` are its men and the other side's by place.
    """
    win = 1 / (1 + np.exp(-compute_features(rules, side, mine, theirs)[:, LEAD]))
    won, lost = (
        _compute_stakes(rules, side, winner, mine, theirs) for winner in (side, side.other)
    )
    return build_rows(win, win * won - (1 - win) * lost)


def compute_features(rules: Rules, side: Side, mine: Men, theirs: Men) -> Numbers:
    """Return what matters in positions, one row each: three numbers for each side and the lead.

    The side that throws next comes first. The three are in pips: the way still to go, what hits of
    blots would cost times their chance, and how much held points bar the way. Last comes the lead
    of the side that throws next, as the logarithm of its odds.
    """
    own = _compute_side_costs(rules, compute_place_values(rules, side), mine, theirs)
    other = _compute_side_costs(rules, compute_place_values(rules, side.other), theirs, mine)
    # The side that throws next is half a throw ahead of what the men alone show.
    lead = other.total_cost(1.0) - own.total_cost(_THREAT_LATER) + compute_pace(rules) / 2
    odds = _NORMAL * lead / np.sqrt(_SPREAD * (own.race + other.race) + _RESTLESS)
    return np.array(
        (own.race, own.danger, own.barred, other.race, other.danger, other.barred, odds)
    ).T


def shift_lead(numbers: Numbers, changed: Numbers) -> float:
    """Return what the lead would be if a position's other numbers were those that are changed.

    Both are rows of `compute_features`, whose own lead is left out of `changed`.
    """
    lead = numbers[LEAD] * _deviate(numbers) / _NORMAL
    lead += (changed[:LEAD] - numbers[:LEAD]) @ _LEAD_WEIGHTS
    return float(_NORMAL * lead / _deviate(changed))


def _deviate(numbers: Numbers) -> float:
    """Return how many pips the lead of a position may still change by."""
    return float(np.sqrt(_SPREAD * (numbers[0] + numbers[_SIDE_NUMBERS]) + _RESTLESS))


def measure_distance(
    rules: Rules, eye_: PlaceValues, mine: Men, theirs: Men, *, threat: float
) -> Numbers:
    """Return a side's distance to its goal, in pips.

    It adds up the way, the blots in danger and what bars the way.
    """
    return _compute_side_costs(rules, eye_, mine, theirs).total_cost(threat)


@dataclass(frozen=True, eq=False)
class _SideCosts:
    """What positions mean to one side, in pips.

    `presence` is what its points count where a table is to be filled.
    """

    race: Numbers
    danger: Numbers
    barred: Numbers
    presence: Numbers

    def total_cost(self, threat: float) -> Numbers:
        """How far the side still is from its goal, where its blots are in so much of the danger."""
        return self.race + threat * self.danger + self.barred - self.presence


def _compute_side_costs(rules: Rules, eye_: PlaceValues, mine: Men, theirs: Men) -> _SideCosts:
    # As floats at once, for only those are multiplied fast.
    men = mine.astype(np.float64)
    standing = (theirs > 0).astype(np.float64)
    # Chances to miss multiply, so their logarithms add up, in one product of matrices.
    hit = 1 - np.exp(standing @ eye_.misses)
    danger = ((mine == 1) * hit) @ eye_.lost
    # The sum of products row by row, without the square matrix that `@` would make.
    barred = np.einsum("ij,ij->i", men @ eye_.facing, theirs >= rules.ban_closed)
    presence = np.zeros(len(mine))
    if rules.ending is Ending.FULL:
        presence = _PRESENCE * (mine[:, : rules.board.size] >= rules.ban_closed).sum(axis=1)
    return _SideCosts(men @ eye_.need, danger, _WALL * barred, presence)


@lru_cache(maxsize=256)
def measure_longest_way(rules: Rules) -> float:
    """Return the pips that the side with the longer way needs from the start, at least one."""
    ways = [
        np.frombuffer(rules.start_position.men(side), np.uint8)
        @ compute_place_values(rules, side).need
        for side in Side
    ]
    return max(1.0, *map(float, ways))


@lru_cache(maxsize=256)
def compute_place_values(rules: Rules, side: Side) -> PlaceValues:
    """Work out what one side's men mean under these rules."""
    places = len(rules.board.place_names)
    need = _compute_need(rules, side)
    sent = build_route(rules, side).sent
    lost = np.zeros(places)
    for point in rules.course(side):
        lost[point] = max(0.0, need[sent[point]] - need[point])
    ahead = _map_distances(rules, side.other)
    reached = _compute_pip_chances(rules.dice, sums=rules.moving)
    misses = np.zeros((places, places))
    if rules.ban_closed > 1:
        for (source, target), pips in ahead.items():
            # A sure hit would have the logarithm of nought, which is infinite.
            misses[source, target] = np.log(1 - min(reached.get(pips, 0.0), 0.99))
    facing = np.zeros((places, places))
    for (source, target), pips in _map_distances(rules, side).items():
        facing[source, target] = pips <= _NEAR
    return PlaceValues(need, lost, misses, facing)


def compute_pace(rules: Rules) -> float:
    """Return how many pips a throw gives to play on average, or numbers where men do not move."""
    return (
        compute_mean_pips(rules.dice)
        if rules.moving
        else float(rules.dice.count + len(rules.dice.fixed))
    )


def _compute_need(rules: Rules, side: Side) -> Numbers:
    """Return the pips that a man at each place has to go.

    Where men do not move, they are the numbers that he needs.
    """
    board = rules.board
    course = rules.course(side)
    need = np.zeros(len(board.place_names))
    if not rules.moving:
        stays = rules.bearing is BearingRule.NONE
        need[list(course)] = 0 if stays else 1
        need[[board.hand, *board.bars]] = 1 if stays else 2
        return need
    spared = len(rules.home(side)) if rules.ending is Ending.GOAL else 0
    for step, point in enumerate(course):
        need[point] = max(0, len(course) - step - spared)
    for place in (board.hand, *board.bars):
        first = next(
            target for target in _find_entry_points(rules, side, place) if target is not None
        )
        need[place] = need[first] + 1
    return need


def _find_entry_points(rules: Rules, side: Side, place: int) -> list[int | None]:
    """Return the point where each number enters a man from beside the board, or None."""
    targets = build_route(rules, side).targets
    return [targets[number][place] if targets[number][place] >= 0 else None for number in NUMBERS]


def _map_distances(rules: Rules, side: Side) -> dict[tuple[int, int], int]:
    """How many pips before each place of a side every point of its course lies."""
    board = rules.board
    course = rules.course(side)
    found: dict[tuple[int, int], int] = {}
    if rules.moving:
        for at, source in enumerate(course):
            found |= {(source, course[to]): to - at for to in range(at + 1, len(course))}
    for place in (board.hand, *board.bars):
        for number, target in zip(NUMBERS, _find_entry_points(rules, side, place), strict=True):
            if target is not None:
                found[place, target] = number
    return found


@lru_cache(maxsize=64)
def _compute_pip_chances(dice: Dice, *, sums: bool) -> dict[int, float]:
    """The chance of each number of pips to come up on the dice, alone or, with `sums`, added up."""
    found: dict[int, float] = {}
    for thrown, count in list_throws(dice):
        numbers = throws.list_numbers(dice, thrown)
        sizes = range(1, len(numbers) + 1) if sums else (1,)
        for pips in {sum(some) for size in sizes for some in combinations(numbers, size)}:
            found[pips] = found.get(pips, 0.0) + count / count_ordered_throws(dice)
    return found


def _compute_stakes(
    rules: Rules, side: Side, winner: Side, mine: Men, theirs: Men
) -> Numbers | float:
    """Return what the game would count for that winner if it ended so now."""
    if rules.score is None:
        return 1.0
    outcome = GameOutcome(winner, rules.ending.value)
    gold, black = (mine, theirs) if side is Side.GOLD else (theirs, mine)
    at = (
        Position(one.tobytes(), two.tobytes(), side) for one, two in zip(gold, black, strict=True)
    )
    return np.array([rules.score(rules, each, outcome).points for each in at], dtype=np.float64)
