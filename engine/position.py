"""Where the men stand: an immutable position, and one side's men as text."""

from enum import StrEnum
from typing import NamedTuple

from engine.board import GameBoard


class Side(StrEnum):
    """One of the two sides of a board."""

    GOLD = "gold"
    BLACK = "black"

    @property
    def other(self) -> "Side":
        """The opposing side."""
        return Side.BLACK if self is Side.GOLD else Side.GOLD


class Position(NamedTuple):
    """The men of both sides, whose turn it is, and the numbers still to be played.

    `gold` and `black` count men by place (see `GameBoard`): one byte a place. `dice` are sorted,
    highest first, and empty when nothing has been thrown or nothing is left. `memory` is what a
    game remembers besides (see `engine.rules.Memory`).
    """

    gold: bytes
    black: bytes
    turn: Side
    dice: tuple[int, ...] = ()
    memory: int = 0

    def men(self, side: Side) -> bytes:
        """The men of one side by place."""
        return self.gold if side is Side.GOLD else self.black

    def with_men(self, side: Side, men: bytes | bytearray) -> "Position":
        """Return the position with other men for one side."""
        return (
            self._replace(gold=bytes(men)) if side is Side.GOLD else self._replace(black=bytes(men))
        )


def build_position(
    side: Side, mine: bytes, theirs: bytes, dice: tuple[int, ...] = (), memory: int = 0
) -> Position:
    """Return the position of a side to move with its own men and the other side's."""
    gold, black = (mine, theirs) if side is Side.GOLD else (theirs, mine)
    return Position(gold, black, side, dice, memory)


def format_men(men: bytes, board: GameBoard) -> str:
    """One side's men in the text form of a position: `a14,g1,bar2`, or `-` where there are none."""
    shown = (*range(board.size), board.hand, *board.bars, board.off)
    return (
        ",".join(
            f"{_prefix_place(board.place_names[place])}{men[place]}"
            for place in shown
            if men[place]
        )
        or "-"
    )


def _prefix_place(name: str) -> str:
    return f"{name}:" if name.isdigit() else name
