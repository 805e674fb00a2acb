"""Solve Twelve Dogs: both sides enter men on the same six points, and nobody ever has a choice.

A state is what stands on each of the six points. How many men a side has in hand follows from that,
and men who were hit wait beside them and come in alike. The throw plays itself, so each state has
one successor a throw, and its chances are those of a walk among 15,625 states. All six numbers are
as likely, so points may change places: by what they hold, sorted, 210 tables are left.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.ending import find_outcome
from engine.plays import Duty, list_legal_plays
from engine.position import Position, Side
from engine.rules import Rules, UnusableRule
from lab.solving.apart import Numbers, list_number_chances

Values: TypeAlias = npt.NDArray[np.float64]
Places: TypeAlias = npt.NDArray[np.intp]

HELD = ((0, 0), (1, 0), (2, 0), (0, 1), (0, 2))
"""What may stand on a point: the men of the side that is to throw, and the other side's."""

Table: TypeAlias = tuple[tuple[int, int], ...]
"""What stands on each of the six points."""

UNDECIDED = 1e-13
"""How likely it may still be that a game has not ended when its chances are taken as settled."""


class _Step(NamedTuple):
    """What a throw leads to: another state, or the end of the game with so much for the thrower."""

    state: int
    result: int


@dataclass(frozen=True)
class SolvedTable:
    """The chances of the side that is to throw, by state; neither wins with what is missing of one.

    `tables` are the states in order; those in which the game is over have no chances. `after` are
    the states to which each throw leads, below nought where the game is over: `results` then says
    what it is worth to the thrower. `throws` are how likely the throws are.
    """

    tables: tuple[Table, ...]
    wins: Values
    losses: Values
    after: Places
    results: Places
    throws: Values


def find_table(rules: Rules, position: Position, side: Side) -> Table:
    """Return what stands on the points, the men of a side first."""
    mine, theirs = position.men(side), position.men(side.other)
    return tuple((mine[point], theirs[point]) for point in rules.course(side))


def place_table(rules: Rules, table: Table, dice: Numbers = ()) -> Position:
    """Return the position of a table with gold to move, all other men in hand."""
    gold, black = bytearray(rules.board.no_men), bytearray(rules.board.no_men)
    for point, (mine, theirs) in zip(rules.course(Side.GOLD), table, strict=True):
        gold[point], black[point] = mine, theirs
    for men in (gold, black):
        men[rules.board.hand] = rules.men - sum(men)
    return Position(bytes(gold), bytes(black), Side.GOLD, dice)


def sort_table(table: Table) -> Table:
    """Return what stands on the points in the order in which tables are sorted."""
    return tuple(sorted(table, key=HELD.index))


def solve_table(rules: Rules) -> SolvedTable:
    """Solve the game by these rules."""
    chances = list_number_chances(rules)
    tables = tuple(
        table
        for table in combinations_with_replacement(HELD, 6)
        if find_outcome(rules, place_table(rules, table)) is None
    )
    states = {table: at for at, table in enumerate(tables)}
    steps = [[_play_throw(rules, table, each, states) for each in chances] for table in tables]
    after = np.array([[step.state for step in row] for row in steps])
    results = np.array([[step.result for step in row] for row in steps])
    over = after < 0
    likely = np.array(list(chances.values()))
    wins, losses, draws = (np.zeros(len(tables)) for _ in range(3))
    while (1 - wins - losses - draws).max() > UNDECIDED:
        # The next side's loss is this one's win.
        wins, losses, draws = (
            np.where(over, results == ended, values[after]) @ likely
            for ended, values in ((1, losses), (-1, wins), (0, draws))
        )
    return SolvedTable(tables, wins, losses, after, results, likely)


def _play_throw(rules: Rules, table: Table, numbers: Numbers, states: Mapping[Table, int]) -> _Step:
    """Return what a throw leads to; the side that throws next is then the one to throw."""
    position = place_table(rules, table, numbers)
    end = _find_end(rules, position)
    # Ad fallum: a side that cannot play every number has lost.
    if end.dice and rules.unusable is UnusableRule.LOSES:
        return _Step(-1, -1)
    outcome = find_outcome(rules, end)
    if outcome is not None:
        return _Step(-1, {Side.GOLD: 1, Side.BLACK: -1, None: 0}[outcome.winner])
    if any(_list_offered(rules, end)):
        raise ValueError("a number is of use to the other side: there is a choice after all")
    return _Step(states[sort_table(find_table(rules, end, Side.BLACK))], 0)


def _find_end(rules: Rules, position: Position) -> Position:
    """Return the only end of a throw."""
    ends = list_legal_plays(rules, position).ends
    if len(ends) > 1:
        raise ValueError("a throw has two ends: there is a choice after all")
    return ends[0] if ends else position


def _list_offered(rules: Rules, end: Position) -> Iterator[Position]:
    """Yield what the other side could do with the numbers left, where the rules offer them."""
    if rules.unusable is UnusableRule.OPPONENT:
        yield from list_legal_plays(rules, end._replace(turn=Side.BLACK), Duty.MAY).ends
