"""Colours that can be told apart."""

import pytest

from render.theme import GLOUCESTER, Colour


def _luminance(colour: Colour) -> float:
    # WCAG 2.2, relative luminance.
    shares = (channel / 255 for channel in colour)
    red, green, blue = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: Colour, other: Colour) -> float:
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_the_formula_gives_what_wcag_says() -> None:
    assert _contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert _contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("ground", [GLOUCESTER.page, *GLOUCESTER.plates])
def test_ink_can_be_read_on_the_page_and_on_the_plates(ground: Colour) -> None:
    assert _contrast(GLOUCESTER.ink, ground) >= 4.5


def test_letters_can_be_read_on_the_wood() -> None:
    assert _contrast(GLOUCESTER.letters, GLOUCESTER.wood) >= 4.5


def test_the_men_of_the_two_sides_are_not_told_apart_by_hue_alone() -> None:
    # WCAG 2.2, 1.4.11: 3 to 1 for what is not text.
    assert _contrast(GLOUCESTER.gold.body, GLOUCESTER.black.body) >= 3
