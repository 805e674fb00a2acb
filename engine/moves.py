"""The plays a throw allows: the search and the must-use rule.

A side plays as many of its numbers as it can, and where different sets of the same size can be
played, the set with the higher numbers [S0: they must be used if possible, the higher roll where
there is a choice]. So every number has a weight such that sums of weights order sets of numbers
just so. The search finds the best sum from every state the throw leads to, visiting each once (a
state is the men, the numbers left and what is remembered), and then walks the best ways only.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, TypeAlias, overload

from engine.any_order import Trail, best_ends, may_win
from engine.ending import judge
from engine.lanes import Lane, lane
from engine.move import Move
from engine.outcome import Outcome
from engine.packed import BYTE, State, memory_of, pack, unpack, with_memory, without_numbers
from engine.position import Position, Side, seen_by
from engine.refusal import Reason, Refusal
from engine.routes import route
from engine.rules import Ending, Rules
from engine.steps import movable, sight_in, steps_from
from engine.uses import WEIGHT, Numbers, Use


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


def make(rules: Rules, position: Position, move: Move) -> Position:
    """Return the position after a move.

    The man has moved, a blot is hit and the number is used (all of them after a win). Raises
    Refusal where no man stands at the source: nothing may ever count fewer than none.
    """
    side = position.turn
    source, target, number, hit, added = move
    mine = bytearray(position.men(side))
    if not mine[source]:
        raise Refusal(Reason.NO_MAN, side=side, place=rules.board.names[source])
    mine[source] -= 1
    mine[target] += 1
    theirs = position.men(side.other)
    if hit:
        struck = bytearray(theirs)
        struck[target] = 0
        struck[route(rules, side.other).sent[target]] += theirs[target]
        theirs = bytes(struck)
    left = list(position.dice)
    for each in added or (number,):
        left.remove(each)
    after = seen_by(side, bytes(mine), theirs, tuple(left), position.memory)
    if rules.memory:
        after = after._replace(memory=rules.memory.after(rules, after, move))
    # Without numbers left it makes no difference to them whether the game has ended.
    return after if not left or judge(rules, after) is None else after._replace(dice=())


class Ends(Sequence[Position]):
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
            return [self._position(state) for state in self._states[at]]
        return self._position(self._states[at])

    def men(self) -> bytes:
        """Return the men of all ends in a row: the mover's by place, then the other side's."""
        length = 2 * self._size
        all_men = (1 << BYTE * length) - 1
        return b"".join([(state & all_men).to_bytes(length, "little") for state in self._states])

    def short(self) -> list[bool]:
        """Say in which of them some number is left."""
        return [without_numbers(state, self._size) != state for state in self._states]

    def memories(self) -> list[int]:
        """Return what is remembered in each of them."""
        return [memory_of(state, self._size) for state in self._states]

    def _position(self, state: State) -> Position:
        known = self._unpacked.get(state)
        if known is None:
            known = self._unpacked[state] = unpack(state, self._side, self._size)
        return known


class Plays(Sequence[Play]):
    """The plays of a throw, each written out when it is asked for.

    There may be hundreds of them. `ends` are the positions they lead to, in the same order;
    `reached` those of the plays that have been written out, by their moves.
    """

    __slots__ = ("_states", "_trails", "ends", "reached")

    def __init__(self, trails: Mapping[State, Trail], side: Side, size: int) -> None:
        self._trails = trails
        self._states = list(trails)
        self.ends = Ends(self._states, side, size)
        self.reached: dict[tuple[Move, ...], Position] = {}

    def __len__(self) -> int:
        return len(self._states)

    @overload
    def __getitem__(self, at: int) -> Play: ...

    @overload
    def __getitem__(self, at: slice) -> list[Play]: ...

    def __getitem__(self, at: int | slice) -> Play | list[Play]:
        if isinstance(at, slice):
            return [self._written(each) for each in range(*at.indices(len(self)))]
        return self._written(at)

    def _written(self, at: int) -> Play:
        moves = _followed(self._trails[self._states[at]])
        self.reached[moves] = end = self.ends[at]
        return Play(moves, end)


NO_PLAYS = Plays({}, Side.GOLD, 0)
"""Where nothing is to be played."""


def _followed(trail: Trail) -> tuple[Move, ...]:
    moves: list[Move] = []
    while trail:
        trail, move = trail
        moves.append(move)
    return tuple(reversed(moves))


def legal_plays(rules: Rules, position: Position, duty: Duty = Duty.MUST) -> Plays:
    """List the plays of the numbers in `position.dice`, one for each distinct end position."""
    side = position.turn
    size = len(rules.board.names)
    if duty is Duty.MAY:
        return Plays(_wander(*search(rules, position, duty)), side, size)
    here = lane(rules, side)
    root = pack(position, side)
    if here.any_order and _idle(rules, position) and not may_win(here, root, position.dice):
        return Plays(best_ends(here, root, position.dice), side, size)
    return Plays(_walk(*search(rules, position, duty)), side, size)


def _idle(rules: Rules, position: Position) -> bool:
    """Whether nothing is remembered, nor can be, as long as these numbers are played."""
    if rules.memory is None:
        return True
    mine, theirs = position.men(position.turn), position.men(position.turn.other)
    return not position.memory and rules.memory.idle(rules, 0, mine, theirs, len(position.dice))


def next_moves(rules: Rules, position: Position, duty: Duty = Duty.MUST) -> list[Move]:
    """List the moves with which a legal play can begin."""
    root, ways = search(rules, position, duty)
    return [move for move, _ in ways[root]]


def search(rules: Rules, position: Position, duty: Duty = Duty.MUST) -> tuple[State, Ways]:
    """Find from every state the throw leads to the moves that begin a legal play.

    Returns the root state and, for each state, its edges; a state without edges ends the throw.
    """
    return _best_ways(rules, position) if duty is Duty.MUST else _all_ways(rules, position)


def _all_ways(rules: Rules, position: Position) -> tuple[State, Ways]:
    """Find every move from every state, whatever it wastes."""
    here = lane(rules, position.turn)
    root = pack(position, position.turn)
    ways: Ways = {}
    found = [(root, position.dice)]
    while found:
        state, left = found.pop()
        if state in ways:
            continue
        ways[state] = edges = []
        for _, move, after, rest in _steps(here, state, left):
            over = rest and (_ended(here, after) or _still(here, after))
            there, onward = (without_numbers(after, here.size), ()) if over else (after, rest)
            edges.append((move, there))
            found.append((there, onward))
    return root, ways


def _steps(here: Lane, state: State, left: Numbers) -> Iterator[tuple[Use, Move, State, Numbers]]:
    """Yield the uses of the numbers left, each with its moves, the state after and what is left."""
    sight = sight_in(here, state)
    remember = _remembering(here, state)
    for use, rest in here.uses[left]:
        for move, change in steps_from(sight, use, movable(sight, state, left, use)):
            yield use, move, remember(state + change, move) if remember else state + change, rest


def _best_ways(rules: Rules, position: Position) -> tuple[State, Ways]:
    """Find the moves that lead to the best sum of weights."""
    search = _Search(lane(rules, position.turn))
    root = pack(position, position.turn)
    search.visit(root, position.dice)
    return root, search.ways


class _Search:
    """What the search found: from each state the moves of the best play, and the sum it reaches.

    A state from which nothing can be played is in `settled`, as it stays, where the game has ended
    there.
    """

    __slots__ = ("best", "lane", "settled", "ways")

    def __init__(self, lane: Lane) -> None:
        self.lane = lane
        self.ways: Ways = {}
        self.best: dict[State, int] = {}
        self.settled: dict[State, State] = {}

    def visit(self, state: State, left: Numbers) -> int:
        """Find the best ways from a state and return their sum of weights."""
        edges: list[Edge] = []
        most = 0
        for use, move, after, rest in _steps(self.lane, state, left):
            more, there = self._onward(after, rest) if rest else (0, after)
            worth = use.weight + more
            if worth > most:
                most = worth
                edges = []
            if worth == most:
                edges.append((move, there))
        self.best[state] = most
        self.ways[state] = edges
        if not edges and _still(self.lane, state):
            self.settled[state] = without_numbers(state, self.lane.size)
        return most

    def _onward(self, state: State, rest: Numbers) -> tuple[int, State]:
        """Return the best sum for the rest of the throw from a state.

        With it comes the state as it stays if the game is over.
        """
        known = self.best.get(state)
        if known is None:
            if outcome := _ended(self.lane, state):
                # A side that has won stops, so a win counts as if every number had been played
                # [S1].
                won = outcome.winner is self.lane.side
                return sum(WEIGHT[number] for number in rest) if won else 0, without_numbers(
                    state, self.lane.size
                )
            known = self.visit(state, rest)
        return known, self.settled.get(state, state)


def _ended(here: Lane, state: State) -> Outcome | None:
    """Return how the game has ended after a move of the mover's, or None while it goes on."""
    rules = here.rules
    if rules.verdict or rules.ending is Ending.FULL:
        return judge(rules, unpack(state, here.side, here.size))
    # What ends most games is seen in the mover's men alone.
    if not state & here.underway:
        return Outcome(here.side, rules.ending.value)
    return rules.memory.ends(memory_of(state, here.size)) if rules.memory else None


