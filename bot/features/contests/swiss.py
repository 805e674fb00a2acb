"""Who meets whom in the next round of a Swiss tournament.

The basic rules are those of FIDE's Handbook (C.04.1): nobody meets the same person twice; with an
odd number of players one has a bye, and nobody has a second one; people meet whose scores are the
same or as near as can be. Where these leave a choice, in this order:

1. The bye goes to the lowest who can have it: with the fewest points, then with the lowest seed.
2. The sum of the squared differences of scores is as small as possible, so that a few far floats
   are worse than several near ones.
3. Within a group of equal scores the upper half meets the lower half in the order of seeds, as in
   the Dutch system (C.04.3), or comes as near to that as can be. That system orders its exchanges
   and floats by many more criteria, which are left out here.
4. The first side goes to the one who has had it less often; among equals it is the better seed on
   every other board.

All pairs together are one maximum-weight matching: with whole numbers as weights, exact.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import ceil, log2

import networkx as nx

MIN_SWISS = 8
"""Players below which a Swiss would soon have nobody left to pair."""
_BYE = -1
"""The node that stands for no opponent."""


@dataclass(frozen=True, slots=True)
class SwissPlayer:
    """Somebody to be paired: their score, whom they have met, and whether they had a bye.

    `firsts` is how often they had the first side, less how often the second.
    """

    person: int
    score: Fraction
    met: frozenset[int]
    had_bye: bool
    firsts: int


@dataclass(frozen=True, slots=True)
class SwissRound:
    """Who meets whom, who has the first side first, and who has the bye."""

    pairs: tuple[tuple[int, int], ...]
    bye: int | None


def count_rounds(count: int) -> int:
    """Return how many rounds suit so many players: enough to leave one unbeaten, if they can be."""
    return min(ceil(log2(count)), most_rounds(count))


def most_rounds(count: int) -> int:
    """Return for how many rounds everybody surely finds somebody whom they have not met.

    Before round r each of n players has met r - 1 others at most, and so has n - r left. With r up
    to n / 2 that is half of the players or more, and by Dirac's theorem they can all be paired.
    """
    return count // 2


def pair_swiss(players: Sequence[SwissPlayer]) -> SwissRound | None:
    """Return the next round of players in the order of their seeds; None if there is no legal one.

    The pairs come in the order of the boards: the highest scores first.
    """
    # Sorting keeps the order of the seeds.
    ranked = sorted(players, key=lambda each: -each.score)
    ideals = _list_ideal_distances(ranked)
    # Each criterion outweighs all that comes after it, in all pairs together.
    fold = 4 * len(ranked) ** 3 + 1
    floats = fold * (_sum_squares(ranked) + 1)
    graph = nx.Graph()
    for one, other in combinations(range(len(ranked)), 2):
        if ranked[other].person not in ranked[one].met:
            apart = abs(ranked[one].score - ranked[other].score) * 2
            distance = abs((other - one) - ideals[one])
            graph.add_edge(one, other, weight=-(int(apart**2) * fold + distance**2))
    if len(ranked) % 2:
        for at, player in enumerate(ranked):
            if not player.had_bye:
                graph.add_edge(_BYE, at, weight=at * floats)
    matched = nx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(matched) != len(ranked) + len(ranked) % 2:
        return None
    pairs = sorted(tuple(sorted(pair)) for pair in matched)
    return SwissRound(
        tuple(
            _order_sides(ranked[one], ranked[other], board)
            for board, (one, other) in enumerate(pair for pair in pairs if pair[0] != _BYE)
        ),
        next((ranked[other].person for one, other in pairs if one == _BYE), None),
    )


def _list_ideal_distances(ranked: Sequence[SwissPlayer]) -> list[int]:
    """Return how many places below each the one is whom they should meet in their group."""
    sizes = [sum(other.score == each.score for other in ranked) for each in ranked]
    return [max(size // 2, 1) for size in sizes]


def _sum_squares(ranked: Sequence[SwissPlayer]) -> int:
    """Return more than the squared differences of any pairing come to."""
    widest = (ranked[0].score - ranked[-1].score) * 2
    return int(widest**2) * len(ranked)


def _order_sides(one: SwissPlayer, other: SwissPlayer, board: int) -> tuple[int, int]:
    """Return a pair with the one first who has the first side."""
    # In the first round the better seeds have the first side on every other board.
    is_first = board % 2 == 0 if one.firsts == other.firsts else one.firsts < other.firsts
    return (one.person, other.person) if is_first else (other.person, one.person)
