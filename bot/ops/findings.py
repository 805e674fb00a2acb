"""What is found to be wrong, a sentence each, and what would mend it."""

from dataclasses import dataclass
from typing import TypeAlias

from bot.features.matches.rows import Leaderboard, MatchRowState
from bot.platform.db.rows import Job, QueuedJob


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


@dataclass(frozen=True, slots=True)
class LadderReplay:
    """Keep the order of a ladder that all that happened on it comes to."""

    ladder: int


RepairAction: TypeAlias = RowRewrite | BoardRerating | JobRequeue | JobDeletion | LadderReplay


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong; `mends` are empty if nothing in the database says how it should be."""

    sentence: str
    mends: tuple[RepairAction, ...] = ()


def build_finding(sentence: str, *mends: RepairAction) -> Finding:
    """Return a finding."""
    return Finding(sentence, mends)
