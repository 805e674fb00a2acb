"""Bear-off tables: the end of a game in which the sides have passed each other.

Once all men of both sides stand in their last tables, and those are different ones, nobody can
touch anybody, and every number can be used: what a throw lets a side do depends on its own men
alone. The engine lists what one number does; here numbers are put together to throws. A one-sided
table says how many throws a side needs, a two-sided one the chance to win.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from engine.plays import list_legal_plays
from engine.position import Position, Side
from engine.rules import Rules
from lab.solving.apart import Numbers, list_number_chances

Values: TypeAlias = npt.NDArray[np.float64]
Places: TypeAlias = npt.NDArray[np.intp]
Men: TypeAlias = tuple[int, ...]
"""How many men stand on each point of the last table, the nearest to the edge first."""

KINDS = {"backgammon": 5, "irish": 5, "quinze-tablas": 4}
"""A game for each way to throw (two dice with doubles played twice, two dice, and three), and how
many men of each side its two-sided table has: all of them come with the program."""

POINTS = 6
MAX_THROWS = 32
"""A side that needs more throws than this is counted among those that need so many."""


@dataclass(frozen=True, eq=False)
class Steps:
    """What one number does to a side's men in its last table.

    `men` are the states, by how many pips they have left, the first of which is done; `after` says
    for a number, from 0, and a state where it leads, filled up with `len(men)`.
    """

    men: tuple[Men, ...]
    pips: Places
    after: Places


def list_states(most: int) -> tuple[Men, ...]:
    """List what up to so many men can stand on, those with fewest pips left first."""
    bars = combinations(range(most + POINTS), POINTS)
    men = (
        tuple(end - begin - 1 for begin, end in zip((-1, *each), each, strict=False))
        for each in bars
    )
    return tuple(sorted(men, key=lambda each: (count_pips(each), each)))


def count_pips(men: Men) -> int:
    """Return how many pips some men have left."""
    return sum(at * count for at, count in enumerate(men, 1))


def place_home(rules: Rules, men: Men, dice: Numbers) -> Position:
    """Return gold's men in its last table with a throw; black has a man left in its own."""
    board = rules.board
    gold, black = bytearray(board.no_men), bytearray(board.no_men)
    # The home begins with its farthest point.
    for point, count in zip(reversed(rules.home(Side.GOLD)), men, strict=True):
        gold[point] = count
    gold[board.off] = rules.men - sum(men)
    black[rules.home(Side.BLACK)[-1]] = 1
    black[board.off] = rules.men - 1
    return Position(bytes(gold), bytes(black), Side.GOLD, dice)


def list_steps(rules: Rules, most: int) -> Steps:
    """List what each number does to up to so many men, by the engine's plays."""
    men = list_states(most)
    numbers = {each: at for at, each in enumerate(men)}
    home = rules.home(Side.GOLD)[::-1]
    after = np.full((POINTS, len(men), POINTS), len(men))
    for at, each in enumerate(men):
        for number in range(1, POINTS + 1) if at else ():
            ends = list_legal_plays(rules, place_home(rules, each, (number,))).ends
            if not ends:
                raise ValueError("a number is of no use: the table would not hold")
            for column, end in enumerate(ends):
                left = tuple(end.gold[point] for point in home)
                after[number - 1, at, column] = numbers[left]
    # Who is done stays so, whatever numbers are left.
    after[:, 0, 0] = 0
    return Steps(men, np.array([count_pips(each) for each in men]), after)


@dataclass(frozen=True, eq=False)
class OneSided:
    """How likely a side is to need so many throws, by its state, if it plays for the fewest."""

    men: tuple[Men, ...]
    throws: Values
    means: Values


def solve_one_side(rules: Rules, steps: Steps) -> OneSided:
    """Return how many throws every state needs, with the plays that need fewest on average."""
    count = len(steps.men)
    chances = list_number_chances(rules)
    means = np.zeros(count + 1)
    means[count] = np.inf
    # By the numbers still to be played: where the best play of them leads.
    ends = {numbers: np.zeros(count + 1, np.intp) for numbers in _list_parts(chances)}
    ends[()] = np.arange(count + 1)
    for reached in ends.values():
        reached[count] = count
    throws = np.zeros((count, MAX_THROWS + 1))
    throws[0, 0] = 1
    for pips in range(1, int(steps.pips.max()) + 1):
        level = np.flatnonzero(steps.pips == pips)
        for numbers, reached in ends.items():
            if numbers:
                reached[level] = _find_nearest(steps, ends, means, numbers, level)
        means[level] = 1 + sum(
            chance * means[ends[numbers][level]] for numbers, chance in chances.items()
        )
        for numbers, chance in chances.items():
            throws[level, 1:] += chance * throws[ends[numbers][level], :-1]
            throws[level, -1] += chance * throws[ends[numbers][level], -1]
    return OneSided(steps.men, throws, means[:count])


