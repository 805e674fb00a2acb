"""The paper, how large the men on it are, and how a board is divided on sheets: arithmetic only.

A board is measured in the units of pictures (`render.geometry`), in which a man is `MAN` wide, so
that the ornaments of pictures serve on paper; a plan says how many millimetres a unit is.
"""

from dataclasses import dataclass
from enum import StrEnum, auto
from itertools import pairwise

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

MARGIN_MM = 10.0
"""What few printers reach; the marks for cutting and a small line of text stand in it."""


class PaperName(StrEnum):
    """Papers to print on."""

    A4 = auto()
    LETTER = auto()


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet's size in millimetres, upright."""

    width: float
    height: float

    def turn(self, *, landscape: bool) -> "Paper":
        """Return the sheet as it lies."""
        return Paper(self.height, self.width) if landscape else self

    @property
    def inner_width(self) -> float:
        """What is printed on, from left to right."""
        return self.width - 2 * MARGIN_MM

    @property
    def inner_height(self) -> float:
        """What is printed on, from top to bottom."""
        return self.height - 2 * MARGIN_MM


PAPERS = {PaperName.A4: Paper(210.0, 297.0), PaperName.LETTER: Paper(215.9, 279.4)}
"""ISO 216, and ANSI/ASME Y14.1's A."""


class PrintSize(StrEnum):
    """How large a board is printed."""

    SMALL = auto()  # on one sheet
    LARGE = auto()  # on as many as four

    @property
    def man_mm(self) -> int:
        """How wide a man is."""
        return 15 if self is PrintSize.SMALL else 25

    @property
    def grids(self) -> tuple[tuple[int, int], ...]:
        """How many sheets may lie side by side and one below another, the fewest first."""
        if self is PrintSize.SMALL:
            return ((1, 1),)
        return ((1, 1), (2, 1), (1, 2), (2, 2))


MAN = 64
"""A man's width in units."""
_MIN_COLUMN_WIDTH, _MAX_COLUMN_WIDTH = MAN + 5, 78
"""How wide a point is: a man must lie between its neighbours, and needs no more than this."""
_BAR = 80
_MIN_BAND, _MAX_BAND = 20, 92
"""How high the band between two rows is: Doblet's large board just has room on one sheet of A4."""
_ROW_GAP = 12
"""How high what lies between the two upper ones of three rows is, for which there is no band."""
_MIN_PILE = 2


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
    for most in range(count_drawn_men(rules), _MIN_PILE - 1, -1):
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
    board = orient_board(rules, Side.GOLD)
    rows, halves = find_parts(board, find_points_in_use(rules))
    column = _find_column(len(halves), grid)
    tall = MAN * most + 2
    band = _find_band(len(rows), LETTER_SPACE + tall, grid)
    if column < _MIN_COLUMN_WIDTH or band is None or (grid.down > 1 and len(rows) < 2):
        return None
    width = 2 * FRAME_WIDTH + HALF * len(halves) * column + _BAR
    height = 2 * FRAME_WIDTH + band + len(rows) * (LETTER_SPACE + tall)
    sizes = PartSizes(column, _BAR, band, MAN, MAN, tall, height)
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
    return min(room, _MAX_COLUMN_WIDTH)


def _find_band(rows: int, row: int, grid: _Grid) -> int | None:
    """Return how high the band between rows of that height can be; None where they do not fit."""
    if grid.down == 1:
        room = grid.height - 2 * FRAME_WIDTH - rows * row
    else:
        room = 2 * (grid.height - FRAME_WIDTH - (rows + 1) // 2 * row)
    if rows > 2:
        return _ROW_GAP if room >= _ROW_GAP else None
    return min(room, _MAX_BAND) if room >= _MIN_BAND else None
