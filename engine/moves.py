"""Single moves, and the plays a throw allows: the search and the must-use rule.

A side plays as many of its numbers as it can, and where different sets of the same size can be played, the set with
the higher numbers [S0: they must be used if possible, the higher roll where there is a choice]. So every number has a
weight such that sums of weights order sets of numbers just so. The search finds the best sum from every state the
throw leads to, visiting each once (a state is the men, the numbers left and what is remembered), and then walks the
best ways only.
"""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

from engine.lanes import NUMBERS, Lane, lane
from engine.outcome import Outcome, judge
from engine.position import Position, Side, seen_by
from engine.refusal import Refusal, Rule
from engine.rules import Bearing, Ending, Placing, Reentry, Rules

_ALIKE = 7  # more equal numbers than any throw gives
WEIGHT = (0, *(_ALIKE**6 + _ALIKE ** (number - 1) for number in NUMBERS))
"""What a used number counts: sums compare first how many numbers were used, then the numbers, highest first."""


class Move(NamedTuple):
    """One man moved by one number: places, as in Board. `hit` says that an opposing man was sent off.

    Where a game lets numbers be added, `number` may be the sum of those in `added`.
    """

    source: int
    target: int
    number: int
    hit: bool = False
    added: tuple[int, ...] = ()

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the throw that this move uses."""
        return self.added or (self.number,)


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

Led: TypeAlias = tuple[tuple[int, Move, Move] | None, ...]
"""Where one use of the dice leads, by source: the target, and the move without and with a hit; None for nowhere."""

Use: TypeAlias = tuple[int, tuple[int, ...], tuple[int, ...]]
"""A number, or a sum of those in the second part, and what is left of the throw."""


@lru_cache(maxsize=4096)
def uses(left: tuple[int, ...], sums: bool) -> tuple[Use, ...]:
    """List what a throw's numbers can be used for next: each by itself, and added up where the rules have sums."""
    single = [(left[at], (), left[:at] + left[at + 1 :]) for at in range(len(left)) if left[at] not in left[:at]]
    return (*single, *(_summed(left) if sums else ()))


def _summed(left: tuple[int, ...]) -> Iterator[Use]:
    for size in range(2, len(left) + 1):
        for added in sorted(set(combinations(left, size)), reverse=True):
            rest = list(left)
            for number in added:
                rest.remove(number)
            yield sum(added), added, tuple(rest)


def steps(rules: Rules, position: Position, number: int, added: tuple[int, ...] = ()) -> list[Move]:
    """List the moves one number, or a sum of those added, allows now, whatever the must-use rule says."""
    mine, theirs = position.men(position.turn), position.men(position.turn.other)
    look = _Look(rules, position.turn, mine, theirs, position.dice or (number,), position.memory)
    return _steps(look, number, added)


def make(rules: Rules, position: Position, move: Move) -> Position:
    """Return the position after a move: the man moved, a blot hit, the number used (all of them after a win).

    Raises Refusal where no man stands at the source: nothing may ever count fewer than none.
    """
    side = position.turn
    if not position.men(side)[move.source]:
        raise Refusal(Rule.NO_MAN, f"{side} has no man on {rules.board.names[move.source]}")
    left = list(position.dice)
    for number in move.numbers:
        left.remove(number)
    root = root_of(position)
    mine, theirs = _moved(lane(rules, side.other), root[0], root[1], position.men(side.other), move)
    after = position_of(rules, side, (mine, theirs, tuple(left), position.memory))
    if rules.memory:
        after = after._replace(memory=rules.memory.after(rules, after, move))
    return after if judge(rules, after) is None else after._replace(dice=())


def stuck(rules: Rules, position: Position, side: Side) -> bool:
    """Whether no number whatever, nor a sum where the rules have sums, could move a man of that side."""
    there = position._replace(turn=side, dice=())
    return not any(steps(rules, there, number) for number in range(1, len(lane(rules, side).targets)))


def can_move(rules: Rules, position: Position) -> bool:
    """Whether any of the numbers left, or a sum of them where the rules have sums, can be used."""
    return any(True for _ in open_moves(rules, position))


def open_moves(rules: Rules, position: Position) -> Iterator[Move]:
    """Yield the moves that the numbers left allow now, whatever the must-use rule says."""
    for number, added, _ in uses(position.dice, rules.sums):
        yield from steps(rules, position, number, added)


def dead(rules: Rules, position: Position) -> Outcome | None:
    """Return a draw if no throw could ever move either side again [general principles], else None."""
    if all(stuck(rules, position, side) for side in Side):
        return Outcome(None, "no throw could ever move either side")
    return None


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


class _Look(NamedTuple):
    """A state as the mover sees it, place by place."""

    rules: Rules
    side: Side
    mine: bytes
    theirs: bytes
    left: tuple[int, ...]
    memory: int


@lru_cache(maxsize=8192)
def led(rules: Rules, side: Side, number: int, added: tuple[int, ...] = ()) -> Led:
    """Work out where one use of the dice leads from every place."""
    return tuple(
        None
        if target < 0
        else (target, Move(source, target, number, False, added), Move(source, target, number, True, added))
        for source, target in enumerate(lane(rules, side).targets[number])
    )


