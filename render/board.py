"""The picture of a board."""

import io
from functools import lru_cache
from importlib.resources import as_file, files
from itertools import chain

from PIL import Image, ImageDraw, ImageFont

from engine.board import Board
from engine.position import Side
from render import art, geometry
from render.describe import bar_tables
from render.geometry import Box
from render.scene import Die, Scene
from render.theme import GLOUCESTER, Theme

_COLOURS = 128
_SHRINK = 2
_DIMMING = 0.72
INSCRIPTIONS = {"roman": ("VICTVSLEVATE", "LVDERENESCIS", "DALVSORILOCV")}
"""What Roman boards say, a letter a point: up, beaten one; you cannot play; make room for one who can [after S3]."""


def draw(scene: Scene, theme: Theme = GLOUCESTER) -> bytes:
    """Return a scene as a PNG of 1200 by 850 pixels with a palette; the same scene gives the same bytes."""
    in_use = frozenset(chain(scene.rules.course(Side.GOLD), scene.rules.course(Side.BLACK)))
    picture = _ground(scene.rules.board, in_use, theme).copy()
    if scene.ways and scene.rules.moving:
        _ways(picture, scene, theme)
    _men(picture, scene, theme)
    _marks(picture, scene, theme)
    _dice(picture, scene, theme)
    _tray(picture, scene, theme)
    _words(picture, scene, theme)
    return _encoded(picture, theme)


@lru_cache(maxsize=64)
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    with as_file(files("render").joinpath("assets", name)) as path:
        return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)


def _text_font(size: int) -> ImageFont.FreeTypeFont:
    return _font("Elstob-Medium.otf", size)


def _title_font(size: int) -> ImageFont.FreeTypeFont:
    return _font("Elstob-SemiBold.otf", size)


@lru_cache(maxsize=16)
def _ground(board: Board, in_use: frozenset[int], theme: Theme) -> Image.Image:
    """Draw what never changes: the page, the frame, the plates and their letters; tables not in use are dimmed."""
    large = Image.new("RGB", (geometry.WIDTH * _SHRINK, geometry.HEIGHT * _SHRINK), theme.page)
    pen = ImageDraw.Draw(large)
    pen.rounded_rectangle(_scaled(geometry.FRAME), 12 * _SHRINK, fill=theme.frame)
    art.plait(pen, geometry.FRAME, theme, _SHRINK)
    pen.rectangle(_scaled(geometry.INSIDE), fill=theme.wood)
    pen.rectangle(_scaled(geometry.BAR), fill=theme.frame)
    for point in range(board.size):
        upper = geometry.is_upper(board, point)
        plain = board.name in INSCRIPTIONS
        art.plate(pen, geometry.point_box(board, point), theme, point % 2, upper=upper, plain=plain, scale=_SHRINK)
    ground = large.reduce(_SHRINK)
    pen = ImageDraw.Draw(ground)
    for point in range(board.size):
        pen.text(geometry.letter_centre(board, point), board.names[point], theme.letters, _title_font(28), anchor="mm")
    for row, letters in zip(board.rows, INSCRIPTIONS.get(board.name, ()), strict=False):
        for point, letter in zip(row, letters, strict=True):
            pen.text(geometry.tip(board, point), letter, theme.frame, _title_font(40), anchor="mm")
    _dim(ground, [point for point in range(board.size) if point not in in_use], theme, board)
    return ground


def _scaled(box: Box) -> tuple[int, int, int, int]:
    return box.left * _SHRINK, box.top * _SHRINK, box.right * _SHRINK, box.bottom * _SHRINK


def _dim(ground: Image.Image, unused: list[int], theme: Theme, board: Board) -> None:
    for point in unused:
        box = geometry.point_box(board, point)
        area = (box.left, box.top - 34, box.right, box.bottom + 34)
        part = ground.crop(area)
        ground.paste(Image.blend(part, Image.new("RGB", part.size, theme.wood), _DIMMING), area[:2])


def _place(picture: Image.Image, sprite: Image.Image, centre: tuple[int, int]) -> None:
    at = centre[0] - sprite.width // 2, centre[1] - sprite.height // 2
    picture.paste(sprite, at, sprite)


