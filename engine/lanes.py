"""A side's way round the board on bitboards: all about it that does not depend on where men stand."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import TypeAlias

from engine.move import Move
from engine.packed import (
    BYTE,
    Bitboard,
    mark,
    one_left,
    one_man,
    one_of_theirs,
    reaching,
    whole_bytes,
)
from engine.position import Side
from engine.routes import NOWHERE, NUMBERS, route, waiting
from engine.rules import Bearing, Ending, Placing, Reentry, Rules

_ALIKE = 7  # more equal numbers than any throw gives
WEIGHT = (0, *(_ALIKE**6 + _ALIKE ** (number - 1) for number in NUMBERS))
"""What a used number counts: sums compare first how many numbers were used, then the numbers, highest first."""

Numbers: TypeAlias = tuple[int, ...]
"""Numbers of a throw, highest first."""

Step: TypeAlias = tuple[Move, int]
"""A move, and what it adds to a state."""

_NEVER: Step = (Move(NOWHERE, NOWHERE, 0), 0)
"""Stands where a number leads nowhere, and is never made."""


@dataclass(frozen=True, slots=True, eq=False)
class Use:
    """One use of the dice by a side: a number, or the sum of several `added`.

    `targets` are where it leads by place, as in `Route`. `drifts` says the same of the points on bitboards, by the few
    distances over which men move: how far down to shift the targets, once they are shifted up by `lift`, and which
    places are then the sources. `off` are the points from which it leads off the board, and `freely` those of them from
    which it bears a man whoever stands behind him. `quiet` and `hitting` are its moves by source, each with what it
    adds to a state: without a hit, and with one of a single man.
    """

    number: int
    added: Numbers
    weight: int
    targets: tuple[int, ...]
    lift: int
    drifts: tuple[tuple[int, Bitboard], ...]
    off: Bitboard
    freely: Bitboard
    quiet: tuple[Step, ...]
    hitting: tuple[Step, ...]

    def sources(self, targets: Bitboard) -> Bitboard:
        """Return the places from which it leads to one of these points."""
        lifted = targets << self.lift
        found = 0
        for fall, sources in self.drifts:
            found |= lifted >> fall & sources
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Lane:
    """A side's way round the board, and the places of which the rules speak.

    `size` counts `all` places, and `theirs` has as many bytes. Added to a state, `standing` marks the places where men
    of the mover's stand, and `filling` the points where there is no room for another; added to the other side's men,
    `standing` and `closing` mark where any stand, and which points they close. `places` are those from which men move,
    the `points` and those `beside` the board where men may ever wait: the `bars` and the `hand`. `before` has for each
    place the bytes of those before it.

    `first` are places whose men are thought of before others; `late` points closed to a side that has men beside the
    board; `away` places where none may stand of a side that bears men off, and `abroad` their bytes. `underway` are the
    bytes of the places where none stands of a side that has won. `returns` has for each point to which hit men go the
    points where they are hit. `clear` says that only the other side's men stand in a move's way, `several` that a hit
    may be of several men, and `any_order` that it makes no difference which of two moves is made first (see
    `engine.any_order`).

    `uses` are the uses of the numbers left, each with what is then left; `every` has one for each number and sum.
    `farthest` tells which of the points of the bearing table that are held is the farthest from the end.
    """

    rules: Rules
    side: Side
    size: int
    all: range
    theirs: int
    standing: int
    closing: int
    filling: int
    before: tuple[Bitboard, ...]
    places: Bitboard
    points: Bitboard
    beside: Bitboard
    bars: Bitboard
    hand: Bitboard
    first: Bitboard
    late: Bitboard
    home: Bitboard
    away: Bitboard
    abroad: int
    underway: int
    returns: tuple[tuple[Bitboard, Bitboard], ...]
    clear: bool
    several: bool
    any_order: bool
    every: tuple[Use, ...]
    uses: "_Uses" = field(repr=False)
    farthest: "_Farthest" = field(repr=False)


@lru_cache(maxsize=1024)
def lane(rules: Rules, side: Side) -> Lane:
    """Work out one side's lane under these rules."""
    board = rules.board
    way = route(rules, side)
    points = range(board.size)
    beside = waiting(rules, side)
    places = mark((*points, *beside))
    home = mark(rules.home(side))
    away = places & ~home if rules.gate is None else 0
    late = (
        mark(point for point in points if way.late[point])
        if rules.placing is not Placing.FREE
        else 0
    )
    returns = tuple(_returns(rules, side))
    roomy = all(room >= rules.men for room in way.room)
    breached = rules.breach is not None
    return Lane(
        rules=rules,
        side=side,
        size=len(board.names),
        all=range(len(board.names)),
        theirs=(1 << BYTE * len(board.names)) - 1,
        standing=reaching((place, 1) for place in (*points, *beside)),
        closing=reaching((point, rules.closed) for point in points),
        filling=reaching((point, way.room[point] + 1) for point in points),
        before=tuple((1 << BYTE * place) - 1 for place in range(len(board.names))),
        places=places,
        points=mark(points),
        beside=mark(beside),
        bars=mark(place for place in beside if place != board.hand),
        hand=mark(place for place in beside if place == board.hand),
        first=mark([board.hand]) if rules.placing is Placing.STILL else 0,
        late=late,
        home=home,
        away=away,
        abroad=whole_bytes(away),
        underway=whole_bytes(places & ~mark(rules.arrivals[side])),
        returns=returns,
        clear=roomy and not late and not returns and not breached,
        several=rules.closed > 2 or breached,
        any_order=_any_order(rules) and not returns,
        every=tuple(
            use(rules, side, number, _as_sum(number)) for number in range(1, len(way.targets))
        ),
        uses=_Uses(rules, side),
        farthest=_Farthest(rules.home(side)),
    )


