"""What can go wrong in the store."""

from enum import StrEnum
from typing import Literal

INSTALL_ADVICE = (
    "`pip install --require-hashes --only-binary=:all: -r requirements/container.txt` brings it"
)
"""What to do where a library is missing that not everybody needs."""


class SaveOutcome(StrEnum):
    """What a failure means for what was to be saved."""

    NOTHING = "nothing was saved"
    UNKNOWN = "whether it was saved is not known"
    NOT_ASKED = "nothing was to be saved"


class StoreError(Exception):
    """The database cannot be used, or could not take a change.

    The message is one sentence for the log and for the operator, and may name the file: users see
    what `saved` says, in other words.
    """

    def __init__(self, message: str, saved: SaveOutcome = SaveOutcome.NOT_ASKED) -> None:
        super().__init__(message)
        self.saved = saved


class DamagedDatabaseError(StoreError):
    """The database is damaged: nothing may be written to it, and no program may go on with it."""


class StaleVersionError(Exception):
    """The match has moved on: it has other events than the action knew of, or is over."""


class SeatTakenError(Exception):
    """The seat is taken, or the challenge is open no longer."""


class LimitExceededError(Exception):
    """A person has too many running matches or open challenges, or made too many lately.

    Those made lately have a limit for the server, too, and for whom they call.
    """

    def __init__(
        self,
        person: int,
        what: Literal["running", "open", "lately", "here", "to one"],
        most: int,
    ) -> None:
        super().__init__(f"{person} has {most} {what}")
        self.person = person
        self.what = what
        self.most = most


class DuplicateRematchError(Exception):
    """The challenger offers this rematch already, in the challenge of that number."""

    def __init__(self, challenge: int) -> None:
        super().__init__(f"challenge {challenge} offers the same rematch")
        self.challenge = challenge
