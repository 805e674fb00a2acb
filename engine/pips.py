"""How far a side's men still have to go."""

from functools import lru_cache

from engine.position import Position, Side
from engine.rules import Ending, Rules


def count_pips(rules: Rules, position: Position, side: Side) -> int | None:
    """Return the sum of what a side's men need to be borne off, or to reach the last table.

    A man still to be entered has the whole course before him. None where men do not move, or lie in
    pairs to be taken down.
    """
    if not rules.moving or rules.piled:
        return None
    pips = _list_pips(rules, side)
    return sum(count * each for count, each in zip(position.men(side), pips, strict=True))


@lru_cache(maxsize=256)
def _list_pips(rules: Rules, side: Side) -> tuple[int, ...]:
    """Return what a man of a side needs on each place."""
    board, course = rules.board, rules.course(side)
    needed = [_count_needed_pips(rules, len(course) - step) for step in range(len(course))]
    entering = dict(rules.side_rules(side).entries)
    beside = {
        board.hand: course,
        **{board.find_place(bar): board.parse_points(at) for bar, at in entering.items()},
    }
    pips = [0] * (board.size + 2 + len(board.bars))
    for point, pips_from in zip(course, needed, strict=True):
        pips[point] += pips_from
    for place in (board.hand, *board.bars):
        first = course.index(beside.get(place, course)[0])
        # A one brings the man to the first point that he can enter on.
        pips[place] += needed[first] + 1
    return tuple(pips)


def _count_needed_pips(rules: Rules, left: int) -> int:
    return max(0, left - len(rules.home(Side.GOLD))) if rules.ending is Ending.GOAL else left
