"""How a side can use the dice: a number or a sum of several, and what each means on bitboards."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from engine.move import Move
from engine.position import Side
from engine.rules import BearingRule, Rules
from engine.search.routes import NOWHERE, NUMBERS, build_route, find_waiting_places
from engine.search.state import (
    BYTE,
    Bitboard,
    encode_man,
    encode_number,
    encode_opposing_man,
    mark_places,
)

_ALIKE = 7  # more equal numbers than any throw gives
# Numbers are digits in base seven, where no count of them carries into the next digit. The digit
# above them counts how many were used, whichever they are.
WEIGHT = (0, *(_ALIKE**6 + _ALIKE ** (number - 1) for number in NUMBERS))
"""What a used number counts.

Sums first compare how many numbers were used, then the numbers, highest first.
"""

Numbers: TypeAlias = tuple[int, ...]
"""Numbers of a throw, highest first."""

MoveDelta: TypeAlias = tuple[Move, int]
"""A move, and what it adds to a state."""

_NO_MOVE: MoveDelta = (Move(NOWHERE, NOWHERE, 0), 0)
"""Stands where a number leads nowhere, and is never made."""


@dataclass(frozen=True, slots=True, eq=False)
class DiceUse:
    """One use of the dice by a side: a number, or the sum of several `added`.

    `targets` are where it leads by place, as in `Route`. `drifts` says the same of the points on
    bitboards, by the few distances over which men move: how far down to shift the targets, once
    they are shifted up by `lift`, and which places are then the sources. `off` are the points from
    which it leads off the board, and `freely` those of them from which it bears a man even if
    others stand behind him. `quiet` and `hitting` are its moves by source, each with what it adds
    to a state: without a hit, and with one of a single man.
    """

    number: int
    added: Numbers
    weight: int
    targets: tuple[int, ...]
    lift: int
    drifts: tuple[tuple[int, Bitboard], ...]
    off: Bitboard
    freely: Bitboard
    quiet: tuple[MoveDelta, ...]
    hitting: tuple[MoveDelta, ...]

    def find_sources(self, targets: Bitboard) -> Bitboard:
        """Return the places from which it leads to one of these points."""
        lifted = targets << self.lift
        found = 0
        for fall, sources in self.drifts:
            found |= lifted >> fall & sources
        return found


class DiceUseTable(dict[Numbers, tuple[tuple[DiceUse, Numbers], ...]]):
    """How numbers left can be used next, each by itself and added up where the rules have sums.

    Each use is worked out once and belongs to the side's bitboards, so there is never a second one
    of the same number.
    """

    __slots__ = ("_known", "_rules", "_side")

    def __init__(self, rules: Rules, side: Side) -> None:
        self._rules = rules
        self._side = side
        self._known: dict[tuple[int, Numbers], DiceUse] = {}

    def __missing__(self, left: Numbers) -> tuple[tuple[DiceUse, Numbers], ...]:
        single = [
            (number, (), left[:at] + left[at + 1 :])
            for at, number in enumerate(left)
            # Equal numbers are one use, or each of their moves would be found twice.
            if number not in left[:at]
        ]
        every = [*single, *_list_sums(left)] if self._rules.sums else single
        self[left] = found = tuple(
            (self.get_use(number, added), rest) for number, added, rest in every
        )
        return found

    def get_use(self, number: int, added: Numbers = ()) -> DiceUse:
        """Return the use of one number, or of a sum of those added."""
        known = self._known.get((number, added))
        if known is None:
            known = self._known[number, added] = _build_use(self._rules, self._side, number, added)
        return known


def _build_use(rules: Rules, side: Side, number: int, added: Numbers) -> DiceUse:
    """Work out one use of the dice by a side."""
    route = build_route(rules, side)
    targets = route.targets[number]
    size = len(rules.board.place_names)
    # The addition that moves the man also takes the numbers out of the state.
    spent = sum(encode_number(each, size) for each in added or (number,))
    sent = build_route(rules, side.other).sent
    off = [source for source, target in enumerate(targets) if target == rules.board.off]
    quiet = [_NO_MOVE] * size
    hitting = [_NO_MOVE] * size
    beside = find_waiting_places(rules, side)
    sources: dict[int, list[int]] = {}
    for source, target in enumerate(targets):
        if target == NOWHERE:
            continue
        change = encode_man(target) - encode_man(source) - spent
        quiet[source] = (Move(source, target, number, False, added), change)
        if target < rules.board.size:
            struck = encode_opposing_man(sent[target], size) - encode_opposing_man(target, size)
            hitting[source] = (Move(source, target, number, True, added), change + struck)
            # Places where none of this side's men ever wait would only add distances to try.
            if source < rules.board.size or source in beside:
                sources.setdefault(target - source, []).append(source)
    # A course may run against the order of the board, and bits cannot be shifted by less than
    # nothing: so all are lifted first.
    lift = max(0, *(-far for far in sources))
    return DiceUse(
        number=number,
        added=added,
        weight=sum(WEIGHT[each] for each in added or (number,)),
        targets=targets,
        lift=BYTE * lift,
        drifts=tuple((BYTE * (lift + far), mark_places(places)) for far, places in sources.items()),
        off=mark_places(off),
        freely=mark_places(
            point
            for point in off
            if rules.bearing is BearingRule.PAST
            or (route.exact[point] == number and (point in route.home or not rules.early_edge))
        ),
        quiet=tuple(quiet),
        hitting=tuple(hitting),
    )


def _list_sums(left: Numbers) -> Iterator[tuple[int, Numbers, Numbers]]:
    for size in range(2, len(left) + 1):
        # Equal dice make equal sums, of which one is enough.
        for added in sorted(set(combinations(left, size)), reverse=True):
            rest = list(left)
            for number in added:
                rest.remove(number)
            yield sum(added), added, tuple(rest)


def split_sum(number: int) -> Numbers:
    """Return the numbers of dice that add up to one that no die shows."""
    highest = NUMBERS[-1]
    # Any dice will do: which of them add up to it makes no difference to where it leads.
    sixes, more = divmod(number - 1, highest)
    return (*[highest] * sixes, more + 1) if sixes else ()
