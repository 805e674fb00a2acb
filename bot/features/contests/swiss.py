"""Who meets whom in the next round of a Swiss tournament.

The basic rules are those of FIDE's Handbook (C.04.1): the declared rounds are played; nobody meets
the same person twice; with an odd number of players one has a bye; nobody has one who has had one,
or has won a round without playing; people meet whose scores are the same or as near as can be.
Where people have left, not all of this may be possible, and the first that is comes first:

1. Nobody wins a second round without playing, unless all have won one.
2. As few as possible meet again. While anybody can meet somebody new, those who cannot have byes;
   they meet again where they may have none, or nobody can meet anybody new.
3. As few as possible have byes.
4. As few as possible meet whose meeting is to be avoided.
5. The bye goes to the lowest who can have it: with the fewest points, then with the lowest seed.
6. The sum of the squared differences of scores is as small as possible, so that a few far floats
   are worse than several near ones.
7. Within a group of equal scores the upper half meets the lower half in the order of seeds, as in
   the Dutch system (C.04.3), or comes as near to that as can be. That system orders its exchanges
   and floats by many more criteria, which are left out here.

The first side goes to the one who has had it less often; among equals to the one who did not have
it in the latest round in which they had different sides, or else the better of the two does not get
again what they had last. In the first round it is the better seed on every other board. Rounds that
were not played have no sides.

All pairs together are one maximum-weight matching: with whole numbers as weights, exact.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import ceil, log2

MIN_SWISS = 8
"""Players below which a Swiss would soon have nobody left to pair."""
_BYE = -1
"""The node that stands for no opponent."""


@dataclass(frozen=True, slots=True)
class SwissPlayer:
    """Somebody to be paired: their score, and whom they have met.

    `free_wins` is how many rounds they have won without playing: byes, and forfeits of others.
    `sides` are those of the matches that they have played, in order: True for the first side.
    """

    person: int
    score: Fraction
    met: frozenset[int]
    free_wins: int = 0
    sides: tuple[bool, ...] = ()

    @property
    def balance(self) -> int:
        """How often they have had the first side, less how often the second."""
        return 2 * sum(self.sides) - len(self.sides)


@dataclass(frozen=True, slots=True)
class SwissRound:
    """Who meets whom, who has the first side first, and who has a bye."""

    pairs: tuple[tuple[int, int], ...]
    byes: tuple[int, ...] = ()


def count_rounds(count: int) -> int:
    """Return how many rounds suit so many players: enough to leave one unbeaten, if they can be."""
    return min(ceil(log2(count)), most_rounds(count))


def most_rounds(count: int) -> int:
    """Return for how many rounds everybody who stays surely finds somebody new.

    Before round r each of n players has met r - 1 others at most, and so has n - r left. With r up
    to n / 2 that is half of the players or more, and by Dirac's theorem they can all be paired.
    """
    return count // 2


def pair_swiss(
    players: Sequence[SwissPlayer], avoid: Collection[frozenset[int]] = frozenset()
) -> SwissRound:
    """Return the next round of two players or more, who are in the order of their seeds.

    The pairs come in the order of the boards: the highest scores first. `avoid` are the pairs of
    those who should not meet.
    """
    # Sorting keeps the order of the seeds.
    ranked = sorted(players, key=lambda each: -each.score)
    sizes = Counter(each.score for each in ranked)
    pairs = {
        (one, other): _judge_pair(ranked, one, other, sizes[ranked[one].score], avoid)
        for one, other in combinations(range(len(ranked)), 2)
    }
    byes = [_judge_bye(ranked, at) for at in range(len(ranked))]
    matched = _match_all(pairs, byes) or _match_some(pairs, byes)
    seated = {at for pair in matched for at in pair}
    return SwissRound(
        tuple(
            _order_sides(ranked[one], ranked[other], board)
            for board, (one, other) in enumerate(sorted(matched))
        ),
        tuple(each.person for at, each in enumerate(ranked) if at not in seated),
    )


def _match_all(
    pairs: Mapping[tuple[int, int], Sequence[int]], byes: Sequence[Sequence[int]]
) -> list[tuple[int, int]]:
    """Return the pairs in which all meet somebody new, of whom one may have the bye, if they can.

    This is what `_match_some` comes to, but found sooner, as it nearly always can be.
    """
    scales = _scale_faults([*pairs.values(), *byes], len(byes))
    edges = [
        (one, other, -_weigh(faults, scales))
        for (one, other), faults in pairs.items()
        if not faults[1]
    ]
    if len(byes) % 2:
        edges += [
            (_BYE, at, -_weigh(faults, scales)) for at, faults in enumerate(byes) if not faults[0]
        ]
    matched = _list_matched(edges, everybody=True)
    is_complete = 2 * len(matched) == len(byes) + len(byes) % 2
    return [pair for pair in matched if pair[0] != _BYE] if is_complete else []


def _match_some(
    pairs: Mapping[tuple[int, int], Sequence[int]], byes: Sequence[Sequence[int]]
) -> list[tuple[int, int]]:
    """Return the pairs that meet where some have byes or meet again; the others have byes."""
    if all(faults[1] for faults in pairs.values()):
        # Nobody is left to be met for the first time: rather than sit out, people meet again.
        pairs = {pair: _put_byes_first(faults) for pair, faults in pairs.items()}
        byes = [_put_byes_first(faults) for faults in byes]
    scales = _scale_faults([*pairs.values(), *byes], len(byes))
    costs = [_weigh(faults, scales) for faults in byes]
    # What is gained where the two do not both have a bye.
    edges = [
        (one, other, costs[one] + costs[other] - _weigh(faults, scales))
        for (one, other), faults in pairs.items()
    ]
    return _list_matched(edges, everybody=False)


def _list_matched(
    edges: Iterable[tuple[int, int, int]], *, everybody: bool
) -> list[tuple[int, int]]:
    """Return the pairs of a maximum-weight matching, of all who can be paired or of the best."""
    # Only now: it takes a tenth of a start to import, and most bots that start pair no Swiss soon.
    import networkx as nx

    graph = nx.Graph()
    graph.add_weighted_edges_from(edges)
    matched = nx.max_weight_matching(graph, maxcardinality=everybody)
    return [(min(pair), max(pair)) for pair in matched]


def _judge_pair(
    ranked: Sequence[SwissPlayer],
    one: int,
    other: int,
    size: int,
    avoid: Collection[frozenset[int]],
) -> tuple[int, ...]:
    """Return what a pair has against it, by the criteria above in their order.

    `size` is that of the group of the upper one.
    """
    upper, lower = ranked[one], ranked[other]
    is_again = lower.person in upper.met
    is_avoided = frozenset((upper.person, lower.person)) in avoid
    # Half points make whole numbers of what is twice as much.
    apart = int((upper.score - lower.score) * 2)
    distance = (other - one) - max(size // 2, 1)
    return (0, int(is_again), 0, int(is_avoided), 0, apart**2, distance**2)


def _judge_bye(ranked: Sequence[SwissPlayer], at: int) -> tuple[int, ...]:
    """Return what a bye has against it, by the criteria above in their order."""
    return (ranked[at].free_wins, 0, 1, 0, len(ranked) - 1 - at, 0, 0)


def _put_byes_first(faults: Sequence[int]) -> tuple[int, ...]:
    """Return faults in the order in which a bye is worse than to meet again."""
    second, again, bye, *others = faults
    return (second, bye, again, *others)


def _scale_faults(judged: Iterable[Sequence[int]], count: int) -> list[int]:
    """Return by what to multiply each fault, so that it outweighs all that come after it."""
    scales = [1]
    for worst in map(max, reversed(list(zip(*judged, strict=True))[1:])):
        scales.append(scales[-1] * (count * worst + 1))
    return scales[::-1]


def _weigh(faults: Sequence[int], scales: Sequence[int]) -> int:
    return sum(fault * scale for fault, scale in zip(faults, scales, strict=True))


def _order_sides(one: SwissPlayer, other: SwissPlayer, board: int) -> tuple[int, int]:
    """Return a pair, of which `one` is the better, with the one first who has the first side."""
    is_first = _is_first(one, other, board)
    return (one.person, other.person) if is_first else (other.person, one.person)


def _is_first(one: SwissPlayer, other: SwissPlayer, board: int) -> bool:
    if one.balance != other.balance:
        return one.balance < other.balance
    for was_first, was_other_first in zip(reversed(one.sides), reversed(other.sides), strict=False):
        if was_first != was_other_first:
            return was_other_first
    if one.sides:
        return not one.sides[-1]
    return other.sides[-1] if other.sides else board % 2 == 0
