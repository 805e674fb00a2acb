"""How far a net's evaluations err: they are compared with rollouts, or with a solved game.

The positions are drawn from all those before a throw in the net's games against itself. A rollout
plays on from there between two players at 0-ply, and is stopped after some turns; then the net's
evaluation counts, and errors that last as long aren't seen. The mean of many rollouts is what the
position is worth. They have a variance of their own, which is estimated from how they differ at one
position and subtracted, or the errors would seem larger than they are.

To take the luck of the throws away makes a rollout 21 times as slow with two dice and 56 times with
three, as every throw is played, and lowers its variance four to thirty times. So it pays only where
the net is good and rollouts are played to the end.
"""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from engine.games import GAMES
from engine.games.doblet import DOBLET
from engine.games.twelve_dogs import TWELVE_DOGS
from engine.players.nets import find_net
from engine.position import Position
from engine.rules import Game, Rules
from lab.command_line import open_pool
from lab.solving.apart import get_men, solve_pairs
from lab.solving.one_table import find_table, solve_table, sort_table
from lab.studies.errors import ErrorMeasurement, EvaluationError
from lab.training import layout as at
from lab.training.games import play_game
from lab.training.layout import OUTPUTS, Floats, Row
from lab.training.lessons import write_one_ply_shares
from lab.training.matches import Bound, LuckMeter, PolicyPlayer
from lab.training.nets import evaluate_row
from lab.training.rows import read_row
from lab.training.studies import describe_commit, hash_weights
from lab.training.turns import score_game
from lab.training.workshop import (
    MAX_TURNS,
    Workshop,
    assign_policy,
    build_workshop,
    new_spare_memory,
)

TURNS = 12
"""Turns after which a rollout is stopped: as many as in those of other programs, or more."""
GAMES_SAMPLED = 50
"""Games whose positions are drawn from."""
GAMES_OF_SPREAD = 400
"""Games that say how far the points of a game are spread."""
RESAMPLES = 1000
"""Samples drawn anew to see how far a deviation varies."""

DIGITS = 5
"""Decimals of what is stored."""
CONFIDENCE = 95
"""How sure the ends of an interval are, in percent."""

Values: TypeAlias = npt.NDArray[np.float64]
FindValue: TypeAlias = Callable[[Position], float]
"""What a position is worth to the side to throw, in points."""


@dataclass(frozen=True)
class ErrorPlan:
    """What to measure with: a folder of nets, positions of each game, and rollouts of each.

    The bound's seconds are of the processor, for each game. Rollouts are stopped after so many
    turns, and may be `adjusted`: the luck of their throws is taken away then.
    """

    nets: Path
    bound: Bound
    rollouts: int
    turns: int = TURNS
    adjusted: bool = False
    seed: int = 1


class Evaluator:
    """Evaluates positions of a workshop's game, by the net that learns, for the side to throw."""

    def __init__(self, shop: Workshop) -> None:
        self._shop = shop
        self._near, self._deep = new_spare_memory(), new_spare_memory()
        self._shares: Floats = np.zeros(OUTPUTS, np.float32)

    def evaluate(self, row: Row) -> float:
        """Return the equity at 0-ply."""
        known, desk = self._shop.known, self._near
        turn = int(row[at.TURN])
        evaluate_row(*known, 0, row, 0, turn, desk.floats)
        return self._sum_up(desk.floats[at.OUTPUTS_NOW : at.OUTPUTS_NOW + OUTPUTS])

    def evaluate_one_ply(self, row: Row) -> float:
        """Return the equity at 1-ply."""
        self._near.nodes[at.GAME : at.GAME + at.ROW] = row
        write_one_ply_shares(self._shop.known, self._near, self._deep, self._shares)
        return self._sum_up(self._shares)

    def _sum_up(self, shares: Floats) -> float:
        win, won, lost = map(float, shares)
        return 2 * win - 1 + int(self._shop.known.table[at.EXTRA]) * (won - lost)


def list_positions(shop: Workshop, chance: np.random.Generator, games: int) -> Sequence[Row]:
    """Return the positions before a throw of the net's games against itself, in random order.

    A game's first is left out: dice may lie on the board there.
    """
    assign_policy(shop.desk.book, at.BY_NET)
    # From many games, since the positions of one game are much alike.
    kept: Row = np.zeros(MAX_TURNS * at.ROW, np.int8)
    found = []
    for _ in range(games):
        turns = play_game(shop.known, shop.desk, shop.start, kept, 0, MAX_TURNS)
        found.append(kept[: turns * at.ROW].reshape(turns, at.ROW)[1:].copy())
    rows = np.concatenate(found)
    chance.shuffle(rows)
    return list(rows)


def roll_out(
    shop: Workshop, row: Row, evaluator: Evaluator, turns: int, luck: LuckMeter | None
) -> float:
    """Play on from a position at 0-ply; returns what it comes to for the side to throw, in points.

    A game that goes on after so many turns is worth what the net says of it then. Where there is a
    `luck` meter, the luck of the throws is taken away.
    """
    nodes = shop.desk.nodes
    nodes[at.GAME : at.GAME + at.ROW] = row
    side = int(row[at.TURN])
    player = PolicyPlayer(at.BY_NET)
    lucky = 0.0
    for _ in range(turns):
        if luck:
            lucky += float(luck.throw_dice(shop, side)[1])
        if not player.take_turn(shop, thrown=luck is not None):
            return score_game(shop.known.table, nodes, at.GAME, side) - lucky
    end: Row = nodes[at.GAME : at.GAME + at.ROW]
    worth = evaluator.evaluate(end)
    # The net speaks for the side to throw, which may be the other one by now.
    return (worth if end[at.TURN] == side else -worth) - lucky


