"""What a net sees: the men of both sides along their own courses, for the side to throw.

Every place where men of a game can stand has a slot: the points of a course counted from its end,
so that both sides are seen alike, then the hand, the men borne off and the bars. Each slot has four
inputs for the side to throw and four for the other: one man or more, two or more, three or more,
and half of every man beyond three. Then comes what the greedy player goes by, as a net learns it
slowly from the men alone: the race, blots in danger, what bars the way, and the lead; and how far
the next throw reaches. What a game remembers besides comes last.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from engine.games.emperador import BARATA_HITS, count_prime_hits
from engine.players import greedy
from engine.players.boards import Boards
from engine.players.chances import compute_mean_pips
from engine.players.shots import REACHED, measure_reach
from engine.position import Side
from engine.rules import Rules
from engine.search.routes import NOWHERE

INPUTS_VERSION = 3
"""Rises when the inputs of any game change: nets of another version are not read."""

UNITS = 4
"""Inputs a slot for each side."""

REMEMBERED = BARATA_HITS - 1
"""Inputs a side for what is remembered: at least so many men hit behind a blockade.

With one man more the game is won.
"""

RACE_SCALE = 2.0
"""The input of the way that a side has before the first throw."""

COST_SCALE = 8.0
"""The same of as many pips in danger, or barred: they are seldom more than a few."""

LEAD_SCALE = 0.5

FEATURE_INPUTS = greedy.FEATURE_COUNT + 2 * REACHED
"""Inputs for what is weighed: what greedy goes by, and how far the next throw reaches."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class InputLayout:
    """Where the inputs of a game stand.

    `mine[place]` and `theirs[place]` are the first of the four inputs for men of the side to throw,
    and of the other, at that place, or NOWHERE where none can stand. `weighed` is the first input
    for what is weighed, `memory` the first for what is remembered, or NOWHERE, and `count` how many
    inputs there are.
    """

    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    weighed: int
    memory: int
    count: int


def encode_men(count: int) -> tuple[float, float, float, float]:
    """The four inputs for so many men of one side at one place."""
    return float(count >= 1), float(count >= 2), float(count >= 3), max(0, count - 3) / 2


@lru_cache(maxsize=512)
def lay_out_inputs(rules: Rules, side: Side) -> InputLayout:
    """Work out where the inputs stand when that side is to throw."""
    longest = max(len(rules.course(each)) for each in Side)
    # Both sides get the slots of the longer course, so that the inputs lie alike whichever throws.
    half = (longest + 2 + len(rules.board.bars)) * UNITS
    mine = tuple(
        slot * UNITS if slot >= 0 else NOWHERE for slot in _assign_slots(rules, side, longest)
    )
    theirs = tuple(
        half + slot * UNITS if slot >= 0 else NOWHERE
        for slot in _assign_slots(rules, side.other, longest)
    )
    # Nets see positions before a throw, when nothing else is remembered: who is being placed in
    # Tabula is forgotten with the throw.
    counts_hits = rules.memory is not None and rules.memory.after is count_prime_hits
    weighed = 2 * half
    memory = weighed + FEATURE_INPUTS
    count = memory + (2 * REMEMBERED if counts_hits else 0)
    return InputLayout(mine, theirs, weighed, memory if counts_hits else NOWHERE, count)


def _assign_slots(rules: Rules, side: Side, longest: int) -> list[int]:
    board = rules.board
    slots = [NOWHERE] * len(board.place_names)
    for slot, point in enumerate(reversed(rules.course(side))):
        slots[point] = slot
    for slot, place in enumerate((board.hand, board.off, *board.bars), start=longest):
        slots[place] = slot
    return slots


def compute_feature_inputs(rules: Rules, before: Boards, thrower: Side) -> Floats:
    """The inputs for what is weighed, of positions in which that side throws next: one row each."""
    mine, theirs = before.men(thrower), before.men(thrower.other)
    rows = np.hstack(
        (
            greedy.compute_features(rules, thrower, mine, theirs),
            measure_reach(rules, thrower, mine, theirs),
        )
    )
    return (rows * compute_scales(rules)).astype(np.float32)


@lru_cache(maxsize=256)
def compute_scales(rules: Rules) -> tuple[float, ...]:
    """By what each of the numbers that are weighed is multiplied to be an input."""
    pips = 1 / greedy.measure_longest_way(rules)
    costs = COST_SCALE * pips
    side = (RACE_SCALE * pips, costs, costs)
    reached = (1.0, costs, costs, 1 / compute_mean_pips(rules.dice), 1.0)
    return (*side, *side, LEAD_SCALE, *reached, *reached)


def encode_memory(memory: int, side: Side) -> tuple[float, ...]:
    """Return the inputs for men hit behind a blockade, the side to throw first.

    See `count_prime_hits`.
    """
    gold, black = divmod(memory, 8)
    counts = (gold, black) if side is Side.GOLD else (black, gold)
    return tuple(float(count > least) for count in counts for least in range(REMEMBERED))
