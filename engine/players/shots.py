"""How far the next throw reaches: which blots it hits, and how far held points let men go.

Both depend on several points at once, which a net learns slowly from the men alone, so they are
inputs. What a throw can do is looked up. The points before a man that are closed to him are the
bits of a number, the nearest the lowest, and for every such number the answer is worked out
beforehand.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, permutations

import numpy as np
import numpy.typing as npt

from engine import throws
from engine.players import greedy
from engine.players.boards import Men
from engine.players.chances import count_ordered_throws, list_throws
from engine.players.greedy import Numbers
from engine.position import Side
from engine.rules import Dice, ReentryRule, Rules
from engine.search.routes import NOWHERE, NUMBERS, build_route

REACHED = 5
"""How many numbers `measure_reach` gives of each side."""
FAR = 12
"""Pips that a man is looked at to go, at most."""
PAST = 7
"""Pips that bring a man past six points."""
MAX_WAITING = 4
"""The most men waiting to enter that are distinguished.

A throw that enters more men hits with no other.
"""

_CLOSED = (1 << FAR) - 1
_ENTRY = (1 << len(NUMBERS)) - 1
_PIPS = np.arange(1, FAR + 1)
_BETWEEN = (1 << (_PIPS - 1)) - 1

Whole = npt.NDArray[np.int64]
Indices = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class ThrowReach:
    """What the throws of some dice do for a man, by which of the points before him are closed.

    Sets of throws have a bit for each, in the order of `list_throws`; `shares` says how likely each
    is, and `alike` has the sets of those that are equally likely, by how likely they are. `hits`
    has, at the number whose highest bit stands for the pips and whose others for the points on the
    way, the throws that bring a man so far. `later` has, by how many men must enter first (less
    one), by a number (less one) and by which of the points that they enter on are closed, the
    throws that enter them and leave that number. By `hindered` pips fewer than before open points
    is a throw's mean for him, and by `trapped` less likely that it brings him past six points.
    """

    shares: Numbers
    alike: Mapping[float, int]
    hits: Whole
    later: Whole
    hindered: Numbers
    trapped: Numbers

    def compute_chances(self, sets: Whole) -> Numbers:
        """Return how likely some sets of throws are."""
        each = (share * np.bitwise_count(sets & alike) for share, alike in self.alike.items())
        return sum(each, np.zeros(len(sets)))


@dataclass(frozen=True, eq=False)
class Track:
    """The way of one side's men, counted from 0, which is before the first point of its course.

    `course` are the points after that. `stand` says where on it a man at each place is, or NOWHERE:
    a man on the bar or in the hand is where a one would bring him to the first point that he can
    enter on; `beside` are those places. At `door` stand those that must enter before another man
    moves, `barred` being their places; it is NOWHERE where there can be none.
    """

    course: Indices
    stand: Indices
    beside: tuple[int, ...]
    door: int
    barred: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class _TrackMen:
    """One side's men on its way, a step a row and a position a column.

    `closed` are the points closed before each step.
    """

    men: Men
    closed: Whole


def measure_reach(rules: Rules, side: Side, mine: Men, theirs: Men) -> Numbers:
    """Return what a throw does in positions, one row each: five numbers for each side.

    The side that throws next comes first. They are how likely a throw of the other side's is to hit
    a blot, and the mean of the pips that its dearest hit costs; by how many pips less all men go,
    by a throw alone each, than they would before open points, and the last of them; and by how much
    less likely he gets past six points. Where men do not move, all are zero.
    """
    if not rules.moving:
        return np.zeros((len(mine), 2 * REACHED))
    own, other = (
        _place_on_track(rules, side, mine, theirs),
        _place_on_track(rules, side.other, theirs, mine),
    )
    return np.hstack(
        (
            _compute_danger(rules, side, mine, theirs, other),
            _compute_hindrance(rules, own),
            _compute_danger(rules, side.other, theirs, mine, own),
            _compute_hindrance(rules, other),
        )
    )


def _place_on_track(rules: Rules, side: Side, mine: Men, theirs: Men) -> _TrackMen:
    way = build_track(rules, side)
    men = np.zeros((len(way.course) + 1, len(mine)), np.uint8)
    men[1:] = mine.T[way.course]
    for place in way.beside:
        men[way.stand[place]] += mine[:, place]
    closed = np.zeros((len(men) + FAR, len(mine)), np.int64)
    closed[: len(way.course)] = theirs.T[way.course] >= rules.ban_closed
    for seen in (1, 2, 4, 8):
        # So many points are seen from each step already: those from as many steps on come after
        # them.
        closed[:-seen] |= closed[seen:] << seen
    return _TrackMen(men, closed[: len(men)] & _CLOSED)


def _compute_hindrance(rules: Rules, standing: _TrackMen) -> Numbers:
    """Return how many pips held points cost all men and the last, and how likely they trap him."""
    known = compute_throw_reach(rules.dice)
    hindered = known.hindered[standing.closed]
    last = (standing.men > 0).argmax(axis=0)
    there = standing.men.any(axis=0)
    each = np.arange(len(last))
    trapped = known.trapped[standing.closed[last, each]]
    return np.column_stack(
        ((standing.men * hindered).sum(axis=0), hindered[last, each] * there, trapped * there)
    )


def _compute_danger(rules: Rules, side: Side, mine: Men, theirs: Men, facing: _TrackMen) -> Numbers:
    """Return the chance that the other side hits a blot, and its dearest hit's mean cost.

    The cost is in pips.
    """
    found = np.zeros((len(mine), 2))
    way = build_track(rules, side.other)
    lost = greedy.compute_place_values(rules, side).lost
    dearest_first = np.argsort(-lost, kind="stable")
    rows, blots = np.nonzero(((mine == 1) & (lost > 0) & (way.stand > 0))[:, dearest_first])
    if rules.ban_closed == 1 or not len(rows):
        return found
    blots = dearest_first[blots]
    known = compute_throw_reach(rules.dice)
    waiting = np.minimum(theirs[:, way.barred].sum(axis=1, dtype=np.int64), MAX_WAITING)[rows]
    hits = _find_hitting_throws(known, way, facing, waiting, rows, way.stand[blots])
    # The blots of a position stand together: first each one's dearest is looked at, then the next,
    # and so on.
    firsts = np.flatnonzero(np.diff(rows, prepend=-1))
    counts = np.diff(firsts, append=len(rows))
    before = np.zeros(len(firsts), np.int64)
    for rank in range(counts.max()):
        there = np.flatnonzero(counts > rank)
        each = firsts[there] + rank
        # A throw that hits several blots counts only for the dearest of them.
        likely = known.compute_chances(hits[each] & ~before[there])
        found[rows[each]] += np.column_stack((likely, likely * lost[blots[each]]))
        before[there] |= hits[each]
    return found


def _find_hitting_throws(
    known: ThrowReach, way: Track, facing: _TrackMen, waiting: Whole, rows: Indices, at: Indices
) -> Whole:
    """Return the set of throws that hit each blot, at those steps of the hitter's way.

    `rows` are the positions of the blots.
    """
    source = at[:, None] - _PIPS
    # A negative index would read from the far end without an error; `there` drops those cases.
    from_there = np.maximum(source, 0), rows[:, None]
    there = (source >= 0) & (facing.men[from_there] > 0)
    # Of several that wait one alone cannot go on when he has entered: as if every point between
    # were closed.
    on_way = np.where(waiting[:, None] > 1, _BETWEEN, facing.closed[from_there] & _BETWEEN)
    # One more than the bits between is the bit that stands for the pips.
    hits = known.hits[_BETWEEN + 1 | on_way]
    if waiting.any():
        entry = facing.closed[way.door, rows] & _ENTRY
        later = np.zeros_like(hits)
        # Where nobody waits, this reads some other row, which the next statement leaves out.
        later[:, : len(NUMBERS)] = known.later[waiting - 1, :, entry]
        hits = np.where((waiting[:, None] == 0) | (source == way.door), hits, later)
    found: Whole = np.bitwise_or.reduce(np.where(there, hits, 0), axis=1)
    return found


@lru_cache(maxsize=512)
def build_track(rules: Rules, side: Side) -> Track:
    """Work out one side's way under these rules."""
    course = rules.course(side)
    stand = np.full(len(rules.board.place_names), NOWHERE)
    stand[list(course)] = np.arange(1, len(course) + 1)
    targets = build_route(rules, side).targets
    waiting = (rules.board.hand, *rules.board.bars)
    for place in waiting:
        entered = [targets[number][place] for number in NUMBERS]
        first = course.index(entered[0]) if entered[0] in course else NOWHERE
        if first >= 0 and entered == list(course[first : first + len(NUMBERS)]):
            stand[place] = first
    bound = [
        bar for bar in rules.board.bars if stand[bar] >= 0 and rules.reentry is not ReentryRule.FREE
    ]
    door = int(stand[bound[0]]) if bound else NOWHERE
    beside = tuple(place for place in waiting if stand[place] >= 0)
    return Track(
        np.array(course, np.intp),
        stand,
        beside,
        door,
        tuple(bar for bar in bound if stand[bar] == door),
    )