def _men(picture: Image.Image, scene: Scene, theme: Theme) -> None:
    board = scene.rules.board
    for side in Side:
        men = scene.position.men(side)
        for point in range(board.size):
            _pile(picture, geometry.pile(board, point, men[point]), men[point], side, theme)
            if scene.rules.piled and men[point] == 1 and men[board.hand]:
                _place(picture, art.man(theme, side), geometry.lying_on(geometry.pile(board, point, 1)[0]))
        centres = geometry.bar_pile(board, side, board.waiting(men))
        _pile(picture, centres, board.waiting(men), side, theme)
        if len(board.bars) > 1:
            _awaited(picture, centres, [table for table in bar_tables(board) for _ in range(men[table[0]])], theme)


def _pile(picture: Image.Image, centres: list[tuple[int, int]], count: int, side: Side, theme: Theme) -> None:
    for centre in centres:
        _place(picture, art.man(theme, side), centre)
    if count > geometry.MOST_DRAWN:
        _badge(picture, centres[-1], str(count), theme)


def _awaited(picture: Image.Image, centres: list[tuple[int, int]], tables: list[tuple[int, str]], theme: Theme) -> None:
    """Label men on the bar with the table that each waits to enter; the last may carry their number instead."""
    counted = len(tables) > geometry.MOST_DRAWN
    for centre, (_, name) in zip(centres[:-1] if counted else centres, tables, strict=False):
        _badge(picture, centre, name, theme)


def _badge(picture: Image.Image, centre: tuple[int, int], text: str, theme: Theme) -> None:
    pen = ImageDraw.Draw(picture)
    x, y = centre
    pen.rounded_rectangle((x - 21, y - 16, x + 21, y + 16), 12, fill=theme.page, outline=theme.ink, width=2)
    pen.text((x, y), text, theme.ink, _title_font(28 if text.isdigit() else 22), anchor="mm")


def _ways(picture: Image.Image, scene: Scene, theme: Theme) -> None:
    """Draw each side's way round as an arrow through the round ends of its points."""
    board, pen = scene.rules.board, ImageDraw.Draw(picture)
    for side, aside in ((Side.GOLD, -9), (Side.BLACK, 9)):
        stone = theme.gold if side is Side.GOLD else theme.black
        crossed = [geometry.on_the_way(board, point) for point in scene.rules.course(side)]
        line = [(x + aside, y + aside) for x, y in crossed]
        x, y = line[0]
        for width, fill in ((11, theme.ivory), (6, stone.body)):
            pen.ellipse((x - width, y - width, x + width, y + width), fill=fill)
            pen.line(line, fill=fill, width=width, joint="curve")
        pen.polygon(_head(line[-2], line[-1]), fill=stone.body, outline=theme.ivory)


