"""The ends of a throw's plays where order makes no difference, without trying every order.

If two men may both move now, the end is the same whichever goes first. So once everything has been
tried that begins with one of them, what begins with another need not come back to that move: it is
*tired* from there on, for as long as it stays possible. Each end is still found, and by the first
of the ways that a search of all orders would find.

Mostly men move *freely* until the throw is played: none wait beside the board, and too many are
away from home for any to be borne off. Then a move opens something only to the man it moves, and
finding out which men may move is one operation.

In such games (`SideBitboards.any_order`) a move neither opens nor closes anything to the others but
by the man it moves, and nothing is judged or remembered between moves. Nor may the game be won on
the way: then a side stops, and what it could have moved before matters.
"""

from collections.abc import Mapping
from itertools import compress
from typing import TypeAlias

from engine.move import Move
from engine.search.bitboards import Opposition, SideBitboards
from engine.search.dice_uses import DiceUse, Numbers
from engine.search.moves import can_move_freely, find_movable, find_opposition
from engine.search.state import Bitboard, State, clear_numbers, count_men_on, unpack_position

Trail: TypeAlias = "tuple[Trail, Move] | None"
"""The moves that lead somewhere, the last one outermost."""

TriedSources: TypeAlias = Mapping[int, Bitboard]
"""The places from which each number has been tried before."""


def may_win(bitboards: SideBitboards, state: State, left: Numbers) -> bool:
    """Whether so many numbers can bring the mover's last men to where they win."""
    return count_men_on(state, bitboards.underway) <= len(left)


def find_best_ends(bitboards: SideBitboards, root: State, left: Numbers) -> dict[State, Trail]:
    """Return the ends of the plays that use the most and highest numbers, with a way to each."""
    hunt = _EndSearch(bitboards, root, left)
    opposition = find_opposition(bitboards, root)
    # Numbers are sorted, so they are all alike if the first equals the last.
    if left and left[0] == left[-1]:
        hunt.try_repeats(bitboards.uses[left][0][0], root, left, opposition, 0, None, 0)
    elif len(left) == 2:
        hunt.try_pair(root, left, opposition, {}, None, 0)
    else:
        hunt.try_mixed(root, left, opposition, {}, None, 0)
    # Where some play uses the whole throw, a shorter one is illegal [S0].
    return hunt.whole or hunt.short


