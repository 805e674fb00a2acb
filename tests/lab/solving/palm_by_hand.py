"""Paume carie on one table written out from the rulebook, by nobody's search but this.

Slow and plain: what is solved from the engine's plays is held to it. Points count from 0; men in
hand and men who were hit wait alike, as any number brings them in.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Numbers: TypeAlias = tuple[int, ...]
Values: TypeAlias = npt.NDArray[np.float64]
Indexes: TypeAlias = npt.NDArray[np.int64]

SETTLED = 1e-13
"""How little the values still change when they are taken as settled."""


class PalmTable(NamedTuple):
    """What stands on each point, the side to throw first, who waits, and how many men a side has.

    All men who neither stand nor wait are borne off.
    """

    points: tuple[tuple[int, int], ...]
    waiting: tuple[int, int]
    men: int

    def count_left(self, side: int) -> int:
        """How many men of a side are not borne off."""
        return self.waiting[side] + sum(point[side] for point in self.points)

    def exchange_sides(self) -> "PalmTable":
        """Return the same as the other side sees it."""
        points = tuple((theirs, mine) for mine, theirs in self.points)
        return PalmTable(points, (self.waiting[1], self.waiting[0]), self.men)


@dataclass(frozen=True)
class PalmReading:
    """One reading of the rules, by the names of the game's options."""

    players: str = "1"
    bearing: str = "exact"
    doubles: str = "again"
    unusable: str = "lost"


def find_borne(table: PalmTable, number: int, bearing: str) -> int | None:
    """Return the point from which a number bears a man off, from 0, if it can."""
    held = [at for at, (mine, _) in enumerate(table.points) if mine]
    if number - 1 in held:
        return number - 1
    # A higher number takes the man farthest back, so none stands beyond it.
    if bearing == "farthest" and held and held[-1] < number - 1:
        return held[-1]
    return None


def use_number(table: PalmTable, number: int, bearing: str) -> PalmTable | None:
    """What one number does: it brings in a man who waits, or else bears one off; None for neither.

    Two men of the other side keep a man out; a single one is hit and waits.
    """
    points = list(table.points)
    waiting, waiting_other = table.waiting
    if waiting:
        mine, theirs = points[number - 1]
        if theirs > 1:
            return None
        points[number - 1] = (mine + 1, 0)
        return PalmTable(tuple(points), (waiting - 1, waiting_other + theirs), table.men)
    at = find_borne(table, number, bearing)
    if at is None:
        return None
    points[at] = (points[at][0] - 1, 0)
    return PalmTable(tuple(points), table.waiting, table.men)


def try_orders(
    table: PalmTable, left: Numbers, bearing: str
) -> Iterator[tuple[Numbers, PalmTable]]:
    """Every way to use some of the numbers in some order: those left, and the table then."""
    yield left, table
    # Who has won stops.
    if not table.count_left(0):
        return
    for number in set(left):
        after = use_number(table, number, bearing)
        if after is not None:
            rest = list(left)
            rest.remove(number)
            yield from try_orders(after, tuple(rest), bearing)


def list_plays(table: PalmTable, numbers: Numbers, bearing: str) -> set[tuple[Numbers, PalmTable]]:
    """As many numbers as can be used, the higher ones first; who has won has used them all."""
    found = {
        (() if not end.count_left(0) else left, end)
        for left, end in try_orders(table, numbers, bearing)
    }

    def weigh(left: Numbers) -> tuple[int, Numbers]:
        used = Counter(numbers) - Counter(left)
        return used.total(), tuple(sorted(used.elements(), reverse=True))

    most = max(weigh(left) for left, _ in found)
    return {(left, end) for left, end in found if weigh(left) == most}


def list_answers(end: PalmTable, left: Numbers, bearing: str) -> Iterator[PalmTable]:
    """Yield what the other side can make of numbers left; to use none of them comes first."""
    for _, answer in try_orders(end.exchange_sides(), left, bearing):
        yield answer.exchange_sides()


def list_tables(men: int) -> list[PalmTable]:
    """Every table with so many men a side on which neither is done."""
    found: list[tuple[tuple[int, int], ...]] = [()]
    held = [*((count, 0) for count in range(men + 1)), *((0, count) for count in range(1, men + 1))]
    for _ in range(6):
        found = [(*points, each) for points in found for each in held]
        found = [
            points
            for points in found
            if all(sum(point[side] for point in points) <= men for side in (0, 1))
        ]
    every = (
        PalmTable(points, waiting, men)
        for points in found
        for waiting in product(range(men + 1), range(men + 1))
    )
    return [table for table in every if all(0 < table.count_left(side) <= men for side in (0, 1))]


