"""Tables of points: tie-breaks and ranks, from the results of pairings and from byes.

The tie-breaks are those of FIDE's Tie-Break Regulations (Handbook, C.07, effective from 1 March
2026). In a round robin, in this order:

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

In a Swiss, in this order:

1. Buchholz Cut 1 (articles 8 and 14): the sum of the opponents' points without the lowest.
2. Sonneborn-Berger (article 9.1).
3. Number of wins (article 7.1): the rounds that gave a full point, played or not.

Rounds that were not played are managed as article 16 says. Those that somebody missed before they
came or after they left are requested byes, and these and the rounds that they forfeited voluntary
unplayed rounds (16.1). The points of opponents are adjusted: a requested bye after which they did
not come back counts as a draw (16.3.2). A round that somebody did not play counts as one against an
opponent with their own points (16.4), but after a forfeit not with more than the adjusted points of
whom they were to meet (16.4.1), and otherwise not with more than a draw in every round (16.4.2).
Of voluntary unplayed rounds the lowest is cut before any other (16.5.1).

What the regulations do not know: an annulled match is a round that was not played, by nobody's
choice, and gives nothing. A double forfeit is a forfeit of both.

Contests of the first edition count as they did when they were played: an unplayed round of a Swiss
as one against somebody with one's own points, all points as they are, the lowest of all rounds cut,
and wins without the byes.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum, auto
from fractions import Fraction
from functools import partial
from itertools import groupby, permutations

from engine.outcome import ABANDONED, ABORTED, ANNULLED, FORFEITED

EDITION = 2
"""The rules of tables; a contest keeps those under which it was opened."""
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
    def is_played(self) -> bool:
        """Whether it was decided between the two: neither by forfeit nor annulled."""
        return self.is_draw or (self.is_win and not self.is_win_by_forfeit)

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


class TieBreak(StrEnum):
    """What tells two apart who have equal points."""

    HEAD_TO_HEAD = auto()
    BUCHHOLZ = auto()
    SONNEBORN_BERGER = auto()
    WINS = auto()


@dataclass(frozen=True, slots=True)
class Standing:
    """One person's line in a table.

    Ranks count from 1, and a rank is shared only by those whom no tie-break tells apart. `played`
    is what was won, drawn and lost together, and `forfeited` how many of the lost were forfeits.
    `direct` is what was scored against those equal on points, None if there are none or not all of
    them have met. `tie_break` is what put somebody below the one before with as many points.
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
    tie_break: TieBreak | None = field(default=None, compare=False)


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
    groups, decided = tied, dict[int, TieBreak]()
    for tie_break, split in (
        (TieBreak.HEAD_TO_HEAD, partial(_resolve_encounters, games=games)),
        (TieBreak.SONNEBORN_BERGER, partial(_split_group, value=strength)),
        (TieBreak.WINS, partial(_split_group, value=won)),
    ):
        parts = [split(group) for group in groups]
        for below in (each for first, *rest in parts for each in rest):
            decided |= dict.fromkeys(below, tie_break)
        groups = [each for part in parts for each in part]
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
                    tie_break=decided.get(person),
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


@dataclass(frozen=True, slots=True)
class SwissStanding:
    """One person's line in the table of a Swiss.

    Ranks count from 1, and a rank is shared only by those whom no tie-break tells apart.
    `opponents` are the points that make the Buchholz score, and the last one is that which is cut.
    `full_points` is how many rounds gave a full point, played or not.
    """

    person: int
    rank: int
    played: int
    won: int
    drawn: int
    lost: int
    forfeited: int
    byes: int
    points: Fraction
    buchholz_cut: Fraction
    sonneborn_berger: Fraction
    full_points: int
    opponents: tuple[Fraction, ...]

    def find_tie_break(self, above: "SwissStanding") -> TieBreak | None:
        """Return what put somebody below another with as many points."""
        compared = (
            (TieBreak.BUCHHOLZ, self.buchholz_cut, above.buchholz_cut),
            (TieBreak.SONNEBORN_BERGER, self.sonneborn_berger, above.sonneborn_berger),
            (TieBreak.WINS, self.full_points, above.full_points),
        )
        return next((tie_break for tie_break, one, other in compared if one != other), None)


@dataclass(frozen=True, slots=True)
class _Round:
    """What a round was to somebody: their points, and whom they met or were to meet.

    It `is_requested` where they could have been paired and were not there, and `is_voluntary` also
    where they forfeited. It `is_forfeit` on either side of one.
    """

    points: Fraction
    opponent: int | None = None
    is_played: bool = False
    is_forfeit: bool = False
    is_requested: bool = False
    is_voluntary: bool = False
    is_running: bool = False


