"""Which faults there are, how often each comes, and in which order: all of it from one seed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

SHARES: Mapping[str, float] = {
    "refused": 28,
    "broken": 24,
    "dropped": 15,
    "hanging": 5,
    "limited": 9,
    "deleted": 4,
    "place": 2,
    "cut": 8,
    "kill": 2,
    "kill at": 1.5,
    "stop": 0.5,
    "locked": 1,
    "gone": 0.6,
    "full": 0.7,
    "clock": 0.6,
    "two bots": 0.3,
    "damaged": 0.2,
    "heartbeats": 0.03,
    "clock between": 0.3,
    "restored": 0.3,
    "server away": 1,
    "invited again": 0.6,
    "league": 1.5,
}
"""How often each kind comes among a hundred faults, about."""
SINGLE_TABLE_KINDS = frozenset(
    ("refused", "broken", "dropped", "hanging", "limited", "deleted", "place")
)
"""What befalls one table, and may befall others at the same time."""
LONG_KINDS = frozenset(("heartbeats",))
"""What takes more than a minute each time, and so has its place in long runs only."""
LONG_RUN = 1000
RUN_LENGTH = 40
"""Average number of single-table faults between two that affect everybody, in a long run."""


@dataclass(frozen=True, slots=True)
class ScheduledFault:
    """One fault of a schedule; `create_random` settles all of it that is left to chance."""

    number: int
    kind: str
    seed: str

    @property
    def is_exclusive(self) -> bool:
        """Whether it befalls the whole bot, so that nothing else may at the same time."""
        return self.kind not in SINGLE_TABLE_KINDS

    def create_random(self) -> Random:
        """Return the source of what is left to chance."""
        return Random(self.seed)

    def __str__(self) -> str:
        return f"fault {self.number} ({self.kind})"


def schedule_faults(seed: int, faults: int, kinds: Sequence[str]) -> Iterator[ScheduledFault]:
    """Yield so many faults: each kind once where there is room, then by their shares.

    Those that befall everybody come in rows, so that single tables are seldom waited for.
    """
    chance = Random(f"schedule {seed}")
    drawn = [*kinds][:faults]
    drawn += chance.choices(kinds, [SHARES[kind] for kind in kinds], k=faults - len(drawn))
    chance.shuffle(drawn)
    for number, kind in enumerate(_group_by_stretch(drawn), 1):
        yield ScheduledFault(number, kind, f"{seed} {number}")


def _group_by_stretch(drawn: Sequence[str]) -> Iterator[str]:
    """Order what was drawn so that faults of single tables come first in every stretch.

    Those that affect everybody follow.
    """
    stretch = RUN_LENGTH * 5 // 4
    for start in range(0, len(drawn), stretch):
        yield from sorted(
            drawn[start : start + stretch], key=lambda kind: kind not in SINGLE_TABLE_KINDS
        )
