"""The table of a round robin: points, tie-breaks and ranks, from the results of its pairings.

The tie-breaks are those of FIDE's Tie-Break Regulations (Handbook, C.07, effective from 1 August
2024), in this order:

1. Direct Encounter (article 6). Of those equal on points, the games among themselves make a table
   of their own. Those still equal in it are compared by the games among them alone, and so on,
   until that tells no more of them apart (6.2). Two who met more than once count the average of
   these games (6.1.2). It is used only where all who are tied have met; article 6.3, for ties in
   which somebody is sure to be first however the missing games end, is for Swiss tournaments and is
   left out.
2. Sonneborn-Berger (article 9.1): the points of everyone beaten, and half the points of everyone
   drawn with, at the time of the table.
3. Number of wins (article 7.1), those by forfeit included.

In a round robin a game won by forfeit is a regular one for the first two (article 15.2): in
Sonneborn-Berger a win by forfeit counts like a win over that opponent. A double forfeit is not
provided for there. Here nobody gets a point for it, both count it as lost, it adds nothing to
anybody's Sonneborn-Berger score, and for Direct Encounter the two have not met.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, permutations

from engine.outcome import ABANDONED, ABORTED, ANNULLED, FORFEITED

_LOST_BY_BOTH = frozenset({ABANDONED, ABORTED, FORFEITED})
_WON_BY_FORFEIT = frozenset({ABORTED, FORFEITED})
_WIN = Fraction(1)
_DRAW = Fraction(1, 2)
_NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class PairingResult:
    """A pairing of two people and how its match ended.

    `how` is None until the match is over, else a slug as in `engine.outcome`, or `FORFEITED`.
    Raises ValueError if the two are one, or the winner is not one of them or won before the end.
    """

    first: int
    second: int
    winner: int | None = None
    how: str | None = None

    def __post_init__(self) -> None:
        if self.first == self.second:
            raise ValueError(f"{self.first} cannot meet themselves")
        if self.winner is None:
            return
        if self.winner not in (self.first, self.second):
            raise ValueError(f"{self.winner} did not meet {self.first} or {self.second}")
        if self.how is None:
            raise ValueError(f"{self.winner} cannot have won a match that is not over")

    @property
    def is_over(self) -> bool:
        """Whether the match is over, however it ended."""
        return self.how is not None

    @property
    def is_annulled(self) -> bool:
        """Whether the match counts for nobody, as if it had not been played."""
        return self.how == ANNULLED

    @property
    def is_scored(self) -> bool:
        """Whether the result is in the table: as a win, a draw, or a loss for both."""
        return self.is_over and not self.is_annulled

    @property
    def is_double_forfeit(self) -> bool:
        """Whether both have lost, because neither played it out."""
        return self.winner is None and self.how in _LOST_BY_BOTH

    @property
    def is_draw(self) -> bool:
        """Whether each gets half a point."""
        return self.is_scored and self.winner is None and not self.is_double_forfeit

    @property
    def is_win(self) -> bool:
        """Whether one of the two gets a full point, over the board or by forfeit."""
        return self.is_scored and self.winner is not None

    @property
    def is_win_by_forfeit(self) -> bool:
        """Whether one of the two gets a full point because the other did not play."""
        return self.is_win and self.how in _WON_BY_FORFEIT

    @property
    def is_regular(self) -> bool:
        """Whether it counts as a game between the two for tie-breaks: all but double forfeits."""
        return self.is_win or self.is_draw

    def is_lost_by(self, person: int) -> bool:
        """Return whether one of the two counts the match as lost, alone or with the other."""
        return self.is_double_forfeit or (self.is_win and self.winner != person)

    def is_forfeited_by(self, person: int) -> bool:
        """Return whether one of the two counts the match as lost because they did not play it."""
        return self.is_double_forfeit or (self.is_win_by_forfeit and self.winner != person)

    def get_opponent(self, person: int) -> int:
        """Return the other of the two."""
        return self.second if person == self.first else self.first

    def count_points(self, person: int) -> Fraction:
        """Return how many points one of the two gets."""
        if self.is_draw:
            return _DRAW
        return _WIN if self.is_win and self.winner == person else _NOTHING


@dataclass(frozen=True, slots=True)
class Bye:
    """A round in which somebody had nobody to meet, and the points that they got for it."""

    round: int
    person: int
    points: Fraction


@dataclass(frozen=True, slots=True)
class Standing:
    """One person's line in a table.

    Ranks count from 1, and a rank is shared only by those whom no tie-break tells apart. `played`
    is what was won, drawn and lost together, and `forfeited` how many of the lost were forfeits.
    `direct` is what was scored against those equal on points, None if there are none or not all of
    them have met.
    """

    person: int
    rank: int
    played: int
    won: int
    drawn: int
    lost: int
    forfeited: int
    points: Fraction
    direct: Fraction | None
    sonneborn_berger: Fraction


def compute_standings(
    people: Sequence[int], results: Iterable[PairingResult]
) -> tuple[Standing, ...]:
    """Return the table of these people, the best first, as the module describes.

    People who share a rank stand in the order of `people`, which is their seeding. Matches that
    are not over or annulled count for nothing. Raises ValueError if a result is of somebody else.
    """
    games = _group_by_person(people, results)
    points = {
        person: sum((game.count_points(person) for game in played), _NOTHING)
        for person, played in games.items()
    }
    strength = {
        person: sum(
            (game.count_points(person) * points[game.get_opponent(person)] for game in played),
            _NOTHING,
        )
        for person, played in games.items()
    }
    won = {
        person: sum(game.winner == person for game in played) for person, played in games.items()
    }
    tied = _split_group(people, points)
    direct = {
        person: score
        for group in tied
        for person, score in (_score_encounters(group, games) or {}).items()
    }
    groups = [part for group in tied for part in _resolve_encounters(group, games)]
    for value in (strength, won):
        groups = [part for group in groups for part in _split_group(group, value)]
    standings: list[Standing] = []
    for group in groups:
        rank = len(standings) + 1
        for person in group:
            played = games[person]
            standings.append(
                Standing(
                    person=person,
                    rank=rank,
                    played=len(played),
                    won=won[person],
                    drawn=sum(game.is_draw for game in played),
                    lost=sum(game.is_lost_by(person) for game in played),
                    forfeited=sum(game.is_forfeited_by(person) for game in played),
                    points=points[person],
                    direct=direct.get(person),
                    sonneborn_berger=strength[person],
                )
            )
    return tuple(standings)


def _group_by_person(
    people: Sequence[int], results: Iterable[PairingResult]
) -> dict[int, list[PairingResult]]:
    """Return everyone's results that are in the table."""
    games: dict[int, list[PairingResult]] = {person: [] for person in people}
    for result in results:
        for person in (result.first, result.second):
            if person not in games:
                raise ValueError(f"{person} is not among those in the table")
            if result.is_scored:
                games[person].append(result)
    return games


