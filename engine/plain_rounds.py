"""Rounds of throws and random plays on bare counts of men, for games in which a turn is no more than that.

A play that uses every number of its throw is legal whatever the others are, so a random one is looked for man by man;
only where none is found are all plays listed. So single moves are drawn evenly here, and not whole plays.
"""

from dataclasses import replace
from functools import lru_cache
from itertools import compress, permutations, product
from random import Random
from typing import NamedTuple, TypeAlias

from engine import throws
from engine.ending import arrived
from engine.events import Played, Thrown
from engine.match import Match, follow
from engine.move import Move
from engine.moves import legal_plays
from engine.position import Position, Side, seen_by
from engine.routes import NUMBERS, Route, route
from engine.rules import Dice, Ending, Reentry, Rules, Unusable
from engine.steps import Led, led, may_bear, may_land, stuck

Orders: TypeAlias = tuple[tuple[tuple[int, ...], tuple[tuple[int, ...], ...]], ...]
"""Every throw, all equally likely, with the orders in which its numbers may be played."""


class _Mover(NamedTuple):
    """One side's men and the other's, by place and changed as they move, and where numbers lead its men."""

    rules: Rules
    side: Side
    mine: bytearray
    theirs: bytearray
    way: Route
    leads: tuple[Led, ...]
    sent: tuple[int, ...]
    bar: int
    off: int


def plain(rules: Rules) -> bool:
    """Whether a turn is a throw and its plays, and the game is over when the last man is home or borne off."""
    turns = rules.players == 1 and not rules.dice.doubles.throws_again and rules.unusable is Unusable.LOST
    moves = rules.simple and not rules.sums and rules.reentry is Reentry.FIRST and len(rules.board.bars) == 1
    hooks = (rules.verdict, rules.standstill, rules.memory, rules.breach, rules.contest)
    return turns and moves and rules.dice.presumed is None and rules.ending is not Ending.FULL and not any(hooks)


def rounds(match: Match, chance: Random, most_throws: int) -> Match:
    """Play on from where a throw is due until the match is over, so many throws are drawn, or a side is stuck."""
    rules = match.rules
    drawn = match.drawn
    orders = _orders(rules.dice)
    random = chance.random
    counts = {side: bytearray(match.position.men(side)) for side in Side}
    mover, other = (_mover(rules, side, counts) for side in (match.turn, match.turn.other))
    while drawn < most_throws:
        position = _position(mover)
        thrown, ways = orders[int(random() * len(orders))]
        moves = _play(mover, position, ways[int(random() * len(ways))], chance)
        won = arrived(rules, mover.side, mover.mine)
        if won or (not moves and stuck(rules, position, mover.side)):
            due = _reached(match, drawn, position)
            return follow(follow(due, Thrown(thrown)), Played(tuple(moves))) if won else due
        drawn += 1
        mover, other = other, mover
    return _reached(match, drawn, _position(mover))


@lru_cache(maxsize=32)
def _orders(dice: Dice) -> Orders:
    every = product(NUMBERS, repeat=dice.count)
    return tuple((thrown, tuple(sorted(set(permutations(throws.numbers(dice, thrown)))))) for thrown in every)


def _mover(rules: Rules, side: Side, counts: dict[Side, bytearray]) -> _Mover:
    leads = ((), *(led(rules, side, number) for number in NUMBERS))
    way = route(rules, side)
    sent = route(rules, side.other).sent
    board = rules.board
    return _Mover(rules, side, counts[side], counts[side.other], way, leads, sent, board.bars[0], board.off)


def _position(mover: _Mover) -> Position:
    return seen_by(mover.side, bytes(mover.mine), bytes(mover.theirs))


def _reached(match: Match, drawn: int, position: Position) -> Match:
    """Return the match at a later throw; a throw and its play are two events."""
    return replace(match, position=position, drawn=drawn, version=match.version + 2 * (drawn - match.drawn))


def _play(mover: _Mover, position: Position, numbers: tuple[int, ...], chance: Random) -> list[Move]:
    """Play a throw at random and return the moves: man by man, or one of the listed plays where that gets stuck."""
    moves: list[Move] = []
    for number in numbers:
        move = _step(mover, number, chance)
        if move is None:
            break
        moves.append(move)
        if arrived(mover.rules, mover.side, mover.mine):
            return moves
    else:
        return moves
    dice = tuple(sorted(numbers, reverse=True))
    plays = legal_plays(mover.rules, position._replace(dice=dice))
    if not plays:
        return []
    play = chance.choice(plays)
    mover.mine[:], mover.theirs[:] = play.end.men(mover.side), play.end.men(mover.side.other)
    return list(play.moves)


def _step(mover: _Mover, number: int, chance: Random) -> Move | None:
    """Move a man by that number, each that can be moved equally likely, and return the move, or None."""
    rules, _, mine, theirs, way, leads, sent, bar, off = mover
    random = chance.random
    lead = leads[number]
    sources = [bar] if mine[bar] else list(compress(range(len(mine)), mine))
    while sources:
        at = int(random() * len(sources))
        source, sources[at] = sources[at], sources[-1]
        sources.pop()
        if (leading := lead[source]) is None:
            continue
        target, quiet, hitting = leading
        if target == off:
            if not may_bear(rules, way, mine, source, number):
                continue
        elif not may_land(rules, way, mine, theirs, target):
            continue
        mine[source] -= 1
        mine[target] += 1
        if target == off or not theirs[target]:
            return quiet
        theirs[sent[target]] += theirs[target]
        theirs[target] = 0
        return hitting
    return None
