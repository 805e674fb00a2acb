"""Solve a game in which the men of the two sides never meet, as Doblet.

One side's men never stand in the way of the other's there: what a throw lets a side do depends on
its own men alone, and the sides meet only in the numbers that one cannot use and leaves to the
other. So the engine lists the plays of one side at a time, which are few hundred states, and the
pairs of states are combined in whole arrays. `tests/lab/solving` hold the combination to what the
engine does with both sides on the board.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from engine.players.chances import list_throws
from engine.plays import Duty, list_legal_plays
from engine.position import Position, Side
from engine.rules import Rules, UnusableRule
from engine.throws import list_numbers

Numbers: TypeAlias = tuple[int, ...]
Values: TypeAlias = npt.NDArray[np.float64]
Places: TypeAlias = npt.NDArray[np.intp]

SETTLED = 1e-15
"""How little values still change when the turns in which nobody moves are taken as settled."""


@dataclass(frozen=True)
class SideStates:
    """What one side's men can do, by the engine's own plays; a state is a number.

    `men` are the states, and `done` is the one in which all men are off. `levels` order them: a
    man who moves leads to a state of a lower level. `steps` say for a number, from 1, and a state
    where one man leads that moves by it, filled up with `len(men)`. `throws` are the distinct sets
    of numbers that a throw gives.
    """

    rules: Rules
    men: tuple[bytes, ...]
    done: int
    levels: Places
    steps: tuple[Places, ...]
    throws: tuple[Numbers, ...]
    chances: Values

    @cached_property
    def numbers(self) -> dict[bytes, int]:
        """The number of each state."""
        return {men: number for number, men in enumerate(self.men)}

    @cached_property
    def plays(self) -> tuple[tuple[tuple[tuple[int, Numbers], ...], ...], ...]:
        """The plays of each state for each of the throws."""
        return tuple(
            tuple(tuple(self.list_plays(state, numbers)) for numbers in self.throws)
            for state in range(len(self.men))
        )

    def list_plays(self, state: int, numbers: Numbers) -> Iterator[tuple[int, Numbers]]:
        """Yield the plays of some numbers: the state where each ends, and what cannot be used."""
        for end, left in _list_ends(self.rules, self.men[state], numbers):
            yield self.numbers[end], left

    def list_turns(self, mine: int, theirs: int, numbers: Numbers) -> Iterator[tuple[int, int]]:
        """Yield how a throw may be played out: the thrower's state and then the other side's."""
        for end, left in self.list_plays(mine, numbers):
            for after in {theirs} if end == self.done else self.list_answers(theirs, left):
                yield end, after

    def list_answers(self, state: int, left: Numbers) -> set[int]:
        """Return what a side can make of numbers that it may use or leave."""
        found = {state}
        for number in set(left):
            rest = list(left)
            rest.remove(number)
            for end in self.steps[number - 1][state]:
                if end < len(self.men):
                    found |= self.list_answers(int(end), tuple(rest))
        return found


@dataclass(frozen=True)
class SolvedPairs:
    """The chance to win of the side that is to throw, by its own state and the other side's."""

    states: SideStates
    wins: Values


def list_number_chances(rules: Rules) -> dict[Numbers, float]:
    """Return the sets of numbers that a throw can give, and how likely each is."""
    counts: Counter[Numbers] = Counter()
    for thrown, count in list_throws(rules.dice):
        counts[list_numbers(rules.dice, thrown)] += count
    return {numbers: count / counts.total() for numbers, count in sorted(counts.items())}


def list_side_states(rules: Rules, start: bytes | None = None) -> SideStates:
    """List what gold's men can do from a start, by default the game's, till all are off."""
    first = rules.start_position.men(Side.GOLD) if start is None else start
    steps_by_men = _find_steps(rules, first)
    men = tuple(steps_by_men)
    numbers = {each: at for at, each in enumerate(men)}
    targets = [[[numbers[end] for end in ends] for ends in steps_by_men[each]] for each in men]
    chances = list_number_chances(rules)
    return SideStates(
        rules=rules,
        men=men,
        done=next(at for at, each in enumerate(men) if each[rules.board.off] == rules.men),
        levels=_compute_levels(targets),
        steps=tuple(_fill_up([ends[number] for ends in targets]) for number in range(6)),
        throws=tuple(chances),
        chances=np.array(list(chances.values())),
    )


