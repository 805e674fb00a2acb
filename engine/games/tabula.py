"""Roman tabula after Bell and Botermans [S4]."""

from collections.abc import Iterator
from dataclasses import replace

from engine.games.house_rules import UNUSABLE, change_values
from engine.games.sources import BELL, BOTERMANS, ROMAN_PAGE
from engine.move import Move
from engine.position import Position
from engine.rules import (
    BearingRule,
    Family,
    Game,
    Memory,
    Option,
    OptionValue,
    PlacingRule,
    Provenance,
    ProvenanceLabel,
    Remark,
    Rules,
    SideRules,
)
from engine.search.moves import find_possible_moves


def track_placed_man(rules: Rules, position: Position, move: Move | None) -> int:
    """Remember the point, plus one, of the man being placed; 0 if there is none, or it stays."""
    if move is None or move.target >= rules.board.size:
        return 0
    beside = move.source >= rules.board.size
    placed = beside or move.source in find_placed_point(position.memory)
    return move.target + 1 if placed and _may_go_on(rules, position, move.target) else 0


def find_placed_point(memory: int) -> tuple[int, ...]:
    """Return the point of the man who is just being placed: he may go on while others wait."""
    return (memory - 1,) if memory else ()


def _may_go_on(rules: Rules, position: Position, point: int) -> bool:
    """Whether a number left moves a man of that point only because he is the one being placed."""
    men = position.men(position.turn)
    if not men[point] or not (rules.board.count_waiting(men) or _is_placing_still(rules, men)):
        return False
    # Asked as if it were he: otherwise the search would hold him back like the others.
    there = position._replace(memory=point + 1)
    return any(move.source == point for move in find_possible_moves(rules, there))


def _is_placing_still(rules: Rules, men: bytes) -> bool:
    """Whether men that are placed wait for those in the hand."""
    return rules.placing is PlacingRule.STILL and men[rules.board.hand] > 0


def find_placed_candidates(rules: Rules, position: Position) -> Iterator[int]:
    """Every man of the side to move who may be the one just being placed."""
    return (point + 1 for point in range(rules.board.size) if _may_go_on(rules, position, point))


def format_placed_man(rules: Rules, memory: int) -> str:
    """Write the point of the man being placed: `placed=g`."""
    return f"placed={rules.board.place_names[memory - 1]}"


def remark_on_placed_man(rules: Rules, memory: int) -> Remark:
    """Tell a player who may go on."""
    return (
        ("placed", {"point": rules.board.place_names[memory - 1]})
        if memory
        else ("placed-none", {})
    )


SUMS = Option(
    name="sums",
    asks="How is a sum of numbers played?",
    values=(
        OptionValue(
            "steps", ("As separate moves, one after another: every point on the way must be open.")
        ),
        OptionValue(
            "bound",
            (
                "Any two numbers, or all three, may be added and used as one; only the landing "
                "point counts."
            ),
            {"sums": True},
        ),
    ),
    source="Bell: every resting place must be free; Botermans can be read differently",
)

BEARING = Option(
    name="bearing",
    asks="How are men borne off?",
    values=(
        OptionValue("past", "By any number that takes the man to the edge or past it."),
        OptionValue(
            "usual",
            "By the exact number, or a higher one if no man stands farther back.",
            {"bearing": BearingRule.USUAL},
        ),
    ),
    source=(
        "Bell and Botermans do not require the exact number; the usual rule is that of the tables "
        "games"
    ),
)


def has_nobody_waiting(rules: Rules, memory: int, mine: bytes, _theirs: bytes, _moves: int) -> bool:
    """Whether no man waits for the one placed next: at most the last of the hit men is to enter."""
    if _is_placing_still(rules, mine):
        return False
    waiting = rules.board.count_waiting(mine)
    return waiting == 0 or (waiting == 1 and not memory)


PLACED_MEMORY = Memory(
    track_placed_man,
    find_placed_candidates,
    format_placed_man,
    remark_on_placed_man,
    has_nobody_waiting,
    find_placed_point,
)

