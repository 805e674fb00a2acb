"""Where everything lies on the picture: arithmetic only, in pixels from the top left.

A picture is shown some 265 points wide on a phone, so a pixel here is a quarter of a point there: what is to be read
must be large, and the board has the whole width. What is said of a side stands in a strip above or below the board.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

from engine.board import Board
from engine.position import Side
from engine.rules import Rules

Spot: TypeAlias = tuple[int, int]
"""Across and down."""

WIDTH = 1080
MOST_HEIGHT = 1080
"""Of a picture without its title: it is never taller than it is wide."""
MOST_DRAWN = 5
"""Men of a pile that are drawn; more are counted."""
HALF = 6
"""Points between the bar and the end of a row."""

TITLE_HEIGHT = 78
STRIP_HEIGHT = 66
BAND = 26
"""How wide the frame is."""
DIE = 78
LETTERS = 44
_TO_LETTER, _TO_WAY = 25, 23
_MIDDLE = 92
_GAP = 8
_BETWEEN = 16
_DICE_HALF = (3 * (DIE + _GAP) + _GAP) // 2
"""How far three dice on the bar reach from its middle."""
_BAR_WIDTH = 92
_WIDE_BAR = 128
_MOST_MAN = 120
_BESIDE_MAN = 8
_SNUG, _EASY = 0.6, 0.7
"""How much of a man is seen under the next one of his pile: at least, and where there is room."""
_FEW = 2
_MOST_ROUND = 88
_MARGIN = 7
UPPER = 0
LEFT, RIGHT = slice(0, HALF), slice(HALF, 2 * HALF)
_HAND, _OFF = 244, 226
PIPS, LUCK = 176, 340
"""How much room at the end of a strip pips need, or luck."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def centre(self) -> Spot:
        """The point in the middle."""
        return (self.left + self.right) // 2, (self.top + self.bottom) // 2

    @property
    def width(self) -> int:
        """From left to right."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """From top to bottom."""
        return self.bottom - self.top

    @property
    def edges(self) -> tuple[int, int, int, int]:
        """Left, top, right and bottom, as Pillow takes them."""
        return self.left, self.top, self.right, self.bottom


@dataclass(frozen=True, slots=True)
class Strip:
    """Where one side is told of, from the left: its name, its men in hand, those borne off, and a tally."""

    name: Box
    hand: Box
    off: Box
    tally: Box


@dataclass(frozen=True, eq=False)
class Layout:
    """How one board lies on its picture.

    `board` has its rows as they lie before the one who looks. `points` are the rooms of those points that are shown,
    without their letters; those of `hanging` have their base at the top. The dice lie in `throw`: in the band between
    the rows, or on the bar where three rows leave no band; a special position is named in `note`. Men on the bar lie
    `clear` of its middle. `man` is a man's width, `step` the way from one man of a pile to the next, `most` how many of
    a pile are drawn.
    """

    board: Board
    height: int
    title: Box | None
    frame: Box
    inside: Box
    bar: Box
    throw: Box
    note: Box | None
    points: Mapping[int, Box]
    hanging: frozenset[int]
    man: int
    step: int
    most: int
    clear: int

    def strip(self, *, lower: bool, in_hand: bool, borne_off: bool, tally: int) -> Strip:
        """Return where one side is told of, the one that sits below or the other.

        Men `in_hand` and `borne_off` take room from the name where there are any; `tally` is the last part's width.
        """
        top = self.frame.bottom if lower else self.frame.top - STRIP_HEIGHT
        bottom = top + STRIP_HEIGHT
        last = Box(WIDTH - tally, top, WIDTH, bottom)
        off = Box(last.left - _OFF * borne_off, top, last.left, bottom)
        hand = Box(off.left - _HAND * in_hand, top, off.left, bottom)
        return Strip(Box(0, top, hand.left, bottom), hand, off, last)

    def letter(self, point: int) -> Spot:
        """Return where a point's letter stands."""
        box = self.points[point]
        return box.centre[0], box.top - _TO_LETTER if point in self.hanging else box.bottom + _TO_LETTER

    def room(self, point: int) -> Box:
        """Return a point's room with the margin that rings round its men need."""
        box = self.points[point]
        return Box(box.left, box.top - _MARGIN, box.right, box.bottom + _MARGIN)

    def tip(self, point: int) -> Spot:
        """Return the middle of a point's round end, away from its base."""
        box = self.points[point]
        half = min(box.width, _MOST_ROUND) // 2
        return box.centre[0], box.bottom - half if point in self.hanging else box.top + half

    def on_the_way(self, point: int) -> Spot:
        """Return where the way round passes a point: beyond its tip, or through it where three rows leave no band."""
        box = self.points[point]
        if self.note is None:
            return box.centre
        return box.centre[0], box.bottom + _TO_WAY if point in self.hanging else box.top - _TO_WAY

    def pile(self, point: int, count: int) -> list[Spot]:
        """Return the centres of the men drawn on a point, from its base; one too many gives the next free place."""
        box = self.points[point]
        hangs = point in self.hanging
        base = box.top + self.man // 2 + 1 if hangs else box.bottom - self.man // 2 - 1
        along = self.step if hangs else -self.step
        return [(box.centre[0], base + along * at) for at in range(min(count, self.most))]

    def lying_on(self, centre: Spot) -> Spot:
        """Return where a man is drawn who lies on the man at that place."""
        return centre[0] + self.man // 10, centre[1] - self.man // 10

    def bar_pile(self, count: int, *, lower: bool) -> list[Spot]:
        """Return the centres of a side's men on the bar: those of the side that sits below under the middle."""
        room = self.bar.height // 2 - self.clear - self.man
        step = min(self.step, room // (MOST_DRAWN - 1))
        away = 1 if lower else -1
        first = self.bar.centre[1] + away * (self.clear + self.man // 2)
        return [(self.bar.centre[0], first + away * step * at) for at in range(min(count, MOST_DRAWN))]

    def spot(self, place: int, count: int, *, lower: bool) -> Spot:
        """Return where the last of a side's men on the board is drawn; `lower` is the side that sits below."""
        if place in self.board.bars:
            return self.bar_pile(max(1, count), lower=lower)[-1]
        return self.pile(place, max(1, count))[-1]

    def dice(self, count: int) -> list[Box]:
        """Return the dice in their room, side by side or one above the other; smaller where there are many."""
        across = self.throw.width > self.throw.height
        room = self.throw.width if across else self.throw.height
        pitch = min(DIE + _GAP, (room - _GAP) // max(1, count))
        size = min(DIE, pitch - 4)
        x, y = self.throw.centre
        boxes = []
        for at in range(count):
            aside = pitch * at - (pitch * (count - 1)) // 2
            middle = (x + aside, y) if across else (x, y + aside)
            boxes.append(around(middle, size))
        return boxes


def around(centre: Spot, size: int) -> Box:
    """Return the square of that size round a spot."""
    left, top = centre[0] - size // 2, centre[1] - size // 2
    return Box(left, top, left + size, top + size)


@lru_cache(maxsize=16)
def turned(board: Board, below: Side) -> Board:
    """Return the board as its rows lie before that side; black sits opposite, with a at the lower left."""
    rows = board.rows if below is Side.GOLD else tuple(row[::-1] for row in board.rows[::-1])
    return replace(board, rows=rows)


@lru_cache(maxsize=64)
def used(rules: Rules) -> frozenset[int]:
    """Return the points that a game uses: where men travel, where they end and where they stand at first."""
    travelled = (point for side in Side for point in (*rules.course(side), *rules.home(side)))
    start = rules.start
    stood = (point for point in range(rules.board.size) if start.gold[point] or start.black[point])
    return frozenset((*travelled, *stood))


def layout(rules: Rules, below: Side, *, titled: bool = False) -> Layout:
    """Return how the board of a game lies before that side, with a line for its title if `titled`.

    Rows and halves of the board in which nothing happens are left out, and the others are larger for it.
    """
    most = max(_FEW, min(MOST_DRAWN, rules.limit or MOST_DRAWN))
    return _layout(turned(rules.board, below), used(rules), most, TITLE_HEIGHT if titled else 0)


@lru_cache(maxsize=64)
def _layout(board: Board, in_use: frozenset[int], most: int, top: int) -> Layout:
    rows = [at for at, row in enumerate(board.rows) if in_use.intersection(row)]
    halves = [half for half in (LEFT, RIGHT) if any(in_use.intersection(row[half]) for row in board.rows)]
    bar_width = _BAR_WIDTH if len(halves) == 2 else _WIDE_BAR
    column = (WIDTH - 2 * BAND - bar_width) // (HALF * len(halves))

    banded = len(rows) < 3
    middle = _MIDDLE if banded else 0
    apart = LETTERS if banded else LETTERS + _BETWEEN
    rest = 2 * STRIP_HEIGHT + 2 * BAND + middle + len(rows) * apart
    man, step = _sizes(column, (MOST_HEIGHT - rest) // len(rows), most)
    tall = man + 2 + step * (most - 1)

    frame = Box(0, top + STRIP_HEIGHT, WIDTH, top - STRIP_HEIGHT + rest + len(rows) * tall)
    inside = Box(BAND, frame.top + BAND, WIDTH - BAND, frame.bottom - BAND)
    bar_left = inside.left + (HALF * column if LEFT in halves else 0)
    bar = Box(bar_left, inside.top, bar_left + bar_width, inside.bottom)
    # The band lies under the row that hangs from the top; where there is none, above the only row.
    band_top = inside.top + (LETTERS + tall if UPPER in rows else 0)
    note, throw = _band(inside, bar, band_top) if banded else (None, _on_bar(bar))

    points: dict[int, Box] = {}
    line = inside.top if UPPER in rows else inside.top + middle
    for at in rows:
        base = line + LETTERS if at == UPPER else line
        for half in halves:
            left = inside.left if half == LEFT else bar.right
            points |= _side_by_side(board.rows[at][half], Box(left, base, left + column, base + tall))
        line += tall + apart + (middle if at == UPPER else 0)
    return Layout(
        board=board,
        height=frame.bottom + STRIP_HEIGHT,
        title=Box(0, 0, WIDTH, top) if top else None,
        frame=frame,
        inside=inside,
        bar=bar,
        throw=throw,
        note=note,
        points=points,
        hanging=frozenset(board.rows[UPPER]),
        man=man,
        step=step,
        most=most,
        clear=_clear(rows),
    )


def _sizes(column: int, room: int, most: int) -> tuple[int, int]:
    """Return how wide men are, and the step from one to the next, where a pile has so much room."""
    seen = 1 + _SNUG * (most - 1)
    man = min(column - _BESIDE_MAN, _MOST_MAN, int((room - 2) / seen))
    easy = man if most <= _FEW else round(_EASY * man)
    return man, min(easy, (room - man - 2) // (most - 1))


def _side_by_side(points: tuple[int, ...], first: Box) -> dict[int, Box]:
    """Return the rooms of points that stand side by side from the first one's room on."""
    wide = first.width
    return {
        point: replace(first, left=first.left + nth * wide, right=first.right + nth * wide)
        for nth, point in enumerate(points)
    }


def _band(inside: Box, bar: Box, top: int) -> tuple[Box, Box]:
    """Return the rooms for a note and for the dice, on either side of the bar or of the middle of what is beside it."""
    bottom = top + _MIDDLE
    left = inside.left if inside.left < bar.left else bar.right
    right = inside.right if bar.right < inside.right else bar.left
    between = left < bar.left < right
    note_end = bar.left if between else (left + right) // 2
    dice_start = bar.right if between else note_end
    return Box(left + 10, top + 10, note_end - 10, bottom - 10), Box(dice_start, top, right, bottom)


def _on_bar(bar: Box) -> Box:
    """Return the room for the dice in the middle of the bar."""
    middle = bar.centre[1]
    return Box(bar.left, middle - _DICE_HALF, bar.right, middle + _DICE_HALF)


def _clear(rows: list[int]) -> int:
    """Return how far from the bar's middle its men stand: clear of each other, of the band or of the dice."""
    return {1: _GAP // 2, 2: _MIDDLE // 2, 3: _DICE_HALF}[len(rows)]
