"""The pieces: men, dice and the marks of a play. Each sprite is drawn large and reduced once."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import cos, pi, sin
from typing import TypeAlias

from PIL import Image, ImageDraw

from engine.position import Side
from render.pen import Pen
from render.scene import Die
from render.theme import Colour, Stone, Theme

SCALE = 4
RING_MARGIN = 6
_USED_SIZE, _USED_SHARE = 0.78, 0.35
"""How large a used die is beside another, and how far its face has gone to the bar's colour."""
PIPS = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (1, 0), (2, 0), (0, 2), (1, 2), (2, 2)),
}

Sprite: TypeAlias = Image.Image
_CLEAR = (0, 0, 0, 0)


def paint_sprite(size: int, paint: Callable[[Pen, int], None]) -> Sprite:
    """Return a square sprite on which `paint` has drawn, smoothed; it is told how wide it draws."""
    # Pillow draws shapes without anti-aliasing; averaging blocks of SCALE × SCALE pixels smooths
    # the edges, and keeps them half transparent for any ground.
    large = Image.new("RGBA", (size * SCALE, size * SCALE), _CLEAR)
    paint(ImageDraw.Draw(large), size * SCALE)
    return large.reduce(SCALE)


def _draw_disc(
    pen: Pen,
    size: int,
    inset: float,
    fill: Colour | None,
    line: Colour | None = None,
    thin: int = 26,
) -> None:
    edge = size * inset
    width = max(1, size // thin)
    # Pillow's boxes include their far corner.
    pen.ellipse(
        (edge, edge, size - edge - 1, size - edge - 1),
        fill=fill,
        outline=line,
        width=width if line else 0,
    )


def _draw_dots(pen: Pen, size: int, count: int, out: float, reach: float, fill: Colour) -> None:
    for turn in range(count):
        x, y = (size / 2 + size * out * part(2 * pi * turn / count) for part in (cos, sin))
        pen.ellipse(
            (x - size * reach, y - size * reach, x + size * reach, y + size * reach), fill=fill
        )


def octagon_corners(size: int, inset: float) -> list[tuple[float, float]]:
    """Return the corners of an octagon in a square of that width, with a part of it left free."""
    radius = size / 2 * (1 - 2 * inset)
    # Beginning an eighth of a half-turn on makes the octagon rest on a side, not on a corner.
    turns = (pi / 8 + pi / 4 * at for at in range(8))
    return [(size / 2 + radius * cos(turn), size / 2 + radius * sin(turn)) for turn in turns]


def _draw_cross(pen: Pen, size: int, fill: Colour, reach: float, thin: float) -> None:
    for wide, high in ((size * reach, size * thin), (size * thin, size * reach)):
        pen.rectangle(
            (size / 2 - wide, size / 2 - high, size / 2 + wide, size / 2 + high), fill=fill
        )


@lru_cache(maxsize=96)
def draw_man(theme: Theme, side: Side, size: int) -> Sprite:
    """Return a man of that width: a disc for gold, an octagon for black.

    Each bears the ornament of its theme.
    """

    return paint_sprite(size, lambda pen, wide: paint_man(pen, theme, side, wide))


def paint_man(pen: Pen, theme: Theme, side: Side, wide: int) -> None:
    """Draw a man that fills a square of that width from the pen's origin."""
    if side is Side.GOLD:
        _draw_disc(pen, wide, 0.0, theme.gold.rim)
        _draw_disc(pen, wide, 0.05, theme.gold.body)
    else:
        pen.polygon(octagon_corners(wide, 0.0), fill=theme.black.rim)
        pen.polygon(octagon_corners(wide, 0.05), fill=theme.black.body)
    _FIGURES[theme.figure, side](pen, wide, theme.gold if side is Side.GOLD else theme.black)


def _draw_rings_and_dots(pen: Pen, size: int, stone: Stone) -> None:
    _draw_disc(pen, size, 0.2, None, stone.rim)
    _draw_disc(pen, size, 0.25, None, stone.mark)
    _draw_dots(pen, size, 8, 0.14, 1 / 40, stone.rim)
    _draw_disc(pen, size, 0.43, stone.rim)


def _draw_framed_cross(pen: Pen, size: int, stone: Stone) -> None:
    pen.polygon(octagon_corners(size, 0.12), outline=stone.mark, width=max(1, size // 40))
    _draw_cross(pen, size, stone.mark, 0.2, 0.045)
    _draw_disc(pen, size, 0.4, stone.body, stone.mark)


def _draw_turned_rings(pen: Pen, size: int, stone: Stone) -> None:
    _draw_disc(pen, size, 0.12, None, stone.rim, 40)
    _draw_disc(pen, size, 0.2, None, stone.mark, 30)
    _draw_disc(pen, size, 0.3, None, stone.rim, 40)
    _draw_disc(pen, size, 0.4, stone.mark, stone.rim, 40)


def _draw_quatrefoil(pen: Pen, size: int, stone: Stone) -> None:
    pen.polygon(octagon_corners(size, 0.11), outline=stone.mark, width=max(1, size // 40))
    _draw_dots(pen, size, 4, 0.13, 0.11, stone.mark)
    _draw_dots(pen, size, 4, 0.13, 0.06, stone.body)
    _draw_disc(pen, size, 0.44, stone.mark)


def _draw_rosette(pen: Pen, size: int, stone: Stone) -> None:
    _draw_disc(pen, size, 0.13, None, stone.rim)
    for turn in range(6):
        x, y = (size / 2 + size * 0.29 * part(pi * turn / 3) for part in (cos, sin))
        pen.line((size / 2, size / 2, x, y), fill=stone.rim, width=size // 26)
    _draw_dots(pen, size, 6, 0.25, 0.065, stone.rim)
    _draw_dots(pen, size, 6, 0.25, 0.035, stone.mark)
    _draw_disc(pen, size, 0.42, stone.mark, stone.rim)


def _draw_saltire(pen: Pen, size: int, stone: Stone) -> None:
    pen.polygon(octagon_corners(size, 0.13), outline=stone.mark, width=max(1, size // 32))
    low, high = size * 0.32, size * 0.68
    for line in ((low, low, high, high), (low, high, high, low)):
        pen.line(line, fill=stone.mark, width=size // 13)


def _draw_thick_ring(pen: Pen, size: int, stone: Stone) -> None:
    _draw_disc(pen, size, 0.3, None, stone.mark, 11)


def _draw_thick_cross(pen: Pen, size: int, stone: Stone) -> None:
    _draw_cross(pen, size, stone.mark, 0.24, 0.075)


_FIGURES: Mapping[tuple[str, Side], Callable[[Pen, int, Stone], None]] = {
    ("antler", Side.GOLD): _draw_rings_and_dots,
    ("antler", Side.BLACK): _draw_framed_cross,
    ("turned", Side.GOLD): _draw_turned_rings,
    ("turned", Side.BLACK): _draw_quatrefoil,
    ("carved", Side.GOLD): _draw_rosette,
    ("carved", Side.BLACK): _draw_saltire,
    ("flat", Side.GOLD): _draw_thick_ring,
    ("flat", Side.BLACK): _draw_thick_cross,
}


@dataclass(frozen=True, slots=True)
class DieColours:
    """The colours of a die: its face, its edge, its pips, and the crown of an assumed number."""

    face: Colour
    edge: Colour
    pip: Colour
    crown: Colour


def choose_die_colours(theme: Theme, side: Side, *, used: bool) -> DieColours:
    """Return the colours of a side's die. A used one is duller, and everything on it still seen."""
    dark = side is Side.BLACK
    face = theme.black.body if dark else theme.ivory
    pip = theme.black.mark if dark else theme.ink
    crown = theme.gold.body if dark else theme.accent
    if not used:
        return DieColours(face, pip, pip, crown)
    dull = tuple(
        round(own + (ground - own) * _USED_SHARE)
        for own, ground in zip(face, theme.bar, strict=True)
    )
    # A dull face may be as dark as the board it lies on, so its edge has the colour of the letters.
    return DieColours(dull, theme.letters, pip, crown)


@lru_cache(maxsize=192)
def draw_die(theme: Theme, side: Side, shown: Die, size: int) -> Sprite:
    """Return a die in its thrower's colours, smaller and duller if used, a crown if assumed."""
    colours = choose_die_colours(theme, side, used=shown.used)

    def paint(pen: Pen, whole: int) -> None:
        size = round(whole * _USED_SIZE) if shown.used else whole
        start = (whole - size) // 2
        end = start + size - 1
        edge = whole // 18
        pen.rounded_rectangle((start, start, end, end), size // 6, fill=colours.edge)
        pen.rounded_rectangle(
            (start + edge, start + edge, end - edge, end - edge), size // 8, fill=colours.face
        )
        for row, column in PIPS[shown.number]:
            x, y = (start + size * (0.27 + 0.23 * at) for at in (column, row))
            reach = size / 12
            pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill=colours.pip)
        if shown.presumed:
            _draw_crown(pen, start, size, colours.crown)

    return paint_sprite(size, paint)


def _draw_crown(pen: Pen, start: int, size: int, colour: Colour) -> None:
    teeth = [
        (0.5 + 0.13 * x, y)
        for x, y in (
            (-1, 0.62),
            (-1, 0.36),
            (-0.5, 0.5),
            (0, 0.32),
            (0.5, 0.5),
            (1, 0.36),
            (1, 0.62),
        )
    ]
    pen.polygon([(start + size * x, start + size * y) for x, y in teeth], fill=colour)


@lru_cache(maxsize=24)
def draw_arrival_ring(theme: Theme, man: int) -> Sprite:
    """Return the mark of where a man of that width came to rest: a ring round him."""

    def paint(pen: Pen, size: int) -> None:
        _draw_arcs(pen, size, theme.recent, (0,), 360)

    return paint_sprite(_ring_size(man), paint)


@lru_cache(maxsize=24)
def draw_origin_ring(theme: Theme, man: int) -> Sprite:
    """Return the mark of where a man of that width stood: a dashed ring."""

    def paint(pen: Pen, size: int) -> None:
        _draw_arcs(pen, size, theme.recent, range(0, 360, 30), 16)

    return paint_sprite(_ring_size(man), paint)


def _ring_size(man: int) -> int:
    return man + RING_MARGIN


def _draw_arcs(pen: Pen, size: int, colour: Colour, turns: Iterable[int], length: int) -> None:
    edge = size * 0.02
    for turn in turns:
        pen.arc(
            (edge, edge, size - edge, size - edge),
            turn,
            turn + length,
            fill=colour,
            width=size // 13,
        )


@lru_cache(maxsize=24)
def draw_hit_mark(theme: Theme, man: int) -> Sprite:
    """Return the mark of a hit beside the ring round a man of that width: a small star."""

    def paint(pen: Pen, size: int) -> None:
        # A rim in the page's colour, since the star may lie on a man of any colour.
        _draw_disc(pen, size, 0.0, theme.page)
        _draw_disc(pen, size, 0.06, theme.recent)
        low, high = size * 0.3, size * 0.7
        for line in ((low, low, high, high), (low, high, high, low)):
            pen.line(line, fill=theme.page, width=size // 8)

    return paint_sprite(man * 4 // 9, paint)


@lru_cache(maxsize=24)
def draw_movable_mark(theme: Theme, man: int) -> Sprite:
    """Return the mark of a man of that width who may move."""

    def paint(pen: Pen, size: int) -> None:
        _draw_disc(pen, size, 0.0, theme.page)
        _draw_disc(pen, size, 0.1, theme.accent)

    return paint_sprite(man // 3, paint)


@lru_cache(maxsize=24)
def draw_man_edge(theme: Theme, side: Side, high: int) -> Sprite:
    """Return a man seen from the edge, as he lies among those borne off."""
    stone = theme.gold if side is Side.GOLD else theme.black
    wide = high // 4

    def paint(pen: Pen, size: int) -> None:
        unit = size // high
        box = (0, 0, wide * unit - 1, size - 1)
        pen.rounded_rectangle(
            box, wide * unit // 3, fill=stone.body, outline=stone.rim, width=2 * unit
        )
        middle = wide * unit // 2
        pen.line((middle, size // 5, middle, size * 4 // 5), fill=stone.mark, width=unit)

    # Sprites are painted on squares, so the empty right part of this one is cut off.
    return paint_sprite(high, paint).crop((0, 0, wide, high))