PLACING = Option(
    name="placing",
    asks="What may men do while others of their side have yet to enter?",
    values=(
        OptionValue("free", "Move, as far as m."),
        OptionValue(
            "still",
            "Wait; only the man just placed may go on with another number, as far as m.",
            {"placing": PlacingRule.STILL},
        ),
        OptionValue("anywhere", "Move, even past m.", {"placing": PlacingRule.FREE}),
    ),
    source=(
        "Bell bars only the second half of the board and says that this improves the game; the "
        "page that gives his rules does not take it for a hard and fast rule; Botermans speaks "
        "only of placing"
    ),
)

HOME = Option(
    name="home",
    asks="Must all men be in the last table before any is borne off?",
    values=(
        OptionValue("all", "Yes."),
        OptionValue(
            "any", "No: any man that a number takes over the edge is borne off.", {"gate": 0}
        ),
    ),
    source="Bell: no original source requires it, but it makes the game better",
)

TABULA = Game(
    slug="tabula",
    title="Tabula",
    aliases=("Roman tabula", "Alea", "Tabula (Bell)"),
    tagline=(
        "The Roman race: place fifteen men, run round the board the same way and go off over the "
        "edge."
    ),
    rules=Rules(
        gold=SideRules(start="hand15", course="a..z"),
        black=SideRules(start="hand15", course="a..z"),
        placing=PlacingRule.HALF,
        bearing=BearingRule.PAST,
        memory=PLACED_MEMORY,
    ),
    edition=3,
    family=Family.ROME,
    rank=1,
    options=(SUMS, BEARING, HOME, PLACING, UNUSABLE),
    special=(
        (
            "Hit men return the way they first entered. If two are waiting, one may enter by a "
            "total while the other stays out."
        ),
    ),
    words={
        "placed": "only the man just placed on {point} goes on",
        "placed-none": "no placed man goes on",
    },
    provenance=Provenance(
        label=ProvenanceLabel.RECONSTRUCTED,
        sources=(BELL, BOTERMANS, ROMAN_PAGE),
        history=(
            "The page that gives these rules names, after Bell, two emperors who played it: "
            "Claudius, who wrote a book about it, and Zeno, whose unlucky throw is the subject "
            "of an epigram."
        ),
        decisions=(
            "A sum is played as separate moves, one after another, as in Bell.",
            (
                "A man hit later enters the same way, and the limit at m applies again until it "
                "has entered."
            ),
            (
                "In matches that began before totals could bring them in, all hit men enter before "
                "any other man moves."
            ),
            "Placed men may move as far as m while others wait; an option forbids that.",
        ),
    ),
)


def _track_placed_man_first(rules: Rules, position: Position, move: Move | None) -> int:
    return track_placed_man(rules, position, move) if _has_only_hand_men(rules, position) else 0


def _find_candidates_first(rules: Rules, position: Position) -> Iterator[int]:
    return (
        find_placed_candidates(rules, position) if _has_only_hand_men(rules, position) else iter(())
    )


def _has_only_hand_men(rules: Rules, position: Position) -> bool:
    men = position.men(position.turn)
    return men[rules.board.hand] > 0 and not rules.board.count_waiting(men)


def _has_empty_hand(rules: Rules, _memory: int, mine: bytes, _theirs: bytes, _moves: int) -> bool:
    return not mine[rules.board.hand]


_FIRST_PLACED_MEMORY = Memory(
    _track_placed_man_first,
    _find_candidates_first,
    format_placed_man,
    remark_on_placed_man,
    _has_empty_hand,
    find_placed_point,
)

_HOME_EARLY = change_values(HOME, {"any": {"early_edge": True}})

TABULA_SECOND = replace(TABULA, edition=2, options=(SUMS, BEARING, _HOME_EARLY, PLACING, UNUSABLE))
"""The second edition, for what began with it: men go off by sums as `Rules.early_edge` says."""

TABULA_FIRST = replace(
    TABULA,
    edition=1,
    rules=replace(TABULA.rules, memory=None),
    options=(
        SUMS,
        BEARING,
        _HOME_EARLY,
        change_values(PLACING, {"still": {"memory": _FIRST_PLACED_MEMORY}}),
        UNUSABLE,
    ),
    special=(),
)
"""The first edition, for what began with it: men that are hit enter before any other moves."""
