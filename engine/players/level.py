"""How well a computer player plays."""

from enum import StrEnum


class Level(StrEnum):
    """The levels, the weakest first."""

    BEGINNER = "beginner"  # goes by its own habits, and overlooks hits and blots
    COMPANION = "companion"  # judges every play as it ends
    MASTER = "master"  # looks at every throw that may follow the best of them
