"""A part of a picture to draw on, in the whole picture's coordinates."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from render.geometry import Box, Spot
from render.lettering import TEXT, TITLE, load_font, measure_text, split_by_font
from render.theme import Colour

MAX_LINES = 512
"""Lines of text that are kept drawn, of some 10 KB each."""


def text_font(size: int) -> ImageFont.FreeTypeFont:
    """Return the type for running words."""
    return load_font(TEXT, size)


def title_font(size: int) -> ImageFont.FreeTypeFont:
    """Return the heavier type for titles, letters and numbers."""
    return load_font(TITLE, size)


def choose_font(
    text: str, fonts: Iterable[ImageFont.FreeTypeFont], room: int
) -> ImageFont.FreeTypeFont:
    """Return the first of ever smaller fonts in which a text fits, or the last if none does."""
    for font in fonts:
        if measure_text(text, font) <= room:
            break
    # Where none fits, the loop has left the last and smallest here.
    return font


def fit_text(text: str, font: ImageFont.FreeTypeFont, room: int) -> str:
    """Shorten a text with an ellipsis until it fits; line breaks count as spaces."""
    line = " ".join(text.split())
    if measure_text(line, font) <= room:
        return line
    fitting = bisect_right(
        range(1, len(line)), float(room), key=lambda kept: measure_text(f"{line[:kept]}…", font)
    )
    return f"{line[:fitting].rstrip()}…"


class _DrawnLine(NamedTuple):
    """Words as they cover what is below them, and where that begins beside where they stand."""

    mask: Image.Image
    left: int
    top: int


# Names and counts are written again and again, and drawing the letters takes longer than all else.
@lru_cache(maxsize=MAX_LINES)
def _draw_line(words: str, font: ImageFont.FreeTypeFont, anchor: str) -> _DrawnLine:
    left, top, right, bottom = map(int, font.getbbox(words, anchor=anchor))
    mask = Image.new("L", (right - left, bottom - top))
    ImageDraw.Draw(mask).text((-left, -top), words, 255, font, anchor)
    return _DrawnLine(mask, left, top)


@dataclass(frozen=True, slots=True)
class Canvas:
    """An image that lies at `left` and `top` of the whole picture."""

    image: Image.Image
    left: int = 0
    top: int = 0

    @property
    def pen(self) -> ImageDraw.ImageDraw:
        """Pillow's pen, in the image's own coordinates."""
        return ImageDraw.Draw(self.image)

    def paste_sprite(self, sprite: Image.Image, centre: Spot) -> None:
        """Paste a sprite with its middle there."""
        at = centre[0] - sprite.width // 2 - self.left, centre[1] - sprite.height // 2 - self.top
        self.image.paste(sprite, at, sprite)

    def text(
        self, at: Spot, words: str, colour: Colour, font: ImageFont.FreeTypeFont, anchor: str
    ) -> None:
        """Write words; `anchor` is Pillow's, such as `lm` for left and middle.

        What the font lacks stands in another one, on the same line.
        """
        x, y = at[0] - self.left, at[1] - self.top
        runs = split_by_font(words, font)
        if len(runs) < 2 and all(run.font.path == font.path for run in runs):
            drawn = _draw_line(words, runs[0].font if runs else font, anchor)
            self.image.paste(colour, (x + drawn.left, y + drawn.top), drawn.mask)
            return
        # Fonts differ in height above and below the line. Only a common baseline (anchor `ls`)
        # keeps the runs level, so the whole text's anchor is turned into a place on it.
        ascent, descent = font.getmetrics()
        left = x - measure_text(words, font) * {"l": 0, "m": 0.5, "r": 1}[anchor[0]]
        line = y + {"a": ascent, "m": (ascent - descent) / 2}[anchor[1]]
        for run in runs:
            self.pen.text((left, line), run.text, colour, run.font, "ls")
            left += run.font.getlength(run.text)

    def rounded_rectangle(
        self, box: Box, fill: Colour | None, outline: Colour, width: int = 2
    ) -> None:
        """Draw a rectangle with round corners."""
        corners = (
            box.left - self.left,
            box.top - self.top,
            box.right - self.left,
            box.bottom - self.top,
        )
        self.pen.rounded_rectangle(
            corners, min(16, box.height // 3), fill=fill, outline=outline, width=width
        )

    def rectangle(
        self, box: Box, fill: Colour, outline: Colour | None = None, width: int = 1
    ) -> None:
        """Draw a rectangle."""
        corners = (
            box.left - self.left,
            box.top - self.top,
            box.right - self.left,
            box.bottom - self.top,
        )
        self.pen.rectangle(corners, fill=fill, outline=outline, width=width)

    def line(self, points: Sequence[Spot], fill: Colour, width: int) -> None:
        """Draw a line from spot to spot."""
        self.pen.line(
            [(x - self.left, y - self.top) for x, y in points],
            fill=fill,
            width=width,
            joint="curve",
        )

    def circle(self, centre: Spot, reach: int, fill: Colour, outline: Colour) -> None:
        """Draw a dot with a thin rim."""
        x, y = centre[0] - self.left, centre[1] - self.top
        self.pen.ellipse(
            (x - reach, y - reach, x + reach, y + reach), fill=fill, outline=outline, width=3
        )

    def polygon(self, points: Sequence[Spot], fill: Colour) -> None:
        """Fill a polygon."""
        self.pen.polygon([(x - self.left, y - self.top) for x, y in points], fill=fill)
