"""Solve Paume carie on one table: some hundred million states, from the end of the game backwards.

Both sides enter on the same six points and bear off from them. A state is what stands on each point
and how many men of each side wait, before a throw of the side whose men come first, and which of
its players throws; the other side's throw is the same state with the sides exchanged. Points can't
be folded together although each bears off by its own number alone: where only one of two numbers
can be played it must be the higher one.

Waiting men become fewer and men borne off more, except that a single man may be hit, who then waits
instead of the one that hit him. So all states with as many waiting and as many borne off that
differ only in whose single men stand there hang together, at most 128 of them for each player of a
side; each such group is settled by itself, once all that it leads to is known.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from typing import NamedTuple, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

from engine.players.large_tables import (
    HALF,
    find_places,
    list_content_men,
    number_states,
)
from engine.position import Position
from engine.rules import Rules, UnusableRule
from lab.solving.entering import Indexes, Small, build_tables

POINTS = 6
THROWS = 21
MAX_GROUP = 2 * 2**POINTS
"""How many states a group has at most, where each side has one player."""

SETTLED = 1e-13
"""How little the values of a group still change when they are taken as settled."""

TIED = 1e-12
"""Plays this close are worth the same, so the first is made: rounding is not to choose."""

Values = npt.NDArray[np.float64]
"""What states are worth, a row each: what both sides play for comes first, the win last.

