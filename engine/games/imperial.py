"""Imperial and provincial: contrary ways to the far table, and nothing is borne off [R, S0]."""

from dataclasses import replace

from engine.games.house import UNUSABLE
from engine.games.sources import LEWINS, LUDEME, ROYAL
from engine.rules import Bearing, Ending, Family, Game, Label, Provenance, Rules, Way

IMPERIAL = Game(
    slug="imperial",
    title="Imperial",
    aliases=("Imperial (English)", "Ludus imperialis"),
    tagline="Three piles of five a side; the first to bring all men into the last table has won.",
    rules=Rules(
        gold=Way(start="f5,g5,k5", course="a..z"),
        black=Way(start="p5,s5,t5", course="z..a"),
        bearing=Bearing.NONE,
        ending=Ending.GOAL,
    ),
    family=Family.ROYAL,
    rank=1,
    options=(UNUSABLE,),
    special=(
        "Nothing is borne off: the first side with all its men in the last table has won.",
        "Men that are hit enter again in the first table, behind where they started.",
    ),
    provenance=Provenance(
        label=Label.DESCRIBED,
        sources=(ROYAL, LEWINS, LUDEME),
        history="One of two short games of the manuscript, for which the men start half way.",
        decisions=("The third pile stands on k and p, as Lewins tabulates; another reader has the eighth points.",),
    ),
)

PROVINCIAL = replace(
    IMPERIAL,
    slug="provincial",
    title="Provincial",
    aliases=("Ludus provincialis",),
    tagline="As Imperial, with two piles a side.",
    rules=replace(IMPERIAL.rules, gold=Way(start="f8,g7", course="a..z"), black=Way(start="s7,t8", course="z..a")),
    rank=2,
    provenance=replace(
        IMPERIAL.provenance,
        label=Label.COMPLETED,
        history="The lesser kin of Imperial: the same way and the same goal from two piles.",
        decisions=("Eight men stand on f and t, seven on g and s: the source says only that they are divided.",),
    ),
)
