"""The marks of a table's rows: triangles and a crown, told apart by their shape alone."""

from functools import lru_cache

from PIL import Image, ImageDraw

from render.theme import Colour

MARK_SIZE = 44
_FINER = 4
"""Marks are drawn so many times larger and made smaller, for Pillow's polygons have rough edges."""
_TRIANGLE = ((0.5, 0.12), (0.98, 0.86), (0.02, 0.86))
_CROWN = (
    *((0.08, 0.9), (0.0, 0.24), (0.26, 0.5), (0.5, 0.06), (0.74, 0.5), (1.0, 0.24)),
    (0.92, 0.9),
)
"""Corners, as shares of a mark's size from its top left."""
_RIM = 0.07


@lru_cache(maxsize=32)
def draw_triangle(colour: Colour, *, downwards: bool = False) -> Image.Image:
    """Return a triangle that points up or down."""
    image = _start_mark(colour)
    ImageDraw.Draw(image).polygon(_scale_corners(_TRIANGLE), colour)
    mark = image.reduce(_FINER)
    return mark.transpose(Image.Transpose.FLIP_TOP_BOTTOM) if downwards else mark


@lru_cache(maxsize=32)
def draw_crown(metal: Colour, rim: Colour) -> Image.Image:
    """Return a crown of three points."""
    image = _start_mark(rim)
    pen = ImageDraw.Draw(image)
    corners = _scale_corners(_CROWN, _RIM)
    pen.polygon(corners, metal)
    # A line round the corners, and not the polygon's own, for that one has notches.
    wide = round(2 * _RIM * MARK_SIZE * _FINER)
    pen.line([*corners, *corners[:2]], rim, wide, joint="curve")
    return image.reduce(_FINER)


def _start_mark(rim: Colour) -> Image.Image:
    # Clear pixels have the rim's colour too, lest a dark shine lie round what is made smaller.
    return Image.new("RGBA", (MARK_SIZE * _FINER,) * 2, (*rim, 0))


def _scale_corners(
    corners: tuple[tuple[float, float], ...], inside: float = 0.0
) -> list[tuple[float, float]]:
    size = MARK_SIZE * _FINER
    return [
        (size * (inside + x * (1 - 2 * inside)), size * (inside + y * (1 - 2 * inside)))
        for x, y in corners
    ]
