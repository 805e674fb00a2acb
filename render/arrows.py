"""Where men are on a board, and arrows over it for recommended plays.

Each has its number, the first above the others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from math import dist, hypot
from typing import TypeAlias

from PIL import Image

from engine.position import Side
from render.canvas import Canvas, title_font
from render.drawing import paint_badge
from render.geometry import MAX_DRAWN, BoardLayout, Spot
from render.ground import Stage, build_palette
from render.scene import Scene, SceneMove
from render.strip import lay_out_strip, locate_in_tray
from render.theme import Colour

_WIDTHS = (12, 7, 7)
"""How thick an arrow is: the first stands out."""
_HALO = 4
"""How far the page shows round an arrow, so that it is seen on every ground."""
_HEAD = 30
"""How long an arrow's head is."""
_ASIDE = 14
"""How far arrows of two plays between the same places lie apart."""
_BADGE, _NUMBER_SIZE = 25, 42
"""How far a play's number reaches from its middle, and its type."""
_LEAN, _ROW_SHARE, _CROSS_SHARE = 60, 0.2, 0.22
"""How far arrows lean that would lie on others, and by which share of their length in addition."""
_STEPS = 24
"""Of how many straight pieces a curve is drawn."""


def locate_man(scene: Scene, place: int, side: Side, layout: BoardLayout, *, lower: bool) -> Spot:
    """Return where the last of a side's men in a place is drawn."""
    board = scene.rules.board
    if place in (board.hand, board.off):
        strip = lay_out_strip(scene, layout, side, lower=lower)
        return locate_in_tray(strip, borne_off=place == board.off)
    return layout.locate_last_man(place, _count_men(scene, place, side), lower=lower)


def _count_men(scene: Scene, place: int, side: Side) -> int:
    """Return how many men are piled on a place; on the bar each side has its own pile."""
    mine, position = scene.position.men(side), scene.position
    if place in scene.rules.board.bars:
        return scene.rules.board.count_waiting(mine)
    return position.gold[place] + position.black[place]


_Span: TypeAlias = tuple[int, int, int, int]
"""Of an arrow along a row: the row, how many lie beneath it, and where it begins and ends."""


@dataclass(frozen=True, slots=True)
class _Arrow:
    """A move of an advised play: the play's rank, and a curve by both ends and what it leans to."""

    rank: int
    start: Spot
    lean: Spot
    end: Spot

    def locate(self, share: float) -> Spot:
        """Return the spot at that share of the curve."""
        across, down = (
            round((1 - share) ** 2 * one + 2 * share * (1 - share) * mid + share**2 * other)
            for one, mid, other in zip(self.start, self.lean, self.end, strict=True)
        )
        return across, down


def draw_arrows(picture: Image.Image, scene: Scene, stage: Stage) -> Image.Image:
    """Return a picture with the plays that are advised drawn over it, by the same palette.

    No arrow covers how many men there are, and no play's number another or a count.
    """
    canvas = Canvas(picture.convert("RGB"))
    plays = _bend_plays(scene, stage)
    for play in reversed(plays):
        for arrow in play:
            _draw_arrow(canvas, stage, arrow)
    taken = []
    for centre, text in _list_counts(scene, stage):
        paint_badge(canvas, stage, centre, text)
        taken.append(centre)
    for play in plays:
        if play:
            taken.append(_draw_number(canvas, stage, play[0], taken))
    return canvas.image.quantize(palette=build_palette(stage.theme), dither=Image.Dither.NONE)


def _list_counts(scene: Scene, stage: Stage) -> Iterator[tuple[Spot, str]]:
    """Yield where it is written how many men a pile has."""
    layout = stage.layout
    for side in Side:
        men = scene.position.men(side)
        waiting = layout.board.count_waiting(men)
        if waiting > MAX_DRAWN:
            yield layout.locate_bar_pile(waiting, lower=side is stage.below)[-1], str(waiting)
        for point in layout.points:
            if men[point] > layout.most:
                yield layout.locate_pile(point, men[point])[-1], str(men[point])