def _steps(look: _Look, number: int, added: tuple[int, ...]) -> list[Move]:
    rules, side, mine, theirs, _, _ = look
    way, closed, off = lane(rules, side), rules.closed, rules.board.off
    room, leads = way.room, led(rules, side, number, added)
    found = []
    for source in _sources(look):
        if (lead := leads[source]) is None:
            continue
        target, quiet, hitting = lead
        if target == off:
            if may_bear(rules, way, mine, source, number):
                found.append(quiet)
        elif theirs[target] >= closed:
            if (
                rules.breach
                and mine[target] <= room[target]
                and rules.breach(rules, seen_by(look.side, look.mine, look.theirs, look.left, look.memory), hitting)
            ):
                found.append(hitting)
        elif mine[target] <= room[target]:
            found.append(hitting if theirs[target] else quiet)
    return found if rules.simple else [move for move in found if not _bound(look, way, move)]


def _bound(look: _Look, way: Lane, move: Move) -> bool:
    """Whether men still to be placed, or a hit man who would find his place taken, stand in a move's way."""
    rules, board = look.rules, look.rules.board
    if rules.placing is not Placing.FREE and way.late[move.target]:
        return look.mine[board.hand] + board.waiting(look.mine) > 0
    # A man who is sent to a point goes there at once, so neither he nor the side that hits him may be on it.
    sent = lane(rules, look.side.other).sent[move.target] if move.hit else board.off
    return sent < board.size and (look.mine[sent] > 0 or sent == move.target)


def _sources(look: _Look) -> Sequence[int]:
    """Return the places from which a man may move, the bar and the hand before the board where they bind."""
    rules, mine = look.rules, look.mine
    board, off = rules.board, rules.board.off
    if any(mine[off + 1 :]) and rules.reentry is not Reentry.FREE:
        bars = [bar for bar in board.bars if mine[bar]]
        if rules.reentry is Reentry.FIRST or _can_enter(look, bars):
            return bars
    if mine[board.hand] and rules.placing in (Placing.ALL, Placing.STILL):
        going_on = rules.memory.going_on(look.memory) if rules.memory else ()
        return [board.hand, *(place for place in going_on if mine[place])]
    found = [place for place, men in enumerate(mine[:off]) if men]
    if rules.reentry is Reentry.FREE:
        found += [bar for bar in board.bars if mine[bar]]
    return found


def _can_enter(look: _Look, bars: Sequence[int]) -> bool:
    way = lane(look.rules, look.side)
    targets = [way.targets[number][bar] for number in look.left for bar in bars]
    return any(at >= 0 and look.theirs[at] < look.rules.closed and look.mine[at] <= way.room[at] for at in targets)


def may_bear(rules: Rules, way: Lane, mine: bytes | bytearray, source: int, number: int) -> bool:
    """Whether that number bears a man off that point: enough men home, and exact or none farther back [S1]."""
    if sum(mine[point] for point in way.home) < due_home(rules, mine):
        return False
    past = rules.bearing is Bearing.PAST
    return past or number == way.exact[source] or not any(mine[point] for point in way.behind[source])


def due_home(rules: Rules, mine: bytes | bytearray) -> int:
    """How many of a side's men must stand in its bearing table before one is borne off."""
    left = rules.men - mine[rules.board.off]
    return left if rules.gate is None else min(rules.gate, left)


def _moved(foe: Lane, mine: int, theirs: int, struck: bytes, move: Move) -> tuple[int, int]:
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
    foe = lane(rules, side.other)
    size = len(rules.board.names)
    memory = rules.memory
    standstill = rules.standstill
    ended = _ended(rules, side)
    ways: Ways = {}
    best: dict[State, int] = {}

    def visit(state: State) -> int:
        packed_mine, packed_theirs, left, remembered = state
        mine, theirs = packed_mine.to_bytes(size, "little"), packed_theirs.to_bytes(size, "little")
        look = _Look(rules, side, mine, theirs, left, remembered)
        idle = memory is None or memory.idle(rules, mine, theirs)
        edges: list[Edge] = []
        most = 0
        for number, added, rest in uses(left, rules.sums):
            own = sum(WEIGHT[each] for each in added) if added else WEIGHT[number]
            for move in _steps(look, number, added):
                men = _moved(foe, packed_mine, packed_theirs, theirs, move)
                after = (*men, rest, 0 if idle else _remembered(rules, side, (*men, rest, remembered), move))
                outcome = ended(mine, move, after)
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
                    most, edges = worth, []
                if worth == most:
                    edges.append((move, after))
        best[state], ways[state] = most, edges
        return most

    root = root_of(position)
    visit(root)
    return root, ways


def _remembered(rules: Rules, side: Side, after: State, move: Move) -> int:
    assert rules.memory is not None
    return rules.memory.after(rules, position_of(rules, side, after), move)


Ended: TypeAlias = Callable[[bytes, Move, State], Outcome | None]
"""How a move of the mover ends the game: the mover's men before it, the move, and the state after it."""


def _ended(rules: Rules, side: Side) -> Ended:
    """Return a quick `judge` of the states after the mover's moves, but for a standstill."""
    if rules.verdict is None and rules.ending is Ending.OFF:
        off = rules.board.off
        others = rules.men - 1
        memory = rules.memory
        won = Outcome(side, "every man borne off")

        def last_off(mine: bytes, move: Move, after: State) -> Outcome | None:
            if move.target == off and mine[off] == others:
                return won
            return memory.ends(after[3]) if memory and after[3] else None

        return last_off
    if rules.verdict is None and rules.memory is None and rules.ending is Ending.GOAL:
        home = frozenset(rules.home(side))
        others = rules.men - 1
        won = Outcome(side, "every man in the last table")

        def last_home(mine: bytes, move: Move, _: State) -> Outcome | None:
            came = move.target in home and move.source not in home
            return won if came and sum(mine[point] for point in home) == others else None

        return last_home
    return lambda _, __, state: judge(rules, position_of(rules, side, state))


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
