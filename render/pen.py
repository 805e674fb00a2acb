"""What ornaments and men are drawn with: Pillow's pen, or another that does the same on paper."""

from collections.abc import Sequence
from typing import Protocol

from render.theme import Colour


class Pen(Protocol):
    """The part of Pillow's `ImageDraw` that ornaments use.

    Boxes are `(left, top, right, bottom)`, angles degrees clockwise from three o'clock.
    """

    def line(
        self,
        xy: Sequence[float] | Sequence[Sequence[float]],
        fill: Colour | None = None,
        width: int = 0,
        joint: str | None = None,
    ) -> None:
        """Draw a line from spot to spot."""

    def polygon(
        self,
        xy: Sequence[float] | Sequence[Sequence[float]],
        fill: Colour | None = None,
        outline: Colour | None = None,
        width: int = 1,
    ) -> None:
        """Draw a polygon."""

    def ellipse(
        self,
        xy: Sequence[float] | Sequence[Sequence[float]],
        fill: Colour | None = None,
        outline: Colour | None = None,
        width: int = 1,
    ) -> None:
        """Draw an ellipse in a box."""

    def rectangle(
        self,
        xy: Sequence[float] | Sequence[Sequence[float]],
        fill: Colour | None = None,
        outline: Colour | None = None,
        width: int = 1,
    ) -> None:
        """Draw a rectangle."""

    def rounded_rectangle(
        self,
        xy: Sequence[float] | Sequence[Sequence[float]],
        radius: float = 0,
        fill: Colour | None = None,
        outline: Colour | None = None,
        width: int = 1,
        *,
        corners: tuple[bool, bool, bool, bool] | None = None,
    ) -> None:
        """Draw a rectangle whose `corners` are round, from the upper left one clockwise."""

    def pieslice(
        self,
        xy: Sequence[float] | Sequence[Sequence[float]],
        start: float,
        end: float,
        fill: Colour | None = None,
        outline: Colour | None = None,
        width: int = 1,
    ) -> None:
        """Draw a slice of an ellipse."""

    def arc(
        self,
        xy: Sequence[float] | Sequence[Sequence[float]],
        start: float,
        end: float,
        fill: Colour | None = None,
        width: int = 1,
    ) -> None:
        """Draw a part of an ellipse's outline."""
