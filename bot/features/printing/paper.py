"""The paper that a game is printed on, and how large its men are."""

from dataclasses import dataclass
from enum import StrEnum, auto

MARGIN_MM = 10.0
"""What few printers reach; the marks for cutting and a small line of text stand in it."""


class PaperName(StrEnum):
    """Papers to print on."""

    A4 = auto()
    LETTER = auto()


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet's size in millimetres, upright."""

    width: float
    height: float

    def turn(self, *, landscape: bool) -> "Paper":
        """Return the sheet as it lies."""
        return Paper(self.height, self.width) if landscape else self

    @property
    def inner_width(self) -> float:
        """What is printed on, from left to right."""
        return self.width - 2 * MARGIN_MM

    @property
    def inner_height(self) -> float:
        """What is printed on, from top to bottom."""
        return self.height - 2 * MARGIN_MM


PAPERS = {PaperName.A4: Paper(210.0, 297.0), PaperName.LETTER: Paper(215.9, 279.4)}
"""ISO 216, and ANSI/ASME Y14.1's A."""


class PrintSize(StrEnum):
    """How large a board is printed."""

    SMALL = auto()  # on one sheet
    LARGE = auto()  # on as many as four

    @property
    def man_mm(self) -> int:
        """How wide a man is."""
        return 15 if self is PrintSize.SMALL else 25

    @property
    def grids(self) -> tuple[tuple[int, int], ...]:
        """How many sheets may lie side by side and one below another, the fewest first."""
        if self is PrintSize.SMALL:
            return ((1, 1),)
        return ((1, 1), (2, 1), (1, 2), (2, 2))
