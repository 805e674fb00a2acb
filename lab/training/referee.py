"""Backgammon decisions refereed by Open Sage, an engine of another make, where it is installed.

Several players play the same throws, drawn from the net's games against itself, and the referee
says how much each gives away. It comes with the package bgsage, which Tabula does not need. A board
is a list of 26 there: the bar of the other side, the points from the mover's home, its own bar; the
other side's men are negative.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from typing import Any, Protocol

import numpy as np

from engine.games.backgammon import BACKGAMMON
from engine.players.nets import find_net
from lab.training import layout as at
from lab.training.errors import list_positions
from lab.training.layout import Row
from lab.training.matches import OnePlyPlayer, PolicyPlayer, WorkshopPlayer
from lab.training.peers import BAR, PeerPlayer, build_gnubg_player, import_gnubg, read_men
from lab.training.strength import (
    GNUBG,
    GNUBG_ONE_PLY,
    GNUBG_TWO_PLY,
    GREEDY,
    ONE_PLY,
    ZERO_PLY,
    StrengthPlan,
)
from lab.training.workshop import Workshop, build_workshop

LEVEL, LEVEL_NAME = "3ply", "3-ply"
"""How the referee evaluates: two throws ahead, as it counts the net's own evaluation as a ply."""
CLEAR = 0.02
"""Points from which on a decision counts as an error, as in the reports of matches."""


class Referee(Protocol):
    """What we ask of the referee."""

    def checker_play(
        self,
        board: Sequence[int],
        die1: int,
        die2: int,
        *,
        jacoby: bool,
        force_boards: Sequence[Sequence[int]],
    ) -> Any:  # noqa: ANN401 - a class of its own
        """Evaluate the plays of a throw, and those that are `forced` as well as the best."""
        ...


@dataclass(frozen=True)
class DecisionErrors:
    """What a player gave away in some decisions, in points a decision."""

    decisions: int
    mean: float
    error: float
    clear: int


@dataclass(frozen=True)
class RefereedDecisions:
    """What each player gave away, by its name; with the seed and the referee's version."""

    given: Mapping[str, DecisionErrors]
    seed: int
    package: str


def referee_decisions(plan: StrengthPlan, decisions: int) -> RefereedDecisions | None:
    """Return what backgammon's players give away; None without its net or where a package lacks."""
    rules = BACKGAMMON.resolve_rules({})
    net = find_net(rules, plan.nets)
    try:
        package, gnubg = import_module("bgsage"), import_gnubg()
    except ImportError:
        return None
    if net is None:
        return None
    shop = build_workshop(rules, net, plan.seed)
    players: Mapping[str, WorkshopPlayer] = {
        GREEDY: PolicyPlayer(at.GREEDILY),
        ZERO_PLY: PolicyPlayer(at.BY_NET),
        ONE_PLY: OnePlyPlayer(rules),
        GNUBG: PeerPlayer(build_gnubg_player(gnubg)),
        GNUBG_ONE_PLY: PeerPlayer(build_gnubg_player(gnubg, plies=1)),
        GNUBG_TWO_PLY: PeerPlayer(build_gnubg_player(gnubg, plies=2)),
    }
    referee = package.BgBotAnalyzer(eval_level=LEVEL, cubeful=False, parallel_threads=1)
    chance = np.random.default_rng(plan.seed)
    rows = list_positions(shop, chance)
    given = {name: list[float]() for name in players}
    for row in rows:
        dice = sorted((int(die) for die in chance.integers(1, 7, 2)), reverse=True)
        if len(package.possible_moves(place_men(shop, row), *dice)) > 1:
            ends = [play_throw(shop, player, row, dice) for player in players.values()]
            found = judge_ends(referee, place_men(shop, row), dice, ends)
            for losses, loss in zip(given.values(), found, strict=True):
                losses.append(loss)
        if len(given[GREEDY]) == decisions:
            break
    summaries = {name: _summarise(losses) for name, losses in given.items()}
    return RefereedDecisions(summaries, plan.seed, f"bgsage {version('bgsage')}")


def play_throw(shop: Workshop, player: WorkshopPlayer, row: Row, dice: Sequence[int]) -> list[int]:
    """Return the referee's board after a player's play of a throw, as its side sees it."""
    side = int(row[at.TURN])
    shop.desk.nodes[at.GAME : at.GAME + at.ROW] = row
    shop.desk.book[at.DICE_THROWN : at.DICE_THROWN + 2] = dice
    shop.desk.book[at.POLICY : at.POLICY + at.SIDES] = player.policy
    player.take_turn(shop, thrown=True)
    return _place(shop, shop.desk.nodes[at.GAME : at.GAME + at.ROW], side)


def place_men(shop: Workshop, row: Row) -> list[int]:
    """Return the referee's board of a position, as the side to throw sees it."""
    return _place(shop, row, int(row[at.TURN]))


def _place(shop: Workshop, row: Row, side: int) -> list[int]:
    mine, theirs = read_men(shop, row, side), read_men(shop, row, 1 - side)
    board = [theirs[BAR], *mine]
    for point, men in enumerate(theirs[:BAR]):
        board[BAR - point] -= men
    return board


def judge_ends(
    referee: Referee, board: Sequence[int], dice: Sequence[int], ends: Sequence[Sequence[int]]
) -> list[float]:
    """Return what each end of a throw gives away, in points without the cube."""
    moves = referee.checker_play(
        board, *dice, jacoby=False, force_boards=[list(end) for end in ends]
    ).moves
    worth = {tuple(move.board): move.cubeless_equity for move in moves}
    # It leaves plays that seem far worse at a quicker evaluation, which doesn't compare with these.
    deep = [move.cubeless_equity for move in moves if move.eval_level == LEVEL_NAME]
    given = [worth[tuple(end)] for end in ends]
    return [max(*deep, *given) - each for each in given]


def _summarise(losses: Sequence[float]) -> DecisionErrors:
    given = np.array(losses)
    return DecisionErrors(
        len(given),
        float(given.mean()),
        float(given.std(ddof=1)) / math.sqrt(len(given)),
        int((given >= CLEAR).sum()),
    )
