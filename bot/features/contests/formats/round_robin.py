"""Everyone meets everyone: in the divisions of a league, or in the one table of a round robin."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from typing import ClassVar

from bot.features.contests import formats, planning, texts
from bot.features.contests.formats.point_tables import PointFormat
from bot.features.contests.results import find_uncounted, list_tables
from bot.features.contests.service import ContestFullError
from bot.features.contests.standings import Standing, TieBreak
from bot.features.contests.tables import (
    Contest,
    ContestFormat,
    ContestView,
    Entrant,
    LatePlan,
    NewPairing,
    RoundPlan,
    SeasonPlan,
)
from bot.platform.i18n.reader import Reader
from render.table import RowMark

MAX_IN_ROUND_ROBIN = 16
MAX_DRAWN = 2
"""Divisions in the picture for everyone: Discord makes a higher one too small to be read."""


def _divide(seeds: Sequence[int]) -> Iterator[Sequence[int]]:
    taken = 0
    for size in planning.split_divisions(len(seeds)):
        yield seeds[taken : taken + size]
        taken += size


def _pair_late(
    view: ContestView, entrant: Entrant, division: int, replaced: int | None, now: int
) -> list[NewPairing]:
    """Return what begins once somebody has come late to a division, perhaps in another's place."""
    seed = len(view.entrants)
    placed = replace(entrant, division=division, seed=seed, replaces=replaced)
    return list(planning.pick_next(replace(view, entrants=(*view.entrants, placed)), now))


