"""Zeno's game: Agathias' epigram on the emperor's throw, as Lewins reconstructs it [S0, S1]."""

from engine.games.house_rules import UNUSABLE
from engine.games.sources import LEWINS
from engine.rules import (
    BearingRule,
    Ending,
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

GOAL = Option(
    name="goal",
    asks="What happens to the men in the last table?",
    values=(
        OptionValue("table", "Nothing: the first side to have all of its men there wins."),
        OptionValue(
            "off",
            "They are borne off; the first side with no men left wins.",
            {"bearing": BearingRule.USUAL, "ending": Ending.OFF},
        ),
    ),
    source="Lewins infers that one of the two was the goal, and chooses the table",
)

SETUP = Option(
    name="setup",
    asks="Where do black's men start, and which way do they go?",
    values=(
        OptionValue("opposite", "On z, opposite a; the sides go in opposite directions."),
        OptionValue(
            "same-way",
            "On n, to the right of the player of black; both sides go the same way.",
            {"black.start": "n15", "black.course": "n..z,a..m"},
        ),
        OptionValue(
            "same-side",
            "On m, at the other end of a's row; the sides go in opposite directions.",
            {"black.start": "m15", "black.course": "m..a,z..n"},
        ),
    ),
    source=(
        "Lewins weighs three set-ups (a and z, a and n, a and m) and considers the first most "
        "likely"
    ),
)

ZENO = Game(
    slug="zeno",
    title="Zeno",
    aliases=("Zeno's game", "Tabula (Lewins)", "Zeno's tabula"),
    tagline="Bring all fifteen men round the board into the far table before your opponent does.",
    rules=Rules(
        gold=SideRules(start="a15", course="a..z"),
        black=SideRules(start="z15", course="z..a"),
        bearing=BearingRule.NONE,
        ending=Ending.GOAL,
    ),
    family=Family.RUMWOLDSTOW,
    rank=0,
    options=(GOAL, SETUP, UNUSABLE),
    special=("Numbers must be used even when they hurt, as the emperor found.",),
    provenance=Provenance(
        label=ProvenanceLabel.RECONSTRUCTED,
        sources=(
            "Agathias, Greek Anthology 9.482 (c. 565)",
            "L. Becq de Fouquières (1869), as Lewins cites him",
            LEWINS,
        ),
        history=(
            "Agathias tells how the emperor Zeno (425-491) threw 2, 5 and 6 and had to break "
            "up his men into eight blots. The epigram gives the position, not the rules: Becq "
            "de Fouquières reconstructed where the men stood, and Lewins reconstructed a game "
            "to fit it."
        ),
        decisions=(
            (
                "Black's goal is the table af: one page of Lewins prints am, but her article "
                "says the furthest table."
            ),
            "A position in which no throw could ever move either side is drawn.",
            (
                "With bearing off, all of our computer's 10,000 games against itself ended too; "
                "that rules out neither goal."
            ),
        ),
        ludeme=LudemeEntry(
            game=1409,
            rulesets=(1583,),
            version="1.3.12",
            differences=(
                (
                    "Their ruleset is incomplete: the dice, the men, and that two close a point. "
                    "The rest here is Lewins' reconstruction."
                ),
            ),
        ),
    ),
)
