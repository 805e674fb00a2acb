"""Where everything lies on the picture: arithmetic only, in pixels from the top left.

A picture is shown some 265 points wide on a phone, so a pixel here is a quarter of a point there:
text must be large, and the board has the whole width. What is written about a side is in a strip
above or below the board.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.board import GameBoard

Spot: TypeAlias = tuple[int, int]
"""Across and down."""

WIDTH = 1080
STRIP_HEIGHT = 72
"""What is written about one side."""
FRAME_WIDTH = 36
LETTER_SPACE = 67
"""Between a point and the frame."""
MAX_DRAWN = 5
"""Men of a pile that are drawn; more are counted."""
DIE = 78
GAP = 8
_MAX_ROUND = 88
_MARGIN = 7


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
    """One side's strip, from the left: its name, its men in hand, those borne off, and a tally."""

    name: Box
    hand: Box
    off: Box
    tally: Box


@dataclass(frozen=True)
class BoardLayout:
    """How one board lies on its picture.

    `board` has its rows as the viewer sees them. `points` are the boxes of the points that are
    shown, without their letters; those of `hanging` have their base at the top. The dice lie in
    `throw`: in the band between the rows, or on the bar where three rows leave no band; a special
    position is named in `note`. Men on the bar lie `clear` of its middle. `man` is a man's width,
    `step` the way from one man of a pile to the next, `most` how many of a pile are drawn.
    """

    board: GameBoard
    height: int
    title: Box | None
    frame: Box
    inside: Box
    bar: Box
    throw: Box
    note: Box | None
    # Stages, and their layouts, are keys of caches, and a mapping has no hash. It is still
    # compared.
    points: Mapping[int, Box] = field(hash=False)
    hanging: frozenset[int]
    man: int
    step: int
    most: int
    clear: int

    def divide_strip(self, *, lower: bool, hand: int, off: int, tally: int) -> Strip:
        """Return where one side is written about, the one that sits below or the other.

        How wide its men in hand and borne off and its tally are is given; the name has the rest.
        """
        top = self.frame.bottom if lower else self.frame.top - STRIP_HEIGHT
        bottom = top + STRIP_HEIGHT
        last = Box(WIDTH - tally, top, WIDTH, bottom)
        borne_off = Box(last.left - off, top, last.left, bottom)
        in_hand = Box(borne_off.left - hand, top, borne_off.left, bottom)
        return Strip(Box(0, top, in_hand.left, bottom), in_hand, borne_off, last)

    def locate_letter(self, point: int) -> Spot:
        """Return where a point's letter stands."""
        room = self.letter_room(point)
        return room.centre

    def letter_room(self, point: int) -> Box:
        """Return the room for a point's letter, beyond its base."""
        box = self.points[point]
        top = box.top - LETTER_SPACE if point in self.hanging else box.bottom
        return Box(box.left, top, box.right, top + LETTER_SPACE)

    def point_area(self, point: int) -> Box:
        """Return a point's room with the margin that rings round its men need."""
        box = self.points[point]
        return Box(box.left, box.top - _MARGIN, box.right, box.bottom + _MARGIN)

    def locate_tip(self, point: int) -> Spot:
        """Return the middle of a point's round end, away from its base."""
        box = self.points[point]
        half = min(box.width, _MAX_ROUND) // 2
        return box.centre[0], box.bottom - half if point in self.hanging else box.top + half

    def locate_pile(self, point: int, count: int) -> list[Spot]:
        """Return the centres of the men drawn on a point, from its base.

        One man too many gives the next free place.
        """
        box = self.points[point]
        hangs = point in self.hanging
        base = box.top + self.man // 2 + 1 if hangs else box.bottom - self.man // 2 - 1
        along = self.step if hangs else -self.step
        return [(box.centre[0], base + along * at) for at in range(min(count, self.most))]

    def locate_upper_man(self, point: int) -> Spot:
        """Return where to draw a man on the first man of a point: a little towards the middle."""
        x, y = self.locate_pile(point, 1)[0]
        aside = self.man // 10
        return x + aside, y + aside if point in self.hanging else y - aside

    def locate_bar_pile(self, count: int, *, lower: bool) -> list[Spot]:
        """Return the centres of a side's men on the bar.

        Those of the side that sits below are under the middle.
        """
        room = self.bar.height // 2 - self.clear - self.man
        # Five men must fit between the middle and the end of the bar, so on a short bar they
        # overlap more.
        step = min(self.step, room // (MAX_DRAWN - 1))
        away = 1 if lower else -1
        first = self.bar.centre[1] + away * (self.clear + self.man // 2)
        return [
            (self.bar.centre[0], first + away * step * at) for at in range(min(count, MAX_DRAWN))
        ]

    def locate_last_man(self, place: int, count: int, *, lower: bool) -> Spot:
        """Return where the last of a side's men is drawn; `lower` is the side that sits below."""
        if place in self.board.bars:
            return self.locate_bar_pile(max(1, count), lower=lower)[-1]
        return self.locate_pile(place, max(1, count))[-1]

    def lay_out_dice(self, count: int) -> list[Box]:
        """Return the boxes of the dice, side by side or stacked; smaller where there are many."""
        # Dice lie along the longer side of their room: in a row in the band, in a column on the
        # bar.
        across = self.throw.width > self.throw.height
        room = self.throw.width if across else self.throw.height
        pitch = min(DIE + GAP, (room - GAP) // max(1, count))
        size = min(DIE, pitch - 4)
        x, y = self.throw.centre
        boxes = []
        for at in range(count):
            aside = pitch * at - (pitch * (count - 1)) // 2
            middle = (x + aside, y) if across else (x, y + aside)
            boxes.append(square_around(middle, size))
        return boxes


def square_around(centre: Spot, size: int) -> Box:
    """Return the square of that size round a spot."""
    left, top = centre[0] - size // 2, centre[1] - size // 2
    return Box(left, top, left + size, top + size)
