"""The board: its points, its tables, and how they lie before the players."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from engine.refusal import Refusal, Rule


@dataclass(frozen=True, eq=False)
class Board:
    """A board's points in order, its tables and its rows.

    A *place* is the number of a point in board order, or one of the three places beside the board: `hand` (men
    never yet entered), `off` (men borne off) and `bar` (men hit). Men are counted by place, so a side's men are
    `size + 3` numbers.

    `rows` are the points as a player sees them, from the top row down, each from left to right.
    """

    name: str
    points: tuple[str, ...]
    tables: Mapping[str, tuple[int, ...]]
    rows: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        """How many points the board has."""
        return len(self.points)

    @property
    def hand(self) -> int:
        """The place of the men that have never been entered."""
        return self.size

    @property
    def off(self) -> int:
        """The place of the men that have been borne off."""
        return self.size + 1

    @property
    def bar(self) -> int:
        """The place of the men that were hit and wait to re-enter."""
        return self.size + 2

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every place's name: the points, then `hand`, `off`, `bar`."""
        return (*self.points, "hand", "off", "bar")

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Every place by its name."""
        return {name: place for place, name in enumerate(self.names)}

    def place(self, name: str) -> int:
        """Return the place of that name; raises Refusal where the board has none."""
        try:
            return self.places[name]
        except KeyError:
            raise Refusal(Rule.POSITION, f"{name}: this board has no such point") from None

    def stretch(self, text: str) -> tuple[int, ...]:
        """Read a run of points: `a..f,t..z` forwards, `z..t` backwards, single points between commas."""
        return tuple(chain.from_iterable(self._run(part) for part in text.split(",") if part))

    def _run(self, text: str) -> tuple[int, ...]:
        first, _, last = text.partition("..")
        start, end = self.place(first), self.place(last or first)
        return tuple(range(start, end + 1)) if start <= end else tuple(range(start, end - 1, -1))


LETTERS = tuple("abcdefghiklmnopqrstuwxyz")
"""Murray's letters for the 24 points of a tables board: no j and no v."""

TABLES = Board(
    name="tables",
    points=LETTERS,
    tables={name: tuple(range(6 * i, 6 * i + 6)) for i, name in enumerate(("af", "gm", "ns", "tz"))},
    rows=(tuple(range(11, -1, -1)), tuple(range(12, 24))),
)
"""The tables board as Royal 13 A XVIII describes it: a at the top right, m top left, n below m, z below a."""
