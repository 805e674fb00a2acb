"""Buffa cortesa and pareia de entrada: twins in which both sides enter and run together [LJ, S0]."""

from dataclasses import replace

from engine.games.house import DOUBLES, PAIRS, THREE_DICE, UNUSABLE, preferring
from engine.games.sources import GOLLADAY, LEWINS, LIBRO
from engine.rules import Dice, Doubles, Family, Game, Label, Provenance, Rules, Unusable, Way

BUFFA_CORTESA = Game(
    slug="buffa-cortesa",
    title="Buffa cortesa",
    aliases=(
        "Courtly puff",
        "Buffa de cortesia",
        "Buffa courtesa",
        "La bufa cortesa",
        "Buf",
        "Buffa",
    ),
    tagline="Enter, run together and bear off; doubles play twice and throw again, and what you cannot use I may.",
    rules=Rules(
        gold=Way(start="hand15", course="a..z"),
        black=Way(start="hand15", course="a..z"),
        dice=Dice(count=2, doubles=Doubles.TWICE_AGAIN),
        unusable=Unusable.OPPONENT,
    ),
    family=Family.LIBRO,
    rank=0,
    options=(
        THREE_DICE,
        preferring(DOUBLES, "twice-again"),
        PAIRS,
        preferring(UNUSABLE, "opponent"),
    ),
    special=(
        "All men start off the board and enter on a to f; men may move on before all have entered.",
        "Doubles are played twice and give another throw.",
        "Numbers that a side cannot use, the other side may use at once, before its own throw.",
    ),
    provenance=Provenance(
        label=Label.COMPLETED,
        sources=(LIBRO, GOLLADAY, LEWINS),
        history=(
            "King Alfonso's book has two games called buffa. The courtly one, says Lewins, is Pareia de entrada, but "
            "that any number which a side cannot use may be played by the other."
        ),
        decisions=(
            "Two dice unless the players choose three: our choice, since Lewins tabulates both.",
            "With three dice only three alike are doubles, unless the players choose otherwise.",
            "Men may move on while others wait to enter: Lewins finds the contrary in Buffa de baldrac alone.",
            "The other side uses leftover numbers before the extra throw that doubles give.",
        ),
    ),
)

PAREIA_DE_ENTRADA = replace(
    BUFFA_CORTESA,
    slug="pareia-de-entrada",
    title="Pareia de entrada",
    aliases=("Matched entry", "Paired entry"),
    tagline="Enter, run together and bear off; doubles play twice and throw again.",
    rules=replace(BUFFA_CORTESA.rules, unusable=Unusable.LOST),
    rank=1,
    options=(THREE_DICE, preferring(DOUBLES, "twice-again"), PAIRS, UNUSABLE),
    special=(
        "All men start off the board and enter on a to f; men may move on before all have entered.",
        "Doubles are played twice and give another throw.",
    ),
    provenance=replace(
        BUFFA_CORTESA.provenance,
        history=(
            "Lewins translates the name as paired entry. In Golladay's translation a side that throws the same "
            "number on all the dice plays the whole throw and throws again."
        ),
        decisions=(
            "Two dice unless the players choose three: our choice, since Lewins tabulates both.",
            "Doubles are played twice and throw again, as Lewins reads it; either half can be chosen alone.",
            "Doubles that cannot be played in full throw again all the same.",
        ),
    ),
)
