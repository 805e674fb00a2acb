"""What adorns a board: borders, points and grain, drawn by code. A theme names one of each."""

from collections.abc import Callable, Mapping
from math import cos, pi, sin
from random import Random
from typing import TypeAlias

from PIL import Image, ImageDraw

from render.geometry import FRAME, INSIDE, Box
from render.theme import Colour, Theme

SCALE = 2
"""The ground is drawn twice as large and reduced, for smooth edges."""

Pen: TypeAlias = ImageDraw.ImageDraw
Along: TypeAlias = Callable[[float, float], tuple[float, float]]
"""From a distance along one side of the frame, and one inwards from its outer edge, to a spot of the large ground."""

_BAND = INSIDE.left - FRAME.left


def scaled(box: Box) -> tuple[int, int, int, int]:
    """Return a box's corners on the large ground."""
    return box.left * SCALE, box.top * SCALE, box.right * SCALE, box.bottom * SCALE


def border(pen: Pen, theme: Theme) -> None:
    """Draw the frame's ornament all the way round."""
    for along, length in _sides():
        BORDERS[theme.border](pen, theme, along, length)


def _sides() -> list[tuple[Along, int]]:
    wide, high = FRAME.right - FRAME.left, FRAME.bottom - FRAME.top
    return [
        (lambda at, off: ((FRAME.left + at) * SCALE, (FRAME.top + off) * SCALE), wide),
        (lambda at, off: ((FRAME.left + at) * SCALE, (FRAME.bottom - off) * SCALE), wide),
        (lambda at, off: ((FRAME.left + off) * SCALE, (FRAME.top + at) * SCALE), high),
        (lambda at, off: ((FRAME.right - off) * SCALE, (FRAME.top + at) * SCALE), high),
    ]


def _plait(pen: Pen, theme: Theme, along: Along, length: int) -> None:
    """Two cords that cross each other, as on the bone strips of the Gloucester board."""
    start, end = 17, length - 17
    waves = max(1, round((end - start) / 26))
    for phase in (0.0, pi):
        cord = [
            along(at, 17 + 8 * sin(pi * waves * (at - start) / (end - start) + phase))
            for at in range(start, end + 1, 2)
        ]
        pen.line(cord, fill=theme.frame, width=9 * SCALE, joint="curve")
        pen.line(cord, fill=theme.cord, width=5 * SCALE, joint="curve")


def _arcade(pen: Pen, theme: Theme, along: Along, length: int) -> None:
    """A row of round arches that open towards the board, in two colours by turns."""
    count = (length - 2 * _BAND) // 28
    wide = (length - 2 * _BAND) / count
    for at in range(count):
        middle = _BAND + wide * (at + 0.5)
        for reach, fill in ((wide / 2 - 1, theme.cord), (wide / 2 - 4, theme.tints[at % 2]), (4.5, theme.cord)):
            arch = [
                along(middle + reach * sin(turn), _BAND - 4 - reach * 1.6 * cos(turn))
                for turn in _turns(-pi / 2, pi / 2)
            ]
            pen.polygon(arch, fill=fill)
    for corner in (_BAND / 2, length - _BAND / 2):
        x, y = along(corner, _BAND / 2)
        for reach, fill in ((11, theme.cord), (8, theme.tints[0]), (3, theme.cord)):
            pen.ellipse(_around(x, y, reach * SCALE), fill=fill)
    pen.line([along(_BAND, _BAND - 2), along(length - _BAND, _BAND - 2)], fill=theme.cord, width=SCALE)


def _turns(start: float, end: float) -> list[float]:
    """Return seventeen angles from one to the other."""
    return [start + (end - start) * step / 16 for step in range(17)]


