"""What is found to be wrong, a sentence each, and what would mend it."""

from dataclasses import dataclass
from typing import TypeAlias

from bot.store import Board, Job, QueuedJob, Restated


@dataclass(frozen=True, slots=True)
class Restate:
    """Let the row of a match, at that version, say what its events come to."""

    match: int
    version: int
    restated: Restated


@dataclass(frozen=True, slots=True)
class RateAnew:
    """Rate a whole board anew, from the results of its matches."""

    board: Board


@dataclass(frozen=True, slots=True)
class Wish:
    """Enqueue a server's job that is missing, or that was given up, so that it is retried."""

    guild: int
    job: Job


@dataclass(frozen=True, slots=True)
class Forget:
    """Forget a job of which nothing can come."""

    job: QueuedJob


Mend: TypeAlias = Restate | RateAnew | Wish | Forget


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong; `mends` are empty if nothing in the database says how it should be."""

    sentence: str
    mends: tuple[Mend, ...] = ()


def found(sentence: str, *mends: Mend) -> Finding:
    """Return a finding."""
    return Finding(sentence, mends)
