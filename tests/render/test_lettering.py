"""Names of every script are drawn in readable letters or not at all.

They are never boxes, and never empty.
"""

from itertools import combinations

import pytest
from PIL import Image, ImageChops

from render.canvas import Canvas, fit_text, text_font
from render.characters import has_visible, text_skeleton
from render.lettering import can_shape, make_drawable, measure_text, split_by_font
from tests.render.build import build_scene, render_picture

BLANK = {
    "spaces": "\u00a0\u2003\u3000",
    "zero width": "\u200b\u200d\ufeff",
    "Hangul fillers": "\u3164\u115f\uffa0",
    "braille blank": "\u2800\u2800",
    "accents alone": "\u0301\u0323",
    "tags": "\U000e0041\U000e007f",
    "unassigned": "\U000e0fff",
}
SCRIPTS = {
    "Cyrillic": "Дмитрий",
    "Greek": "Αλκης",
    "Chinese": "田中山本",
    "Japanese": "さくら",
    "Arabic": "محمد علي",
    "Hebrew": "משה לוי",
    "Devanagari": "देव",
}
# These ambiguous letters are what is tested.
FANCY = {"𝓐𝓷𝓪": "Ana", "𝔹𝕖𝕟": "Ben", "Ｃｙｎ": "Cyn", "Ⓓan": "Dan"}  # noqa: RUF001


def draw_ink(text: str) -> Image.Image:
    """What is drawn of a text."""
    image = Image.new("L", (400, 90))
    # The image has one channel, so a colour is one shade.
    Canvas(image).text((10, 45), text, 255, text_font(40), "lm")  # type: ignore[arg-type]
    return image


@pytest.mark.parametrize("name", BLANK.values(), ids=BLANK)
def test_what_shows_nothing_is_known(name: str) -> None:
    assert not has_visible(name)
    assert text_skeleton(name) == ""
    assert make_drawable(name) == ""


@pytest.mark.usefixtures("no_fonts")
@pytest.mark.parametrize("name", SCRIPTS.values(), ids=SCRIPTS)
def test_without_a_font_for_its_letters_a_name_is_not_drawn(name: str) -> None:
    assert make_drawable(name) == ""


@pytest.mark.usefixtures("fonts")
@pytest.mark.parametrize("name", SCRIPTS.values(), ids=SCRIPTS)
def test_the_fonts_of_the_system_draw_what_the_bundled_one_lacks(name: str) -> None:
    if not can_shape() and name in (SCRIPTS["Arabic"], SCRIPTS["Hebrew"], SCRIPTS["Devanagari"]):
        assert make_drawable(name) == ""
        return
    assert make_drawable(name) == name
    drawn = [draw_ink(letter) for letter in dict.fromkeys(name) if letter.isalpha()]
    for one, other in combinations(drawn, 2):
        assert ImageChops.difference(one, other).getbbox(), "two letters look the same"


@pytest.mark.usefixtures("fonts")
def test_two_chinese_names_look_different_in_a_picture() -> None:
    one = render_picture(build_scene(names=("田中太郎", "Ben")))
    other = render_picture(build_scene(names=("山本花子", "Ben")))
    assert ImageChops.difference(one, other).getbbox()


@pytest.mark.usefixtures("no_fonts")
@pytest.mark.parametrize(("fancy", "plain"), FANCY.items(), ids=FANCY.values())
def test_fancy_letters_are_drawn_as_plain_ones(fancy: str, plain: str) -> None:
    assert make_drawable(fancy) == plain
    assert text_skeleton(fancy) == text_skeleton(plain)


@pytest.mark.usefixtures("no_fonts")
def test_what_is_no_letter_is_left_out() -> None:
    assert make_drawable("🦋 Ana\u200b 👩\u200d👧") == "Ana"
    assert make_drawable("🦋👩\u200d👧") == ""
    assert make_drawable("José Ñandú") == "José Ñandú"


@pytest.mark.usefixtures("fonts")
def test_a_word_and_what_follows_it_keep_their_order() -> None:
    parts = [run.text for run in split_by_font("משה לוי to play", text_font(40))]
    assert parts == ["משה לוי", " to play"]


@pytest.mark.usefixtures("fonts")
def test_a_name_in_another_font_is_measured_and_cut_in_it() -> None:
    name = "田中" * 30
    cut = fit_text(name, text_font(40), 300)
    assert cut.endswith("…")
    assert 200 < measure_text(cut, text_font(40)) <= 300


def test_ordinary_names_are_drawn_by_the_bundled_font_alone() -> None:
    (run,) = split_by_font("Ana – José", text_font(40))
    assert run.font.getname()[0] == "ElstobD"
