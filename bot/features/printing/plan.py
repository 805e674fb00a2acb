"""How a game's board is divided on sheets: arithmetic only.

A board is measured in the units of pictures (`render.geometry`), in which a man is `MAN` wide, so
that the ornaments of pictures serve on paper; a plan says how many millimetres a unit is.
"""

from dataclasses import dataclass
from itertools import pairwise

from bot.features.printing.paper import Paper, PrintSize
from engine.position import Side
from engine.rules import Rules
from render.geometry import FRAME_WIDTH, LETTER_SPACE, BoardLayout, Box
from render.layout import (
    HALF,
    PartSizes,
    count_drawn_men,
    find_parts,
    find_points_in_use,
    orient_board,
    place_parts,
)

MAN = 64
"""A man's width in units."""
_LEAST_COLUMN, _MOST_COLUMN = MAN + 5, 78
"""How wide a point is: a man must lie between its neighbours, and needs no more than this."""
_BAR = 80
_LEAST_BAND, _MOST_BAND = 24, 92
"""How high the band between two rows is."""
_ROW_GAP = 12
"""How far three rows lie apart, for which there is no band."""
_LEAST_PILE = 2


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """A board on its sheets.

    `scale` is how many millimetres a unit is; `pieces` are the parts of the board, row by row, each
    for a sheet of its own. The board is cut through its bar and between its rows, never through a
    point, unless it has no bar in its middle.
    """

    layout: BoardLayout
    scale: float
    pieces: tuple[Box, ...]
    across: int
    landscape: bool


@dataclass(frozen=True, slots=True)
class _Grid:
    """How many sheets lie across and down, and what fits on each, in units."""

    across: int
    down: int
    width: int
    height: int


def plan_board(rules: Rules, paper: Paper, size: PrintSize) -> BoardPlan:
    """Return how a board is printed on the fewest sheets on which it has room.

    Its points hold as many men side by side as pictures show, or fewer where three rows leave no
    room. Raises ValueError for a board that fits no paper.
    """
    scale = size.man_mm / MAN
    for most in range(count_drawn_men(rules), _LEAST_PILE - 1, -1):
        for across, down in size.grids:
            for landscape in (True, False):
                sheet = paper.turn(landscape=landscape)
                grid = _Grid(
                    across, down, int(sheet.inner_width / scale), int(sheet.inner_height / scale)
                )
                if plan := _fit_board(rules, grid, most, scale, landscape=landscape):
                    return plan
    raise ValueError(f"a board of {rules.board.size} points has no room on {paper}")


def _fit_board(
    rules: Rules, grid: _Grid, most: int, scale: float, *, landscape: bool
) -> BoardPlan | None:
    board = orient_board(rules.board, Side.GOLD)
    rows, halves = find_parts(board, find_points_in_use(rules))
    column = _find_column(len(halves), grid)
    apart = LETTER_SPACE + (_ROW_GAP if len(rows) > 2 else 0)
    tall = MAN * most + 2
    band = _find_band(len(rows), apart + tall, grid)
    if column < _LEAST_COLUMN or band is None or (grid.down > 1 and len(rows) < 2):
        return None
    width = 2 * FRAME_WIDTH + HALF * len(halves) * column + _BAR
    height = 2 * FRAME_WIDTH + band + len(rows) * (apart + tall)
    sizes = PartSizes(column, _BAR, band, apart, MAN, MAN, tall, height)
    layout = place_parts(board, rows, halves, sizes, Box(0, 0, width, height), most)
    seam = layout.bar.centre[0] if len(halves) > 1 else layout.bar.right + HALF // 2 * column
    columns = (0, seam, width) if grid.across > 1 else (0, width)
    cut = _find_cut(layout, [board.rows[at][halves[0]][0] for at in rows])
    lines = (0, cut, height) if grid.down > 1 else (0, height)
    pieces = tuple(
        Box(left, top, right, bottom)
        for top, bottom in pairwise(lines)
        for left, right in pairwise(columns)
    )
    return BoardPlan(layout, scale, pieces, grid.across, landscape)


def _find_cut(layout: BoardLayout, firsts: list[int]) -> int:
    """Return the middle of what lies between the last row and the one before it.

    `firsts` are the first points of the rows. A single row is not cut.
    """
    if len(firsts) < 2:
        return 0
    above, below = (layout.points[point] for point in firsts[-2:])
    letters = 0 if firsts[-2] in layout.hanging else LETTER_SPACE
    return (above.bottom + letters + below.top) // 2


def _find_column(halves: int, grid: _Grid) -> int:
    """Return how wide points can be."""
    if grid.across == 1:
        room = (grid.width - 2 * FRAME_WIDTH - _BAR) // (HALF * halves)
    elif halves == 2:
        room = (grid.width - FRAME_WIDTH - _BAR // 2) // HALF
    else:
        room = (grid.width - FRAME_WIDTH - _BAR) // (HALF // 2)
    return min(room, _MOST_COLUMN)


def _find_band(rows: int, row: int, grid: _Grid) -> int | None:
    """Return how high the band between rows of that height can be; None where they do not fit."""
    if grid.down == 1:
        room = grid.height - 2 * FRAME_WIDTH - rows * row
    else:
        room = 2 * (grid.height - FRAME_WIDTH - (rows + 1) // 2 * row)
    if rows > 2:
        return 0 if room >= 0 else None
    return min(room, _MOST_BAND) if room >= _LEAST_BAND else None
