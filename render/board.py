"""The picture of a board."""

import io
from dataclasses import dataclass, replace
from functools import partial

from PIL import Image

from engine.position import Side
from render import art
from render.arrows import with_arrows
from render.canvas import Canvas, fitted, largest, text_font, title_font
from render.describe import bar_tables
from render.drawing import Drawing, begin
from render.geometry import Box, Spot
from render.ground import Stage
from render.lettering import measure
from render.scene import Die, Scene, View
from render.strip import draw_strip

_EFFORT = 2
"""The zlib compression level, 0 to 9.

3 takes an eighth more time for a fourteenth less, 6 four times as long for a third less.
"""
_TITLES = 52, 46, 40, 34
_STATUSES = _NOTES = 40, 36, 32, 28
"""Sizes of type: words are written as large as they fit."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What there is to see on one point.

    Each side's men, whether one of them lies on another, whether the last play's move that ended
    here hit (None where none did), whether one began here, and whether a man may go here.
    """

    gold: int
    black: int
    lying: tuple[bool, ...]
    came: bool | None
    left: bool
    reached: bool


BARE = Shown(0, 0, (False, False), None, left=False, reached=False)


def draw(scene: Scene, view: View = View()) -> bytes:  # noqa: B008 - immutable
    """Return a scene as a PNG with a palette, 1080 pixels wide.

    The same scene and view give the same bytes.
    """
    return encoded(compose(scene, view))


def encoded(image: Image.Image) -> bytes:
    """Return an image by palette as a PNG."""
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=_EFFORT)
    return file.getvalue()


def compose(scene: Scene, view: View, shrunk: int = 1) -> Image.Image:
    """Return a scene as a palette image, `shrunk` times smaller than usual each way."""
    drawing = begin(_standing(scene), view, shrunk)
    _points(drawing)
    _bar(drawing)
    _dice(drawing)
    _note(drawing)
    _title(drawing)
    for side in Side:
        draw_strip(drawing, side)
    return with_arrows(drawing.picture, scene, drawing.stage) if scene.advice else drawing.picture


def _standing(scene: Scene) -> Scene:
    """Return a scene without the man who is on his way."""
    if scene.lifted is None:
        return scene
    side, place = scene.lifted
    men = bytearray(scene.position.men(side))
    men[place] -= 1
    return replace(scene, position=scene.position.with_men(side, men))


def _points(drawing: Drawing) -> None:
    """Draw the men of every point, what the last play did there, and whether a man may go there."""
    scene, layout = drawing.scene, drawing.layout
    gold, black = scene.position.gold, scene.position.black
    hand = layout.board.hand
    came = {move.target: move.hit for move in reversed(scene.last)}
    left = {move.source for move in scene.last} - came.keys()
    for point in layout.points:
        lying = tuple(
            scene.rules.piled and men[point] == 1 and men[hand] > 0 for men in (gold, black)
        )
        shown = Shown(
            gold[point], black[point], lying, came.get(point), point in left, point in scene.reach
        )
        if shown != BARE:
            paint = partial(_point, stage=drawing.stage, point=point, shown=shown)
            drawing.add(layout.room(point), shown, paint)


def _point(canvas: Canvas, stage: Stage, point: int, shown: Shown) -> None:
    layout, theme = stage.layout, stage.theme
    man = layout.man
    for side, count, on_top in zip(Side, (shown.gold, shown.black), shown.lying, strict=True):
        _pile(canvas, stage, layout.pile(point, count), count, side)
        if on_top:
            canvas.place(art.man(theme, side, man), layout.lying(point))
    held = shown.gold + shown.black
    if shown.came is not None and held:
        x, y = layout.pile(point, held)[-1]
        canvas.place(art.ring(theme, man), (x, y))
        if shown.came:
            aside = man // 3
            canvas.place(
                art.struck(theme, man),
                (x + aside, y + (aside if point in layout.hanging else -aside)),
            )
    if shown.left and held < layout.most:
        canvas.place(art.ghost(theme, man), layout.pile(point, held + 1)[-1])
    if shown.reached:
        canvas.place(art.goal(theme, man), layout.pile(point, min(held + 1, layout.most))[-1])


