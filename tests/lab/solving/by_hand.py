"""The rules of Doblet and Twelve Dogs written out from the rulebook, by nobody's search but this.

Slow and plain: what is solved from the engine's plays is held to it. Points count from 0.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Numbers: TypeAlias = tuple[int, ...]
Values: TypeAlias = npt.NDArray[np.float64]
Table: TypeAlias = tuple[tuple[int, int], ...]
"""What stands on each point in Twelve Dogs: the men of the side to throw, and the other side's."""

SETTLED = 1e-14
"""How little the chances still change when they are taken as settled."""


class Men(NamedTuple):
    """One side's men in Doblet: how many lie on each point, and which points still have a pile."""

    lying: tuple[int, ...]
    piled: frozenset[int]


START = Men((1,) * 6, frozenset(range(6)))
DONE = Men((0,) * 6, frozenset())


@dataclass(frozen=True)
class Reading:
    """One reading of Doblet's rules, by the names of the game's options."""

    moving: str = "none"
    dice: str = "three"
    unusable: str = "opponent"


@cache
def list_throws(dice: str) -> dict[Numbers, float]:
    """The numbers that a throw gives, highest first, and how likely they are."""
    counts: Counter[Numbers] = Counter()
    for thrown in product(range(1, 7), repeat=3 if dice == "three" else 2):
        third = {"three": (), "two": (), "majoret": (max(thrown),), "minoret": (min(thrown),)}
        counts[tuple(sorted((*thrown, *third[dice]), reverse=True))] += 1
    return {numbers: count / counts.total() for numbers, count in counts.items()}


def use_number(men: Men, number: int, moving: str) -> Iterator[Men]:
    """What one number can do: take a man down, or once all are down, bear one off or move one."""
    point = number - 1
    lying = list(men.lying)
    if men.piled:
        if point in men.piled:
            lying[point] += 1
            yield Men(tuple(lying), men.piled - {point})
        return
    if lying[point]:
        yield Men((*lying[:point], lying[point] - 1, *lying[point + 1 :]), men.piled)
    if moving == "own-table":
        for source in range(number, 6):
            target = source - number
            if lying[source] and lying[target] < 2:
                moved = list(lying)
                moved[source] -= 1
                moved[target] += 1
                yield Men(tuple(moved), men.piled)


def try_orders(men: Men, left: Numbers, moving: str) -> Iterator[tuple[Numbers, Men]]:
    """Every way to use some of the numbers in some order: those left, and where the men are."""
    yield left, men
    if men == DONE:
        return
    for number in set(left):
        rest = list(left)
        rest.remove(number)
        for after in use_number(men, number, moving):
            yield from try_orders(after, tuple(rest), moving)


@cache
def list_plays(men: Men, numbers: Numbers, moving: str) -> frozenset[tuple[Men, Numbers]]:
    """As many numbers as can be used, the higher ones first; who is done has used them all."""
    found = {(() if end == DONE else left, end) for left, end in try_orders(men, numbers, moving)}

    def weigh(left: Numbers) -> tuple[int, Numbers]:
        used = Counter(numbers) - Counter(left)
        return used.total(), tuple(sorted(used.elements(), reverse=True))

    most = max(weigh(left) for left, _ in found)
    return frozenset((end, left) for left, end in found if weigh(left) == most)


@cache
def list_answers(men: Men, left: Numbers, moving: str) -> frozenset[Men]:
    """What the other side can make of numbers that it may use or leave."""
    return frozenset(end for _, end in try_orders(men, left, moving))


def list_men(first: Men, moving: str) -> list[Men]:
    """All that can become of one side's men."""
    found, known = [first], {first}
    for men in found:
        after = {each for number in range(1, 7) for each in use_number(men, number, moving)} - known
        known |= after
        found += sorted(after, key=lambda each: (each.lying, sorted(each.piled)))
    return found


