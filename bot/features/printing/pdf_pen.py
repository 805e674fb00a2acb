"""Drawing and writing on a sheet of a PDF, in millimetres, and the pen by which ornaments do so."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from bot.features.printing.paper import MARGIN_MM
from render.lettering import TEXT, TITLE, load_font, split_by_font
from render.theme import Colour

if TYPE_CHECKING:
    # It takes half a second to import, which nobody should wait for who prints nothing.
    from fpdf import FPDF

POINT_MM = 25.4 / 72
"""A point of type."""
_PROBE_SIZE = 20
"""The size of type at which pictures are asked for the font of each letter."""
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


def create_sheets(title: str, language: str) -> Sheets:
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
        reach = min(radius * self.scale, across / 2, down / 2)
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
