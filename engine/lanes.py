"""A side's way round the board worked out beforehand, so that the search only looks things up."""

from dataclasses import dataclass
from functools import lru_cache

from engine.position import Side
from engine.rules import Bearing, Rules

NOWHERE = -1
NUMBERS = range(1, 7)


@dataclass(frozen=True, slots=True)
class Lane:
    """What one side may do from each place, before looking at where men stand.

    `targets[n][place]` is where number n takes a man from that place (`off` to be borne off, exactly or with a higher
    number; NOWHERE where the number leads to nothing). `room[place]` is how many own men may already stand where
    another lands. `behind[place]` are the points of the home table that lie farther from the end than that one.
    `exact[place]` is the smallest number that bears a man off exactly.
    """

    targets: tuple[tuple[int, ...], ...]
    room: tuple[int, ...]
    home: tuple[int, ...]
    behind: dict[int, tuple[int, ...]]
    exact: dict[int, int]


@lru_cache(maxsize=1024)
def lane(rules: Rules, side: Side) -> Lane:
    """Work out one side's lane under these rules."""
    home = rules.home(side)
    return Lane(
        targets=((), *(_targets(rules, side, number) for number in NUMBERS)),
        room=_room(rules, side),
        home=home,
        behind={point: home[:i] for i, point in enumerate(home)},
        exact={point: len(home) - i for i, point in enumerate(home)},
    )


def _targets(rules: Rules, side: Side, number: int) -> tuple[int, ...]:
    board, course = rules.board, rules.course(side)
    targets = [NOWHERE] * (board.size + 3)
    targets[board.hand] = targets[board.bar] = rules.entry(side)[number - 1]
    if rules.moving:
        for step, point in enumerate(course):
            targets[point] = _advance(rules, course, step, number)
    return tuple(targets)


def _advance(rules: Rules, course: tuple[int, ...], step: int, number: int) -> int:
    end = len(course)
    if step + number >= end:
        return rules.board.off if rules.bearing is Bearing.USUAL else NOWHERE
    resting = rules.home_rests and step >= end - 6
    return NOWHERE if resting else course[step + number]


def _room(rules: Rules, side: Side) -> tuple[int, ...]:
    single = set(rules.board.stretch(rules.way(side).single))
    most = rules.men if rules.limit is None else rules.limit - 1
    return tuple(0 if place in single else most for place in range(rules.board.size + 3))
