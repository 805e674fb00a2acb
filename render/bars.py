"""What was played week by week, and most, as bars in the colours of a theme."""

from dataclasses import dataclass
from math import ceil

from PIL import Image

from engine.board import TABLES
from render.canvas import Canvas, choose_font, fit_text, text_font, title_font
from render.characters import shorten_text
from render.describe import MAX_ALT_TEXT
from render.geometry import WIDTH, Box
from render.ground import build_palette
from render.lettering import measure_text
from render.png import encode_png
from render.scene import View
from render.sheet import (
    BAND_HEIGHT,
    FOOT_HEIGHT,
    MARGIN,
    ROW_HEIGHT,
    TITLE_HEIGHT,
    build_sheet,
    draw_band,
    write_title,
)
from render.theme import Theme
from render.words import ENGLISH, Joints

NOTE_HEIGHT, PLOT_HEIGHT, ENDS_HEIGHT = 60, 420, 92
"""The line below the title, the columns, and what is written below them."""
_NOTE_SIZES = (44, 40, 36)
_TEXT, _LABEL = 46, 40
_GAP = 26
"""Between a name or a number and a bar."""
_HEADROOM = 36
"""Above the columns, for the upper half of the highest number of the scale."""
_SPACE = 10
"""Between two columns."""
_OUTLINE = 4
"""How thick the outline of a column is that is not finished."""
_MIN_BAR = 8
"""The length of the shortest bar, so that the smallest figure is visible."""
_MIN_TOP = 4
"""The end of the scale where there is little or nothing."""
_MAX_LINES = 5
_MAX_NAME_WIDTH = 430
_STEPS = (1, 2, 5)
"""Between the lines of a scale, each times a power of ten."""


@dataclass(frozen=True, slots=True)
class BarRow:
    """A bar that lies: its name, and the number by which it is as long as it is."""

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Bars:
    """Columns beside one another, and rows below them, all in the reader's language.

    `title` says what the columns are, `note` is a line below it, and `first` and `last` say of when
    the first and the last column are, of which the last is not finished. `heading` says what the
    rows are; without rows it is not drawn.
    """

    title: str
    note: str
    columns: tuple[int, ...]
    first: str
    last: str
    heading: str
    rows: tuple[BarRow, ...]


def draw_bars(bars: Bars, view: View) -> bytes:
    """Return bars as a PNG with a palette, 1080 pixels wide and as high as their rows need.

    Raises ValueError if there are no columns.
    """
    if not bars.columns:
        raise ValueError(f"{bars.title} has no columns")
    theme = view.choose_theme(TABLES)
    height = _measure_height(bars)
    canvas = build_sheet(height, theme)
    write_title(canvas, bars.title, theme)
    _write_note(canvas, bars.note, theme)
    _draw_columns(canvas, bars, TITLE_HEIGHT + NOTE_HEIGHT, theme)
    if bars.rows:
        top = TITLE_HEIGHT + NOTE_HEIGHT + PLOT_HEIGHT + ENDS_HEIGHT
        draw_band(canvas, bars.heading, WIDTH - 2 * MARGIN, top, theme)
        _draw_rows(canvas, bars, top + BAND_HEIGHT, theme)
    return encode_png(canvas.image.quantize(palette=build_palette(theme), dither=Image.Dither.NONE))


def describe_bars(bars: Bars, joints: Joints = ENGLISH.joints) -> str:
    """Return what bars show in words, in at most 1024 characters."""
    columns = joints.join_row(map(str, bars.columns))
    rows = joints.join_row(joints.counted.format(name=row.name, n=row.count) for row in bars.rows)
    parts = [
        bars.title,
        bars.note,
        joints.label(joints.span.format(first=bars.first, last=bars.last), columns),
        joints.label(bars.heading, rows) if rows else "",
    ]
    text = joints.join_sentences(joints.end(part) for part in parts if part)
    return shorten_text(text, MAX_ALT_TEXT)