def _split_group(
    group: Sequence[int], value: Mapping[int, Fraction] | Mapping[int, int]
) -> list[list[int]]:
    """Return the people of a group in parts of equal value, the highest value first."""
    # The sort keeps the order of equals, also in reverse.
    ranked = sorted(group, key=value.__getitem__, reverse=True)
    return [list(part) for _, part in groupby(ranked, key=value.__getitem__)]


def _resolve_encounters(
    group: Sequence[int], games: Mapping[int, Sequence[PairingResult]]
) -> list[list[int]]:
    """Return a tied group in the parts into which Direct Encounter splits it (article 6.2)."""
    parts = _split_group(group, _score_encounters(group, games) or dict.fromkeys(group, 0))
    if len(parts) == 1:
        return parts
    return [smaller for part in parts for smaller in _resolve_encounters(part, games)]


def _score_encounters(
    group: Sequence[int], games: Mapping[int, Sequence[PairingResult]]
) -> dict[int, Fraction] | None:
    """Return what each of a group scored against the others in it; None unless all have met."""
    if len(group) < 2:
        return None
    scores = dict.fromkeys(group, _NOTHING)
    for person, other in permutations(group, 2):
        met = [
            game.count_points(person)
            for game in games[person]
            if game.is_regular and game.get_opponent(person) == other
        ]
        if not met:
            return None
        scores[person] += sum(met, _NOTHING) / len(met)
    return scores
