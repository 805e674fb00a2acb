"""The picture of a board."""

import io
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from PIL import Image

from engine.board import Board
from engine.pips import pips
from engine.position import Side
from render import art, geometry
from render.canvas import Canvas, fitted, text_font, title_font
from render.describe import bar_tables
from render.geometry import Box
from render.ground import Ground, ground
from render.scene import Die, Scene, View
from render.theme import Theme

_EFFORT = 3
"""Of zlib, 0 to 9: higher ones take twice the time for a twentieth less."""


class Shown(NamedTuple):
    """What there is to see on one point.

    Each side's men, whether one of them lies on another, whether the last play's move that ended here hit (None where
    none did), whether one began here, and whether a man may go here.
    """

    gold: int
    black: int
    lying: tuple[bool, ...]
    came: bool | None
    left: bool
    reached: bool


BARE = Shown(0, 0, (False, False), None, left=False, reached=False)


def draw(scene: Scene, view: View = View()) -> bytes:  # noqa: B008 - immutable
    """Return a scene as a PNG of 1200 by 850 pixels with a palette; the same scene and view give the same bytes."""
    return encoded(compose(scene, view))


def encoded(image: Image.Image) -> bytes:
    """Return an image by palette as a PNG."""
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=_EFFORT)
    return file.getvalue()


def compose(scene: Scene, view: View, shrunk: int = 1) -> Image.Image:
    """Return a scene as an image by palette, `shrunk` times smaller than usual in each direction."""
    theme = view.theme_of(scene.rules.board)
    numbered = (scene.turn or view.below) if view.numbered else None
    base = ground(scene.rules, theme, view.below, numbered, ways=scene.ways, shrunk=shrunk)
    picture = base.blank()
    board, standing = geometry.turned(scene.rules.board, view.below), _standing(scene)
    _points(base, picture, standing, board, theme)
    _bar(base, picture, standing, board, view.below, theme)
    _dice(base, picture, scene, board, theme)
    for side in Side:
        _tray(base, picture, standing, side, theme, lower=side is view.below)
    _words(base, picture, scene, theme)
    return picture


def _standing(scene: Scene) -> Scene:
    """Return a scene without the man who is on his way."""
    if scene.lifted is None:
        return scene
    side, place = scene.lifted
    men = bytearray(scene.position.men(side))
    men[place] -= 1
    return replace(scene, position=scene.position.with_men(side, men))


def _points(base: Ground, picture: Image.Image, scene: Scene, board: Board, theme: Theme) -> None:
    """Draw the men of every point, with what the last play did there and whether a man may go there."""
    gold, black = scene.position.gold, scene.position.black
    came = {move.target: move.hit for move in reversed(scene.last)}
    left = {move.source for move in scene.last} - came.keys()
    for point in range(board.size):
        lying = tuple(scene.rules.piled and men[point] == 1 and men[board.hand] > 0 for men in (gold, black))
        shown = Shown(gold[point], black[point], lying, came.get(point), point in left, point in scene.reach)
        if shown != BARE:
            paint = partial(_point, board=board, point=point, theme=theme, shown=shown)
            base.add(picture, geometry.point_room(board, point), shown, paint)


def _point(canvas: Canvas, board: Board, point: int, theme: Theme, shown: Shown) -> None:
    for side, count, on_top in zip(Side, (shown.gold, shown.black), shown.lying, strict=True):
        _pile(canvas, geometry.pile(board, point, count), count, side, theme)
        if on_top:
            canvas.place(art.man(theme, side), geometry.lying_on(geometry.pile(board, point, 1)[0]))
    held = shown.gold + shown.black
    if shown.came is not None and held:
        x, y = geometry.pile(board, point, held)[-1]
        canvas.place(art.ring(theme, dashed=False), (x, y))
        if shown.came:
            canvas.place(art.struck(theme), (x + 19, y + (19 if geometry.is_upper(board, point) else -19)))
    if shown.left and held < geometry.MOST_DRAWN:
        canvas.place(art.ring(theme, dashed=True), geometry.pile(board, point, held + 1)[-1])
    if shown.reached:
        canvas.place(art.goal(theme), geometry.pile(board, point, min(held + 1, geometry.MOST_DRAWN))[-1])


def _pile(canvas: Canvas, centres: list[tuple[int, int]], count: int, side: Side, theme: Theme) -> None:
    for centre in centres:
        canvas.place(art.man(theme, side), centre)
    if count > geometry.MOST_DRAWN:
        _badge(canvas, centres[-1], str(count), theme)


def _badge(canvas: Canvas, centre: tuple[int, int], text: str, theme: Theme) -> None:
    x, y = centre
    canvas.badge(Box(x - 21, y - 16, x + 21, y + 16), theme.page, theme.ink)
    canvas.text(centre, text, theme.ink, title_font(28 if text.isdigit() else 22), "mm")


