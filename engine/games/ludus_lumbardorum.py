"""Ludus lumbardorum, the Lombards' game: half the board, no entry on the start point [R, S0, M]."""

from engine.games.house_rules import UNUSABLE
from engine.games.sources import (
    LEWINS,
    LUDEME,
    LUDEME_BEARING,
    MURRAY,
    ROYAL,
    SCHAEDLER,
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
    Rules,
    SideRules,
)

COURSE = Option(
    name="course",
    asks="Which way do the men go?",
    values=(
        OptionValue(
            "usual",
            ("Gold goes from a to f, across to t and on to z; black goes the opposite way."),
        ),
        OptionValue(
            "literal",
            (
                "As printed in Lewins' table: gold goes from f to a, across to z and on to t; "
                "black goes from t to z, then a to f."
            ),
            {
                "gold": SideRules(
                    start="a15", course="f..a,z..t", ban_second="f..a", ban_entry="a"
                ),
                "black": SideRules(
                    start="z15", course="t..z,a..f", ban_second="t..z", ban_entry="z"
                ),
            },
        ),
    ),
    source=(
        "The Digital Ludeme Project: each side bears off where the other starts; Lewins' table, "
        "taken literally"
    ),
)

LUDUS_LUMBARDORUM = Game(
    slug="ludus-lumbardorum",
    title="Ludus lumbardorum",
    aliases=("The Lombards' game", "Ludus Lombardorum", "Lumbard"),
    tagline=(
        "Half the board, two dice: double only where you bear off, and never enter on your start "
        "point."
    ),
    rules=Rules(
        gold=SideRules(start="a15", course="a..f,t..z", ban_second="a..f", ban_entry="a"),
        black=SideRules(start="z15", course="z..t,f..a", ban_second="z..t", ban_entry="z"),
        dice=Dice(count=2),
    ),
    family=Family.ROYAL,
    rank=3,
    options=(COURSE, UNUSABLE),
    provenance=Provenance(
        label=ProvenanceLabel.COMPLETED,
        sources=(ROYAL, MURRAY, SCHAEDLER, LEWINS, LUDEME),
        history=(
            "Lewins tabulates it on the two tables of Medio emperador, with the same start and two "
            "dice."
        ),
        decisions=(
            (
                "Each side bears off where the other starts; the printed letters would put the "
                "piles next to each other."
            ),
            "On the literal course, too, doubling is allowed only in the table where you bear off.",
            (
                "On that course, our computer's games took half as long, and a man was hit in few "
                "of them."
            ),
        ),
        ludeme=LudemeEntry(
            game=958,
            rulesets=(1120,),
            version="1.3.12",
            differences=(
                "There, three dice are thrown; here, two, as Lewins tabulates it.",
                (
                    "Their text sends a hit man back to where it began, their file lets it enter "
                    "by any number; here, it enters by number, but not on the point where it "
                    "began, as in Schädler."
                ),
                LUDEME_BEARING,
            ),
        ),
    ),
)