def _still(here: Lane, state: State) -> bool:
    """Whether the game ends because nothing that is left can be played."""
    standstill = here.rules.standstill
    return (
        standstill is not None
        and standstill(here.rules, unpack(state, here.side, here.size)) is not None
    )


def _remembering(here: Lane, state: State) -> Callable[[State, Move], State] | None:
    """Return a function that adds what the game remembers to the state after a move.

    Return None where there is nothing to remember.
    """
    memory = here.rules.memory
    if memory is None:
        return None
    before = unpack(state, here.side, here.size)
    if memory.idle(
        here.rules, before.memory, before.men(here.side), before.men(here.side.other), 1
    ):
        return (lambda after, _: with_memory(after, 0, here.size)) if before.memory else None

    def remember(after: State, move: Move) -> State:
        remembered = memory.after(here.rules, unpack(after, here.side, here.size), move)
        return with_memory(after, remembered, here.size)

    return remember


def _wander(root: State, ways: Ways) -> dict[State, Trail]:
    """Return the way to each reachable state but the root, those of fewest moves first."""
    trails: dict[State, Trail] = {root: None}
    reached = [root]
    for state in reached:
        for move, after in ways[state]:
            if after not in trails:
                trails[after] = (trails[state], move)
                reached.append(after)
    del trails[root]
    return trails


def _walk(root: State, ways: Ways) -> dict[State, Trail]:
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
            stack.extend((after, (trail, move)) for move, after in reversed(onward))
        elif trail:
            ends[state] = trail
    return ends
