"""The ends of a throw's plays where the order of moves makes no difference: found without trying every order.

Two men who may both move now stand alike whichever goes first. So once everything has been tried that begins with one
of them, what begins with another need not come back to that move: it is *tired* from there on, for as long as it stays
possible. Each end is still found, and by the first of the ways that a search of all orders would find.

In such games (`Lane.any_order`) a move neither opens nor closes anything to the others but by the man it moves, and
nothing is judged or remembered between moves. Nor may the game be won on the way: then a side stops, and what it
could have moved before matters.
"""

from collections.abc import Mapping
from itertools import compress
from typing import TypeAlias

from engine.lanes import Lane, Numbers, Use
from engine.move import Move
from engine.packed import BYTE, Bitboard, State, men_among, unpack, without_numbers
from engine.steps import Sight, movable, sight_in

Trail: TypeAlias = "tuple[Trail, Move] | None"
"""The moves that lead somewhere, the last one outermost."""

Tired: TypeAlias = Mapping[Use, Bitboard]
"""The places from which each use of the dice has been tried before."""


def may_win(lane: Lane, state: State, left: Numbers) -> bool:
    """Whether so many numbers can bring the mover's last men to where they win."""
    return men_among(state, lane.underway) <= len(left)


def best_ends(lane: Lane, root: State, left: Numbers) -> dict[State, Trail]:
    """Return the ends of the plays that use the most numbers, the higher first, each with the way there."""
    hunt = _Hunt(lane)
    if left and left[0] == left[-1]:
        hunt.repeat(lane.uses[left][0][0], root, left, sight_in(lane, root), 0, None, 0)
    else:
        hunt.play(root, left, sight_in(lane, root), {}, None, 0)
    return hunt.whole or hunt.short


class _Hunt:
    """What has been found: ends of plays that use the whole throw; and of others, as long as there are none of those.

    `most` is the weight of the numbers that the others use.
    """

    __slots__ = ("lane", "most", "short", "whole")

    def __init__(self, lane: Lane) -> None:
        self.lane = lane
        self.whole: dict[State, Trail] = {}
        self.short: dict[State, Trail] = {}
        self.most = 0

    def play(self, state: State, left: Numbers, sight: Sight, tired: Tired, trail: Trail, used: int) -> None:
        """Try numbers of which some differ."""
        uses = self.lane.uses
        possible = [(use, rest, movable(sight, state, left, use)) for use, rest in uses[left]]
        # What has become impossible is fresh again when it becomes possible.
        tried = {use: tired[use] & sources for use, _, sources in possible if use in tired}
        stays = True
        for use, rest, sources in possible:
            if not sources:
                continue
            stays = False
            skipped = tried.get(use, 0)
            again = use.number in rest
            last = uses[rest][0][0] if rest[0] == rest[-1] else None
            now_used = used + use.weight
            for move, change in compress(sight.steps[use], (sources ^ skipped).to_bytes(self.lane.size, "little")):
                after = state + change
                there = sight_in(self.lane, after) if move.hit else sight
                if again:
                    tried[use] = skipped | sources & _before(move)
                if last:
                    self.repeat(last, after, rest, there, tried.get(last, 0), (trail, move), now_used)
                else:
                    self.play(after, rest, there, tried, (trail, move), now_used)
            tried[use] = sources
        if stays:
            self.fall_short(state, left, trail, used)

    def repeat(
        self, use: Use, state: State, left: Numbers, sight: Sight, tired: Bitboard, trail: Trail, used: int
    ) -> None:
        """Try numbers all alike, or the last one."""
        sources = movable(sight, state, left, use)
        if not sources:
            self.fall_short(state, left, trail, used)
            return
        tired &= sources
        steps = compress(sight.steps[use], (sources ^ tired).to_bytes(self.lane.size, "little"))
        if len(left) == 1:
            end = self.whole.setdefault
            for move, change in steps:
                end(state + change, (trail, move))
            return
        used += use.weight
        rest = left[1:]
        for move, change in steps:
            after = state + change
            there = sight_in(self.lane, after) if move.hit else sight
            self.repeat(use, after, rest, there, tired | sources & _before(move), (trail, move), used)

    def fall_short(self, state: State, left: Numbers, trail: Trail, used: int) -> None:
        """End where no number that is left can be played."""
        if self.whole or trail is None or used < self.most:
            return
        if used > self.most:
            self.most = used
            self.short.clear()
        lane = self.lane
        if lane.rules.standstill and lane.rules.standstill(lane.rules, unpack(state, lane.side, lane.size)):
            state = without_numbers(state, lane.size)
        self.short.setdefault(state, trail)


def _before(move: Move) -> Bitboard:
    """Return the places before the one that a man moves from: they have been tried first."""
    return (1 << BYTE * move.source) - 1
