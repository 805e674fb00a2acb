"""What the store takes and gives: plain values, one dataclass per row.

Instants are milliseconds since 1970, UTC.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum, auto
from typing import Any

DELETED_NAME = "deleted player"
"""The stored name of everyone who has had their data deleted."""
FIRST_PSEUDONYM = -1
"""The id of the first of them; those that follow are lower. All other ids are above zero."""


@dataclass(frozen=True, slots=True)
class PersonNames:
    """A person's display name, and the name of their account, which is unique; None if unknown."""

    name: str
    account: str | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """Something to be done once `due` has come; a job of the same kind and key is renewed."""

    kind: str
    key: str
    due: int
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedJob(Job):
    """A job that waits, or was given up.

    `guild` is the server by which it finds its process (0: none), `leased_by` the process that does
    it, if one has begun; `revision` rises with every renewal; `tries` counts the failures since, of
    which `error` is the last.
    """

    id: int
    guild: int
    leased_by: str | None
    revision: int
    tries: int
    error: str | None
    given_up: int | None


@dataclass(frozen=True, slots=True)
class Outage:
    """A time in which nobody could act in the servers of a shard, of so many."""

    shard: int
    shards: int
    began: int
    ended: int


class StoppageScope(StrEnum):
    """What a stoppage is of: a server, one match, or the matches of a contest."""

    SERVER = auto()
    MATCH = auto()
    CONTEST = auto()


@dataclass(frozen=True, slots=True)
class Pause:
    """A time in which clocks stand still: a person's who is away, or all (None) in an outage.

    `match` is the only match whose clocks stand still, None if those of all do.
    """

    person: int | None
    began: int
    ended: int
    match: int | None = None


@dataclass(frozen=True, slots=True)
class DatabaseLoad:
    """The load: jobs that wait, those of them that failed, those given up, and running matches.

    `oldest_due` is when the job was due that is due the longest; None if none is.
    """

    waiting: int
    failing: int
    given_up: int
    matches: int
    oldest_due: int | None
