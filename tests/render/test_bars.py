"""A club's bars: each is as long as its number, lies in its place, and is said in words."""

import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image, ImageChops

from render.bars import BarRow, Bars, describe_bars, draw_bars
from render.geometry import WIDTH
from render.scene import View
from render.theme import Theme, load_themes

LONG = "Wynflæd the most reverend abbess of a house with a long name " * 5
PLAIN = load_themes()["plain"]
THEMES = pytest.mark.parametrize("theme", load_themes().values(), ids=load_themes())
# The heights of which a picture is made, added up by hand: the title, a line below it, the columns,
# what is written below them, the heading of the rows, a row, and the foot.
TITLE, NOTE, PLOT, ENDS, BAND, ROW, FOOT = 116, 60, 420, 92, 76, 78, 26
BASE = TITLE + NOTE + PLOT
"""The line on which the columns stand."""
ROWS = BASE + ENDS + BAND
"""Where the rows begin."""


def build_bars(*columns: int, rows: tuple[BarRow, ...] = (BarRow("Zeno", 4),)) -> Bars:
    """Bars of these columns."""
    return Bars("Matches a week", "Players: 3", columns, "then", "now", "Games", rows)


def render_bars(bars: Bars, theme: Theme = PLAIN) -> Image.Image:
    with Image.open(io.BytesIO(draw_bars(bars, View(theme)))) as image:
        assert (image.format, image.mode, image.width) == ("PNG", "P", WIDTH)
        return image.convert("RGB")


def find_change(one: Bars, other: Bars) -> tuple[int, int, int, int]:
    """The box within which two pictures differ."""
    box = ImageChops.difference(render_bars(one), render_bars(other)).getbbox()
    assert box, "the two look the same"
    return box


def measure_columns(bars: Bars) -> list[int]:
    """How many pixels above the line the accent's colour reaches, for each of the columns."""
    plot = np.asarray(render_bars(bars))[TITLE + NOTE : BASE]
    accented = (plot == PLAIN.accent).all(axis=2)
    tops = {int(x): PLOT - int(accented[:, x].argmax()) for x in accented.any(axis=0).nonzero()[0]}
    starts = [x for x in tops if x - 1 not in tops]
    # In the middle of a column, away from its outline.
    return [tops[x + 8] for x in starts]


