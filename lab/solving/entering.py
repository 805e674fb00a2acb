"""What a throw does in Paume carie on one table, by the points that its numbers name.

A number enters a man on its own point or bears one off from there, so what two numbers do depends
on what stands on two points and on whether each side has men waiting. The engine lists the plays of
every such pair of points once; nothing else of the rules is written down here. In hand or on the
bar is the same: either way any number brings the man in.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import accumulate, product
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from engine.plays import Duty, list_legal_plays
from engine.position import Position, Side
from engine.rules import Rules, UnusableRule

Small: TypeAlias = npt.NDArray[np.int8]
Indexes: TypeAlias = npt.NDArray[np.int32]
Held: TypeAlias = tuple[int, int]
"""How many men of the side that throws stand on a point, and how many of the other side's."""

SPARE = 60
"""So many men a side, of whom some are elsewhere: so nobody wins while two points are studied."""

HIGH, LOW, NUMBERS = 6, 5, 6
"""Two numbers whose points are studied: what matters of them is which is the higher."""


@dataclass(frozen=True)
class ThrowEnd:
    """How a throw may end: what stands on its points, and how the men beside the board grew.

    `waiting` and `borne` are of the side that throws and of the other.
    """

    held: tuple[Held, Held]
    waiting: tuple[int, int]
    borne: tuple[int, int]


@dataclass(frozen=True)
class ThrowPlay:
    """One play of a throw: how many men the thrower bears off, how many numbers it leaves.

    `ends` are what the other side can make of those; to leave them comes first.
    """

    borne: int
    left: int
    ends: tuple[ThrowEnd, ...]


def list_throw_plays(
    rules: Rules, held: tuple[Held, Held], waiting: tuple[int, int], dice: tuple[int, ...]
) -> list[ThrowPlay]:
    """List the plays of a throw of `HIGH` and `LOW`, or of `HIGH` alone, whose points hold these.

    The last play may be the only one, to do nothing.
    """
    spare = replace(rules, men=SPARE)
    before = _place_men(spare, held, waiting, dice)
    plays = []
    for end in list(list_legal_plays(spare, before).ends) or [before]:
        offered = end.dice if rules.unusable is UnusableRule.OPPONENT else ()
        answers = (
            list_legal_plays(spare, end._replace(turn=Side.BLACK), Duty.MAY).ends if offered else ()
        )
        ends = tuple(_measure_end(spare, each, before) for each in (end, *answers))
        plays.append(ThrowPlay(ends[0].borne[0], len(end.dice), ends))
    return plays


def _place_men(
    rules: Rules, held: tuple[Held, Held], waiting: tuple[int, int], dice: tuple[int, ...]
) -> Position:
    board = rules.board
    course = rules.course(Side.GOLD)
    sides = bytearray(board.no_men), bytearray(board.no_men)
    for at, men in enumerate(sides):
        # One man on a point of his own, where no throw that is studied moves him.
        men[course[at]] = 1
        for number, point in zip((HIGH, LOW), held, strict=True):
            men[course[number - 1]] = point[at]
        men[board.hand] = waiting[at]
        men[board.off] = rules.men - sum(men)
    return Position(bytes(sides[0]), bytes(sides[1]), Side.GOLD, dice)


def _measure_end(rules: Rules, end: Position, before: Position) -> ThrowEnd:
    board = rules.board
    points = [rules.course(Side.GOLD)[number - 1] for number in (HIGH, LOW)]
    high, low = ((end.gold[point], end.black[point]) for point in points)
    mine, theirs = (
        (
            men[board.hand] + board.count_waiting(men) - old[board.hand],
            men[board.off] - old[board.off],
        )
        for men, old in ((end.gold, before.gold), (end.black, before.black))
    )
    return ThrowEnd((high, low), (mine[0], theirs[0]), (mine[1], theirs[1]))


@dataclass(frozen=True, eq=False)
class ThrowTables:
    """How every throw can go, as flat arrays.

    A content is what stands on a point: nothing, 1 to `men` of the thrower's, or `men` more for the
    other side's. The plays of key k are `plays[k]` to `plays[k + 1]`, and the ends of play p are
    `ends[p]` to `ends[p + 1]`; see `ThrowPlay` and `ThrowEnd` for the rest. `kinds` is 0 where
    every end brings the game forward, 1 where the only one may be followed by the same state again,
    and 2 where it is one of several.
    """

    men: int
    most: int
    plays: Indexes
    ends: Indexes
    borne: Small
    left: Small
    high: Small
    low: Small
    waiting: Small
    waiting_other: Small
    borne_other: Small
    kinds: Small


def build_tables(rules: Rules) -> ThrowTables:
    """Build the tables: the keys of two different numbers, then those of doubles.

    A key of two numbers is made of the content of the higher one's point, of the lower one's, and
    of how many men wait on each side, up to two; a key of doubles of one content and of the same,
    up to `most`, which is how many numbers doubles give.
    """
    most = 4 if rules.dice.doubles.is_played_twice else 2
    contents = range(2 * rules.men + 1)
    keys = [
        list_throw_plays(
            rules, (split(rules, high), split(rules, low)), (mine, theirs), (HIGH, LOW)
        )
        for high, low, mine, theirs in product(contents, contents, range(3), range(3))
    ] + [
        list_throw_plays(rules, (split(rules, high), (0, 0)), (mine, theirs), (HIGH,) * most)
        for high, mine, theirs in product(contents, range(most + 1), range(most + 1))
    ]
    plays = [play for key in keys for play in key]
    ends = [end for play in plays for end in play.ends]
    return ThrowTables(
        men=rules.men,
        most=most,
        plays=_number_parts(keys),
        ends=_number_parts([play.ends for play in plays]),
        borne=_pack(play.borne for play in plays),
        left=_pack(play.left for play in plays),
        high=_pack(join(rules, end.held[0]) for end in ends),
        low=_pack(join(rules, end.held[1]) for end in ends),
        waiting=_pack(end.waiting[0] for end in ends),
        waiting_other=_pack(end.waiting[1] for end in ends),
        borne_other=_pack(end.borne[1] for end in ends),
        kinds=_pack(map(_find_kind, keys)),
    )


def split(rules: Rules, content: int) -> Held:
    """Return the men on a point by its content."""
    return (content, 0) if content <= rules.men else (0, content - rules.men)


def join(rules: Rules, held: Held) -> int:
    """Return the content of a point; more men than a side has are never there."""
    mine, theirs = held
    return min(mine, rules.men) if not theirs else rules.men + min(theirs, rules.men)


def _find_kind(plays: list[ThrowPlay]) -> int:
    ends = [end for play in plays for end in play.ends]
    # Men who are hit wait instead of those who hit them, and men borne off never come back.
    returning = [end for end in ends if not sum(end.waiting) and not sum(end.borne)]
    return 0 if not returning else 1 if len(ends) == 1 else 2


def _number_parts(parts: Iterable[Iterable[object]]) -> Indexes:
    return np.array([0, *accumulate(len(list(part)) for part in parts)], np.int32)


def _pack(values: Iterable[int]) -> Small:
    return np.array(list(values), np.int8)
