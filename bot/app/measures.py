"""Measures of how the program performs, for its operator; nothing is kept if nobody reads them."""

from enum import StrEnum, auto

from bot.store import Load


class Outcome(StrEnum):
    """What became of something that was asked."""

    DONE = auto()
    REFUSED = auto()
    FAILED = auto()
    UNACKNOWLEDGED = auto()


class Measures:
    """Takes every note and keeps none."""

    def answered(self, command: str, outcome: Outcome) -> None:
        """Note what became of a command or press, by its name."""

    def acknowledged(self, seconds: float) -> None:
        """Note the seconds from handling a request until Discord has the acknowledgement."""

    def shown(self, seconds: float) -> None:
        """Note the seconds from saving what happened in a match until its message shows it."""

    def saved(self, seconds: float) -> None:
        """Note how long something took to be saved, waiting included."""

    def late(self, seconds: float) -> None:
        """Note how late the event loop was."""

    def written(
        self, load: Load, oldest_due_s: float, latency_s: float, refused: int = 0
    ) -> bytes | None:
        """Write all measures, with the database's load, Discord's latency and its refused requests.

        Returns None if no measures are kept.
        """
        return None
