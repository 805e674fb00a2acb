"""The small pictures on buttons: dice, men, the bar and hits, to be made out at 22 pixels."""

import hashlib
import io
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from math import cos, pi, sin
from types import MappingProxyType
from typing import NamedTuple

from PIL import Image

from engine.position import Side
from render.art import PIPS, Sprite, draw_die, draw_man, octagon_corners, paint_sprite
from render.pen import Pen
from render.scene import Die
from render.theme import Theme, load_themes

ICON_SIZE = 128
"""Pixels across. Discord shows 22 or 44 of them, and reduces pictures itself."""
DIGEST_LENGTH = 8
"""Hexadecimal digits by which a picture is told from an earlier one of the same name."""
DICE = "dice"
_THEME = "plain"
"""Its flat colours and thick ornaments are the clearest where there is no room."""
_RAYS = 9


def name_die(side: Side, number: int, *, hits: bool = False) -> str:
    """Return the name of a side's die, framed where it hits with that number."""
    return f"{side}_{number}_hit" if hits else f"{side}_{number}"


def name_man(side: Side) -> str:
    """Return the name of a side's man."""
    return f"{side}_man"


def name_hit(side: Side) -> str:
    """Return the name of a side's man who is hit."""
    return f"{side}_hit"


def name_bar(side: Side) -> str:
    """Return the name of a side's man on the bar."""
    return f"{side}_bar"


class Icon(NamedTuple):
    """A picture as a PNG, and a digest that changes only when it looks different."""

    content: bytes
    digest: str


@cache
def load_icons() -> Mapping[str, Icon]:
    """Draw every icon once, and return them by their names."""
    drawn = _draw_icons(load_themes()[_THEME])
    return MappingProxyType({name: _encode_icon(sprite) for name, sprite in drawn})


def _draw_icons(theme: Theme) -> Iterator[tuple[str, Sprite]]:
    frame, star, rails = (
        _draw(paint, theme) for paint in (_paint_frame, _paint_star, _paint_rails)
    )
    for side in Side:
        for number in PIPS:
            yield name_die(side, number), draw_die(theme, side, Die(number), ICON_SIZE)
            small = draw_die(theme, side, Die(number), ICON_SIZE * 3 // 4)
            yield name_die(side, number, hits=True), _lay(small, frame)
        yield name_man(side), _draw_man(theme, side, ICON_SIZE)
        yield name_hit(side), _lay(_draw_man(theme, side, ICON_SIZE // 2), star)
        yield name_bar(side), _lay(_draw_man(theme, side, ICON_SIZE * 9 // 16), rails)
    yield DICE, _draw_dice(theme)


def _draw(paint: Callable[[Pen, Theme, int], None], theme: Theme) -> Sprite:
    return paint_sprite(ICON_SIZE, lambda pen, size: paint(pen, theme, size))


def _paint_frame(pen: Pen, theme: Theme, size: int) -> None:
    """Draw what frames a die that hits, with a light edge, as all that may lie on a dark button."""
    for inset, colour in ((0.0, theme.page), (0.025, theme.recent)):
        edge = size * inset
        pen.rounded_rectangle((edge, edge, size - edge - 1, size - edge - 1), size / 5, fill=colour)


def _paint_star(pen: Pen, theme: Theme, size: int) -> None:
    """Draw the star behind a man who is hit."""
    for reach, colour in ((0.5, theme.page), (0.44, theme.recent)):
        corners = []
        for at in range(2 * _RAYS):
            turn, radius = pi * at / _RAYS, size * reach * (0.62 if at % 2 else 1)
            corners.append((size / 2 + radius * sin(turn), size / 2 - radius * cos(turn)))
        pen.polygon(corners, fill=colour)


def _paint_rails(pen: Pen, theme: Theme, size: int) -> None:
    """Draw the two edges of the bar between which a man waits."""
    for left in (0.0, 0.78):
        for inset, colour in ((0.0, theme.page), (0.03, theme.frame)):
            edges = (left + inset, inset, left + 0.22 - inset, 1 - inset)
            pen.rounded_rectangle([size * each for each in edges], size / 16, fill=colour)


def _draw_man(theme: Theme, side: Side, size: int) -> Sprite:
    """Return a man; a black one has a light edge, as he may lie on a dark button."""
    if side is Side.GOLD:
        return draw_man(theme, side, size)
    edge = paint_sprite(size, lambda pen, wide: pen.polygon(octagon_corners(wide, 0), theme.page))
    return _lay(draw_man(theme, side, size * 9 // 10), edge)


def _lay(sprite: Sprite, ground: Sprite) -> Sprite:
    """Return a sprite in the middle of another."""
    laid, at = ground.copy(), (ground.width - sprite.width) // 2
    laid.alpha_composite(sprite, (at, at))
    return laid


def _draw_dice(theme: Theme) -> Sprite:
    size = ICON_SIZE * 5 // 8
    pair = Image.new("RGBA", (ICON_SIZE, ICON_SIZE))
    for number, at in ((5, 0), (3, ICON_SIZE - size)):
        pair.alpha_composite(draw_die(theme, Side.GOLD, Die(number), size), (at, at))
    return pair


def _encode_icon(sprite: Sprite) -> Icon:
    content = io.BytesIO()
    sprite.save(content, "PNG")
    # Of the pixels, since another version of the encoder may write the same in other bytes.
    digest = hashlib.sha256(sprite.tobytes()).hexdigest()[:DIGEST_LENGTH]
    return Icon(content.getvalue(), digest)
