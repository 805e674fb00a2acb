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
from typing import Any

from engine.folding import fold_text
from engine.move import Move
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
_MAX_MEN = 15


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
        raise _build_unreadable(Reason.NOTHING_TYPED, rules)
    return hops


def _build_unreadable(reason: Reason, rules: Rules, **parts: Any) -> Refusal:  # noqa: ANN401
    """Return a refusal whose example of a move is one of this board."""
    if has_numbered_points(rules):
        parts["numbered"] = True
    return Refusal(reason, **parts)


def has_numbered_points(rules: Rules) -> bool:
    """Whether the points of a board are named by numbers, not by letters."""
    return rules.board.points[0].isdigit()


def number_points(rules: Rules, side: Side) -> Mapping[int, str]:
    """Return a side's points by its own numbers for them; none where the names are numbers."""
    if has_numbered_points(rules):
        return {}
    names = rules.board.points
    return {pips: names[point] for point, pips in build_route(rules, side).exact.items()}


def _parse_step(written: str, rules: Rules, side: Side, *, bare: bool) -> Iterator[TypedMove]:
    part = written.rstrip(MOVE_MARKS)
    step = _STEP.fullmatch(part)
    lexemes = _LEXEME.findall(step[2]) if step else []
    # `findall` skips what it doesn't know, so what it has found must add up to all that is there.
    if step is None or "".join(lexemes) != step[2]:
        raise _build_unreadable(Reason.UNREADABLE, rules, typed=written)
    stops = _list_stops(lexemes)
    if len(stops) < 2 or _is_word(part, lexemes, rules, side, bare=bare):
        raise _build_unreadable(Reason.UNREADABLE, rules, typed=written)
    times = int(step[3] or 1)
    if not 1 <= times <= _MAX_MEN:
        raise Refusal(Reason.TOO_OFTEN, move=part, most=_MAX_MEN)
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


COMMAND_WORDS = ("roll", "throw", "undo", "take back", "resign", "pass")
"""What is typed as a play and is something else."""
_PASSES = (
    *("passes", "no move", "no moves", "no play", "no legal move", "no legal moves"),
    *("cannot move", "can't move", "cannot play", "dance", "dances"),
)
"""How programs and people say that nothing can be played."""

_REMARK = re.compile(r"\((?!\d{1,3}\))[^()]*\)|\[[^][]*\]|\{[^{}]*\}|\"[^\"]*\"|(?<!\S)#.*")
_APART = re.compile(r" (?=\(\d{1,3}\))")
_JOINT = re.compile(r"\s*(?:[-=]+>|[-/>]+)\s*|(?<=\S)\s+to\s+")
_NUMBERED = re.compile(r"^\d{1,3}[.)] ")
# `11:` to `16:` may also be the sum that a move uses; before a throw's moves there is a space.
_THROW = re.compile(
    r"^(?:[1-6](?:-[1-6]){1,2} ?: ?|(?:[2-6][1-6]|[1-6]{3}) ?: ?|[1-6]{2,3}(?: ?:)? )"
)
_COLON = re.compile(r" ?: ?")
MOVE_MARKS = ".!?"
"""What may follow a move."""
_SPELT = re.compile(r"\b(enter|bear)[\s-]+")
_BETWEEN = ("and", "then", "&", "+")

_LONG = (
    "abort ace aces act adopt ago aim aims air almost any apt art begin begins below bent "
    "best bet bin bit blot blow bot bow box boy buy ceil chip chips chop city clot copy cost "
    "cow cry demo den deny dim dip dirt dirty dos dot dry ego empty fed film fin first fist "
    "fit fix flow flux fly for fort forty fox gin glow gory got guy him hint hip his hit hot "
    "how imp knot know lea led lie life lost lot low mid mop most nor not now old ole one opt "
    "pie pied pig plea poke pole red rib rid rob role sea she sob sold sole solid some son "
    "song spec sped spoke tea the tic tie tied toe toga told tone tonic tried upon use used "
    "via vie web wed wife wig woke wolf won wrong yoke zone zoned"
)
WORDS = frozenset(_LONG.split())
"""English words that may stand beside moves and could spell a man's way.

No other words run along a course.
"""
_SHORT = "ad ah am an as at be by do ex go ha hi if in is it me my no of oh on or ox so to up us we"
SHORT_WORDS = frozenset(_SHORT.split())
"""The same of two letters, which may be a move as well: `go` is one from g to o."""


def split_steps(text: str) -> list[str]:
    """Return the steps of a typed or pasted line, without what stands around them.

    Their joints are written as `-`. Raises Refusal where the line is a command, or says that
    nothing can be played.
    """
    # Remarks go first, since they may hold anything, signs that look like joints among it.
    line = _JOINT.sub("-", _APART.sub("", _REMARK.sub(" ", fold_text(text)))).strip()
    line = _COLON.sub(":", _THROW.sub("", _NUMBERED.sub("", line)))
    question = line.removeprefix("-").rstrip(MOVE_MARKS)
    if question in COMMAND_WORDS or question in _PASSES:
        raise Refusal(Reason.COMMAND, word=question if question in COMMAND_WORDS else "pass")
    parts = re.split(r"[\s,;]+", _SPELT.sub(r"\1-", line))
    return [part for part in parts if part.strip(MOVE_MARKS) and part not in _BETWEEN]