class _EndSearch:
    """The ends found so far: of plays that use the whole throw, or of the others.

    Others count only while no play uses the whole throw. `freely` says that men move freely until
    the throw is played. `most` is the weight of the numbers that the others use.
    """

    __slots__ = ("bitboards", "freely", "most", "short", "whole")

    def __init__(self, bitboards: SideBitboards, root: State, left: Numbers) -> None:
        self.bitboards = bitboards
        self.freely = can_move_freely(bitboards, root, left)
        self.whole: dict[State, Trail] = {}
        self.short: dict[State, Trail] = {}
        self.most = 0

    def try_mixed(
        self,
        state: State,
        left: Numbers,
        opposition: Opposition,
        tired: TriedSources,
        trail: Trail,
        used: int,
    ) -> None:
        """Try three numbers or more, of which some differ."""
        uses = self.bitboards.uses
        possible = {use.number: find_movable(opposition, state, left, use) for use, _ in uses[left]}
        # The loops below then find nothing, so there is no need to return.
        if not any(possible.values()):
            self.store_short_end(state, trail, used)
        # What has become impossible is fresh again when it becomes possible.
        tried = {number: tired.get(number, 0) & sources for number, sources in possible.items()}
        for use, rest in uses[left]:
            number = use.number
            skipped = tried[number]
            fresh = possible[number] ^ skipped
            last = uses[rest][0][0] if rest[0] == rest[-1] else None
            onward = self.try_pair if len(rest) == 2 else self.try_mixed
            for move, change in opposition.iter_moves(use, fresh):
                after = state + change
                opposing = find_opposition(self.bitboards, after) if move.hit else opposition
                if number in rest:
                    # Lower places have had their turn with this number, so its equal need not come
                    # back to them after this move.
                    tried[number] = skipped | fresh & self.bitboards.before[move.source]
                if last:
                    self.try_repeats(
                        last,
                        after,
                        rest,
                        opposing,
                        tried[last.number],
                        (trail, move),
                        used + use.weight,
                    )
                else:
                    onward(after, rest, opposing, tried, (trail, move), used + use.weight)
            # All that begins with this number has been tried: after another one it is tired.
            tried[number] = possible[number]

    def try_pair(
        self,
        state: State,
        left: Numbers,
        opposition: Opposition,
        tired: TriedSources,
        trail: Trail,
        used: int,
    ) -> None:
        """Try two numbers that differ, either of them first."""
        (high, _), (low, _) = self.bitboards.uses[left]
        by_high = find_movable(opposition, state, left, high)
        by_low = find_movable(opposition, state, left, low)
        if not by_high and not by_low:
            self.store_short_end(state, trail, used)
            return
        skipped = tired.get(low.number, 0) & by_low
        self.try_last_two(
            high, by_high & ~tired.get(high.number, 0), low, skipped, state, opposition, trail, used
        )
        fresh = by_low ^ skipped
        if self.freely and self.whole:
            # Every man who could move by the higher number has been tried: only the man who moves
            # now goes on by it.
            led, _ = opposition[high.number]
            fresh &= low.find_sources(led ^ by_high)
        # What the higher number could do at once it has done before: after the lower one it only
        # needs to try what that move has made possible.
        self.try_last_two(low, fresh, high, by_high, state, opposition, trail, used)

    def try_repeats(
        self,
        use: DiceUse,
        state: State,
        left: Numbers,
        opposition: Opposition,
        tired: Bitboard,
        trail: Trail,
        used: int,
    ) -> None:
        """Try numbers all alike, or a single one."""
        sources = find_movable(opposition, state, left, use)
        if not sources:
            self.store_short_end(state, trail, used)
            return
        tired &= sources
        fresh = sources ^ tired
        rest = left[1:]
        if len(rest) == 1:
            self.try_last_two(use, fresh, use, tired, state, opposition, trail, used)
            return
        for move, change in opposition.iter_moves(use, fresh):
            after = state + change
            if rest:
                opposing = find_opposition(self.bitboards, after) if move.hit else opposition
                skipped = tired | fresh & self.bitboards.before[move.source]
                self.try_repeats(
                    use, after, rest, opposing, skipped, (trail, move), used + use.weight
                )
            else:
                self.whole.setdefault(after, (trail, move))

    def try_last_two(
        self,
        use: DiceUse,
        fresh: Bitboard,
        last: DiceUse,
        tired: Bitboard,
        state: State,
        opposition: Opposition,
        trail: Trail,
        used: int,
    ) -> None:
        """Try the last two numbers one after the other, the first from the fresh places."""
        # Most of all ends are found here, so nothing is asked that cannot matter. A hit closes and
        # opens no point.
        bitboards = self.bitboards
        size = bitboards.size
        end = self.whole.setdefault
        standing = bitboards.standing
        led, striking = opposition[last.number]
        left = (last.number,)
        for move, change in opposition.iter_moves(use, fresh):
            after = state + change
            possible = (
                (after + standing) & led
                if self.freely
                else find_movable(opposition, after, left, last)
            )
            # Two equal numbers can swap their men, and the pair is found when the lower place goes
            # first.
            skipped = tired | fresh & bitboards.before[move.source] if use is last else tired
            # `&` binds tighter than `^`: these are the possible places without those skipped.
            untried = possible ^ possible & skipped
            way = (trail, move)
            if not untried:
                # What is possible but skipped is found in another order, so this is no end.
                if not possible:
                    self.store_short_end(after, way, used + use.weight)
                continue
            if untried & striking:
                opposing = find_opposition(bitboards, after) if move.hit else opposition
                moves = opposing.iter_moves(last, untried)
            else:
                # The same as `iter_moves` where nobody is hit, without a call for each first move.
                moves = compress(last.quiet, untried.to_bytes(size, "little"))
            for onward, more in moves:
                end(after + more, (way, onward))

    def store_short_end(self, state: State, trail: Trail, used: int) -> None:
        """End where no number that is left can be played."""
        if self.whole or trail is None or used < self.most:
            return
        if used > self.most:
            self.most = used
            self.short.clear()
        bitboards = self.bitboards
        if bitboards.rules.ending_at_standstill and bitboards.rules.ending_at_standstill(
            bitboards.rules, unpack_position(state, bitboards.side, bitboards.size)
        ):
            state = clear_numbers(state, bitboards.size)
        self.short.setdefault(state, trail)
