"""Tables of solved games that are too large to load: their files are looked into where they lie.

Such is Paume carie on one table, whose sides enter on the same six points and bear off from them: a
state is what stands on each point and how many men of each side wait, in hand or hit.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.players.boards import Men
from engine.players.evaluation_rows import EvaluationRows, build_rows
from engine.players.files import STEPS, DamagedTableError
from engine.position import Side
from engine.rules import BearingRule, Rules

LARGE_SUFFIX = ".npy"

HALF = 3
"""The points are numbered by halves, three and three: a table of the whole would be too large."""

ROW = np.dtype([("win", "<u2"), ("points", "<u2")])
"""What a file holds of a state, for the side that throws next.

Points count from as many lost as a side has men to as many won.
"""

Indexes: TypeAlias = npt.NDArray[np.int32]
Rows: TypeAlias = npt.NDArray[np.void]


class Numbering(NamedTuple):
    """Where the value of a state is kept.

    A content is what stands on a point: nothing, 1 to `men` of the side that throws next, or `men`
    more for the other side's. `halves` number what stands on three points, by their contents;
    `mine` and `theirs` are how many men stand there. A state's place is `firsts` of its first half,
    plus `inner` by the men there and the second half, plus the waiting men.
    """

    halves: Indexes
    mine: Indexes
    theirs: Indexes
    firsts: npt.NDArray[np.int64]
    inner: Indexes
    size: int


def list_content_men(men: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return how many men of each side every content means, with so many men a side."""
    contents = np.arange(2 * men + 1)
    is_own = contents <= men
    return np.where(is_own, contents, 0), np.where(is_own, 0, contents - men)


@lru_cache(maxsize=8)
def number_states(men: int) -> Numbering:
    """Number the states of so many men a side."""
    own, other = list_content_men(men)
    contents = np.indices((len(own),) * HALF).reshape(HALF, -1)
    mine, theirs = own[contents].sum(axis=0), other[contents].sum(axis=0)
    fits = (mine <= men) & (theirs <= men)
    # Halves that hold more men than a side has get no number, which makes the table fit in memory.
    halves = np.where(fits, np.cumsum(fits) - 1, -1)
    mine, theirs = mine[fits], theirs[fits]
    inner = np.full((men + 1, men + 1, len(mine)), -1, np.int64)
    sizes = np.zeros((men + 1, men + 1), np.int64)
    for own_men in range(men + 1):
        for other_men in range(men + 1):
            free, free_other = men - own_men - mine, men - other_men - theirs
            # Of the men that stand nowhere, any number may wait; the others are borne off.
            room = np.where((free >= 0) & (free_other >= 0), (free + 1) * (free_other + 1), 0)
            inner[own_men, other_men] = np.where(room > 0, np.cumsum(room) - room, -1)
            sizes[own_men, other_men] = room.sum()
    ends = np.cumsum(sizes[mine, theirs])
    return Numbering(
        halves.astype(np.int32),
        mine.astype(np.int32),
        theirs.astype(np.int32),
        ends - sizes[mine, theirs],
        inner.astype(np.int32).ravel(),
        int(ends[-1]),
    )


@dataclass(frozen=True, eq=False)
class LargeTable:
    """The exact evaluation of every position before a throw, by rules with shared points."""

    rules: Rules
    rows: Rows

    def evaluate(self, thrower: Side, mine: Men, theirs: Men) -> EvaluationRows:
        """Return the evaluation of positions for the side that throws next, one row each."""
        found = self.rows[find_places(self.rules, mine, theirs)]
        points = self.rules.men * (2 * (found["points"] / STEPS) - 1)
        return build_rows(found["win"] / STEPS, points, exact=True)


def find_places(rules: Rules, mine: Men, theirs: Men) -> npt.NDArray[np.int64]:
    """Return where positions stand in a table, by the men of who throws next and of the other."""
    men, board = rules.men, rules.board
    numbering = number_states(men)
    points = list(rules.course(Side.GOLD))
    beside = [board.hand, *board.bars]
    held = theirs[:, points].astype(np.int64)
    contents = mine[:, points] + np.where(held > 0, held + men, 0)
    powers = (2 * men + 1) ** np.arange(HALF)[::-1]
    left, right = (
        numbering.halves[(half * powers).sum(axis=1)]
        for half in (contents[:, :HALF], contents[:, HALF:])
    )
    waiting, waiting_other = (
        each[:, beside].sum(axis=1, dtype=np.int64) for each in (mine, theirs)
    )
    own, other = numbering.mine[left], numbering.theirs[left]
    inner = numbering.inner[(own * (men + 1) + other) * len(numbering.mine) + right]
    room = men + 1 - other - numbering.theirs[right]
    places: npt.NDArray[np.int64] = numbering.firsts[left] + inner + waiting * room + waiting_other
    return places


def has_shared_points(rules: Rules) -> bool:
    """Whether a large table can hold the positions of these rules."""
    return (
        rules.course(Side.GOLD) == rules.course(Side.BLACK)
        and len(rules.course(Side.GOLD)) == 2 * HALF
        and not rules.moving
        and rules.bearing is BearingRule.EXACT
        and rules.players == 1
    )


def create_large_table(path: Path, men: int) -> "np.memmap[tuple[int], np.dtype[np.void]]":
    """Create a file for so many men a side, and return its rows, all nought, to be written."""
    return np.lib.format.open_memmap(path, "w+", ROW, (number_states(men).size,))


def open_large_table(rules: Rules, path: Path) -> LargeTable:
    """Open a file without loading it; raises DamagedTableError where it is no table of such rules.

    Its values aren't read, so a wrong one isn't noticed.
    """
    try:
        rows = np.load(path, mmap_mode="r", allow_pickle=False)
    # A wrong byte in the header can raise nearly anything.
    except Exception as error:
        raise DamagedTableError(f"{path.name} is damaged: {error}") from error
    if rows.dtype != ROW or rows.shape != (number_states(rules.men).size,):
        raise DamagedTableError(f"{path.name} is damaged: it is no table of that game")
    return LargeTable(rules, rows)


def round_rows(wins: npt.NDArray[np.float64], points: npt.NDArray[np.float64], men: int) -> Rows:
    """Return chances to win and points as a file holds them."""
    rows = np.zeros(len(wins), ROW)
    rows["win"] = np.rint(wins * STEPS)
    rows["points"] = np.rint((1 + points / men) / 2 * STEPS)
    return rows
