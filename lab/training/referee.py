"""Backgammon decisions refereed by Open Sage, an engine of another make, where it is installed.

Several players play the same throws, drawn from the net's games against itself, and the referee
says how much each gives away. It comes with the package bgsage, which Tabula does not need. A board
is a list of 26 there: the bar of the other side, the points from the mover's home, its own bar; the
other side's men are negative.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.games.backgammon import BACKGAMMON
from engine.players.nets import find_net
from lab.training import layout as at
from lab.training.errors import list_positions
from lab.training.layout import Row
from lab.training.matches import WorkshopPlayer
from lab.training.pairs import (
    GNUBG,
    GNUBG_ONE_PLY,
    GNUBG_TWO_PLY,
    GREEDY,
    ONE_PLY,
    ZERO_PLY,
)
from lab.training.peers import (
    BAR,
    GNUBG_PACKAGE,
    describe_package,
    import_gnubg,
    import_package,
    read_men,
)
from lab.training.strength import StrengthPlan, build_players
from lab.training.workshop import Workshop, build_workshop

LEVEL, LEVEL_NAME = "3ply", "3-ply"
"""How the referee evaluates: two throws ahead, as it counts the net's own evaluation as a ply."""
CLEAR = 0.02
"""Points from which on a decision counts as an error, as in the reports of matches."""


PACKAGE = "bgsage"
REFEREED = (GREEDY, ZERO_PLY, ONE_PLY, GNUBG, GNUBG_ONE_PLY, GNUBG_TWO_PLY)
"""Whose decisions are refereed."""
GAMES_SAMPLED = 200
"""Games whose positions are drawn from: one has about 45 throws that leave a choice."""
TOLD_EACH = 250
"""After how many decisions a line says how far it is."""

Losses: TypeAlias = npt.NDArray[np.float64]
"""What decisions give away, in points."""


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
    """What a player gave away in some decisions, in points a decision.

    `more` is what it gave away more than the net at 0-ply, decision by decision. Each comes with
    its standard error. `clear` of the decisions were errors.
    """

    decisions: int
    mean: float
    error: float
    clear: int
    more: float = 0.0
    more_error: float = 0.0


@dataclass(frozen=True)
class RefereedDecisions:
    """What each player gave away, by its name; with the packages that took part."""

    given: Mapping[str, DecisionErrors]
    packages: Sequence[str]


def import_packages() -> ModuleType:
    """Return the referee's package; raises ImportError where it or GNU Backgammon is missing."""
    import_gnubg()
    return import_package(PACKAGE, PACKAGE)


def referee_decisions(
    plan: StrengthPlan, decisions: int, said: Callable[[str], None]
) -> RefereedDecisions:
    """Return what backgammon's players give away.

    Raises ImportError where a package is missing.
    """
    package = import_packages()
    rules = BACKGAMMON.resolve_rules({})
    shop = build_workshop(rules, find_net(rules, plan.nets), plan.seed)
    every = build_players(rules)
    players = {name: every[name] for name in REFEREED}
    referee = package.BgBotAnalyzer(eval_level=LEVEL, cubeful=False, parallel_threads=1)
    chance = np.random.default_rng(plan.seed)
    rows = list_positions(shop, chance, GAMES_SAMPLED)
    losses: list[list[float]] = []
    for row in rows:
        dice = sorted((int(die) for die in chance.integers(1, 7, 2)), reverse=True)
        if len(package.possible_moves(place_men(shop, row), *dice)) > 1:
            ends = [play_throw(shop, player, row, dice) for player in players.values()]
            losses.append(judge_ends(referee, place_men(shop, row), dice, ends))
            if len(losses) % TOLD_EACH == 0:
                said(f"{len(losses):,} decisions are refereed")
        if len(losses) == decisions:
            break
    given = np.array(losses).T
    others = given[REFEREED.index(ZERO_PLY)]
    return RefereedDecisions(
        {name: _summarise(mine, others) for name, mine in zip(REFEREED, given, strict=True)},
        [describe_package(name) for name in (PACKAGE, GNUBG_PACKAGE)],
    )


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


def _summarise(given: Losses, others: Losses) -> DecisionErrors:
    mean, error = _compute_mean(given)
    return DecisionErrors(
        len(given), mean, error, int((given >= CLEAR).sum()), *_compute_mean(given - others)
    )


def _compute_mean(each: Losses) -> tuple[float, float]:
    return float(each.mean()), float(each.std(ddof=1)) / math.sqrt(len(each))
