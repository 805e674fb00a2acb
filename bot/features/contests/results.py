"""What comes of a contest: its tables or its bracket, and who has won, all from the raw results."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain, groupby
from typing import TypeAlias

from bot.features.contests import standings
from bot.features.contests.bracket import Bracket, BracketMatch, compute_bracket
from bot.features.contests.formats import get_format
from bot.features.contests.planning import count_own_waiting, list_walkovers
from bot.features.contests.tables import CHAMPION, Contest, ContestState, ContestView
from bot.platform.people import is_pseudonym

Tables: TypeAlias = Sequence[Sequence[standings.Standing]]
"""The standings of each division, the first division first."""
MAX_STANDINGS = 16
"""States of Swiss tournaments whose standings are kept."""
MAX_PODIUM = 3
"""The last place that is named where a contest's end is announced."""
HALF_POINT = Fraction(1, 2)
"""What each gets in a Swiss for a match that one of the two took as unplayed."""


def list_tables(view: ContestView) -> list[tuple[standings.Standing, ...]]:
    """Return the standings of each division of a league or a round robin.

    Who has left has lost also the matches that were still to begin.
    """
    results = _list_results(view)
    uncounted = _find_uncounted(view, results)
    return [
        standings.compute_standings(
            [each.person for each in division],
            [each for each in own if each.first not in uncounted and each.second not in uncounted],
        )
        for division, own in zip(view.list_divisions(), results, strict=True)
    ]


def _list_results(view: ContestView) -> list[list[standings.PairingResult]]:
    """Return the results of each division, those of matches that never began among them."""
    walkovers = list_walkovers(view)
    return [
        [
            *(each.result for each in view.pairings if each.division == number),
            *walkovers.get(number, ()),
        ]
        for number in range(len(view.list_divisions()))
    ]


@dataclass(frozen=True, slots=True)
class PlayedShare:
    """How many matches somebody has played, of those that they had to play."""

    played: int
    due: int

    @property
    def is_too_small(self) -> bool:
        """Whether their results do not count once they have left."""
        return 2 * self.played < self.due


def find_uncounted(view: ContestView) -> dict[int, PlayedShare]:
    """Return whose results count for nobody in the tables, as FIDE has it for round robins.

    They have left, or were removed, before they had played half of their matches.
    """
    return _find_uncounted(view, _list_results(view))


def _find_uncounted(
    view: ContestView, results: Sequence[Sequence[standings.PairingResult]]
) -> dict[int, PlayedShare]:
    if not drops_leavers(view.contest):
        return {}
    # Nothing waits for those who have left.
    shares = {
        each.person: _measure_share(results, each.person, waiting=0)
        for each in view.entrants
        if each.left is not None
    }
    return {person: share for person, share in shares.items() if share.is_too_small}


def drops_leavers(contest: Contest) -> bool:
    """Whether the results of those who leave before half of their matches count for nobody."""
    return get_format(contest).meets_all and contest.edition >= standings.EDITION


def measure_share(view: ContestView, person: int) -> PlayedShare:
    """Return how many matches somebody has played who leaves now, or has left.

    Those that have not begun had to be played as well.
    """
    return _measure_share(_list_results(view), person, count_own_waiting(view, person))


def _measure_share(
    results: Sequence[Sequence[standings.PairingResult]], person: int, waiting: int
) -> PlayedShare:
    own = [
        each
        for each in chain.from_iterable(results)
        if person in (each.first, each.second) and not each.is_annulled
    ]
    played = sum(each.is_over and not each.is_forfeited_by(person) for each in own)
    return PlayedShare(played, len(own) + waiting)


# A page needs the standings three times, and many look at the same pages.
_compute_swiss_standings = lru_cache(maxsize=MAX_STANDINGS)(standings.compute_swiss_standings)


