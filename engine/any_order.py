"""The ends of a throw's plays where order makes no difference, without trying every order.

If two men may both move now, the end is the same whichever goes first. So once everything has been
tried that begins with one of them, what begins with another need not come back to that move: it is
*tired* from there on, for as long as it stays possible. Each end is still found, and by the first
of the ways that a search of all orders would find.

Mostly men move *freely* until the throw is played: none wait beside the board, and too many are
away from home for any to be borne off. Then a move opens something only to the man it moves, and
finding out which men may move is one operation.

In such games (`Lane.any_order`) a move neither opens nor closes anything to the others but by the
man it moves, and nothing is judged or remembered between moves. Nor may the game be won on the way:
then a side stops, and what it could have moved before matters.
"""

from collections.abc import Mapping
from itertools import compress
from typing import TypeAlias

from engine.lanes import Lane, Sight
from engine.move import Move
from engine.packed import Bitboard, State, men_among, unpack, without_numbers
from engine.steps import movable, moves_freely, sight_in
from engine.uses import Numbers, Use

Trail: TypeAlias = "tuple[Trail, Move] | None"
"""The moves that lead somewhere, the last one outermost."""

Tired: TypeAlias = Mapping[int, Bitboard]
"""The places from which each number has been tried before."""


def may_win(lane: Lane, state: State, left: Numbers) -> bool:
    """Whether so many numbers can bring the mover's last men to where they win."""
    return men_among(state, lane.underway) <= len(left)


def best_ends(lane: Lane, root: State, left: Numbers) -> dict[State, Trail]:
    """Return the ends of the plays that use the most and highest numbers, with a way to each."""
    hunt = _Hunt(lane, root, left)
    sight = sight_in(lane, root)
    if left and left[0] == left[-1]:
        hunt.repeat(lane.uses[left][0][0], root, left, sight, 0, None, 0)
    elif len(left) == 2:
        hunt.pair(root, left, sight, {}, None, 0)
    else:
        hunt.play(root, left, sight, {}, None, 0)
    return hunt.whole or hunt.short


class _Hunt:
    """The ends found so far: of plays that use the whole throw, or of the others.

    Others count only while no play uses the whole throw. `freely` says that men move freely until
    the throw is played. `most` is the weight of the numbers that the others use.
    """

    __slots__ = ("freely", "lane", "most", "short", "whole")

    def __init__(self, lane: Lane, root: State, left: Numbers) -> None:
        self.lane = lane
        self.freely = moves_freely(lane, root, left)
        self.whole: dict[State, Trail] = {}
        self.short: dict[State, Trail] = {}
        self.most = 0

    def play(
        self, state: State, left: Numbers, sight: Sight, tired: Tired, trail: Trail, used: int
    ) -> None:
        """Try three numbers or more, of which some differ."""
        uses = self.lane.uses
        possible = {use.number: movable(sight, state, left, use) for use, _ in uses[left]}
        if not any(possible.values()):
            self.fall_short(state, trail, used)
        # What has become impossible is fresh again when it becomes possible.
        tried = {number: tired.get(number, 0) & sources for number, sources in possible.items()}
        for use, rest in uses[left]:
            number = use.number
            skipped = tried[number]
            fresh = possible[number] ^ skipped
            last = uses[rest][0][0] if rest[0] == rest[-1] else None
            onward = self.pair if len(rest) == 2 else self.play
            for move, change in sight.moves(use, fresh):
                after = state + change
                there = sight_in(self.lane, after) if move.hit else sight
                if number in rest:
                    tried[number] = skipped | fresh & self.lane.before[move.source]
                if last:
                    self.repeat(
                        last,
                        after,
                        rest,
                        there,
                        tried[last.number],
                        (trail, move),
                        used + use.weight,
                    )
                else:
                    onward(after, rest, there, tried, (trail, move), used + use.weight)
            tried[number] = possible[number]

    def pair(
        self, state: State, left: Numbers, sight: Sight, tired: Tired, trail: Trail, used: int
    ) -> None:
        """Try two numbers that differ, either of them first."""
        (high, _), (low, _) = self.lane.uses[left]
        by_high = movable(sight, state, left, high)
        by_low = movable(sight, state, left, low)
        if not by_high and not by_low:
            self.fall_short(state, trail, used)
            return
        skipped = tired.get(low.number, 0) & by_low
        self.finish(
            high, by_high & ~tired.get(high.number, 0), low, skipped, state, sight, trail, used
        )
        fresh = by_low ^ skipped
        if self.freely and self.whole:
            # Every man who could move by the higher number has been tried: only the man who moves
            # now goes on by it.
            led, _ = sight[high.number]
            fresh &= low.sources(led ^ by_high)
        self.finish(low, fresh, high, by_high, state, sight, trail, used)

    def repeat(
        self,
        use: Use,
        state: State,
        left: Numbers,
        sight: Sight,
        tired: Bitboard,
        trail: Trail,
        used: int,
    ) -> None:
        """Try numbers all alike, or a single one."""
        sources = movable(sight, state, left, use)
        if not sources:
            self.fall_short(state, trail, used)
            return
        tired &= sources
        fresh = sources ^ tired
        rest = left[1:]
        if len(rest) == 1:
            self.finish(use, fresh, use, tired, state, sight, trail, used)
            return
        for move, change in sight.moves(use, fresh):
            after = state + change
            if rest:
                there = sight_in(self.lane, after) if move.hit else sight
                skipped = tired | fresh & self.lane.before[move.source]
                self.repeat(use, after, rest, there, skipped, (trail, move), used + use.weight)
            else:
                self.whole.setdefault(after, (trail, move))

    def finish(
        self,
        use: Use,
        fresh: Bitboard,
        last: Use,
        tired: Bitboard,
        state: State,
        sight: Sight,
        trail: Trail,
        used: int,
    ) -> None:
        """Try the last two numbers one after the other, the first from the fresh places."""
        # Most of all ends are found here, so nothing is asked that cannot matter. A hit closes and
        # opens no point.
        lane = self.lane
        size = lane.size
        end = self.whole.setdefault
        standing = lane.standing
        led, striking = sight[last.number]
        left = (last.number,)
        for move, change in sight.moves(use, fresh):
            after = state + change
            possible = (
                (after + standing) & led if self.freely else movable(sight, after, left, last)
            )
            skipped = tired | fresh & lane.before[move.source] if use is last else tired
            untried = possible ^ possible & skipped
            way = (trail, move)
            if not untried:
                if not possible:
                    self.fall_short(after, way, used + use.weight)
                continue
            if untried & striking:
                there = sight_in(lane, after) if move.hit else sight
                moves = there.moves(last, untried)
            else:
                moves = compress(last.quiet, untried.to_bytes(size, "little"))
            for onward, more in moves:
                end(after + more, (way, onward))

    def fall_short(self, state: State, trail: Trail, used: int) -> None:
        """End where no number that is left can be played."""
        if self.whole or trail is None or used < self.most:
            return
        if used > self.most:
            self.most = used
            self.short.clear()
        lane = self.lane
        if lane.rules.standstill and lane.rules.standstill(
            lane.rules, unpack(state, lane.side, lane.size)
        ):
            state = without_numbers(state, lane.size)
        self.short.setdefault(state, trail)