def _head(before: tuple[int, int], end: tuple[int, int]) -> list[tuple[int, int]]:
    back = 30 if end[0] > before[0] else -30
    return [(end[0] + back // 2, end[1]), (end[0] - back, end[1] - 17), (end[0] - back, end[1] + 17)]


def _marks(picture: Image.Image, scene: Scene, theme: Theme) -> None:
    """Ring where men of the last play came to rest, and dash where they stood; places beside the board need none."""
    board, position = scene.rules.board, scene.position
    targets = {target for _, target in scene.last if target < board.size}
    sources = {source for source, _ in scene.last if source < board.size} - targets
    held = [position.gold[point] + position.black[point] for point in range(board.size)]
    for point in targets:
        if held[point]:
            _place(picture, art.ring(theme, dashed=False), geometry.pile(board, point, held[point])[-1])
    for point in sources:
        if held[point] < geometry.MOST_DRAWN:
            _place(picture, art.ring(theme, dashed=True), geometry.pile(board, point, held[point] + 1)[-1])


def _dice(picture: Image.Image, scene: Scene, theme: Theme) -> None:
    for box, die in zip(geometry.dice_boxes(scene.rules.board, len(scene.dice)), scene.dice, strict=True):
        _place(picture, _die_sprite(theme, scene.thrower or Side.GOLD, die), box.centre)


def _die_sprite(theme: Theme, side: Side, die: Die) -> Image.Image:
    return art.die(theme, side, die.number, used=die.used, presumed=die.presumed)


def _tray(picture: Image.Image, scene: Scene, theme: Theme) -> None:
    board = scene.rules.board
    pen = ImageDraw.Draw(picture)
    for side in Side:
        men = scene.position.men(side)
        for row, (place, label) in enumerate(((board.hand, "in hand"), (board.off, "borne off"))):
            if men[place] and not (place == board.hand and scene.rules.piled):
                box = geometry.tray_box(side, row)
                x, y = box.centre
                _place(picture, art.man(theme, side), (x - 36, y - 12))
                pen.text((x + 4, y - 12), f"× {men[place]}", theme.ink, _title_font(38), anchor="lm")
                pen.text((x, y + 40), label, theme.ink, _text_font(26), anchor="mm")


def _words(picture: Image.Image, scene: Scene, theme: Theme) -> None:
    pen = ImageDraw.Draw(picture)
    title, status = geometry.TITLE, _fitted(scene.status, _text_font(32), 620)
    pen.text(
        (title.left, title.centre[1]), _fitted(scene.title, _title_font(46), 500), theme.ink, _title_font(46), "lm"
    )
    pen.text((title.right, title.centre[1]), status, theme.ink, _text_font(32), anchor="rm")
    for side, name in zip(Side, scene.names, strict=True):
        box = geometry.NAMES[side]
        if scene.turn is side:
            pen.rounded_rectangle((box.left, box.top, box.right, box.bottom), 12, outline=theme.accent, width=4)
            pen.polygon(_pointer(box), fill=theme.accent)
        _place(picture, art.man(theme, side, 40), (box.left + 34, box.centre[1]))
        words = _fitted(name, _text_font(30), box.right - box.left - 120)
        pen.text((box.left + 64, box.centre[1]), words, theme.ink, _text_font(30), anchor="lm")


def _pointer(box: Box) -> list[tuple[int, int]]:
    y = box.centre[1]
    return [(box.right - 34, y - 12), (box.right - 34, y + 12), (box.right - 14, y)]


def _fitted(text: str, font: ImageFont.FreeTypeFont, room: int) -> str:
    """Shorten a text with an ellipsis until it fits; line breaks count as spaces."""
    line = " ".join(text.split())
    if font.getlength(line) <= room:
        return line
    while line and font.getlength(f"{line}…") > room:
        line = line[:-1]
    return f"{line.rstrip()}…"


@lru_cache(maxsize=8)
def _palette(theme: Theme) -> Image.Image:
    """Settle the palette once, from everything that can be drawn."""
    sample = Image.new("RGB", (geometry.WIDTH, 400), theme.page)
    pen = ImageDraw.Draw(sample)
    for at, side in enumerate(Side):
        for back, colour in enumerate((theme.page, theme.wood, *theme.plates, theme.frame)):
            left, top = 120 * back, 130 * at
            pen.rectangle((left, top, left + 119, top + 129), fill=colour)
            _place(sample, art.man(theme, side), (left + 40, top + 40))
            _place(sample, art.ring(theme, dashed=False), (left + 40, top + 40))
            for use in (False, True):
                sprite = art.die(theme, side, 6, used=use, presumed=True)
                _place(sample, sprite, (left + (30 if use else 88), top + 96))
            pen.text((left + 70, top + 8), "Amg", theme.ink, _text_font(30))
            pen.text((left + 70, top + 40), "Amg", theme.letters, _text_font(30))
    for at, tone in enumerate(theme.plates):
        dimmed = Image.blend(Image.new("RGB", (60, 60), tone), Image.new("RGB", (60, 60), theme.wood), _DIMMING)
        sample.paste(dimmed, (70 * at, 300))
    art.plait(pen, Box(620, 10, 1190, 390), theme, 1)
    return sample.quantize(_COLOURS, method=Image.Quantize.MEDIANCUT)


def _encoded(picture: Image.Image, theme: Theme) -> bytes:
    file = io.BytesIO()
    picture.quantize(palette=_palette(theme), dither=Image.Dither.NONE).save(file, "PNG", compress_level=6)
    return file.getvalue()