def _returns(rules: Rules, side: Side) -> Iterator[tuple[Bitboard, Bitboard]]:
    """Yield the points to which the men go whom that side hits, each with the points where they are hit."""
    sent = route(rules, side.other).sent
    for place in sorted(set(sent)):
        if place < rules.board.size:
            yield mark([place]), mark(point for point, to in enumerate(sent) if to == place)


def _any_order(rules: Rules) -> bool:
    judged = rules.verdict or rules.ending is Ending.FULL
    # Whether a man may wait on the bar hangs on the numbers left; a breach on all men; a sum takes two numbers at once.
    bound = rules.reentry is Reentry.SOFT or rules.breach or rules.sums
    return not judged and not bound


@lru_cache(maxsize=8192)
def use(rules: Rules, side: Side, number: int, added: Numbers = ()) -> Use:
    """Work out one use of the dice by a side."""
    way = route(rules, side)
    targets = way.targets[number]
    size = len(rules.board.names)
    spent = sum(one_left(each, size) for each in added or (number,))
    sent = route(rules, side.other).sent
    off = [source for source, target in enumerate(targets) if target == rules.board.off]
    quiet = [_NEVER] * size
    hitting = [_NEVER] * size
    beside = waiting(rules, side)
    sources: dict[int, list[int]] = {}
    for source, target in enumerate(targets):
        if target == NOWHERE:
            continue
        change = one_man(target) - one_man(source) - spent
        quiet[source] = (Move(source, target, number, False, added), change)
        if target < rules.board.size:
            struck = one_of_theirs(sent[target], size) - one_of_theirs(target, size)
            hitting[source] = (Move(source, target, number, True, added), change + struck)
            if source < rules.board.size or source in beside:
                sources.setdefault(target - source, []).append(source)
    lift = max(0, *(-far for far in sources))
    return Use(
        number=number,
        added=added,
        weight=sum(WEIGHT[each] for each in added or (number,)),
        targets=targets,
        lift=BYTE * lift,
        drifts=tuple((BYTE * (lift + far), mark(places)) for far, places in sources.items()),
        off=mark(off),
        freely=mark(
            point
            for point in off
            if rules.bearing is Bearing.PAST or way.exact.get(point) == number
        ),
        quiet=tuple(quiet),
        hitting=tuple(hitting),
    )


class _Uses(dict[Numbers, tuple[tuple[Use, Numbers], ...]]):
    """What numbers left can be used for next, each by itself and added up where the rules have sums."""

    def __init__(self, rules: Rules, side: Side) -> None:
        self._rules = rules
        self._side = side

    def __missing__(self, left: Numbers) -> tuple[tuple[Use, Numbers], ...]:
        single = [
            (number, (), left[:at] + left[at + 1 :])
            for at, number in enumerate(left)
            if number not in left[:at]
        ]
        every = [*single, *_summed(left)] if self._rules.sums else single
        self[left] = tuple(
            (use(self._rules, self._side, number, added), rest) for number, added, rest in every
        )
        return self[left]


def _summed(left: Numbers) -> Iterator[tuple[int, Numbers, Numbers]]:
    for size in range(2, len(left) + 1):
        for added in sorted(set(combinations(left, size)), reverse=True):
            rest = list(left)
            for number in added:
                rest.remove(number)
            yield sum(added), added, tuple(rest)


def _as_sum(number: int) -> Numbers:
    """Return the numbers of dice that add up to one that no die shows."""
    highest = NUMBERS[-1]
    sixes, more = divmod(number - 1, highest)
    return (*[highest] * sixes, more + 1) if sixes else ()


class _Farthest(dict[Bitboard, Bitboard]):
    """The farthest from the end of the points of a bearing table that are held."""

    def __init__(self, home: tuple[int, ...]) -> None:
        self._points = [mark([point]) for point in home]

    def __missing__(self, held: Bitboard) -> Bitboard:
        self[held] = next((point for point in self._points if point & held), 0)
        return self[held]
