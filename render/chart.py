"""Figures of several things below one another, each a mark with the range within which it lies."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from PIL import Image

from engine.board import TABLES
from render.canvas import Canvas, choose_font, fit_text, text_font, title_font
from render.geometry import WIDTH, Box, Spot
from render.ground import build_palette
from render.lettering import measure_text
from render.png import encode_png
from render.scene import View
from render.sheet import build_sheet
from render.theme import Colour, Theme

_MARGIN = 36
_NAMES_WIDTH = 452
"""How wide the column of names is."""
_FIGURE_WIDTH = 92
"""How much room the figure has that is written beside its mark."""
_TOP, _LEGEND, _ROW, _FOOT = 128, 52, 42, 84
_TITLE_SIZES = (44, 40, 34, 28)
"""Sizes of a title: it is written smaller before it is cut."""
_TEXT, _LABEL, _NOTE = 29, 30, 29
_DOT = 9
_SERIES_OFFSET = 9
"""How far the ranges of two series lie from the middle of their row."""


class Scale(StrEnum):
    """How the numbers lie along a chart."""

    EVEN = "even"
    LOGARITHMIC = "logarithmic"


@dataclass(frozen=True, slots=True)
class Mark:
    """A figure, and the ends of the range within which it lies."""

    low: float
    value: float
    high: float


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its name, a mark for each series (None for no mark), and the figure in words."""

    name: str
    marks: tuple[Mark | None, ...]
    said: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """Rows below one another on one scale.

    `title` says what the figures are and `note` what the ranges are. `ticks` are the numbers
    written along the scale, its ends the first and last of them; a tick in `level` is drawn as a
    line to be compared with. `series` are named where there are several.
    """

    title: str
    note: str
    rows: tuple[Row, ...]
    ticks: tuple[float, ...]
    series: tuple[str, ...] = ("",)
    scale: Scale = Scale.EVEN
    level: float | None = None


def draw_chart(chart: Chart, view: View) -> bytes:
    """Return a chart as a PNG with a palette, 1080 pixels wide.

    Raises ValueError for a figure beyond the scale. A range may reach beyond the scale, and is cut
    off there.
    """
    for row in chart.rows:
        if any(mark and not chart.ticks[0] <= mark.value <= chart.ticks[-1] for mark in row.marks):
            raise ValueError(f"{row.name} lies beyond the scale of {chart.title!r}")
    # No single game is shown, so the default theme is the one of the ordinary board.
    theme = view.choose_theme(TABLES)
    top = _TOP + (_LEGEND if len(chart.series) > 1 else 0)
    plot = Box(
        _MARGIN + _NAMES_WIDTH, top, WIDTH - _MARGIN - _FIGURE_WIDTH, top + _ROW * len(chart.rows)
    )
    height = plot.bottom + _FOOT
    canvas = build_sheet(height, theme)
    _write_texts(canvas, chart, theme)
    _draw_scale(canvas, chart, plot, theme)
    for at, row in enumerate(chart.rows):
        _draw_row(canvas, chart, row, plot, plot.top + _ROW * at + _ROW // 2, theme)
    return encode_png(canvas.image.quantize(palette=build_palette(theme), dither=Image.Dither.NONE))


def _write_texts(canvas: Canvas, chart: Chart, theme: Theme) -> None:
    room = WIDTH - 2 * _MARGIN
    heading = choose_font(chart.title, map(title_font, _TITLE_SIZES), room)
    canvas.text((_MARGIN, 50), fit_text(chart.title, heading, room), theme.ink, heading, "lm")
    canvas.text(
        (_MARGIN, 98),
        fit_text(chart.note, text_font(_NOTE), room),
        theme.ink,
        text_font(_NOTE),
        "lm",
    )
    across = _MARGIN
    for name, colour in zip(chart.series, _series_colours(theme), strict=False):
        if len(chart.series) > 1:
            canvas.circle((across + _DOT, _TOP + 18), _DOT, colour, colour)
            canvas.text((across + 30, _TOP + 18), name, theme.ink, text_font(_LABEL), "lm")
            across += 70 + round(measure_text(name, text_font(_LABEL)))


def _series_colours(theme: Theme) -> Sequence[Colour]:
    """One colour a series, light and dark apart for those who see no difference between others."""
    return theme.accent, theme.gold.body, theme.frame


def _draw_scale(canvas: Canvas, chart: Chart, plot: Box, theme: Theme) -> None:
    # Every second row is shaded, to lead the eye from the name to the figure at the other end.
    for row in range(0, len(chart.rows), 2):
        top = plot.top + _ROW * row
        canvas.rectangle(Box(_MARGIN - 12, top, WIDTH - _MARGIN + 12, top + _ROW - 1), theme.ivory)
    for tick in chart.ticks:
        x = _number_to_x(chart, plot, tick)
        canvas.rectangle(Box(x - 1, plot.top, x, plot.bottom), theme.cord)
        canvas.text((x, plot.bottom + 34), f"{tick:g}", theme.ink, text_font(_LABEL), "mm")
    if chart.level is not None:
        x = _number_to_x(chart, plot, chart.level)
        canvas.rectangle(Box(x - 1, plot.top, x + 1, plot.bottom + 12), theme.frame)


def _draw_row(canvas: Canvas, chart: Chart, row: Row, plot: Box, y: int, theme: Theme) -> None:
    name = fit_text(row.name, text_font(_TEXT), _NAMES_WIDTH - 24)
    canvas.text((_MARGIN, y), name, theme.ink, text_font(_TEXT), "lm")
    canvas.text((WIDTH - _MARGIN, y), row.said, theme.ink, text_font(_TEXT), "rm")
    apart = _SERIES_OFFSET if len(chart.series) > 1 else 0
    for at, (mark, colour) in enumerate(zip(row.marks, _series_colours(theme), strict=False)):
        if mark:
            # Spreads the series evenly round the middle: -1 and 1 for two of them, -2, 0 and 2 for
            # three.
            middle = y + apart * (2 * at - len(chart.series) + 1)
            _draw_mark(
                canvas,
                [_number_to_x(chart, plot, each) for each in (mark.low, mark.value, mark.high)],
                middle,
                colour,
            )


def _draw_mark(canvas: Canvas, across: Sequence[int], y: int, colour: Colour) -> None:
    low, value, high = across
    ends: list[Spot] = [(low, y), (high, y)]
    canvas.line(ends, colour, 5)
    canvas.circle((value, y), _DOT, colour, colour)


def _number_to_x(chart: Chart, plot: Box, number: float) -> int:
    """Return where a number lies; one beyond the scale at its end."""
    first, last = chart.ticks[0], chart.ticks[-1]
    within = min(max(number, first), last)
    if chart.scale is Scale.LOGARITHMIC:
        share = math.log(within / first) / math.log(last / first)
    else:
        share = (within - first) / (last - first)
    return plot.left + round(plot.width * share)
