"""Colours that can be told apart, in every theme and by every eye."""

from math import dist

import pytest

from engine.board import ROMAN, TABLES
from engine.position import Side
from render.art import choose_die_colours, draw_die
from render.ornament import BORDERS, GRAINS, POINTS
from render.scene import Die
from render.table_colours import choose_table_colours
from render.theme import Colour, Theme, choose_default_theme, load_themes

ALL = pytest.mark.parametrize("theme", load_themes().values(), ids=load_themes())

# How red, green and blue reach eyes without one kind of cone: Machado, Oliveira and Fernandes,
# "A Physiologically-based Model for Simulation of Color Vision Deficiency", 2009,
# severity 1, on linear values.
SIGHTS = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
    "greyscale": ((0.2126, 0.7152, 0.0722),) * 3,
}


def _linearise_colour(colour: Colour) -> list[float]:
    shares = (channel / 255 for channel in colour)
    return [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]


def _compute_luminance(linear: list[float]) -> float:
    # WCAG 2.2, relative luminance.
    red, green, blue = linear
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _compute_ratio(one: float, other: float) -> float:
    darker, lighter = sorted((one, other))
    return (lighter + 0.05) / (darker + 0.05)


def _compute_contrast(one: Colour, other: Colour) -> float:
    return _compute_ratio(
        _compute_luminance(_linearise_colour(one)), _compute_luminance(_linearise_colour(other))
    )


def _simulate_sight(colour: Colour, sight: str) -> list[float]:
    linear = _linearise_colour(colour)
    mixed = (
        sum(share * part for share, part in zip(row, linear, strict=True)) for row in SIGHTS[sight]
    )
    return [min(1.0, max(0.0, part)) for part in mixed]


def test_the_formula_gives_what_wcag_says() -> None:
    assert _compute_contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert _compute_contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)


def test_white_stays_white_for_every_eye() -> None:
    for sight in SIGHTS:
        assert _simulate_sight((255, 255, 255), sight) == pytest.approx([1, 1, 1], abs=0.01)


def test_there_are_four_themes_in_the_order_in_which_they_are_offered() -> None:
    assert list(load_themes()) == ["gloucester", "alfonso", "roman", "plain"]


def test_a_board_has_a_theme_that_suits_it() -> None:
    assert choose_default_theme(TABLES).name == "gloucester"
    assert choose_default_theme(ROMAN).name == "roman"


@ALL
def test_every_ornament_is_one_that_can_be_drawn(theme: Theme) -> None:
    assert theme.border in BORDERS
    assert theme.point in POINTS
    assert theme.grain in GRAINS


@ALL
def test_ink_can_be_read_on_the_page_and_on_the_plates(theme: Theme) -> None:
    for ground in (theme.page, *theme.plates):
        assert _compute_contrast(theme.ink, ground) >= 4.5


@ALL
def test_letters_can_be_read_on_the_field(theme: Theme) -> None:
    assert _compute_contrast(theme.letters, theme.wood) >= 4.5


@ALL
@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("used", [False, True], ids=["left", "used"])
def test_dice_can_be_read_and_stand_out_from_the_board(
    theme: Theme, side: Side, used: bool
) -> None:
    colours = choose_die_colours(theme, side, used=used)
    assert _compute_contrast(colours.pip, colours.face) >= 4.5
    assert _compute_contrast(colours.crown, colours.face) >= 3
    # Dice lie in the band between the rows, or on the bar where three rows leave none.
    for ground in (theme.wood, theme.bar):
        parts = (colours.face, colours.edge)
        assert max(_compute_contrast(part, ground) for part in parts) >= 3


