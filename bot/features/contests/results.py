"""What comes of a contest: its tables or its bracket, and who has won, all from the raw results."""

from collections.abc import Sequence
from typing import TypeAlias

from bot.features.contests.bracket import Bracket, BracketMatch, compute_bracket
from bot.features.contests.rows import CHAMPION, ContestFormat, ContestState, ContestView
from bot.features.contests.standings import Standing, compute_standings
from bot.features.contests.swiss_standings import SwissStanding, compute_swiss_standings

Tables: TypeAlias = Sequence[Sequence[Standing]]
"""The standings of each division, the first division first."""


def list_tables(view: ContestView) -> list[tuple[Standing, ...]]:
    """Return the standings of each division of a league or a round robin."""
    return [
        compute_standings(
            [each.person for each in division],
            [pairing.result for pairing in view.list_pairings(number)],
        )
        for number, division in enumerate(view.list_divisions())
    ]


def compute_swiss(view: ContestView) -> tuple[SwissStanding, ...]:
    """Return the standings of a Swiss; none before it starts."""
    rounds = [
        [each.result for each in view.pairings if each.round == number]
        for number in range(1, view.round + 1)
    ]
    return compute_swiss_standings(_list_seeds(view), rounds, view.byes)


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
    """Return who has won a contest that is over; several only where nothing tells them apart."""
    if view.contest.format is ContestFormat.KNOCK_OUT:
        champion = compute_knock_out(view).champion
        return [] if champion is None else [champion]
    if view.contest.format is ContestFormat.SWISS:
        return [each.person for each in compute_swiss(view) if each.rank == 1]
    tables = list_tables(view)
    return [each.person for each in tables[0] if each.rank == 1] if tables else []


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
