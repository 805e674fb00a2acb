"""What a throw does in Paume carie on one table, by the points that its numbers name.

A number enters a man on its own point or bears one off from there, so what two numbers do depends
on what stands on two points and on whether each side has men waiting. Where a higher number also
takes a man from farther down, it depends on the other points too, but not on which of them men
stand: a number takes the man who is farthest back. The engine lists the plays of every such pair of
points once; nothing else of the rules is written down here. In hand or on the bar is the same:
either way any number brings the man in.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate, product
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.plays import Duty, list_legal_plays
from engine.position import Position, Side
from engine.rules import BearingRule, Rules, UnusableRule

Small: TypeAlias = npt.NDArray[np.int8]
Indexes: TypeAlias = npt.NDArray[np.int32]
Held: TypeAlias = tuple[int, int]
"""How many men of the side that throws stand on a point, and how many of the other side's."""

SPARE = 60
"""So many men a side, of whom those who make no difference are borne off or wait."""

ABOVE, HIGH, BETWEEN, LOW, BELOW = 6, 5, 4, 3, 2
"""Two numbers whose points are studied, and points on which men beside these stand in for any."""

BLOCKED_MEN = 2
"""So many men keep the other side out of a point."""


class MenElsewhere(NamedTuple):
    """How many men a side has above the higher of two numbers' points, between them, and below.

    Where one stands above, no number takes a man who stands farther down.
    """

    above: int
    between: int
    below: int


SHUT = MenElsewhere(1, 0, 0)
"""Each number bears off from its own point alone: so do all where bearing is exact."""


@dataclass(frozen=True)
class ThrowEnd:
    """How a throw may end: what stands on its points, and how the men beside these changed.

    `waiting` and `borne` are of the side that throws and of the other, and so is `taken`: how many
    men were borne off from between the points, and how many from below.
    """

    held: tuple[Held, Held]
    waiting: tuple[int, int]
    borne: tuple[int, int]
    taken: tuple[Held, Held]


@dataclass(frozen=True)
class ThrowPlay:
    """One play of a throw: how many men the thrower bears off, how many numbers it leaves.

    `ends` are what the other side can make of those; to leave them comes first.
    """

    borne: int
    left: int
    ends: tuple[ThrowEnd, ...]


class _SideEnd(NamedTuple):
    """What one side makes of some numbers; `struck` are the men of the other that it has hit."""

    held: tuple[Held, Held]
    entered: int
    struck: int
    borne: int
    taken: Held
    left: tuple[int, ...]


def list_throw_plays(
    rules: Rules,
    held: tuple[Held, Held],
    waiting: tuple[int, int],
    dice: tuple[int, ...],
    views: tuple[MenElsewhere, MenElsewhere] = (SHUT, SHUT),
) -> list[ThrowPlay]:
    """List the plays of a throw of `HIGH` and `LOW`, or of `HIGH` alone, whose points hold these.

    The last play may be the only one, to do nothing.
    """
    plays = []
    for end in _list_side_ends(rules, held, waiting[0], views[0], dice, Duty.MUST):
        left = ThrowEnd(end.held, (-end.entered, end.struck), (end.borne, 0), (end.taken, (0, 0)))
        ends = [left]
        if end.left and rules.unusable is UnusableRule.OPPONENT:
            # An answer is a throw of the other side's, who have men elsewhere of their own.
            ends += (
                ThrowEnd(
                    _exchange(answer.held),
                    (answer.struck - end.entered, end.struck - answer.entered),
                    (end.borne, answer.borne),
                    (end.taken, answer.taken),
                )
                for answer in _list_side_ends(
                    rules,
                    _exchange(end.held),
                    waiting[1] + end.struck,
                    views[1],
                    end.left,
                    Duty.MAY,
                )
            )
        plays.append(ThrowPlay(end.borne, len(end.left), tuple(ends)))
    return plays


def _exchange(held: tuple[Held, Held]) -> tuple[Held, Held]:
    """Return what stands on both points as the other side sees it."""
    high, low = held
    return high[::-1], low[::-1]