@ALL
@pytest.mark.parametrize("side", Side)
def test_a_used_die_is_drawn_in_full_and_smaller(theme: Theme, side: Side) -> None:
    for presumed in (False, True):
        left, used = (
            draw_die(theme, side, Die(4, used=used, presumed=presumed), 78).getchannel("A")
            for used in (False, True)
        )
        assert used.getpixel((39, 39)) == left.getpixel((39, 39)) == 255
        assert left.getbbox() == (0, 0, 78, 78)
        box = used.getbbox()
        assert box is not None
        assert 0.7 * 78 <= box[2] - box[0] == box[3] - box[1] <= 0.85 * 78


@ALL
def test_marks_stand_out_where_they_are_drawn(theme: Theme) -> None:
    # WCAG 2.2, 1.4.11: 3 to 1 for what is not text.
    for ground in (theme.page, *theme.plates):
        for mark in (theme.accent, theme.recent):
            assert _compute_contrast(mark, ground) >= 3


def _convert_to_lab(linear: list[float]) -> tuple[float, float, float]:
    # CIE 1976, from linear sRGB under D65.
    rows = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    white = 0.9505, 1.0, 1.089
    x, y, z = (
        value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116
        for value in (
            sum(share * part for share, part in zip(row, linear, strict=True)) / most
            for row, most in zip(rows, white, strict=True)
        )
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@ALL
@pytest.mark.parametrize("sight", [sight for sight in SIGHTS if sight != "greyscale"])
def test_the_last_play_is_told_from_what_can_be_done_by_every_eye(theme: Theme, sight: str) -> None:
    # Two that differ by 2 are told apart side by side; these are small, and apart. Without any hue
    # rings, dots and numbers are told apart by their shapes.
    recent, accent = (
        _convert_to_lab(_simulate_sight(colour, sight)) for colour in (theme.recent, theme.accent)
    )
    assert dist(recent, accent) >= 40


@ALL
def test_a_table_can_be_read_in_every_zone(theme: Theme) -> None:
    colours = choose_table_colours(theme)
    for zone in colours.zones:
        for ground in zone.grounds:
            assert _compute_contrast(theme.ink, ground) >= 4.5
            assert _compute_contrast(colours.pale, ground) >= 4.5
            assert _compute_contrast(zone.mark, ground) >= 3
        # Marks stand on the page too, where they are explained.
        assert _compute_contrast(zone.mark, theme.page) >= 3
    # Who has left is seen to have left.
    assert _compute_contrast(theme.ink, theme.page) > 1.5 * _compute_contrast(
        colours.pale, theme.page
    )


@ALL
def test_men_stand_out_on_points_and_bar(theme: Theme) -> None:
    for stone in (theme.gold, theme.black):
        for ground in (*theme.plates, theme.bar):
            assert (
                max(_compute_contrast(part, ground) for part in (stone.body, stone.rim, stone.mark))
                >= 3
            )


@ALL
@pytest.mark.parametrize("sight", SIGHTS)
def test_gold_and_black_are_told_apart_by_every_eye(theme: Theme, sight: str) -> None:
    gold, black = (
        _compute_luminance(_simulate_sight(stone.body, sight))
        for stone in (theme.gold, theme.black)
    )
    assert _compute_ratio(gold, black) >= 3


@ALL
def test_every_colour_is_a_colour(theme: Theme) -> None:
    assert all(
        len(colour) == 3 and all(0 <= part <= 255 for part in colour) for colour in theme.colours
    )


@ALL
def test_bars_stand_out_from_their_ground(theme: Theme) -> None:
    # WCAG 2.2: 3 to 1 for what must be seen, 4.5 to 1 for what is read.
    assert _compute_contrast(theme.accent, theme.page) >= 3
    assert _compute_contrast(theme.ink, theme.page) >= 4.5
    assert _compute_contrast(theme.letters, theme.wood) >= 4.5
    # A line of the scale is no bar, for any eye.
    for sight in SIGHTS:
        bar, line = (
            _compute_luminance(_simulate_sight(colour, sight))
            for colour in (theme.accent, theme.plates[1])
        )
        assert _compute_ratio(bar, line) >= 2
