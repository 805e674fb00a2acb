"""The curve of somebody's ratings: what it shows stays in its place, and is said in words."""

import io

import pytest
from PIL import Image

from render.curve import Curve, describe_curve, draw_curve
from render.geometry import WIDTH
from render.scene import View
from render.theme import load_themes

LONG = "Wynflæd the most reverend abbess of a house with a long name " * 5
USUAL = Curve("Ana", "Rating, all games", "3 rated matches", (1000, 1040, 990))


def render_curve(curve: Curve, view: View = View()) -> Image.Image:  # noqa: B008 - immutable
    with Image.open(io.BytesIO(draw_curve(curve, view))) as image:
        assert (image.format, image.mode, image.width) == ("PNG", "P", WIDTH)
        return image.convert("RGB")


def crop_border(image: Image.Image) -> list[bytes]:
    """The four edges of a picture, its frame included."""
    wide, high = image.size
    edges = (
        (0, 0, wide, 12),
        (0, high - 12, wide, high),
        (0, 0, 12, high),
        (wide - 12, 0, wide, high),
    )
    return [image.crop(edge).tobytes() for edge in edges]


@pytest.mark.parametrize("theme", load_themes())
def test_a_curve_is_drawn_in_every_theme(theme: str) -> None:
    image = render_curve(USUAL, View(load_themes()[theme]))
    assert image.getpixel((1, 1)) == load_themes()[theme].page
    assert image.getpixel((6, 6)) == load_themes()[theme].frame


@pytest.mark.parametrize(
    "ratings", [(), (1000,), (1000,) * 30, (-300, 2900), tuple(range(0, 9000, 7))]
)
@pytest.mark.sweep
def test_a_curve_of_any_kind_stays_in_its_frame(ratings: tuple[int, ...]) -> None:
    assert crop_border(render_curve(Curve("Ana", LONG, LONG, ratings))) == crop_border(
        render_curve(USUAL)
    )


@pytest.mark.parametrize(("ratings", "rises"), [((1000, 1200), True), ((1200, 1000), False)])
def test_a_curve_rises_with_the_ratings(ratings: tuple[int, int], rises: bool) -> None:
    theme = load_themes()["plain"]
    image = render_curve(Curve("Ana", "", "", ratings), View(theme))
    pixels = image.load()
    assert pixels
    spots = [(x, y) for x in range(0, WIDTH, 2) for y in range(0, image.height, 2)]
    drawn = sorted(spot for spot in spots if pixels[spot] == theme.accent)
    first, last = drawn[0][1], drawn[-1][1]
    assert (last < first) is rises
    assert abs(last - first) > 100


def test_a_curve_in_words() -> None:
    assert describe_curve(USUAL) == "Ana. Rating, all games. 3 rated matches: 1000, 1040, 990."
    assert len(describe_curve(Curve("Ana", "Rating", "many matches", tuple(range(900))))) == 1024
