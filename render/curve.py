"""Somebody's ratings over time, as a curve in the colours of a theme."""

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image

from engine.board import TABLES
from render.board import encoded
from render.canvas import Canvas, fitted, text_font, title_font
from render.describe import cut
from render.geometry import WIDTH, Box
from render.ground import palette
from render.scene import View
from render.theme import Theme

HEIGHT = 560
_PAPER = Box(0, 0, WIDTH, HEIGHT)
_PLOT = Box(136, 110, WIDTH - 120, HEIGHT - 88)
_MARGIN = 36
_HEAD, _LABEL = 46, 36
"""Sizes of type."""
_STEPS = (20, 50, 100, 200, 500, 1000, 5000)
"""Between the lines of the scale: the first that gives few enough."""
_MOST_LINES = 5


@dataclass(frozen=True, slots=True)
class Curve:
    """Somebody's ratings, one after each rated match, the oldest first.

    `title` says of what they are and `span` of how many matches, in the reader's language.
    """

    name: str
    title: str
    span: str
    ratings: tuple[int, ...]


def draw_curve(curve: Curve, view: View) -> bytes:
    """Return a curve as a PNG of 1080 pixels' width with a palette."""
    theme = view.theme_of(TABLES)
    canvas = Canvas(Image.new("RGB", (_PAPER.width, _PAPER.height), theme.page))
    canvas.rectangle(Box(3, 3, WIDTH - 4, HEIGHT - 4), theme.page, theme.frame, 6)
    _words(canvas, curve, theme)
    _plot(canvas, curve.ratings, theme)
    return encoded(canvas.image.quantize(palette=palette(theme), dither=Image.Dither.NONE))


def describe_curve(curve: Curve) -> str:
    """Return what a curve shows in words, in at most 1024 characters."""
    return cut(f"{curve.name}. {curve.title}. {curve.span}: {', '.join(map(str, curve.ratings))}.")


def _words(canvas: Canvas, curve: Curve, theme: Theme) -> None:
    title = fitted(curve.title, title_font(_HEAD), WIDTH - 2 * _MARGIN)
    span = fitted(curve.span, text_font(_LABEL), _PLOT.right - _MARGIN)
    canvas.text((_MARGIN, 58), title, theme.ink, title_font(_HEAD), "lm")
    canvas.text((_PLOT.right, HEIGHT - 46), span, theme.ink, text_font(_LABEL), "rm")


def _plot(canvas: Canvas, ratings: Sequence[int], theme: Theme) -> None:
    """Draw the scale, the curve, its ends, and the number that it has come to."""
    low, high = _scale(ratings)
    for rating in range(low, high + 1, _step(low, high)):
        y = _height(rating, low, high)
        canvas.rectangle(Box(_PLOT.left, y - 1, _PLOT.right, y), theme.cord)
        canvas.text((_PLOT.left - 16, y), str(rating), theme.ink, text_font(_LABEL), "rm")
    spots = [(_across(at, len(ratings)), _height(one, low, high)) for at, one in enumerate(ratings)]
    if spots:
        canvas.line(spots, theme.accent, 9)
    for spot in spots[:1] + spots[-1:]:
        canvas.dot(spot, 13, theme.accent, theme.page)
    for rating, (x, y) in list(zip(ratings, spots, strict=True))[-1:]:
        canvas.text((x + 22, y), str(rating), theme.ink, title_font(_HEAD), "lm")


def _scale(ratings: Sequence[int]) -> tuple[int, int]:
    """Return round numbers below and above every rating."""
    low, high = min(ratings, default=1000), max(ratings, default=1000)
    step = _step(low, high)
    return low // step * step, (high // step + 1) * step


def _step(low: int, high: int) -> int:
    return next((step for step in _STEPS if (high - low) / step <= _MOST_LINES), _STEPS[-1])


def _across(at: int, count: int) -> int:
    """Return where a rating stands: the last a little before the end, so that its number has room."""
    return _PLOT.left + (_PLOT.width - _MARGIN) * (at + 1) // (count + 1)


def _height(rating: int, low: int, high: int) -> int:
    return _PLOT.bottom - (rating - low) * _PLOT.height // (high - low)