@lru_cache(maxsize=64)
def compute_throw_reach(dice: Dice) -> ThrowReach:
    """Work out what the throws of some dice do for a man."""
    every = list_throws(dice)
    closed = np.arange(1 << FAR)
    entry = np.arange(1 << len(NUMBERS))
    hits = np.zeros(1 << FAR, np.int64)
    later = np.zeros((MAX_WAITING, len(NUMBERS), len(entry)), np.int64)
    pips, past = np.zeros(len(closed)), np.zeros(len(closed))
    shares = np.array([count / count_ordered_throws(dice) for _, count in every])
    alike: dict[float, int] = {}
    for throw, (thrown, _) in enumerate(every):
        share = float(shares[throw])
        alike[share] = alike.get(share, 0) | 1 << throw
        numbers = throws.list_numbers(dice, thrown)
        farthest = np.zeros(len(closed))
        for far, on_way in _list_paths(numbers):
            # Numbers whose highest bit stands for these pips are a slice that is as long as its
            # first number.
            size = 1 << (far - 1)
            hits[size : 2 * size] |= np.where(closed[:size] & on_way, 0, 1 << throw)
            farthest = np.where(closed & (on_way | size), farthest, np.maximum(farthest, far))
        pips += share * farthest
        past += share * (farthest >= PAST)
        for number in set(numbers):
            others = list(numbers)
            others.remove(number)
            entering = sum(((entry >> (other - 1)) & 1 == 0).astype(int) for other in others)
            for waiting in range(1, MAX_WAITING + 1):
                later[waiting - 1, number - 1] |= np.where(entering >= waiting, 1 << throw, 0)
    return ThrowReach(shares, alike, hits, later, pips[0] - pips, past[0] - past)


def _list_paths(numbers: tuple[int, ...]) -> set[tuple[int, int]]:
    """Return how far one man gets by some of the numbers, and a bit for each point he steps on.

    The numbers come in any order.
    """
    found = set()
    for size in range(1, len(numbers) + 1):
        for order in set(permutations(numbers, size)):
            *stops, far = accumulate(order)
            if far <= FAR:
                found.add((far, sum(1 << (stop - 1) for stop in stops)))
    return found
