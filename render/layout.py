"""How the board of a game is laid out: which tables are shown, how large, and where."""

from dataclasses import dataclass, replace
from functools import lru_cache

from engine.board import GameBoard
from engine.position import Side
from engine.rules import Rules
from render.geometry import (
    DIE,
    FRAME_WIDTH,
    GAP,
    LETTER_SPACE,
    MAX_DRAWN,
    STRIP_HEIGHT,
    WIDTH,
    BoardLayout,
    Box,
)

HALF = 6
"""Points between the bar and the end of a row."""
UPPER = 0
LEFT, RIGHT = slice(0, HALF), slice(HALF, 2 * HALF)
MAX_HEIGHT = 1080
"""Of a picture without its title: it is never taller than it is wide."""
TITLE_HEIGHT = 78
_BAND_HEIGHT = 92
"""How high the band is between the rows, where the dice lie."""
_ROW_GAP = 24
"""How far rows lie apart where there is no band: a way round passes between them."""
_DICE_HALF = (3 * (DIE + GAP) + GAP) // 2
"""How far three dice on the bar reach from its middle."""
_BAR_WIDTH, _WIDE_BAR = 96, 132
_MAX_MAN_WIDTH = 120
_MAN_MARGIN = 8
_MIN_PILE_STEP, _USUAL_PILE_STEP = 0.6, 0.7
"""How much of a man is seen under the next one of his pile: at least, and where there is room."""
_MAX_UNSTACKED = 2
"""Men of a pile that do not lie over each other."""


@lru_cache(maxsize=64)
def orient_board(rules: Rules, below: Side) -> GameBoard:
    """Return the board with its rows as that side sees them.

    Black sits opposite, with a at the lower left; where the homes lie opposite each other, each
    sits at its own, as in Doblet.
    """
    board = rules.board
    upper, lower = (frozenset(board.rows[at]) for at in (0, -1))
    gold, black = (frozenset(rules.home(side)) for side in Side)
    is_turned = bool(gold) and gold <= upper and bool(black) and black <= lower
    if (below is Side.BLACK) is is_turned:
        return board
    return replace(board, rows=tuple(row[::-1] for row in board.rows[::-1]))


@lru_cache(maxsize=64)
def find_points_in_use(rules: Rules) -> frozenset[int]:
    """Return the points that a game uses: where men travel, where they end and where they start."""
    travelled = (point for side in Side for point in (*rules.course(side), *rules.home(side)))
    start = rules.start_position
    stood = (point for point in range(rules.board.size) if start.gold[point] or start.black[point])
    return frozenset((*travelled, *stood))


def lay_out_board(
    rules: Rules, below: Side, *, titled: bool = False, whole: bool = False
) -> BoardLayout:
    """Return how the board of a game lies before that side, with a line for its title if `titled`.

    Rows and halves of the board in which nothing happens are left out, unless it is to be `whole`,
    and the others are larger for it.
    """
    shown = frozenset(range(rules.board.size)) if whole else find_points_in_use(rules)
    return _build_layout(
        orient_board(rules, below),
        shown,
        count_drawn_men(rules),
        TITLE_HEIGHT if titled else 0,
    )


def count_drawn_men(rules: Rules) -> int:
    """Return how many men of a pile a point of a game has room for."""
    # Games whose points take few men need shorter piles, and their men can be drawn larger.
    return max(_MAX_UNSTACKED, min(MAX_DRAWN, rules.ban_full or MAX_DRAWN))


@dataclass(frozen=True, slots=True)
class PartSizes:
    """The sizes of a board's parts.

    In order: how wide a point and the bar are, how high the band or, between three rows, the gap
    is, then the sizes of men and piles.
    """

    column: int
    bar: int
    middle: int
    man: int
    step: int
    tall: int
    board: int


@lru_cache(maxsize=64)
def _build_layout(board: GameBoard, shown: frozenset[int], most: int, top: int) -> BoardLayout:
    rows, halves = find_parts(board, shown)
    sizes = _compute_sizes(len(rows), len(halves), most)
    frame = Box(0, top + STRIP_HEIGHT, WIDTH, top + STRIP_HEIGHT + sizes.board)
    return place_parts(board, rows, halves, sizes, frame, most)


def find_parts(board: GameBoard, shown: frozenset[int]) -> tuple[list[int], list[slice]]:
    """Return the rows and the halves of a board that have any of the points shown."""
    rows = [at for at, row in enumerate(board.rows) if shown.intersection(row)]
    halves = [
        half for half in (LEFT, RIGHT) if any(shown.intersection(row[half]) for row in board.rows)
    ]
    return rows, halves


