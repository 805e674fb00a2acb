"""The sheet with a game's rules, house rules, sources and decisions, on one page if possible."""

from collections.abc import Iterator
from dataclasses import replace

from bot.features.printing import texts as words
from bot.features.printing.board_sheets import (
    BLACK,
    CAPTION_PT,
    draw_set_up,
    measure_set_up,
    write_heading,
)
from bot.features.printing.flow import (
    Column,
    Line,
    break_lines,
    fill_columns,
    measure_lines,
    write_lines,
)
from bot.features.printing.paper import MARGIN_MM, Paper
from bot.features.printing.pdf_pen import Sheets
from bot.features.rulebook.texts import (
    format_options,
    format_origins,
    format_paragraphs,
    format_tagline,
)
from bot.platform.i18n.common import format_title
from bot.platform.i18n.reader import Reader
from engine.rules import Game
from render.theme import Theme

HEADING_PT = 20.0
TAGLINE_PT = 10.5
LARGEST_PT, SMALLEST_PT, STEP_PT = 10.0, 7.0, 0.25
"""Sizes of type: the rules are set as large as they fit on a page, but never smaller than this."""
GUTTER_MM = 7.0
_HEADING_MM = 9.0
_SPACE_MM = 3.0
_SET_UP_SHARE = 0.82
"""How wide the picture of the set-up is, in widths of a column."""
_MOST_PAGES = 9
_BALANCE_STEP_MM = 2.0


def add_rule_sheets(say: Reader, sheets: Sheets, game: Game, theme: Theme, paper: Paper) -> None:
    """Add the rules of a game on a sheet, or on more where type would be too small to read."""
    rules = game.resolve_rules({})
    width = (paper.inner_width - GUTTER_MM) / 2
    tagline = break_lines(sheets, "", format_tagline(say, game), TAGLINE_PT, paper.inner_width)
    top = MARGIN_MM + _HEADING_MM + measure_lines(tagline, TAGLINE_PT) + _SPACE_MM
    picture = measure_set_up(rules, width * _SET_UP_SHARE)
    size, columns, filled = _fit_text(say, sheets, game, paper, top, picture)
    page = -1
    for column, lines in zip(columns, filled, strict=True):
        if column.page != page:
            page = column.page
            sheets.add(paper.width, paper.height)
            footer = words.format_rules_footer(say, game)
            sheets.write_fitted(footer, MARGIN_MM, paper.height - MARGIN_MM / 2, CAPTION_PT, BLACK)
            if page == 0:
                title = format_title(say, game)
                write_heading(sheets, title, MARGIN_MM, MARGIN_MM + 7, HEADING_PT)
                write_lines(sheets, tagline, MARGIN_MM, MARGIN_MM + _HEADING_MM, TAGLINE_PT)
                left = MARGIN_MM + width + GUTTER_MM + width * (1 - _SET_UP_SHARE) / 2
                draw_set_up(sheets, rules, theme, left, top, width * _SET_UP_SHARE)
        write_lines(sheets, lines, column.left, column.top, size)


def _fit_text(
    say: Reader, sheets: Sheets, game: Game, paper: Paper, top: float, picture: float
) -> tuple[float, tuple[Column, ...], tuple[tuple[Line, ...], ...]]:
    """Return the size of type, the columns and their lines: on one page if that can be read."""
    width = (paper.inner_width - GUTTER_MM) / 2
    paragraphs = [
        *format_paragraphs(say, game),
        *format_options(say, game),
        *format_origins(say, game),
    ]
    for pages in range(1, _MOST_PAGES):
        columns = tuple(_iter_columns(pages, paper, width, top, picture))
        size = LARGEST_PT
        while size >= SMALLEST_PT:
            lines = [
                line
                for heading, text in paragraphs
                for line in break_lines(sheets, heading, text, size, width)
            ]
            if filled := fill_columns(lines, columns, size):
                return size, *_balance_columns(lines, columns, filled, size)
            size -= STEP_PT
    raise ValueError(f"the rules of {game.slug} have no room on {_MOST_PAGES - 1} pages")


def _balance_columns(
    lines: list[Line],
    columns: tuple[Column, ...],
    filled: tuple[tuple[Line, ...], ...],
    size: float,
) -> tuple[tuple[Column, ...], tuple[tuple[Line, ...], ...]]:
    """Return the columns of the last page as short as its lines allow, both about equally full."""
    while True:
        *before, one, other = columns
        ended = [replace(each, bottom=each.bottom - _BALANCE_STEP_MM) for each in (one, other)]
        shorter = (*before, *ended)
        again = fill_columns(lines, shorter, size)
        # A column below its own picture may have no room left.
        if again is None or ended[1].bottom < ended[1].top:
            return columns, filled
        columns, filled = shorter, again


def _iter_columns(
    pages: int, paper: Paper, width: float, top: float, picture: float
) -> Iterator[Column]:
    """Yield two columns a page; on the first the second begins below the picture."""
    bottom = paper.height - MARGIN_MM
    for page in range(pages):
        first = top if page == 0 else MARGIN_MM
        yield Column(page, MARGIN_MM, first, bottom)
        second = first + picture + _SPACE_MM if page == 0 else first
        yield Column(page, MARGIN_MM + width + GUTTER_MM, second, bottom)
