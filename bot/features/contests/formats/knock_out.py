"""A knock-out: who wins goes on, and who loses is out."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from bot.features.contests import formats, tables
from bot.features.contests.bracket import Bracket, Tie, list_next_matches, rank_bracket
from bot.features.contests.planning import build_match, seed_view
from bot.features.contests.results import compute_knock_out, may_be_crowned
from bot.features.contests.tables import ContestView
from bot.features.contests.texts import format_contest_name, format_number
from bot.features.matches.scene import picture_names
from bot.features.matches.texts import mention_person, name_people
from bot.platform.i18n import common
from bot.platform.i18n.reader import Reader
from engine.clock import DAY
from render.bracket import (
    MAX_COLUMNS,
    MAX_JOINED_TIES,
    MAX_TIES,
    BracketColumn,
    DrawnBracket,
    DrawnTie,
    TieSide,
)
from render.characters import shorten_text
from render.describe import MAX_ALT_TEXT


def format_round(say: Reader, bracket: Bracket, number: int) -> str:
    """Name a round of a bracket, counted from 1."""
    ties = len(bracket.rounds[number - 1])
    match ties:
        case 1:
            # Translators: the last round of a knock-out, with its only tie (noun).
            return say("Final")
        case 2:
            # Translators: the round of a knock-out that has two ties.
            return say("Semi-finals")
        case 4:
            # Translators: the round of a knock-out that has four ties.
            return say("Quarter-finals")
        case 8:
            # Translators: the round of a knock-out that has eight ties.
            return say("Round of 16")
    return say("Round of {n}", n=2 * ties)


def format_bracket(
    say: Reader, bracket: Bracket, names: Mapping[int, str], rounds: Sequence[int] = ()
) -> tuple[str, ...]:
    """Say what happened in each tie, below the names of the rounds; the latest round is first.

    `names` are written as they are: mentions, or names that are escaped. Of the rounds only those
    given are listed, or all if none are given.
    """
    lines: list[str] = []
    for heading, texts in _iter_rounds(say, bracket, names, rounds):
        lines += [f"**{heading}**", *(f"- {line}" for line in texts)]
    return tuple(lines)


def describe_bracket(
    say: Reader, title: str, bracket: Bracket, names: Mapping[int, str], rounds: Sequence[int] = ()
) -> str:
    """Return what the picture of a bracket shows in words, for those who do not see it."""
    parts = [title]
    for heading, texts in _iter_rounds(say, bracket, names, rounds):
        parts.append(common.format_labelled(say, heading, common.join_clauses(say, texts)))
    told = common.join_sentences(say, *(common.end_sentence(say, part) for part in parts))
    return shorten_text(told, MAX_ALT_TEXT)


def format_tie(say: Reader, tie: Tie, names: Mapping[int, str]) -> str:
    """Say who meets in a tie and who has won it; empty while nobody is known."""
    people = [names[person] for person in tie.people]
    if not tie.is_decided:
        return _format_open_tie(say, tie, people)
    if tie.winner is None:
        return _format_lost_tie(say, people)
    winner = names[tie.winner]
    if tie.is_bye:
        return say("{winner} has a bye", winner=winner)
    if not tie.losers:
        return say("{winner} won by walkover, without an opponent", winner=winner)
    other = names[tie.losers[0]]
    if tie.is_walkover:
        return say("{winner} won by walkover against {other}", winner=winner, other=other)
    score = _format_score(tie)
    ahead, behind = _list_points(tie)
    if ahead > behind:
        return say("{winner} beat {other} {score}", winner=winner, other=other, score=score)
    # The better seed went on at the deadline, or a match was annulled after the next round began.
    return say(
        "{winner} went through against {other} ({score})", winner=winner, other=other, score=score
    )


def choose_drawn_rounds(bracket: Bracket) -> range:
    """Return the rounds that a picture shows, counted from 1, so that it can be read on a phone.

    They are the latest three that have begun, and while there are fewer, those after them. A round
    of up to 32 people is shown alone. There are none while a larger round is the latest.
    """
    last = len(bracket.rounds)
    begun = max((tie.round for tie in bracket.ties if tie.results), default=1)
    first = max(1, begun + 1 - MAX_COLUMNS)
    # What is too long to be joined to later rounds is left out, unless nothing else has begun.
    while first < begun and len(bracket.rounds[first - 1]) > MAX_JOINED_TIES:
        first += 1
    ties = len(bracket.rounds[first - 1])
    if ties > MAX_TIES:
        return range(0)
    if ties > MAX_JOINED_TIES:
        return range(first, first + 1)
    return range(first, min(last, first + MAX_COLUMNS - 1) + 1)


def build_drawn_bracket(
    say: Reader,
    title: str,
    bracket: Bracket,
    names: Mapping[int, str],
    rounds: Sequence[int],
    *,
    is_crowned: bool = True,
) -> DrawnBracket:
    """Return some rounds of a bracket, to be drawn; `names` can be drawn too.

    The tie for the third place is below them if the final is among them. Who wins the final gets
    no crown where it is not `is_crowned`.
    """
    third = None
    if bracket.third_place is not None and len(bracket.rounds) in rounds:
        tie = _build_drawn_tie(say, bracket.third_place, names)
        third = BracketColumn(say("Third place"), (tie,))
    columns = tuple(
        BracketColumn(
            format_round(say, bracket, number),
            tuple(
                _build_drawn_tie(
                    say,
                    tie,
                    names,
                    is_final=is_crowned and number == len(bracket.rounds),
                    # Once is enough, and later rounds have more room for names.
                    seeds=bracket.seeds if number == rounds[0] else (),
                )
                for tie in bracket.rounds[number - 1]
            ),
        )
        for number in rounds
    )
    return DrawnBracket(title, columns, third)


def _iter_rounds(
    say: Reader, bracket: Bracket, names: Mapping[int, str], rounds: Sequence[int]
) -> Iterator[tuple[str, list[str]]]:
    """Yield the names of rounds in which somebody is known, with what is told of their ties."""
    last = len(bracket.rounds)
    for number in sorted(rounds or range(1, last + 1), reverse=True):
        parts = [(format_round(say, bracket, number), bracket.rounds[number - 1])]
        if number == last and bracket.third_place is not None:
            parts.append((say("Third place"), (bracket.third_place,)))
        for heading, ties in parts:
            texts = list(filter(None, (format_tie(say, tie, names) for tie in ties)))
            if texts:
                yield heading, texts


def _format_open_tie(say: Reader, tie: Tie, people: Sequence[str]) -> str:
    if not people:
        return ""
    if len(people) == 1:
        return say("{person} is waiting for an opponent", person=people[0])
    first, second = people
    if not any(result.is_scored for result in tie.results):
        return say("{first} v {second}", first=first, second=second)
    return say(
        "{first} v {second}, {score} so far", first=first, second=second, score=_format_score(tie)
    )


def _format_lost_tie(say: Reader, people: Sequence[str]) -> str:
    """Say that nobody has won a tie."""
    if not people:
        return say("Nobody played")
    if len(people) == 1:
        return say("{person} left and had no opponent", person=people[0])
    first, second = people
    return say("Neither {first} nor {second} won", first=first, second=second)


def _list_points(tie: Tie) -> tuple[Fraction, Fraction]:
    """Return the points of a tie, those of its winner first."""
    first, second = tie.score
    return (second, first) if tie.is_decided and tie.winner == tie.second else (first, second)


def _format_score(tie: Tie) -> str:
    return "–".join(map(format_number, _list_points(tie)))


def _build_drawn_tie(
    say: Reader,
    tie: Tie,
    names: Mapping[int, str],
    *,
    is_final: bool = False,
    seeds: Sequence[int] = (),
) -> DrawnTie:
    """Return a tie to be drawn; those among `seeds` have their place in it before their name."""
    has_score = any(result.is_scored for result in tie.results)
    sides = []
    for person, is_known, points in zip(
        (tie.first, tie.second),
        (tie.is_first_known, tie.is_second_known),
        tie.score,
        strict=True,
    ):
        is_winner = person is not None and person == tie.winner
        score = format_number(points) if has_score and person is not None else ""
        if is_winner and tie.is_walkover and not tie.is_bye:
            score = say.in_context("bracket", "w/o")
        if person is not None:
            name = names[person]
        elif tie.is_bye:
            name = say.in_context("bracket", "bye")
        else:
            # A dash marks a player who can't come; unknown players are left out.
            name = "–" if is_known else ""
        is_out = tie.is_decided and not is_winner
        seed = str(seeds.index(person) + 1) if person in seeds else ""
        sides.append(TieSide(name, score, is_winner, is_out, seed))
    first, second = sides
    return DrawnTie(first, second, is_final)


MAX_TIES_ON_PAGE = 16
"""Ties of a knock-out that fit on one page; of a larger one each round has a page."""


def _pair_knock_out(view: ContestView, now: int) -> Iterator[tables.NewPairing]:
    contest = view.contest
    bracket = compute_knock_out(view)
    for at, (number, board, first, second) in enumerate(
        list_next_matches(bracket), len(view.pairings) + 1
    ):
        before = sum((each.round, each.board) == (number, board) for each in view.pairings)
        game = contest.games[before % len(contest.games)]
        beginning = build_match(view, at, first, second, game, now)
        yield tables.NewPairing(0, first, second, beginning, number, board)


def _mention_all(say: Reader, people: formats.Names) -> Mapping[int, str]:
    return {person: mention_person(say, person) for person in people}


def explain_knock_out(say: Reader) -> str:
    """Explain how a bracket goes on."""
    return say(
        "With more than half of the points of a pairing you go on; a drawn match gives each of you "
        "half a point, and if you're level after all matches, you play on until one of you leads. "
        "The best seeds have a bye where places are empty. If you withdraw, your opponent goes on."
    )


@formats.add_format
class KnockOutFormat(formats.Format):
    """A knock-out, whose rounds follow one another for those who can play."""

    kind = tables.ContestFormat.KNOCK_OUT
    choice = "knock-out"
    has_rounds = True
    may_replace = may_skip = False

    def compute_size(self, contest: tables.Contest, players: int) -> formats.ContestSize:
        return formats.ContestSize(players, rounds=(players - 1).bit_length())

    def plan_start(
        self,
        view: ContestView,
        seeds: Sequence[int],
        now: int,
        blocks: formats.BlockPairs,
        placed: Collection[int],
    ) -> tables.SeasonPlan:
        pairings = list(_pair_knock_out(seed_view(view, [seeds]), now))
        return tables.SeasonPlan([seeds], pairings, now + view.contest.days * DAY, (), self.kind)

    def plan_round(
        self, view: ContestView, now: int, blocks: formats.BlockPairs
    ) -> tables.RoundPlan | None:
        bracket = compute_knock_out(view)
        if bracket.is_over:
            return tables.RoundPlan(closed_rounds=len(bracket.rounds), is_over=True)
        closed = view.contest.closed_rounds
        # The third place is played for in the last round: that goes on until both are decided.
        while closed < len(bracket.rounds) and all(
            tie.is_decided for tie in bracket.ties if tie.round == closed + 1
        ):
            closed += 1
        pairings = list(_pair_knock_out(view, now))
        if not pairings and closed == view.contest.closed_rounds:
            return None
        ends = view.contest.ends
        if closed > view.contest.closed_rounds:
            # The next round began early, and has all its time from now on.
            ends = now + view.contest.days * DAY
        return tables.RoundPlan(pairings, (), closed, ends)

    def list_next_players(self, view: ContestView, now: int) -> frozenset[int]:
        begun = {(each.round, each.board) for each in view.pairings}
        return frozenset(
            person
            for number, board, *pair in list_next_matches(compute_knock_out(view))
            if (number, board) not in begun
            for person in pair
        )

    def count_later_rounds(self, view: ContestView) -> int:
        return max(len(compute_knock_out(view).rounds) - view.contest.closed_rounds - 1, 0)

    def find_next_end(self, view: ContestView, now: int) -> int | None:
        # The next round has begun by now, for those who could.
        return now + view.contest.days * DAY

    def list_point_tables(self, view: ContestView) -> Sequence[formats.PointTable]:
        return ()

    def find_bracket(self, view: ContestView) -> Bracket | None:
        return compute_knock_out(view) if view.contest.began else None

    def list_champions(self, view: ContestView) -> list[int]:
        champion = compute_knock_out(view).champion
        if champion is None:
            return []
        scored = any(each.result.count_points(champion) for each in view.list_own(champion))
        is_there = any(each.person == champion for each in view.present)
        return [champion] if is_there and scored else []

    def describe_standings(self, view: ContestView) -> dict[int, dict[str, Any]]:
        # Once they are out, or have won.
        bracket = self.find_bracket(view)
        ranks = rank_bracket(bracket) if bracket else ()
        return {person: {"rank": rank} for rank, people in ranks for person in people}

    def show_results(
        self, say: Reader, view: ContestView, people: formats.Names
    ) -> formats.Results:
        # In the picture's place the round in words, where that is too large.
        bracket = compute_knock_out(view)
        rounds = choose_drawn_rounds(bracket)
        if not rounds:
            return None, format_bracket(say, bracket, _mention_all(say, people))
        title = format_contest_name(say, view.contest)
        names, is_crowned = picture_names(say, people, {}), may_be_crowned(view)
        drawn = build_drawn_bracket(say, title, bracket, names, rounds, is_crowned=is_crowned)
        described = describe_bracket(say, title, bracket, name_people(say, people), rounds)
        return formats.StandingsDrawing(drawn, described), ()

    def list_own(
        self, say: Reader, view: ContestView, people: formats.Names, person: int
    ) -> list[str]:
        ties = [each for each in compute_knock_out(view).ties if person in each.people]
        return [format_tie(say, each, _mention_all(say, people)) for each in ties[-1:]]

    def show_page(
        self, say: Reader, view: ContestView, people: formats.Names, person: int, asked: int | None
    ) -> formats.StandingsPage:
        bracket = compute_knock_out(view)
        pages = max(view.round, 1) if len(bracket.ties) > MAX_TIES_ON_PAGE else 1
        # Or the latest round that has begun.
        page = formats.choose_page(asked, pages - 1, pages)
        rounds = [page + 1] if pages > 1 else ()
        drawing, _ = self.show_results(say, view, people)
        return formats.StandingsPage(
            number=page,
            labels=[format_round(say, bracket, at + 1) for at in range(pages)],
            lines=format_bracket(say, bracket, _mention_all(say, people), rounds),
            drawing=drawing,
            explained=explain_knock_out(say),
        )

    def label_table(self, say: Reader) -> str:
        return say("All rounds")

    def format_name(self, say: Reader) -> str:
        # Translators: a kind of tournament, named in a list.
        return say("Knock-out")

    def explain(self, say: Reader, contest: tables.Contest) -> Iterator[str]:
        yield say("Knock-out: win and you go on, lose and you're out; the best are seeded apart.")
        best = say.plural("One match decides", "Best of {n} matches", contest.best_of)
        third = say("{how}; the third place is played for", how=best)
        yield third if contest.third_place else best
        if len(contest.games) > 1:
            yield say("The games take turns from match to match.")

    def explain_deadline(self, say: Reader) -> str:
        return say("If that leaves two players level, the better seed goes on.")

    def explain_optional(self, say: Reader) -> str:
        return say("If you'd rather not play, resign it: your opponent then goes on.")

    def list_form_entries(self, say: Reader) -> Sequence[tuple[int, str]]:
        return (
            (1, say("Knock-out: lose and you're out")),
            (3, say("Knock-out, best of 3 matches")),
            (5, say("Knock-out, best of 5 matches")),
        )
