"""What a game is like when its computer player plays itself: figures for the rules' pages.

They stand in a small file that `python -m lab.studies` writes from the games it has counted.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine.position import Side
from engine.strict_json import parse_json

STATISTICS = Path(__file__).with_name("statistics.json")


@dataclass(frozen=True, slots=True)
class GameStatistics:
    """Figures from `games` games of an `edition` by its usual rules.

    `throws` are the numbers of throws, of both sides, that 5 %, half and 95 % of the games did not
    exceed; `starter_wins` is the share in percent of the games somebody won that the side which
    began has won, and `starter_wins_as` the same where that side began, unless it never does.
    """

    edition: int
    games: int
    throws: tuple[int, int, int]
    starter_wins: int
    starter_wins_as: Mapping[Side, int]


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
        )
        for slug, each in parse_json(STATISTICS.read_text("utf-8")).items()
    }
