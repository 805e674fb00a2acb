"""How a beginner judges: by pips and habit, half attentive, now and then blind to hits or blots.

What is overlooked is drawn from the seed and the position, so that the same seed plays the same.
What it costs follows from the position, as with people: a beginner errs where there is something to
overlook, and plays a quiet one well.
"""

from random import Random

import numpy as np

from engine.match import Match, Phase
from engine.players import greedy
from engine.players.batch_evaluation import evaluate_by_net
from engine.players.boards import stack_ends
from engine.players.evaluation import Prospect
from engine.players.evaluation_rows import POINTS, EvaluationRows, unpack_evaluation
from engine.players.prospects import evaluate_decisions, event_at, find_best, list_prospects
from engine.position_text import format_position

SEES_HITS = 0.85
"""How likely a beginner looks at plays that hit, where there are others."""

SEES_BLOTS = 0.8
"""How likely a beginner weighs what a play leaves behind, and not only how far it gets."""

FRONT = 0.15
"""What a pip of the man farthest in front counts besides: beginners like to run."""

INSIGHT = 40.0
"""How many pips a point of equity is felt as; it is some hundred in a race."""


def choose_prospect(match: Match, seed: int) -> Prospect:
    """Return what a beginner does, where there is something to decide."""
    if match.phase is Phase.CHOOSE:
        return list_prospects(match, evaluate_by_net)[0]  # the lowest die becomes a six: most pips
    sure = find_best(match, evaluate_by_net)
    # Nobody overlooks a play that wins at once.
    if match.phase is not Phase.PLAY or sure.evaluation.win == 1:
        return sure
    every = evaluate_decisions(match, evaluate_by_net)
    at = int(_rate_plays(match, every, seed).argmax())
    return Prospect(event_at(match, at), unpack_evaluation(every[at]))


def _rate_plays(match: Match, every: EvaluationRows, seed: int) -> greedy.Numbers:
    """Return how well a beginner likes each play, in pips."""
    rules, side = match.rules, match.turn
    # Drawn by the position, or the same seed would overlook the same things all the game.
    chance = Random(f"{seed} {format_position(match.position, rules)}")  # noqa: S311 - no secret
    ends = stack_ends(match)
    mine, theirs = ends.men(side), ends.men(side.other)
    own, other = (
        greedy.compute_place_values(rules, side),
        greedy.compute_place_values(rules, side.other),
    )
    # Empty places count as the farthest from the end, so the least is the need of the man in front.
    front = np.where(mine > 0, own.need, own.need.max()).min(axis=1)
    liked: greedy.Numbers = theirs @ other.need - FRONT * front
    if chance.random() < SEES_BLOTS:
        liked += INSIGHT * every[:, POINTS] - greedy.measure_distance(
            rules, own, mine, theirs, threat=1.0
        )
    else:
        liked -= mine @ own.need
    hits = np.array([any(move.hit for move in play.moves) for play in match.plays])
    # Where every play hits, there is nothing else to do.
    if chance.random() >= SEES_HITS and not hits.all():
        liked[hits] = -np.inf
    return liked
