"""Emperador, the emperor: Ludus Anglicorum's Spanish sister, with barata and draws [LJ, S0]."""

from collections.abc import Iterator
from itertools import product

from engine.games.house_rules import THREE_OF_TWO, UNUSABLE, has_prime, may_hold_prime
from engine.games.sources import (
    GOLLADAY,
    LEWINS,
    LIBRO,
    LUDEME_BEARING,
    MURRAY,
)
from engine.move import Move
from engine.outcome import GameOutcome
from engine.position import Position, Side
from engine.rules import (
    Family,
    Game,
    LudemeEntry,
    Memory,
    Option,
    OptionValue,
    Provenance,
    ProvenanceLabel,
    ReentryRule,
    Remark,
    Rules,
    SideRules,
)
from engine.search.moves import can_enter, can_move

BLOT = 1
"""Men on a point where they can be hit."""

BARATA_HITS = 4
"""Men hit from behind a blockade that win the game: the three beyond twelve, and one more."""


def count_prime_hits(rules: Rules, position: Position, move: Move | None) -> int:
    """Count the men each side hit while its blockade stood: eight times gold's plus black's."""
    standing = [side for side in Side if has_prime(rules, position, side)]
    if not standing:
        return 0
    counts = {
        side: count if side in standing else 0
        for side, count in _unpack_counts(position.memory).items()
    }
    if move and move.hit and position.turn in standing:
        counts[position.turn] = min(counts[position.turn] + 1, BARATA_HITS)
    # No count exceeds four, so each fits into three bits.
    return counts[Side.GOLD] * 8 + counts[Side.BLACK]


def list_possible_hits(rules: Rules, position: Position) -> Iterator[int]:
    """Every count but nought: only a side whose blockade stands can have hit men from behind it."""
    most = {side: BARATA_HITS if has_prime(rules, position, side) else 0 for side in Side}
    for gold, black in product(range(most[Side.GOLD] + 1), range(most[Side.BLACK] + 1)):
        if gold or black:
            yield gold * 8 + black


def format_hits(_: Rules, memory: int) -> str:
    """Write the counts: `gold-hits=2`, `gold-hits=1,black-hits=3`."""
    return ",".join(
        f"{side}-hits={count}" for side, count in _unpack_counts(memory).items() if count
    )


def remark_on_hits(_: Rules, memory: int) -> Remark:
    """Tell a player the counts of the sides that have hit any."""
    counts = {side.value: count for side, count in _unpack_counts(memory).items() if count}
    return "-".join(("hits", *counts)), counts


