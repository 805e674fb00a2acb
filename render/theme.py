"""How a board looks: colours, as red, green and blue."""

from dataclasses import dataclass
from typing import TypeAlias

Colour: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Stone:
    """The colours of one side's men: body, rim and ornament."""

    body: Colour
    rim: Colour
    mark: Colour


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a board; `ink` on `page` and on `plates` must reach a contrast of 4.5 to 1 (WCAG AA)."""

    page: Colour
    ink: Colour
    wood: Colour
    frame: Colour
    cord: Colour
    plates: tuple[Colour, Colour]
    letters: Colour
    gold: Stone
    black: Stone
    accent: Colour
    ivory: Colour


GLOUCESTER = Theme(
    page=(247, 240, 225),
    ink=(43, 29, 16),
    wood=(104, 70, 43),
    frame=(62, 39, 22),
    cord=(226, 207, 166),
    plates=((240, 229, 203), (219, 199, 158)),
    letters=(250, 240, 215),
    gold=Stone(body=(214, 158, 46), rim=(104, 66, 8), mark=(255, 241, 196)),
    black=Stone(body=(44, 40, 37), rim=(8, 7, 6), mark=(222, 213, 196)),
    accent=(0, 118, 106),
    ivory=(250, 245, 230),
)
"""After the bone-plated tabula set found at Gloucester, c. 1100: pale plates on dark wood, men of antler."""
