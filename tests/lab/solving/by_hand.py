"""The rules of Doblet and Twelve Dogs written out from the rulebook, by nobody's search but this.

Slow and plain: what is solved from the engine's plays is held to it. Points count from 0.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import NamedTuple, TypeAlias

Numbers: TypeAlias = tuple[int, ...]
Table: TypeAlias = tuple[tuple[int, int], ...]
"""What stands on each point in Twelve Dogs: the men of the side to throw, and the other side's."""

ROUNDS = 60
"""After so many turns in which nobody does anything, 1e-14 of a chance is left of a guess."""


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


Value: TypeAlias = Callable[[Men, Men], float]
"""The chance to win of the side that is to throw, by its own men and the other side's."""


def average_turn(reading: Reading, mine: Men, theirs: Men, value: Value) -> float:
    """What a turn is worth to who throws, if a side that is to throw has so good a chance."""
    total = 0.0
    for numbers, chance in list_throws(reading.dice).items():
        plays = map(min, _list_worths(reading, mine, theirs, numbers, value))
        total += chance * max(plays, default=0.0)
    return total


def _list_worths(
    reading: Reading, mine: Men, theirs: Men, numbers: Numbers, value: Value
) -> Iterator[list[float]]:
    """For each play of some numbers what it is worth after each answer of the other side."""
    for end, left in list_plays(mine, numbers, reading.moving):
        # Ad fallum: a side that cannot use every number has lost.
        if left and reading.unusable == "loses":
            continue
        offered = left if reading.unusable == "opponent" and end != DONE else ()
        yield [1 - value(after, end) for after in list_answers(theirs, offered, reading.moving)]


class DobletByHand:
    """The chance to win in every state, found by going on until the game is over."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.known: dict[tuple[Men, Men], float] = {}

    def win(self, mine: Men, theirs: Men) -> float:
        """The chance of the side that is to throw."""
        if DONE in (mine, theirs):
            return float(mine == DONE)
        if (mine, theirs) not in self.known:
            # A turn may pass in which nobody does anything, so each side's chance hangs on the
            # other's: both begin with a guess that such turns make better and better.
            pairs = [(mine, theirs), (theirs, mine)]
            self.known |= dict.fromkeys(pairs, 0.5)
            for _ in range(ROUNDS):
                before = [self.known[each] for each in pairs]
                for each in pairs:
                    self.known[each] = average_turn(self.reading, *each, self.win)
                if [self.known[each] for each in pairs] == before:
                    break
        return self.known[mine, theirs]


def list_men(first: Men, moving: str) -> list[Men]:
    """All that can become of one side's men."""
    found = [first]
    for men in found:
        for number in range(1, 7):
            found += [each for each in use_number(men, number, moving) if each not in found]
    return found


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


def average_dogs(table: Table, win: str, unusable: str, value: Callable[[Table], float]) -> float:
    """What a throw is worth to its side, if a side that is to throw can expect so much."""
    total = 0.0
    for numbers, chance in list_throws("two").items():
        after, useless = enter_dogs(table, numbers)
        worth = judge_dogs(after, win)
        if useless and worth is None and unusable == "loses":
            worth = -1
        if worth is None:
            worth = -value(tuple((theirs, mine) for mine, theirs in after))
        total += chance * worth
    return total
