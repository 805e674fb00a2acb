"""Fallas, in England faylis: a side that cannot play its whole throw loses [LJ, R, S0]."""

from engine.games.house_rules import THREE_OF_TWO
from engine.games.sources import (
    BACKGAMMON_GALORE,
    LEWINS,
    LIBRO,
    LUDEME,
    LUDEME_BEARING,
    ROYAL,
)
from engine.rules import (
    Family,
    Game,
    LudemeEntry,
    Option,
    OptionValue,
    Provenance,
    ProvenanceLabel,
    Rules,
    SideRules,
    UnusableRule,
)

FALL = Option(
    name="fall",
    asks="When does a side lose ad fallum?",
    values=(
        OptionValue("any-die", "When it cannot play every number of its throw."),
        OptionValue(
            "whole-throw",
            ("When it cannot play a single number of its throw."),
            {"falls_whole": True},
        ),
    ),
    source=(
        "Lewins, on the problems in Royal 13 A XVIII: one number; the Digital Ludeme Project reads "
        "the whole throw"
    ),
)

HIT = Option(
    name="hit",
    asks="Where does a hit man go?",
    values=(
        OptionValue("table", "To the bar; it re-enters by number."),
        OptionValue(
            "start-point",
            (
                "Straight back to its start point, a or z; it cannot be hit while the other side "
                "has a man there."
            ),
            {"gold.hit": (("a..z", "a"),), "black.hit": (("a..z", "z"),)},
        ),
    ),
    source=(
        "Lewins: the start table; Backgammon Galore and the Digital Ludeme Project: the point it "
        "started from"
    ),
)

UNUSABLE = Option(
    name="unusable",
    asks="What happens to numbers that cannot be played?",
    values=(
        OptionValue("loses", "Ad fallum: a side that cannot play them loses."),
        OptionValue(
            "lost",
            ("They are lost, which defeats the point of the game."),
            {"unusable": UnusableRule.LOST},
        ),
        OptionValue(
            "opponent",
            (
                "The other side may play any or none of them at once, before its own throw; the "
                "rest are lost."
            ),
            {"unusable": UnusableRule.OPPONENT},
        ),
    ),
    source=(
        "Ad fallum, from the problems of Royal 13 A XVIII, after Lewins; the other values come "
        "from other games"
    ),
)

FALLAS = Game(
    slug="fallas",
    title="Fallas",
    aliases=("Faylis", "Fallis", "Fayles", "Fails", "Ad fallum"),
    tagline="Play every number you throw, or lose on the spot.",
    rules=Rules(
        gold=SideRules(start="a2,t13", course="a..z"),
        black=SideRules(start="z2,f13", course="z..a"),
        unusable=UnusableRule.LOSES,
    ),
    family=Family.LIBRO,
    rank=8,
    options=(FALL, HIT, THREE_OF_TWO, UNUSABLE),
    special=(
        (
            "A side that cannot play every number of its throw loses at once, including when a "
            "man on the bar cannot enter."
        ),
        (
            "Each side has thirteen men in the last table already; the other two have the whole "
            "board to travel."
        ),
    ),
    provenance=Provenance(
        label=ProvenanceLabel.DESCRIBED,
        sources=(LIBRO, ROYAL, LEWINS, LUDEME, BACKGAMMON_GALORE),
        history=(
            "Lewins finds it in the Libro and in Royal 13 A XVIII, whose problems have the "
            "rule ad fallum: a side that cannot use a number loses."
        ),
        decisions=(
            (
                "One number that cannot be played is enough; this is an interpretation, since the "
                "Libro itself does not say so."
            ),
            (
                "If hit men go straight to their start point, they cannot be hit while even a "
                "single opposing man stands on it."
            ),
            (
                "So a man on its own start point cannot be hit: it would go to the point where the "
                "hitter lands."
            ),
            (
                "Backgammon Galore speaks only of two there, but men of both sides cannot share a "
                "point."
            ),
            "The house rule on unusable numbers has ad fallum as its default.",
        ),
        ludeme=LudemeEntry(
            game=620,
            rulesets=(727,),
            version="1.3.13",
            differences=(
                (
                    "There, thirteen men start on the seventh point of the track and two on "
                    "the twelfth, and all run through three tables; here, two start on the "
                    "first of four tables and thirteen in the last, as in Lewins."
                ),
                (
                    "There, a side loses when it can play no number of a throw, our "
                    "`fall=whole-throw`, or when a hit man finds no place in its starting "
                    "table; here, when any number cannot be played, as Lewins reads the "
                    "problems of the English manuscript."
                ),
                LUDEME_BEARING,
            ),
        ),
    ),
)
