"""Numbers over time, such as somebody's ratings, as a curve in the colours of a theme."""

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image

from engine.board import TABLES
from render.canvas import Canvas, choose_font, fit_text, text_font, title_font
from render.characters import shorten_text
from render.describe import MAX_ALT_TEXT
from render.geometry import WIDTH, Box
from render.ground import build_palette
from render.png import encode_png
from render.scene import View
from render.sheet import build_sheet
from render.theme import Theme
from render.words import ENGLISH, Joints

HEIGHT = 560
_PLOT = Box(136, 110, WIDTH - 120, HEIGHT - 88)
_MARGIN = 36
_HEAD, _LABEL = 46, 36
"""Sizes of type."""
_TITLE_SIZES = (_HEAD, 40, 34, 28)
"""A title is written smaller before it is cut."""
_THICK, _THIN, _THIN_FROM = 9, 5, 60
"""How wide the line is, and for how many values it is the thinner one."""
_MARK, _MARK_NUMBER_SIZE = 22, 32
"""How far a mark reaches from its middle, and how large its number is."""
_SCALE_STEPS = (20, 50, 100, 200, 500, 1000, 5000)
"""Between the lines of the scale: the first that gives few enough."""
_MAX_LINES = 5
MIN_VALUES = 2
"""How many values make a curve; one is a dot, and better said in words."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Numbers in the order in which they came about, such as somebody's ratings after each match.

    `title` says of what they are and `span` how many, in the reader's language. `ends` are those of
    the scale where they do not follow from the numbers. `marks` are places on the curve that are
    numbered, from the first on. `drawn_title` stands in the picture where the title names somebody
    whose letters cannot be drawn. `course` says in words how many values went.
    """

    name: str
    title: str
    span: str
    values: tuple[int, ...]
    ends: tuple[int, int] | None = None
    marks: tuple[int, ...] = ()
    drawn_title: str | None = None
    course: str = ""


def draw_curve(curve: Curve, view: View) -> bytes:
    """Return a curve as a PNG of 1080 pixels' width with a palette."""
    theme = view.choose_theme(TABLES)
    canvas = build_sheet(HEIGHT, theme)
    _write_texts(canvas, curve, theme)
    _draw_plot(canvas, curve, theme)
    return encode_png(canvas.image.quantize(palette=build_palette(theme), dither=Image.Dither.NONE))


def describe_curve(curve: Curve, joints: Joints = ENGLISH.joints) -> str:
    """Return what a curve shows in words, in at most 1024 characters."""
    course = curve.course or joints.join_row(map(str, curve.values))
    parts = (curve.name, curve.title, joints.label(curve.span, course))
    return shorten_text(joints.join_sentences(map(joints.end, parts)), MAX_ALT_TEXT)


def _write_texts(canvas: Canvas, curve: Curve, theme: Theme) -> None:
    room = WIDTH - 2 * _MARGIN
    text = curve.drawn_title or curve.title
    heading = choose_font(text, map(title_font, _TITLE_SIZES), room)
    title = fit_text(text, heading, room)
    span = fit_text(curve.span, text_font(_LABEL), _PLOT.right - _MARGIN)
    canvas.text((_MARGIN, 58), title, theme.ink, heading, "lm")
    canvas.text((_PLOT.right, HEIGHT - 46), span, theme.ink, text_font(_LABEL), "rm")


def _draw_plot(canvas: Canvas, curve: Curve, theme: Theme) -> None:
    """Draw the scale, the curve, its ends and marks, and the number that it has come to."""
    values = curve.values
    low, high = curve.ends or _choose_scale(values)
    for value in range(low, high + 1, _choose_step(low, high)):
        y = _value_to_y(value, low, high)
        canvas.rectangle(Box(_PLOT.left, y - 1, _PLOT.right, y), theme.cord)
        canvas.text((_PLOT.left - 16, y), str(value), theme.ink, text_font(_LABEL), "rm")
    spots = [
        (_index_to_x(at, len(values)), _value_to_y(one, low, high)) for at, one in enumerate(values)
    ]
    if spots:
        canvas.line(spots, theme.accent, _THICK if len(spots) < _THIN_FROM else _THIN)
    # Slices, not indices: a curve may have no values at all.
    for spot in spots[:1] + spots[-1:]:
        canvas.circle(spot, 13, theme.accent, theme.page)
    for number, at in enumerate(curve.marks, 1):
        canvas.circle(spots[at], _MARK, theme.page, theme.ink)
        canvas.text(spots[at], str(number), theme.ink, title_font(_MARK_NUMBER_SIZE), "mm")
    for value, (x, y) in list(zip(values, spots, strict=True))[-1:]:
        canvas.text((x + 22, y), str(value), theme.ink, title_font(_HEAD), "lm")


def _choose_scale(values: Sequence[int]) -> tuple[int, int]:
    """Return round numbers below and above every value."""
    # A curve without values shows the scale round a newcomer's rating.
    low, high = min(values, default=1000), max(values, default=1000)
    step = _choose_step(low, high)
    # The top lies above the highest value even if that is round itself: equal values must not make
    # a scale of no height, by which `_value_to_y` would divide.
    return low // step * step, (high // step + 1) * step


def _choose_step(low: int, high: int) -> int:
    return next(
        (step for step in _SCALE_STEPS if (high - low) / step <= _MAX_LINES), _SCALE_STEPS[-1]
    )


def _index_to_x(at: int, count: int) -> int:
    """Return a value's x; the last is a little before the end, to leave room for its number."""
    return _PLOT.left + (_PLOT.width - _MARGIN) * (at + 1) // (count + 1)


def _value_to_y(value: int, low: int, high: int) -> int:
    return _PLOT.bottom - (value - low) * _PLOT.height // (high - low)