def place_side(rules: Rules, side: Side, men: bytes, dice: Numbers) -> Position:
    """Return a position of one side's men, given as gold's; the other's don't matter."""
    start = rules.start_position
    own = men if side is Side.GOLD else turn_round(rules, men)
    return start.with_men(side, own)._replace(turn=side, dice=dice)


def get_men(rules: Rules, side: Side, position: Position) -> bytes:
    """Return one side's men in a position as they would be gold's."""
    men = position.men(side)
    return men if side is Side.GOLD else turn_round(rules, men)


def turn_round(rules: Rules, men: bytes) -> bytes:
    """Return black's men as they would be gold's: each on the same point of its own course."""
    turned = bytearray(men)
    for own, other in zip(rules.course(Side.GOLD), rules.course(Side.BLACK), strict=True):
        turned[own], turned[other] = men[other], men[own]
    return bytes(turned)


def _find_steps(rules: Rules, start: bytes) -> dict[bytes, list[list[bytes]]]:
    """Return for each state that can come about where one man leads by each number from 1."""
    steps: dict[bytes, list[list[bytes]]] = {}
    found = [start]
    while found:
        men = found.pop()
        if men in steps:
            continue
        over = men[rules.board.off] == rules.men
        steps[men] = [
            # What the other side cannot use may be played or left, so each number can be asked
            # for by itself.
            [
                end.men(Side.GOLD)
                for end in list_legal_plays(
                    rules, place_side(rules, Side.GOLD, men, (number,)), Duty.MAY
                ).ends
            ]
            if not over
            else []
            for number in range(1, 7)
        ]
        found += [end for ends in steps[men] for end in ends]
    return steps


def _compute_levels(targets: Sequence[Sequence[Sequence[int]]]) -> Places:
    """Return for each state the most moves that can still be made from it."""
    levels: dict[int, int] = {}

    def measure(state: int) -> int:
        if state not in levels:
            levels[state] = max(
                (1 + measure(end) for ends in targets[state] for end in ends), default=0
            )
        return levels[state]

    return np.array([measure(state) for state in range(len(targets))])


def _fill_up(lists: Sequence[Sequence[int]]) -> Places:
    width = max(1, *map(len, lists))
    return np.array([[*each, *[len(lists)] * (width - len(each))] for each in lists])


def _list_ends(rules: Rules, men: bytes, numbers: Numbers) -> Iterator[tuple[bytes, Numbers]]:
    """Yield how the plays of some numbers end: the men, and the numbers left."""
    if men[rules.board.off] == rules.men:
        return
    ends = list(list_legal_plays(rules, place_side(rules, Side.GOLD, men, numbers)).ends)
    if rules.unusable is UnusableRule.LOSES:
        # Ad fallum: a side that cannot play every number has lost, so it gets nowhere.
        whole = any(not end.dice for end in ends)
        yield from ((end.men(Side.GOLD), ()) for end in ends if whole)
        return
    for end in ends:
        yield end.men(Side.GOLD), _leave_numbers(rules, end.dice)
    if not ends:
        yield men, _leave_numbers(rules, numbers)


def _leave_numbers(rules: Rules, left: Numbers) -> Numbers:
    """Return the numbers that the other side may use of those that a side could not."""
    return left if rules.unusable is UnusableRule.OPPONENT else ()


