"""How a beginner judges: with half an eye for what matters, by pips and habit, and now and then blind to hits or blots.

What is overlooked is drawn from the seed and the position, so that the same seed plays the same. What it costs follows
from the position, as with people: a beginner errs where there is something to overlook, and plays a quiet one well.
"""

from collections.abc import Sequence
from random import Random

import numpy as np

from engine.match import Match, Phase
from engine.players import greedy
from engine.players.prospects import Prospect, best, in_points, prospects
from engine.players.standing import by_place
from engine.position_text import format_position

SEES_HITS = 0.7
"""How likely a beginner notices what a hit is worth."""

SEES_BLOTS = 0.5
"""How likely a beginner notices the blots that a play leaves within reach."""

FRONT = 0.25
"""What a pip of the man farthest in front counts besides: beginners like to run."""

INSIGHT = 20.0
"""How many pips a point of true worth is felt as; it is some hundred in a race."""


def choice(match: Match, seed: int) -> Prospect:
    """Return what a beginner does, where there is something to decide."""
    found = prospects(match)
    if match.phase is Phase.CHOOSE:
        return found[0]  # the lowest die becomes a six: most pips
    if match.phase is not Phase.PLAY:
        return best(match)
    return found[int(np.argmax(_liked(match, found, seed)))]


def _liked(match: Match, found: Sequence[Prospect], seed: int) -> greedy.Numbers:
    """Return how well a beginner likes each play, in pips."""
    rules, side = match.rules, match.turn
    # Drawn by the position, or the same seed would overlook the same things all the game.
    chance = Random(f"{seed} {format_position(match.position, rules)}")  # noqa: S311 - a habit, no secret
    hits, blots = chance.random() < SEES_HITS, chance.random() < SEES_BLOTS
    ends = [play.end for play in match.plays]
    mine, theirs = by_place(rules, ends, side), by_place(rules, ends, side.other)
    own, other = greedy.eye(rules, side), greedy.eye(rules, side.other)
    cost = greedy.cost_of(rules, own, mine, theirs, threat=1.0) if blots else mine @ own.need
    front = np.where(mine > 0, own.need, own.need.max()).min(axis=1)
    insight = np.array([in_points(each) for each in found])
    liked: greedy.Numbers = INSIGHT * insight + hits * (theirs @ other.need) - cost - FRONT * front
    return liked
