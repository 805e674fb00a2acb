"""Doblet: twelve men in six pairs, taken down and then borne off; nothing moves [LJ, S0]."""

from engine.games.house import THREE_OF_TWO, UNUSABLE, preferring
from engine.games.sources import GOLLADAY, LEWINS, LIBRO, LUDEME, WIKIPEDIA_DOUBLETS
from engine.rules import (
    Bearing,
    Family,
    Game,
    Label,
    Option,
    Placing,
    Provenance,
    Rules,
    Unusable,
    Value,
    Way,
)

MOVING = Option(
    name="moving",
    asks="Do men move?",
    values=(
        Value("none", "No: they are taken down and borne off from where they stand."),
        Value(
            "own-table",
            "Within your own table: when all six pairs are down, number n may also move a man n points towards "
            "your first point, where you have fewer than two men.",
            {
                "moving": True,
                "placing": Placing.ALL,
                "gold.course": "f..a",
                "gold.entries": (("hand", "a..f"),),
                "black.course": "t..z",
                "black.entries": (("hand", "z..t"),),
            },
        ),
    ),
    source="Golladay's translation of the Libro names no moves; Lewins: each player moves within their own table only",
)

DOBLET = Game(
    slug="doblet",
    title="Doblet",
    aliases=("Doublets", "Dublet"),
    tagline="Take your six pairs down, then bear all twelve men off, each by exactly its number.",
    rules=Rules(
        gold=Way(start="a1,b1,c1,d1,e1,f1,hand6", course="a..f", home="f..a"),
        black=Way(start="z1,y1,x1,w1,u1,t1,hand6", course="z..t", home="t..z"),
        men=12,
        moving=False,
        limit=2,
        piled=True,
        bearing=Bearing.EXACT,
        unusable=Unusable.OPPONENT,
    ),
    family=Family.LIBRO,
    rank=5,
    options=(MOVING, THREE_OF_TWO, preferring(UNUSABLE, "opponent")),
    special=(
        "Two men lie one on the other on each of your six points. Number n takes the upper man of the n-th point down.",
        "When all six pairs are down, number n bears a man off the n-th point, exactly.",
        "A number that you cannot use, your opponent may use at once. Nothing is ever hit.",
    ),
    provenance=Provenance(
        label=Label.COMPLETED,
        sources=(LIBRO, GOLLADAY, LEWINS, LUDEME, WIKIPEDIA_DOUBLETS),
        history="The English doublets, or queen's game, may be an elaboration of it, says Wikipedia's article on them.",
        decisions=(
            "Nothing moves, unless the players choose so: Lewins has men move within their own table.",
            "How they then move is ours: towards the first point, two at most on a point, when all pairs are down.",
            "The Digital Ludeme Project has men travel round the board, which is not offered.",
            "Taking down and bearing may be mixed in one throw, once the last pair is down.",
            "Doubles count for nothing special: that belongs to the later English game.",
        ),
    ),
)