Those before a throw of the first player of a side come first, each where its place is; then those
of the second player in the same order.
"""

Contents = npt.NDArray[np.int64]
"""What stands on each point before a throw, and in a second row what an end of it leaves there."""

Function = TypeVar("Function", bound=Callable[..., object])


def _compile(function: Function, **options: object) -> Function:
    # A problem has so many arrays that to count who holds them would take most of the time.
    found = numba.njit(cache=True, error_model="numpy", nogil=True, _nrt=False, **options)(function)
    return cast(Function, found)


_compile_inline = partial(_compile, inline="always")
"""Compiles what is done for every throw as part of its callers: a call has to hand over as much."""


def list_structures(men: int) -> tuple[Small, npt.NDArray[np.int64]]:
    """List what may stand on the points but for whose single men are there, by how many men.

    Single men are written as one's own. With the list comes where those of so many men begin.
    """
    own, other = list_content_men(men)
    # What a single man is counted as is decided later, so he is no man of either side here.
    own[1] = 0
    kinds = np.array([content for content in range(2 * men + 1) if content != men + 1])
    half = kinds[np.indices((len(kinds),) * HALF).reshape(HALF, -1)].T
    stacked, opposed = own[half].sum(axis=1), other[half].sum(axis=1)
    single = (half == 1).sum(axis=1)
    fits = (stacked <= men) & (opposed <= men)
    half, stacked, opposed, single = half[fits], stacked[fits], opposed[fits], single[fits]
    found, counts = [], []
    for at in range(len(half)):
        mine, theirs = stacked[at] + stacked, opposed[at] + opposed
        total = mine + theirs + single[at] + single
        good = np.flatnonzero((mine <= men) & (theirs <= men) & (total <= 2 * men))
        found.append(
            np.hstack((np.repeat(half[at][None], len(good), axis=0), half[good])).astype(np.int8)
        )
        counts.append(total[good].astype(np.int8))
    count = np.concatenate(counts)
    # Those of so many men stand together, since they are settled together.
    order = np.argsort(count, kind="stable")
    return (
        np.concatenate(found)[order],
        np.searchsorted(count[order], np.arange(2 * men + 2)),
    )


class Problem(NamedTuple):
    """A game as the compiled code reads it: its throws, its numbers, and what counts.

    `turned` are contents as the other side sees them, and `powers` what a content counts for in the
    code of its half.
    """

    men: int
    numbers: Indexes
    classes: npt.NDArray[np.int64]
    more: npt.NDArray[np.int64]
    width: int
    keys: Indexes
    views: Indexes
    plays: Indexes
    ends: Indexes
    borne: Small
    left: Small
    high: Small
    low: Small
    waiting: Small
    waiting_other: Small
    borne_other: Small
    taken: Small
    elsewhere: Small
    kinds: Small
    halves: Indexes
    mine: Indexes
    theirs: Indexes
    firsts: npt.NDArray[np.int64]
    inner: Indexes
    size: int
    turned: npt.NDArray[np.int64]
    powers: npt.NDArray[np.int64]
    players: int
    again: bool
    falls: bool
    counts_men: bool


class Group(NamedTuple):
    """Room for a group while it is settled, by state: it is used again for the next.

    `men` are those waiting and those borne off, of both sides; `players` which player of the side
    throws, from 0; `places` where the value is kept. Of the throws, `known` is what those lead to
    that bring the game forward, `links` and `weights` where the others lead, `choices` which have
    several plays or answers that may do either. `total` is the sum of a state's throws, while it is
    worked out.
    """

    contents: Contents
    men: npt.NDArray[np.int64]
    players: npt.NDArray[np.int64]
    places: npt.NDArray[np.int64]
    known: Values
    links: npt.NDArray[np.int64]
    weights: Values
    linked: npt.NDArray[np.int64]
    choices: npt.NDArray[np.int64]
    chosen: npt.NDArray[np.int64]
    total: Values


def make_room(players: int, measures: int) -> Group:
    """Return room for the largest group with so many players, whose states have so many values."""
    size = MAX_GROUP * players
    return Group(
        contents=np.zeros((size, 2, POINTS), np.int64),
        men=np.zeros((size, 4), np.int64),
        players=np.zeros(size, np.int64),
        places=np.zeros(size, np.int64),
        known=np.zeros((size, measures)),
        links=np.zeros((size, THROWS), np.int64),
        weights=np.zeros((size, THROWS)),
        linked=np.zeros(size, np.int64),
        choices=np.zeros((size, THROWS), np.int64),
        chosen=np.zeros(size, np.int64),
        total=np.zeros(measures),
    )


@_compile_inline
def find_place(problem: Problem, first: int, second: int, waiting: int, waiting_other: int) -> int:
    """Return where the value of a state is kept, by the codes of its halves."""
    size = problem.men + 1
    left, right = problem.halves[first], problem.halves[second]
    theirs = problem.theirs[left]
    inner = (problem.mine[left] * size + theirs) * len(problem.mine) + right
    room = size - theirs - problem.theirs[right]
    return int(problem.firsts[left] + problem.inner[inner] + waiting * room + waiting_other)


@_compile_inline
def encode_half(problem: Problem, contents: Contents, row: int, begin: int, turned: bool) -> int:
    """Return the code of three points, or of the same with the sides exchanged."""
    code = 0
    for at in range(begin, begin + HALF):
        content = problem.turned[contents[row, at]] if turned else contents[row, at]
        code += problem.powers[at] * content
    return code


@_compile
def find_next_thrower(problem: Problem, player: int, high: int, low: int) -> tuple[bool, int]:
    """Return whether the side that has thrown these throws again, and by which of its players."""
    if problem.again and high == low:
        return True, player
    if player + 1 < problem.players:
        return True, player + 1
    return False, 0


@_compile_inline
def make_end(problem: Problem, contents: Contents, end: int, high: int, low: int) -> None:
    """Write down beside the contents of a state those that an end of a throw leaves."""
    for at in range(POINTS):
        contents[1, at] = contents[0, at]
    double = np.int64(high == low)
    contents[1, high] = problem.high[end] + problem.more[double, contents[0, high]]
    if not double:
        contents[1, low] = problem.low[end] + problem.more[double, contents[0, low]]
    for side in range(2 if problem.elsewhere[end] else 0):
        between, below = problem.taken[end, 2 * side], problem.taken[end, 2 * side + 1]
        # Those farthest back are borne off first.
        for at in range(high - 1, -1, -1):
            content = problem.turned[contents[1, at]] if side else contents[1, at]
            if at != low and content <= problem.men:
                taken = min(between if at > low else below, content)
                if at > low:
                    between -= taken
                else:
                    below -= taken
                contents[1, at] = problem.turned[content - taken] if side else content - taken


@_compile_inline
def find_after(
    problem: Problem,
    contents: Contents,
    men: npt.NDArray[np.int64],
    end: int,
    high: int,
    low: int,
    same: bool,
    player: int,
) -> int:
    """Return where the value after an end of a throw is kept, as who throws next sees it.

    That is the same side or the other, by one of its players.
    """
    make_end(problem, contents, end, high, low)
    # Unless the same side throws again, the other reads the table from its own side.
    first = encode_half(problem, contents, 1, 0, not same)
    second = encode_half(problem, contents, 1, HALF, not same)
    waiting, waiting_other = men[0] + problem.waiting[end], men[1] + problem.waiting_other[end]
    if not same:
        waiting, waiting_other = waiting_other, waiting
    return find_place(problem, first, second, waiting, waiting_other) + player * problem.size


@_compile_inline
def find_view(
    problem: Problem, contents: Contents, high: int, low: int, views: int, free: int, is_other: bool
) -> int:
    """Return which view a side has of its men elsewhere, with numbers free to bear them off."""
    above = between = below = 0
    # Where there is one view alone, nothing needs to be looked at.
    for at in range(POINTS if views > 1 else 0):
        content = problem.turned[contents[0, at]] if is_other else contents[0, at]
        own = content if content <= problem.men else 0
        if at > high:
            above += own
        elif low < at < high:
            between += own
        elif at < low:
            below += own
    if above or views == 1:
        return 0
    return 1 + min(between, free) * (free + 1) + min(below, free)


@_compile_inline
def find_key(
    problem: Problem,
    contents: Contents,
    men: npt.NDArray[np.int64],
    high: int,
    low: int,
) -> int:
    """Return the key of a throw of these points, from 0, in a state; see `build_tables`."""
    double = np.int64(high == low)
    key = problem.classes[double, contents[0, high]]
    if not double:
        key = key * problem.width + problem.classes[double, contents[0, low]]
    numbers = problem.numbers[double]
    waiting, waiting_other = min(men[0], numbers), min(men[1], numbers)
    views = problem.views[double, 0, waiting]
    view = find_view(problem, contents, high, low, views, numbers - waiting, False)
    key = key * views + view
    views = problem.views[double, 1, waiting_other]
    view = find_view(problem, contents, high, low, views, numbers - waiting_other, True)
    key = key * views + view
    return int(problem.keys[double, waiting, waiting_other] + key)


@_compile_inline
def judge_end(
    problem: Problem,
    values: Values,
    contents: Contents,
    men: npt.NDArray[np.int64],
    player: int,
    play: int,
    end: int,
    high: int,
    low: int,
    measure: int,
) -> float:
    """Return what an end of a play is worth to the side that throws, by one of the measures."""
    every = problem.men
    counts_men = problem.counts_men and measure == 0
    off = men[2] + problem.borne[play]
    # The game is over before the other side could answer.
    if off == every:
        return float(every - men[3]) if counts_men else 1.0
    if problem.falls and problem.left[play] > 0:
        return -float(every - men[2]) if counts_men else -1.0
    if men[3] + problem.borne_other[end] == every:
        return -float(every - off) if counts_men else -1.0
    same, following = find_next_thrower(problem, player, high, low)
    value = values[find_after(problem, contents, men, end, high, low, same, following), measure]
    return float(value) if same else -float(value)


@_compile_inline
def judge_play(
    problem: Problem,
    values: Values,
    contents: Contents,
    men: npt.NDArray[np.int64],
    player: int,
    play: int,
    high: int,
    low: int,
) -> tuple[float, int]:
    """Return what a play of a throw is worth to its side, and the end that the other side makes."""
    # Of the ends that the other side may choose among, it takes the worst for this one.
    worst, chosen = np.inf, problem.ends[play]
    for end in range(problem.ends[play], problem.ends[play + 1]):
        value = judge_end(problem, values, contents, men, player, play, end, high, low, 0)
        if value < worst - TIED:
            worst, chosen = value, end
    return worst, chosen


@_compile
def decide_throw(
    problem: Problem,
    values: Values,
    contents: Contents,
    men: npt.NDArray[np.int64],
    player: int,
    high: int,
    low: int,
) -> tuple[int, int]:
    """Return the best play of a throw, and the end that the other side makes of it."""
    key = find_key(problem, contents, men, high, low)
    best = -np.inf
    made = made_end = 0
    for play in range(problem.plays[key], problem.plays[key + 1]):
        worth, end = judge_play(problem, values, contents, men, player, play, high, low)
        if worth > best + TIED:
            best, made, made_end = worth, play, end
    return made, made_end


@_compile
def fill_points(
    problem: Problem, contents: Contents, structure: Small, subset: int, turned: bool
) -> None:
    """Write down a structure whose single men are the other side's but for a subset of them."""
    single = 0
    for at in range(POINTS):
        content = np.int64(structure[at])
        if content == 1:
            if not (subset >> single) & 1:
                content = np.int64(problem.men + 1)
            single += 1
        contents[0, at] = problem.turned[content] if turned else content


