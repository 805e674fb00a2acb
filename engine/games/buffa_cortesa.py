"""Buffa cortesa and pareia de entrada: twins in which both sides enter and run alike [LJ, S0]."""

from dataclasses import replace

from engine.games.house_rules import DOUBLES, PAIRS, THREE_DICE, UNUSABLE, change_default
from engine.games.sources import (
    GOLLADAY,
    LEWINS,
    LIBRO,
    LUDEME_BEARING,
    LUDEME_ENTERING,
)
from engine.rules import (
    Dice,
    DoublesRule,
    Family,
    Game,
    LudemeEntry,
    Provenance,
    ProvenanceLabel,
    Rules,
    SideRules,
    UnusableRule,
)

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
    tagline=(
        "Enter, run, bear off; doubles play twice and throw again, and your opponent may use "
        "what you can't."
    ),
    rules=Rules(
        gold=SideRules(start="hand15", course="a..z"),
        black=SideRules(start="hand15", course="a..z"),
        dice=Dice(count=2, doubles=DoublesRule.TWICE_AGAIN),
        unusable=UnusableRule.OPPONENT,
    ),
    family=Family.LIBRO,
    rank=0,
    options=(
        THREE_DICE,
        change_default(DOUBLES, "twice-again"),
        PAIRS,
        change_default(UNUSABLE, "opponent"),
    ),
    special=(
        "All men start off the board and enter on a to f; men may move on before all have entered.",
        "The other side may use at once, before its own throw, any numbers that a side cannot use.",
    ),
    provenance=Provenance(
        label=ProvenanceLabel.COMPLETED,
        sources=(LIBRO, GOLLADAY, LEWINS),
        history=(
            "King Alfonso's book has two games called buffa. Lewins says that the courtly one "
            "is Pareia de entrada, except that either side may play any number that the other "
            "cannot use."
        ),
        decisions=(
            (
                "Two dice are used unless the players choose three; this is our choice, since "
                "Lewins tabulates both."
            ),
            (
                "With three dice, only three alike count as doubles unless the players choose "
                "otherwise."
            ),
            (
                "Men may move on while others wait to enter; Lewins finds the opposite only in "
                "Buffa de baldrac."
            ),
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
    rules=replace(BUFFA_CORTESA.rules, unusable=UnusableRule.LOST),
    rank=1,
    options=(THREE_DICE, change_default(DOUBLES, "twice-again"), PAIRS, UNUSABLE),
    special=(
        "All men start off the board and enter on a to f; men may move on before all have entered.",
    ),
    provenance=replace(
        BUFFA_CORTESA.provenance,
        history=(
            "Lewins translates the name as paired entry. In Golladay's translation, a side "
            "that throws the same number on all the dice plays the whole throw and throws "
            "again."
        ),
        decisions=(
            (
                "Two dice are used unless the players choose three; this is our choice, since "
                "Lewins tabulates both."
            ),
            (
                "Doubles are played twice and give another throw, as Lewins reads it; players may "
                "choose either half alone."
            ),
            "Doubles give another throw even if they cannot be played in full.",
        ),
        ludeme=LudemeEntry(
            game=624,
            rulesets=(731,),
            version="1.3.12",
            differences=(
                (
                    "There, doubles only give another throw, our `doubles=again`; here, they are "
                    "played twice as well, as Lewins reads it."
                ),
                (
                    "Their text has two or three dice, their ruleset three; here, two are the "
                    "default, which is our choice."
                ),
                LUDEME_BEARING,
                LUDEME_ENTERING,
            ),
        ),
    ),
)
