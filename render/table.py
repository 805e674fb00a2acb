"""The standings of a league or ladder as a picture, in a theme's colours, divisions apart."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import ceil

from PIL import Image, ImageFont

from engine.board import TABLES
from render.canvas import Canvas, choose_font, fit_text, text_font, title_font
from render.characters import shorten_text, utf16_length
from render.describe import MAX_ALT_TEXT
from render.geometry import WIDTH, Box
from render.lettering import make_drawable, measure_text
from render.png import encode_png
from render.scene import View
from render.sheet import (
    BAND_HEIGHT,
    FOOT_HEIGHT,
    FRAME,
    MARGIN,
    ROW_HEIGHT,
    TITLE_HEIGHT,
    build_sheet,
    draw_band,
    write_title,
)
from render.table_colours import (
    TableColours,
    ZoneColours,
    build_table_palette,
    choose_table_colours,
)
from render.table_marks import MARK_SIZE, draw_crown, draw_triangle
from render.theme import Theme
from render.words import ENGLISH, Joints

SECTION_GAP, LEGEND_HEIGHT = 28, 60
"""What is below the rows of a section, and a line of the legend."""
_COLUMN_SIZES = (38, 34, 30, 26)
_TEXT, _LEGEND_SIZES = 48, (40, 34, 30)
_STRIP = 12
"""How wide the strip at the edge of marked rows is."""
_GAP = 28
"""Between two columns."""
_MARK_WIDTH = MARK_SIZE + 14
"""A mark and the space after it."""
_MIN_NAME_WIDTH = 400
"""The room that a name has at least, whatever the columns hold."""
_MAX_RANK_WIDTH = 130


class RowMark(StrEnum):
    """What a season's end means for somebody: that they rise, fall or have won."""

    NONE = "none"
    UP = "up"
    DOWN = "down"
    CHAMPION = "champion"


@dataclass(frozen=True, slots=True)
class TableRow:
    """Somebody's place in a table, with a text for each of the table's columns.

    `is_out` is somebody who has left, and is written paler. `drawn_name` stands in the picture
    where the letters of the name cannot be drawn.
    """

    rank: str
    name: str
    cells: tuple[str, ...]
    mark: RowMark = RowMark.NONE
    is_out: bool = False
    drawn_name: str | None = None