@_compile
def lay_out_group(
    problem: Problem,
    group: Group,
    structure: Small,
    borne: int,
    borne_other: int,
    stacked: int,
    opposed: int,
) -> int:
    """List the states that differ only in whose single men stand where, and in who throws."""
    men = problem.men
    singles = 0
    for at in range(POINTS):
        singles += structure[at] == 1
    count = 0
    for subset in range(1 << singles):
        own = 0
        for bit in range(singles):
            own += (subset >> bit) & 1
        # Whoever is neither borne off nor on a point waits to enter.
        waiting = men - borne - stacked - own
        waiting_other = men - borne_other - opposed - (singles - own)
        if waiting < 0 or waiting_other < 0:
            continue
        for side in range(2):
            contents, beside = group.contents[count], group.men[count]
            fill_points(problem, contents, structure, subset, side == 1)
            beside[side] = waiting
            beside[1 - side] = waiting_other
            beside[2 + side] = borne
            beside[3 - side] = borne_other
            place = find_place(
                problem,
                encode_half(problem, contents, 0, 0, False),
                encode_half(problem, contents, 0, HALF, False),
                beside[0],
                beside[1],
            )
            for player in range(problem.players):
                for at in range(POINTS):
                    group.contents[count, 0, at] = contents[0, at]
                for at in range(4):
                    group.men[count, at] = beside[at]
                group.players[count] = player
                group.places[count] = place + player * problem.size
                count += 1
    return count


