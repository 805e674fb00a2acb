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


class Boards(NamedTuple):
    """Some positions, and the men of each side in them."""

    positions: Sequence[Position]
    gold: Men
    black: Men

    def men(self, side: Side) -> Men:
        """One side's men."""
        return self.gold if side is Side.GOLD else self.black


def boards(rules: Rules, positions: Sequence[Position]) -> Boards:
    """Set positions side by side."""
    shape = len(positions), len(rules.board.names)
    gold = np.frombuffer(b"".join([position.gold for position in positions]), np.uint8)
    black = np.frombuffer(b"".join([position.black for position in positions]), np.uint8)
    return Boards(positions, gold.reshape(shape), black.reshape(shape))


def ends_of(match: Match) -> Boards:
    """Set the ends of a throw's plays side by side."""
    found = match.plays.ends
    men = np.frombuffer(found.men(), np.uint8).reshape(len(found), len(Side), len(match.rules.board.names))
    mine, theirs = men[:, 0], men[:, 1]
    return Boards(found, mine, theirs) if match.turn is Side.GOLD else Boards(found, theirs, mine)


def side_by_side(parts: Sequence[Boards]) -> Boards:
    """Set the positions of several such behind one another."""
    if len(parts) == 1:
        return parts[0]
    positions = [position for part in parts for position in part.positions]
    gold, black = (np.concatenate([part.men(side) for part in parts]) for side in Side)
    return Boards(positions, gold, black)
