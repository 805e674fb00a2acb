"""Cab e quinal, six and five: two piles side by side on one course [LJ, S0].

Its variant has a fixed third number.
"""

from dataclasses import replace

from engine.games.house_rules import THREE_OF_TWO, UNUSABLE
from engine.games.sources import (
    FORGOTTEN_GAMES,
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
    OpeningRollRules,
    Option,
    OptionValue,
    Provenance,
    ProvenanceLabel,
    Rules,
    SideAssignment,
    SideRules,
)

THIRD = Option(
    name="third",
    asks="Which number is added to every throw of two dice?",
    values=tuple(
        OptionValue(str(n), f"The third number is always a {n}.", {"dice.fixed": (n,)})
        for n in (6, 5, 4, 3, 2, 1)
    ),
    source=(
        "Libro de los Juegos, after the Digital Ludeme Project: a third number agreed beforehand"
    ),
)

HIT = Option(
    name="hit",
    asks="Where does a hit man go?",
    values=(
        OptionValue("table", "To the bar; it re-enters by number on a to f."),
        OptionValue(
            "start-point",
            (
                "Straight back to its pile's point, e or f; it cannot be hit while the other side "
                "has a man there."
            ),
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
        gold=SideRules(start="e15", course="a..z"),
        black=SideRules(start="f15", course="a..z"),
        battle=OpeningRollRules(sides=SideAssignment.CHOSEN),
    ),
    family=Family.LIBRO,
    rank=3,
    options=(HIT, THREE_OF_TWO, UNUSABLE),
    special=("The piles stand side by side, so gold's ones are blocked at first.",),
    provenance=Provenance(
        label=ProvenanceLabel.COMPLETED,
        sources=(LIBRO, LEWINS, LUDEME, FORGOTTEN_GAMES),
        history=(
            "The Académie des jeux oubliés derives the name from the points of the piles: cab, "
            "the head, is the sixth of its table, and quinal is the fifth."
        ),
        decisions=(
            (
                "Hit men enter by number on a to f: Lewins is silent, and the Digital Ludeme "
                "Project sends them to the start."
            ),
            (
                "The sources don't say who takes which pile, so the winner of the opening roll "
                "chooses."
            ),
            (
                "The choice matters: in our computer's games black won more often than gold, "
                "whichever side began."
            ),
        ),
        ludeme=LudemeEntry(
            game=625,
            rulesets=(732,),
            version="1.3.12",
            differences=(
                (
                    "There, a hit man goes back to its starting point, our `hit=start-point`; "
                    "here, it enters by number, since Lewins is silent. Their file does so too."
                ),
                LUDEME_BEARING,
            ),
        ),
    ),
)

CAB_E_QUINAL_FIXED = replace(
    CAB_E_QUINAL,
    slug="cab-e-quinal-fixed",
    title="Cab e quinal with a fixed number",
    aliases=("Cab e quinal, second way",),
    tagline=(
        "Like Cab e quinal, but with two dice and an agreed number, and one man of each side set "
        "apart."
    ),
    rules=replace(
        CAB_E_QUINAL.rules,
        gold=SideRules(start="e14,d1", course="a..z"),
        black=SideRules(start="f14,t1", course="a..z"),
        dice=Dice(count=2, fixed=(6,)),
    ),
    rank=4,
    options=(THIRD, HIT, UNUSABLE),
    special=(
        (
            "You throw two dice; the third number is agreed beforehand and is a six unless you "
            "choose another."
        ),
        "One of black's men starts on t, directly opposite f, and so is already in the last table.",
    ),
    provenance=replace(
        CAB_E_QUINAL.provenance,
        ludeme=LudemeEntry(
            game=625,
            rulesets=(733,),
            version="1.3.12",
            differences=(
                (
                    "There, a hit man goes back to its starting point, our `hit=start-point`; "
                    "here, it enters by number, since Lewins is silent. Their file does so too."
                ),
                LUDEME_BEARING,
                (
                    "In their file, the mover names the third number on every turn; here, it is "
                    "agreed beforehand, as in their description of the game."
                ),
            ),
        ),
    ),
)