@_compile
def sort_throws(problem: Problem, values: Values, group: Group, at: int) -> None:
    """Work out what is known already of a state's throws, and where the others lead."""
    contents, men, player = group.contents[at], group.men[at], group.players[at]
    known = group.known[at]
    known[:] = 0.0
    linked = chosen = 0
    ready = THROWS
    for high in range(POINTS):
        for low in range(high + 1):
            same, following = find_next_thrower(problem, player, high, low)
            chance = (1 if high == low else 2) / 36
            key = find_key(problem, contents, men, high, low)
            play = problem.plays[key]
            end = problem.ends[play]
            single = problem.plays[key + 1] == play + 1 and problem.ends[play + 1] == end + 1
            over = (
                men[2] + problem.borne[play] == problem.men
                or (problem.falls and problem.left[play] > 0)
                or not single
            )
            if not over:
                # What brings the game forward is put at the end of the row, to be fetched at once:
                # a value at a time, each would have to be waited for.
                if problem.kinds[key]:
                    place = linked
                    linked += 1
                else:
                    ready -= 1
                    place = ready
                group.links[at, place] = find_after(
                    problem, contents, men, end, high, low, same, following
                )
                group.weights[at, place] = chance if same else -chance
            elif problem.kinds[key] and not single:
                group.choices[at, chosen] = high * POINTS + low
                chosen += 1
            else:
                play, end = decide_throw(problem, values, contents, men, player, high, low)
                for measure in range(len(known)):
                    known[measure] += chance * judge_end(
                        problem, values, contents, men, player, play, end, high, low, measure
                    )
    for link in range(ready, THROWS):
        for measure in range(len(known)):
            known[measure] += group.weights[at, link] * values[group.links[at, link], measure]
    group.linked[at], group.chosen[at] = linked, chosen


@_compile
def solve_group(problem: Problem, values: Values, group: Group, count: int) -> None:
    """Settle the states of a group together."""
    for at in range(count):
        values[group.places[at]] = 0.0
    for at in range(count):
        sort_throws(problem, values, group, at)
    # Hits, and throws without a play, lead from state to state of a group and back, and so do those
    # after which another player of the side throws. So their values depend on one another, and are
    # worked out in turns until none changes any more.
    change = np.inf
    total = group.total
    while change > SETTLED:
        change = 0.0
        for at in range(count):
            contents, men, player = group.contents[at], group.men[at], group.players[at]
            for measure in range(len(total)):
                total[measure] = group.known[at, measure]
            for link in range(group.linked[at]):
                for measure in range(len(total)):
                    total[measure] += (
                        group.weights[at, link] * values[group.links[at, link], measure]
                    )
            for choice in range(group.chosen[at]):
                high, low = divmod(group.choices[at, choice], POINTS)
                play, end = decide_throw(problem, values, contents, men, player, high, low)
                for measure in range(len(total)):
                    total[measure] += ((1 if high == low else 2) / 36) * judge_end(
                        problem, values, contents, men, player, play, end, high, low, measure
                    )
            place = group.places[at]
            for measure in range(len(total)):
                change = max(change, abs(total[measure] - values[place, measure]))
                values[place, measure] = total[measure]