def _bend_plays(scene: Scene, stage: Stage) -> list[list[_Arrow]]:
    """Return the arrows of each play; where two would run along each other, the later leans away.

    Along a row it leans towards the middle of the board, the more the more there are beneath it.
    """
    rows = {point: at for at, row in enumerate(stage.layout.board.rows) for point in row}
    spans: set[_Span] = set()
    plays = []
    for rank, play in enumerate(_drop_repeated_moves(scene.advice)):
        arrows = []
        for moved in play:
            start, end = _locate_ends(scene, stage, moved, rank)
            row = rows.get(moved.source)
            if row is not None and row == rows.get(moved.target):
                level = _choose_level(spans, row, start[0], end[0])
                inwards = 1 if moved.source in stage.layout.hanging else -1
                lean = _lean_in_row(start, end, level * inwards)
            else:
                lean = _lean_across(start, end, rank)
            arrows.append(_Arrow(rank, start, lean, end))
        plays.append(arrows)
    return plays


def _choose_level(spans: set[_Span], row: int, start: int, end: int) -> int:
    """Return how many arrows lie beneath one along a row, and add its span to theirs."""
    low, high = sorted((start, end))
    beneath = {
        level
        for at, level, one, other in spans
        if at == row and one < high - _ASIDE * 2 and low + _ASIDE * 2 < other
    }
    level = next(each for each in count() if each not in beneath)
    spans.add((row, level, low, high))
    return level


def _lean_in_row(start: Spot, end: Spot, level: int) -> Spot:
    far = round(abs(level) * (_LEAN + _ROW_SHARE * dist(start, end)))
    x, y = _find_middle(start, end)
    return x, y + (far if level > 0 else -far)


def _lean_across(start: Spot, end: Spot, rank: int) -> Spot:
    share = (0, 1, -1)[rank] * _CROSS_SHARE
    x, y = _find_middle(start, end)
    return round(x + share * (end[1] - start[1])), round(y - share * (end[0] - start[0]))


def _find_middle(start: Spot, end: Spot) -> Spot:
    return (start[0] + end[0]) // 2, (start[1] + end[1]) // 2


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


def _draw_arrow(canvas: Canvas, stage: Stage, arrow: _Arrow) -> None:
    wide = _WIDTHS[arrow.rank]
    curve = [arrow.locate(at / _STEPS) for at in range(_STEPS + 1)]
    # The shaft ends inside the head, or its square end would show on both sides of the tip.
    tail = [spot for spot in curve if dist(spot, arrow.end) > _HEAD]
    before = tail[-1] if tail else arrow.start
    shaft = [*tail, _step_towards(arrow.end, before, _HEAD // 2)]
    for colour, more in ((stage.theme.page, _HALO), (_choose_colour(stage, arrow.rank), 0)):
        if len(shaft) > 1:
            canvas.line(shaft, colour, wide + 2 * more)
        canvas.polygon(_head_corners(before, arrow.end, wide + 10 + more), colour)


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


def _draw_number(canvas: Canvas, stage: Stage, arrow: _Arrow, taken: Sequence[Spot]) -> Spot:
    """Write a play's number on its arrow, clear of what is written already, and return where."""
    rank = arrow.rank
    shares = ((0.5, 0.66, 0.34)[rank], 0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74)
    spots = [arrow.locate(share) for share in shares]
    clear = 2 * _BADGE + stage.layout.man // 8
    # The first spot that is clear of all, or the clearest.
    spot = max(spots, key=lambda spot: min([clear, *(dist(spot, each) for each in taken)]))
    canvas.circle(spot, _BADGE, stage.theme.page, _choose_colour(stage, rank))
    canvas.text(spot, str(rank + 1), stage.theme.ink, title_font(_NUMBER_SIZE), "mm")
    return spot
