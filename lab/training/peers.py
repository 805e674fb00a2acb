"""Other programs' backgammon players in a workshop: GNU Backgammon's nets and Tesauro's pubeval.

Both come with the package gnubg-nn, which Tabula does not need. A board is two lists of 25 there,
the other side's men first: each counts a side's men from its own end, its bar last.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from types import ModuleType

from engine.search.routes import NUMBERS
from lab.training import layout as at
from lab.training.layout import Row
from lab.training.search import search_plays
from lab.training.turns import throw_dice
from lab.training.workshop import Workshop

Men = list[int]
"""A side's men on its 24 points, from its own end, and on its bar."""

BAR = 24

Play = Callable[[Men, Men, int, int], tuple[Men, Men]]
"""A player: from the men of the side to move, the other's and a throw, both after its play."""


GNUBG_PACKAGE = "gnubg-nn"
"""What the package is called where it is installed from."""


def import_gnubg() -> ModuleType:
    """Return the package; raises ImportError, with a sentence, where it cannot be imported."""
    return import_package("gnubg_nn", GNUBG_PACKAGE)


def import_package(module: str, package: str) -> ModuleType:
    """Return the module of a package that Tabula doesn't need.

    Raises ImportError, with a sentence, where it cannot be imported.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(
            f"The package {package} cannot be imported here ({error}): install it in .venv"
        ) from error


def describe_package(package: str) -> str:
    """Return the name of a package, with the version that is installed."""
    return f"{package} {version(package)}"


def build_gnubg_player(package: ModuleType, plies: int = 0) -> Play:
    """GNU Backgammon for money without the cube, looking so many throws ahead."""

    def play(mine: Men, theirs: Men, high: int, low: int) -> tuple[Men, Men]:
        _, key = package.best_move([theirs, mine], high, low, plies, b=1)
        played, other = package.board_from_position_key(key)
        return list(played), list(other)

    return play


def build_pubeval_player(package: ModuleType) -> Play:
    """Gerald Tesauro's linear evaluation, which he made public to measure others by."""

    def play(mine: Men, theirs: Men, high: int, low: int) -> tuple[Men, Men]:
        return apply_moves(mine, theirs, package.pub_best_move([theirs, mine], high, low))

    return play


def apply_moves(mine: Men, theirs: Men, steps: Sequence[int]) -> tuple[Men, Men]:
    """Make moves given as points in turn, from and to; a point below nought is off the board."""
    after, others = list(mine), list(theirs)
    for source, target in zip(steps[::2], steps[1::2], strict=True):
        after[source] -= 1
        if target < 0:
            continue
        after[target] += 1
        # Each side counts points from its own end.
        facing = BAR - 1 - target
        # The move is legal, so no more than a blot can stand there.
        if others[facing]:
            others[facing] = 0
            others[BAR] += 1
    return after, others


class IllegalPlayError(ValueError):
    """A player of another make did what the rules do not allow; the message says what."""


@dataclass(frozen=True)
class PeerPlayer:
    """A player of another make at a workshop's table. Its dice are the workshop's."""

    play: Play
    policy: int = at.GREEDILY

    def take_turn(self, shop: Workshop, *, thrown: bool) -> bool:
        """Play a turn; returns whether the game goes on."""
        if not thrown:
            throw_dice(shop.known.table, shop.desk.book)
        row = shop.desk.nodes[at.GAME : at.GAME + at.ROW]
        side = int(row[at.TURN])
        high, low = (int(die) for die in shop.desk.book[at.DICE_THROWN : at.DICE_THROWN + 2])
        legal = _list_legal_ends(shop, row, high, low)
        mine, theirs = self.play(
            read_men(shop, row, side), read_men(shop, row, 1 - side), high, low
        )
        write_men(shop, row, side, mine)
        write_men(shop, row, 1 - side, theirs)
        if row[: at.SIDES * at.PLACES].tobytes() not in legal:
            raise IllegalPlayError(
                f"a player of another make played {high}-{low} as the rules do not allow, "
                f"to {mine} against {theirs}"
            )
        # Only a side that has borne off all its men has none left on points and bar.
        if not any(mine):
            row[at.OUTCOME] = at.GOLD_WON if side == 0 else at.BLACK_WON
            return False
        row[at.TURN] = 1 - side
        return True


def _list_legal_ends(shop: Workshop, row: Row, high: int, low: int) -> set[bytes]:
    """Return the men of both sides after each legal play of backgammon's throw."""
    nodes, book = shop.desk.nodes, shop.desk.book
    # The search begins in the first row.
    start = nodes[: at.ROW]
    start[:] = row
    numbers = (high, low) * (2 if high == low else 1)
    for number in NUMBERS:
        start[at.LEFT + number] = numbers.count(number)
    start[at.LEFT_COUNT] = len(numbers)
    count = search_plays(shop.known.table, nodes, int(row[at.TURN]), book, 0)
    ends = [at.ROW * int(node) for node in book[at.ENDS : at.ENDS + count]]
    men = at.SIDES * at.PLACES
    return {nodes[end : end + men].tobytes() for end in ends} or {row[:men].tobytes()}


def read_men(shop: Workshop, row: Row, side: int) -> Men:
    """A side's men on its 24 points, from its own end, and on its bar."""
    men = row[side * at.PLACES : (side + 1) * at.PLACES].tolist()
    return [men[place] for place in _list_places(shop, side)]


def write_men(shop: Workshop, row: Row, side: int, men: Men) -> None:
    """Write them back; the others are off."""
    for place, count in zip(_list_places(shop, side), men, strict=True):
        row[side * at.PLACES + place] = count
    off = int(shop.known.table[at.OFF])
    row[side * at.PLACES + off] = int(shop.known.table[at.MEN]) - sum(men)


def _list_places(shop: Workshop, side: int) -> list[int]:
    first = at.COURSE + side * at.PLACES
    course = shop.known.table[first : first + BAR].tolist()
    # A course ends at home, where the other programs begin to count. Backgammon's one bar is the
    # place after the men borne off.
    return [*reversed(course), int(shop.known.table[at.OFF]) + 1]
