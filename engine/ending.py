"""When a game ends."""

from engine.outcome import GameOutcome
from engine.position import Position, Side
from engine.rules import Ending, Rules
from engine.search.moves import is_stuck


def find_outcome(rules: Rules, position: Position) -> GameOutcome | None:
    """Return how the game has ended in this position, or None while it goes on.

    Judged after every single move: a side that has won stops, whatever is left of its throw [S1].
    """
    return (
        (rules.memory and rules.memory.ending(position.memory))
        or (rules.ending_after_move and rules.ending_after_move(rules, position))
        or (
            _score_full_table(rules, position)
            if rules.ending is Ending.FULL
            else _check_arrivals(rules, position)
        )
        or (rules.ending_at_standstill and rules.ending_at_standstill(rules, position))
    )


def has_arrived(rules: Rules, side: Side, men: bytes) -> bool:
    """Whether a side has won by bringing all its men off the board, or to its goal."""
    return sum(map(men.__getitem__, rules.arrival_places[side])) == rules.men


def find_deadlock(rules: Rules, position: Position) -> GameOutcome | None:
    """Return a draw if no throw could ever move a side again, else None [general principles]."""
    # The side that is to throw next is asked first: it mostly can move.
    if is_stuck(rules, position, position.turn.other) and is_stuck(rules, position, position.turn):
        return GameOutcome(None, "stuck")
    return None


def score_outcome(rules: Rules, position: Position, outcome: GameOutcome) -> GameOutcome:
    """Return an outcome with what it counts in this position, however the game came to its end."""
    return rules.score(rules, position, outcome) if rules.score else outcome


def _check_arrivals(rules: Rules, position: Position) -> GameOutcome | None:
    if has_arrived(rules, Side.GOLD, position.gold):
        return GameOutcome(Side.GOLD, rules.ending.value)
    if has_arrived(rules, Side.BLACK, position.black):
        return GameOutcome(Side.BLACK, rules.ending.value)
    return None


def _score_full_table(rules: Rules, position: Position) -> GameOutcome | None:
    """Count the six points of a full table: who holds more of them has won."""
    table = rules.course(Side.GOLD)
    held = {side: sum(position.men(side)[point] == 2 for point in table) for side in Side}
    if sum(held.values()) < len(table):
        return None
    if held[Side.GOLD] == held[Side.BLACK]:
        return GameOutcome(None, "even")
    winner = max(Side, key=held.__getitem__)
    return GameOutcome(
        winner, Ending.FULL.value, {"most": held[winner], "least": held[winner.other]}
    )