@_compile
def solve_layer(
    problem: Problem, values: Values, group: Group, structures: Small, borne: int
) -> None:
    """Settle all states of some structures with so many men borne off altogether."""
    men = problem.men
    for at in range(len(structures)):
        structure = structures[at]
        stacked = opposed = 0
        order = 0
        for point in range(POINTS):
            content = structure[point]
            if content > men:
                opposed += content - men
            elif content > 1:
                stacked += content
            if order == 0 and content != 1:
                order = content - problem.turned[content]
        for mine in range(max(0, borne - (men - opposed)), min(men - stacked, borne) + 1):
            theirs = borne - mine
            # Exchanging the sides gives the same states, so half of them are enough.
            if mine < men and theirs < men and (mine < theirs or (mine == theirs and order <= 0)):
                count = lay_out_group(problem, group, structure, mine, theirs, stacked, opposed)
                solve_group(problem, values, group, count)


class PalmTally(NamedTuple):
    """What came of some games, and the choice in them that mattered most.

    `wins` are those of the side that began, `points` the men that the others had left in these,
    less its own in the rest; `squares` are the squares of each game's points. `choices` are throws
    with several plays, `gap` what the second-best play of one lost at most, before which `contents`
    and `men` were on the table; `high` and `low` were thrown, as points.
    """

    games: int
    wins: int
    points: int
    squares: int
    throws: int
    choices: int
    gap: float
    contents: npt.NDArray[np.int64]
    men: npt.NDArray[np.int64]
    high: int
    low: int


@_compile
def choose_play(
    problem: Problem,
    values: Values,
    contents: Contents,
    men: npt.NDArray[np.int64],
    player: int,
    high: int,
    low: int,
    skilled: bool,
) -> tuple[int, int, int, float]:
    """Return the play that a player makes of a throw, and the end that the other side makes of it.

    With them come how many plays there are, and what the second-best would lose.
    """
    key = find_key(problem, contents, men, high, low)
    begin, count = problem.plays[key], problem.plays[key + 1] - problem.plays[key]
    best, chosen = judge_play(problem, values, contents, men, player, begin, high, low)
    made, second = begin, -np.inf
    for play in range(begin + 1, begin + count):
        worth, end = judge_play(problem, values, contents, men, player, play, high, low)
        if worth > best:
            best, second, chosen, made = worth, best, end, play
        else:
            second = max(second, worth)
    if count > 1 and not skilled:
        made = begin + np.random.randint(0, count)
        _, chosen = judge_play(problem, values, contents, men, player, made, high, low)
    return made, chosen, count, best - second if count > 1 else 0.0


@_compile
def pass_turn(problem: Problem, contents: Contents, men: npt.NDArray[np.int64]) -> None:
    """Exchange the sides."""
    for at in range(POINTS):
        contents[0, at] = problem.turned[contents[0, at]]
    men[0], men[1] = men[1], men[0]
    men[2], men[3] = men[3], men[2]


@_compile
def run_games(
    problem: Problem,
    values: Values,
    games: int,
    seed: int,
    skilled: bool,
    skilled_other: bool,
    contents: Contents,
    men: npt.NDArray[np.int64],
    gap_contents: npt.NDArray[np.int64],
    gap_men: npt.NDArray[np.int64],
) -> tuple[tuple[int, int, int, int, int, float], int, int]:
    """Play games; the arrays are room for a state, and for that before the hardest choice."""
    np.random.seed(seed)
    wins = points = squares = throws = choices = 0
    gap, gap_high, gap_low = 0.0, 0, 0
    for _ in range(games):
        contents[0, :] = 0
        men[:2] = problem.men
        men[2:] = 0
        first, fallen, same = True, False, False
        high = low = before = player = 0
        while men[2] < problem.men and men[3] < problem.men and not fallen:
            one, two = np.random.randint(0, POINTS), np.random.randint(0, POINTS)
            high, low = max(one, two), min(one, two)
            play, end, count, lost = choose_play(
                problem,
                values,
                contents,
                men,
                player,
                high,
                low,
                skilled if first else skilled_other,
            )
            throws += 1
            choices += count > 1
            if lost > gap:
                gap, gap_high, gap_low = lost, high, low
                for at in range(POINTS):
                    gap_contents[at] = contents[0, at]
                for at in range(4):
                    gap_men[at] = men[at]
            make_end(problem, contents, end, high, low)
            for at in range(POINTS):
                contents[0, at] = contents[1, at]
            before = men[2]
            men[0] += problem.waiting[end]
            men[1] += problem.waiting_other[end]
            men[2] += problem.borne[play]
            men[3] += problem.borne_other[end]
            fallen = problem.falls and problem.left[play] > 0 and men[2] < problem.men
            same, player = find_next_thrower(problem, player, high, low)
            if not same:
                pass_turn(problem, contents, men)
                first = not first
        # The sides may have been exchanged after the last throw; who fell has thrown last.
        if fallen:
            won = first != same
            # Who falls has not played that throw.
            left = problem.men - before
        else:
            won = first == (men[2] == problem.men)
            left = problem.men - min(men[2], men[3])
        wins += won
        points += left if won else -left
        squares += left * left
    return (wins, points, squares, throws, choices, gap), gap_high + 1, gap_low + 1


