"""Icons on buttons: told apart when small, on any ground, and known by what they show."""

import io
from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageStat

from render.icons import DIGEST_LENGTH, ICON_SIZE, load_icons

SHOWN = 22
"""Pixels across on a button."""
GROUNDS = {"dark": "#313338", "light": "#ffffff", "blue": "#5865f2", "grey": "#4e5058"}
MAX_BYTES = 256 * 1024
MIN_DIFFERENCE = 2.0
"""How far the levels of two pictures differ on average."""


def draw_small(name: str, ground: str) -> Image.Image:
    """An icon as it is seen on a button of that colour."""
    with Image.open(io.BytesIO(load_icons()[name].content)) as icon:
        small = icon.convert("RGBA").resize((SHOWN, SHOWN), Image.Resampling.LANCZOS)
    button = Image.new("RGBA", small.size, ground)
    button.alpha_composite(small)
    return button.convert("RGB")


@pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS)
def test_no_two_look_alike_on_a_button(ground: str) -> None:
    drawn = {name: draw_small(name, ground) for name in load_icons()}
    for one, other in combinations(drawn, 2):
        difference = ImageStat.Stat(ImageChops.difference(drawn[one], drawn[other]))
        assert max(difference.mean) > MIN_DIFFERENCE, (one, other)


def test_each_is_as_discord_takes_it() -> None:
    for icon in load_icons().values():
        with Image.open(io.BytesIO(icon.content)) as picture:
            assert (picture.format, picture.size) == ("PNG", (ICON_SIZE, ICON_SIZE))
            assert picture.getchannel("A").getextrema() == (0, 255)
        assert len(icon.content) < MAX_BYTES


def test_digests_are_of_what_is_seen() -> None:
    digests = {icon.digest for icon in load_icons().values()}
    assert len(digests) == len(load_icons())
    assert all(len(each) == DIGEST_LENGTH for each in digests)
