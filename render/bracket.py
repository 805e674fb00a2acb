"""The bracket of a knock-out as a picture: rounds side by side, and lines to who meets next."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

from PIL import Image

from engine.board import TABLES
from render.canvas import Canvas, choose_font, fit_text, text_font, title_font
from render.geometry import WIDTH, Box
from render.lettering import make_drawable, measure_text
from render.png import encode_png
from render.scene import View
from render.sheet import (
    BAND_HEIGHT,
    FOOT_HEIGHT,
    MARGIN,
    TITLE_HEIGHT,
    build_sheet,
    draw_band,
    write_title,
)
from render.table_colours import TableColours, build_table_palette, choose_table_colours
from render.table_marks import MARK_SIZE, draw_crown
from render.theme import Theme

MAX_COLUMNS, MAX_TIES, MAX_JOINED_TIES = 3, 16, 8
"""Rounds in a picture, ties in one that is alone, and ties in the first of several.

More could not be read on a phone.
"""
SIDE_HEIGHT, TIE_GAP = 62, 28
"""A line of a tie, and what is between two ties of the first column."""
TIE_HEIGHT = 2 * SIDE_HEIGHT
_STEP = TIE_HEIGHT + TIE_GAP
"""From a tie of the first column to the next below it."""
_GAPS = {1: 0, 2: 72, 3: 28}
"""Between columns, by how many there are."""
_SIZES = (44, 40, 36, 32, 28)
_SCORE_SIZE, _SEED_SIZE = 40, 28
_HEADING_SIZES = (46, 40, 36, 30)
_STRIP = 10
"""How wide the strip at the edge of a winner's line is."""
_PAD = 8
_LINE = 4


@dataclass(frozen=True, slots=True)
class TieSide:
    """One of the two in a tie, or nobody yet if the name is empty.

    `seed` is the place in the order by which the bracket was made, where that is shown. `is_out` is
    somebody who does not go on, or a word for nobody, and is written paler.
    """

    name: str
    score: str = ""
    is_winner: bool = False
    is_out: bool = False
    seed: str = ""


@dataclass(frozen=True, slots=True)
class DrawnTie:
    """Two who meet; `is_final` is the tie whose winner gets a crown."""

    first: TieSide
    second: TieSide
    is_final: bool = False

    @property
    def sides(self) -> tuple[TieSide, TieSide]:
        """Both sides, the upper one first."""
        return self.first, self.second


@dataclass(frozen=True, slots=True)
class BracketColumn:
    """A round with its ties, of which each two lead to one of the next round."""

    heading: str
    ties: tuple[DrawnTie, ...]


@dataclass(frozen=True, slots=True)
class DrawnBracket:
    """Rounds of a knock-out that follow one another, all in the reader's language.

    `third` is the tie for the third place, below the others.
    """

    title: str
    columns: tuple[BracketColumn, ...]
    third: BracketColumn | None = None


def draw_bracket(bracket: DrawnBracket, view: View) -> bytes:
    """Return a bracket as a PNG with a palette, 1080 pixels wide and as high as it needs.

    Raises ValueError for no rounds or more than three, for more ties than there is room for, and
    where ties of one round do not lead to those of the next.
    """
    _check_shape(bracket)
    theme = view.choose_theme(TABLES)
    colours = choose_table_colours(theme)
    blocks = _split_blocks(bracket.columns)
    most = len(blocks[0].ties)
    end = TITLE_HEIGHT + BAND_HEIGHT + most * _STEP + TIE_GAP
    third_height = BAND_HEIGHT + TIE_HEIGHT + 2 * TIE_GAP if bracket.third else 0
    canvas = build_sheet(end + third_height + FOOT_HEIGHT - TIE_GAP, theme)
    write_title(canvas, _choose_drawn(bracket.title), theme)
    gap = _GAPS[len(blocks)]
    width = (WIDTH - 2 * MARGIN - gap * (len(blocks) - 1)) // len(blocks)
    lefts = [MARGIN + at * (width + gap) for at in range(len(blocks))]
    _draw_headings(canvas, bracket.columns, lefts, width, theme)
    is_joined = len(bracket.columns) > 1
    placed = []
    for at, (block, left) in enumerate(zip(blocks, lefts, strict=True)):
        step = _STEP * 2**at if is_joined else _STEP
        start = TITLE_HEIGHT + BAND_HEIGHT + TIE_GAP + (step - _STEP) // 2
        tops = [start + step * number for number in range(len(block.ties))]
        placed.append([Box(left, top, left + width - 1, top + TIE_HEIGHT) for top in tops])
    if is_joined:
        _draw_connections(canvas, placed, theme)
    for block, boxes in zip(blocks, placed, strict=True):
        for tie, box in zip(block.ties, boxes, strict=True):
            _draw_tie(canvas, tie, box, colours)
    if bracket.third:
        draw_band(canvas, bracket.third.heading, WIDTH - 2 * MARGIN, end, theme)
        top = end + BAND_HEIGHT + TIE_GAP
        box = Box(MARGIN, top, WIDTH - MARGIN - 1, top + TIE_HEIGHT)
        _draw_tie(canvas, bracket.third.ties[0], box, colours)
    palette = build_table_palette(theme)
    return encode_png(canvas.image.quantize(palette=palette, dither=Image.Dither.NONE))


