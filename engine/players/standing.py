"""What positions are worth before a throw, many at once: by a game's net where it has one, else by greedy's eye."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.players import greedy
from engine.players.worth import Worths
from engine.position import Position, Side
from engine.rules import Rules


def trained(_: Rules) -> bool:
    """Whether a net judges these games; where none does, greedy's judgement stands in."""
    return False


def standing(rules: Rules, positions: Sequence[Position], thrower: Side) -> Worths:
    """Return what positions are worth to the side that throws next, whoever is to move in them: a row each."""
    mine, theirs = (by_place(rules, positions, side) for side in (thrower, thrower.other))
    return greedy.judge(rules, thrower, mine, theirs)


def turned(worths: Worths) -> Worths:
    """Return the same worths for the other side."""
    return np.column_stack((1 - worths[:, 0], -worths[:, 1]))


def by_place(rules: Rules, positions: Sequence[Position], side: Side) -> NDArray[np.uint8]:
    """One side's men, a position a row and a place a column."""
    men = b"".join(position.men(side) for position in positions)
    return np.frombuffer(men, dtype=np.uint8).reshape(len(positions), len(rules.board.names))
