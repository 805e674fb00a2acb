"""What people type as a play, as far as it can be read without knowing what is legal.

A point is typed by its letter, or by its number as its own side counts: the pips that a man there
still has to go to leave the course. So on a course of 24 points the first is 24 and the last 1, as
backgammon counts; on the half board, of twelve, they are 12 and 1; and where a table is both entry
and exit, a point's number is the one that bears from it. Points off a side's course have none, and
the board of duodecim scripta, whose points are named by numbers, keeps its own. A step reads its
numbers as points where it begins with one (`24/18`, `6/off`), and from the bar or the hand where no
die shows it (`bar/20`); after a letter a number is always a die (`a6`).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from engine.move import Move
from engine.pasted import MOVE_MARKS, SHORT_WORDS, WORDS, split_steps
from engine.position import Side
from engine.refusal import Reason, Refusal
from engine.rules import Rules
from engine.search.routes import NUMBERS, build_route

ENTER = "enter"
BEAR = "bear"
BAR = "bar"
HAND = "hand"
OFF = "off"

# The numbers used come first (`6:`, `5+1:`), how often last (`(2)`); the star of a hit tells
# nothing that the position doesn't.
_STEP = re.compile(r"(?:([1-6](?:\+[1-6])*|[1-9]|1[0-8]):)?(.+?)(?:\((\d{1,3})\))?\*?")
# Words come before letters, or `bar` would be read as three points.
_LEXEME = re.compile(r"hand|bar|off|enter|bear|[a-z]|\d{1,3}|\*|-")
_MOST_MEN = 15


@dataclass(frozen=True, slots=True)
class TypedMove:
    """One man's typed movement: from a place, to a place or by a number, the number if named.

    A number that one die can show means that die; a higher one is a sum of some of them, which
    `added` may name.
    """

    text: str
    source: str
    target: str | None
    number: int | None
    added: tuple[int, ...] = ()

    def may_mean(self, move: Move) -> bool:
        """Whether the move uses the numbers that were named, if any were."""
        if self.number is None:
            return True
        if self.added or self.number in NUMBERS:
            return move.added == self.added and move.number == self.number
        return move.number == self.number


def parse_typed_moves(text: str, rules: Rules, side: Side) -> list[TypedMove]:
    """Read what a side typed into hops; raises Refusal naming the part that means nothing."""
    steps = split_steps(text)
    # Where no step has a sign or a number, two letters that are also a word are points.
    bare = all(map(str.isalpha, steps))
    hops = [hop for step in steps for hop in _parse_step(step, rules, side, bare=bare)]
    if not hops:
        raise Refusal(Reason.NOTHING_TYPED)
    return hops


def number_points(rules: Rules, side: Side) -> Mapping[int, str]:
    """Return a side's points by its own numbers for them; none where the names are numbers."""
    names = rules.board.points
    course = rules.course(side)
    exact = build_route(rules, side).exact
    if names[0].isdigit():
        return {}
    return {exact.get(point, len(course) - step): names[point] for step, point in enumerate(course)}


def _parse_step(written: str, rules: Rules, side: Side, *, bare: bool) -> Iterator[TypedMove]:
    part = written.rstrip(MOVE_MARKS)
    step = _STEP.fullmatch(part)
    lexemes = _LEXEME.findall(step[2]) if step else []
    # `findall` skips what it doesn't know, so what it has found must add up to all that is there.
    if step is None or "".join(lexemes) != step[2]:
        raise Refusal(Reason.UNREADABLE, typed=written)
    stops = _list_stops(lexemes)
    if len(stops) < 2 or _is_word(part, lexemes, rules, side, bare=bare):
        raise Refusal(Reason.UNREADABLE, typed=written)
    times = int(step[3] or 1)
    if not 1 <= times <= _MOST_MEN:
        raise Refusal(Reason.TOO_OFTEN, move=part, most=_MOST_MEN)
    if _has_point_numbers(stops):
        stops = _replace_point_numbers(part, stops, rules, side)
    named = tuple(map(int, step[1].split("+"))) if step[1] else ()
    for _ in range(times):
        yield from (_build_typed_move(part, a, b, named, rules) for a, b in pairwise(stops))


def _is_word(part: str, lexemes: list[str], rules: Rules, side: Side, *, bare: bool) -> bool:
    """Return whether a step without a sign is an English word.

    Points in a row are in the order of the side's course.
    """
    if not part.isalpha():
        return False
    if part in WORDS or (part in SHORT_WORDS and not bare):
        return True
    if len(lexemes) < 3:
        return False
    first = lexemes[0] in (ENTER, BAR, HAND, BEAR)
    last = lexemes[-1] == OFF
    # Looking for a point uses up the iterator as far as that point, so each one has to come after
    # the one before.
    on_the_way = iter(rules.board.place_names[place] for place in rules.course(side))
    return not all(
        _normalise_point(each) in on_the_way for each in lexemes[first : len(lexemes) - last]
    )


def _normalise_point(letter: str) -> str:
    """Return a point as Murray writes it: some write u as v."""
    return "u" if letter == "v" else letter


def _list_stops(lexemes: list[str]) -> list[str]:
    """Drop joints and hit marks; a star that begins a step stands for the bar."""
    words = [
        BAR if at == 0 and word == "*" else word for at, word in enumerate(lexemes) if word != "-"
    ]
    words = [_normalise_point(word) for word in words if word != "*"]
    # `bear x` names only where the man stands.
    return [*words[1:], OFF] if words[:1] == [BEAR] else words


def _has_point_numbers(stops: list[str]) -> bool:
    """Whether the numbers of a step are those of points, and not of dice."""
    first, second = stops[:2]
    beside = first in (ENTER, BAR, HAND) and second.isdigit() and int(second) not in NUMBERS
    return first.isdigit() or beside


def _replace_point_numbers(part: str, stops: list[str], rules: Rules, side: Side) -> list[str]:
    """Put letters for the numbers of points."""
    points = number_points(rules, side)
    if not points:
        return stops
    for stop in stops:
        if stop.isdigit() and int(stop) not in points:
            raise Refusal(
                Reason.NO_POINT_NUMBER, move=part, side=side, number=stop, most=max(points)
            )
    return [points[int(stop)] if stop.isdigit() else stop for stop in stops]


def _build_typed_move(
    part: str, source: str, target: str, named: tuple[int, ...], rules: Rules
) -> TypedMove:
    source = _check_place_name(part, source, rules, ENTER, BAR)
    # On the board of duodecim scripta a number is a point and never a die.
    if target.isdigit() and target not in rules.board.places_by_name:
        if int(target) not in NUMBERS:
            raise Refusal(Reason.NO_DIE_NUMBER, move=part, number=target)
        return TypedMove(part, source, None, int(target))
    added = tuple(sorted(named, reverse=True)) if len(named) > 1 else ()
    return TypedMove(
        part, source, _check_place_name(part, target, rules), sum(named) or None, added
    )


def _check_place_name(part: str, name: str, rules: Rules, *words: str) -> str:
    if name not in rules.board.places_by_name and name not in words:
        raise Refusal(Reason.NO_POINT, move=part, name=name)
    return name
