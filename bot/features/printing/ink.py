"""The theme for printing in black and white: with little ink, and told apart without colours."""

from dataclasses import replace
from functools import cache

from render.theme import Colour, Stone, Theme, load_themes

_BLACK: Colour = (0, 0, 0)
_WHITE: Colour = (255, 255, 255)
_PALE: Colour = (205, 205, 205)


@cache
def get_ink_theme() -> Theme:
    """Return the plainest theme in black, white and one grey."""
    return replace(
        load_themes()["plain"],
        name="black-and-white",
        page=_WHITE,
        ink=_BLACK,
        wood=_WHITE,
        frame=_BLACK,
        bar=_WHITE,
        cord=_BLACK,
        plates=(_WHITE, _PALE),
        tints=(_BLACK, _BLACK),
        letters=_BLACK,
        accent=_BLACK,
        ivory=_WHITE,
        gold=Stone(_WHITE, _BLACK, _BLACK),
        black=Stone(_BLACK, _BLACK, _WHITE),
    )