def compute_swiss_standings(
    people: Sequence[int],
    rounds: Sequence[Sequence[PairingResult]],
    byes: Iterable[Bye],
    edition: int = EDITION,
) -> tuple[SwissStanding, ...]:
    """Return the table of these people, the best first, as the module describes.

    People who share a rank stand in the order of `people`, which is their seeding. A round counts
    for the tie-breaks once it is over for somebody: matches in progress do not.
    """
    granted = {(bye.person, bye.round): bye.points for bye in byes}
    games: dict[int, list[PairingResult | None]] = {person: [] for person in people}
    for number, results in enumerate(rounds, 1):
        own = {person: result for result in results for person in (result.first, result.second)}
        for person in people:
            games[person].append(own.get(person))
        # Those of nobody who is in the table are an error of the caller's.
        if missing := own.keys() - games.keys():
            raise ValueError(f"{sorted(missing)} are not among those in the table in {number}")
    seen = {
        person: [
            _describe_round(person, result, granted.get((person, number), _NOTHING))
            for number, result in enumerate(results, 1)
        ]
        for person, results in games.items()
    }
    adjusted = {
        person: _sum_points(own) if edition < EDITION else _adjust_points(own)
        for person, own in seen.items()
    }
    lines = [
        _build_line(person, games[person], seen[person], adjusted, granted, edition)
        for person in people
    ]
    lines.sort(key=_rank_line)
    ranked: list[SwissStanding] = []
    for _, group in groupby(lines, key=_rank_line):
        rank = len(ranked) + 1
        ranked += [replace(line, rank=rank) for line in group]
    return tuple(ranked)


def _describe_round(person: int, result: PairingResult | None, granted: Fraction) -> _Round:
    """Return what a round was to somebody, with the points of their bye if they had one."""
    if result is None:
        # Only who was there and had nobody to meet gets a full point for it.
        is_requested = granted < _WIN
        return _Round(granted, is_requested=is_requested, is_voluntary=is_requested)
    points, opponent = result.count_points(person), result.get_opponent(person)
    if not result.is_over:
        return _Round(points, opponent, is_running=True)
    if result.is_annulled:
        return _Round(points)
    if result.is_win_by_forfeit or result.is_double_forfeit:
        is_own = result.is_forfeited_by(person)
        return _Round(points, opponent, is_forfeit=True, is_voluntary=is_own)
    return _Round(points, opponent, is_played=True)


def _sum_points(rounds: Iterable[_Round]) -> Fraction:
    return sum((each.points for each in rounds), _NOTHING)


def _adjust_points(rounds: Sequence[_Round]) -> Fraction:
    """Return somebody's points as they count for those who have met them (article 16.3)."""
    total = _NOTHING
    is_back = False
    for each in reversed(rounds):
        total += _DRAW if each.is_requested and not is_back else each.points
        is_back = is_back or not each.is_voluntary
    return total


def _build_line(
    person: int,
    results: Sequence[PairingResult | None],
    rounds: Sequence[_Round],
    adjusted: Mapping[int, Fraction],
    granted: Mapping[tuple[int, int], Fraction],
    edition: int,
) -> SwissStanding:
    """Return a line without a rank."""
    points = _sum_points(rounds)
    voluntary: list[Fraction] = []
    others: list[Fraction] = []
    strength = _NOTHING
    for each in rounds:
        if each.is_running:
            continue
        faced = _face_opponent(each, points, len(rounds), adjusted, edition)
        strength += faced * each.points
        is_cut_first = each.is_voluntary and edition >= EDITION
        (voluntary if is_cut_first else others).append(faced)
    opponents = sorted((*voluntary, *others), reverse=True)
    if opponents:
        cut = min(voluntary or others)
        opponents.remove(cut)
        opponents.append(cut)
    scored = [each for each in results if each is not None and each.is_scored]
    won = sum(each.winner == person for each in scored)
    return SwissStanding(
        person=person,
        rank=0,
        played=len(scored),
        won=won,
        drawn=sum(each.is_draw for each in scored),
        lost=sum(each.is_lost_by(person) for each in scored),
        forfeited=sum(each.is_forfeited_by(person) for each in scored),
        byes=sum(who == person for who, _ in granted),
        points=points,
        buchholz_cut=sum(opponents[:-1], _NOTHING),
        sonneborn_berger=strength,
        full_points=won if edition < EDITION else sum(each.points == _WIN for each in rounds),
        opponents=tuple(opponents),
    )


def _face_opponent(
    seen: _Round, own: Fraction, count: int, adjusted: Mapping[int, Fraction], edition: int
) -> Fraction:
    """Return the points of the opponent that a round counts, which may be nobody (16.4)."""
    if seen.is_played and seen.opponent is not None:
        return adjusted[seen.opponent]
    if edition < EDITION:
        return own
    if seen.is_forfeit and seen.opponent is not None:
        return min(own, adjusted[seen.opponent])
    return min(own, count * _DRAW)


def _rank_line(line: SwissStanding) -> tuple[Fraction, Fraction, Fraction, int]:
    """Return what lines are ordered by, the best first."""
    return (-line.points, -line.buchholz_cut, -line.sonneborn_berger, -line.full_points)
