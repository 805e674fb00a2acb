"""Drawing and writing on a sheet of a PDF, in millimetres, and the pen by which ornaments do so.

Paragraphs run through columns: text is broken into lines, and lines fill the columns.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from bot.features.printing.sheet_layout import MARGIN_MM
from render.lettering import TEXT, TITLE, load_font, split_by_font
from render.theme import Colour

LEADING = 1.22
"""From one line to the next, in sizes of type."""
PARAGRAPH_SPACE = 0.45
"""Above a paragraph, in sizes of type."""
_INDENT = 1.0
"""How far the lines of an item stand in, in sizes of type."""
_BULLET = "•"
_INK: Colour = (0, 0, 0)

if TYPE_CHECKING:
    # It takes half a second to import, which nobody should wait for who prints nothing.
    from fontTools.ttLib import TTFont
    from fpdf import FPDF

POINT_MM = 25.4 / 72
"""A point of type."""
_PROBE_SIZE = 20
"""The size of type at which pictures are asked for the font of each letter."""
_MAXIMA = (
    *("maxTwilightPoints", "maxStorage", "maxFunctionDefs", "maxInstructionDefs"),
    *("maxStackElements", "maxSizeOfInstructions", "maxComponentElements", "maxComponentDepth"),
)
"""What a table of TrueType says of instructions, of which a converted font has none."""
_CAP_HEIGHT = 0.66
"""How high capitals are, in sizes of type."""
Anchor: TypeAlias = Literal["left", "middle", "right"]
Coords: TypeAlias = Sequence[float] | Sequence[Sequence[float]]


@dataclass
class Sheets:
    """The sheets of a PDF: each is begun with `add`, and everything is drawn on the last."""

    pdf: "FPDF"
    _families: dict[str, str] = field(default_factory=dict)
    _widths: dict[tuple[str, str], float] = field(default_factory=dict)

    def add(self, width: float, height: float) -> None:
        """Begin a sheet of that size in millimetres."""
        self.pdf.add_page(format=(width, height))

    def measure(self, text: str, size: float, font: str = TEXT) -> float:
        """Return how wide a text is in that size of type, in millimetres."""
        key = (font, text)
        if key not in self._widths:
            self._widths[key] = sum(
                self._measure_run(part, family) for family, part in self._split(text, font)
            )
        return self._widths[key] * size / _PROBE_SIZE

    def _measure_run(self, text: str, family: str) -> float:
        self.pdf.set_font(family, size=_PROBE_SIZE)
        return self.pdf.get_string_width(text)

    def write(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        colour: Colour,
        *,
        font: str = TEXT,
        anchor: Anchor = "left",
    ) -> float:
        """Write a text on the line at `y`, and return where it ends."""
        x -= self.measure(text, size, font) * {"left": 0, "middle": 0.5, "right": 1}[anchor]
        self.pdf.set_text_color(*colour)
        for family, part in self._split(text, font):
            self.pdf.set_font(family, size=size)
            self.pdf.text(x, y, part)
            x += self.pdf.get_string_width(part)
        return x

    def write_fitted(
        self, text: str, x: float, y: float, size: float, colour: Colour, *, font: str = TEXT
    ) -> None:
        """Write a text on one line, smaller where it would come too near to the sheet's edge."""
        room = self.pdf.w - MARGIN_MM - x
        wide = self.measure(text, size, font)
        self.write(text, x, y, size * min(1.0, room / wide), colour, font=font)

    def write_centred(self, text: str, x: float, y: float, size: float, colour: Colour) -> None:
        """Write a letter, a number or a word with its middle there."""
        line = y + _CAP_HEIGHT * size * POINT_MM / 2
        self.write(text, x, line, size, colour, font=TITLE, anchor="middle")

    def _split(self, text: str, font: str) -> Iterator[tuple[str, str]]:
        """Yield the parts of a text with the family that has their letters."""
        for run in split_by_font(text, load_font(font, _PROBE_SIZE)):
            yield self._require_family(str(run.font.path)), run.text

    def _require_family(self, path: str) -> str:
        name = Path(path).name
        if name not in self._families:
            if name in (TEXT, TITLE):
                with as_file(files("render").joinpath("assets", name)) as file:
                    self.pdf.add_font(name, fname=file)
            else:
                self.pdf.add_font(name, fname=path)
            self._families[name] = name
            _embed_as_truetype(self.pdf.fonts[name.lower()])
        return self._families[name]

    def draw_line(self, spots: Sequence[tuple[float, float]], colour: Colour, width: float) -> None:
        """Draw a line from spot to spot."""
        self.pdf.set_draw_color(*colour)
        self.pdf.set_line_width(width)
        self.pdf.polyline(spots)

    def fill(self, x: float, y: float, width: float, height: float, colour: Colour) -> None:
        """Fill a rectangle."""
        self.pdf.set_fill_color(*colour)
        self.pdf.rect(x, y, width, height, style="F")

    @contextmanager
    def clip(self, x: float, y: float, width: float, height: float) -> Iterator[None]:
        """Draw nothing outside a rectangle."""
        with self.pdf.rect_clip(x, y, width, height):
            yield


