"""Which plays lead to something else than the next throw: for them the turn machine is asked."""

from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from engine.ending import find_deadlock, find_outcome
from engine.match import Match, Phase, end_throw, find_next_thrower
from engine.players.boards import Boards
from engine.position import Position, Side
from engine.rules import NARROWS, Ending, Rules, UnusableRule
from engine.search.moves import list_moves
from engine.search.routes import NUMBERS, build_route

PlayMask: TypeAlias = npt.NDArray[np.bool_]
"""One answer for each of some positions."""


def list_special_plays(match: Match, ends: Boards) -> list[int]:
    """Return the indices of the plays that end the game, offer numbers or bring a break."""
    rules = match.rules
    positions = match.plays.ends
    # These masks are quick and only sift: every play that they let through is judged exactly.
    found = _may_be_over(rules, match.turn, ends)
    for at in np.flatnonzero(found).tolist():
        found[at] = find_outcome(rules, positions[at]) is not None
    if rules.bound_points:
        thrower, _ = find_next_thrower(match)
        due = (end._replace(dice=(), turn=thrower) for end in positions)
        found |= np.array([bool(rules.bound_points(rules, each)) for each in due])
    if rules.unusable is UnusableRule.OPPONENT and match.phase is Phase.PLAY:
        found |= np.array(positions.find_unfinished())
    for at in np.flatnonzero(_may_be_dead(match, ends) & ~found).tolist():
        found[at] = find_deadlock(rules, end_throw(rules, positions[at])) is not None
    return [int(at) for at in np.flatnonzero(found)]


def _may_be_over(rules: Rules, side: Side, ends: Boards) -> PlayMask:
    """Return which plays may have won the game or ended it in its own way.

    Most have not, which is quick to see.
    """
    if rules.ending_after_move or rules.ending is Ending.FULL:
        return np.ones(len(ends.memory), np.bool_)
    over: PlayMask = ends.men(side)[:, rules.arrival_places[side]].sum(axis=1) == rules.men
    # What is remembered can end a game as well (see `Memory.ends`).
    over |= ends.memory != 0
    if rules.ending_at_standstill:
        over |= np.logical_and(*(_may_be_shut_out(rules, each, ends) for each in Side))
    return over


def _may_be_shut_out(rules: Rules, side: Side, ends: Boards) -> PlayMask:
    """Return which plays leave a side with men on the bar and no entry point wholly free."""
    mine, theirs = ends.men(side), ends.men(side.other)
    entry = rules.entry_points(side)
    free = (theirs[:, entry] == 0) & (
        mine[:, entry] <= np.take(build_route(rules, side).room, entry)
    )
    shut: PlayMask = mine[:, rules.board.bars].any(axis=1) & ~free.any(axis=1)
    return shut


def _may_be_dead(match: Match, ends: Boards) -> PlayMask:
    """Return which plays may leave neither side able to move ever again.

    Mostly it is quick to see that one can.
    """
    other = match.turn.other
    mine, theirs = ends.men(match.turn), ends.men(other)
    before = match.position.men(other)
    # Unless they are hit, the other side's men stand after every play as before, so that their open
    # points are found only once.
    dead: PlayMask = np.all(mine[:, list_open_points(match.rules, other, before)], axis=1)
    hit = np.flatnonzero((theirs != np.frombuffer(before, np.uint8)).any(axis=1))
    # Many plays hit the same men.
    alike: dict[bytes, list[int]] = {}
    for at, men in zip(hit.tolist(), theirs[hit], strict=True):
        alike.setdefault(men.tobytes(), []).append(at)
    for left, those in alike.items():
        points = list_open_points(match.rules, other, left)
        dead[those] = np.all(mine[those][:, points], axis=1)
    return dead


@lru_cache(maxsize=4096)
def list_open_points(rules: Rules, side: Side, men: bytes) -> npt.NDArray[np.intp]:
    """Return points to which a side could move one of its men if the other had none on the board.

    As long as the other has no man on one of them, the side can move, so nobody is stuck for good.
    There may be more: where other rules may keep a man from moving, none is named.
    """
    if NARROWS in rules.effects:
        return np.empty(0, np.intp)
    alone = Position(rules.board.no_men, rules.board.no_men, side).with_men(side, men)
    targets = {move.target for number in NUMBERS for move in list_moves(rules, alone, number)}
    return np.array(sorted(target for target in targets if target < rules.board.size), np.intp)