def place_parts(
    board: GameBoard,
    rows: list[int],
    halves: list[slice],
    sizes: PartSizes,
    frame: Box,
    most: int,
) -> BoardLayout:
    """Return the layout of a board whose parts have those sizes, in its frame."""
    inside = Box(
        frame.left + FRAME_WIDTH,
        frame.top + FRAME_WIDTH,
        frame.right - FRAME_WIDTH,
        frame.bottom - FRAME_WIDTH,
    )
    bar_left = inside.left + (HALF * sizes.column if LEFT in halves else 0)
    bar = Box(bar_left, inside.top, bar_left + sizes.bar, inside.bottom)
    # The band lies under the row that hangs from the top; where there is none, above the only row.
    band_top = inside.top + (LETTER_SPACE + sizes.tall if UPPER in rows else 0)
    note, throw = (
        (None, _dice_box_on_bar(bar)) if len(rows) > 2 else _split_band(inside, bar, band_top)
    )
    title_height = frame.top - STRIP_HEIGHT
    return BoardLayout(
        board=board,
        height=frame.bottom + STRIP_HEIGHT,
        title=Box(0, 0, frame.right, title_height) if title_height > 0 else None,
        frame=frame,
        inside=inside,
        bar=bar,
        throw=throw,
        note=note,
        points=_place_points(board, rows, halves, sizes, bar),
        hanging=frozenset(board.rows[UPPER]),
        man=sizes.man,
        step=sizes.step,
        most=most,
        clear=_bar_clearance(rows),
    )


def _compute_sizes(rows: int, halves: int, most: int) -> PartSizes:
    """Return the sizes on a board of so many rows and halves.

    Its piles are drawn up to `most` men.
    """
    # With half a board left out, points are wider than any man, so the bar may be wider too.
    bar = _BAR_WIDTH if halves == 2 else _WIDE_BAR
    column = (WIDTH - 2 * FRAME_WIDTH - bar) // (HALF * halves)
    middle = _BAND_HEIGHT if rows < 3 else _ROW_GAP
    rest = 2 * FRAME_WIDTH + middle + rows * LETTER_SPACE
    room = (MAX_HEIGHT - 2 * STRIP_HEIGHT - rest) // rows

    # A pile's height, measured in men, when they overlap as much as they may. The man's width is
    # the largest at which such a pile fits its row and a man fits its column.
    seen = 1 + _MIN_PILE_STEP * (most - 1)
    man = min(column - _MAN_MARGIN, _MAX_MAN_WIDTH, int((room - 2) / seen))
    easy = man if most <= _MAX_UNSTACKED else round(_USUAL_PILE_STEP * man)
    # A pile is never drawn with fewer than two men, so this doesn't divide by zero.
    step = min(easy, (room - man - 2) // (most - 1))
    tall = man + 2 + step * (most - 1)
    return PartSizes(column, bar, middle, man, step, tall, rest + rows * tall)


def _place_points(
    board: GameBoard, rows: list[int], halves: list[slice], sizes: PartSizes, bar: Box
) -> dict[int, Box]:
    """Return the rooms of the points, row by row from the top."""
    rooms: dict[int, Box] = {}
    line = bar.top if UPPER in rows else bar.top + sizes.middle
    for at in rows:
        base = line + LETTER_SPACE if at == UPPER else line
        for half in halves:
            left = FRAME_WIDTH if half == LEFT else bar.right
            rooms |= _place_half_row(
                board.rows[at][half], Box(left, base, left + sizes.column, base + sizes.tall)
            )
        line += sizes.tall + LETTER_SPACE + (sizes.middle if at == UPPER else 0)
    return rooms


def _place_half_row(points: tuple[int, ...], first: Box) -> dict[int, Box]:
    """Return the rooms of points that stand side by side from the first one's room on."""
    wide = first.width
    return {
        point: replace(first, left=first.left + nth * wide, right=first.right + nth * wide)
        for nth, point in enumerate(points)
    }


def _split_band(inside: Box, bar: Box, top: int) -> tuple[Box, Box]:
    """Return the boxes for a note and for the dice.

    They are on either side of the bar, or of the middle of what is beside it.
    """
    bottom = top + _BAND_HEIGHT
    left = inside.left if inside.left < bar.left else bar.right
    right = inside.right if bar.right < inside.right else bar.left
    between = left < bar.left < right
    note_end = bar.left if between else (left + right) // 2
    dice_start = bar.right if between else note_end
    return Box(left + 10, top + 10, note_end - 10, bottom - 10), Box(dice_start, top, right, bottom)


def _dice_box_on_bar(bar: Box) -> Box:
    """Return the room for the dice in the middle of the bar."""
    middle = bar.centre[1]
    return Box(bar.left, middle - _DICE_HALF, bar.right, middle + _DICE_HALF)


def _bar_clearance(rows: list[int]) -> int:
    """Return how far men on the bar are from its middle: clear of each other, band or dice."""
    return {1: GAP // 2, 2: _BAND_HEIGHT // 2, 3: _DICE_HALF}[len(rows)]