def _embed_as_truetype(font: Any) -> None:  # noqa: ANN401 - fpdf's own, which is imported late
    """Have a font embedded with TrueType outlines, as the PDF then says of it.

    A font of Adobe's outlines would be embedded under that name all the same, which screens show
    and strict printers refuse.
    """
    save = font.ttfont.save

    def convert_and_save(file: object) -> None:
        # By now it has only the letters that are used.
        if "CFF " in font.ttfont:
            _convert_outlines(font.ttfont)
        save(file)

    font.ttfont.save = convert_and_save


def _convert_outlines(font: "TTFont") -> None:
    """Replace a font's cubic outlines by quadratic ones, to a unit of its thousand or so."""
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen
    from fontTools.ttLib import newTable

    order, glyphs = font.getGlyphOrder(), font.getGlyphSet()
    outlines = {}
    for name in order:
        pen = TTGlyphPen(None)
        glyphs[name].draw(Cu2QuPen(pen, 1.0, reverse_direction=True))
        outlines[name] = pen.glyph()
    font["loca"] = newTable("loca")
    font["glyf"] = table = newTable("glyf")
    table.glyphOrder, table.glyphs = order, outlines
    most = font["maxp"]
    most.tableVersion = 0x00010000
    for name in _MAXIMA:
        setattr(most, name, 0)
    most.maxZones = 1
    del font["CFF "]
    for name in ("VORG", "DSIG"):
        if name in font:
            del font[name]
    font.sfntVersion = "\000\001\000\000"


def build_sheets(title: str, language: str) -> Sheets:
    """Return a PDF without any sheets."""
    from fpdf import FPDF

    pdf = FPDF(unit="mm")
    pdf.set_auto_page_break(auto=False)
    pdf.set_title(title)
    pdf.set_creator("Tabula")
    pdf.set_lang(language)
    return Sheets(pdf)


