"""Cab e quinal, six and five: two piles side by side on one course, and its kin with a fixed third number [LJ, S0]."""

from dataclasses import replace

from engine.games.house import THREE_OF_TWO, UNUSABLE
from engine.games.sources import FORGOTTEN_GAMES, LEWINS, LIBRO, LUDEME
from engine.rules import (
    Battle,
    Dice,
    Family,
    Game,
    Label,
    Option,
    Provenance,
    Rules,
    Sides,
    Value,
    Way,
)

THIRD = Option(
    name="third",
    asks="Which number is added to every throw of two dice?",
    values=tuple(
        Value(str(n), f"A {n} is always the third.", {"dice.fixed": (n,)})
        for n in (6, 5, 4, 3, 2, 1)
    ),
    source="Libro de los Juegos after the Digital Ludeme Project: a third number agreed on beforehand",
)

HIT = Option(
    name="hit",
    asks="Where does a man go that is hit?",
    values=(
        Value("table", "To the bar; it enters again by number on a to f."),
        Value(
            "start-point",
            "Straight back to its pile's point, e or f; it cannot be hit while the other side stands there.",
            {"gold.hit": (("a..z", "e"),), "black.hit": (("a..z", "f"),)},
        ),
    ),
    source="The Digital Ludeme Project: back to the starting point; Lewins' table is silent",
)

CAB_E_QUINAL = Game(
    slug="cab-e-quinal",
    title="Cab e quinal",
    aliases=("Cap e quinal", "Six and five"),
    tagline="Both piles start in the same table, on e and f, and race the same way.",
    rules=Rules(
        gold=Way(start="e15", course="a..z"),
        black=Way(start="f15", course="a..z"),
        battle=Battle(sides=Sides.CHOSEN),
    ),
    family=Family.LIBRO,
    rank=3,
    options=(HIT, THREE_OF_TWO, UNUSABLE),
    special=(
        "The piles stand next to each other: gold's ones are blocked at first.",
        "The winner of the roll battle chooses a side, and begins.",
        "Men that are hit enter again on a to f.",
    ),
    provenance=Provenance(
        label=Label.COMPLETED,
        sources=(LIBRO, LEWINS, LUDEME, FORGOTTEN_GAMES),
        history=(
            "The Académie des jeux oubliés takes the name from the points of the piles: cab, the head, is the sixth "
            "of its table, and quinal the fifth."
        ),
        decisions=(
            "Hit men enter by number on a to f: Lewins is silent; the Digital Ludeme Project sends them to the start.",
            "Nothing is said of who takes which pile, so the winner of the roll battle chooses.",
            "The choice matters: with either dice black won two of three of our computer's games, beginning or not.",
        ),
    ),
)

CAB_E_QUINAL_FIXED = replace(
    CAB_E_QUINAL,
    slug="cab-e-quinal-fixed",
    title="Cab e quinal with a fixed number",
    aliases=("Cab e quinal, second way",),
    tagline="As Cab e quinal, with two dice and a number agreed on, and one man of each side set apart.",
    rules=replace(
        CAB_E_QUINAL.rules,
        gold=Way(start="e14,d1", course="a..z"),
        black=Way(start="f14,t1", course="a..z"),
        dice=Dice(count=2, fixed=(6,)),
    ),
    rank=4,
    options=(THIRD, HIT, UNUSABLE),
    special=(
        "Two dice are thrown and a number agreed on beforehand, a six unless you say otherwise, is the third.",
        "One of black's men starts on t, straight opposite f: in the last table already.",
        "The winner of the roll battle chooses a side, and begins.",
    ),
)
