"""Where everything lies on the picture: arithmetic only, in pixels from the top left."""

from dataclasses import dataclass

from engine.board import Board
from engine.position import Side

WIDTH, HEIGHT = 1200, 850
MAN = 58
DIE = 54
MOST_DRAWN = 5
"""Men of a pile that are drawn; more are counted."""

_STEP = 45
_POINT_WIDTH, _POINT_HEIGHT = 70, 240
_BAR_WIDTH = 72
_LETTERS = 34


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def centre(self) -> tuple[int, int]:
        """The point in the middle."""
        return (self.left + self.right) // 2, (self.top + self.bottom) // 2


TITLE = Box(24, 14, 1176, 74)
FRAME = Box(20, 84, 998, 780)
INSIDE = Box(53, 117, 965, 747)
MIDDLE = Box(INSIDE.left, 391, INSIDE.right, 473)
BAR = Box(INSIDE.left + 6 * _POINT_WIDTH, INSIDE.top, INSIDE.left + 6 * _POINT_WIDTH + _BAR_WIDTH, INSIDE.bottom)
TRAY = Box(1012, 84, 1180, 780)
NAMES = {Side.GOLD: Box(24, 790, 592, 840), Side.BLACK: Box(608, 790, 1176, 840)}


def is_upper(board: Board, point: int) -> bool:
    """Whether a point lies in the upper row."""
    return point in board.rows[0]


def point_box(board: Board, point: int) -> Box:
    """Return the room of a point, without its letter."""
    upper = is_upper(board, point)
    column = board.rows[0 if upper else 1].index(point)
    left = INSIDE.left + column * _POINT_WIDTH + (_BAR_WIDTH if column >= 6 else 0)
    top = INSIDE.top + _LETTERS if upper else INSIDE.bottom - _LETTERS - _POINT_HEIGHT
    return Box(left, top, left + _POINT_WIDTH, top + _POINT_HEIGHT)


def letter_centre(board: Board, point: int) -> tuple[int, int]:
    """Return where a point's letter stands."""
    box = point_box(board, point)
    return box.centre[0], box.top - _LETTERS // 2 if is_upper(board, point) else box.bottom + _LETTERS // 2


def pile(board: Board, point: int, count: int) -> list[tuple[int, int]]:
    """Return the centres of the men drawn on a point, from its base; one too many gives the next free place."""
    box, upper = point_box(board, point), is_upper(board, point)
    base = box.top + MAN // 2 + 1 if upper else box.bottom - MAN // 2 - 1
    step = _STEP if upper else -_STEP
    return [(box.centre[0], base + step * at) for at in range(min(count, MOST_DRAWN))]


def bar_pile(side: Side, count: int) -> list[tuple[int, int]]:
    """Return the centres of a side's men on the bar: gold's below the middle, black's above it."""
    across, step = BAR.centre[0], _STEP if side is Side.GOLD else -_STEP
    base = MIDDLE.bottom + MAN // 2 if side is Side.GOLD else MIDDLE.top - MAN // 2
    return [(across, base + step * at) for at in range(min(count, MOST_DRAWN))]


def tray_box(side: Side, row: int) -> Box:
    """Return the room beside the board for a side's men: row 0 those in hand, row 1 those borne off."""
    height = (TRAY.bottom - TRAY.top) // 4
    top = TRAY.top + ((2 if side is Side.GOLD else 0) + row) * height
    return Box(TRAY.left, top, TRAY.right, top + height)


def dice_boxes(count: int) -> list[Box]:
    """Return the dice, side by side in the middle of the right half of the board."""
    centre = (BAR.right + INSIDE.right) // 2
    left = centre - (count * (DIE + 10) - 10) // 2
    top = MIDDLE.centre[1] - DIE // 2
    return [Box(left + at * (DIE + 10), top, left + at * (DIE + 10) + DIE, top + DIE) for at in range(count)]
