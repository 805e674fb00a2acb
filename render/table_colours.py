"""The colours of a league's table, from those of a theme, and a palette that holds them exactly."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from PIL import Image

from render.theme import Colour, Theme

_SHADE, _PALE = 0.45, 0.24
"""How much of another colour there is in every second row, and in a paler text."""
_TINTS = 0.13, 0.2
"""How much of its mark's colour there is in the rows of a zone, which take turns."""
_VERDIGRIS: Colour = (31, 104, 84)
"""The green of old bronze, for those who rise where a theme has only warm colours."""
_STEPS = 12
"""Shades from a text to its ground, for the rims of its letters."""
_MIN_APART = 10
"""How far the palette's colours are apart at least.

Pillow looks colours up by their first six bits, so that a large area would take a shade of some
letter that lay too near to its own colour.
"""
_MAX_COLOURS = 256


@dataclass(frozen=True, slots=True)
class ZoneColours:
    """A kind of rows: the colour of its mark, and its grounds, of which the rows take turns."""

    mark: Colour
    grounds: tuple[Colour, Colour]


@dataclass(frozen=True, slots=True)
class TableColours:
    """What a table is drawn in; `pale` writes those who have left.

    `ink` and `pale` reach a contrast of 4.5 to 1 on every ground, and a mark one of 3 to 1 on the
    grounds of its zone (WCAG AA).
    """

    theme: Theme
    pale: Colour
    usual: ZoneColours
    rise: ZoneColours
    fall: ZoneColours
    win: ZoneColours

    @property
    def zones(self) -> tuple[ZoneColours, ...]:
        """All kinds of rows."""
        return self.usual, self.rise, self.fall, self.win


def choose_table_colours(theme: Theme) -> TableColours:
    """Return the colours of a table in a theme."""
    shade = blend_colours(theme.page, theme.plates[0], _SHADE)

    def build_zone(mark: Colour, tint: Colour) -> ZoneColours:
        light, dark = (blend_colours(theme.page, tint, share) for share in _TINTS)
        return ZoneColours(mark, (light, dark))

    # Red is read as a warning, so an accent that is red marks those who fall.
    if _is_red(theme.accent):
        rising, falling = _VERDIGRIS, theme.accent
    else:
        rising, falling = theme.accent, theme.tints[0]
    return TableColours(
        theme,
        blend_colours(theme.ink, theme.page, _PALE),
        ZoneColours(theme.ink, (theme.page, shade)),
        build_zone(rising, rising),
        build_zone(falling, falling),
        # The metal of the crown is too light to stand out: its rim does.
        build_zone(theme.gold.rim, theme.gold.body),
    )


def _is_red(colour: Colour) -> bool:
    red, green, blue = colour
    return red > max(green, blue)


def blend_colours(one: Colour, other: Colour, share: float) -> Colour:
    """Return a colour with that share of another one in it."""
    return tuple(round(a + (b - a) * share) for a, b in zip(one, other, strict=True))


@lru_cache(maxsize=8)
def build_table_palette(theme: Theme) -> Image.Image:
    """Return a theme's palette for tables, made once: each colour, and the shades between two."""
    colours = choose_table_colours(theme)
    grounds = [ground for zone in colours.zones for ground in zone.grounds]
    exact = (
        *grounds,
        *(zone.mark for zone in colours.zones),
        *(colours.pale, theme.wood, theme.letters, theme.frame, theme.gold.body),
    )
    pairs = (
        (theme.letters, theme.wood),
        (theme.gold.rim, theme.gold.body),
        *((zone.mark, ground) for zone in colours.zones for ground in zone.grounds),
        *((text, ground) for ground in grounds for text in (theme.ink, colours.pale)),
    )
    kept = _thin_out(dict.fromkeys(exact), chain.from_iterable(map(_iter_shades, pairs)))
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in kept[:_MAX_COLOURS] for part in colour])
    return palette


def _iter_shades(pair: tuple[Colour, Colour]) -> Iterator[Colour]:
    for step in range(1, _STEPS):
        yield blend_colours(*pair, step / _STEPS)


def _thin_out(exact: Iterable[Colour], shades: Iterable[Colour]) -> list[Colour]:
    """Return the exact colours, and those shades that are not too near to another colour."""
    kept = list(exact)
    for shade in shades:
        if all(
            sum((a - b) ** 2 for a, b in zip(shade, other, strict=True)) >= _MIN_APART**2
            for other in kept
        ):
            kept.append(shade)
    return kept
