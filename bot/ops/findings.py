"""What is found to be wrong, a sentence each, and what would mend it."""

from dataclasses import dataclass
from typing import TypeAlias

from bot.store import Job, Leaderboard, MatchRowState, QueuedJob


@dataclass(frozen=True, slots=True)
class RowRewrite:
    """Let the row of a match, at that version, say what its events come to."""

    match: int
    version: int
    restated: MatchRowState


@dataclass(frozen=True, slots=True)
class BoardRerating:
    """Rate a whole board again, from the results of its matches."""

    board: Leaderboard


@dataclass(frozen=True, slots=True)
class JobRequeue:
    """Enqueue a server's job that is missing, or that was given up, so that it is retried."""

    guild: int
    job: Job


@dataclass(frozen=True, slots=True)
class JobDeletion:
    """Forget a job of which nothing can come."""

    job: QueuedJob


RepairAction: TypeAlias = RowRewrite | BoardRerating | JobRequeue | JobDeletion


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong; `mends` are empty if nothing in the database says how it should be."""

    sentence: str
    mends: tuple[RepairAction, ...] = ()


def make_finding(sentence: str, *mends: RepairAction) -> Finding:
    """Return a finding."""
    return Finding(sentence, mends)