@dataclass(frozen=True, slots=True)
class TableSection:
    """One division of a league; where there is only one, it needs no heading.

    `notes` say below its rows what decided between those with equal points.
    """

    heading: str
    rows: tuple[TableRow, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """The standings of a league, all in the reader's language.

    `columns` are the headings of the rows' cells. `legend` says what marks mean, in that order, and
    `out_legend` what is meant by a paler row.
    """

    title: str
    columns: tuple[str, ...]
    sections: tuple[TableSection, ...]
    legend: tuple[tuple[RowMark, str], ...] = ()
    out_legend: str = ""

    @property
    def rows(self) -> tuple[TableRow, ...]:
        """The rows of all sections."""
        return tuple(row for section in self.sections for row in section.rows)


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where a rank ends, a name begins and ends, and the cells end; how wide cells are.

    `size` is that of the type of their headings.
    """

    rank_end: int
    name: int
    name_end: int
    cell_ends: tuple[int, ...]
    widths: tuple[int, ...]
    size: int


@dataclass(frozen=True, slots=True)
class _LegendItem:
    """What a mark, or a paler row, is said to mean, and where that begins on its line.

    `font` is smaller where the line has no room for it otherwise.
    """

    left: int
    mark: RowMark
    text: str
    font: ImageFont.FreeTypeFont
    is_out: bool


def draw_table(table: Table, view: View) -> bytes:
    """Return a table as a PNG with a palette, 1080 pixels wide and as high as its rows need.

    Raises ValueError for a row with fewer or more cells than there are columns.
    """
    for row in table.rows:
        if len(row.cells) != len(table.columns):
            raise ValueError(f"{row.name} has {len(row.cells)} of {len(table.columns)} cells")
    theme = view.choose_theme(TABLES)
    colours = choose_table_colours(theme)
    legend = _break_legend(table)
    height = _measure_height(table, len(legend))
    canvas = build_sheet(height, theme)
    write_title(canvas, _choose_drawn(table.title), theme)
    columns = _place_columns(table)
    top = TITLE_HEIGHT
    for section in table.sections:
        _draw_headings(canvas, table, section.heading, columns, top, theme)
        top += BAND_HEIGHT
        for at, row in enumerate(section.rows):
            _draw_row(canvas, row, columns, top, colours, shaded=at % 2 == 1)
            top += ROW_HEIGHT
        for line in _break_notes(section):
            _draw_legend(canvas, line, top + LEGEND_HEIGHT // 2, colours)
            top += LEGEND_HEIGHT
        top += SECTION_GAP
    for line in legend:
        _draw_legend(canvas, line, top + LEGEND_HEIGHT // 2, colours)
        top += LEGEND_HEIGHT
    palette = build_table_palette(theme)
    return encode_png(canvas.image.quantize(palette=palette, dither=Image.Dither.NONE))


def describe_table(table: Table, joints: Joints = ENGLISH.joints) -> str:
    """Return what a table shows in words, in at most 1024 characters.

    Where that is too little for the cells, ranks and names are said without them.
    """
    text = _describe_rows(table, joints, with_cells=True)
    if utf16_length(text) > MAX_ALT_TEXT:
        text = _describe_rows(table, joints, with_cells=False)
    return shorten_text(text, MAX_ALT_TEXT)


def _describe_rows(table: Table, joints: Joints, *, with_cells: bool) -> str:
    meanings = dict(table.legend)
    parts = [table.title]
    for section in table.sections:
        rows = []
        for row in section.rows:
            cells = zip(table.columns, row.cells, strict=True) if with_cells else ()
            facts = [
                joints.ranked.format(rank=row.rank, name=row.name),
                *(joints.counted.format(name=column, n=cell) for column, cell in cells),
                meanings.get(row.mark, ""),
                table.out_legend if row.is_out else "",
            ]
            rows.append(joints.join_row(facts))
        parts.append(joints.label(section.heading, joints.join_clauses(rows)))
        parts += section.notes
    return joints.join_sentences(joints.end(part) for part in parts if part)


def _measure_height(table: Table, legend: int) -> int:
    lines = legend
    sections = sum(BAND_HEIGHT + ROW_HEIGHT * len(section.rows) for section in table.sections)
    lines += sum(len(_break_notes(section)) for section in table.sections)
    # Between what is below one another: the sections, and the legend if there is one.
    gaps = max(0, len(table.sections) + bool(legend) - 1)
    return TITLE_HEIGHT + sections + SECTION_GAP * gaps + LEGEND_HEIGHT * lines + FOOT_HEIGHT


def _place_columns(table: Table) -> _Columns:
    """Return the columns, which are the same in all sections."""
    text = text_font(_TEXT)
    ranks = (measure_text(row.rank, text) for row in table.rows)
    has_marks = any(row.mark is not RowMark.NONE for row in table.rows)
    left = MARGIN + (_MARK_WIDTH if has_marks else 0)
    rank_end = left + min(_MAX_RANK_WIDTH, ceil(max(ranks, default=0)))
    name = rank_end + _GAP
    # The most that the cells may have, with a gap before each of them.
    most = WIDTH - MARGIN - name - _MIN_NAME_WIDTH
    widths, size = _choose_widths(table, most)
    ends = []
    end = WIDTH - MARGIN
    for width in reversed(widths):
        ends.append(end)
        end -= width + _GAP
    return _Columns(rank_end, name, end, tuple(reversed(ends)), widths, size)


def _choose_widths(table: Table, most: int) -> tuple[tuple[int, ...], int]:
    """Return how wide the cells' columns are, and the size of the type of their headings.

    The headings are written smaller, and then cut, before names have too little room.
    """
    text = text_font(_TEXT)
    cells = [
        max((ceil(measure_text(row.cells[at], text)) for row in table.rows), default=0)
        for at in range(len(table.columns))
    ]
    widths: list[int] = []
    for size in _COLUMN_SIZES:
        heads = [ceil(measure_text(column, title_font(size))) for column in table.columns]
        widths = [max(pair) for pair in zip(cells, heads, strict=True)]
        if sum(widths) + _GAP * len(widths) <= most:
            return tuple(widths), size
    # Where even the smallest type is too large, the longest headings are cut, and cells only if
    # they would not fit without any headings.
    room = most - _GAP * len(widths)
    least = cells if sum(cells) <= room else [0] * len(cells)
    limit = max(widths)
    while sum(_cut_widths(widths, least, limit)) > room:
        limit -= 1
    return tuple(_cut_widths(widths, least, limit)), _COLUMN_SIZES[-1]


def _cut_widths(widths: Iterable[int], least: Iterable[int], limit: int) -> list[int]:
    return [max(low, min(width, limit)) for width, low in zip(widths, least, strict=True)]


def _draw_headings(
    canvas: Canvas, table: Table, heading: str, columns: _Columns, top: int, theme: Theme
) -> None:
    """Draw the heading of a section and, on the same line, those of the columns."""
    draw_band(canvas, _choose_drawn(heading), columns.name_end - MARGIN, top, theme)
    middle = top + BAND_HEIGHT // 2
    font = title_font(columns.size)
    for column, end, width in zip(table.columns, columns.cell_ends, columns.widths, strict=True):
        canvas.text((end, middle), fit_text(column, font, width), theme.letters, font, "rm")


def _draw_row(
    canvas: Canvas,
    row: TableRow,
    columns: _Columns,
    top: int,
    colours: TableColours,
    *,
    shaded: bool,
) -> None:
    zone = _choose_zone(row.mark, colours)
    bottom = top + ROW_HEIGHT - 1
    canvas.rectangle(Box(FRAME, top, WIDTH - 1 - FRAME, bottom), zone.grounds[shaded])
    middle = top + ROW_HEIGHT // 2
    if row.mark is not RowMark.NONE:
        canvas.rectangle(Box(FRAME, top, FRAME + _STRIP - 1, bottom), zone.mark)
        canvas.paste_sprite(_draw_mark(row.mark, colours), (MARGIN + MARK_SIZE // 2, middle))
    font = text_font(_TEXT)
    colour = colours.pale if row.is_out else colours.theme.ink
    rank = fit_text(row.rank, font, _MAX_RANK_WIDTH)
    canvas.text((columns.rank_end, middle), rank, colour, font, "rm")
    drawn = row.drawn_name or _choose_drawn(row.name)
    name = fit_text(drawn, font, columns.name_end - columns.name)
    canvas.text((columns.name, middle), name, colour, font, "lm")
    for cell, end, width in zip(row.cells, columns.cell_ends, columns.widths, strict=True):
        canvas.text((end, middle), fit_text(cell, font, width), colour, font, "rm")


def _choose_drawn(text: str) -> str:
    """Return a text without the signs that no font has; all of it where a letter is lacking."""
    return make_drawable(text) or text


def _choose_zone(mark: RowMark, colours: TableColours) -> ZoneColours:
    match mark:
        case RowMark.UP:
            return colours.rise
        case RowMark.DOWN:
            return colours.fall
        case RowMark.CHAMPION:
            return colours.win
    return colours.usual


def _draw_mark(mark: RowMark, colours: TableColours) -> Image.Image:
    zone = _choose_zone(mark, colours)
    if mark is RowMark.CHAMPION:
        return draw_crown(colours.theme.gold.body, zone.mark)
    return draw_triangle(zone.mark, downwards=mark is RowMark.DOWN)


def _break_legend(table: Table) -> tuple[tuple[_LegendItem, ...], ...]:
    """Return the legend in lines, each filled as far as it goes."""
    meanings = [(mark, sentence, False) for mark, sentence in table.legend]
    if table.out_legend:
        meanings.append((RowMark.NONE, table.out_legend, True))
    return _break_items(meanings)


def _break_notes(section: TableSection) -> tuple[tuple[_LegendItem, ...], ...]:
    """Return the notes of a section in lines."""
    return _break_items((RowMark.NONE, note, False) for note in section.notes)


def _break_items(
    meanings: Iterable[tuple[RowMark, str, bool]],
) -> tuple[tuple[_LegendItem, ...], ...]:
    lines: list[list[_LegendItem]] = []
    left = WIDTH
    for mark, sentence, is_out in meanings:
        start = 0 if mark is RowMark.NONE else _MARK_WIDTH
        room = WIDTH - 2 * MARGIN - start
        font = choose_font(sentence, map(text_font, _LEGEND_SIZES), room)
        text = fit_text(sentence, font, room)
        width = start + ceil(measure_text(text, font))
        if left + width > WIDTH - MARGIN:
            lines.append([])
            left = MARGIN
        lines[-1].append(_LegendItem(left, mark, text, font, is_out))
        left += width + 2 * _GAP
    return tuple(map(tuple, lines))


def _draw_legend(
    canvas: Canvas, line: Iterable[_LegendItem], middle: int, colours: TableColours
) -> None:
    for item in line:
        left = item.left
        if item.mark is not RowMark.NONE:
            mark = _draw_mark(item.mark, colours)
            canvas.paste_sprite(mark, (left + MARK_SIZE // 2, middle))
            left += _MARK_WIDTH
        colour = colours.pale if item.is_out else colours.theme.ink
        canvas.text((left, middle), item.text, colour, item.font, "lm")