def compute_swiss(view: ContestView) -> tuple[standings.SwissStanding, ...]:
    """Return the standings of a Swiss; none before it starts."""
    left_out = [each for each in view.pairings if each.is_left_out]
    rounds = tuple(
        tuple(
            each.result for each in view.pairings if each.round == number and not each.is_left_out
        )
        for number in range(1, view.round + 1)
    )
    halves = [
        standings.Bye(each.round, person, HALF_POINT)
        for each in left_out
        for person in (each.first, each.second)
    ]
    seeds = tuple(_list_seeds(view))
    return _compute_swiss_standings(seeds, rounds, (*view.byes, *halves), view.contest.edition)


def compute_knock_out(view: ContestView) -> Bracket:
    """Return the bracket of a knock-out that has started."""
    contest = view.contest
    return compute_bracket(
        _list_seeds(view),
        [BracketMatch(each.round, each.board, each.result) for each in view.pairings],
        [each.person for each in view.entrants if each.left is not None],
        contest.best_of,
        contest.third_place,
        contest.closed_rounds,
    )


def _list_seeds(view: ContestView) -> list[int]:
    return [each.person for each in view.entrants if each.seed is not None]


def list_champions(view: ContestView) -> list[int]:
    """Return who has won a contest that is over; several only where nothing tells them apart.

    Nobody has won without a point, after withdrawing, or where nobody has played.
    """
    return [] if view.contest.unplayed else get_format(view.contest).list_champions(view)


def list_players(view: ContestView) -> list[int]:
    """Return those who have played, or came in vain, and have not left."""
    if view.contest.unplayed:
        return []
    came = {
        person
        for each in view.pairings
        if each.is_over and not each.result.is_annulled
        for person in each.pair
        if not each.result.is_forfeited_by(person)
    }
    return [each.person for each in view.present if each.person in came]


def list_concerned(view: ContestView) -> list[int]:
    """Return whom the end of a contest concerns: who played, or had joined what never began."""
    if view.contest.began is None:
        return [each.person for each in view.present]
    return list_players(view)


def list_podium(view: ContestView) -> dict[int, list[int]]:
    """Return who has the first three places of a contest that is over, if anybody has won."""
    champions = list_champions(view)
    if not champions:
        return {}
    players = frozenset(list_players(view)) - {*champions}
    standings = get_format(view.contest).describe_standings(view)
    ranks = {
        each.person: standings[each.person]["rank"]
        for each in view.entrants
        if each.division == 0 and each.person in players and each.person in standings
    }
    podium, place = {1: champions}, 1 + len(champions)
    for _, group in groupby(sorted(ranks, key=ranks.__getitem__), key=ranks.__getitem__):
        if place > MAX_PODIUM:
            break
        podium[place] = list(group)
        place += len(podium[place])
    return podium


def list_returning(view: ContestView, following: ContestView | None) -> list[int]:
    """Return who of a season's players can be signed up for the next one, which is done once."""
    entrants = following.entrants if following else ()
    if any(each.is_enrolled for each in entrants):
        return []
    joined = {each.person for each in entrants}
    return [
        person for person in list_players(view) if person not in joined and not is_pseudonym(person)
    ]


def list_winners(view: ContestView) -> Collection[int]:
    """Return who has won a contest; nobody until it is over."""
    return list_champions(view) if view.contest.state is ContestState.OVER else ()


def may_be_crowned(view: ContestView) -> bool:
    """Whether who wins the final of a knock-out has won all of it, as far as that is known."""
    return view.contest.state is not ContestState.OVER or bool(list_champions(view))


def assign_roles(view: ContestView, before: ContestView | None) -> dict[int, frozenset[int]]:
    """Return who has the roles of a contest by their places; `before` is the season before.

    Its roles last until the next season starts. A tournament has one for its champion alone.
    """
    shown = before if view.contest.state is ContestState.OPEN else view
    if shown is None or view.contest.state is ContestState.CANCELLED:
        return {}
    assigned: dict[int, frozenset[int]] = {}
    if not shown.contest.is_tournament:
        assigned = {
            place: frozenset(each.person for each in them if each.left is None)
            for place, them in enumerate(shown.list_divisions(), CHAMPION + 1)
        }
    if shown.contest.state is ContestState.OVER:
        assigned[CHAMPION] = frozenset(list_champions(shown))
    return assigned
