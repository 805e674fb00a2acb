"""Measures of how the program performs, for its operator; nothing is kept if nobody reads them."""

from enum import StrEnum, auto

from bot.store import DatabaseLoad


class RequestOutcome(StrEnum):
    """What became of something that was asked."""

    DONE = auto()
    REFUSED = auto()
    FAILED = auto()
    UNACKNOWLEDGED = auto()


class Measures:
    """Takes every note and keeps none."""

    def record_answer(self, command: str, outcome: RequestOutcome) -> None:
        """Note what became of a command or press, by its name."""

    def record_acknowledgement(self, seconds: float) -> None:
        """Note the seconds from handling a request until Discord has the acknowledgement."""

    def record_show_delay(self, seconds: float) -> None:
        """Note the seconds from saving what happened in a match until its message shows it."""

    def record_save(self, seconds: float) -> None:
        """Note how long something took to be saved, waiting included."""

    def record_loop_lag(self, seconds: float) -> None:
        """Note how late the event loop was."""

    def export_metrics(
        self, load: DatabaseLoad, oldest_due_s: float, latency_s: float, refused: int = 0
    ) -> bytes | None:
        """Write all measures, with the database's load, Discord's latency and its refused requests.

        Returns None if no measures are kept.
        """
        return None