@cache
def _list_side_ends(
    rules: Rules,
    held: tuple[Held, Held],
    waiting: int,
    view: MenElsewhere,
    dice: tuple[int, ...],
    duty: Duty,
) -> list[_SideEnd]:
    """List what a side can make of numbers; where it must use them and can't, nothing is one."""
    board = rules.board
    points = rules.course(Side.GOLD)
    mine, theirs = bytearray(board.no_men), bytearray(board.no_men)
    for number, each in zip((HIGH, LOW), held, strict=True):
        mine[points[number - 1]], theirs[points[number - 1]] = each
    # Wherever they stand there, the same numbers take the same of them.
    for number, men in zip((ABOVE, BETWEEN, BELOW), view, strict=True):
        mine[points[number - 1]] = men
    mine[board.hand] = waiting
    # One's own others are off, so that they keep nobody from bearing off; the other side's wait,
    # so that nobody wins.
    mine[board.off] = SPARE - sum(mine)
    theirs[board.hand] = SPARE - sum(theirs)
    before = Position(bytes(mine), bytes(theirs), Side.GOLD, dice)
    ends = list(list_legal_plays(replace(rules, men=SPARE), before, duty).ends)
    if not ends and duty is Duty.MUST:
        ends = [before]
    high, between, low, below = (points[number - 1] for number in (HIGH, BETWEEN, LOW, BELOW))
    return [
        _SideEnd(
            ((end.gold[high], end.black[high]), (end.gold[low], end.black[low])),
            waiting - end.gold[board.hand] - board.count_waiting(end.gold),
            board.count_waiting(end.black) + end.black[board.hand] - theirs[board.hand],
            end.gold[board.off] - mine[board.off],
            (mine[between] - end.gold[between], mine[below] - end.gold[below]),
            end.dice,
        )
        for end in ends
    ]


@dataclass(frozen=True, eq=False)
class ThrowTables:
    """How every throw can go, as flat arrays.

    A content is what stands on a point: nothing, 1 to `men` of the thrower's, or `men` more for the
    other side's. The plays of key k are `plays[k]` to `plays[k + 1]`, and the ends of play p are
    `ends[p]` to `ends[p + 1]`; see `ThrowPlay` and `ThrowEnd` for the rest. `kinds` is 0 where
    every end brings the game forward, 1 where the only one may be followed by the same state again,
    and 2 where it is one of several.

    What finds a key comes twice, for two different numbers and for doubles. `numbers` is how many
    there are to play. No more men than that wait, or stand anywhere, make a difference: so many
    contents are alike that `classes` number the others, and `more` are the men of a content beyond
    those of its class; two numbers have `width` classes. By how many men of both sides wait, `keys`
    are the first ones; `views` are in how many ways each side's men elsewhere matter, by its own.
    """

    men: int
    numbers: Indexes
    classes: npt.NDArray[np.int64]
    more: npt.NDArray[np.int64]
    width: int
    keys: Indexes
    views: Indexes
    plays: Indexes
    ends: Indexes
    borne: Small
    left: Small
    high: Small
    low: Small
    waiting: Small
    waiting_other: Small
    borne_other: Small
    taken: Small
    kinds: Small