def _measure_height(bars: Bars) -> int:
    rows = BAND_HEIGHT + ROW_HEIGHT * len(bars.rows) if bars.rows else 0
    return TITLE_HEIGHT + NOTE_HEIGHT + PLOT_HEIGHT + ENDS_HEIGHT + rows + FOOT_HEIGHT


def _write_note(canvas: Canvas, note: str, theme: Theme) -> None:
    room = WIDTH - 2 * MARGIN
    font = choose_font(note, map(text_font, _NOTE_SIZES), room)
    middle = TITLE_HEIGHT + NOTE_HEIGHT // 2
    canvas.text((MARGIN, middle), fit_text(note, font, room), theme.ink, font, "lm")


def _draw_columns(canvas: Canvas, bars: Bars, top: int, theme: Theme) -> None:
    """Draw the scale, a column for each number, and what is written below their ends."""
    font = text_font(_LABEL)
    step, end = _choose_scale(max(bars.columns))
    labels = range(0, end + 1, step)
    widest = max(ceil(measure_text(str(label), font)) for label in labels)
    plot = Box(MARGIN + widest + _GAP, top + _HEADROOM, WIDTH - MARGIN, top + PLOT_HEIGHT)
    for label in labels:
        y = plot.bottom - _scale_length(label, end, plot.height)
        # The last line is that on which the columns stand.
        colour = theme.plates[1] if label else theme.ink
        canvas.rectangle(Box(plot.left, y - 1, plot.right, y + 1), colour)
        canvas.text((plot.left - _GAP, y), str(label), theme.ink, font, "rm")
    count = len(bars.columns)
    for at, number in enumerate(bars.columns):
        left = plot.left + plot.width * at // count + _SPACE // 2
        right = plot.left + plot.width * (at + 1) // count - _SPACE // 2
        if number:
            length = max(_MIN_BAR, _scale_length(number, end, plot.height))
            column = Box(left, plot.bottom - length, right, plot.bottom - 2)
            fill = theme.page if at == count - 1 else theme.accent
            canvas.rectangle(column, fill, theme.accent, _OUTLINE)
    middle = plot.bottom + 42
    half = plot.width // 2 - _GAP
    for text, x, anchor in ((bars.first, plot.left, "lm"), (bars.last, plot.right, "rm")):
        canvas.text((x, middle), fit_text(text, font, half), theme.ink, font, anchor)


def _choose_scale(most: int) -> tuple[int, int]:
    """Return the distance between two lines of the scale and its end, a multiple of it."""
    most = max(most, _MIN_TOP)
    step = next(
        unit * 10**power
        for power in range(len(str(most)) + 1)
        for unit in _STEPS
        if most <= _MAX_LINES * unit * 10**power
    )
    return step, -(-most // step) * step


def _scale_length(number: int, end: int, length: int) -> int:
    return round(number * length / end)


def _draw_rows(canvas: Canvas, bars: Bars, top: int, theme: Theme) -> None:
    """Draw a line for each row: its name, its bar, and its number behind the bar."""
    font, heavy = text_font(_TEXT), title_font(_TEXT)
    names = [fit_text(row.name, font, _MAX_NAME_WIDTH) for row in bars.rows]
    left = MARGIN + max(ceil(measure_text(name, font)) for name in names) + _GAP
    counts = max(ceil(measure_text(str(row.count), heavy)) for row in bars.rows)
    room = WIDTH - MARGIN - counts - _GAP - left
    # Without any there would be nothing to divide by.
    most = max(1, *(row.count for row in bars.rows))
    for at, (row, name) in enumerate(zip(bars.rows, names, strict=True)):
        middle = top + ROW_HEIGHT * at + ROW_HEIGHT // 2
        canvas.text((MARGIN, middle), name, theme.ink, font, "lm")
        end = left + max(_MIN_BAR, _scale_length(row.count, most, room))
        canvas.rectangle(Box(left, middle - 20, end, middle + 19), theme.accent)
        canvas.text((end + _GAP, middle), str(row.count), theme.ink, heavy, "lm")
