"""What is drawn by code: men, dice, the plates and the plaited frame. Each sprite is drawn large and reduced once."""

from collections.abc import Callable
from functools import lru_cache
from math import cos, pi, sin

from PIL import Image, ImageDraw

from engine.position import Side
from render import geometry
from render.geometry import Box
from render.theme import Colour, Theme

SCALE = 4
_PIPS = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (1, 0), (2, 0), (0, 2), (1, 2), (2, 2)),
}

Sprite = Image.Image
_CLEAR = (0, 0, 0, 0)


def _sprite(size: int, paint: Callable[[ImageDraw.ImageDraw, int], None]) -> Sprite:
    large = Image.new("RGBA", (size * SCALE, size * SCALE), _CLEAR)
    paint(ImageDraw.Draw(large), size * SCALE)
    return large.reduce(SCALE)


def _disc(draw: ImageDraw.ImageDraw, size: int, inset: float, fill: Colour | None, line: Colour | None = None) -> None:
    edge = size * inset
    width = max(1, size // 26)
    draw.ellipse((edge, edge, size - edge - 1, size - edge - 1), fill=fill, outline=line, width=width if line else 0)


def _eight(size: int, inset: float) -> list[tuple[float, float]]:
    radius = size / 2 * (1 - 2 * inset)
    turns = (pi / 8 + pi / 4 * at for at in range(8))
    return [(size / 2 + radius * cos(turn), size / 2 + radius * sin(turn)) for turn in turns]


@lru_cache(maxsize=16)
def man(theme: Theme, side: Side, size: int = geometry.MAN) -> Sprite:
    """Return a man: gold's a disc with ring and dot, black's an octagon with a cross."""
    return _sprite(size, lambda draw, wide: (_gold if side is Side.GOLD else _black)(draw, wide, theme))


def _gold(draw: ImageDraw.ImageDraw, size: int, theme: Theme) -> None:
    stone = theme.gold
    _disc(draw, size, 0.0, stone.rim)
    _disc(draw, size, 0.05, stone.body)
    _disc(draw, size, 0.2, None, stone.rim)
    _disc(draw, size, 0.25, None, stone.mark)
    for turn in range(8):
        x, y = size / 2 + size * 0.14 * cos(turn * pi / 4), size / 2 + size * 0.14 * sin(turn * pi / 4)
        draw.ellipse((x - size / 40, y - size / 40, x + size / 40, y + size / 40), fill=stone.rim)
    _disc(draw, size, 0.43, stone.rim)


def _black(draw: ImageDraw.ImageDraw, size: int, theme: Theme) -> None:
    stone = theme.black
    draw.polygon(_eight(size, 0.0), fill=stone.rim)
    draw.polygon(_eight(size, 0.05), fill=stone.body)
    draw.polygon(_eight(size, 0.12), outline=stone.mark, width=max(1, size // 40))
    half, thin = size * 0.2, size * 0.045
    for wide, high in ((half, thin), (thin, half)):
        draw.rectangle((size / 2 - wide, size / 2 - high, size / 2 + wide, size / 2 + high), fill=stone.mark)
    _disc(draw, size, 0.4, stone.body, stone.mark)


@lru_cache(maxsize=64)
def die(theme: Theme, side: Side, number: int, *, used: bool, presumed: bool) -> Sprite:
    """Return a die in its thrower's colours; a used one faded, an assumed number in a dashed frame with a crown."""
    dark = side is Side.BLACK
    face, pip = (theme.black.body, theme.black.mark) if dark else (theme.ivory, theme.ink)

    def paint(draw: ImageDraw.ImageDraw, size: int) -> None:
        edge = size // 18
        draw.rounded_rectangle((0, 0, size - 1, size - 1), size // 6, fill=theme.black.mark if dark else theme.ink)
        draw.rounded_rectangle((edge, edge, size - edge, size - edge), size // 8, fill=face)
        for row, column in _PIPS[number]:
            x, y = size * (0.27 + 0.23 * column), size * (0.27 + 0.23 * row)
            draw.ellipse((x - size / 13, y - size / 13, x + size / 13, y + size / 13), fill=pip)
        if presumed:
            _crown(draw, size, theme.cord if dark else theme.accent)

    sprite = _sprite(geometry.DIE, paint)
    if used:
        sprite.putalpha(sprite.getchannel("A").point(lambda alpha: alpha * 2 // 5))
    return sprite


def _crown(draw: ImageDraw.ImageDraw, size: int, colour: Colour) -> None:
    teeth = [
        (0.5 + 0.13 * x, y)
        for x, y in ((-1, 0.62), (-1, 0.36), (-0.5, 0.5), (0, 0.32), (0.5, 0.5), (1, 0.36), (1, 0.62))
    ]
    draw.polygon([(size * x, size * y) for x, y in teeth], fill=colour)


@lru_cache(maxsize=8)
def ring(theme: Theme, *, dashed: bool) -> Sprite:
    """Return the mark of the last play: a whole ring where a man came to rest, a dashed one where he stood."""

    def paint(draw: ImageDraw.ImageDraw, size: int) -> None:
        edge, width = size * 0.02, size // 14
        box = (edge, edge, size - edge, size - edge)
        for turn in range(0, 360, 30) if dashed else (0,):
            draw.arc(box, turn, turn + (16 if dashed else 360), fill=theme.accent, width=width)

    return _sprite(geometry.MAN + 10, paint)


def plate(
    draw: ImageDraw.ImageDraw, box: Box, theme: Theme, tone: int, *, upper: bool, plain: bool, scale: int
) -> None:
    """Draw a point: a bone plate, its end towards the middle an arch, with a ring-and-dot upon it unless `plain`."""
    left, top, right, bottom = (edge * scale for edge in (box.left + 4, box.top, box.right - 4, box.bottom))
    radius = (right - left) // 2 - scale
    corners = (False, False, True, True) if upper else (True, True, False, False)
    draw.rounded_rectangle(
        (left, top, right, bottom), radius, fill=theme.plates[tone], outline=theme.frame, width=scale, corners=corners
    )
    if plain:
        return
    across, along = (left + right) // 2, bottom - radius if upper else top + radius
    for reach, fill in ((15, theme.wood), (11, theme.plates[tone]), (4, theme.wood)):
        size = reach * scale
        draw.ellipse((across - size, along - size, across + size, along + size), fill=fill)


def plait(draw: ImageDraw.ImageDraw, frame: Box, theme: Theme, scale: int) -> None:
    """Draw the frame's border: two cords that cross each other all the way round."""
    inset, wave = 17, 26
    runs = (
        ((frame.left + inset, frame.top + inset), (frame.right - inset, frame.top + inset)),
        ((frame.left + inset, frame.bottom - inset), (frame.right - inset, frame.bottom - inset)),
        ((frame.left + inset, frame.top + inset), (frame.left + inset, frame.bottom - inset)),
        ((frame.right - inset, frame.top + inset), (frame.right - inset, frame.bottom - inset)),
    )
    for start, end in runs:
        length = max(end[0] - start[0], end[1] - start[1])
        along = (end[0] > start[0], end[1] > start[1])
        waves = max(1, round(length / wave))
        for phase in (0.0, pi):
            _cord(draw, start, along, length, waves, phase, theme, scale)


def _cord(
    draw: ImageDraw.ImageDraw,
    start: tuple[int, int],
    along: tuple[bool, bool],
    length: int,
    waves: int,
    phase: float,
    theme: Theme,
    scale: int,
) -> None:
    points = []
    for at in range(0, length + 1, 2):
        off = 8 * sin(2 * pi * waves * at / length / 2 + phase)
        x, y = (start[0] + at, start[1] + off) if along[0] else (start[0] + off, start[1] + at)
        points.append((x * scale, y * scale))
    draw.line(points, fill=theme.frame, width=9 * scale, joint="curve")
    draw.line(points, fill=theme.cord, width=5 * scale, joint="curve")
