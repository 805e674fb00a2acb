"""The names of the places off the way round, which a picture shows at first."""

from dataclasses import replace

import pytest
from PIL import ImageChops

from engine.games import GAMES
from engine.position import Side
from engine.rules import Ending
from render.board import compose_board
from render.canvas import fit_text, title_font
from render.geometry import LETTER_SPACE, Box
from render.layout import lay_out_board
from render.scene import Scene, View
from render.strip import lay_out_strip
from render.words import ENGLISH
from tests.render.build import render_picture

PHONE_WIDTH = 265
MIN_TYPE = 6.5
"""The smallest type on a phone, in points, at which a short word is still read."""


def build_start(slug: str, *, ways: bool = True) -> Scene:
    """A game as it begins."""
    rules = GAMES[slug].rules
    names = ("Ana", "Ben")
    return Scene(rules, rules.start_position, names, GAMES[slug].title, "to play", ways=ways)


def find_difference(one: Scene, other: Scene) -> Box | None:
    """The smallest box that holds all in which two pictures differ."""
    found = ImageChops.difference(render_picture(one), render_picture(other)).getbbox()
    return Box(*found) if found else None


def rename_places(scene: Scene) -> Scene:
    """The scene with other names for the bar and home."""
    return replace(scene, words=replace(ENGLISH, bar="rab", home="emoh"))


@pytest.mark.parametrize("slug", ["backgammon", "duodecim-scripta", "pyf", "twelve-dogs"])
def test_the_bar_is_named_at_its_end_in_the_words_of_the_scene(slug: str) -> None:
    scene = build_start(slug)
    bar = lay_out_board(scene.rules, Side.GOLD).bar
    found = find_difference(scene, rename_places(scene))
    assert found is not None
    assert bar.left <= found.left < found.right <= bar.right
    # Level with the letters of the points, where no man is drawn.
    assert bar.bottom - LETTER_SPACE <= found.top < found.bottom <= bar.bottom


def test_a_home_on_the_board_is_named_among_its_points() -> None:
    scene = build_start("zeno")
    layout = lay_out_board(scene.rules, Side.GOLD)
    found = find_difference(scene, replace(scene, words=replace(ENGLISH, home="emoh")))
    homes = [layout.points[point] for side in Side for point in scene.rules.home(side)]
    assert found is not None
    assert min(box.left for box in homes) <= found.left
    assert found.right <= max(box.right for box in homes)
    for side in Side:
        boxes = [layout.points[point] for point in scene.rules.home(side)]
        assert any(box.top <= found.top <= box.bottom for box in boxes) or any(
            box.top <= found.bottom <= box.bottom for box in boxes
        )


def test_where_nobody_is_hit_no_bar_is_named() -> None:
    scene = build_start("laquet")
    assert find_difference(scene, rename_places(scene)) is None


@pytest.mark.parametrize("slug", ["zeno", "backgammon", "duodecim-scripta"])
def test_later_no_place_is_named(slug: str) -> None:
    scene = build_start(slug, ways=False)
    assert find_difference(scene, rename_places(scene)) is None


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("side", Side)
def test_where_men_are_borne_off_is_shown_at_first_and_only_where_they_are(
    slug: str, side: Side
) -> None:
    scene = build_start(slug)
    layout = lay_out_board(scene.rules, Side.GOLD)
    strip = lay_out_strip(scene, layout, side, lower=side is Side.GOLD)
    assert (strip.off.width > 0) is (scene.rules.ending is Ending.OFF)
    later = lay_out_strip(replace(scene, ways=False), layout, side, lower=side is Side.GOLD)
    assert later.off.width == 0
    # Men in hand are named as long as there are any.
    in_hand = scene.position.men(side)[scene.rules.board.hand] > 0 and not scene.rules.piled
    assert (strip.hand.width > 0) is (later.hand.width > 0) is in_hand
    assert strip.name.width >= 230


@pytest.mark.parametrize("word", ["bar", "barra", "Barre", "banda"])
def test_the_bars_name_is_legible_on_a_phone(word: str) -> None:
    bar = lay_out_board(GAMES["zeno"].rules, Side.GOLD).bar
    size = 28
    assert fit_text(word, title_font(size), bar.width - 15) == word
    assert size * PHONE_WIDTH / 1080 >= MIN_TYPE


@pytest.mark.parametrize("below", Side)
def test_names_are_drawn_from_either_side(below: Side) -> None:
    scene = build_start("zeno")
    one = compose_board(scene, View(below=below)).convert("RGB")
    other = compose_board(rename_places(scene), View(below=below)).convert("RGB")
    assert ImageChops.difference(one, other).getbbox() is not None
