"""The plays a throw allows: the search and the must-use rule.

A side plays as many of its numbers as it can, and where different sets of the same size can be played, the set with
the higher numbers [S0: they must be used if possible, the higher roll where there is a choice]. So every number has a
weight such that sums of weights order sets of numbers just so. The search finds the best sum from every state the
throw leads to, visiting each once (a state is the men, the numbers left and what is remembered), and then walks the
best ways only.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from engine.ending import arriving, judge
from engine.move import Move
from engine.position import Position, Side, seen_by
from engine.refusal import Reason, Refusal
from engine.routes import NUMBERS, Route, route
from engine.rules import Ending, Rules
from engine.steps import Look, open_moves, seen_steps, uses

_ALIKE = 7  # more equal numbers than any throw gives
WEIGHT = (0, *(_ALIKE**6 + _ALIKE ** (number - 1) for number in NUMBERS))
"""What a used number counts: sums compare first how many numbers were used, then the numbers, highest first."""


class Duty(StrEnum):
    """How much of the numbers a side must use."""

    MUST = "must"  # as many as it can, the higher first [S0]
    MAY = "may"  # any or none: the other side could not play them


class Play(NamedTuple):
    """What a side does with a throw: its moves in order, and the position they end in.

    The end keeps the side to move and the numbers that could not be played; after a win no numbers are left.
    """

    moves: tuple[Move, ...]
    end: Position


State: TypeAlias = tuple[int, int, tuple[int, ...], int]
"""The mover's men and the other side's, each as one number with a byte a place, the numbers left, and the memory."""

Edge: TypeAlias = tuple[Move, State]
"""A move and the state after it."""

Ways: TypeAlias = dict[State, list[Edge]]


def make(rules: Rules, position: Position, move: Move) -> Position:
    """Return the position after a move: the man moved, a blot hit, the number used (all of them after a win).

    Raises Refusal where no man stands at the source: nothing may ever count fewer than none.
    """
    side = position.turn
    if not position.men(side)[move.source]:
        raise Refusal(Reason.NO_MAN, side=side, place=rules.board.names[move.source])
    left = list(position.dice)
    for number in move.numbers:
        left.remove(number)
    root = root_of(position)
    mine, theirs = _moved(route(rules, side.other), root[0], root[1], position.men(side.other), move)
    after = position_of(rules, side, (mine, theirs, tuple(left), position.memory))
    if rules.memory:
        after = after._replace(memory=rules.memory.after(rules, after, move))
    return after if judge(rules, after) is None else after._replace(dice=())


def legal_plays(rules: Rules, position: Position, duty: Duty = Duty.MUST) -> list[Play]:
    """List the plays of the numbers in `position.dice`, one for each distinct position they can end in."""
    root, ways = search(rules, position, duty)
    if duty is Duty.MAY:
        return list(_wander(rules, position.turn, root, ways))
    return list(_walk(rules, position.turn, root, ways))


def next_moves(rules: Rules, position: Position, duty: Duty = Duty.MUST) -> list[Move]:
    """List the moves with which a legal play can begin."""
    root, ways = search(rules, position, duty)
    return [move for move, _ in ways[root]]


def root_of(position: Position) -> State:
    """Return a position as the state from which its search begins."""
    mine, theirs = position.men(position.turn), position.men(position.turn.other)
    return int.from_bytes(mine, "little"), int.from_bytes(theirs, "little"), position.dice, position.memory


def position_of(rules: Rules, side: Side, state: State) -> Position:
    """Return a state of the search as a position with that side to move."""
    size = len(rules.board.names)
    mine, theirs = state[0].to_bytes(size, "little"), state[1].to_bytes(size, "little")
    return seen_by(side, mine, theirs, state[2], state[3])


def _moved(foe: Route, mine: int, theirs: int, struck: bytes, move: Move) -> tuple[int, int]:
    """Move a man; `struck` are the other side's men by place, those on the target going where hit men go."""
    mine += (1 << 8 * move.target) - (1 << 8 * move.source)
    if move.hit:
        theirs += struck[move.target] * ((1 << 8 * foe.sent[move.target]) - (1 << 8 * move.target))
    return mine, theirs


