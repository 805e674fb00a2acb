"""The board: its points, its tables, and how they lie before the players."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

from engine.refusal import Reason, Refusal


@dataclass(frozen=True)
class GameBoard:
    """A board's points in order, its tables and its rows.

    A *place* is the number of a point in board order, or one of those beside the board: `hand` (men
    never yet entered), `off` (men borne off) and the bars (men hit; one bar, unless they wait for
    different tables). A side's men are counted by place.

    `rows` are the points as a player sees them, from the top row down, each from left to right.
    """

    name: str
    points: tuple[str, ...]
    # A dict has no hash; the other fields tell boards apart well enough for one.
    tables: Mapping[str, tuple[int, ...]] = field(hash=False)
    rows: tuple[tuple[int, ...], ...]
    bars_named: tuple[str, ...] = ("bar",)

    @property
    def size(self) -> int:
        """How many points the board has."""
        return len(self.points)

    @cached_property
    def hand(self) -> int:
        """The place of the men that have never been entered."""
        return self.size

    @cached_property
    def off(self) -> int:
        """The place of the men that have been borne off."""
        return self.size + 1

    @cached_property
    def bars(self) -> tuple[int, ...]:
        """The places of the men that were hit and wait to re-enter."""
        return tuple(range(self.size + 2, self.size + 2 + len(self.bars_named)))

    def count_waiting(self, men: bytes) -> int:
        """How many of a side's men were hit and wait to re-enter."""
        return sum(men[self.size + 2 :])

    @cached_property
    def no_men(self) -> bytes:
        """A side without any men: nought for every place."""
        return bytes(len(self.place_names))

    @cached_property
    def place_names(self) -> tuple[str, ...]:
        """Every place's name: the points, then `hand`, `off` and the bars."""
        return (*self.points, "hand", "off", *self.bars_named)

    @cached_property
    def places_by_name(self) -> Mapping[str, int]:
        """Every place by its name."""
        return {name: place for place, name in enumerate(self.place_names)}

    def find_place(self, name: str) -> int:
        """Return the place of that name; raises Refusal where the board has none."""
        try:
            return self.places_by_name[name]
        except KeyError:
            raise Refusal(Reason.NO_POINT, name=name) from None

    def parse_points(self, text: str) -> tuple[int, ...]:
        """Read a run of points: `a..f,t..z` forwards, `z..t` backwards, commas between points."""
        return tuple(chain.from_iterable(self._parse_run(part) for part in text.split(",") if part))

    def _parse_run(self, text: str) -> tuple[int, ...]:
        first, _, last = text.partition("..")
        start, end = self.find_place(first), self.find_place(last or first)
        return tuple(range(start, end + 1)) if start <= end else tuple(range(start, end - 1, -1))


LETTERS = tuple("abcdefghiklmnopqrstuwxyz")
"""Murray's letters for the 24 points of a tables board: no j and no v."""

TABLES = GameBoard(
    name="tables",
    points=LETTERS,
    tables={
        name: tuple(range(6 * i, 6 * i + 6)) for i, name in enumerate(("af", "gm", "ns", "tz"))
    },
    rows=(tuple(range(11, -1, -1)), tuple(range(12, 24))),
)
"""The tables board as Royal 13 A XVIII describes it.

a is at the top right, m at the top left, n below m and z below a.
"""

FOUR_BAR_TABLES = replace(TABLES, bars_named=("bar-af", "bar-gm", "bar-ns", "bar-tz"))
"""The tables board for games in which hit men wait for the table that they are to re-enter."""

ROMAN = GameBoard(
    name="roman",
    points=tuple(map(str, range(1, 37))),
    tables={},
    rows=(tuple(range(23, 11, -1)), tuple(range(12)), tuple(range(24, 36))),
)
"""The board of duodecim scripta: three rows of twelve points [S3].

The points are numbered along the course (middle, top, bottom).
"""
