"""A Swiss: in each round people meet who have about as many points."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction

from bot.features.contests import formats, swiss, texts
from bot.features.contests.formats.point_tables import PointFormat
from bot.features.contests.planning import build_match, plan_tables
from bot.features.contests.results import compute_swiss
from bot.features.contests.standings import EDITION, Bye, SwissStanding, TieBreak
from bot.features.contests.tables import (
    Contest,
    ContestFormat,
    ContestView,
    Entrant,
    LatePlan,
    NewPairing,
    Pairing,
    RoundPlan,
    SeasonPlan,
)
from bot.features.matches.texts import mention_person
from bot.platform.i18n.common import join_sentences
from bot.platform.i18n.reader import Reader
from engine.clock import DAY
from engine.outcome import FORFEITED

BYE_POINTS = Fraction(1)
LATE_POINTS = Fraction(1, 2)
"""What somebody gets who comes late to a Swiss, once, however many rounds they have missed."""
MAX_ROWS = 16
"""Rows of a Swiss table in a picture, and on a page: Discord makes more too small to be read."""


def _choose_rounds(contest: Contest, players: int) -> int:
    return min(contest.rounds or swiss.count_rounds(players), swiss.most_rounds(players))


def _plan_swiss_round(
    view: ContestView, seeds: Sequence[int], now: int, blocks: formats.BlockPairs
) -> RoundPlan:
    """Return the next round of a Swiss, in which two or more are there."""
    number = view.round + 1
    avoid = {frozenset(each) for each in blocks}
    paired = swiss.pair_swiss(list(_list_swiss_players(view, seeds)), avoid)
    games = view.contest.games
    game = games[(number - 1) % len(games)]
    pairings: list[NewPairing] = []
    for board, (first, second) in enumerate(paired.pairs, 1):
        beginning = build_match(view, len(view.pairings) + board, first, second, game, now)
        pairings.append(NewPairing(0, first, second, beginning, number, board))
    byes = [Bye(number, person, BYE_POINTS) for person in paired.byes]
    return RoundPlan(pairings, byes, number - 1, now + view.contest.days * DAY)


def _list_swiss_players(view: ContestView, seeds: Sequence[int]) -> Iterator[swiss.SwissPlayer]:
    points = {each.person: each.points for each in compute_swiss(view)}
    # Late entry's half a point is less than a win.
    free = Counter(bye.person for bye in view.byes if bye.points == BYE_POINTS)
    free.update(
        each.winner for each in view.pairings if each.winner and each.result.is_win_by_forfeit
    )
    for person in seeds:
        own = view.list_own(person)
        yield swiss.SwissPlayer(
            person,
            points.get(person, Fraction(0)),
            frozenset(each.result.get_opponent(person) for each in own),
            free[person],
            tuple(each.first == person for each in own if each.result.is_played),
        )


def _has_missed(entrant: Entrant, last: Pairing | None) -> bool:
    """Whether somebody forfeited their last match, and has not come back since."""
    if last is None or last.how != FORFEITED or last.winner == entrant.person:
        return False
    return entrant.back_after is None or entrant.back_after < last.round


def explain_swiss_order(say: Reader, contest: Contest) -> str:
    """Explain how the table of a Swiss is ordered."""
    if contest.edition >= EDITION:
        return say(
            "A win counts 1 point, a draw ½, a loss or a forfeit 0. A bye counts 1, and joining "
            "late ½ in all. Those with equal points are ordered by Buchholz (the points of their "
            "opponents, which are in brackets, without the last number there: the lowest of the "
            "rounds they missed or forfeited, or else of all), then by Sonneborn-Berger (the "
            "points of those they beat, and half the points of those they drew with), then by "
            "wins, byes included. In these sums, a round that you didn't play counts as a match "
            "against somebody with as many points as you, but with no more than the opponent you "
            "were paired with, and no more than half a point a round."
        )
    return say(
        "A win counts 1 point, a draw ½, a loss or a forfeit 0. A bye counts 1, and joining late ½ "
        "in all. Those with equal points are ordered by Buchholz (the points of their opponents, "
        "which are in brackets, without the lowest), then by Sonneborn-Berger (the points of those "
        "they beat, and half the points of those they drew with), then by wins."
    )


def format_exceptions(say: Reader, view: ContestView) -> str:
    """Say who has a bye in the round of a Swiss that is played, and who meet again."""
    if not view.contest.is_running:
        return ""
    free = [bye.person for bye in view.byes if bye.round == view.round and bye.points == 1]
    sentences = []
    if free:
        people = say.format_list([mention_person(say, person) for person in free])
        sentences.append(
            say.plural("{people} has a bye.", "{people} have byes.", len(free), people=people)
        )
    before = {each.pair for each in view.pairings if each.round < view.round}
    sentences += [
        say(
            "{first} and {second} play each other again, as nobody new was left for them.",
            first=mention_person(say, each.first),
            second=mention_person(say, each.second),
        )
        for each in view.pairings
        if each.round == view.round and each.pair in before
    ]
    return join_sentences(say, *sentences)


@formats.add_format
class SwissFormat(PointFormat[SwissStanding]):
    """A Swiss, which is played as a round robin where too few have joined."""

    kind = ContestFormat.SWISS
    choice = "Swiss, from 8 players"
    exported = ("byes", "points", "buchholz_cut", "sonneborn_berger")
    has_rounds = True

    def compute_size(self, contest: Contest, players: int) -> formats.ContestSize:
        if players < swiss.MIN_SWISS:
            each = len(contest.games) * (players - 1)
            return formats.ContestSize(players, matches=each * players // 2, each=each)
        return formats.ContestSize(players, rounds=_choose_rounds(contest, players))

    def plan_start(
        self,
        view: ContestView,
        seeds: Sequence[int],
        now: int,
        blocks: formats.BlockPairs,
        placed: Collection[int],
    ) -> SeasonPlan:
        contest = view.contest
        if len(seeds) < swiss.MIN_SWISS:
            # At most half as many rounds as players, so that everybody finds somebody.
            days = contest.days * (contest.rounds or len(seeds) // 2)
            return plan_tables(view, [seeds], ContestFormat.ROUND_ROBIN, days, now)
        first = _plan_swiss_round(view, seeds, now, blocks)
        ends = now + contest.days * DAY
        rounds = _choose_rounds(contest, len(seeds))
        return SeasonPlan([seeds], first.pairings, ends, first.byes, self.kind, rounds)

    def plan_round(
        self, view: ContestView, now: int, blocks: formats.BlockPairs
    ) -> RoundPlan | None:
        if view.list_running():
            return None
        seeds = [each.person for each in self._list_ready(view)]
        if view.round >= (view.contest.rounds or 0) or len(seeds) < 2:
            # Or nobody is left to be met.
            return RoundPlan(closed_rounds=view.round, is_over=True)
        return _plan_swiss_round(view, seeds, now, blocks)

    def list_next_players(self, view: ContestView, now: int) -> frozenset[int]:
        if view.list_running() or not self.count_later_rounds(view):
            return frozenset()
        return frozenset(each.person for each in self._list_ready(view))

    def _list_ready(self, view: ContestView) -> list[Entrant]:
        sitting_out = self.list_no_shows(view)
        return [each for each in view.present if each not in sitting_out]

    def list_no_shows(self, view: ContestView) -> Sequence[Entrant]:
        if not view.contest.is_running:
            return ()
        # Pairings are in the order of their rounds.
        last = {person: each for each in view.pairings for person in (each.first, each.second)}
        return [each for each in view.present if _has_missed(each, last.get(each.person))]

    def list_returnable(self, view: ContestView) -> Sequence[Entrant]:
        if not view.contest.is_running or not self.count_later_rounds(view):
            return ()
        departed = (each for each in view.entrants if each.departure is not None)
        return (*self.list_no_shows(view), *departed)

    def is_open_late(self, view: ContestView, now: int) -> bool:
        if not self.count_later_rounds(view):
            return False
        if view.find_free_place() is not None:
            return True
        return view.contest.late_entry and 2 * view.round <= (view.contest.rounds or 0)

    def plan_late_entry(
        self, view: ContestView, entrant: Entrant, now: int, blocks: formats.BlockPairs
    ) -> LatePlan:
        freed = view.find_free_place()
        missed = Bye(view.round, entrant.person, LATE_POINTS)
        return LatePlan(0, byes=[missed], replaces=freed.person if freed else None)

    def count_later_rounds(self, view: ContestView) -> int:
        return max((view.contest.rounds or 0) - view.round, 0)

    def count_likely_rounds(self, view: ContestView) -> int:
        # A round robin in its place takes as long.
        by_default = view.contest.rounds or len(view.present) // 2
        return super().count_likely_rounds(view) or by_default

    def list_point_tables(self, view: ContestView) -> Sequence[Sequence[SwissStanding]]:
        return [compute_swiss(view)]

    def show_results(
        self, say: Reader, view: ContestView, people: formats.Names
    ) -> formats.Results:
        standings = compute_swiss(view)
        # Those for whom the picture has no room are named below it.
        below = standings[MAX_ROWS:]
        named = (texts.format_places(say, below),) if below else ()
        drawing = self.draw(say, view, people, [("", standings[:MAX_ROWS])])
        return drawing, (*named, format_exceptions(say, view))

    def list_columns(self, say: Reader) -> tuple[str, ...]:
        return (
            # Translators: heading of a narrow column of numbers: what somebody's results are worth.
            say("Points"),
            # Translators: heading of a narrow column of numbers: the sum of the points of those
            # whom somebody has played, as chess tournaments call it.
            say("Buchholz"),
        )

    def list_cells(self, line: SwissStanding) -> tuple[str, ...]:
        return texts.format_number(line.points), texts.format_number(line.buchholz_cut)

    def find_tie_break(self, above: SwissStanding, line: SwissStanding) -> TieBreak | None:
        return line.find_tie_break(above)

    def format_line(self, say: Reader, line: SwissStanding) -> str:
        return say(
            "**{rank}.** {who}: {points}, Buchholz {buchholz} ({scores}), "
            "Sonneborn-Berger {strength}",
            rank=line.rank,
            who=mention_person(say, line.person),
            points=texts.format_points(say, line.points),
            buchholz=texts.format_number(line.buchholz_cut),
            scores=say.join_with_commas(map(texts.format_number, line.opponents)) or "–",
            strength=texts.format_number(line.sonneborn_berger),
        )

    def show_page(
        self, say: Reader, view: ContestView, people: formats.Names, person: int, asked: int | None
    ) -> formats.StandingsPage:
        standings = compute_swiss(view)
        starts = range(0, len(standings), MAX_ROWS)
        places = [each.person for each in standings]
        own = places.index(person) // MAX_ROWS if person in places else 0
        page = formats.choose_page(asked, own, len(starts))
        shown = standings[page * MAX_ROWS : (page + 1) * MAX_ROWS]
        return formats.StandingsPage(
            number=page,
            labels=[
                say(
                    "Places {first}–{last}",
                    first=at + 1,
                    last=min(at + MAX_ROWS, len(standings)),
                )
                for at in starts
            ],
            lines=[self.format_line(say, each) for each in shown],
            drawing=self.draw(say, view, people, [("", shown)]),
            explained=explain_swiss_order(say, view.contest),
        )

    def format_name(self, say: Reader) -> str:
        return say("Swiss tournament")

    def explain(self, say: Reader, contest: Contest) -> Iterator[str]:
        yield say(
            "Swiss: in each round you play somebody with about as many points, and nobody "
            "twice while others are left."
        )
        if contest.rounds is None:
            yield say("As many rounds as suit the number of players")
        else:
            yield say.plural(
                "{n} round, or half as many as there are players, if that is less",
                "{n} rounds, or half as many as there are players, if that is less",
                contest.rounds,
            )
        yield say(
            "With fewer than {least} players it's a round robin instead: in a Swiss so few "
            "would soon have nobody left to play.",
            least=swiss.MIN_SWISS,
        )
        if len(contest.games) > 1:
            yield say("The games take turns from round to round.")

    def explain_skipping(self, say: Reader) -> str:
        return say("Each of you then gets half a point.")

    def format_skipped_reply(self, say: Reader, match: int) -> str:
        return say("Match {n} isn't played. Each of you gets half a point.", n=match)

    def format_late_reply(self, say: Reader, view: ContestView, person: int, contest: str) -> str:
        return say(
            "You've joined {contest}. You get half a point for what you've missed, and play from "
            "the next round on.",
            contest=contest,
        )

    def format_round(self, say: Reader, view: ContestView) -> str:
        rounds = view.contest.rounds or view.round
        return say("Round {n} of {rounds}.", n=view.round, rounds=rounds)

    def list_counted(self, view: ContestView) -> Sequence[Pairing]:
        return [each for each in view.pairings if each.round == view.round]

    def list_form_entries(self, say: Reader) -> Sequence[tuple[int, str]]:
        return ((1, say("Swiss: everyone plays every round (from 8 players)")),)
