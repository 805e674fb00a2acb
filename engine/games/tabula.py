"""Roman tabula after Bell and Botermans [S4]."""

from collections.abc import Iterator
from dataclasses import replace

from engine.games.house import UNUSABLE, change_values
from engine.games.sources import BELL, BOTERMANS, ROMAN_PAGE
from engine.move import Move
from engine.position import Position
from engine.rules import (
    Bearing,
    Family,
    Game,
    Label,
    Memory,
    Option,
    Placing,
    Provenance,
    Remark,
    Rules,
    Value,
    Way,
)
from engine.steps import open_moves


def being_placed(rules: Rules, position: Position, move: Move | None) -> int:
    """Remember the point, plus one, of the man who is just being placed; nought where there is none, or he stays."""
    if move is None or move.target >= rules.board.size:
        return 0
    beside = move.source >= rules.board.size
    placed = beside or move.source in going_on(position.memory)
    return move.target + 1 if placed and _may_go_on(rules, position, move.target) else 0


def going_on(memory: int) -> tuple[int, ...]:
    """Return the point of the man who is just being placed: he may go on while others wait."""
    return (memory - 1,) if memory else ()


def _may_go_on(rules: Rules, position: Position, point: int) -> bool:
    """Whether a number left moves a man of that point only because he is the one being placed."""
    men = position.men(position.turn)
    if not men[point] or not (rules.board.waiting(men) or _places_still(rules, men)):
        return False
    there = position._replace(memory=point + 1)
    return any(move.source == point for move in open_moves(rules, there))


def _places_still(rules: Rules, men: bytes) -> bool:
    """Whether men that are placed wait for those in the hand."""
    return rules.placing is Placing.STILL and men[rules.board.hand] > 0


def possibly_placed(rules: Rules, position: Position) -> Iterator[int]:
    """Every man of the side to move who may be the one just being placed."""
    return (point + 1 for point in range(rules.board.size) if _may_go_on(rules, position, point))


def placed_as_text(rules: Rules, memory: int) -> str:
    """Write the point of the man being placed: `placed=g`."""
    return f"placed={rules.board.names[memory - 1]}"


def remark_on_placed(rules: Rules, memory: int) -> Remark:
    """Tell a player who may go on."""
    return ("placed", {"point": rules.board.names[memory - 1]}) if memory else ("placed-none", {})


SUMS = Option(
    name="sums",
    asks="How is a sum of numbers played?",
    values=(
        Value("steps", "As moves one after another: every resting place must be open."),
        Value(
            "bound",
            "Any two numbers, or all three, may be added and used as one; only the landing point counts.",
            {"sums": True},
        ),
    ),
    source="Bell: every resting place must be free; Botermans can be read otherwise",
)

BEARING = Option(
    name="bearing",
    asks="How are men borne off?",
    values=(
        Value("past", "By any number that carries the man to the edge or past it."),
        Value(
            "usual",
            "By the exact number, or a higher one when no man stands farther back.",
            {"bearing": Bearing.USUAL},
        ),
    ),
    source="Bell and Botermans ask for no exactness; the usual rule is that of the tables games",
)


def nobody_waits(rules: Rules, memory: int, mine: bytes, _theirs: bytes, _moves: int) -> bool:
    """Whether nobody waits for the man who is placed next: of the men hit, only the last is left to enter, or none."""
    if _places_still(rules, mine):
        return False
    waiting = rules.board.waiting(mine)
    return waiting == 0 or (waiting == 1 and not memory)


PLACED = Memory(
    being_placed, possibly_placed, placed_as_text, remark_on_placed, nobody_waits, going_on
)

PLACING = Option(
    name="placing",
    asks="What may men do while others of their side are still to be placed?",
    values=(
        Value("free", "Move, as far as m."),
        Value(
            "still",
            "Wait; only the man being placed goes on with another number, as far as m.",
            {"placing": Placing.STILL},
        ),
        Value("anywhere", "Move, past m too.", {"placing": Placing.FREE}),
    ),
    source="Bell bars only the second half of the board, and says that this improves the game, which the page that "
    "gives his rules takes for no hard and fast rule; Botermans speaks of placing alone",
)

HOME = Option(
    name="home",
    asks="Must all men stand in the last table before any is borne off?",
    values=(
        Value("all", "Yes."),
        Value("any", "No: any man goes off that a number carries over the edge.", {"gate": 0}),
    ),
    source="Bell: no original source asks for it, but it makes the game better",
)

RETURNING = (
    "Men that are hit return as at first: one of two may take a total while the other waits."
)

TABULA = Game(
    slug="tabula",
    title="Tabula",
    aliases=("Roman tabula", "Alea", "Tabula (Bell)"),
    tagline="The Roman race: place fifteen men, round the board the same way, and off over the edge.",
    rules=Rules(
        gold=Way(start="hand15", course="a..z"),
        black=Way(start="hand15", course="a..z"),
        placing=Placing.HALF,
        bearing=Bearing.PAST,
        memory=PLACED,
    ),
    edition=2,
    family=Family.ROME,
    rank=1,
    options=(SUMS, BEARING, HOME, PLACING, UNUSABLE),
    special=(
        "All men start off the board. Until all of yours are on it, none goes past m.",
        RETURNING,
        "When all are in the last table, any number that reaches the edge or passes it bears a man off.",
    ),
    words={
        "placed": "only the man just placed on {point} goes on",
        "placed-none": "no placed man goes on",
    },
    provenance=Provenance(
        label=Label.RECONSTRUCTED,
        sources=(BELL, BOTERMANS, ROMAN_PAGE),
        history=(
            "The page that gives these rules tells, after Bell, of two emperors who played it: Claudius, who wrote "
            "a book about it, and Zeno, of whose unlucky throw an epigram tells."
        ),
        decisions=(
            "A sum is played as moves one after another, as Bell has it.",
            "A man hit later enters as at first, and the limit of m holds again until he has.",
            "In matches begun before totals brought them in, all men hit enter before any other moves.",
            "Placed men may move as far as m while others wait; that they may not is an option.",
        ),
    ),
)


def _being_placed_at_first(rules: Rules, position: Position, move: Move | None) -> int:
    return being_placed(rules, position, move) if _only_in_hand(rules, position) else 0


def _possibly_placed_at_first(rules: Rules, position: Position) -> Iterator[int]:
    return possibly_placed(rules, position) if _only_in_hand(rules, position) else iter(())


def _only_in_hand(rules: Rules, position: Position) -> bool:
    men = position.men(position.turn)
    return men[rules.board.hand] > 0 and not rules.board.waiting(men)


def _nobody_in_hand(rules: Rules, _memory: int, mine: bytes, _theirs: bytes, _moves: int) -> bool:
    return not mine[rules.board.hand]


_PLACED_AT_FIRST = Memory(
    _being_placed_at_first,
    _possibly_placed_at_first,
    placed_as_text,
    remark_on_placed,
    _nobody_in_hand,
    going_on,
)

TABULA_FIRST = replace(
    TABULA,
    edition=1,
    rules=replace(TABULA.rules, memory=None),
    options=(
        SUMS,
        BEARING,
        HOME,
        change_values(PLACING, {"still": {"memory": _PLACED_AT_FIRST}}),
        UNUSABLE,
    ),
    special=tuple(line for line in TABULA.special if line != RETURNING),
)
"""The first edition, for what began with it: men that are hit enter before any other moves."""