def measure_rows(bars: Bars) -> list[int]:
    """How many pixels long the bar of each row is."""
    image = render_bars(bars)
    return [
        sum(image.getpixel((x, ROWS + ROW * at + ROW // 2)) == PLAIN.accent for x in range(WIDTH))
        for at in range(len(bars.rows))
    ]


@THEMES
def test_bars_are_drawn_in_every_theme(theme: Theme) -> None:
    image = render_bars(build_bars(4, 4), theme)
    assert image.getpixel((1, 1)) == theme.page
    assert image.getpixel((6, 6)) == theme.frame
    assert image.getpixel((900, ROWS - BAND // 2)) == theme.wood
    assert image.getpixel((300, BASE - 40)) == theme.accent
    assert image.getpixel((300, ROWS + ROW // 2)) == theme.accent


@pytest.mark.parametrize(
    ("rows", "height"),
    [
        (0, TITLE + NOTE + PLOT + ENDS + FOOT),
        (1, TITLE + NOTE + PLOT + ENDS + BAND + ROW + FOOT),
        (8, TITLE + NOTE + PLOT + ENDS + BAND + 8 * ROW + FOOT),
    ],
)
def test_a_picture_is_as_high_as_its_rows_need(rows: int, height: int) -> None:
    assert render_bars(build_bars(1, rows=(BarRow("Zeno", 1),) * rows)).height == height


def test_columns_are_as_high_as_their_numbers() -> None:
    # Of four lines the highest is at 4, so each match is a quarter of what there is.
    heights = measure_columns(build_bars(1, 2, 3, 4, 2))
    assert len(heights) == 5
    one = heights[0]
    assert heights == pytest.approx([one, 2 * one, 3 * one, 4 * one, 2 * one], abs=3)
    assert heights[3] > 0.85 * PLOT


@pytest.mark.parametrize(
    ("most", "end"), [(1, 4), (4, 4), (5, 5), (6, 6), (10, 10), (11, 15), (26, 30), (4870, 5000)]
)
def test_a_scale_ends_with_a_round_number(most: int, end: int) -> None:
    # Twice that number is cut by nothing: the first column is as high as its share of the end.
    whole = measure_columns(build_bars(end, end, 0))[0]
    height = measure_columns(build_bars(most, most, 0))[0]
    assert height == pytest.approx(whole * most / end, abs=3)


def test_nothing_is_drawn_where_nothing_was_played() -> None:
    assert measure_columns(build_bars(*[0] * 26)) == []
    assert len(measure_columns(build_bars(*[0] * 10, 3, *[0] * 15))) == 1


def test_the_least_is_seen_beside_the_most() -> None:
    heights = measure_columns(build_bars(9000, 1, 9000))
    assert heights[1] >= 8
    long, short = measure_rows(build_bars(1, rows=(BarRow("Zeno", 9000), BarRow("Irish", 1))))
    assert long > 500
    assert 8 <= short < 20


def test_twenty_six_columns_are_apart_and_wide_enough_for_a_phone() -> None:
    image = render_bars(build_bars(*[4] * 26))
    line = [image.getpixel((x, BASE - 40)) == PLAIN.accent for x in range(WIDTH)]
    starts = [x for x in range(1, WIDTH) if line[x] and not line[x - 1]]
    # The last is hollow, and its outline is met twice.
    assert len(starts) == 27
    # At 265 pixels' width a column keeps five of them, and a gap of two.
    scale = 265 / WIDTH
    widths = [line[start:].index(False) for start in starts[:25]]
    assert min(widths) * scale >= 5
    gaps = [
        after - start - width
        for start, after, width in zip(starts[:25], starts[1:26], widths, strict=True)
    ]
    assert min(gaps) * scale >= 2


def test_the_last_column_is_hollow() -> None:
    image = render_bars(build_bars(4, 4))
    assert image.getpixel((300, BASE - 200)) == PLAIN.accent
    assert image.getpixel((800, BASE - 200)) == PLAIN.page


def test_rows_are_as_long_as_their_numbers() -> None:
    rows = tuple(BarRow("Zeno", count) for count in (100, 50, 25, 75))
    whole, half, quarter, most = measure_rows(build_bars(1, rows=rows))
    assert [half, quarter, most] == pytest.approx([whole / 2, whole / 4, whole * 3 / 4], abs=3)


@pytest.mark.parametrize("at", [0, 3, 6])
def test_a_name_and_a_number_stand_in_their_row(at: int) -> None:
    # The longest name says where all bars begin.
    rows = [*[BarRow("Zeno", 8)] * 7, BarRow("Twelve Dogs", 8)]
    for changed in (BarRow("Xeno", 8), BarRow("Zeno", 6)):
        other = [*rows[:at], changed, *rows[at + 1 :]]
        _, top, _, bottom = find_change(
            build_bars(1, rows=tuple(rows)), build_bars(1, rows=tuple(other))
        )
        begin = ROWS + at * ROW
        assert begin <= top < bottom <= begin + ROW


def test_letters_are_large_enough_for_a_phone() -> None:
    bare = Bars("", "", (1,), "", "", "", (BarRow("", 1), BarRow("i", 1)))
    for change in (
        {"title": "H"},
        {"note": "H"},
        {"first": "H"},
        {"last": "H"},
        {"heading": "H"},
        {"rows": (BarRow("H", 1), BarRow("i", 1))},
    ):
        _, top, _, bottom = find_change(bare, replace(bare, **change))
        # A capital is some two thirds as high as its type, and 40 pixels of type are required.
        assert bottom - top >= 0.6 * 40


def test_long_texts_stay_in_the_frame() -> None:
    usual = render_bars(build_bars(1, 2))
    rows = (BarRow(LONG, 10**12),)
    image = render_bars(Bars(LONG, LONG, (1, 10**9), LONG, LONG, LONG, rows))
    assert usual.height == image.height
    for edge in (
        (0, 0, WIDTH, 12),
        (0, 0, 30, image.height),
        (WIDTH - 30, 0, WIDTH, ROWS - BAND),
        (0, image.height - 12, WIDTH, image.height),
    ):
        assert usual.crop(edge).tobytes() == image.crop(edge).tobytes()


def test_what_is_written_below_the_columns_leaves_a_gap() -> None:
    image = render_bars(replace(build_bars(1, 2), first=LONG, last=LONG))
    # The columns are between 38 pixels from the right edge and some 84 from the left one.
    left, right = 550, 576
    gap = image.crop((left, BASE + 10, right, BASE + ENDS))
    assert gap.getcolors() == [((right - left) * (ENDS - 10), PLAIN.page)]
    for x in (left - 60, right + 20):
        assert len(image.crop((x, BASE + 10, x + 40, BASE + ENDS)).getcolors() or ()) > 1


def test_without_columns_there_is_nothing_to_draw() -> None:
    with pytest.raises(ValueError, match="Matches a week has no columns"):
        draw_bars(build_bars(), View())


def test_bars_in_words() -> None:
    bars = build_bars(0, 12, 3, rows=(BarRow("Zeno", 12), BarRow("Irish", 3)))
    assert describe_bars(bars) == (
        "Matches a week. Players: 3. then – now: 0, 12, 3. Games: Zeno 12, Irish 3."
    )
    assert describe_bars(build_bars(7, rows=())) == "Matches a week. Players: 3. then – now: 7."


def test_what_is_too_long_in_words_is_cut() -> None:
    text = describe_bars(build_bars(*[10**9] * 200))
    assert len(text) == 1024
    assert text.endswith("…")
