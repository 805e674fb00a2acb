"""Paume carie on one table written out from the rulebook, by nobody's search but this.

Slow and plain: what is solved from the engine's plays is held to it. Points count from 0; men in
hand and men who were hit wait alike, as any number brings them in.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple, TypeAlias

Numbers: TypeAlias = tuple[int, ...]


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

    doubles: str = "again"
    unusable: str = "lost"


Value: TypeAlias = Callable[[PalmTable], float]
"""What a table is worth to the side that is to throw."""


def use_number(table: PalmTable, number: int) -> PalmTable | None:
    """What one number does: it brings in a man who waits, or else bears one off; None for neither.

    Two men of the other side keep a man out; a single one is hit and waits.
    """
    points = list(table.points)
    mine, theirs = points[number - 1]
    waiting, waiting_other = table.waiting
    if waiting:
        if theirs > 1:
            return None
        points[number - 1] = (mine + 1, 0)
        return PalmTable(tuple(points), (waiting - 1, waiting_other + theirs), table.men)
    if not mine:
        return None
    points[number - 1] = (mine - 1, theirs)
    return PalmTable(tuple(points), table.waiting, table.men)


def try_orders(table: PalmTable, left: Numbers) -> Iterator[tuple[Numbers, PalmTable]]:
    """Every way to use some of the numbers in some order: those left, and the table then."""
    yield left, table
    # Who has won stops.
    if not table.count_left(0):
        return
    for number in set(left):
        after = use_number(table, number)
        if after is not None:
            rest = list(left)
            rest.remove(number)
            yield from try_orders(after, tuple(rest))


def list_plays(table: PalmTable, numbers: Numbers) -> set[tuple[Numbers, PalmTable]]:
    """As many numbers as can be used, the higher ones first; who has won has used them all."""
    found = {
        (() if not end.count_left(0) else left, end) for left, end in try_orders(table, numbers)
    }

    def weigh(left: Numbers) -> tuple[int, Numbers]:
        used = Counter(numbers) - Counter(left)
        return used.total(), tuple(sorted(used.elements(), reverse=True))

    most = max(weigh(left) for left, _ in found)
    return {(left, end) for left, end in found if weigh(left) == most}


def average_throw(
    reading: PalmReading, table: PalmTable, value: Value, *, counts_men: bool
) -> float:
    """What a throw is worth to its side, if a side that is to throw can expect so much."""
    return (
        sum(
            max(_list_worths(reading, table, thrown, value, counts_men=counts_men))
            for thrown in product(range(1, 7), repeat=2)
        )
        / 36
    )


def _list_worths(
    reading: PalmReading, table: PalmTable, thrown: Numbers, value: Value, *, counts_men: bool
) -> Iterator[float]:
    double = thrown[0] == thrown[1]
    twice = double and reading.doubles.startswith("twice")
    numbers = tuple(sorted(thrown * (2 if twice else 1), reverse=True))

    def go_on(end: PalmTable) -> float:
        if not end.count_left(0):
            return end.count_left(1) if counts_men else 1
        if not end.count_left(1):
            return -end.count_left(0) if counts_men else -1
        if double and reading.doubles.endswith("again"):
            return value(end)
        return -value(end.exchange_sides())

    for left, end in list_plays(table, numbers):
        if left and reading.unusable == "loses":
            yield -table.count_left(0) if counts_men else -1
        elif left and reading.unusable == "opponent":
            yield min(
                go_on(answer.exchange_sides())
                for _, answer in try_orders(end.exchange_sides(), left)
            )
        else:
            yield go_on(end)


class PalmByHand:
    """The value of every table that play can lead to from one, found by going over all of them."""

    def __init__(self, reading: PalmReading, first: PalmTable, *, counts_men: bool) -> None:
        self.values: dict[PalmTable, float] = {}
        self._list_tables(reading, first)
        change = 1.0
        while change > 1e-12:
            change = 0.0
            for table, old in self.values.items():
                new = average_throw(reading, table, self.values.__getitem__, counts_men=counts_men)
                change = max(change, abs(new - old))
                self.values[table] = new

    def _list_tables(self, reading: PalmReading, first: PalmTable) -> None:
        found = [first]

        def note(table: PalmTable) -> float:
            if table not in self.values:
                self.values[table] = 0.0
                found.append(table)
            return 0.0

        note(first)
        for table in found:
            average_throw(reading, table, note, counts_men=False)
