"""Baralie: a pile chases a pile that starts one point ahead, with two dice and a six [R, S0]."""

from engine.games.house_rules import UNUSABLE
from engine.games.sources import (
    LEWINS,
    LUDEME_BEARING,
    LUDEME_ENTERING,
    MURRAY_BOARDS,
    ROYAL,
)
from engine.rules import (
    Dice,
    Family,
    Game,
    LudemeEntry,
    OpeningRollRules,
    Provenance,
    ProvenanceLabel,
    Rules,
    SideAssignment,
    SideRules,
)

BARALIE = Game(
    slug="baralie",
    title="Baralie",
    aliases=("Barail", "Baralia"),
    tagline=(
        "Fifteen men on the first point chase fourteen on the second, with two dice and a fixed "
        "six."
    ),
    rules=Rules(
        gold=SideRules(start="a15", course="a..z"),
        black=SideRules(start="b14,c1", course="a..z"),
        dice=Dice(count=2, fixed=(6,)),
        battle=OpeningRollRules(sides=SideAssignment.GOLD),
    ),
    family=Family.ROYAL,
    rank=0,
    options=(UNUSABLE,),
    special=(
        (
            "The winner of the opening roll plays the pile on a and begins; its ones are blocked "
            "at first."
        ),
    ),
    provenance=Provenance(
        label=ProvenanceLabel.DESCRIBED,
        sources=(ROYAL, MURRAY_BOARDS, LEWINS),
        history=(
            "The manuscript gives the pile to the winner of the previous game, or to the player "
            "who throws first."
        ),
        decisions=("Each match is independent, so the winner of the opening roll has the pile.",),
        ludeme=LudemeEntry(
            game=953,
            rulesets=(1112,),
            version="1.3.14",
            differences=(
                LUDEME_BEARING,
                LUDEME_ENTERING,
                (
                    "There, nothing is said of who takes which pile; here, the winner of the "
                    "opening roll has the pile of fifteen."
                ),
            ),
        ),
    ),
)