class _PairSolver:
    """The values of all pairs of states, worked out from the end of the game backwards.

    `after` is what a turn's end is worth to the side whose turn it was: by its own state and the
    other side's. `offered` is the same before the other side makes the best of numbers that were
    left to it, by those numbers. Both have a column more, for states that there are not.
    """

    def __init__(self, states: SideStates) -> None:
        self.states = states
        size = len(states.men)
        self.sets = list_left_sets(states)
        self.wins = np.full((size, size), np.nan)
        self.offered = np.full((len(self.sets), size, size + 1), np.inf)
        done = states.done
        self.offered[:, :, done] = 0.0
        self.offered[:, done, :size] = 1.0
        self.wins[:, done] = 0.0
        self.wins[done, :] = 1.0
        self.groups = [
            np.flatnonzero(states.levels == level) for level in range(max(states.levels) + 1)
        ]
        self.moving, self.idle = zip(*map(self._sort_plays, range(size)), strict=True)

    def _sort_plays(
        self, state: int
    ) -> tuple[tuple[Places, Places, Places, Values], tuple[Places, Values]]:
        """Return the plays of a state by throw, and the throws of which it can play nothing."""
        at = {numbers: number for number, numbers in enumerate(self.sets)}
        ends: list[int] = []
        left: list[int] = []
        starts: list[int] = []
        chances: list[float] = []
        idle: dict[int, float] = {}
        for plays, chance in zip(self.states.plays[state], self.states.chances, strict=True):
            if [end for end, _ in plays] == [state]:
                idle[at[plays[0][1]]] = idle.get(at[plays[0][1]], 0.0) + float(chance)
            elif plays:
                starts.append(len(ends))
                chances.append(float(chance))
                ends += [end for end, _ in plays]
                left += [at[numbers] for _, numbers in plays]
        moving = (
            np.array(ends, np.intp),
            np.array(left, np.intp),
            np.array(starts, np.intp),
            np.array(chances),
        )
        return moving, (np.array(list(idle), np.intp), np.array(list(idle.values())))

    def solve(self) -> Values:
        """Return the chance to win of the side that is to throw in every pair of states."""
        top = len(self.groups) - 1
        for total in range(2, 2 * top + 1):
            for low in range(max(1, total - top), total // 2 + 1):
                self._solve_block(self.groups[low], self.groups[total - low])
        return self.wins

    def _solve_block(self, some: Places, others: Places) -> None:
        """Solve the pairs of two levels: each side may be to throw, and either may have to wait."""
        one, two = self._prepare(some, others), self._prepare(others, some)
        first, second = one[0].copy(), two[0].copy()
        change = np.inf
        while change > SETTLED:
            old = first
            first = self._wait(one, 1 - second.T)
            second = self._wait(two, 1 - first.T)
            change = float(np.abs(first - old).max())
        self._store(some, others, first, second)
        if some is not others:
            self._store(others, some, second, first)

    def _prepare(self, mine: Places, theirs: Places) -> tuple[Values, Values, Values]:
        """Return what is known of a block: the value of the throws that move something.

        With it come what the other side can make of each throw that moves nothing, and how likely
        that throw is.
        """
        self._answer(mine, theirs)
        known = np.zeros((len(mine), len(theirs)))
        most = max(len(self.idle[state][0]) for state in mine)
        answers = np.zeros((most, len(mine), len(theirs)))
        chances = np.zeros((most, len(mine), 1))
        for row, state in enumerate(mine):
            ends, left, starts, likely = self.moving[state]
            if len(starts):
                worth = self.offered[left[:, None], ends[:, None], theirs[None, :]]
                known[row] = likely @ np.maximum.reduceat(worth, starts, axis=0)
            sets, waits = self.idle[state]
            answers[: len(sets), row] = self.offered[sets[:, None], state, theirs[None, :]]
            chances[: len(sets), row, 0] = waits
        return known, answers, chances

    def _answer(self, mine: Places, theirs: Places) -> None:
        """Store the best that the other side makes of numbers left, if it uses at least one."""
        block = np.ix_(mine, theirs)
        for at, numbers in enumerate(self.sets):
            best = np.full((len(mine), len(theirs)), np.inf)
            for number in set(numbers):
                rest = list(numbers)
                rest.remove(number)
                ends = self.states.steps[number - 1][theirs]
                reached = self.offered[self.sets.index(tuple(rest))][mine[:, None, None], ends]
                best = np.minimum(best, reached.min(axis=2))
            self.offered[at][block] = best

    @staticmethod
    def _wait(known: tuple[Values, Values, Values], left: Values) -> Values:
        moved, answers, chances = known
        value: Values = moved + (chances * np.minimum(answers, left)).sum(axis=0)
        return value

    def _store(self, mine: Places, theirs: Places, wins: Values, reverse: Values) -> None:
        block = np.ix_(mine, theirs)
        self.wins[block] = wins
        after = 1 - reverse.T
        for each in self.offered:
            each[block] = np.minimum(each[block], after)


def list_left_sets(states: SideStates) -> list[Numbers]:
    """List every set of numbers that may be left, and what remains of it as some are used."""
    left = {numbers for throws in states.plays for plays in throws for _, numbers in plays}
    parts = {
        part for each in left for size in range(len(each) + 1) for part in combinations(each, size)
    }
    return sorted(parts | {()}, key=lambda numbers: (len(numbers), numbers))


def solve_pairs(rules: Rules, start: bytes | None = None) -> SolvedPairs:
    """Solve a game whose sides never meet, from its start or that of gold's men given."""
    states = list_side_states(rules, start)
    return SolvedPairs(states, _PairSolver(states).solve())