def _check_shape(bracket: DrawnBracket) -> None:
    counts = [len(column.ties) for column in bracket.columns]
    if not 1 <= len(counts) <= MAX_COLUMNS:
        raise ValueError(f"a picture has room for {MAX_COLUMNS} rounds, not {len(counts)}")
    most = MAX_TIES if len(counts) == 1 else MAX_JOINED_TIES
    if not 1 <= counts[0] <= most:
        raise ValueError(f"a picture has room for {most} ties, not {counts[0]}")
    if any(count != 2 * after for count, after in pairwise(counts)):
        raise ValueError(f"{counts} ties do not lead to one another")
    if bracket.third and len(bracket.third.ties) != 1:
        raise ValueError("one tie is for the third place")


def _split_blocks(columns: Sequence[BracketColumn]) -> list[BracketColumn]:
    """Return what is drawn side by side: the rounds, or the halves of a round that is too long."""
    only = columns[0]
    if len(only.ties) <= MAX_JOINED_TIES:
        return list(columns)
    middle = ceil(len(only.ties) / 2)
    return [BracketColumn("", only.ties[:middle]), BracketColumn("", only.ties[middle:])]


def _draw_headings(
    canvas: Canvas,
    columns: Sequence[BracketColumn],
    lefts: Sequence[int],
    width: int,
    theme: Theme,
) -> None:
    """Draw the names of the rounds on one band, all in the same size."""
    draw_band(canvas, "", width, TITLE_HEIGHT, theme)
    headings = [_choose_drawn(column.heading) for column in columns]
    room = width if len(columns) > 1 else WIDTH - 2 * MARGIN
    longest = max(headings, key=lambda heading: measure_text(heading, title_font(40)))
    font = choose_font(longest, map(title_font, _HEADING_SIZES), room)
    middle = TITLE_HEIGHT + BAND_HEIGHT // 2
    # A round in two columns has one heading, so the last of the lefts may be without one.
    for heading, left in zip(headings, lefts, strict=False):
        canvas.text((left, middle), fit_text(heading, font, room), theme.letters, font, "lm")


def _draw_connections(canvas: Canvas, placed: Sequence[Sequence[Box]], theme: Theme) -> None:
    """Draw the lines from each two ties to the one in which their winners meet."""
    for boxes, after in pairwise(placed):
        for at, box in enumerate(boxes):
            goal = after[at // 2]
            # The two lines meet at the edges of those whom they bring.
            end = goal.top + SIDE_HEIGHT // 2 + SIDE_HEIGHT * (at % 2)
            begin = box.top + SIDE_HEIGHT
            turn = (box.right + goal.left) // 2
            spots = [(box.right, begin), (turn, begin), (turn, end), (goal.left, end)]
            for one, other in pairwise(spots):
                canvas.line([one, other], theme.frame, _LINE)


def _draw_tie(canvas: Canvas, tie: DrawnTie, box: Box, colours: TableColours) -> None:
    theme = colours.theme
    for at, side in enumerate(tie.sides):
        top = box.top + at * SIDE_HEIGHT
        line = Box(box.left, top, box.right, top + SIDE_HEIGHT - 1)
        _draw_side(canvas, side, line, colours, is_crowned=tie.is_final and side.is_winner)
    for edge in (box.top, box.top + SIDE_HEIGHT, box.bottom):
        canvas.rectangle(Box(box.left, edge - 1, box.right, edge), theme.frame)
    for edge in (box.left, box.right - 1):
        canvas.rectangle(Box(edge, box.top - 1, edge + 1, box.bottom), theme.frame)


def _draw_side(
    canvas: Canvas, side: TieSide, line: Box, colours: TableColours, *, is_crowned: bool
) -> None:
    """Draw one of the two; who goes on is written in heavier type, beside a strip."""
    zone = colours.win if side.is_winner else colours.usual
    canvas.rectangle(line, zone.grounds[side.is_winner])
    if side.is_winner:
        canvas.rectangle(Box(line.left, line.top, line.left + _STRIP, line.bottom), zone.mark)
    middle = line.top + SIDE_HEIGHT // 2
    colour = colours.pale if side.is_out else colours.theme.ink
    make_font = title_font if side.is_winner else text_font
    end = line.right - _PAD
    if side.score:
        font = make_font(_SCORE_SIZE)
        canvas.text((end, middle), side.score, colour, font, "rm")
        end -= ceil(measure_text(side.score, font)) + _PAD
    left = line.left + _STRIP + _PAD
    if is_crowned:
        crown = draw_crown(colours.theme.gold.body, zone.mark)
        canvas.paste_sprite(crown, (left + MARK_SIZE // 2, middle))
        left += MARK_SIZE + _PAD
    if side.seed:
        font = text_font(_SEED_SIZE)
        canvas.text((left, middle), side.seed, colours.pale, font, "lm")
        left += ceil(measure_text(side.seed, font)) + _PAD
    name = _choose_drawn(side.name)
    font = choose_font(name, map(make_font, _SIZES), end - left)
    canvas.text((left, middle), fit_text(name, font, end - left), colour, font, "lm")


def _choose_drawn(text: str) -> str:
    """Return a text without the signs that no font has; all of it where a letter is lacking."""
    return make_drawable(text) or text