class _TableFormat(PointFormat[Standing]):
    """Everyone of a division meets everyone else there in each game."""

    meets_all = True
    most_in_division: ClassVar[int]
    exported = ("points", "direct", "sonneborn_berger")

    def _divide(self, seeds: Sequence[int]) -> list[Sequence[int]]:
        """Return people by division, given in the order of their seeds."""
        return [seeds]

    def _split(self, players: int) -> Sequence[int]:
        """Return how many are in each division."""
        return (players,)

    def compute_size(self, contest: Contest, players: int) -> formats.ContestSize:
        divisions, games = self._split(players), len(contest.games)
        return formats.ContestSize(
            players,
            matches=games * sum(each * (each - 1) // 2 for each in divisions),
            each=games * (max(divisions) - 1),
            is_even=len(set(divisions)) == 1,
        )

    def plan_start(
        self,
        view: ContestView,
        seeds: Sequence[int],
        now: int,
        blocks: formats.BlockPairs,
        placed: Collection[int],
    ) -> SeasonPlan:
        divisions = self._divide(seeds)
        if not view.contest.is_starting:
            divisions = planning.separate_blocked(divisions, blocks, placed)
        return planning.plan_tables(view, divisions, self.kind, view.contest.days, now)

    def plan_round(
        self, view: ContestView, now: int, blocks: formats.BlockPairs
    ) -> RoundPlan | None:
        # In parts where they are many.
        contest = view.contest
        if not contest.closed_rounds and planning.has_time_to_begin(contest, now):
            pairings = list(islice(planning.pick_next(view, now), planning.MATCHES_AT_ONCE))
            if pairings:
                return RoundPlan(pairings, (), contest.closed_rounds, contest.ends)
        return None if view.list_running() else RoundPlan(is_over=True)

    def list_next_players(self, view: ContestView, now: int) -> frozenset[int]:
        planned = self.plan_round(view, now, ())
        begins = () if planned is None else planned.pairings
        return frozenset(person for each in begins for person in (each.first, each.second))

    def is_open_late(self, view: ContestView, now: int) -> bool:
        if view.find_free_place() is not None:
            return True
        half = planning.find_half_time(view.contest)
        is_early = half is not None and planning.stop_time(view.contest, now) < half
        return view.contest.late_entry and is_early

    def plan_late_entry(
        self, view: ContestView, entrant: Entrant, now: int, blocks: formats.BlockPairs
    ) -> LatePlan:
        freed = view.find_free_place()
        if freed is not None:
            division = freed.division or 0
            own = _pair_late(view, entrant, division, freed.person, now)
            return LatePlan(division, own, (), freed.person)
        there = {
            number: [each.person for each in them if each.left is None]
            for number, them in enumerate(view.list_divisions())
        }
        most = self.most_in_division
        strangers = {person for each in blocks if entrant.person in each for person in each}
        free = [at for at, them in there.items() if len(them) < most]
        # The lowest, if possible one without anybody between whom and them is a block.
        lowest = max(free, key=lambda at: (strangers.isdisjoint(there[at]), at), default=None)
        if lowest is None:
            raise ContestFullError(most * len(there))
        return LatePlan(lowest, _pair_late(view, entrant, lowest, None, now))

    def list_point_tables(self, view: ContestView) -> Sequence[Sequence[Standing]]:
        return list_tables(view)

    def show_results(
        self, say: Reader, view: ContestView, people: formats.Names
    ) -> formats.Results:
        tables = list_tables(view)
        others = tuple(
            texts.format_leaders(say, number, standings)
            for number, standings in enumerate(tables[MAX_DRAWN:], MAX_DRAWN)
        )
        headings = self._list_headings(say, view)
        return self.draw(say, view, people, zip(headings, tables[:MAX_DRAWN], strict=False)), others

    def _list_headings(self, say: Reader, view: ContestView) -> list[str]:
        numbers = range(len(view.list_divisions()))
        return [
            texts.format_division(say, number) if len(numbers) > 1 else "" for number in numbers
        ]

    def list_columns(self, say: Reader) -> tuple[str, ...]:
        return (
            # Translators: heading of a narrow column of numbers: matches that somebody has won.
            say("Won"),
            say.in_context("heading of a column of numbers", "Drawn"),
            # Translators: heading of a narrow column of numbers: matches that somebody has lost.
            say("Lost"),
            # Translators: heading of a narrow column of numbers: what somebody's results are worth.
            say("Points"),
        )

    def list_cells(self, line: Standing) -> tuple[str, ...]:
        counts = map(str, (line.won, line.drawn, line.lost))
        return *counts, texts.format_number(line.points)

    def find_tie_break(self, above: Standing, line: Standing) -> TieBreak | None:
        return line.tie_break

    def format_line(self, say: Reader, line: Standing) -> str:
        return texts.format_standing_line(say, line)

    def find_movers(self, view: ContestView) -> dict[int, RowMark]:
        marks: dict[int, RowMark] = {}
        for upper, lower in pairwise(list_tables(view)):
            exchanged = planning.count_exchanged(len(upper), len(lower))
            # Before anything is played the order is that of the seeds.
            if any(each.played for each in upper):
                marks |= {each.person: RowMark.DOWN for each in upper[len(upper) - exchanged :]}
            if any(each.played for each in lower):
                marks |= {each.person: RowMark.UP for each in lower[:exchanged]}
        return marks

    def find_marks(self, view: ContestView) -> dict[int, RowMark]:
        """Return also what the end of the season means, or would mean now, for people."""
        movers = self.find_movers(view) if view.contest.repeats else {}
        return movers | super().find_marks(view)

    def show_page(
        self, say: Reader, view: ContestView, people: formats.Names, person: int, asked: int | None
    ) -> formats.StandingsPage:
        tables, uncounted = list_tables(view), find_uncounted(view)
        own = view.find_entrant(person)
        page = formats.choose_page(asked, (own.division or 0) if own else 0, len(tables))
        return formats.StandingsPage(
            number=page,
            labels=[texts.format_division(say, at) for at in range(len(tables))],
            lines=[
                *(self.format_line(say, each) for each in tables[page]),
                *(
                    texts.format_uncounted(say, each.person, uncounted[each.person])
                    for each in view.list_divisions()[page]
                    if each.person in uncounted
                ),
            ],
            drawing=self.draw(
                say, view, people, [(self._list_headings(say, view)[page], tables[page])]
            ),
            explained=texts.explain_order(say, view.contest),
        )

    def format_late_reply(self, say: Reader, view: ContestView, person: int, contest: str) -> str:
        own = view.find_entrant(person)
        division = texts.format_division(say, (own and own.division) or 0)
        return say.plural(
            "You've joined {contest} in {division}. You have {n} match, which starts "
            "automatically.",
            "You've joined {contest} in {division}. You have {n} matches, which start "
            "automatically.",
            len(view.list_running(person)) + planning.count_own_waiting(view, person),
            contest=contest,
            division=division,
        )


@formats.add_format
class LeagueFormat(_TableFormat):
    """A league: divisions of four to eight, and seasons between which some rise and fall."""

    kind = ContestFormat.LEAGUE
    most_in_division = planning.MAX_DIVISION

    def _divide(self, seeds: Sequence[int]) -> list[Sequence[int]]:
        return list(_divide(seeds))

    def _split(self, players: int) -> Sequence[int]:
        return planning.split_divisions(players)

    def format_name(self, say: Reader) -> str:
        # Translators: a kind of contest, named in a list.
        return say("League")

    def explain(self, say: Reader, contest: Contest) -> Iterator[str]:
        if len(contest.games) > 1:
            yield say("Everyone in a division plays everyone else in it once in each game.")
        else:
            yield say("Everyone in a division plays everyone else in it once.")
        yield texts.format_limit(say, contest)


@formats.add_format
class RoundRobinFormat(_TableFormat):
    """A round robin: everyone in one table."""

    kind = ContestFormat.ROUND_ROBIN
    choice = "round robin, up to 16 players"
    # At most, everybody plays fifteen others in each game.
    least, most, most_in_division = 3, MAX_IN_ROUND_ROBIN, MAX_IN_ROUND_ROBIN

    def format_name(self, say: Reader) -> str:
        return say("Round robin")

    def explain(self, say: Reader, contest: Contest) -> Iterator[str]:
        if len(contest.games) > 1:
            yield say("Round robin: everyone plays everyone else once in each game.")
        else:
            yield say("Round robin: everyone plays everyone else once.")
        yield texts.format_limit(say, contest)

    def list_form_entries(self, say: Reader) -> Sequence[tuple[int, str]]:
        return ((1, say("Round robin: everyone meets everyone (up to 16)")),)
