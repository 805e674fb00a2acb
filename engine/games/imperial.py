"""Imperial and provincial: contrary ways to the far table, and nothing is borne off [R, S0]."""

from dataclasses import replace

from engine.games.house_rules import UNUSABLE
from engine.games.sources import (
    LEWINS,
    LUDEME,
    LUDEME_ENTERING,
    ROYAL,
)
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


def _divide_men(first: int) -> dict[str, str]:
    """Set so many men on the first pile of each side and the others on the second."""
    # Black mirrors gold: what f is to gold, t is to black, and s is its g.
    return {"gold.start": f"f{first},g{15 - first}", "black.start": f"s{15 - first},t{first}"}


THIRD_PILE = Option(
    name="third",
    asks="Where does the third pile stand?",
    values=(
        OptionValue("tenth", "On the tenth point of its course: gold's on k, black's on p."),
        OptionValue(
            "eighth",
            "On the eighth point of its course: gold's on h, black's on r.",
            {"gold.start": "f5,g5,h5", "black.start": "r5,s5,t5"},
        ),
    ),
    source="Lewins tabulates k and p; the Digital Ludeme Project reads the eighth points",
)

IMPERIAL = Game(
    slug="imperial",
    title="Imperial",
    aliases=("Imperial (English)", "Ludus imperialis"),
    tagline="Three piles of five men a side; the first to bring them all into the last table wins.",
    rules=Rules(
        gold=SideRules(start="f5,g5,k5", course="a..z"),
        black=SideRules(start="p5,s5,t5", course="z..a"),
        bearing=BearingRule.NONE,
        ending=Ending.GOAL,
    ),
    family=Family.ROYAL,
    rank=1,
    options=(THIRD_PILE, UNUSABLE),
    provenance=Provenance(
        label=ProvenanceLabel.DESCRIBED,
        sources=(ROYAL, LEWINS, LUDEME),
        history=(
            "Lewins lists two games of the manuscript in which no men are borne off: this one and "
            "Provincial."
        ),
        decisions=(
            (
                "The third pile stands on k and p, as Lewins tabulates it; the Digital Ludeme "
                "Project has the eighth points."
            ),
        ),
        ludeme=LudemeEntry(
            game=954,
            rulesets=(1113,),
            version="1.3.12",
            differences=(
                (
                    "There, men are borne off to win; here, all men in the last table win, as in "
                    "Lewins."
                ),
                LUDEME_ENTERING,
                (
                    "There, the third pile stands on the eighth points, our `third=eighth`; "
                    "here, on the tenth, as Lewins tabulates it."
                ),
            ),
        ),
    ),
)

DIVISION = Option(
    name="division",
    asks="How are the men divided?",
    values=(
        OptionValue(
            "8-7", "Gold has eight on f and seven on g; black has eight on t and seven on s."
        ),
        OptionValue(
            "7-8", "Gold has seven on f and eight on g; black mirrors this.", _divide_men(7)
        ),
        OptionValue(
            "10-5",
            ("Gold has ten on f and five on g, in piles like Imperial's; black mirrors this."),
            _divide_men(10),
        ),
        OptionValue("5-10", "Gold has five on f and ten on g; black mirrors this.", _divide_men(5)),
    ),
    source=(
        "Lewins says only that they are divided; the Digital Ludeme Project has 8 and 7; the "
        "others are ours"
    ),
)

PROVINCIAL = replace(
    IMPERIAL,
    slug="provincial",
    title="Provincial",
    aliases=("Ludus provincialis",),
    tagline="Like Imperial, but with two piles a side.",
    rules=replace(
        IMPERIAL.rules,
        gold=SideRules(start="f8,g7", course="a..z"),
        black=SideRules(start="s7,t8", course="z..a"),
    ),
    rank=2,
    options=(DIVISION, UNUSABLE),
    provenance=replace(
        IMPERIAL.provenance,
        label=ProvenanceLabel.COMPLETED,
        history=(
            "Lewins lists it beside Imperial: the same direction and the same goal, from two piles."
        ),
        decisions=(
            "Eight men stand on f and t, seven on g and s, unless the players choose otherwise.",
        ),
        ludeme=LudemeEntry(
            game=956,
            rulesets=(1115,),
            version="1.3.12",
            differences=(
                (
                    "There, men are borne off to win; here, all men in the last table win, as in "
                    "Lewins."
                ),
                LUDEME_ENTERING,
            ),
        ),
    ),
)
