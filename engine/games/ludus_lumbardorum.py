"""Ludus lumbardorum, the Lombards' game: half the board, and no way in by one's own start point [R, S0, M]."""

from engine.games.house import UNUSABLE
from engine.games.sources import LEWINS, LUDEME, MURRAY, ROYAL, SCHAEDLER
from engine.rules import Dice, Family, Game, Label, Option, Provenance, Rules, Value, Way

COURSE = Option(
    name="course",
    asks="Which way do the men go?",
    values=(
        Value("usual", "Gold from a to f, across to t and on to z; black the other way."),
        Value(
            "literal",
            "As Lewins' table prints it: gold from f to a, across to z and on to t; black from t to z and a to f.",
            {
                "gold": Way(start="a15", course="f..a,z..t", single="f..a", barred="a"),
                "black": Way(start="z15", course="t..z,a..f", single="t..z", barred="z"),
            },
        ),
    ),
    source="The Digital Ludeme Project: each side bears off where the other starts; Lewins' table, taken literally",
)

LUDUS_LUMBARDORUM = Game(
    slug="ludus-lumbardorum",
    title="Ludus lumbardorum",
    aliases=("The Lombards' game", "Ludus Lombardorum", "Lumbard"),
    tagline="Half the board, two dice: double only where you bear off, and never enter on your start point.",
    rules=Rules(
        gold=Way(start="a15", course="a..f,t..z", single="a..f", barred="a"),
        black=Way(start="z15", course="z..t,f..a", single="z..t", barred="z"),
        dice=Dice(count=2),
    ),
    family=Family.ROYAL,
    rank=3,
    options=(COURSE, UNUSABLE),
    special=(
        "Only the tables af and tz are used: from f gold's men go straight across to t.",
        "You may bring a second man only to the points of your bearing table.",
        "No man enters again on the point on which his side started.",
    ),
    provenance=Provenance(
        label=Label.COMPLETED,
        sources=(ROYAL, MURRAY, SCHAEDLER, LEWINS, LUDEME),
        history="Lewins tabulates it on the two tables of Medio emperador, with the same start and two dice.",
        decisions=(
            "Each side bears off where the other starts; the printed letters would put the piles next to each other.",
            "On the literal course too, doubling is allowed in the bearing table alone.",
            "There our computer's games took half as long, and in few of them was a man hit.",
        ),
    ),
)
