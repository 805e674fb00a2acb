"""Paragraphs that run through columns: text is broken into lines, and lines fill the columns."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from bot.features.printing.pdf_pen import POINT_MM, Sheets
from render.lettering import TEXT, TITLE
from render.theme import Colour

LEADING = 1.22
"""From one line to the next, in sizes of type."""
PARAGRAPH_SPACE = 0.45
"""Above a paragraph, in sizes of type."""
_INDENT = 1.0
"""How far the lines of an item stand in, in sizes of type."""
_BULLET = "•"
_INK: Colour = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class Column:
    """Where lines are written: on a page, counted from 0, from top to bottom."""

    page: int
    left: float
    top: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Line:
    """A line of type: its words with their fonts, how far it stands in, and the space above it."""

    words: tuple[tuple[str, str], ...]
    indent: float = 0.0
    bullet: bool = False
    space: float = 0.0


def break_lines(
    sheets: Sheets, heading: str, text: str, size: float, width: float
) -> tuple[Line, ...]:
    """Return a paragraph in lines, its heading before its first words.

    Lines that begin with a hyphen are items of a list.
    """
    return tuple(_iter_lines(sheets, heading, text, size, width))


def _iter_lines(
    sheets: Sheets, heading: str, text: str, size: float, width: float
) -> Iterator[Line]:
    indent = _INDENT * size * POINT_MM
    space = PARAGRAPH_SPACE
    lead = [(word, TITLE) for word in _split_words(_strip_markup(heading))]
    for part in _strip_markup(text).split("\n"):
        is_item = part.startswith("- ")
        if is_item and lead:
            yield Line(tuple(lead), space=space)
            lead, space = [], 0.0
        words = [*lead, *((word, TEXT) for word in _split_words(part.removeprefix("- ")))]
        room = width - indent if is_item else width
        for at, line in enumerate(_fill_lines(sheets, words, size, room)):
            yield Line(line, indent if is_item else 0.0, is_item and at == 0, space)
            space = 0.0
        lead = []


def _split_words(text: str) -> list[str]:
    """Return the words of a text; a space that doesn't break, as before a French colon, is kept."""
    return [word for word in re.split(r"[ \n]+", text) if word]


def _strip_markup(text: str) -> str:
    """Return a text of messages without the marks that Discord shows in another way."""
    plain = text.replace("`", "").replace("**", "").replace("\u2011", "-")
    return "\n".join(line.removeprefix("-# ") for line in plain.split("\n"))


def _fill_lines(
    sheets: Sheets, words: Sequence[tuple[str, str]], size: float, width: float
) -> Iterator[tuple[tuple[str, str], ...]]:
    space = sheets.measure(" ", size)
    line: list[tuple[str, str]] = []
    used = 0.0
    for word, font in words:
        wide = sheets.measure(word, size, font)
        if line and used + space + wide > width:
            yield tuple(line)
            line, used = [], 0.0
        used += wide + (space if line else 0.0)
        line.append((word, font))
    if line:
        yield tuple(line)


def measure_lines(lines: Iterable[Line], size: float) -> float:
    """Return how high lines are, in millimetres."""
    return sum((LEADING + line.space) * size * POINT_MM for line in lines)


def write_lines(
    sheets: Sheets, lines: Iterable[Line], left: float, top: float, size: float
) -> float:
    """Write lines below each other, and return where they end."""
    for line in lines:
        top += (LEADING + line.space) * size * POINT_MM
        base = top - (LEADING - 1) * size * POINT_MM
        if line.bullet:
            sheets.write(_BULLET, left, base, size, _INK)
        x = left + line.indent
        runs = [
            (font, " ".join(word for word, _ in group))
            for font, group in groupby(line.words, key=itemgetter(1))
        ]
        for at, (font, text) in enumerate(runs):
            # A space that is written is read as one, also by whoever copies the text.
            spaced = text if at == len(runs) - 1 else f"{text} "
            x = sheets.write(spaced, x, base, size, _INK, font=font)
    return top


def fill_columns(
    lines: Sequence[Line], columns: Sequence[Column], size: float
) -> tuple[tuple[Line, ...], ...] | None:
    """Return the lines of each column; None where they are too many."""
    filled: list[tuple[Line, ...]] = []
    at = 0
    for column in columns:
        start, used = at, 0.0
        while at < len(lines):
            # No space is needed above what begins a column.
            space = lines[at].space if at > start else 0.0
            high = (LEADING + space) * size * POINT_MM
            if used + high > column.bottom - column.top:
                break
            used += high
            at += 1
        filled.append(lines_of_column(lines[start:at]))
    return tuple(filled) if at == len(lines) else None


def lines_of_column(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return lines without the space above the first."""
    if not lines:
        return ()
    first = lines[0]
    return (Line(first.words, first.indent, first.bullet), *lines[1:])
