"""When a game ends: said once, for whole positions and, quickly, for single moves."""

from collections.abc import Callable
from typing import TypeAlias

from engine.move import Move
from engine.outcome import Outcome
from engine.position import Position, Side
from engine.rules import Ending, Rules
from engine.steps import Men, stuck

Arriving: TypeAlias = Callable[[Men, Move], Outcome | None]
"""How a move of the mover wins by bringing home his last man: his men before it, and the move."""


def judge(rules: Rules, position: Position) -> Outcome | None:
    """Return how the game has ended in this position, or None while it goes on.

    Judged after every single move: a side that has won stops, whatever is left of its throw [S1].
    """
    return (
        (rules.memory and rules.memory.ends(position.memory))
        or (rules.verdict and rules.verdict(rules, position))
        or (_filled(rules, position) if rules.ending is Ending.FULL else _first_home(rules, position))
        or (rules.standstill and rules.standstill(rules, position))
    )


def arrived(rules: Rules, side: Side, men: Men) -> bool:
    """Whether a side has won by bringing all its men off the board, or to its goal."""
    if rules.ending is Ending.OFF:
        return men[rules.board.off] == rules.men
    return rules.ending is Ending.GOAL and sum(men[point] for point in rules.home(side)) == rules.men


def arriving(rules: Rules, side: Side) -> Arriving:
    """Return a quick `arrived` of the moves of a side that had not arrived before."""
    places = frozenset((rules.board.off,) if rules.ending is Ending.OFF else rules.home(side))
    others = rules.men - 1
    won = Outcome(side, rules.ending.value)

    def last(mine: Men, move: Move) -> Outcome | None:
        came = move.target in places and move.source not in places
        return won if came and sum(mine[place] for place in places) == others else None

    return last


def dead(rules: Rules, position: Position) -> Outcome | None:
    """Return a draw if no throw could ever move either side again [general principles], else None."""
    if all(stuck(rules, position, side) for side in Side):
        return Outcome(None, "stuck")
    return None


def valued(rules: Rules, position: Position, outcome: Outcome) -> Outcome:
    """Return an outcome with what it counts in this position, however the game came to its end."""
    return rules.worth(rules, position, outcome) if rules.worth else outcome


def _first_home(rules: Rules, position: Position) -> Outcome | None:
    for side in Side:
        if arrived(rules, side, position.men(side)):
            return Outcome(side, rules.ending.value)
    return None


def _filled(rules: Rules, position: Position) -> Outcome | None:
    """Count the six points of a full table: who holds more of them has won."""
    table = rules.course(Side.GOLD)
    held = {side: sum(position.men(side)[point] == 2 for point in table) for side in Side}
    if sum(held.values()) < len(table):
        return None
    if held[Side.GOLD] == held[Side.BLACK]:
        return Outcome(None, "even")
    winner = max(Side, key=held.__getitem__)
    return Outcome(winner, Ending.FULL.value, {"most": held[winner], "least": held[winner.other]})
