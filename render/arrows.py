"""Arrows over a board for recommended plays, each with its number, the first above the others."""

from collections.abc import Sequence
from math import hypot

from PIL import Image

from engine.position import Side
from render.canvas import Canvas, title_font
from render.geometry import Spot
from render.ground import Stage, build_palette
from render.scene import Scene, SceneMove
from render.spots import locate_man
from render.theme import Colour

_WIDTHS = (12, 7, 7)
"""How thick an arrow is: the first stands out."""
_HALO = 4
"""How far the page shows round an arrow, so that it is seen on every ground."""
_HEAD = 30
"""How long an arrow's head is."""
_ASIDE = 14
"""How far arrows of two plays between the same places lie apart."""
_BADGE = 20
"""How far a badge reaches from its middle."""


def draw_arrows(picture: Image.Image, scene: Scene, stage: Stage) -> Image.Image:
    """Return a picture with the plays that are advised drawn over it, by the same palette."""
    canvas = Canvas(picture.convert("RGB"))
    plays = list(enumerate(_drop_repeated_moves(scene.advice)))
    for rank, play in reversed(plays):
        for moved in play:
            _draw_arrow(canvas, stage, _locate_ends(scene, stage, moved, rank), rank)
    # A number must not lie under another play's arrow.
    for rank, play in reversed(plays):
        for moved in play[:1]:
            _draw_number(canvas, stage, _locate_ends(scene, stage, moved, rank), rank)
    return canvas.image.quantize(palette=build_palette(stage.theme), dither=Image.Dither.NONE)


def _drop_repeated_moves(plays: Sequence[Sequence[SceneMove]]) -> list[list[SceneMove]]:
    """Return of each play what the plays before it do not have: the same arrow is drawn once."""
    own = []
    drawn: set[SceneMove] = set()
    for play in plays:
        # A play whose every move is drawn already keeps all of them: its number needs an arrow to
        # lie on.
        own.append([moved for moved in play if moved not in drawn] or list(play))
        drawn.update(play)
    return own


def _locate_ends(scene: Scene, stage: Stage, moved: SceneMove, rank: int) -> tuple[Spot, Spot]:
    """Return where an arrow begins and ends; those of later plays lie a little beside the first."""
    side = scene.turn or Side.GOLD
    lower = side is stage.below
    start, end = (
        locate_man(scene, place, side, stage.layout, lower=lower)
        for place in (moved.source, moved.target)
    )
    return _shift_aside(start, rank), _shift_aside(end, rank)


def _shift_aside(spot: Spot, rank: int) -> Spot:
    x, y = spot
    return x + (0, _ASIDE, -_ASIDE)[rank], y


def _choose_colour(stage: Stage, rank: int) -> Colour:
    return stage.theme.accent if rank == 0 else stage.theme.ink


def _draw_arrow(canvas: Canvas, stage: Stage, ends: tuple[Spot, Spot], rank: int) -> None:
    start, end = ends
    wide = _WIDTHS[rank]
    for colour, more in ((stage.theme.page, _HALO), (_choose_colour(stage, rank), 0)):
        # The shaft ends inside the head, or its square end would show on both sides of the tip.
        shaft = _step_towards(end, start, _HEAD // 2)
        canvas.line([start, shaft], colour, wide + 2 * more)
        canvas.polygon(_head_corners(start, end, wide + 10 + more), colour)


def _head_corners(start: Spot, end: Spot, half: int) -> Sequence[Spot]:
    """Return the corners of an arrow's head, so wide to either side."""
    base = _step_towards(end, start, _HEAD)
    # Two ends on one spot have no direction. Any divisor but zero does then: both differences are
    # zero.
    long = hypot(end[0] - start[0], end[1] - start[1]) or 1
    across, down = (end[1] - start[1]) / long, (start[0] - end[0]) / long
    left = round(base[0] + across * half), round(base[1] + down * half)
    right = round(base[0] - across * half), round(base[1] - down * half)
    return [end, left, right]


def _step_towards(start: Spot, end: Spot, way: int) -> Spot:
    """Return the spot so far on the way from one to another."""
    long = hypot(end[0] - start[0], end[1] - start[1]) or 1
    return (
        round(start[0] + (end[0] - start[0]) * way / long),
        round(start[1] + (end[1] - start[1]) * way / long),
    )


def _draw_number(canvas: Canvas, stage: Stage, ends: tuple[Spot, Spot], rank: int) -> None:
    """Write a play's number on an arrow, each a little farther on so that none covers another."""
    start, end = ends
    share = (0.5, 0.66, 0.34)[rank]
    spot = (
        round(start[0] + (end[0] - start[0]) * share),
        round(start[1] + (end[1] - start[1]) * share),
    )
    canvas.circle(spot, _BADGE, stage.theme.page, _choose_colour(stage, rank))
    canvas.text(spot, str(rank + 1), stage.theme.ink, title_font(30), "mm")
