"""Many positions side by side, as numpy takes them."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.match import Match
from engine.position import Position, Side
from engine.rules import Rules

Men: TypeAlias = npt.NDArray[np.uint8]
"""One side's men, a position a row and a place a column."""

Memory: TypeAlias = npt.NDArray[np.int64]
"""What is remembered, a number for each position."""


class Boards(NamedTuple):
    """The men of each side in some positions, and what is remembered in each."""

    gold: Men
    black: Men
    memory: Memory

    def men(self, side: Side) -> Men:
        """One side's men."""
        return self.gold if side is Side.GOLD else self.black


def stack_positions(rules: Rules, positions: Sequence[Position]) -> Boards:
    """Set positions side by side."""
    shape = len(positions), len(rules.board.place_names)
    # Positions keep their men as bytes, one a place, which is just how an array of them lies in
    # memory.
    gold = np.frombuffer(b"".join([position.gold for position in positions]), np.uint8)
    black = np.frombuffer(b"".join([position.black for position in positions]), np.uint8)
    memory = np.array([position.memory for position in positions], np.int64)
    return Boards(gold.reshape(shape), black.reshape(shape), memory)


def stack_ends(match: Match) -> Boards:
    """Set the ends of a throw's plays side by side."""
    found = match.plays.ends
    men = np.frombuffer(found.join_men(), np.uint8).reshape(
        len(found), len(Side), len(match.rules.board.place_names)
    )
    mine, theirs = men[:, 0], men[:, 1]
    gold, black = (mine, theirs) if match.turn is Side.GOLD else (theirs, mine)
    memory = found.list_memories() if match.rules.memory else [0] * len(found)
    return Boards(gold, black, np.array(memory, np.int64))


def join_boards(parts: Sequence[Boards]) -> Boards:
    """Set the positions of several such behind one another."""
    return parts[0] if len(parts) == 1 else Boards(*map(np.concatenate, zip(*parts, strict=True)))