@dataclass(frozen=True, slots=True)
class PdfPen:
    """A pen (`render.pen`) whose origin lies at `left` and `top` of a sheet.

    A unit of what is drawn is `scale` millimetres.
    """

    sheets: Sheets
    left: float
    top: float
    scale: float

    def line(
        self, xy: Coords, fill: Colour | None = None, width: int = 0, joint: str | None = None
    ) -> None:
        """Draw a line from spot to spot."""
        assert fill is not None
        # Lines of pictures are joined smoothly where `joint` says so, those of the PDF always.
        del joint
        self.sheets.draw_line(self._place(xy), fill, max(1, width) * self.scale)

    def polygon(
        self, xy: Coords, fill: Colour | None = None, outline: Colour | None = None, width: int = 1
    ) -> None:
        """Draw a polygon."""
        style = self._choose_colours(fill, outline, width)
        self.sheets.pdf.polygon(self._place(xy), style=style)

    def ellipse(
        self, xy: Coords, fill: Colour | None = None, outline: Colour | None = None, width: int = 1
    ) -> None:
        """Draw an ellipse in a box."""
        x, y, across, down = self._inset(xy, outline, width)
        style = self._choose_colours(fill, outline, width)
        self.sheets.pdf.ellipse(x, y, across, down, style=style)

    def rectangle(
        self, xy: Coords, fill: Colour | None = None, outline: Colour | None = None, width: int = 1
    ) -> None:
        """Draw a rectangle."""
        self.rounded_rectangle(xy, 0, fill, outline, width)

    def rounded_rectangle(
        self,
        xy: Coords,
        radius: float = 0,
        fill: Colour | None = None,
        outline: Colour | None = None,
        width: int = 1,
        *,
        corners: tuple[bool, bool, bool, bool] | None = None,
    ) -> None:
        """Draw a rectangle whose `corners` are round, from the upper left one clockwise."""
        x, y, across, down = self._inset(xy, outline, width)
        style = self._choose_colours(fill, outline, width)
        names = ("TOP_LEFT", "TOP_RIGHT", "BOTTOM_RIGHT", "BOTTOM_LEFT")
        rounded = tuple(
            name for name, is_round in zip(names, corners or (True,) * 4, strict=True) if is_round
        )
        # A radius that is half of a side but for rounding would be refused.
        reach = min(radius * self.scale, 0.499 * across, 0.499 * down)
        options: dict[str, Any] = {"round_corners": rounded, "corner_radius": reach}
        self.sheets.pdf.rect(x, y, across, down, style=style, **(options if radius else {}))

    def pieslice(
        self,
        xy: Coords,
        start: float,
        end: float,
        fill: Colour | None = None,
        outline: Colour | None = None,
        width: int = 1,
    ) -> None:
        """Draw a slice of an ellipse."""
        x, y, across, down = self._inset(xy, outline, width)
        style = self._choose_colours(fill, outline, width)
        self.sheets.pdf.solid_arc(x, y, across, start, end, down, style=style)

    def arc(
        self, xy: Coords, start: float, end: float, fill: Colour | None = None, width: int = 1
    ) -> None:
        """Draw a part of an ellipse's outline."""
        x, y, across, down = self._inset(xy, fill, width)
        self._choose_colours(None, fill, width)
        self.sheets.pdf.arc(x, y, across, start, end, down, style="D")

    def _place(self, xy: Coords) -> list[tuple[float, float]]:
        """Return the spots of a line, which may be a list of numbers, on the sheet."""
        numbers = list(_flatten(xy))
        return [
            (self.left + x * self.scale, self.top + y * self.scale)
            for x, y in zip(numbers[::2], numbers[1::2], strict=True)
        ]

    def _inset(
        self, xy: Coords, outline: Colour | None, width: int
    ) -> tuple[float, float, float, float]:
        """Return a box as the PDF has it, from its corner; an outline lies within it."""
        (left, top), (right, bottom) = self._place(xy)
        half = width * self.scale / 2 if outline is not None else 0.0
        return left + half, top + half, right - left - 2 * half, bottom - top - 2 * half

    def _choose_colours(self, fill: Colour | None, outline: Colour | None, width: int) -> str:
        """Set the colours, and return what is drawn as the PDF says it."""
        pdf = self.sheets.pdf
        if fill is not None:
            pdf.set_fill_color(*fill)
        if outline is not None and width:
            pdf.set_draw_color(*outline)
            pdf.set_line_width(width * self.scale)
            return "DF" if fill is not None else "D"
        return "F"


def _flatten(xy: Coords) -> Iterable[float]:
    first = xy[0]
    if isinstance(first, Sequence):
        return chain.from_iterable(xy)  # type: ignore[arg-type]  # all are alike
    return xy  # type: ignore[return-value]  # all are alike


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
            # A written space is read as one, also when the text is copied.
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
