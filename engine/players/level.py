"""How well a computer player plays."""

from enum import StrEnum


class Level(StrEnum):
    """The levels, the weakest first."""

    BEGINNER = "beginner"  # goes by its own habits, and overlooks hits and blots
    COMPANION = "companion"  # judges every play as it ends
    MASTER = "master"  # looks at every throw that may follow the best of them

    @property
    def easier(self) -> "Level | None":
        """The next weaker level; None for the weakest."""
        levels = list(Level)
        at = levels.index(self)
        return levels[at - 1] if at else None