def _meander(pen: Pen, theme: Theme, along: Along, length: int) -> None:
    """A running key."""
    count = (length - 2 * 8) // 30
    wide = (length - 2 * 8) / count
    unit = wide / 6
    key = ((0, 4), (0, 0), (5, 0), (5, 3), (2, 3), (2, 1.6), (3.4, 1.6))
    for at in range(count):
        start = 8 + wide * at
        line = [along(start + unit * x, 7 + 4.6 * y) for x, y in key]
        pen.line(line, fill=theme.cord, width=2 * SCALE)
    pen.line([along(8, 7 + 4.6 * 4), along(length - 8, 7 + 4.6 * 4)], fill=theme.cord, width=2 * SCALE)


def _line(pen: Pen, theme: Theme, along: Along, length: int) -> None:
    inset = _BAND - 6
    pen.line([along(inset, inset), along(length - inset, inset)], fill=theme.cord, width=3 * SCALE)


BORDERS: Mapping[str, Callable[[Pen, Theme, Along, int], None]] = {
    "plait": _plait,
    "arcade": _arcade,
    "meander": _meander,
    "line": _line,
}


def grain(pen: Pen, theme: Theme, area: Box) -> None:
    """Draw the field's material: the same lines every time."""
    GRAINS[theme.grain](pen, theme, area)


def _wood(pen: Pen, theme: Theme, area: Box) -> None:
    chance = Random(1283)  # noqa: S311 - a pattern, no secret
    y = float(area.top)
    while y < area.bottom:
        y += chance.uniform(2.5, 7)
        swing, wave, tone = chance.uniform(0.5, 3), chance.uniform(90, 260), chance.uniform(0.08, 0.3)
        line = [
            (x * SCALE, min(area.bottom - 1, y + swing * sin(x / wave + y)) * SCALE)
            for x in range(area.left, area.right, 12)
        ]
        pen.line(line, fill=_mixed(theme.wood, theme.frame, tone), width=1 + (tone > 0.2))


def _stone(pen: Pen, theme: Theme, area: Box) -> None:
    chance = Random(50)  # noqa: S311 - a pattern, no secret
    for _ in range(2600):
        x, y = chance.uniform(area.left, area.right), chance.uniform(area.top, area.bottom)
        lighter = chance.random() < 0.5
        fleck = _mixed(theme.wood, theme.page if lighter else theme.frame, chance.uniform(0.1, 0.3))
        pen.ellipse(_around(x * SCALE, y * SCALE, chance.uniform(0.5, 2.2)), fill=fleck)


def _no_grain(_pen: Pen, _theme: Theme, _area: Box) -> None:
    """Leave the field as it is."""


GRAINS: Mapping[str, Callable[[Pen, Theme, Box], None]] = {"wood": _wood, "stone": _stone, "plain": _no_grain}


def point(pen: Pen, box: Box, theme: Theme, tone: int, *, upper: bool, bare: bool) -> None:
    """Draw a point whose base lies at the board's edge; a `bare` one leaves room for an inscription."""
    POINTS[theme.point](pen, box, theme, tone, upper, bare)


def _plate(pen: Pen, box: Box, theme: Theme, tone: int, upper: bool, bare: bool) -> None:
    """A bone plate, its end towards the middle round, with a ring-and-dot upon it."""
    left, top, right, bottom = scaled(Box(box.left + 4, box.top, box.right - 4, box.bottom))
    radius = (right - left) // 2 - SCALE
    corners = (False, False, True, True) if upper else (True, True, False, False)
    edges = (left, top, right, bottom)
    pen.rounded_rectangle(edges, radius, theme.plates[tone], theme.frame, SCALE, corners=corners)
    if not bare:
        across, along = (left + right) / 2, bottom - radius if upper else top + radius
        for reach, fill in ((15, theme.wood), (11, theme.plates[tone]), (4, theme.wood)):
            pen.ellipse(_around(across, along, reach * SCALE), fill=fill)


