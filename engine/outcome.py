"""How a game ends, and when."""

from dataclasses import dataclass

from engine.position import Position, Side
from engine.rules import Ending, Rules


@dataclass(frozen=True, slots=True)
class Outcome:
    """The winner (None for a draw), how it came about in a few words, and how many games or points it counts."""

    winner: Side | None
    by: str
    points: int = 1


def judge(rules: Rules, position: Position) -> Outcome | None:
    """Return how the game has ended in this position, or None while it goes on.

    Judged after every single move: a side that has won stops, whatever is left of its throw [S1].
    """
    return (
        (rules.memory and rules.memory.ends(position.memory))
        or (rules.verdict and rules.verdict(rules, position))
        or _ENDINGS[rules.ending](rules, position)
        or (rules.standstill and rules.standstill(rules, position))
    )


def valued(rules: Rules, position: Position, outcome: Outcome) -> Outcome:
    """Return an outcome with what it counts in this position, however the game came to its end."""
    return rules.worth(rules, position, outcome) if rules.worth else outcome


def _all_off(rules: Rules, position: Position) -> Outcome | None:
    for side in Side:
        if position.men(side)[rules.board.off] == rules.men:
            return Outcome(side, "every man borne off")
    return None


def _all_home(rules: Rules, position: Position) -> Outcome | None:
    for side in Side:
        men = position.men(side)
        if sum(men[point] for point in rules.home(side)) == rules.men:
            return Outcome(side, "every man in the last table")
    return None


def _all_full(rules: Rules, position: Position) -> Outcome | None:
    table = rules.course(Side.GOLD)
    gold, black = ([men[point] == 2 for point in table] for men in (position.gold, position.black))
    if sum(gold) + sum(black) < len(table):
        return None
    if sum(gold) == sum(black):
        return Outcome(None, "three points each")
    winner = Side.GOLD if sum(gold) > sum(black) else Side.BLACK
    return Outcome(winner, f"{max(sum(gold), sum(black))} points to {min(sum(gold), sum(black))}")


_ENDINGS = {Ending.OFF: _all_off, Ending.GOAL: _all_home, Ending.FULL: _all_full}
