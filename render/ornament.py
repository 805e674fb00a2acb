"""What adorns a board: borders, points and grain, drawn by code. A theme names one of each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import cos, pi, sin
from random import Random
from typing import TypeAlias

from PIL import Image

from render.geometry import FRAME_WIDTH, Box
from render.pen import Pen
from render.theme import Colour, Theme

SCALE = 2
"""The ground is drawn twice as large and reduced, for smooth edges."""

Along: TypeAlias = Callable[[float, float], tuple[float, float]]
"""From a distance along a side of the frame, and one inwards, to a spot of the large ground.

The second is from the outer edge of the frame.
"""

_FRAME_UNITS = 33
"""The ornaments' own measure of the frame's width: they are drawn that much smaller."""
_UNIT = FRAME_WIDTH / _FRAME_UNITS * SCALE
_USUAL_WIDTH, _WIDEST = 70, 120
"""Widths of a point: the one its ornament is measured for, and the one where it stops growing."""


def scale_box(box: Box) -> tuple[int, int, int, int]:
    """Return a box's corners on the large ground."""
    return box.left * SCALE, box.top * SCALE, box.right * SCALE, box.bottom * SCALE


def draw_border(pen: Pen, theme: Theme, frame: Box) -> None:
    """Draw a frame's ornament all the way round."""
    for along, length in _frame_sides(frame):
        BORDERS[theme.border](pen, theme, along, length)


def _frame_sides(frame: Box) -> list[tuple[Along, int]]:
    left, top, right, bottom = scale_box(frame)
    wide, high = round((right - left) / _UNIT), round((bottom - top) / _UNIT)
    return [
        (lambda at, off: (left + at * _UNIT, top + off * _UNIT), wide),
        (lambda at, off: (left + at * _UNIT, bottom - off * _UNIT), wide),
        (lambda at, off: (left + off * _UNIT, top + at * _UNIT), high),
        (lambda at, off: (right - off * _UNIT, top + at * _UNIT), high),
    ]


def _line_width(width: float) -> int:
    return max(1, round(width * _UNIT))


def _draw_plait(pen: Pen, theme: Theme, along: Along, length: int) -> None:
    """Two cords that cross each other, as on the bone strips of the Gloucester board."""
    start, end = 17, length - 17
    # A whole number of half-waves brings both cords back to the middle at the end of the side.
    waves = max(1, round((end - start) / 36))
    for phase in (0.0, pi):
        cord = [
            along(at, 17 + 8 * sin(pi * waves * (at - start) / (end - start) + phase))
            for at in range(start, end + 1, 2)
        ]
        # The dark edge of the second cord cuts through the first, which so seems to pass beneath.
        pen.line(cord, fill=theme.frame, width=_line_width(9), joint="curve")
        pen.line(cord, fill=theme.cord, width=_line_width(5), joint="curve")


def _draw_arcade(pen: Pen, theme: Theme, along: Along, length: int) -> None:
    """A row of round arches that open towards the board, in two colours by turns."""
    # As many arches as fit, each a little wider than drawn, so that they fill the side exactly.
    count = (length - 2 * _FRAME_UNITS) // 28
    wide = (length - 2 * _FRAME_UNITS) / count
    for at in range(count):
        middle = _FRAME_UNITS + wide * (at + 0.5)
        for reach, fill in (
            (wide / 2 - 1, theme.cord),
            (wide / 2 - 4, theme.tints[at % 2]),
            (4.5, theme.cord),
        ):
            arch = [
                along(middle + reach * sin(turn), _FRAME_UNITS - 4 - reach * 1.6 * cos(turn))
                for turn in _divide_arc(-pi / 2, pi / 2)
            ]
            pen.polygon(arch, fill=fill)
    for corner in (_FRAME_UNITS / 2, length - _FRAME_UNITS / 2):
        x, y = along(corner, _FRAME_UNITS / 2)
        for reach, fill in ((11, theme.cord), (8, theme.tints[0]), (3, theme.cord)):
            pen.ellipse(_circle_box(x, y, reach * _UNIT), fill=fill)
    pen.line(
        [along(_FRAME_UNITS, _FRAME_UNITS - 2), along(length - _FRAME_UNITS, _FRAME_UNITS - 2)],
        fill=theme.cord,
        width=_line_width(1),
    )


def _divide_arc(start: float, end: float) -> list[float]:
    """Return seventeen angles from one to the other."""
    return [start + (end - start) * step / 16 for step in range(17)]