def _unpack_counts(memory: int) -> dict[Side, int]:
    return {Side.GOLD: memory // 8, Side.BLACK: memory % 8}


def can_skip_counting(rules: Rules, memory: int, mine: bytes, theirs: bytes, moves: int) -> bool:
    """Whether no count can be other than nought after so many moves of the first side."""
    if memory:
        # Only the mover's men move, so the other side's blockade is there already or not at all.
        return not (may_hold_prime(rules, mine, moves) or may_hold_prime(rules, theirs, 0))
    # Only the side that moves can hit a man, and only where one stands alone.
    return BLOT not in theirs[: rules.board.size] or not may_hold_prime(rules, mine, moves)


def find_barata(memory: int) -> GameOutcome | None:
    """Give the game to a side that hit four men while it held six points in a row [LJ]."""
    for side, count in _unpack_counts(memory).items():
        if count >= BARATA_HITS:
            return GameOutcome(side, "barata")
    return None


def find_instant_barata(rules: Rules, position: Position) -> GameOutcome | None:
    """Give the game to a side that holds six points in a row before the other's men [M]."""
    # Only the side that has just moved can have completed its six points.
    if has_prime(rules, position, position.turn):
        return GameOutcome(position.turn, "barata-at-once")
    return None


def find_entry_barata(rules: Rules, position: Position) -> GameOutcome | None:
    """Give the game against a side whose men on the bar have no point to enter on [LJ].

    If both sides have none, the game is a draw.
    """
    shut = [
        side
        for side in Side
        if rules.board.count_waiting(position.men(side)) and not can_enter(rules, position, side)
    ]
    if len(shut) > 1:
        return GameOutcome(None, "tie")
    return next((GameOutcome(side.other, "barata-no-entry") for side in shut), None)


def find_tie(rules: Rules, position: Position) -> GameOutcome | None:
    """Call it a draw when both sides have men on the bar and no number could enter either's [LJ].

    Judged when the throw is played out: a number still to be played may open a point again.
    """
    waiting = rules.board.count_waiting
    if not (waiting(position.gold) and waiting(position.black)):
        return None
    if any(can_enter(rules, position, side) for side in Side) or can_move(rules, position):
        return None
    return GameOutcome(None, "tie")


TIE_FEAT = "If both sides have men on the bar that no number could enter, the game is a draw."

TIE_WORDS = {"tie": "neither side can enter its men"}

BARATA = Option(
    name="barata",
    asks="What wins by barata?",
    values=(
        OptionValue(
            "four",
            "Hitting four men while holding six points in a row in front of the other side's men.",
        ),
        OptionValue(
            "six",
            "Holding six such points, which wins at once.",
            {
                "ending_after_move": find_instant_barata,
                "memory": None,
                "ending_texts": (
                    (
                        "A side also wins at once by barata: holding six points in a row in front "
                        "of the other side's men."
                    ),
                    TIE_FEAT,
                ),
            },
        ),
        OptionValue(
            "no-entry",
            "Hitting so many men that the other side has no point to enter them on.",
            {
                "ending_after_move": find_entry_barata,
                "memory": None,
                "ending_texts": (
                    (
                        "A side also wins at once by barata: leaving the men that it has hit no "
                        "point to enter on."
                    ),
                    TIE_FEAT,
                ),
            },
        ),
        OptionValue("off", "Nothing.", {"memory": None, "ending_texts": (TIE_FEAT,)}),
    ),
    source=(
        "Libro de los Juegos, emperador, and its general remarks on barata (no points upon which "
        "to enter men); Murray takes the six points alone"
    ),
)

REENTRY = Option(
    name="reentry",
    asks="Must men on the bar enter before others move?",
    values=(
        OptionValue(
            "free", "No: the book does not require it and has draws, which are rare otherwise."
        ),
        OptionValue("first", "Yes, as in most games.", {"reentry": ReentryRule.FIRST}),
    ),
    source="Libro de los Juegos is silent; Lewins' general principles require it",
)

EMPERADOR = Game(
    slug="emperador",
    title="Emperador",
    aliases=("The Emperor", "Emperor"),
    tagline=(
        "Ludus Anglicorum as in King Alfonso's book: no doubling on your own side, and a "
        "blockade can win."
    ),
    rules=Rules(
        gold=SideRules(start="a15", course="a..z", ban_second="a..m"),
        black=SideRules(start="z15", course="z..a", ban_second="n..z"),
        reentry=ReentryRule.FREE,
        ending_at_standstill=find_tie,
        ending_texts=(
            (
                "A side also wins at once by barata: hitting four men while it holds six points in "
                "a row in front of the other side's men."
            ),
            TIE_FEAT,
        ),
        memory=Memory(
            count_prime_hits,
            list_possible_hits,
            format_hits,
            remark_on_hits,
            can_skip_counting,
            ending=find_barata,
        ),
    ),
    family=Family.LIBRO,
    rank=6,
    options=(BARATA, REENTRY, THREE_OF_TWO, UNUSABLE),
    words={
        "barata": "barata: four men hit while holding six points in a row",
        "barata-at-once": "barata: six points in a row",
        "barata-no-entry": "barata: no point to enter on",
        "hits": "hits made while holding six points: none",
        "hits-gold": "hits made while holding six points: gold {gold}",
        "hits-black": "hits made while holding six points: black {black}",
        "hits-gold-black": "hits made while holding six points: gold {gold}, black {black}",
        **TIE_WORDS,
    },
    provenance=Provenance(
        label=ProvenanceLabel.COMPLETED,
        sources=(LIBRO, GOLLADAY, MURRAY, LEWINS),
        history=(
            "In Golladay's translation of the book, the game is called the emperor in Spain "
            "because he made it. Lewins finds it virtually identical to Ludus Anglicorum; here "
            "it has its own dice, free re-entry, draws and the barata."
        ),
        decisions=(
            (
                "Six points in a row are counted along the loser's course, with one of the loser's "
                "men behind them."
            ),
            "The count of hit men starts again when the blockade is broken.",
            (
                "The text leaves open whether six points alone win, or only with the hits; the "
                "default needs the hits."
            ),
            (
                "Of our computer's games against itself, four in five see six points in a row, and "
                "one in seven sees four men hit while they stand."
            ),
            (
                "If six points alone win (`six`), 97 in 100 of its games end that way, in little "
                "more than half the throws."
            ),
            (
                "One in thirty-three is a draw; if men on the bar must enter first, one is still "
                "possible but very rare."
            ),
        ),
        ludeme=LudemeEntry(
            game=622,
            rulesets=(729,),
            version="1.3.12",
            differences=(
                (
                    "There, no point of the first table takes a second man; here, none of the "
                    "first two tables does, as in Lewins."
                ),
                (
                    "Their text sends a hit man back to where it began; here, and in their file, "
                    "it enters by number."
                ),
                (
                    "There, twelve men on consecutive points that the other side cannot pass "
                    "win by prime, our `barata=six`, and so do four men sent back from behind "
                    "them; here, only the latter do. Their file has no prime win."
                ),
                (
                    "There, the game is drawn when each side fills a table, the two side by side, "
                    "and neither can move; here, when both have men on the bar that no number "
                    "could enter."
                ),
                LUDEME_BEARING,
            ),
        ),
    ),
)
