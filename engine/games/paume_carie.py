"""Paume carie, the palm game, in its two forms: for sides of one, two or three [R, S0, M]."""

from dataclasses import replace

from engine.games.house import DOUBLES, TEAMS, UNUSABLE, cited, preferring
from engine.games.sources import LEWINS, LUDEME, MURRAY_BOARDS, ROYAL
from engine.outcome import Outcome
from engine.position import Position
from engine.rules import (
    Bearing,
    Dice,
    Doubles,
    Family,
    Game,
    Label,
    Option,
    Provenance,
    Rules,
    Value,
    Way,
)


def palms(rules: Rules, position: Position, outcome: Outcome) -> Outcome:
    """Count the men that the losers have left: each is a slap that their palms are owed [R]."""
    if outcome.winner is None:
        return outcome
    owed = rules.men - position.men(outcome.winner.other)[rules.board.off]
    return replace(outcome, parts={**outcome.parts, "worth": "slaps", "n": owed}, points=owed)


BEARING = Option(
    name="bearing",
    asks="How are men borne off?",
    values=(
        Value("exact", "Number n takes a man from the n-th point, exactly."),
        Value(
            "farthest",
            "A higher number takes one from the highest point held.",
            {"bearing": Bearing.USUAL},
        ),
    ),
    source="Our sources do not say; exact numbers mirror the entering",
)

AGAIN = cited(
    preferring(DOUBLES, "again"),
    "Murray (1952), after the Digital Ludeme Project: doubles throw again; the other values are those of other games",
)

PAUME_CARIE_ONE = Game(
    slug="paume-carie-one",
    title="Paume carie on one table",
    aliases=("Paumecary", "Paume carie", "The palm game"),
    tagline="Enter all men on one table, then bear them off; the losers' palms are slapped.",
    rules=Rules(
        gold=Way(start="hand15", course="a..f", home="f..a"),
        black=Way(start="hand15", course="a..f", home="f..a"),
        dice=Dice(count=2, doubles=Doubles.AGAIN),
        moving=False,
        bearing=Bearing.EXACT,
        worth=palms,
    ),
    family=Family.ROYAL,
    rank=4,
    options=(TEAMS, BEARING, AGAIN, UNUSABLE),
    special=(
        "A number enters a man on its point; nothing moves. When all fifteen are in, number n bears one off point n.",
        "Doubles give another throw.",
        "The men that the losers have left are slaps on their palms: the result counts them.",
    ),
    words={
        "slaps": (
            "{ending}, and the losers' palms are owed {n} slap",
            "{ending}, and the losers' palms are owed {n} slaps",
        ),
    },
    provenance=Provenance(
        label=Label.COMPLETED,
        sources=(ROYAL, MURRAY_BOARDS, LUDEME, LEWINS),
        history=(
            "Lewins counts it among the naughty games: when one side has borne off its men, the winners bear off "
            "the losers' and slap their hands once for each."
        ),
        decisions=(
            "Men are borne off by the number that entered them, exactly.",
            "Doubles throw again, as Murray has it.",
            "A side has one common set of men.",
            "The slaps are counted, and left to the players to deliver.",
        ),
    ),
)

PAUME_CARIE_TWO = replace(
    PAUME_CARIE_ONE,
    slug="paume-carie-two",
    title="Paume carie on the whole board",
    aliases=("Paumecary, second way",),
    tagline="As Paume carie, once round the whole board.",
    rules=replace(
        PAUME_CARIE_ONE.rules,
        gold=Way(start="hand15", course="a..z"),
        black=Way(start="hand15", course="a..z"),
        moving=True,
        home_rests=True,
        bearing=Bearing.USUAL,
    ),
    rank=5,
    options=(TEAMS, AGAIN, UNUSABLE),
    special=(
        "All men start off the board and enter on a to f; both sides travel the same way.",
        "A man in the last table, t to z, moves only by being borne off.",
        "Doubles give another throw.",
    ),
    provenance=replace(
        PAUME_CARIE_ONE.provenance,
        history="The manuscript's second way of the palm game. Lewins took its resting men and its teams into Pyf.",
        decisions=(
            "Doubles throw again here too, though only the first way says so.",
            "A side has one common set of men.",
            "The slaps are counted here too.",
        ),
    ),
)
