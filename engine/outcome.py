"""How a game has ended."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.position import Side

ABANDONED, ABORTED, ANNULLED = "abandoned", "aborted", "annulled"
"""How a match ends that counts for nothing.

It is abandoned by all, left within its first two turns, or annulled by a moderator.
"""

FORFEITED = "forfeited"
"""How a match ends that a side, or both, did not play: its contest counts it, no rating does."""

VOID = frozenset({ABANDONED, ABORTED, ANNULLED})
"""How a match ends as if it had not been."""

UNPLAYED = VOID | {FORFEITED}
"""How a match ends that was not played to a result, so that no rating changes."""

CUT_SHORT = UNPLAYED | {"adjudicated", "agreed", "deadline", "timed-out"}
"""How a match ends that nobody has won, or given up, on the board."""


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """How a match ended: the winner (None for a draw), how, and how much it counts.

    `parts` are what its words name, `points` how many games or points it counts.

    `how` is a short slug: `off`, `goal`, `full`, `even`, `resigned`, `agreed`, `adjudicated`,
    `annulled`, `timed-out`, `forfeited`, `deadline`, `abandoned`, `aborted`, `ad-fallum`, `stuck`,
    or one of the game's own (see `Game.words`). Among `parts`, all of them numbers and texts,
    `worth` is the game's slug for what it counts.
    """

    winner: Side | None
    how: str
    parts: Mapping[str, Any] = field(default_factory=dict)
    points: int = 1

    @property
    def is_void(self) -> bool:
        """Whether the match counts for nothing, as if it had not been."""
        return self.how in VOID

    @property
    def is_rateable(self) -> bool:
        """Whether ratings may change: the match counts, and it was played."""
        return self.how not in UNPLAYED