class _Throw(NamedTuple):
    """How one throw goes from each table, end by end.

    An end leads to a table, by its number as the thrower and as the other side sees it; where it
    ends the game, `results` are the men that the loser has left, and more than 0 if the thrower
    wins. The ends of a play begin at `plays`, with that to which the other side adds nothing, and
    the plays of a table at `tables`. `fallen` are the men that the thrower had before a play that
    leaves numbers, and 0 for the others.
    """

    seen: Indexes
    seen_other: Indexes
    results: Values
    plays: Indexes
    fallen: Values
    tables: Indexes


class PalmByHand:
    """Every throw from some tables, as arrays, with one way to bear off.

    `tables` are those, and then all others to which a throw leads.
    """

    def __init__(self, tables: Sequence[PalmTable], bearing: str) -> None:
        self._bearing = bearing
        self._numbers = {table: number for number, table in enumerate(tables)}
        self._throws = {
            thrown: self._list_throw(tables, thrown)
            for number in range(1, 7)
            for thrown in ((number,) * 4, *((number, low) for low in range(1, number + 1)))
        }
        self.tables = [*self._numbers]

    def _list_throw(self, tables: Sequence[PalmTable], thrown: Numbers) -> _Throw:
        ends: list[PalmTable] = []
        plays: list[int] = []
        fallen: list[int] = []
        firsts: list[int] = []
        for table in tables:
            firsts.append(len(plays))
            for left, end in list_plays(table, thrown, self._bearing):
                plays.append(len(ends))
                fallen.append(table.count_left(0) if left else 0)
                ends += list_answers(end, left, self._bearing)
        return _Throw(
            np.array([self._number_table(end) for end in ends]),
            np.array([self._number_table(end.exchange_sides()) for end in ends]),
            np.array([_find_result(end) for end in ends], float),
            np.array(plays),
            np.array(fallen, float),
            np.array(firsts),
        )

    def _number_table(self, table: PalmTable) -> int:
        """Return the number of a table, and any where the game is over."""
        return 0 if _find_result(table) else self._numbers.setdefault(table, len(self._numbers))

    def average_throws(self, reading: PalmReading, values: Values, *, counts_men: bool) -> Values:
        """What a throw from each of the first tables is worth to its side, by player.

        `values` are what a side that is to throw can expect on each of all tables, by player.
        """
        worths = [
            self._judge_throw(reading, values, (high, low), counts_men=counts_men)
            for high, low in product(range(1, 7), repeat=2)
        ]
        average: Values = np.mean(worths, axis=0)
        return average

    def _judge_throw(
        self, reading: PalmReading, values: Values, dice: Numbers, *, counts_men: bool
    ) -> Values:
        """What the best play of a throw is worth to its side, by player and table."""
        double = dice[0] == dice[1]
        most = 4 if double and reading.doubles.startswith("twice") else 2
        throw = self._throws[dice[:1] * most if double else tuple(sorted(dice, reverse=True))]
        own, other = values[:, throw.seen], -values[:1, throw.seen_other]
        # Doubles that throw again leave the dice with their player. Otherwise they go to the next
        # player of the side, and from the last one to the first of the other side.
        again = double and reading.doubles.endswith("again")
        worth = own if again else np.concatenate((own[1:], other))
        results, fallen = (
            each if counts_men else np.sign(each) for each in (throw.results, throw.fallen)
        )
        worth = np.where(results, results, worth)
        if reading.unusable == "opponent":
            plays = np.minimum.reduceat(worth, throw.plays, axis=1)
        else:
            plays = worth[:, throw.plays]
        if reading.unusable == "loses":
            plays = np.where(fallen, -fallen, plays)
        best: Values = np.maximum.reduceat(plays, throw.tables, axis=1)
        return best

    def solve(self, reading: PalmReading, *, counts_men: bool) -> Values:
        """What every table is worth, by player, found by going on until the games are over."""
        before = np.zeros((int(reading.players), len(self.tables)))
        while True:
            values = self.average_throws(reading, before, counts_men=counts_men)
            if np.abs(values - before).max() < SETTLED:
                return values
            before = values


def _find_result(table: PalmTable) -> int:
    """Return the men that the loser has left, if the thrower has won, or less than 0; else 0."""
    mine, theirs = table.count_left(0), table.count_left(1)
    return theirs if not mine else -mine if not theirs else 0
