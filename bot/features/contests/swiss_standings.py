"""The table of a Swiss tournament: points, tie-breaks and ranks, from its results and byes.

The tie-breaks are those of FIDE's Tie-Break Regulations (Handbook, C.07, effective from 1 August
2024), in this order:

1. Buchholz Cut 1 (articles 8 and 14): the sum of the opponents' points without the lowest.
2. Sonneborn-Berger (article 9.1): the points of everyone beaten, and half the points of everyone
   drawn with.
3. Number of wins (article 7.1), those by forfeit included.

A round that somebody did not play (a bye, a forfeit, before they came or after they left) counts as
one against an opponent with their own points (article 16.4), with what they got for it. The
regulations also correct the points of opponents who have not played all rounds (article 16.3);
here they count as they are. An annulled match is one that was not played. A double forfeit gives
nobody a point.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from bot.features.contests.standings import Bye, PairingResult

_NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class SwissStanding:
    """One person's line in the table of a Swiss.

    Ranks count from 1, and a rank is shared only by those whom no tie-break tells apart.
    `opponents` are the points that make the Buchholz score, the lowest last.
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
    opponents: tuple[Fraction, ...]


def compute_swiss_standings(
    people: Sequence[int], rounds: Sequence[Sequence[PairingResult]], byes: Iterable[Bye]
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
    points = {
        person: sum(
            (
                result.count_points(person) if result else granted.get((person, number), _NOTHING)
                for number, result in enumerate(results, 1)
            ),
            _NOTHING,
        )
        for person, results in games.items()
    }
    lines = [_build_line(person, games[person], granted, points) for person in people]
    lines.sort(key=_rank_line)
    ranked: list[SwissStanding] = []
    for _, group in groupby(lines, key=_rank_line):
        rank = len(ranked) + 1
        ranked += [replace(line, rank=rank) for line in group]
    return tuple(ranked)


def _build_line(
    person: int,
    results: Sequence[PairingResult | None],
    granted: Mapping[tuple[int, int], Fraction],
    points: Mapping[int, Fraction],
) -> SwissStanding:
    """Return a line without a rank."""
    opponents: list[Fraction] = []
    strength = _NOTHING
    for number, result in enumerate(results, 1):
        if result is not None and not result.is_over:
            continue
        if result is not None and result.is_regular and not result.is_win_by_forfeit:
            faced, scored = points[result.get_opponent(person)], result.count_points(person)
        else:
            got = result.count_points(person) if result else granted.get((person, number))
            faced, scored = points[person], got or _NOTHING
        opponents.append(faced)
        strength += faced * scored
    opponents.sort(reverse=True)
    scored_games = [each for each in results if each is not None and each.is_scored]
    return SwissStanding(
        person=person,
        rank=0,
        played=len(scored_games),
        won=sum(each.winner == person for each in scored_games),
        drawn=sum(each.is_draw for each in scored_games),
        lost=sum(each.is_lost_by(person) for each in scored_games),
        forfeited=sum(each.is_forfeited_by(person) for each in scored_games),
        byes=sum(who == person for who, _ in granted),
        points=points[person],
        buchholz_cut=sum(opponents[:-1], _NOTHING),
        sonneborn_berger=strength,
        opponents=tuple(opponents),
    )


def _rank_line(line: SwissStanding) -> tuple[Fraction, Fraction, Fraction, int]:
    """Return what lines are ordered by, the best first."""
    return (-line.points, -line.buchholz_cut, -line.sonneborn_berger, -line.won)
