"""What a board marks: where moves began and ended, and where men may go."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from render.scene import SceneMove, SceneOption


@dataclass(frozen=True, slots=True)
class MoveMarks:
    """The marks of some moves: how many men came to rest on each place, where a hit was, and left.

    A man who moved on from where he arrived came to rest only where he ended.
    """

    came: Mapping[int, int]
    hit: frozenset[int]
    left: frozenset[int]


def mark_moves(moves: Iterable[SceneMove]) -> MoveMarks:
    """Return the marks of moves, which were made in that order."""
    came: Counter[int] = Counter()
    hit: set[int] = set()
    left: set[int] = set()
    for move in moves:
        if came[move.source]:
            came[move.source] -= 1
        else:
            left.add(move.source)
        came[move.target] += 1
        if move.hit:
            hit.add(move.target)
    # One mark a place: where a man has come to rest that counts, and not who left.
    resting = +came
    return MoveMarks(came, frozenset(hit & resting.keys()), frozenset(left - resting.keys()))


def list_numbers_by_target(options: Iterable[SceneOption]) -> Mapping[int, tuple[int, ...]]:
    """Return the numbers by which a man may go to each place, the largest first."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    for option in options:
        found[option.target].add(option.number)
    return {target: tuple(sorted(numbers, reverse=True)) for target, numbers in found.items()}
