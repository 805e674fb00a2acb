"""What players type: text to moves, and moves to text.

Printed plays are canonical; typed ones are read kindly (`a-g`, `a/g`, `ag`, `a6`, `enter c`, `bear
x`, `a-g(2)`). A text is understood only as far as it is legal, and refused with the part that is
wrong and the reason.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from engine.board import GameBoard
from engine.ending import find_outcome
from engine.explain import build_refusal
from engine.move import Move
from engine.plays import Duty, Play, Ways, make_move, recall_plays, walk_man
from engine.position import Position, Side
from engine.refusal import Reason, Refusal
from engine.rules import Remark, Rules
from engine.search.bitboards import build_bitboards
from engine.search.moves import list_moves
from engine.search.state import State, unpack_position
from engine.typed import BAR, ENTER, TypedMove, parse_typed_moves

_MAX_READINGS = 6


def parse_play(
    text: str, rules: Rules, position: Position, duty: Duty = Duty.MUST
) -> tuple[Move, ...]:
    """Read typed moves, one or several or the whole play, for the side to move.

    Raises Refusal where the text means nothing, where the rules forbid it (with what would be
    legal), and where it could mean two things.
    """
    root, ways = recall_plays(rules, position, duty)
    # Readings are kept by where they lead: two that end alike leave no doubt about what is meant.
    ends: dict[State, tuple[Move, ...]] = {root: ()}
    for hop in parse_typed_moves(text, rules, position.turn):
        state, moves = next(iter(ends.items()))
        if moves and find_outcome(
            rules, unpack_position(state, position.turn, len(rules.board.place_names))
        ):
            break  # a side that has won stops; leftover numbers don't matter [S1]
        onward: dict[State, tuple[Move, ...]] = {}
        for state, moves in ends.items():
            for more, after in _match_typed_move(hop, position.turn, state, ways, rules):
                onward.setdefault(after, (*moves, *more))
        if not onward:
            here = unpack_position(state, position.turn, len(rules.board.place_names))
            raise build_refusal(
                hop.text,
                _find_sources(hop, here.men(here.turn), rules.board)[0],
                hop.target,
                hop.number,
                rules,
                here,
                duty,
            )
        ends = onward
    if len(ends) > 1:
        raise _refuse_ambiguous(text, rules, position, ends.values())
    return next(iter(ends.values()))


def _find_sources(hop: TypedMove, men: bytes, board: GameBoard) -> tuple[int, ...]:
    """Return the places that a typed source can mean.

    Players need not say which bar, nor that a man enters from it.
    """
    if hop.source == BAR or (hop.source == ENTER and board.count_waiting(men)):
        # Where nobody waits, the refusal still needs a place to name.
        return tuple(bar for bar in board.bars if men[bar]) or board.bars[:1]
    return (board.places_by_name.get(hop.source, board.hand),)


def _match_typed_move(
    hop: TypedMove, side: Side, state: State, ways: Ways, rules: Rules
) -> list[tuple[tuple[Move, ...], State]]:
    board = rules.board
    sources = _find_sources(
        hop, unpack_position(state, side, len(board.place_names)).men(side), board
    )
    target = board.places_by_name[hop.target] if hop.target else None
    direct: list[tuple[tuple[Move, ...], State]] = [
        ((move,), after)
        for move, after in ways.get(state, ())
        if move.source in sources and target in (None, move.target) and hop.may_mean(move)
    ]
    # A number that was named is one move; only without one may several make up the way.
    if direct or target is None or hop.number:
        return direct
    return [
        (moves, after)
        for source in sources
        for moves, after in walk_man(ways, source, state)
        if moves[-1].target == target
    ]


def _refuse_ambiguous(
    text: str, rules: Rules, position: Position, readings: Iterable[tuple[Move, ...]]
) -> Refusal:
    meant = tuple(
        format_play(moves, rules, position, spell_out=True)
        for moves in islice(readings, _MAX_READINGS)
    )
    return Refusal(Reason.AMBIGUOUS, meant, typed=text.strip())


def format_play(
    moves: tuple[Move, ...],
    rules: Rules,
    position: Position,
    *,
    spell_out: bool = False,
) -> str:
    """Return the canonical text of moves from a position.

    A man's moves in a row are joined (`a-g-m`), equal ones counted (`a-g(2)`), hits starred. The
    number stands before a bearing move where another number left could bear that man too, or
    everywhere with `spell_out`.
    """
    words: list[list[str]] = []
    ends: list[int] = []
    may_need_numbers = not spell_out and any(_may_need_number(move, rules) for move in moves)
    for move in moves:
        name = rules.board.place_names[move.target] + "*" * move.hit
        named = spell_out or _is_number_needed(move, rules, position)
        prefix = "+".join(map(str, move.numbers)) + ":" if named else ""
        # A number in front speaks of one move only, so such a move is not joined with another.
        if words and ends[-1] == move.source and not prefix and ":" not in words[-1][0]:
            words[-1].append(name)
            ends[-1] = move.target
        else:
            source = (
                # Of several bars, the point of entry tells which one it is.
                BAR if move.source in rules.board.bars else rules.board.place_names[move.source]
            )
            words.append([f"{prefix}{source}", name])
            ends.append(move.target)
        # Making a move takes longer than writing it.
        if may_need_numbers:
            position = make_move(rules, position, move)
    return " ".join(_merge_repeats("-".join(word) for word in words))


def list_remarks(plays: Sequence[Play], rules: Rules) -> list[Remark | None]:
    """Return for each play what is remembered after it, where another play leads to the same men.

    It is None for all other plays.
    """
    if rules.memory is None:
        return [None for _ in plays]
    men = [play.end._replace(memory=0) for play in plays]
    counts = Counter(men)
    return [
        rules.memory.remark(rules, play.end.memory) if counts[end] > 1 else None
        for play, end in zip(plays, men, strict=True)
    ]


def _may_need_number(move: Move, rules: Rules) -> bool:
    # On the board only one number leads from one point to another, unless some are added up.
    return move.target == rules.board.off or rules.sums


def _is_number_needed(move: Move, rules: Rules, position: Position) -> bool:
    return _may_need_number(move, rules) and any(
        (move.source, move.target) == step[:2] and move.numbers != step.numbers
        for use, _ in build_bitboards(rules, position.turn).uses[position.dice]
        for step in list_moves(rules, position, use.number, use.added)
    )


def _merge_repeats(words: Iterable[str]) -> Iterator[str]:
    counted: list[list[str]] = []
    for word in words:
        if counted and counted[-1][0] == word and "*" not in word:
            counted[-1].append(word)
        else:
            counted.append([word])
    for same in counted:
        yield same[0] if len(same) == 1 else f"{same[0]}({len(same)})"
