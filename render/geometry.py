"""Where everything lies on the picture: arithmetic only, in pixels from the top left."""

from dataclasses import dataclass, replace
from functools import lru_cache

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
_GAP = 6
_MARGIN = 6
MOST_DICE = 3


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

    @property
    def edges(self) -> tuple[int, int, int, int]:
        """Left, top, right and bottom, as Pillow takes them."""
        return self.left, self.top, self.right, self.bottom


TITLE = Box(24, 14, 1176, 74)
FRAME = Box(20, 84, 998, 780)
INSIDE = Box(53, 117, 965, 747)
MIDDLE = Box(INSIDE.left, 391, INSIDE.right, 473)
BAR = Box(INSIDE.left + 6 * _POINT_WIDTH, INSIDE.top, INSIDE.left + 6 * _POINT_WIDTH + _BAR_WIDTH, INSIDE.bottom)
NOTE = Box(INSIDE.left + 10, MIDDLE.top + 14, INSIDE.left + 6 * _POINT_WIDTH - 10, MIDDLE.bottom - 14)
"""Where a special position is named, in the middle of the left half."""
TRAY = Box(1012, 84, 1180, 780)
NAMES = {Side.GOLD: Box(24, 790, 592, 840), Side.BLACK: Box(608, 790, 1176, 840)}


def outset(box: Box) -> Box:
    """Return a box with the last line that a frame round it needs."""
    return Box(box.left, box.top, box.right + 1, box.bottom + 1)


@lru_cache(maxsize=16)
def turned(board: Board, below: Side) -> Board:
    """Return the board as its rows lie before that side; black sits opposite, with a at the lower left."""
    rows = board.rows if below is Side.GOLD else tuple(row[::-1] for row in board.rows[::-1])
    return replace(board, rows=rows)


def is_upper(board: Board, point: int) -> bool:
    """Whether a point lies in the upper row, so that its men hang down from the edge."""
    return point in board.rows[0]


def point_box(board: Board, point: int) -> Box:
    """Return the room of a point, without its letter."""
    row = next(at for at, points in enumerate(board.rows) if point in points)
    column = board.rows[row].index(point)
    left = INSIDE.left + column * _POINT_WIDTH + (_BAR_WIDTH if column >= 6 else 0)
    share = (INSIDE.bottom - INSIDE.top) // len(board.rows)
    height = _POINT_HEIGHT if len(board.rows) == 2 else share - _LETTERS - _GAP
    top = INSIDE.top + _LETTERS if row == 0 else INSIDE.top + (row + 1) * share - _LETTERS - height
    return Box(left, top, left + _POINT_WIDTH, top + height)


def letter_centre(board: Board, point: int) -> tuple[int, int]:
    """Return where a point's letter stands."""
    box = point_box(board, point)
    return box.centre[0], box.top - _LETTERS // 2 if is_upper(board, point) else box.bottom + _LETTERS // 2


def point_room(board: Board, point: int) -> Box:
    """Return a point's room with the margin that rings round its men need."""
    box = point_box(board, point)
    return Box(box.left, box.top - _MARGIN, box.right, box.bottom + _MARGIN)


def tip(board: Board, point: int) -> tuple[int, int]:
    """Return the middle of a point's round end, away from its base."""
    box, half = point_box(board, point), _POINT_WIDTH // 2
    return box.centre[0], box.bottom - half if is_upper(board, point) else box.top + half


def on_the_way(board: Board, point: int) -> tuple[int, int]:
    """Return where the way round crosses a point: at its tip, or in its middle where an inscription fills the tip."""
    return tip(board, point) if len(board.rows) == 2 else point_box(board, point).centre


def pile(board: Board, point: int, count: int) -> list[tuple[int, int]]:
    """Return the centres of the men drawn on a point, from its base; one too many gives the next free place."""
    box, upper = point_box(board, point), is_upper(board, point)
    base = box.top + MAN // 2 + 1 if upper else box.bottom - MAN // 2 - 1
    room = box.bottom - box.top - MAN - 2
    step = min(_STEP, room // (MOST_DRAWN - 1)) * (1 if upper else -1)
    return [(box.centre[0], base + step * at) for at in range(min(count, MOST_DRAWN))]


def lying_on(centre: tuple[int, int]) -> tuple[int, int]:
    """Return where a man is drawn who lies on the man at that place."""
    return centre[0] + MAN // 10, centre[1] - MAN // 10


def bar_pile(board: Board, count: int, *, lower: bool) -> list[tuple[int, int]]:
    """Return the centres of a side's men on the bar: those of the side that sits below under the middle."""
    clear = 0 if len(board.rows) == 2 else (MOST_DICE * (DIE + 10) - (MIDDLE.bottom - MIDDLE.top)) // 2
    base = MIDDLE.bottom + MAN // 2 + clear if lower else MIDDLE.top - MAN // 2 - clear
    step = min(_STEP, (INSIDE.bottom - MIDDLE.bottom - MAN - clear) // (MOST_DRAWN - 1))
    along = step if lower else -step
    return [(BAR.centre[0], base + along * at) for at in range(min(count, MOST_DRAWN))]


def spot(board: Board, place: int, count: int, *, lower: bool) -> tuple[int, int]:
    """Return where the last of a side's men in a place is drawn; `lower` is the side that sits below."""
    if place < board.size:
        return pile(board, place, max(1, count))[-1]
    if place in board.bars:
        return bar_pile(board, max(1, count), lower=lower)[-1]
    return tray_man(tray_box(0 if place == board.hand else 1, lower=lower))


def tray_box(row: int, *, lower: bool) -> Box:
    """Return the room beside the board for a side's men: row 0 those in hand, row 1 those borne off."""
    height = (TRAY.bottom - TRAY.top) // 4
    top = TRAY.top + ((2 if lower else 0) + row) * height
    return Box(TRAY.left, top, TRAY.right, top + height)


def tray_man(box: Box) -> tuple[int, int]:
    """Return where in his room the man is drawn who stands for all those beside the board."""
    return box.centre[0] - 36, box.centre[1] - 12


def dice_boxes(board: Board, count: int) -> list[Box]:
    """Return the dice: side by side in the middle of the right half, or on the bar where three rows leave no middle."""
    across = len(board.rows) == 2
    x = (BAR.right + INSIDE.right) // 2 if across else BAR.centre[0]
    return [
        _die_box(x, MIDDLE.centre[1], (DIE + 10) * at - (count * (DIE + 10) - 10) // 2, across) for at in range(count)
    ]


def _die_box(x: int, y: int, at: int, across: bool) -> Box:
    left, top = (x + at, y - DIE // 2) if across else (x - DIE // 2, y + at)
    return Box(left, top, left + DIE, top + DIE)
