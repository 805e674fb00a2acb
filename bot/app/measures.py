"""What the program notes of how it does, for whoever watches over it; where nobody does nothing is kept."""

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
        """Note how long it took from the handling of what was asked to Discord's hearing that an answer will come."""

    def shown(self, seconds: float) -> None:
        """Note how long it took from the saving of what happened in a match to its message's showing it."""

    def saved(self, seconds: float) -> None:
        """Note how long something took to be saved, waiting included."""

    def late(self, seconds: float) -> None:
        """Note how late the event loop was."""

    def written(
        self, load: Load, oldest_due_s: float, latency_s: float, refused: int = 0
    ) -> bytes | None:
        """Write all notes down, with the database's load, Discord's latency and its refused requests.

        None where no notes are kept.
        """
        return None