def _arch(pen: Pen, box: Box, theme: Theme, tone: int, upper: bool, bare: bool) -> None:
    """A tall arch drawn round twice in colour, with a half-moon socket at its base where the first man lies."""
    middle, half, tall = (box.left + box.right) / 2, (box.right - box.left) / 2 - 4, box.bottom - box.top

    def outline(inset: float) -> list[tuple[float, float]]:
        reach, head = half - inset, min(tall / 3, 62) - inset
        rising = [(reach * cos(turn), tall - inset - head + head * sin(turn)) for turn in _turns(0, pi / 2)]
        shape = [(reach, 0.0), *rising, *((-x, up) for x, up in reversed(rising)), (-reach, 0.0)]
        return [((middle + x) * SCALE, (box.top + up if upper else box.bottom - up) * SCALE) for x, up in shape]

    for inset, fill in ((0, theme.frame), (1, theme.plates[tone]), (4, theme.tints[tone]), (7, theme.plates[tone])):
        pen.polygon(outline(inset), fill=fill)
    socket = _mixed(theme.plates[tone], theme.wood, 0.35)
    base = (box.top if upper else box.bottom) * SCALE
    round_edges = _around(middle * SCALE, base, (half - 9) * SCALE)
    pen.pieslice(round_edges, 0 if upper else 180, 180 if upper else 360, fill=socket)
    if not bare:
        x, y = middle * SCALE, (box.bottom - 34 if upper else box.top + 34) * SCALE
        for reach, fill in ((8, theme.tints[tone]), (4, theme.plates[tone])):
            pen.polygon(
                [(x, y - reach * SCALE), (x + reach * SCALE, y), (x, y + reach * SCALE), (x - reach * SCALE, y)], fill
            )


def _slab(pen: Pen, box: Box, theme: Theme, tone: int, upper: bool, bare: bool) -> None:
    """A sunk panel of stone, lit from above, with an incised circle by turns with a square."""
    edges = scaled(Box(box.left + 4, box.top, box.right - 4, box.bottom))
    left, top, right, bottom = edges
    pen.rectangle(edges, fill=theme.plates[tone], outline=theme.frame, width=SCALE)
    pen.line([(left, bottom), (left, top), (right, top)], fill=_mixed(theme.frame, theme.ink, 0.5), width=2 * SCALE)
    pen.line([(right, top), (right, bottom), (left, bottom)], fill=theme.page, width=SCALE)
    if not bare:
        x, y = (left + right) / 2, (box.bottom - 32 if upper else box.top + 32) * SCALE
        for reach in (15, 9):
            mark = _around(x, y, reach * SCALE)
            if tone:
                pen.ellipse(mark, outline=theme.frame, width=2 * SCALE)
            else:
                pen.rectangle(mark, outline=theme.frame, width=2 * SCALE)


def _triangle(pen: Pen, box: Box, theme: Theme, tone: int, upper: bool, bare: bool) -> None:
    """A flat triangle; a flat strip where an inscription needs its width."""
    left, top, right, bottom = scaled(Box(box.left + 3, box.top, box.right - 3, box.bottom))
    if bare:
        pen.rectangle((left, top, right, bottom), fill=theme.plates[tone], outline=theme.frame, width=SCALE)
        return
    base, end = (top, bottom) if upper else (bottom, top)
    pen.polygon([(left, base), (right, base), ((left + right) / 2, end)], theme.plates[tone], theme.frame, SCALE)


POINTS: Mapping[str, Callable[[Pen, Box, Theme, int, bool, bool], None]] = {
    "plate": _plate,
    "arch": _arch,
    "slab": _slab,
    "triangle": _triangle,
}


def _around(x: float, y: float, reach: float) -> tuple[float, float, float, float]:
    return x - reach, y - reach, x + reach, y + reach


def _mixed(one: Colour, other: Colour, share: float) -> Colour:
    return tuple(round(a + (b - a) * share) for a, b in zip(one, other, strict=True))


def dimmed(part: Image.Image, theme: Theme, share: float) -> Image.Image:
    """Fade a part of the ground into the field."""
    return Image.blend(part, Image.new("RGB", part.size, theme.wood), share)
