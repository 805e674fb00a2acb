"""What a game is like when its computer player plays itself: figures for the rules' pages.

They stand in a small file that `python -m lab.studies` writes from the games it has counted.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from engine.position import Side
from engine.strict_json import parse_json

STATISTICS = Path(__file__).with_name("statistics.json")


EVEN = 55
"""Wins in percent against random plays below which decisions do not seem to matter."""
MANY, NEARLY_ALL = 70, 90
"""Wins in percent of a trained player against a simple one that show some skill, and much of it."""


class LuckShare(StrEnum):
    """How much of a game is luck."""

    ALL = "all"
    MOST = "most"
    HALF = "half"
    LITTLE = "little"


@dataclass(frozen=True, slots=True)
class GameStatistics:
    """Figures from `games` games of an `edition` by its usual rules.

    `throws` are the numbers of throws, of both sides, that 5 %, half and 95 % of the games did not
    exceed; `starter_wins` is the share in percent of the games somebody won that the side which
    began has won, and `starter_wins_as` the same where that side began, unless it never does.
    `beats_greedy` and `beats_random` are the shares in percent that the game's trained player has
    won against the greedy player and against random plays; None where they have not met.
    `evaluation_error` is how many points evaluations are typically off by; None where unmeasured.
    """

    edition: int
    games: int
    throws: tuple[int, int, int]
    starter_wins: int
    starter_wins_as: Mapping[Side, int]
    beats_greedy: int | None = None
    beats_random: int | None = None
    evaluation_error: float | None = None

    @property
    def luck(self) -> LuckShare | None:
        """How much of a game is luck, by how often better play wins; None where unmeasured."""
        if self.beats_greedy is None or self.beats_random is None:
            return None
        # By the 1,000 games of each figure a share is known to within some three in a hundred.
        if self.beats_random < EVEN:
            return LuckShare.ALL
        if self.beats_greedy < MANY:
            return LuckShare.MOST
        return LuckShare.HALF if self.beats_greedy < NEARLY_ALL else LuckShare.LITTLE


def load_statistics(slug: str, edition: int) -> GameStatistics | None:
    """Return the figures of a game; None for one, or an edition, that has not been studied."""
    found = _load_all().get(slug)
    return found if found and found.edition == edition else None


@cache
def _load_all() -> Mapping[str, GameStatistics]:
    return {
        slug: GameStatistics(
            each["edition"],
            each["games"],
            tuple(each["throws"]),
            each["starter_wins"],
            {Side(side): wins for side, wins in each["starter_wins_as"].items()},
            each.get("beats_greedy"),
            each.get("beats_random"),
            each.get("evaluation_error"),
        )
        for slug, each in parse_json(STATISTICS.read_text("utf-8")).items()
    }
