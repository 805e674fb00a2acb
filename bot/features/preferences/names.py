"""The names of what can be chosen for oneself."""

from enum import StrEnum, auto


class PreferenceName(StrEnum):
    """What can be chosen on the panel of one's own preferences."""

    THEME = auto()
    NEAR = auto()
    NUMBERS = auto()
    REMINDERS = auto()
    THROWS = auto()
    CONFIRMS = auto()
    ZONE = auto()
    SHARES = auto()
    EVERYWHERE = auto()
    RESET = auto()