def _draw_meander(pen: Pen, theme: Theme, along: Along, length: int) -> None:
    """A running key."""
    count = (length - 2 * 8) // 30
    wide = (length - 2 * 8) / count
    unit = wide / 6
    key = ((0, 4), (0, 0), (5, 0), (5, 3), (2, 3), (2, 1.6), (3.4, 1.6))
    for at in range(count):
        start = 8 + wide * at
        line = [along(start + unit * x, 7 + 4.6 * y) for x, y in key]
        pen.line(line, fill=theme.cord, width=_line_width(2))
    pen.line(
        [along(8, 7 + 4.6 * 4), along(length - 8, 7 + 4.6 * 4)],
        fill=theme.cord,
        width=_line_width(2),
    )


def _draw_line(pen: Pen, theme: Theme, along: Along, length: int) -> None:
    inset = _FRAME_UNITS - 6
    pen.line(
        [along(inset, inset), along(length - inset, inset)], fill=theme.cord, width=_line_width(3)
    )


BORDERS: Mapping[str, Callable[[Pen, Theme, Along, int], None]] = {
    "plait": _draw_plait,
    "arcade": _draw_arcade,
    "meander": _draw_meander,
    "line": _draw_line,
}


def draw_grain(pen: Pen, theme: Theme, area: Box) -> None:
    """Draw the field's material: the same lines every time."""
    GRAINS[theme.grain](pen, theme, area)


def _draw_wood(pen: Pen, theme: Theme, area: Box) -> None:
    chance = Random(1283)  # noqa: S311 - a pattern, no secret
    y = float(area.top)
    while y < area.bottom:
        y += chance.uniform(2.5, 7)
        swing, wave, tone = (
            chance.uniform(0.5, 3),
            chance.uniform(90, 260),
            chance.uniform(0.08, 0.3),
        )
        line = [
            (x * SCALE, min(area.bottom - 1, y + swing * sin(x / wave + y)) * SCALE)
            for x in range(area.left, area.right, 12)
        ]
        pen.line(line, fill=_mix_colours(theme.wood, theme.frame, tone), width=1 + (tone > 0.2))


def _draw_stone(pen: Pen, theme: Theme, area: Box) -> None:
    chance = Random(50)  # noqa: S311 - a pattern, no secret
    for _ in range(2600):
        x, y = chance.uniform(area.left, area.right), chance.uniform(area.top, area.bottom)
        lighter = chance.random() < 0.5
        fleck = _mix_colours(
            theme.wood, theme.page if lighter else theme.frame, chance.uniform(0.1, 0.3)
        )
        pen.ellipse(_circle_box(x * SCALE, y * SCALE, chance.uniform(0.5, 2.2)), fill=fleck)


def _draw_nothing(_pen: Pen, _theme: Theme, _area: Box) -> None:
    """Leave the field as it is."""


GRAINS: Mapping[str, Callable[[Pen, Theme, Box], None]] = {
    "wood": _draw_wood,
    "stone": _draw_stone,
    "plain": _draw_nothing,
}


@dataclass(frozen=True, slots=True)
class PointShape:
    """A point to draw: its box, which of the two tones it has, and whether its base is at the top.

    A `bare` one leaves room for an inscription.
    """

    box: Box
    tone: int
    hangs: bool
    bare: bool

    @property
    def unit(self) -> float:
        """How much larger than on the full board its ornament is."""
        return min(self.box.width, _WIDEST) / _USUAL_WIDTH * SCALE


def draw_point(pen: Pen, theme: Theme, shape: PointShape) -> None:
    """Draw a point in the manner of the theme."""
    POINTS[theme.point](pen, theme, shape)


def _draw_plate(pen: Pen, theme: Theme, shape: PointShape) -> None:
    """A bone plate, its end towards the middle round, with a ring-and-dot upon it."""
    box, fill = shape.box, theme.plates[shape.tone]
    edges = scale_box(Box(box.left + 4, box.top, box.right - 4, box.bottom))
    left, top, right, bottom = edges
    radius = round(31 * shape.unit)
    corners = (False, False, True, True) if shape.hangs else (True, True, False, False)
    pen.rounded_rectangle(edges, radius, fill, theme.frame, SCALE, corners=corners)
    if not shape.bare:
        across = (left + right) / 2
        along = bottom - radius if shape.hangs else top + radius
        for reach, colour in ((15, theme.wood), (11, fill), (4, theme.wood)):
            pen.ellipse(_circle_box(across, along, reach * shape.unit), fill=colour)


