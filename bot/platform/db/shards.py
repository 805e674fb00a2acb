"""Which servers a process serves: Discord deals them out to shards by their ids."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import gcd
from typing import Self, TypeAlias

from sqlalchemy import Column, and_, literal, literal_column, true
from sqlalchemy.sql.elements import ColumnElement

from bot.platform.db.columns import BIG
from engine.folding import fold_text

_SHARDS_PATTERN = re.compile(r"([0-9]{1,5})(?:-([0-9]{1,5}))?/([0-9]{1,5})")
_TIMESTAMP_SHIFT = 22
"""Bits of an id below its instant: source, docs.discord.com, "Sharding"."""


@dataclass(frozen=True, slots=True)
class Shards:
    """The shards from `first` to `last` of `count`; a program alone serves the only one."""

    first: int = 0
    last: int = 0
    count: int = 1

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read shards as they are written, `0-3/16` or `5/16`; raises ValueError for others."""
        written = _SHARDS_PATTERN.fullmatch(fold_text(text))
        if written is None:
            raise ValueError(f"shards are written as 0-3/16 or 5/16, not {text}")
        first, last, count = int(written[1]), int(written[2] or written[1]), int(written[3])
        if not first <= last < count:
            raise ValueError(
                f"there are no shards {text}: of {count} the first is 0, and the last {count - 1}"
            )
        return cls(first, last, count)

    def __str__(self) -> str:
        return f"{self.first}-{self.last}/{self.count}"

    @property
    def numbers(self) -> range:
        """The numbers of the shards."""
        return range(self.first, self.last + 1)

    @property
    def is_complete(self) -> bool:
        """Whether no shard is left to another process."""
        return len(self.numbers) == self.count

    def get_shard(self, guild: int) -> int:
        """Return the shard of a server; direct messages, whose server is 0, belong to the first."""
        return (guild >> _TIMESTAMP_SHIFT) % self.count

    def has_server(self, guild: int) -> bool:
        """Whether a server is one of those that are served here."""
        return self.get_shard(guild) in self.numbers

    def make_server_filter(self, guild: Column[int]) -> ColumnElement[bool]:
        """Return the condition that a row's server is one of those that are served here."""
        if self.is_complete:
            return true()
        shard = guild.bitwise_rshift(literal_column(str(_TIMESTAMP_SHIFT))) % self.count
        return and_(shard >= self.first, shard <= self.last)


ALL_SHARDS = Shards()
"""The whole of what one program serves."""


@dataclass(frozen=True, slots=True)
class Process:
    """A running program: a name that no other has, and what it serves."""

    name: str
    shards: Shards


SHARD_PERIOD = 2_882_880
"""A multiple of every number up to 16, and of 32 and 64: so many shards a bot has."""


LEAST_SERVER = SHARD_PERIOD << _TIMESTAMP_SHIFT
"""No id of Discord's is as low: servers were made an hour after the beginning of its time."""


def fold_server(guild: int) -> int:
    """Return a number far below all servers' ids that is on the same shard as a server.

    It says nothing else of it. Others on the same shard follow it.
    """
    return ((guild >> _TIMESTAMP_SHIFT) % SHARD_PERIOD << _TIMESTAMP_SHIFT) + 1


def make_shard_filter(guild: int, shard: Column[int], count: Column[int]) -> ColumnElement[bool]:
    """Return the condition that a row about a shard, of so many, is about that server."""
    # Typed, since a shifted id still has more than 32 bits.
    return literal(guild >> _TIMESTAMP_SHIFT, BIG) % count == shard


ShardServiceTimes: TypeAlias = Mapping[tuple[int, int], int]
"""When a shard, by its number and how many there were, was last served."""


def find_last_served(served: ShardServiceTimes, shard: int, count: int) -> int | None:
    """Return when all servers of a shard were last served; None if that was never noted.

    The number of shards may have been another then: a shard that had some of these servers has a
    number that differs by a multiple of the greatest common divisor of both counts.
    """
    together: dict[int, list[int]] = {}
    for (number, of), at in served.items():
        if (number - shard) % gcd(of, count) == 0:
            together.setdefault(of, []).append(at)
    # Of one count the shard that was served longest ago decides, as all of them had some of these
    # servers; of several counts the one that was in use last.
    return max(map(min, together.values()), default=None)