def build_tables(rules: Rules) -> ThrowTables:
    """Build the tables: the keys of two different numbers, then those of doubles.

    Of as many men waiting, keys are ordered by the content of the higher number's point, of the
    lower one's, and by what each side has elsewhere; see `list_views`.
    """
    most = 4 if rules.dice.doubles.is_played_twice else 2
    throws = ((HIGH, LOW), (HIGH,) * most)
    numbers = [len(dice) for dice in throws]
    every = range(2 * rules.men + 1)
    lowered = [[lower_content(rules, content, count) for content in every] for count in numbers]
    contents = [sorted({*each}) for each in lowered]
    firsts = np.zeros((2, most + 1, most + 1), np.int32)
    views = np.ones((2, 2, most + 1), np.int32)
    keys: list[list[ThrowPlay]] = []
    for at, dice in enumerate(throws):
        counts = range(len(dice) + 1)
        few = [list_views(rules, dice, waiting) for waiting in counts]
        # The other side bears off in a throw only where it gets the numbers that are left.
        is_offered = rules.unusable is UnusableRule.OPPONENT
        few_other = few if is_offered else [[SHUT]] * len(few)
        for side, each in enumerate((few, few_other)):
            views[at, side, : len(each)] = [*map(len, each)]
        lows = contents[at] if LOW in dice else [0]
        for waiting in product(counts, counts):
            firsts[at, *waiting] = len(keys)
            keys += [
                list_throw_plays(
                    rules, (split(rules, high), split(rules, low)), waiting, dice, (mine, theirs)
                )
                for high, low, mine, theirs in product(
                    contents[at], lows, few[waiting[0]], few_other[waiting[1]]
                )
            ]
    plays = [play for key in keys for play in key]
    ends = [end for play in plays for end in play.ends]
    return ThrowTables(
        men=rules.men,
        numbers=np.array(numbers, np.int32),
        classes=np.array([np.searchsorted(*each) for each in zip(contents, lowered, strict=True)]),
        more=np.arange(2 * rules.men + 1) - np.array(lowered),
        width=len(contents[0]),
        keys=firsts,
        views=views,
        plays=_number_parts(keys),
        ends=_number_parts([play.ends for play in plays]),
        borne=_pack(play.borne for play in plays),
        left=_pack(play.left for play in plays),
        high=_pack(join(rules, end.held[0]) for end in ends),
        low=_pack(join(rules, end.held[1]) for end in ends),
        waiting=_pack(end.waiting[0] for end in ends),
        waiting_other=_pack(end.waiting[1] for end in ends),
        borne_other=_pack(end.borne[1] for end in ends),
        taken=np.array([end.taken for end in ends], np.int8).reshape(-1, 4),
        kinds=_pack(map(_find_kind, keys)),
    )


def list_views(rules: Rules, dice: tuple[int, ...], waiting: int) -> list[MenElsewhere]:
    """List what a side may have elsewhere that makes a difference, with so many men waiting.

    Otherwise than in the first of them, numbers that bring nobody in take men from elsewhere; those
    are ordered by the men between the points and then by those below, of both up to as many.
    """
    free = len(dice) - waiting
    if rules.bearing is BearingRule.EXACT or not free:
        return [SHUT]
    between = range(free + 1 if LOW in dice else 1)
    return [SHUT, *(MenElsewhere(0, *each) for each in product(between, range(free + 1)))]


def split(rules: Rules, content: int) -> Held:
    """Return the men on a point by its content."""
    return (content, 0) if content <= rules.men else (0, content - rules.men)


def join(rules: Rules, held: Held) -> int:
    """Return the content of a point; more men than a side has are never there."""
    mine, theirs = held
    return min(mine, rules.men) if not theirs else rules.men + min(theirs, rules.men)


def lower_content(rules: Rules, content: int, numbers: int) -> int:
    """Return a content with as few men as behave alike when so many numbers are played."""
    # Each number takes one man away at most, and those that stay keep the other side out.
    mine, theirs = (min(men, numbers + BLOCKED_MEN) for men in split(rules, content))
    return join(rules, (mine, theirs))


def _find_kind(plays: list[ThrowPlay]) -> int:
    ends = [end for play in plays for end in play.ends]
    # Men who are hit wait instead of those who hit them, and men borne off never come back.
    returning = [end for end in ends if not sum(end.waiting) and not sum(end.borne)]
    return 0 if not returning else 1 if len(ends) == 1 else 2


def _number_parts(parts: Iterable[Iterable[object]]) -> Indexes:
    return np.array([0, *accumulate(len(list(part)) for part in parts)], np.int32)


def _pack(values: Iterable[int]) -> Small:
    return np.array(list(values), np.int8)