def _solve_doblet(rules: Rules) -> FindValue:
    solved = solve_pairs(rules)
    states = {men: number for number, men in enumerate(solved.states.men)}

    def find_value(position: Position) -> float:
        sides = position.turn, position.turn.other
        mine, theirs = (states[get_men(rules, side, position)] for side in sides)
        return 2 * float(solved.wins[mine, theirs]) - 1

    return find_value


def _solve_twelve_dogs(rules: Rules) -> FindValue:
    solved = solve_table(rules)
    states = {table: number for number, table in enumerate(solved.tables)}

    def find_value(position: Position) -> float:
        state = states[sort_table(find_table(rules, position, position.turn))]
        return float(solved.wins[state] - solved.losses[state])

    return find_value


SOLVERS: Mapping[str, Callable[[Rules], FindValue]] = {
    DOBLET.slug: _solve_doblet,
    TWELVE_DOGS.slug: _solve_twelve_dogs,
}
"""The games whose positions are known exactly."""


def measure_errors(game: Game, plan: ErrorPlan) -> ErrorMeasurement | None:
    """Measure how far a game's net errs; None where it has none."""
    rules = game.resolve_rules({})
    net = find_net(rules, plan.nets)
    if net is None:
        return None
    shop = build_workshop(rules, net, plan.seed)
    chance = np.random.default_rng(plan.seed)
    rows = list_positions(shop, chance, GAMES_SAMPLED)[: plan.bound.games]
    # Before any rollout, of which there are more or fewer with time.
    itself = shop.match_policies(GAMES_OF_SPREAD, at.BY_NET, first=at.BY_NET)
    # Rollouts only estimate, so a solved game is held to what is known of it.
    solve = SOLVERS.get(game.slug)
    if solve:
        find_value = solve(rules)
        values = [[find_value(read_row(rules, row, 0))] for row in rows]
    else:
        values = list(_roll_out_all(shop, rows, plan))
    evaluator = Evaluator(shop)
    pairs = [
        (evaluator.evaluate(row), evaluator.evaluate_one_ply(row)) for row in rows[: len(values)]
    ]
    zero, one = (estimate_error(each, np.array(values)) for each in np.array(pairs).T)
    return ErrorMeasurement(
        game.edition,
        hash_weights(net),
        len(values),
        0 if solve else plan.rollouts,
        0 if solve else plan.turns,
        plan.adjusted and not solve,
        plan.seed,
        zero,
        one,
        games=GAMES_SAMPLED,
        seconds=0 if solve else plan.bound.seconds,
        spread=round(itself.mean_error * math.sqrt(itself.games), DIGITS),
    )


def _roll_out_all(shop: Workshop, rows: Sequence[Row], plan: ErrorPlan) -> Iterator[list[float]]:
    """Yield the rollouts of each position, until the time is over."""
    luck = LuckMeter() if plan.adjusted else None
    evaluator = Evaluator(shop)
    assign_policy(shop.desk.book, at.BY_NET)
    until = time.process_time() + plan.bound.seconds
    for number, row in enumerate(rows):
        # Each has dice of its own, so that it matters to none how many there are.
        generator = np.random.default_rng([plan.seed, number])
        shop.desk.book[at.RANDOM] = generator.integers(1, 2**62)
        yield [roll_out(shop, row, evaluator, plan.turns, luck) for _ in range(plan.rollouts)]
        # Fewer than two have no deviation.
        if number and time.process_time() > until:
            break


def estimate_error(evaluated: Values, values: Values) -> EvaluationError:
    """Return how far evaluations err, by the values that each position was found to have."""
    errors = evaluated - values.mean(axis=1)
    count = values.shape[1]
    # How much the mean of a position's rollouts varies by itself.
    own = values.var(axis=1, ddof=1) / count if count > 1 else np.zeros(len(values))
    chance = np.random.default_rng(0)
    again = chance.integers(0, len(errors), (RESAMPLES, len(errors)))
    spread = [_compute_deviation(errors[some], own[some]) for some in again]
    edge = (100 - CONFIDENCE) / 2
    low, high = np.percentile(spread, (edge, 100 - edge))
    figures = (
        errors.mean(),
        errors.std(ddof=1) / math.sqrt(len(errors)),
        _compute_deviation(errors, own),
        low,
        high,
    )
    return EvaluationError(*(round(float(figure), DIGITS) for figure in figures))


def _compute_deviation(errors: Values, own: Values) -> float:
    return math.sqrt(max(0.0, errors.var(ddof=1) - own.mean()))


def measure_all_errors(
    games: Sequence[Game], plan: ErrorPlan, processes: int
) -> Iterator[tuple[str, ErrorMeasurement]]:
    """Measure games side by side; yields each with its slug, as soon as it is done."""
    day, commit = date.today().isoformat(), describe_commit()  # noqa: DTZ011 - this machine's day
    with open_pool(processes) as pool:
        slugs = [game.slug for game in games]
        for slug, found in pool.imap_unordered(_ErrorWorker(plan), slugs):
            if found:
                yield slug, replace(found, day=day, commit=commit)


@dataclass(frozen=True)
class _ErrorWorker:
    """`measure_errors` with a plan, as other processes can be handed it."""

    plan: ErrorPlan

    def __call__(self, slug: str) -> tuple[str, ErrorMeasurement | None]:
        return slug, measure_errors(GAMES[slug], self.plan)
