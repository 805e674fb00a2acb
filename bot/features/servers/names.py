"""The names of what a server's managers can choose."""

from enum import StrEnum, auto


class ServerChoice(StrEnum):
    """What can be chosen on the panels of a server's settings."""

    PACE = auto()
    RATED = auto()
    CHANNELS = auto()
    ROLE = auto()
    THREADS = auto()
    SINGLE = auto()
    QUIET = auto()
    ZONE = auto()
    NEWS = auto()
    THEME = auto()
    NEAR = auto()
    NUMBERS = auto()
    RESET_MATCHES = auto()
    RESET_BOARDS = auto()


BOARD_CHOICES = (
    ServerChoice.THEME,
    ServerChoice.NEAR,
    ServerChoice.NUMBERS,
    ServerChoice.RESET_BOARDS,
)
"""What is chosen on the panel of boards; everything else is on that of matches."""


class ServerPanel(StrEnum):
    """The panels of a server's settings."""

    MATCHES = auto()
    BOARDS = auto()
