"""What is said of the bracket of a knock-out, in words and in its picture."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from bot.features.contests.bracket import Bracket, Tie
from bot.features.contests.texts import format_number
from bot.platform.i18n.common import format_labelled, join_clauses
from bot.platform.i18n.reader import Reader
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
    return say("Round of {n}", n=2 * ties)


def format_bracket(
    say: Reader, bracket: Bracket, names: Mapping[int, str], rounds: Sequence[int] = ()
) -> tuple[str, ...]:
    """Tell what happened in each tie, below the names of the rounds; the latest round is first.

    `names` are written as they are: mentions, or names that are escaped. Of the rounds only those
    given are told, or all if there are none given.
    """
    lines: list[str] = []
    for heading, told in _iter_rounds(say, bracket, names, rounds):
        lines += [f"**{heading}**", *(f"- {line}" for line in told)]
    return tuple(lines)


def describe_bracket(
    say: Reader, title: str, bracket: Bracket, names: Mapping[int, str], rounds: Sequence[int] = ()
) -> str:
    """Return what the picture of a bracket shows in words, for those who do not see it."""
    parts = [title]
    for heading, told in _iter_rounds(say, bracket, names, rounds):
        parts.append(format_labelled(say, heading, join_clauses(say, told)))
    return shorten_text(" ".join(f"{part}." for part in parts), MAX_ALT_TEXT)


def format_tie(say: Reader, tie: Tie, names: Mapping[int, str]) -> str:
    """Tell who meets in a tie and who has won it; empty while nobody is known."""
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
        "{winner} won the tie with {other} at {score}", winner=winner, other=other, score=score
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
    say: Reader, title: str, bracket: Bracket, names: Mapping[int, str], rounds: Sequence[int]
) -> DrawnBracket:
    """Return some rounds of a bracket, to be drawn; `names` can be drawn too.

    The tie for the third place is below them if the final is among them.
    """
    third = None
    if bracket.third_place is not None and len(bracket.rounds) in rounds:
        tie = _build_drawn_tie(say, bracket.third_place, names)
        third = BracketColumn(say("Third place"), (tie,))
    columns = tuple(
        BracketColumn(
            format_round(say, bracket, number),
            tuple(
                _build_drawn_tie(say, tie, names, is_final=number == len(bracket.rounds))
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
            told = list(filter(None, (format_tie(say, tie, names) for tie in ties)))
            if told:
                yield heading, told


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
    """Tell that nobody has won a tie."""
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
    say: Reader, tie: Tie, names: Mapping[int, str], *, is_final: bool = False
) -> DrawnTie:
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
            # A dash is for somebody who does not come, and nothing for who is not known yet.
            name = "–" if is_known else ""
        is_out = tie.is_decided and not is_winner
        sides.append(TieSide(name, score, is_winner, is_out))
    first, second = sides
    return DrawnTie(first, second, is_final)
