"""A chart: each mark lies where its number lies on the scale, and everything stays in its frame."""

import io

import pytest
from PIL import Image

from render.chart import Chart, Mark, Row, Scale, draw_chart
from render.geometry import WIDTH
from render.scene import View
from render.theme import Colour, load_themes

LONG = "The second way of the palm game, for sides of one, two or three " * 3
PLAIN = load_themes()["plain"]


def build_chart(
    *marks: Mark | None, name: str = "Zeno", scale: Scale = Scale.EVEN, level: float | None = None
) -> Chart:
    """A chart of one row a mark, on a scale from one to a hundred."""
    rows = tuple(Row(name, (mark,), "64") for mark in marks)
    return Chart("Title", "Note", rows, (1, 10, 100), scale=scale, level=level)


def render_chart(shown: Chart) -> Image.Image:
    with Image.open(io.BytesIO(draw_chart(shown, View(PLAIN)))) as image:
        assert (image.format, image.mode, image.width) == ("PNG", "P", WIDTH)
        return image.convert("RGB")


def find_pixels(image: Image.Image, colour: Colour) -> list[tuple[int, int]]:
    """Where a picture has a colour, from the left."""
    pixels = image.load()
    assert pixels
    return [
        (x, y) for x in range(image.width) for y in range(image.height) if pixels[x, y] == colour
    ]


def find_middle(found: list[tuple[int, int]]) -> int:
    return (found[0][0] + found[-1][0]) // 2


@pytest.mark.parametrize("theme", load_themes())
def test_a_chart_is_drawn_in_every_theme(theme: str) -> None:
    with Image.open(
        io.BytesIO(draw_chart(build_chart(Mark(1, 5, 9)), View(load_themes()[theme])))
    ) as image:
        drawn = image.convert("RGB")
    assert drawn.getpixel((6, 6)) == load_themes()[theme].frame
    assert find_pixels(drawn, load_themes()[theme].accent)


@pytest.mark.parametrize("mark", [None, Mark(1, 50, 100), Mark(-900, 50, 90_000)])
def test_a_chart_of_any_kind_stays_in_its_frame(mark: Mark | None) -> None:
    usual, other = (
        render_chart(build_chart(Mark(40, 50, 60))),
        render_chart(build_chart(mark, name=LONG)),
    )
    for edge in ((0, 0, WIDTH, 12), (0, 0, 12, usual.height), (WIDTH - 12, 0, WIDTH, usual.height)):
        assert usual.crop(edge).tobytes() == other.crop(edge).tobytes()


@pytest.mark.parametrize("value", [0.9, 100.1])
def test_a_figure_beyond_the_scale_is_no_figure_at_its_end(value: float) -> None:
    with pytest.raises(ValueError, match="Zeno lies beyond the scale of 'Title'"):
        draw_chart(build_chart(Mark(1, value, 100)), View(PLAIN))


def test_each_row_makes_a_chart_higher() -> None:
    one, three = (
        render_chart(build_chart(Mark(1, 2, 3))),
        render_chart(build_chart(*[Mark(1, 2, 3)] * 3)),
    )
    two = render_chart(build_chart(*[Mark(1, 2, 3)] * 2))
    assert three.height - two.height == two.height - one.height > 30


def test_a_mark_lies_where_its_number_is() -> None:
    ends = [
        find_middle(find_pixels(render_chart(build_chart(Mark(at, at, at))), PLAIN.accent))
        for at in (1, 100)
    ]
    even = find_middle(find_pixels(render_chart(build_chart(Mark(50.5, 50.5, 50.5))), PLAIN.accent))
    far = find_middle(
        find_pixels(
            render_chart(build_chart(Mark(10, 10, 10), scale=Scale.LOGARITHMIC)), PLAIN.accent
        )
    )
    half = sum(ends) / 2
    assert ends[1] - ends[0] > 300
    assert even == pytest.approx(half, abs=2)
    # Ten is the middle from one to a hundred where each step multiplies.
    assert far == pytest.approx(half, abs=2)


@pytest.mark.sweep
def test_a_range_reaches_from_end_to_end() -> None:
    ends = [
        find_middle(find_pixels(render_chart(build_chart(Mark(at, at, at))), PLAIN.accent))
        for at in (20, 80)
    ]
    found = find_pixels(render_chart(build_chart(Mark(20, 50, 80))), PLAIN.accent)
    assert (found[0][0], found[-1][0]) == pytest.approx(ends, abs=4)


@pytest.mark.sweep
def test_several_series_are_named_and_apart() -> None:
    rows = (
        Row("Zeno", (Mark(10, 20, 30), Mark(10, 20, 30)), ""),
        Row("Pyf", (None, Mark(10, 20, 30)), ""),
    )
    image = render_chart(Chart("Title", "Note", rows, (1, 100), ("one", "other")))
    first, second = find_pixels(image, PLAIN.accent), find_pixels(image, PLAIN.gold.body)
    # Of the first there is the dot of the legend and one mark, of the second one mark more.
    assert len(second) > 1.4 * len(first) > 0


@pytest.mark.sweep
def test_a_level_is_a_line_to_compare_with() -> None:
    without, with_level = (
        render_chart(build_chart(Mark(1, 2, 3))),
        render_chart(build_chart(Mark(1, 2, 3), level=50)),
    )
    drawn = set(find_pixels(with_level, PLAIN.frame)) - set(find_pixels(without, PLAIN.frame))
    assert drawn
    assert max(x for x, _ in drawn) - min(x for x, _ in drawn) < 5
