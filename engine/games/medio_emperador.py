"""Medio emperador, half emperor: the emperor's game on two facing tables [LJ, S0]."""

from engine.games.emperador import REENTRY, TIE_FEAT, TIE_WORDS, find_tie
from engine.games.house_rules import THREE_DICE, UNUSABLE, cite_source
from engine.games.sources import (
    GOLLADAY,
    LEWINS,
    LIBRO,
    LUDEME,
    LUDEME_BEARING,
)
from engine.rules import (
    Dice,
    Family,
    Game,
    LudemeEntry,
    Option,
    OptionValue,
    Provenance,
    ProvenanceLabel,
    ReentryRule,
    Rules,
    SideRules,
)

DICE = cite_source(
    THREE_DICE,
    (
        "Libro de los Juegos in Golladay's translation: two dice or three; Lewins' table has the "
        "same"
    ),
)

SINGLE = Option(
    name="single",
    asks="May you bring a second man to a point in your own entry table?",
    values=(
        OptionValue("own-table", "No, by analogy with Emperador."),
        OptionValue("off", "Yes.", {"gold.ban_second": "", "black.ban_second": ""}),
    ),
    source="The sources are silent; by analogy with Emperador",
)

MEDIO_EMPERADOR = Game(
    slug="medio-emperador",
    title="Medio emperador",
    aliases=("Half emperor",),
    tagline="The emperor's game on half the board.",
    rules=Rules(
        gold=SideRules(start="a15", course="a..f,t..z", ban_second="a..f"),
        black=SideRules(start="z15", course="z..t,f..a", ban_second="t..z"),
        dice=Dice(count=2),
        reentry=ReentryRule.FREE,
        ending_at_standstill=find_tie,
        ending_texts=(TIE_FEAT,),
    ),
    family=Family.LIBRO,
    rank=7,
    options=(DICE, REENTRY, SINGLE, UNUSABLE),
    words=TIE_WORDS,
    provenance=Provenance(
        label=ProvenanceLabel.COMPLETED,
        sources=(LIBRO, GOLLADAY, LEWINS, LUDEME),
        history=(
            "In Golladay's translation of the book, it is played on two tables with two or "
            "three dice; it has draws but no prime, the barata of Emperador."
        ),
        decisions=(
            "By analogy, the ban on doubling applies only in the entry table; players may lift it.",
            (
                "As in Emperador, men on the bar need not enter first; if they must, a draw can "
                "still arise but hardly ever does."
            ),
            (
                "Two dice are used, as in the book's picture (Digital Ludeme Project), unless the "
                "players choose three."
            ),
        ),
        ludeme=LudemeEntry(
            game=623,
            rulesets=(730,),
            version="1.3.12",
            differences=(
                (
                    "Their text has two or three dice, their ruleset three; here, two are the "
                    "default, as in the book's picture."
                ),
                (
                    "There, points take second men everywhere, our `single=off`; here, not in "
                    "the entry table, by analogy with Emperador."
                ),
                (
                    "Their text sends a hit man back to where it began; here, and in their file, "
                    "it enters by number."
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