def _draw_arch(pen: Pen, theme: Theme, shape: PointShape) -> None:
    """Draw a tall arch outlined twice in colour, with a half-moon socket at its base.

    The first man lies in the socket.
    """
    left, top, right, bottom = scale_box(shape.box)
    unit = shape.unit
    middle, half, tall = (left + right) / 2, (right - left) / 2 - 4 * SCALE, bottom - top
    base, away = (top, 1) if shape.hangs else (bottom, -1)
    plate, tint = theme.plates[shape.tone], theme.tints[shape.tone]

    def outline(inset: float) -> list[tuple[float, float]]:
        reach = half - inset * unit
        head = min(tall / 3, 62 * unit) - inset * unit
        shoulder = tall - inset * unit - head
        rising = [
            (reach * cos(turn), shoulder + head * sin(turn)) for turn in _divide_arc(0, pi / 2)
        ]
        right_half = [(reach, 0.0), *rising]
        left_half = [(-x, up) for x, up in reversed(right_half)]
        return [(middle + x, base + away * up) for x, up in (*right_half, *left_half)]

    for inset, fill in ((0, theme.frame), (1, plate), (4, tint), (7, plate)):
        pen.polygon(outline(inset), fill=fill)
    socket = _mix_colours(plate, theme.wood, 0.35)
    start = 0 if shape.hangs else 180
    pen.pieslice(
        _circle_box(middle, base, min(half, 31 * unit) - 5 * unit), start, start + 180, fill=socket
    )
    if not shape.bare:
        y = base + away * (tall - 34 * unit)
        for reach, fill in ((8 * unit, tint), (4 * unit, plate)):
            diamond = [
                (middle, y - reach),
                (middle + reach, y),
                (middle, y + reach),
                (middle - reach, y),
            ]
            pen.polygon(diamond, fill=fill)


def _draw_slab(pen: Pen, theme: Theme, shape: PointShape) -> None:
    """A sunk panel of stone, lit from above, with an incised circle by turns with a square."""
    box, unit = shape.box, shape.unit
    edges = scale_box(Box(box.left + 4, box.top, box.right - 4, box.bottom))
    left, top, right, bottom = edges
    shade = _mix_colours(theme.frame, theme.ink, 0.5)
    pen.rectangle(edges, fill=theme.plates[shape.tone], outline=theme.frame, width=SCALE)
    pen.line([(left, bottom), (left, top), (right, top)], fill=shade, width=2 * SCALE)
    pen.line([(right, top), (right, bottom), (left, bottom)], fill=theme.page, width=SCALE)
    if not shape.bare:
        x = (left + right) / 2
        y = bottom - 32 * unit if shape.hangs else top + 32 * unit
        incise = pen.ellipse if shape.tone else pen.rectangle
        for reach in (15, 9):
            incise(_circle_box(x, y, reach * unit), outline=theme.frame, width=2 * SCALE)


def _draw_triangle(pen: Pen, theme: Theme, shape: PointShape) -> None:
    """A flat triangle; a flat strip where an inscription needs its width."""
    box, fill = shape.box, theme.plates[shape.tone]
    left, top, right, bottom = scale_box(Box(box.left + 3, box.top, box.right - 3, box.bottom))
    if shape.bare:
        pen.rectangle((left, top, right, bottom), fill=fill, outline=theme.frame, width=SCALE)
        return
    base, end = (top, bottom) if shape.hangs else (bottom, top)
    pen.polygon([(left, base), (right, base), ((left + right) / 2, end)], fill, theme.frame, SCALE)


POINTS: Mapping[str, Callable[[Pen, Theme, PointShape], None]] = {
    "plate": _draw_plate,
    "arch": _draw_arch,
    "slab": _draw_slab,
    "triangle": _draw_triangle,
}


def _circle_box(x: float, y: float, reach: float) -> tuple[float, float, float, float]:
    return x - reach, y - reach, x + reach, y + reach


def _mix_colours(one: Colour, other: Colour, share: float) -> Colour:
    return tuple(round(a + (b - a) * share) for a, b in zip(one, other, strict=True))


def fade_part(part: Image.Image, theme: Theme, share: float) -> Image.Image:
    """Fade a part of the ground into the field."""
    return Image.blend(part, Image.new("RGB", part.size, theme.wood), share)
