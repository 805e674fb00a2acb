"""The sheet on which figures are drawn: its frame, its title, and the bands that head its parts."""

from PIL import Image

from render.canvas import Canvas, choose_font, fit_text, title_font
from render.geometry import WIDTH, Box
from render.theme import Theme

TITLE_HEIGHT, BAND_HEIGHT, ROW_HEIGHT, FOOT_HEIGHT = 116, 76, 78, 26
"""The title, a band, a line of figures, and the end below them."""
FRAME = 9
"""From the picture's edge to the inner side of its frame."""
MARGIN = 38
_TITLE_SIZES = (60, 52, 44, 38)
"""Sizes of type for a title: it is written smaller before it is cut."""
_HEADING_SIZES = (46, 40, 36)


def build_sheet(height: int, theme: Theme) -> Canvas:
    """Return an empty sheet in its frame, as wide as every picture."""
    canvas = Canvas(Image.new("RGB", (WIDTH, height), theme.page))
    canvas.rectangle(Box(3, 3, WIDTH - 4, height - 4), theme.page, theme.frame, 6)
    return canvas


def write_title(canvas: Canvas, title: str, theme: Theme) -> None:
    """Write the title at the top of a sheet."""
    room = WIDTH - 2 * MARGIN
    font = choose_font(title, map(title_font, _TITLE_SIZES), room)
    middle = (FRAME + TITLE_HEIGHT) // 2
    canvas.text((MARGIN, middle), fit_text(title, font, room), theme.ink, font, "lm")


def draw_band(canvas: Canvas, heading: str, room: int, top: int, theme: Theme) -> None:
    """Draw a band across a sheet with a heading, for which there is so much room."""
    canvas.rectangle(Box(FRAME, top, WIDTH - 1 - FRAME, top + BAND_HEIGHT - 1), theme.wood)
    # In a theme where the band is as light as the page, lines set it off.
    for edge in (top, top + BAND_HEIGHT - 3):
        canvas.rectangle(Box(FRAME, edge, WIDTH - 1 - FRAME, edge + 2), theme.frame)
    font = choose_font(heading, map(title_font, _HEADING_SIZES), room)
    middle = top + BAND_HEIGHT // 2
    canvas.text((MARGIN, middle), fit_text(heading, font, room), theme.letters, font, "lm")