def play_games(
    problem: Problem, values: Values, games: int, seed: int, skilled: bool, skilled_other: bool
) -> PalmTally:
    """Play games from the start.

    Who is skilled makes the best play, who is not any play at random.
    """
    contents, men = np.zeros((2, POINTS), np.int64), np.zeros(4, np.int64)
    gap_contents, gap_men = np.zeros(POINTS, np.int64), np.zeros(4, np.int64)
    counts, high, low = run_games(
        problem,
        values,
        games,
        seed,
        skilled,
        skilled_other,
        contents,
        men,
        gap_contents,
        gap_men,
    )
    return PalmTally(games, *counts, gap_contents, gap_men, high, low)


@dataclass(frozen=True, eq=False)
class SolvedPalm:
    """The values of every state for the side that is to throw, by one of its players.

    What both play for is the chance to win less the other side's, or the men that it can expect the
    other side to have left, less those of its own.
    """

    rules: Rules
    problem: Problem
    values: Values

    def evaluate(self, position: Position, player: int = 0) -> float:
        """Return for the side that is to throw how much of it both play for is to be expected."""
        return float(self._find_values(position, player)[0])

    def win(self, position: Position, player: int = 0) -> float:
        """Return its chance to win, whatever both play for."""
        return float(1 + self._find_values(position, player)[-1]) / 2

    def _find_values(self, position: Position, player: int) -> Values:
        sides = (position.turn, position.turn.other)
        mine, theirs = (np.array([list(position.men(side))], np.uint8) for side in sides)
        (place,) = find_places(self.rules, mine, theirs)
        found: Values = self.values[place + player * self.problem.size]
        return found


def build_problem(rules: Rules, *, counts_men: bool = False) -> Problem:
    """Return a game as the compiled code reads it; by default only who wins counts."""
    if rules.dice.count != 2:
        raise ValueError("only two dice are solved")
    tables = build_tables(rules)
    return Problem(
        **vars(tables),
        elsewhere=tables.taken.max(axis=1),
        **number_states(rules.men)._asdict(),
        turned=np.array([0, *range(rules.men + 1, 2 * rules.men + 1), *range(1, rules.men + 1)]),
        powers=np.array([(2 * rules.men + 1) ** (at % HALF) for at in (2, 1, 0) * 2]),
        players=rules.players,
        again=rules.dice.doubles.has_extra_throw,
        falls=rules.unusable is UnusableRule.LOSES,
        counts_men=counts_men,
    )


def solve_palm(
    rules: Rules, *, counts_men: bool = False, report: Callable[[int], None] | None = None
) -> SolvedPalm:
    """Solve the game by these rules; `report` hears how many waiting men are done with.

    Where men count, each state has a second value: the win of a side that plays for men.
    """
    problem = build_problem(rules, counts_men=counts_men)
    measures = 1 + counts_men
    values = np.full((problem.players * problem.size, measures), np.nan)
    structures, firsts = list_structures(rules.men)
    rooms = [make_room(problem.players, measures) for _ in range(os.cpu_count() or 1)]
    with ThreadPoolExecutor(len(rooms)) as pool:
        # A man that enters waits no more, or in exchange for the one that it hits, and none who is
        # borne off comes back: so what a state leads to is settled before it.
        for waiting in range(2 * rules.men + 1):
            for borne in range(2 * rules.men - 2, -1, -1):
                count = 2 * rules.men - waiting - borne
                if count >= 0:
                    layer = structures[firsts[count] : firsts[count + 1]]
                    # Groups of a layer don't lead to one another, so they are settled side by side.
                    parts = [layer[at :: len(rooms)] for at in range(len(rooms))]
                    settle = partial(solve_layer, problem, values)
                    tuple(pool.map(settle, rooms, parts, repeat(borne)))
            if report:
                report(waiting)
    return SolvedPalm(rules, problem, values)
