"""What one number moves: which men may go, where it leads them, and who may land or be borne off there."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, compress
from typing import NamedTuple, TypeAlias

from engine.move import Move
from engine.position import Position, Side, seen_by
from engine.routes import Route, route
from engine.rules import Bearing, Placing, Reentry, Rules

Led: TypeAlias = tuple[tuple[int, Move, Move] | None, ...]
"""Where one use of the dice leads, by source: the target, and the move without and with a hit; None for nowhere."""

Use: TypeAlias = tuple[int, tuple[int, ...], tuple[int, ...]]
"""A number, or a sum of those in the second part, and what is left of the throw."""

Men: TypeAlias = bytes | bytearray
"""A side's men by place."""


class Look(NamedTuple):
    """A moment as the mover sees it, place by place."""

    rules: Rules
    side: Side
    mine: bytes
    theirs: bytes
    left: tuple[int, ...]
    memory: int


def uses(rules: Rules, left: tuple[int, ...]) -> tuple[Use, ...]:
    """List what a throw's numbers can be used for next: each by itself, and added up where the rules have sums."""
    return (*_single(left), *_summed(left)) if rules.sums else _single(left)


@lru_cache(maxsize=4096)
def _single(left: tuple[int, ...]) -> tuple[Use, ...]:
    return tuple((left[at], (), left[:at] + left[at + 1 :]) for at in range(len(left)) if left[at] not in left[:at])


@lru_cache(maxsize=4096)
def _summed(left: tuple[int, ...]) -> tuple[Use, ...]:
    found: list[Use] = []
    for size in range(2, len(left) + 1):
        for added in sorted(set(combinations(left, size)), reverse=True):
            rest = list(left)
            for number in added:
                rest.remove(number)
            found.append((sum(added), added, tuple(rest)))
    return tuple(found)


@lru_cache(maxsize=8192)
def led(rules: Rules, side: Side, number: int, added: tuple[int, ...] = ()) -> Led:
    """Work out where one use of the dice leads from every place."""
    return tuple(
        None
        if target < 0
        else (target, Move(source, target, number, False, added), Move(source, target, number, True, added))
        for source, target in enumerate(route(rules, side).targets[number])
    )


def steps(rules: Rules, position: Position, number: int, added: tuple[int, ...] = ()) -> list[Move]:
    """List the moves one number, or a sum of those added, allows now, whatever the must-use rule says."""
    mine = position.men(position.turn)
    theirs = position.men(position.turn.other)
    look = Look(rules, position.turn, mine, theirs, position.dice or (number,), position.memory)
    return seen_steps(look, number, added)


def open_moves(rules: Rules, position: Position) -> Iterator[Move]:
    """Yield the moves that the numbers left allow now, whatever the must-use rule says."""
    for number, added, _ in uses(rules, position.dice):
        yield from steps(rules, position, number, added)


def can_move(rules: Rules, position: Position) -> bool:
    """Whether any of the numbers left, or a sum of them where the rules have sums, can be used."""
    return any(True for _ in open_moves(rules, position))


def stuck(rules: Rules, position: Position, side: Side) -> bool:
    """Whether no number whatever, nor a sum where the rules have sums, could move a man of that side."""
    there = position._replace(turn=side, dice=())
    return not any(steps(rules, there, number) for number in range(1, len(route(rules, side).targets)))


def seen_steps(look: Look, number: int, added: tuple[int, ...]) -> list[Move]:
    """List the moves one use of the dice allows, as the mover sees it."""
    rules, side, mine, theirs, _, _ = look
    way = route(rules, side)
    off = rules.board.off
    leads = led(rules, side, number, added)
    found = []
    for source in _sources(look):
        leading = leads[source]
        if leading is None:
            continue
        target, quiet, hitting = leading
        if target == off:
            if may_bear(rules, way, mine, source, number):
                found.append(quiet)
        elif may_land(rules, way, mine, theirs, target) or (rules.breach and _breaches(look, way, hitting)):
            found.append(hitting if theirs[target] else quiet)
    return found if rules.simple else [move for move in found if not _bound(look, way, move)]


def _breaches(look: Look, way: Route, move: Move) -> bool:
    """Whether a game lets its man land on a closed point after all."""
    if look.rules.breach is None or not has_room(way, look.mine, move.target):
        return False
    here = seen_by(look.side, look.mine, look.theirs, look.left, look.memory)
    return look.rules.breach(look.rules, here, move)


def is_closed(rules: Rules, theirs: Men, target: int) -> bool:
    """Whether the other side's men close a point."""
    return theirs[target] >= rules.closed


def has_room(way: Route, mine: Men, target: int) -> bool:
    """Whether a side may bring one more man to a point, as far as its own men there go."""
    return mine[target] <= way.room[target]


def may_land(rules: Rules, way: Route, mine: Men, theirs: Men, target: int) -> bool:
    """Whether a man may land on a point: it is not closed, and there is room."""
    return not is_closed(rules, theirs, target) and has_room(way, mine, target)


def may_bear(rules: Rules, way: Route, mine: Men, source: int, number: int) -> bool:
    """Whether that number bears a man off that point: enough men home, and exact or none farther back [S1]."""
    if sum(mine[point] for point in way.home) < due_home(rules, mine):
        return False
    past = rules.bearing is Bearing.PAST
    return past or number == way.exact[source] or not any(mine[point] for point in way.behind[source])


def due_home(rules: Rules, mine: Men) -> int:
    """How many of a side's men must stand in its bearing table before one is borne off."""
    left = rules.men - mine[rules.board.off]
    return left if rules.gate is None else min(rules.gate, left)


def _bound(look: Look, way: Route, move: Move) -> bool:
    """Whether men still to be placed, or a hit man who would find his place taken, stand in a move's way."""
    rules = look.rules
    board = rules.board
    if rules.placing is not Placing.FREE and way.late[move.target]:
        return look.mine[board.hand] + board.waiting(look.mine) > 0
    # A man who is sent to a point goes there at once, so neither he nor the side that hits him may be on it.
    sent = route(rules, look.side.other).sent[move.target] if move.hit else board.off
    return sent < board.size and (look.mine[sent] > 0 or sent == move.target)


def _sources(look: Look) -> Sequence[int]:
    """Return the places from which a man may move, the bar and the hand before the board where they bind."""
    rules = look.rules
    mine = look.mine
    board = rules.board
    bars = [bar for bar in board.bars if mine[bar]] if any(mine[board.off + 1 :]) else []
    if bars and (rules.reentry is Reentry.FIRST or (rules.reentry is Reentry.SOFT and _can_enter(look, bars))):
        return bars
    if mine[board.hand] and rules.placing in (Placing.ALL, Placing.STILL):
        going_on = rules.memory.going_on(look.memory) if rules.memory else ()
        return [board.hand, *(place for place in going_on if mine[place])]
    return [*compress(range(board.off), mine), *bars]


def _can_enter(look: Look, bars: Sequence[int]) -> bool:
    way = route(look.rules, look.side)
    targets = [way.targets[number][bar] for number in look.left for bar in bars]
    return any(at >= 0 and may_land(look.rules, way, look.mine, look.theirs, at) for at in targets)
