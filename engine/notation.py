"""What players type: text to moves, and moves to text.

Printed plays are canonical; typed ones are read kindly (`a-g`, `a/g`, `ag`, `a6`, `enter c`, `bear x`, `a-g(2)`). A
text is understood only as far as it is legal, and refused with the part that is wrong and the reason.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from engine.board import Board
from engine.explain import explain
from engine.lanes import NUMBERS
from engine.moves import Duty, Move, Play, State, Ways, make, position_of, search, steps, uses
from engine.outcome import judge
from engine.position import Position, Side
from engine.refusal import Refusal, Rule
from engine.rules import Rules

ENTER, BAR = "enter", "bar"
_TIGHT = re.compile(r"\s*(?:->|[-/>→])\s*")
_SPELT = re.compile(r"\b(enter|bear)[\s-]+")
_STEP = re.compile(r"(?:([1-6](?:\+[1-6])*|[1-9]|1[0-8]):)?(.+?)(?:\((\d{1,3})\))?\*?")
_LEXEME = re.compile(r"hand|bar|off|enter|bear|[a-z]|\d{1,3}|\*|-")
_MOST_MEN = 15
_MOST_READINGS = 6


@dataclass(frozen=True, slots=True)
class Hop:
    """One typed movement of one man: from a place, to a place or by a number, with the number where it was named.

    A number that one die can show means that die; a higher one is a sum of some of them, which `added` may name.
    """

    text: str
    source: str
    target: str | None
    number: int | None
    added: tuple[int, ...] = ()

    def allows(self, move: Move) -> bool:
        """Whether the move uses the numbers that were named, if any were."""
        if self.number is None:
            return True
        if self.added or self.number in NUMBERS:
            return move.added == self.added and move.number == self.number
        return move.number == self.number


def parse_play(text: str, rules: Rules, position: Position, duty: Duty = Duty.MUST) -> tuple[Move, ...]:
    """Read typed moves, one or several or the whole play, for the side to move.

    Raises Refusal where the text means nothing, where the rules forbid it (with what would be legal), and where it
    could mean two things.
    """
    root, ways = search(rules, position, duty)
    ends: dict[State, tuple[Move, ...]] = {root: ()}
    for hop in read_hops(text, rules.board):
        state, moves = next(iter(ends.items()))
        if moves and judge(rules, position_of(rules, position.turn, state)):
            break  # a side that has won stops; leftover numbers don't matter [S1]
        onward: dict[State, tuple[Move, ...]] = {}
        for state, moves in ends.items():
            for more, after in _matching(hop, position.turn, state, ways, rules):
                onward.setdefault(after, (*moves, *more))
        if not onward:
            here = position_of(rules, position.turn, state)
            raise explain(
                hop.text,
                _sources(hop, here.men(here.turn), rules.board)[0],
                hop.target,
                hop.number,
                rules,
                here,
                duty,
            )
        ends = onward
    if len(ends) > 1:
        raise _ambiguous(text, rules, position, ends.values())
    return next(iter(ends.values()))


def read_hops(text: str, board: Board) -> list[Hop]:
    """Read typed text into hops; raises Refusal naming the part that means nothing."""
    tidy = _SPELT.sub(r"\1-", _TIGHT.sub("-", text.strip().casefold()))
    hops = [hop for part in re.split(r"[\s,;]+", tidy) if part for hop in _read_step(part, board)]
    if not hops:
        raise Refusal(Rule.UNREADABLE, "there is no move in that; a move is typed as a-g or a6")
    return hops


def _read_step(part: str, board: Board) -> Iterator[Hop]:
    step = _STEP.fullmatch(part)
    lexemes = _LEXEME.findall(step[2]) if step else []
    if step is None or "".join(lexemes) != step[2]:
        raise _unreadable(part)
    stops = _stops(lexemes)
    if len(stops) < 2:
        raise _unreadable(part)
    times = int(step[3] or 1)
    if not 1 <= times <= _MOST_MEN:
        raise Refusal(
            Rule.UNREADABLE,
            f"{part}: between 1 and {_MOST_MEN} men can make the same move",
        )
    named = tuple(map(int, step[1].split("+"))) if step[1] else ()
    for _ in range(times):
        yield from (_hop(part, a, b, named, board) for a, b in pairwise(stops))


def _stops(lexemes: list[str]) -> list[str]:
    """Drop joints and hit marks; a star that begins a step stands for the bar."""
    words = ["bar" if at == 0 and word == "*" else word for at, word in enumerate(lexemes) if word != "-"]
    words = [{"v": "u"}.get(word, word) for word in words if word != "*"]
    return [*words[1:], "off"] if words[:1] == ["bear"] else words


def _hop(part: str, source: str, target: str, named: tuple[int, ...], board: Board) -> Hop:
    source = _known(part, source, board, ENTER, BAR)
    if target.isdigit() and target not in board.places:
        if not 1 <= int(target) <= 6:
            raise Refusal(Rule.UNREADABLE, f"{part}: dice show 1 to 6, not {target}")
        return Hop(part, source, None, int(target))
    added = tuple(sorted(named, reverse=True)) if len(named) > 1 else ()
    return Hop(part, source, _known(part, target, board), sum(named) or None, added)


def _known(part: str, name: str, board: Board, *words: str) -> str:
    if name not in board.places and name not in words:
        raise Refusal(Rule.UNREADABLE, f"{part}: {name} is no point of this board")
    return name


def _unreadable(part: str) -> Refusal:
    return Refusal(
        Rule.UNREADABLE,
        f"{part} is no move; a move is typed as a-g, a6, bar-c or t-off",
    )


def _sources(hop: Hop, men: bytes, board: Board) -> tuple[int, ...]:
    """Return the places that a typed source can mean: which bar need not be said, nor that one enters from it."""
    if hop.source == BAR or (hop.source == ENTER and board.waiting(men)):
        return tuple(bar for bar in board.bars if men[bar]) or board.bars[:1]
    return (board.places.get(hop.source, board.hand),)


def _matching(hop: Hop, side: Side, state: State, ways: Ways, rules: Rules) -> list[tuple[tuple[Move, ...], State]]:
    board = rules.board
    sources = _sources(hop, position_of(rules, side, state).men(side), board)
    target = board.places[hop.target] if hop.target else None
    direct: list[tuple[tuple[Move, ...], State]] = [
        ((move,), after)
        for move, after in ways.get(state, ())
        if move.source in sources and target in (None, move.target) and hop.allows(move)
    ]
    if direct or target is None or hop.number:
        return direct
    return [found for source in sources for found in _carried(source, target, state, ways)]


def _carried(source: int, target: int, state: State, ways: Ways) -> Iterator[tuple[tuple[Move, ...], State]]:
    """Yield the ways one man goes from source to target by several numbers, resting on legal points between."""
    for move, after in ways.get(state, ()):
        if move.source != source:
            continue
        if move.target == target:
            yield (move,), after
        else:
            yield from (((move, *more), end) for more, end in _carried(move.target, target, after, ways))


def _ambiguous(text: str, rules: Rules, position: Position, readings: Iterable[tuple[Move, ...]]) -> Refusal:
    meant = tuple(format_play(moves, rules, position, spell_out=True) for moves in islice(readings, _MOST_READINGS))
    return Refusal(Rule.AMBIGUOUS, f"{text.strip()} could mean {' or '.join(meant)}", meant)


def format_play(
    moves: tuple[Move, ...],
    rules: Rules,
    position: Position,
    *,
    spell_out: bool = False,
) -> str:
    """Return the canonical text of moves from a position.

    A man's moves in a row are joined (`a-g-m`), equal ones counted (`a-g(2)`), hits starred. The number stands before
    a bearing move where another number left could bear that man too, or everywhere with `spell_out`.
    """
    words: list[list[str]] = []
    ends: list[int] = []
    for move in moves:
        name = rules.board.names[move.target] + "*" * move.hit
        named = spell_out or _number_matters(move, rules, position)
        prefix = "+".join(map(str, move.numbers)) + ":" if named else ""
        if words and ends[-1] == move.source and not prefix and ":" not in words[-1][0]:
            words[-1].append(name)
            ends[-1] = move.target
        else:
            source = BAR if move.source in rules.board.bars else rules.board.names[move.source]
            words.append([f"{prefix}{source}", name])
            ends.append(move.target)
        position = make(rules, position, move)
    return " ".join(_counted("-".join(word) for word in words))


def remarks(plays: Sequence[Play], rules: Rules) -> list[str]:
    """Say of each play what is remembered after it, where another leads to the same men; nothing of the others."""
    men = [play.end._replace(memory=0) for play in plays]
    return [
        rules.memory.words(rules, play.end.memory) if rules.memory and men.count(end) > 1 else ""
        for play, end in zip(plays, men, strict=True)
    ]


def _number_matters(move: Move, rules: Rules, position: Position) -> bool:
    if move.target != rules.board.off and not rules.sums:
        return False
    return any(
        (move.source, move.target) == step[:2] and move.numbers != step.numbers
        for number, added, _ in uses(position.dice, rules.sums)
        for step in steps(rules, position, number, added)
    )


def _counted(words: Iterable[str]) -> Iterator[str]:
    counted: list[list[str]] = []
    for word in words:
        if counted and counted[-1][0] == word and "*" not in word:
            counted[-1].append(word)
        else:
            counted.append([word])
    for same in counted:
        yield same[0] if len(same) == 1 else f"{same[0]}({len(same)})"
