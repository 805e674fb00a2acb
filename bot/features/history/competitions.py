"""What finished matches were played in: leagues, tournaments and ladders."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.features.contests.rows import Contest
from bot.features.history.results import PastMatch
from bot.features.ladders.rows import Ladder


@dataclass(frozen=True, slots=True)
class Competitions:
    """The leagues, tournaments and ladders of some matches, by their numbers."""

    leagues: Mapping[int, Contest]
    ladders: Mapping[int, Ladder]

    def find_league(self, match: PastMatch) -> Contest | None:
        """The league or tournament of a match, if it was played in one."""
        return self.leagues.get(match.row.contest or 0)

    def find_ladder(self, match: PastMatch) -> Ladder | None:
        """The ladder of a match, if it was played on one."""
        return self.ladders.get(match.row.ladder or 0)