class DobletByHand:
    """Every turn by a reading from some men on, as arrays.

    `men` are what can become of one side's men, whose numbers the arrays hold. `plays` have for
    each a list of its throws: how likely each is, where its plays end, and what they offer the
    other side. `answers` are where the other side can get from each by what it is offered.
    """

    def __init__(self, reading: Reading, first: Men = START) -> None:
        self.men = list_men(first, reading.moving)
        numbers = {men: number for number, men in enumerate(self.men)}
        self.done = numbers[DONE]
        offers = reading.unusable == "opponent"
        self.plays = [
            [
                (
                    chance,
                    [
                        # The game is over before who is done could offer anything.
                        (numbers[end], left if offers and end != DONE else ())
                        for end, left in list_plays(men, thrown, reading.moving)
                        # Ad fallum: a side that cannot use every number has lost.
                        if not (left and reading.unusable == "loses")
                    ],
                )
                for thrown, chance in list_throws(reading.dice).items()
            ]
            for men in self.men
        ]
        offered = {left for throws in self.plays for _, plays in throws for _, left in plays}
        self.answers = {
            left: [
                np.array([numbers[end] for end in list_answers(men, left, reading.moving)])
                for men in self.men
            ]
            for left in offered
        }

    def average_turns(self, wins: Values) -> Values:
        """What a turn makes of the chances of the side that is to throw, in every pair of states.

        They go by the men of that side, and then by the other's.
        """
        # By what the other side makes of its men, and by where the thrower has got.
        worth = 1 - wins
        answered = {
            left: np.array([worth[ends].min(axis=0) for ends in answers]).T
            for left, answers in self.answers.items()
        }
        found = np.zeros_like(wins)
        for mine, throws in enumerate(self.plays):
            for chance, plays in throws:
                if plays:
                    found[mine] += chance * np.max([answered[left][at] for at, left in plays], 0)
        found[:, self.done] = 0
        found[self.done] = 1
        return found

    def solve(self) -> Values:
        """The chances in every pair of states, found by going on until the games are over."""
        before = np.zeros((len(self.men),) * 2)
        while np.abs((wins := self.average_turns(before)) - before).max() > SETTLED:
            before = wins
        return wins


def enter_dogs(table: Table, numbers: Numbers) -> tuple[Table, Numbers]:
    """Twelve Dogs: enter a man by each number, and return the table with the numbers of no use.

    A point holds two men at most; a single man of the other side is hit.
    """
    points = list(table)
    useless = []
    for number in numbers:
        match points[number - 1]:
            case (mine, 0 | 1) if mine < 2:
                points[number - 1] = (mine + 1, 0)
            case _:
                useless.append(number)
    return tuple(points), tuple(useless)


def judge_dogs(table: Table, win: str) -> float | None:
    """What a table is worth to the side whose men come first: 1, 0 or -1; None if play goes on."""
    mine, theirs = table.count((2, 0)), table.count((0, 2))
    if win == "all-six" and 6 in (mine, theirs):
        return 1 if mine == 6 else -1
    if mine + theirs < 6:
        return None
    return (mine > theirs) - (mine < theirs) if win == "most" else 0


class DogsByHand:
    """Every throw of Twelve Dogs from every table, as arrays: each point is a point of its own.

    `after` is the table that the other side sees then, by the table and the throw; `useless` are
    the numbers of no use.
    """

    def __init__(self) -> None:
        held = ((0, 0), (1, 0), (2, 0), (0, 1), (0, 2))
        self.tables: list[Table] = list(product(held, repeat=6))
        numbers = {table: number for number, table in enumerate(self.tables)}
        throws = list_throws("two")
        self.chances = np.array([*throws.values()])
        self.turned = np.array([numbers[exchange_sides(table)] for table in self.tables])
        entered = [[enter_dogs(table, thrown) for thrown in throws] for table in self.tables]
        self.useless = [[useless for _, useless in row] for row in entered]
        self.after = self.turned[[[numbers[end] for end, _ in row] for row in entered]]

    def judge(self, win: str) -> Values:
        """What each table is worth to the side to throw, and NaN where play goes on."""
        return np.array([judge_dogs(table, win) for table in self.tables], float)

    def average_throws(
        self, win: str, unusable: str, wins: Values, losses: Values
    ) -> tuple[Values, Values]:
        """What a throw makes of the chances of the side to throw to win and to lose, by table."""
        result = -self.judge(win)[self.after]
        if unusable == "loses":
            fallen = np.array([[bool(useless) for useless in row] for row in self.useless])
            result[fallen & np.isnan(result)] = -1
        # The other side's loss is this one's win.
        won, lost = (
            np.where(np.isnan(result), chances[self.after], result == ended) @ self.chances
            for ended, chances in ((1, losses), (-1, wins))
        )
        return won, lost


def exchange_sides(table: Table) -> Table:
    """The same table as the other side sees it."""
    return tuple((theirs, mine) for mine, theirs in table)
