"""What never changes in a picture, drawn once: the page, the board, its points and letters; and its palette.

Everything else is a patch: a part of the ground with something on it, brought to the palette and kept. Patches never
overlap, so a picture is the ground's palette image with patches pasted in: nothing is blended twice.
"""

from collections.abc import Callable, Hashable
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

from PIL import Image, ImageDraw

from engine.board import Board
from engine.position import Side
from engine.rules import Rules
from render import art, geometry, ornament
from render.canvas import Canvas, text_font, title_font
from render.geometry import Box
from render.ornament import SCALE, scaled
from render.theme import Colour, Theme

COLOURS = 128
_DIMMING = 0.72
_MOST_PATCHES = 320
_STEP = 6
INSCRIPTIONS = {"roman": ("VICTVSLEVATE", "LVDERENESCIS", "DALVSORILOCV")}
"""What Roman boards say, a letter a point: up, beaten one; you cannot play; make room for one who can [after S3]."""

Paint: TypeAlias = Callable[[Canvas], None]


class Ground:
    """A ground in true colour and by palette, with the patches that were painted on it."""

    def __init__(self, image: Image.Image, theme: Theme, shrunk: int) -> None:
        self._image = image
        self._shrunk = shrunk
        self._palette = palette(theme)
        self._plain = self._reduced(image)
        self._patches: dict[tuple[Box, Hashable], Image.Image] = {}

    def _reduced(self, image: Image.Image) -> Image.Image:
        small = image.reduce(self._shrunk) if self._shrunk > 1 else image
        return small.quantize(palette=self._palette, dither=Image.Dither.NONE)

    @property
    def size(self) -> int:
        """How many bytes of pixels are kept."""
        patches = sum(patch.width * patch.height for patch in self._patches.values())
        return patches + self._plain.width * self._plain.height + 3 * self._image.width * self._image.height

    def blank(self) -> Image.Image:
        """Return a copy of the ground by palette."""
        return self._plain.copy()

    def add(self, picture: Image.Image, box: Box, key: Hashable, paint: Paint) -> None:
        """Put a patch into a picture; `key` says all that `paint` draws in that box."""
        shrunk = self._shrunk
        # So that the reduced patch falls on whole pixels.
        box = Box(box.left // shrunk * shrunk, box.top // shrunk * shrunk, box.right, box.bottom)
        patch = self._patches.get((box, key))
        if patch is None:
            part = self._image.crop(box.edges)
            paint(Canvas(part, box.left, box.top))
            patch = self._reduced(part)
            if len(self._patches) >= _MOST_PATCHES:
                self._patches.clear()
            self._patches[box, key] = patch
        picture.paste(patch, (box.left // shrunk, box.top // shrunk))


def ground(
    rules: Rules, theme: Theme, below: Side, numbered: Side | None, *, ways: bool = False, shrunk: int = 1
) -> Ground:
    """Return the ground of a game: tables not in use dimmed, with each point's number as that side counts.

    `shrunk` says how many times smaller than usual the picture is in each direction.
    """
    in_use = frozenset(chain(rules.course(Side.GOLD), rules.course(Side.BLACK)))
    counted = rules.course(numbered) if numbered else ()
    courses = tuple(rules.course(side) for side in Side) if ways and rules.moving else ()
    return _ground(rules.board, below, in_use, theme, counted, courses, shrunk)


@lru_cache(maxsize=6)
def _ground(
    known: Board,
    below: Side,
    in_use: frozenset[int],
    theme: Theme,
    counted: tuple[int, ...],
    courses: tuple[tuple[int, ...], ...],
    shrunk: int,
) -> Ground:
    board = geometry.turned(known, below)
    large = _framed(theme, theme.page)
    pen = ImageDraw.Draw(large)
    pen.rectangle(scaled(geometry.BAR), fill=theme.bar)
    bare = board.name in INSCRIPTIONS
    for point in range(board.size):
        upper = geometry.is_upper(board, point)
        ornament.point(pen, geometry.point_box(board, point), theme, point % 2, upper=upper, bare=bare)
    image = large.reduce(SCALE)
    canvas = Canvas(image)
    _ways(canvas, board, courses, theme)
    _letters(canvas, board, theme, counted)
    _dim(image, [point for point in range(board.size) if point not in in_use], theme, board)
    _inscription(canvas, board, theme)
    return Ground(image, theme, shrunk)


def _framed(theme: Theme, outside: Colour) -> Image.Image:
    """Draw a large ground's frame and field, with that colour round it."""
    large = Image.new("RGB", (geometry.WIDTH * SCALE, geometry.HEIGHT * SCALE), outside)
    pen = ImageDraw.Draw(large)
    pen.rounded_rectangle(scaled(geometry.FRAME), 12 * SCALE, fill=theme.frame)
    ornament.border(pen, theme)
    pen.rectangle(scaled(geometry.INSIDE), fill=theme.wood)
    ornament.grain(pen, theme, geometry.INSIDE)
    return large


def _letters(canvas: Canvas, board: Board, theme: Theme, counted: tuple[int, ...]) -> None:
    for point in range(board.size):
        x, y = geometry.letter_centre(board, point)
        if point in counted:
            canvas.text((x - 6, y), board.names[point], theme.letters, title_font(26), "rm")
            canvas.text((x, y + 1), str(len(counted) - counted.index(point)), theme.letters, text_font(20), "lm")
        else:
            canvas.text((x, y), board.names[point], theme.letters, title_font(28), "mm")


def _inscription(canvas: Canvas, board: Board, theme: Theme) -> None:
    """Write the board's words, each letter with a little of its plate round it, so that ways may run behind."""
    for point, letter in zip(chain(*board.rows), "".join(INSCRIPTIONS.get(board.name, ())), strict=False):
        canvas.carved(geometry.tip(board, point), letter, theme.ink, theme.plates[point % 2], title_font(40))


def _dim(image: Image.Image, unused: list[int], theme: Theme, board: Board) -> None:
    for point in unused:
        box = geometry.point_box(board, point)
        area = (box.left, box.top - 34, box.right, box.bottom + 34)
        image.paste(ornament.dimmed(image.crop(area), theme, _DIMMING), area[:2])


def _ways(canvas: Canvas, board: Board, courses: tuple[tuple[int, ...], ...], theme: Theme) -> None:
    """Draw each side's way round as an arrow through the round ends of its points."""
    for course, stone, aside in zip(courses, (theme.gold, theme.black), (-9, 9), strict=False):
        line = [(x + aside, y + aside) for x, y in (geometry.on_the_way(board, point) for point in course)]
        x, y = line[0]
        for width, fill in ((11, theme.ivory), (6, stone.body)):
            canvas.pen.ellipse((x - width, y - width, x + width, y + width), fill=fill)
            canvas.pen.line(line, fill=fill, width=width, joint="curve")
        canvas.pen.polygon(_head(line[-2], line[-1]), fill=stone.body, outline=theme.ivory)


def _head(before: tuple[int, int], end: tuple[int, int]) -> list[tuple[int, int]]:
    back = 30 if end[0] > before[0] else -30
    return [(end[0] + back // 2, end[1]), (end[0] - back, end[1] - 17), (end[0] - back, end[1] + 17)]


@lru_cache(maxsize=8)
def palette(theme: Theme) -> Image.Image:
    """Settle a theme's palette once: its own colours, and shades of everything that can be drawn."""
    sample = Image.new("RGB", (geometry.WIDTH, 400), theme.page)
    canvas = Canvas(sample)
    pen = canvas.pen
    for at, side in enumerate(Side):
        for back, colour in enumerate((theme.page, theme.wood, *theme.plates, theme.bar)):
            left, top = 120 * back, 130 * at
            pen.rectangle((left, top, left + 119, top + 129), fill=colour)
            canvas.place(art.man(theme, side), (left + 40, top + 40))
            canvas.place(art.ring(theme, dashed=False), (left + 40, top + 40))
            for use in (False, True):
                sprite = art.die(theme, side, 6, used=use, presumed=True)
                canvas.place(sprite, (left + (30 if use else 88), top + 96))
            canvas.text((left + 70, top + 8), "Amg", theme.ink, text_font(30), "la")
            canvas.text((left + 70, top + 40), "Amg", theme.letters, text_font(30), "la")
    for at, tone in enumerate((*theme.plates, *theme.tints)):
        sample.paste(ornament.dimmed(Image.new("RGB", (60, 60), tone), theme, _DIMMING), (70 * at, 300))
        pen.rectangle((300 + 60 * at, 300, 350 + 60 * at, 390), fill=tone)
    sample.paste(_material(theme).resize((580, 380)), (610, 10))
    exact = theme.colours
    reduced = sample.quantize(COLOURS - len(exact), method=Image.Quantize.MEDIANCUT).getpalette() or []
    shades = [tuple(reduced[at : at + 3]) for at in range(0, 3 * (COLOURS - len(exact)), 3)]
    # Pillow looks colours up in steps of four: a shade next to a theme's own colour would be taken in its place.
    apart = [shade for shade in shades if all(_distance(shade, own) > _STEP for own in exact)]
    settled = Image.new("P", (1, 1))
    settled.putpalette([*chain(*exact), *chain(*apart)])
    return settled


def _distance(one: Colour, other: Colour) -> int:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def _material(theme: Theme) -> Image.Image:
    """Draw a corner of a board, for the colours of its ornament."""
    large = _framed(theme, theme.frame)
    pen = ImageDraw.Draw(large)
    for at in range(12):
        left = geometry.INSIDE.left + 70 * at
        box = Box(left, geometry.INSIDE.top, left + 70, geometry.INSIDE.top + 240)
        ornament.point(pen, box, theme, at % 2, upper=True, bare=False)
    return large.reduce(SCALE).crop((0, 60, 600, 460))