def _list_parts(chances: dict[Numbers, float]) -> list[Numbers]:
    """Return all sets of numbers that may be left, the smallest first."""
    parts = {
        part
        for numbers in chances
        for size in range(len(numbers) + 1)
        for part in combinations(numbers, size)
    }
    return sorted(parts, key=lambda part: (len(part), part))


def _find_nearest(
    steps: Steps, ends: dict[Numbers, Places], means: Values, numbers: Numbers, level: Places
) -> Places:
    """Return where those men get by some numbers that need the fewest throws afterwards."""
    reached = np.hstack(
        [ends[rest][steps.after[number - 1][level]] for number, rest in _take_each(numbers)]
    )
    best: Places = np.take_along_axis(reached, means[reached].argmin(axis=1)[:, None], axis=1)[:, 0]
    return best


def _take_each(numbers: Numbers) -> Iterator[tuple[int, Numbers]]:
    """Yield each number that may be used first, and what is left then."""
    for number in sorted(set(numbers)):
        rest = list(numbers)
        rest.remove(number)
        yield number, tuple(rest)


@dataclass(frozen=True, eq=False)
class TwoSided:
    """The chance to win of the side that is to throw, by its own men and the other side's."""

    men: tuple[Men, ...]
    wins: Values


def solve_two_sides(rules: Rules, steps: Steps) -> TwoSided:
    """Return what the best play of both sides is worth in every pair of states."""
    count = len(steps.men)
    chances = list_number_chances(rules)
    ends = list_ends(steps, chances)
    wins = np.zeros((count, count + 1))
    # Who is done has won; nobody is to throw then, but the other side's view is asked for.
    wins[:, count] = np.inf
    wins[0, 1:count] = 1.0
    own, other = (part.ravel() for part in np.indices((count, count)))
    going = (own > 0) & (other > 0)
    own, other = own[going], other[going]
    total = steps.pips[own] + steps.pips[other]
    order = np.argsort(total, kind="stable")
    cuts = np.searchsorted(total[order], np.arange(2, int(total.max()) + 2))
    for begin, end in zip(cuts, [*cuts[1:], len(order)], strict=True):
        mine, theirs = own[order[begin:end]], other[order[begin:end]]
        value = np.zeros(len(mine))
        for numbers, chance in chances.items():
            # The other side's chance is the least that the thrower can leave it.
            left = wins[theirs[:, None], ends[numbers][mine]].min(axis=1)
            value += chance * (1 - left)
        wins[mine, theirs] = value
    return TwoSided(steps.men, wins[:, :count])


def list_ends(steps: Steps, chances: dict[Numbers, float]) -> dict[Numbers, Places]:
    """Return every end of every throw by the state, filled up with the number of states."""
    count = len(steps.men)
    ends: dict[Numbers, list[set[int]]] = {}
    for numbers in _list_parts(chances):
        ends[numbers] = [
            {
                end
                for number, rest in _take_each(numbers)
                for after in steps.after[number - 1, state]
                if after < count
                for end in ends[rest][after]
            }
            if numbers
            else {state}
            for state in range(count)
        ]
    padded = {}
    for numbers in chances:
        width = max(map(len, ends[numbers]))
        padded[numbers] = np.array(
            [sorted(each) + [count] * (width - len(each)) for each in ends[numbers]]
        )
    return padded


def compare_sides(one: OneSided, two: TwoSided) -> Values:
    """Return how far the chances to win are off that two one-sided distributions give."""
    later = np.flip(np.cumsum(np.flip(one.throws, axis=1), axis=1), axis=1)
    # The side that throws first wins where it needs no more throws than the other.
    wins = one.throws @ later.T
    return np.abs(two.wins[1:, 1:] - wins[1:, 1:])


def find_harm(steps: Steps, one: OneSided) -> tuple[float, Men, Men]:
    """Return how much a pip less may harm a side, in throws, with the men before and after it."""
    most = (0.0, steps.men[0], steps.men[0])
    for at, men in enumerate(steps.men):
        for after in steps.after[0, at]:
            if after < len(steps.men):
                harm = float(one.means[after] - one.means[at])
                most = max(most, (harm, men, steps.men[after]))
    return most
