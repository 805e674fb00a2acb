"""What can go wrong in the store."""

from typing import Literal


class StoreError(Exception):
    """The database cannot be used, or could not take a change.

    The message is one sentence for the log and for whoever runs the bot, and may name the file; `sentence` is one for
    people, and never does.
    """

    def __init__(self, message: str, sentence: str = "the database cannot be used") -> None:
        super().__init__(message)
        self.sentence = sentence


class MovedOn(Exception):
    """The match has moved on: it has other events than the action knew of, or is over."""


class Taken(Exception):
    """The seat is taken, or the challenge is open no longer."""


class TooMany(Exception):
    """A person has as many running matches, or open challenges, as there may be."""

    def __init__(self, person: int, what: Literal["running", "open"], most: int) -> None:
        super().__init__(f"{person} has {most} {what}")
        self.person = person
        self.what = what
        self.most = most


class Repeated(Exception):
    """The challenger offers this rematch already, in the challenge of that number."""

    def __init__(self, challenge: int) -> None:
        super().__init__(f"challenge {challenge} offers the same rematch")
        self.challenge = challenge