def search(rules: Rules, position: Position, duty: Duty = Duty.MUST) -> tuple[State, Ways]:
    """Find from every state the throw leads to the moves that begin a legal play.

    Returns the root state and, for each state, its edges; a state without edges ends the throw.
    """
    return _best_ways(rules, position) if duty is Duty.MUST else _all_ways(rules, position)


def _all_ways(rules: Rules, position: Position) -> tuple[State, Ways]:
    """Find every move from every state, whatever it wastes; few numbers are ever offered, so plainly."""
    ways: Ways = {}
    found = [position]
    while found:
        here = found.pop()
        if root_of(here) not in ways:
            moves = list(open_moves(rules, here))
            after = [make(rules, here, move) for move in moves]
            ways[root_of(here)] = [(move, root_of(there)) for move, there in zip(moves, after, strict=True)]
            found += after
    return root_of(position), ways


def _best_ways(rules: Rules, position: Position) -> tuple[State, Ways]:
    """Find the moves that lead to the best sum of weights."""
    side = position.turn
    foe = route(rules, side.other)
    size = len(rules.board.names)
    memory = rules.memory
    standstill = rules.standstill
    # What ends most games is seen in the move alone; other verdicts must look at the whole position.
    arrives = arriving(rules, side) if rules.verdict is None and rules.ending is not Ending.FULL else None
    ways: Ways = {}
    best: dict[State, int] = {}

    def visit(state: State) -> int:
        packed_mine, packed_theirs, left, remembered = state
        mine = packed_mine.to_bytes(size, "little")
        theirs = packed_theirs.to_bytes(size, "little")
        look = Look(rules, side, mine, theirs, left, remembered)
        idle = memory is None or memory.idle(rules, mine, theirs)
        edges: list[Edge] = []
        most = 0
        for number, added, rest in uses(rules, left):
            own = sum(WEIGHT[each] for each in added) if added else WEIGHT[number]
            for move in seen_steps(look, number, added):
                men = _moved(foe, packed_mine, packed_theirs, theirs, move)
                after = (*men, rest, 0 if idle else _remembered(rules, side, (*men, rest, remembered), move))
                if arrives is None:
                    outcome = judge(rules, position_of(rules, side, after))
                else:
                    outcome = arrives(mine, move) or (memory.ends(after[3]) if memory and after[3] else None)
                worth = own
                if outcome is not None:
                    after = (*men, (), after[3])
                    if outcome.winner is side:
                        # A side that has won stops, so a win counts as if every number had been played [S1].
                        worth += sum(WEIGHT[n] for n in rest)
                elif rest:
                    known = best.get(after)
                    worth += visit(after) if known is None else known
                    if standstill and not ways[after] and standstill(rules, position_of(rules, side, after)):
                        after = (*men, (), after[3])
                if worth > most:
                    most = worth
                    edges = []
                if worth == most:
                    edges.append((move, after))
        best[state] = most
        ways[state] = edges
        return most

    root = root_of(position)
    visit(root)
    return root, ways


def _remembered(rules: Rules, side: Side, after: State, move: Move) -> int:
    assert rules.memory is not None
    return rules.memory.after(rules, position_of(rules, side, after), move)


def _wander(rules: Rules, side: Side, root: State, ways: Ways) -> Iterator[Play]:
    """Yield one play for each state but the root that can be reached, those of fewest moves first."""
    seen = {root}
    reached: list[tuple[State, tuple[Move, ...]]] = [(root, ())]
    for state, moves in reached:
        for move, after in ways[state]:
            if after not in seen:
                seen.add(after)
                reached.append((after, (*moves, move)))
                yield Play((*moves, move), position_of(rules, side, after))


def _walk(rules: Rules, side: Side, root: State, ways: Ways) -> Iterator[Play]:
    """Yield one play for each end of the best ways, the higher numbers first."""
    seen: set[State] = set()
    stack: list[tuple[State, tuple[Move, ...]]] = [(root, ())]
    while stack:
        state, moves = stack.pop()
        if state in seen:
            continue
        seen.add(state)
        onward = ways.get(state)
        if onward and any(after in ways for _, after in onward):
            stack.extend((after, (*moves, move)) for move, after in reversed(onward))
        elif onward:
            for move, after in onward:
                if after not in seen:
                    seen.add(after)
                    yield Play((*moves, move), position_of(rules, side, after))
        elif moves:
            yield Play(moves, position_of(rules, side, state))