def _pile(canvas: Canvas, stage: Stage, centres: list[Spot], count: int, side: Side) -> None:
    for centre in centres:
        canvas.place(art.man(stage.theme, side, stage.layout.man), centre)
    if count > len(centres):
        _badge(canvas, stage, centres[-1], str(count))


def _badge(canvas: Canvas, stage: Stage, centre: Spot, text: str) -> None:
    man, (x, y) = stage.layout.man, centre
    across, up = man * 3 // 8, man * 7 // 24
    canvas.badge(Box(x - across, y - up, x + across, y + up), stage.theme.page, stage.theme.ink)
    size = man // 2 if text.isdigit() else man * 3 // 7
    canvas.text(centre, text, stage.theme.ink, title_font(size), "mm")


def _bar(drawing: Drawing) -> None:
    stage, board = drawing.stage, drawing.layout.board
    waiting = tuple(drawing.scene.position.men(side)[board.bars[0] :] for side in Side)
    if any(map(any, waiting)):
        paint = partial(_waiting, stage=stage, waiting=waiting)
        drawing.add(drawing.layout.bar, ("bar", waiting), paint)


def _waiting(canvas: Canvas, stage: Stage, waiting: tuple[bytes, ...]) -> None:
    """Draw each side's men on the bar, with their tables where there are several.

    A man waits to enter the table that is named.
    """
    board = stage.layout.board
    for side, men in zip(Side, waiting, strict=True):
        centres = stage.layout.bar_pile(sum(men), lower=side is stage.below)
        _pile(canvas, stage, centres, sum(men), side)
        if len(board.bars) > 1:
            names = [
                name
                for (_, name), count in zip(bar_tables(board), men, strict=True)
                for _ in range(count)
            ]
            _awaited(canvas, stage, centres, names)


def _awaited(canvas: Canvas, stage: Stage, centres: list[Spot], tables: list[str]) -> None:
    """Label men on the bar with the table that each waits to enter.

    The last may carry their number instead.
    """
    counted = len(tables) > len(centres)
    for centre, name in zip(centres[:-1] if counted else centres, tables, strict=False):
        _badge(canvas, stage, centre, name)


def _dice(drawing: Drawing) -> None:
    scene, stage = drawing.scene, drawing.stage
    side = scene.thrower or Side.GOLD
    for box, thrown in zip(drawing.layout.dice(len(scene.dice)), scene.dice, strict=True):
        paint = partial(_die, stage=stage, box=box, thrown=thrown, side=side)
        drawing.add(box, ("die", thrown, side), paint)


def _die(canvas: Canvas, stage: Stage, box: Box, thrown: Die, side: Side) -> None:
    canvas.place(art.die(stage.theme, side, thrown, box.width), box.centre)


def _note(drawing: Drawing) -> None:
    box, note = drawing.layout.note, drawing.scene.note
    if box and note:
        paint = partial(_named, stage=drawing.stage, box=box, note=note)
        drawing.add(box, ("note", note), paint)


def _named(canvas: Canvas, stage: Stage, box: Box, note: str) -> None:
    theme = stage.theme
    canvas.badge(Box(box.left, box.top, box.right - 1, box.bottom - 1), theme.page, theme.accent, 4)
    room = box.width - 30
    font = largest(note, map(text_font, _NOTES), room)
    canvas.text(box.centre, fitted(note, font, room), theme.ink, font, "mm")


def _title(drawing: Drawing) -> None:
    box, scene = drawing.layout.title, drawing.scene
    if box:
        status = scene.status if scene.drawn_status is None else scene.drawn_status
        paint = partial(_heading, stage=drawing.stage, box=box, title=scene.title, status=status)
        drawing.add(box, ("title", scene.title, status), paint)


def _heading(canvas: Canvas, stage: Stage, box: Box, title: str, status: str) -> None:
    ink, y = stage.theme.ink, box.centre[1]
    share = box.width * 3 // 5
    font = largest(title, map(title_font, _TITLES), share)
    words = fitted(title, font, share)
    canvas.text((box.left + 14, y), words, ink, font, "lm")
    room = box.width - round(measure(words, font)) - 58
    beside = largest(status, map(text_font, _STATUSES), room)
    canvas.text((box.right - 14, y), fitted(status, beside, room), ink, beside, "rm")
