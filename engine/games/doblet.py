"""Doblet: twelve men in six pairs, taken down and then borne off; nothing moves [LJ, S0]."""

from engine.games.house_rules import THREE_OF_TWO, UNUSABLE, change_default
from engine.games.sources import GOLLADAY, LEWINS, LIBRO, LUDEME, WIKIPEDIA_DOUBLETS
from engine.rules import (
    BearingRule,
    Family,
    Game,
    LudemeEntry,
    Option,
    OptionValue,
    PlacingRule,
    Provenance,
    ProvenanceLabel,
    Rules,
    SideRules,
    UnusableRule,
)

MOVING = Option(
    name="moving",
    asks="Do men move?",
    values=(
        OptionValue("none", "No: they are taken down, then borne off from where they stand."),
        OptionValue(
            "own-table",
            (
                "Within your own table: once all six pairs are down, number n may also move a man "
                "n points towards your first point, to a point with fewer than two of your men."
            ),
            {
                "moving": True,
                "placing": PlacingRule.ALL,
                "gold.course": "f..a",
                "gold.entries": (("hand", "a..f"),),
                "black.course": "t..z",
                "black.entries": (("hand", "z..t"),),
            },
        ),
    ),
    source=(
        "Golladay's translation of the Libro mentions no moves; Lewins: each player moves only "
        "within their own table"
    ),
)

DOBLET = Game(
    slug="doblet",
    title="Doblet",
    aliases=("Doublets", "Dublet"),
    tagline="Take down your six pairs, then bear off all twelve men, each by its exact number.",
    rules=Rules(
        gold=SideRules(start="a1,b1,c1,d1,e1,f1,hand6", course="a..f", home="f..a"),
        black=SideRules(start="z1,y1,x1,w1,u1,t1,hand6", course="z..t", home="t..z"),
        men=12,
        moving=False,
        ban_full=2,
        piled=True,
        bearing=BearingRule.EXACT,
        unusable=UnusableRule.OPPONENT,
    ),
    family=Family.LIBRO,
    rank=5,
    options=(MOVING, THREE_OF_TWO, change_default(UNUSABLE, "opponent")),
    # The larger or the smaller number comes twice, and a pile is taken down once.
    unplayable=(
        {"dice": "majoret", "unusable": "loses"},
        {"dice": "minoret", "unusable": "loses"},
    ),
    special=(
        (
            "Once all six pairs are down, a 1 bears off a man from exactly the first point, a 2 "
            "from the second, and so on."
        ),
        "Your opponent may use at once any number that you cannot. There is no hitting.",
    ),
    solved=(
        (
            "By the usual rules and with best play by both sides, the side that begins wins 52.0% "
            "of the games; with moves, 52.3%."
        ),
        (
            "If numbers that cannot be used are lost, the side that begins wins 54.8%; if one of "
            "them loses the game (ad fallum), 25.5%."
        ),
        "With majoret or minoret, the side that begins wins 51.1%.",
        (
            "Without moves it takes no skill: a simple player that uses every number wins as often "
            "as the best."
        ),
        (
            "With moves it takes skill: best play wins 67.5% against a player that uses every "
            "number, and leaves 5.8% of the offered numbers that it could use."
        ),
        (
            "The strangest offer, with moves: your last man is on the sixth point, your opponent's "
            "on the fourth, and you may use a 5. If you do, you win 47.8% of the games; if you "
            "leave it, 78.8%, since only a 1 bears a man off from the first point."
        ),
    ),
    provenance=Provenance(
        label=ProvenanceLabel.COMPLETED,
        sources=(LIBRO, GOLLADAY, LEWINS, LUDEME, WIKIPEDIA_DOUBLETS),
        history=(
            "Wikipedia's article on the English game of doublets, or queen's game, says that it "
            "may be an elaboration of this one."
        ),
        decisions=(
            (
                "Men don't move unless the players choose that option; Lewins has them move within "
                "their own table."
            ),
            (
                "How they then move is our decision: towards the first point, at most two on a "
                "point, once all pairs are down."
            ),
            "The Digital Ludeme Project has men travel round the board; we don't offer that.",
            "One throw may mix taking down and bearing off, once the last pair is down.",
            "Doubles have no special effect; that belongs to the later English game.",
            (
                "Majoret and minoret can't be combined with losing by an unusable number: they "
                "give a number twice, so the side that begins would always lose at once."
            ),
        ),
        ludeme=LudemeEntry(
            game=617,
            rulesets=(724,),
            version="1.3.12",
            differences=(
                (
                    "There, men travel round the board once the pairs are down, and remove "
                    "single men; here, they don't move or hit, since Golladay's translation "
                    "mentions no moves."
                ),
            ),
        ),
    ),
)