def _bar(base: Ground, picture: Image.Image, scene: Scene, board: Board, below: Side, theme: Theme) -> None:
    waiting = tuple(scene.position.men(side)[board.bars[0] :] for side in Side)
    if not any(map(any, waiting)):
        return

    def paint(canvas: Canvas) -> None:
        for side, men in zip(Side, waiting, strict=True):
            centres = geometry.bar_pile(board, sum(men), lower=side is below)
            _pile(canvas, centres, sum(men), side, theme)
            if len(board.bars) > 1:
                names = [name for (_, name), count in zip(bar_tables(board), men, strict=True) for _ in range(count)]
                _awaited(canvas, centres, names, theme)

    base.add(picture, geometry.BAR, ("bar", waiting, len(board.bars)), paint)


def _awaited(canvas: Canvas, centres: list[tuple[int, int]], tables: list[str], theme: Theme) -> None:
    """Label men on the bar with the table that each waits to enter; the last may carry their number instead."""
    counted = len(tables) > geometry.MOST_DRAWN
    for centre, name in zip(centres[:-1] if counted else centres, tables, strict=False):
        _badge(canvas, centre, name, theme)


def _dice(base: Ground, picture: Image.Image, scene: Scene, board: Board, theme: Theme) -> None:
    for box, thrown in zip(geometry.dice_boxes(board, len(scene.dice)), scene.dice, strict=True):
        _die(base, picture, box, thrown, scene.thrower or Side.GOLD, theme)


def _die(base: Ground, picture: Image.Image, box: Box, thrown: Die, side: Side, theme: Theme) -> None:
    sprite = art.die(theme, side, thrown.number, used=thrown.used, presumed=thrown.presumed)
    base.add(picture, box, ("die", thrown, side), lambda canvas: canvas.place(sprite, box.centre))


def _tray(base: Ground, picture: Image.Image, scene: Scene, side: Side, theme: Theme, *, lower: bool) -> None:
    board, men = scene.rules.board, scene.position.men(side)
    for row, (place, label) in enumerate(((board.hand, "in hand"), (board.off, "borne off"))):
        count = men[place]
        if count and not (place == board.hand and scene.rules.piled):
            box = geometry.tray_box(row, lower=lower)
            paint = partial(_beside, box=box, side=side, count=count, label=label, theme=theme)
            base.add(picture, box, ("tray", side, count, label), paint)


def _beside(canvas: Canvas, box: Box, side: Side, count: int, label: str, theme: Theme) -> None:
    x, y = box.centre
    canvas.place(art.man(theme, side), geometry.tray_man(box))
    canvas.text((x + 4, y - 12), f"× {count}", theme.ink, title_font(38), "lm")
    canvas.text((x, y + 40), label, theme.ink, text_font(26), "mm")


def _words(base: Ground, picture: Image.Image, scene: Scene, theme: Theme) -> None:
    heading = partial(_heading, title=scene.title, status=scene.status, theme=theme)
    base.add(picture, geometry.TITLE, ("title", scene.title, scene.status), heading)
    for side, name in zip(Side, scene.names, strict=True):
        box, left, turn = geometry.NAMES[side], pips(scene.rules, scene.position, side), scene.turn is side
        paint = partial(_name, box=box, side=side, name=name, left=left, theme=theme, turn=turn)
        base.add(picture, geometry.outset(box), (side, name, left, turn), paint)
    if scene.note and len(scene.rules.board.rows) == 2:
        base.add(picture, geometry.NOTE, ("note", scene.note), partial(_note, note=scene.note, theme=theme))


def _heading(canvas: Canvas, title: str, status: str, theme: Theme) -> None:
    box = geometry.TITLE
    words = fitted(title, title_font(46), 700)
    canvas.text((box.left, box.centre[1]), words, theme.ink, title_font(46), "lm")
    room = box.right - box.left - round(title_font(46).getlength(words)) - 30
    canvas.text((box.right, box.centre[1]), fitted(status, text_font(32), room), theme.ink, text_font(32), "rm")


def _name(canvas: Canvas, box: Box, side: Side, name: str, left: int | None, theme: Theme, *, turn: bool) -> None:
    """Write a player's name, how far his men have to go, and a pointer where it is his turn."""
    y = box.centre[1]
    if turn:
        canvas.badge(box, None, theme.accent, 4)
        canvas.polygon([(box.right - 34, y - 12), (box.right - 34, y + 12), (box.right - 14, y)], theme.accent)
    canvas.place(art.man(theme, side, 40), (box.left + 34, y))
    count = "" if left is None else f"{left} pips"
    room = box.right - box.left - 120 - (round(text_font(24).getlength(count)) + 16 if count else 0)
    canvas.text((box.left + 64, y), fitted(name, text_font(30), room), theme.ink, text_font(30), "lm")
    canvas.text((box.right - 48, y + 1), count, theme.ink, text_font(24), "rm")


def _note(canvas: Canvas, note: str, theme: Theme) -> None:
    box = geometry.NOTE
    canvas.badge(Box(box.left, box.top, box.right - 1, box.bottom - 1), theme.page, theme.accent, 3)
    words = fitted(note, text_font(28), box.right - box.left - 30)
    canvas.text(box.centre, words, theme.ink, text_font(28), "mm")
