"""Single moves, and the plays a throw allows: the search and the must-use rule.

A side plays as many of its numbers as it can, and where different sets of the same size can be played, the set with
the higher numbers [S0: they must be used if possible, the higher roll where there is a choice]. So every number has a
weight such that sums of weights order sets of numbers just so. The search finds the best sum from every state the
throw leads to, visiting each once (a state is the men and the numbers left), and then walks the best ways only.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from engine.lanes import NUMBERS, Lane, lane
from engine.outcome import Outcome, judge
from engine.position import Position, Side
from engine.rules import Ending, Rules

_ALIKE = 7  # more equal numbers than any throw gives
WEIGHT = (0, *(_ALIKE**6 + _ALIKE ** (number - 1) for number in NUMBERS))
"""What a used number counts: sums compare first how many numbers were used, then the numbers, highest first."""


class Move(NamedTuple):
    """One man moved by one number: places, as in Board. `hit` says that an opposing man went to the bar."""

    source: int
    target: int
    number: int
    hit: bool = False


class Play(NamedTuple):
    """What a side does with a throw: its moves in order, and the position they end in.

    The end keeps the side to move and the numbers that could not be played; after a win no numbers are left.
    """

    moves: tuple[Move, ...]
    end: Position


State: TypeAlias = tuple[bytes, bytes, tuple[int, ...]]
"""The mover's men, the other side's, and the numbers left."""

Edge: TypeAlias = tuple[Move, State]
"""A move and the state after it."""

Ways: TypeAlias = dict[State, list[Edge]]


def steps(rules: Rules, position: Position, number: int) -> list[Move]:
    """List the moves one number allows now, whatever the other numbers and the must-use rule say."""
    side = position.turn
    return _steps(rules, lane(rules, side), position.men(side), position.men(side.other), number)


def make(rules: Rules, position: Position, move: Move) -> Position:
    """Return the position after a move: the man moved, a blot hit, the number used (all of them after a win)."""
    side = position.turn
    mine, theirs = _moved(rules, position.men(side), position.men(side.other), move)
    left = list(position.dice)
    left.remove(move.number)
    after = Position(*((mine, theirs) if side is Side.GOLD else (theirs, mine)), side, tuple(left))
    return after if judge(rules, after) is None else after._replace(dice=())


def stuck(rules: Rules, position: Position, side: Side) -> bool:
    """Whether no number whatever could move a man of that side."""
    there = position._replace(turn=side)
    return not any(steps(rules, there, number) for number in NUMBERS)


def dead(rules: Rules, position: Position) -> Outcome | None:
    """Return a draw if no throw could ever move either side again [general principles], else None."""
    if all(stuck(rules, position, side) for side in Side):
        return Outcome(None, "no throw could ever move either side")
    return None


def legal_plays(rules: Rules, position: Position) -> list[Play]:
    """List the plays of the numbers in `position.dice`, one for each distinct position they can end in."""
    return list(_walk(position, *search(rules, position)))


def next_moves(rules: Rules, position: Position) -> list[Move]:
    """List the moves with which a legal play can begin."""
    root, ways = search(rules, position)
    return [move for move, _ in ways[root]]


def position_of(side: Side, state: State) -> Position:
    """Return a state of the search as a position with that side to move."""
    mine, theirs, dice = state
    gold, black = (mine, theirs) if side is Side.GOLD else (theirs, mine)
    return Position(gold, black, side, dice)


def _steps(rules: Rules, way: Lane, mine: bytes, theirs: bytes, number: int) -> list[Move]:
    board, targets, room = rules.board, way.targets[number], way.room
    sources = (board.bar,) if mine[board.bar] else [place for place in range(board.off) if mine[place]]
    found = []
    for source in sources:
        target = targets[source]
        if target < 0:
            continue
        if target == board.off:
            if may_bear(rules, way, mine, source, number):
                found.append(Move(source, target, number))
        elif theirs[target] < 2 and mine[target] <= room[target]:
            found.append(Move(source, target, number, theirs[target] == 1))
    return found


def may_bear(rules: Rules, way: Lane, mine: bytes, source: int, number: int) -> bool:
    """Whether that number bears a man off that point: all men home, and exact or none farther back [S1]."""
    if sum(mine[point] for point in way.home) + mine[rules.board.off] != rules.men:
        return False
    return number == way.exact[source] or not any(mine[point] for point in way.behind[source])


def _moved(rules: Rules, mine: bytes, theirs: bytes, move: Move) -> tuple[bytes, bytes]:
    after = bytearray(mine)
    after[move.source] -= 1
    after[move.target] += 1
    if not move.hit:
        return bytes(after), theirs
    struck = bytearray(theirs)
    struck[move.target] = 0
    struck[rules.board.bar] += 1
    return bytes(after), bytes(struck)


def search(rules: Rules, position: Position) -> tuple[State, Ways]:
    """Find from every state the throw leads to the moves that begin a legal play.

    Returns the root state and, for each state, its edges; a state without edges ends the throw.
    """
    side = position.turn
    way, ended = lane(rules, side), _ended(rules, side)
    ways: Ways = {}
    best: dict[State, int] = {}

    def visit(state: State) -> int:
        if state in best:
            return best[state]
        mine, theirs, left = state
        edges: list[Edge] = []
        most = 0
        for at, number in enumerate(left):
            if at and number == left[at - 1]:
                continue
            rest = left[:at] + left[at + 1 :]
            for move in _steps(rules, way, mine, theirs, number):
                men = _moved(rules, mine, theirs, move)
                outcome = ended(*men)
                after: State = (*men, () if outcome else rest)
                worth = WEIGHT[number]
                if outcome is None:
                    worth += visit(after)
                elif outcome.winner is side:
                    # A side that has won stops, so a win counts as if every number had been played [S1].
                    worth += sum(WEIGHT[n] for n in rest)
                if worth > most:
                    most, edges = worth, []
                if worth == most:
                    edges.append((move, after))
        best[state], ways[state] = most, edges
        return most

    root: State = (position.men(side), position.men(side.other), position.dice)
    visit(root)
    return root, ways


def _ended(rules: Rules, side: Side) -> Callable[[bytes, bytes], Outcome | None]:
    """Return a quick `judge` of the mover's and the other side's men after a move of the mover."""
    if rules.verdict is None and rules.ending is Ending.OFF:
        off, all_men, won = rules.board.off, rules.men, Outcome(side, "every man borne off")
        return lambda mine, theirs: won if mine[off] == all_men else None
    return lambda mine, theirs: judge(rules, position_of(side, (mine, theirs, ())))


def _walk(position: Position, root: State, ways: Ways) -> Iterator[Play]:
    """Yield one play for each end of the best ways, the higher numbers first."""
    seen: set[State] = set()
    stack: list[tuple[State, tuple[Move, ...]]] = [(root, ())]
    while stack:
        state, moves = stack.pop()
        if state in seen:
            continue
        seen.add(state)
        onward = ways.get(state)
        if onward:
            stack.extend((after, (*moves, move)) for move, after in reversed(onward))
        elif moves:
            yield Play(moves, position_of(position.turn, state))
