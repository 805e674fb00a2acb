"""Who won a finished match, from the sides on which people sat at its end, and where it counted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum, auto
from typing import Any

from bot.features.contests.tables import Contest
from bot.features.ladders.tables import Ladder
from bot.features.matches.rows import MatchRow, Seat
from engine.games.verquere import JAN_COUNTS
from engine.outcome import FORFEITED, GameOutcome
from engine.position import Side

_POINTS = {"gammon": 2, "backgammon": 3, "jan": JAN_COUNTS}
"""The points of a win that counts more than one, by its word; `slaps` say their own number.

A match's row has no points, and playing it again to its end would take far longer.
"""


class PastResult(StrEnum):
    """What came of a match for somebody; `VOID` is one that counts for nothing."""

    WON = auto()
    WON_BY_FORFEIT = auto()
    DRAWN = auto()
    LOST = auto()
    FORFEITED = auto()
    VOID = auto()


@dataclass(frozen=True, slots=True)
class PastMatch:
    """A match that is over."""

    row: MatchRow

    @property
    def outcome(self) -> GameOutcome:
        """How it ended, as its row says; the points are those of the winner."""
        row = self.row
        winner = next((side for side in Side if side == row.winner), None)
        how = row.how or ""
        return GameOutcome(winner, how, row.parts, count_points(how, row.parts) if winner else 0)

    def list_seats(self, side: Side) -> tuple[Seat, ...]:
        """The seats of those who played a side, in the order of their turns."""
        return self._list_side(self.row.seats, side)

    def list_beginners(self, side: Side) -> tuple[int, ...]:
        """Those who sat in the seats of a side when the match began, seat by seat."""
        return tuple(seat.person for seat in self._list_side(self.row.seats_at(0), side))

    def _list_side(self, seats: Sequence[Seat], side: Side) -> tuple[Seat, ...]:
        sat = side.other if self.row.swapped else side
        return tuple(sorted((each for each in seats if each.side == sat), key=_get_number))

    def list_players(self, side: Side) -> tuple[int, ...]:
        """Those who played a side at the end, in the order of their turns."""
        return tuple(seat.person for seat in self.list_seats(side))

    def find_side(self, person: int) -> Side | None:
        """The side that somebody played at the end; None for an onlooker."""
        return next((side for side in Side if person in self.list_players(side)), None)

    def find_result(self, side: Side) -> PastResult:
        """What came of it for a side."""
        outcome = self.outcome
        if outcome.is_void:
            return PastResult.VOID
        is_forfeit = outcome.how == FORFEITED
        if outcome.winner is None:
            # Nobody played in time, so both have forfeited it.
            return PastResult.FORFEITED if is_forfeit else PastResult.DRAWN
        if outcome.winner is side:
            return PastResult.WON_BY_FORFEIT if is_forfeit else PastResult.WON
        return PastResult.FORFEITED if is_forfeit else PastResult.LOST


def _get_number(seat: Seat) -> int:
    return seat.number


def count_points(how: str, parts: Mapping[str, Any]) -> int:
    """Return the points that a win counts, by how it came about and what its words name."""
    value = parts.get("worth")
    if value == "slaps":
        return int(parts["n"])
    return _POINTS.get(how) or _POINTS.get(str(value), 1)


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
