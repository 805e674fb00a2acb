"""How a game has ended."""

from dataclasses import dataclass

from engine.position import Side


@dataclass(frozen=True, slots=True)
class Outcome:
    """The winner (None for a draw), how it came about in a few words, and how many games or points it counts."""

    winner: Side | None
    by: str
    points: int = 1
