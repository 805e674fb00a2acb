"""The plays a throw allows: the search and the must-use rule.

A side plays as many of its numbers as it can, and where different sets of the same size can be
played, the set with the higher numbers [S0: they must be used if possible, the higher roll where
there is a choice]. So every number has a weight such that sums of weights order sets of numbers
just so. The search finds the best sum from every state the throw leads to, visiting each once (a
state is the men, the numbers left and what is remembered), and then walks the best ways only.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple, TypeAlias, overload

from engine.ending import find_outcome
from engine.move import Move
from engine.position import Position, Side, build_position
from engine.refusal import Reason, Refusal
from engine.rules import Rules
from engine.search.bitboards import SideBitboards, build_bitboards
from engine.search.dice_uses import WEIGHT, Numbers
from engine.search.expansion import expand_state, find_state_outcome, is_standstill
from engine.search.routes import build_route
from engine.search.state import (
    BYTE,
    State,
    clear_numbers,
    pack_position,
    unpack_memory,
    unpack_position,
)
from engine.search.unordered import Trail, find_best_ends, may_win

RECALLED = 16
"""Searches that are remembered; the largest take 1 MB."""


class Duty(StrEnum):
    """How much of the numbers a side must use."""

    MUST = "must"  # as many as it can, the higher first [S0]
    MAY = "may"  # any or none: the other side could not play them


class Play(NamedTuple):
    """What a side does with a throw: its moves in order, and the position they end in.

    The end keeps the side to move and the numbers that could not be played; after a win no numbers
    are left.
    """

    moves: tuple[Move, ...]
    end: Position


Edge: TypeAlias = tuple[Move, State]
"""A move and the state after it."""

Ways: TypeAlias = dict[State, list[Edge]]


def make_move(rules: Rules, position: Position, move: Move) -> Position:
    """Return the position after a move.

    The man has moved, a blot is hit and the number is used (all of them after a win). Raises
    Refusal where no man stands at the source: nothing may ever count fewer than none.
    """
    side = position.turn
    source, target, number, hit, added = move
    mine = bytearray(position.men(side))
    if not mine[source]:
        raise Refusal(Reason.NO_MAN, side=side, place=rules.board.place_names[source])
    mine[source] -= 1
    mine[target] += 1
    theirs = position.men(side.other)
    if hit:
        struck = bytearray(theirs)
        struck[target] = 0
        # A breach sends off every man of a closed point at once; an ordinary hit finds only one
        # here.
        struck[build_route(rules, side.other).sent[target]] += theirs[target]
        theirs = bytes(struck)
    left = list(position.dice)
    # The number of a sum is no die: what it uses up are the numbers that were added.
    for each in added or (number,):
        left.remove(each)
    after = build_position(side, bytes(mine), theirs, tuple(left), position.memory)
    if rules.memory:
        after = after._replace(memory=rules.memory.after(rules, after, move))
    # Without numbers left it makes no difference to them whether the game has ended.
    return after if not left or find_outcome(rules, after) is None else after._replace(dice=())


class EndPositions(Sequence[Position]):
    """The positions in which the plays of a throw end, each unpacked when first asked for."""

    __slots__ = ("_side", "_size", "_states", "_unpacked")

    def __init__(self, states: Sequence[State], side: Side, size: int) -> None:
        self._states = states
        self._side = side
        self._size = size
        self._unpacked: dict[State, Position] = {}

    def __len__(self) -> int:
        return len(self._states)

    @overload
    def __getitem__(self, at: int) -> Position: ...

    @overload
    def __getitem__(self, at: slice) -> list[Position]: ...

    def __getitem__(self, at: int | slice) -> Position | list[Position]:
        if isinstance(at, slice):
            return [self._unpack_position(state) for state in self._states[at]]
        return self._unpack_position(self._states[at])

    def join_men(self) -> bytes:
        """Return the men of all ends in a row: the mover's by place, then the other side's."""
        length = 2 * self._size
        # The lowest bytes of a state are the mover's men, the next ones the other side's, so the
        # men of both are one slice of it.
        all_men = (1 << BYTE * length) - 1
        return b"".join([(state & all_men).to_bytes(length, "little") for state in self._states])

    def find_unfinished(self) -> list[bool]:
        """Say in which of them some number is left."""
        # Clearing leaves a state without numbers as it is, so nothing needs to be unpacked to ask.
        return [clear_numbers(state, self._size) != state for state in self._states]

    def list_memories(self) -> list[int]:
        """Return what is remembered in each of them."""
        return [unpack_memory(state, self._size) for state in self._states]

    def _unpack_position(self, state: State) -> Position:
        known = self._unpacked.get(state)
        if known is None:
            known = self._unpacked[state] = unpack_position(state, self._side, self._size)
        return known


class PlayList(Sequence[Play]):
    """The plays of a throw, each written out when it is asked for.

    There may be hundreds of them. `ends` are the positions they lead to, in the same order;
    `reached` those of the plays that have been written out, by their moves.
    """

    __slots__ = ("_states", "_trails", "ends", "reached")

    def __init__(self, trails: Mapping[State, Trail], side: Side, size: int) -> None:
        self._trails = trails
        self._states = list(trails)
        self.ends = EndPositions(self._states, side, size)
        self.reached: dict[tuple[Move, ...], Position] = {}

    def __len__(self) -> int:
        return len(self._states)

    @overload
    def __getitem__(self, at: int) -> Play: ...

    @overload
    def __getitem__(self, at: slice) -> list[Play]: ...

    def __getitem__(self, at: int | slice) -> Play | list[Play]:
        if isinstance(at, slice):
            return [self._write_out(each) for each in range(*at.indices(len(self)))]
        return self._write_out(at)

    def _write_out(self, at: int) -> Play:
        moves = _unroll_trail(self._trails[self._states[at]])
        # The play's end is then found here, without moving the men again.
        self.reached[moves] = end = self.ends[at]
        return Play(moves, end)


NO_PLAYS = PlayList({}, Side.GOLD, 0)
"""Where nothing is to be played."""


def _unroll_trail(trail: Trail) -> tuple[Move, ...]:
    moves: list[Move] = []
    while trail:
        trail, move = trail
        moves.append(move)
    return tuple(reversed(moves))


def list_legal_plays(rules: Rules, position: Position, duty: Duty = Duty.MUST) -> PlayList:
    """List the plays of the numbers in `position.dice`, one for each distinct end position."""
    side = position.turn
    size = len(rules.board.place_names)
    # Offered numbers may be left at any point, so every state on the way is the end of a play.
    if duty is Duty.MAY:
        return PlayList(_find_reachable(*search_plays(rules, position, duty)), side, size)
    bitboards = build_bitboards(rules, side)
    root = pack_position(position, side)
    # Trying each pair of moves in one order only is right where the other order ends alike: without
    # judgements or memory between the moves, and as long as nobody can win on the way.
    if (
        bitboards.any_order
        and _can_ignore_memory(rules, position)
        and not may_win(bitboards, root, position.dice)
    ):
        return PlayList(find_best_ends(bitboards, root, position.dice), side, size)
    return PlayList(_walk_best_ways(*search_plays(rules, position, duty)), side, size)


def _can_ignore_memory(rules: Rules, position: Position) -> bool:
    """Whether nothing is remembered, nor can be, as long as these numbers are played."""
    if rules.memory is None:
        return True
    mine, theirs = position.men(position.turn), position.men(position.turn.other)
    # Each number left is at most one move, so no play is longer than this.
    return not position.memory and rules.memory.idle(rules, 0, mine, theirs, len(position.dice))


def list_next_moves(rules: Rules, position: Position, duty: Duty = Duty.MUST) -> list[Move]:
    """List the moves with which a legal play can begin."""
    root, ways = recall_plays(rules, position, duty)
    return [move for move, _ in ways[root]]


def list_one_man_plays(
    rules: Rules, position: Position, duty: Duty = Duty.MUST
) -> list[tuple[Move, ...]]:
    """List the ways in which one man alone makes the whole play, by several numbers.

    Of those that end alike the first is listed.
    """
    root, ways = recall_plays(rules, position, duty)
    ends: dict[State, tuple[Move, ...]] = {}
    for source in dict.fromkeys(move.source for move, _ in ways[root]):
        for moves, end in walk_man(ways, source, root):
            if len(moves) > 1 and not ways.get(end):
                ends.setdefault(end, moves)
    return list(ends.values())


def walk_man(ways: Ways, source: int, state: State) -> Iterator[tuple[tuple[Move, ...], State]]:
    """Yield how the man on a place can go on by one number or several, and where each way ends."""
    for move, after in ways.get(state, ()):
        if move.source == source:
            yield (move,), after
            for more, end in walk_man(ways, move.target, after):
                yield (move, *more), end


def list_unblocked_targets(rules: Rules, side: Side, number: int) -> tuple[int, ...]:
    """Return where a man of a side on each point would go by a number if nothing barred its way.

    What is no point is beyond the end of the course, or nowhere.
    """
    return build_route(rules, side).targets[number]


def search_plays(rules: Rules, position: Position, duty: Duty = Duty.MUST) -> tuple[State, Ways]:
    """Find from every state the throw leads to the moves that begin a legal play.

    Returns the root state and, for each state, its edges; a state without edges ends the throw.
    """
    return (
        _search_best_ways(rules, position)
        if duty is Duty.MUST
        else _search_all_ways(rules, position)
    )


@lru_cache(maxsize=RECALLED)
def recall_plays(rules: Rules, position: Position, duty: Duty = Duty.MUST) -> tuple[State, Ways]:
    """Return what `search_plays` finds, which nobody may change, as long as it is remembered.

    A player asks about one position again and again: at every letter that is typed.
    """
    return search_plays(rules, position, duty)


def _search_all_ways(rules: Rules, position: Position) -> tuple[State, Ways]:
    """Find every move from every state, whatever it wastes."""
    bitboards = build_bitboards(rules, position.turn)
    root = pack_position(position, position.turn)
    ways: Ways = {}
    found = [(root, position.dice)]
    while found:
        state, left = found.pop()
        if state in ways:
            continue
        ways[state] = edges = []
        for _, move, after, rest in expand_state(bitboards, state, left):
            # Once no number is left it makes no difference here: the match asks whether the game is
            # over.
            over = rest and (
                find_state_outcome(bitboards, after) or is_standstill(bitboards, after)
            )
            there, onward = (clear_numbers(after, bitboards.size), ()) if over else (after, rest)
            edges.append((move, there))
            found.append((there, onward))
    return root, ways


def _search_best_ways(rules: Rules, position: Position) -> tuple[State, Ways]:
    """Find the moves that lead to the best sum of weights."""
    search = _BestPlaySearch(build_bitboards(rules, position.turn))
    root = pack_position(position, position.turn)
    search.visit_state(root, position.dice)
    return root, search.ways


class _BestPlaySearch:
    """What the search found: from each state the moves of the best play, and the sum it reaches.

    A state from which nothing can be played is in `settled`, as it stays, where the game has ended
    there.
    """

    __slots__ = ("best", "bitboards", "settled", "ways")

    def __init__(self, bitboards: SideBitboards) -> None:
        self.bitboards = bitboards
        self.ways: Ways = {}
        self.best: dict[State, int] = {}
        self.settled: dict[State, State] = {}

    def visit_state(self, state: State, left: Numbers) -> int:
        """Find the best ways from a state and return their sum of weights."""
        edges: list[Edge] = []
        most = 0
        for use, move, after, rest in expand_state(self.bitboards, state, left):
            more, there = self._visit_rest(after, rest) if rest else (0, after)
            total = use.weight + more
            # A better sum makes every move found before it illegal, so the list starts over.
            if total > most:
                most = total
                edges = []
            if total == most:
                edges.append((move, there))
        self.best[state] = most
        self.ways[state] = edges
        if not edges and is_standstill(self.bitboards, state):
            self.settled[state] = clear_numbers(state, self.bitboards.size)
        return most

    def _visit_rest(self, state: State, rest: Numbers) -> tuple[int, State]:
        """Return the best sum for the rest of the throw from a state.

        With it comes the state as it stays if the game is over.
        """
        # A state includes the numbers left, so what is known of it holds for every way that leads
        # to it.
        known = self.best.get(state)
        if known is None:
            if outcome := find_state_outcome(self.bitboards, state):
                # A side that has won stops, so a win counts as if every number had been played
                # [S1].
                won = outcome.winner is self.bitboards.side
                return sum(WEIGHT[number] for number in rest) if won else 0, clear_numbers(
                    state, self.bitboards.size
                )
            known = self.visit_state(state, rest)
        return known, self.settled.get(state, state)


def _find_reachable(root: State, ways: Ways) -> dict[State, Trail]:
    """Return the way to each reachable state but the root, those of fewest moves first."""
    trails: dict[State, Trail] = {root: None}
    reached = [root]
    # The list grows while it is walked, which makes it a breadth-first queue.
    for state in reached:
        for move, after in ways[state]:
            if after not in trails:
                trails[after] = (trails[state], move)
                reached.append(after)
    # To play nothing is no play: leaving the numbers is an event of its own.
    del trails[root]
    return trails


def _walk_best_ways(root: State, ways: Ways) -> dict[State, Trail]:
    """Return the way to each end of the best ways, the higher numbers first."""
    ends: dict[State, Trail] = {}
    seen: set[State] = set()
    stack: list[tuple[State, Trail]] = [(root, None)]
    while stack:
        state, trail = stack.pop()
        if state in seen:
            continue
        seen.add(state)
        onward = ways.get(state)
        if onward:
            # A stack gives back the last first, so reversed edges come out in their own order.
            stack.extend((after, (trail, move)) for move, after in reversed(onward))
        # A root without edges is a throw of which nothing can be played: it has no plays at all.
        elif trail:
            ends[state] = trail
    return ends
