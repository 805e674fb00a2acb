"""Todas tablas, all tables: men in all four tables from the start, backgammon's nearest forebear [LJ, S0]."""

from engine.games.house import DOUBLES, UNUSABLE
from engine.games.sources import GOLLADAY, LEWINS, LIBRO, MURRAY
from engine.rules import Dice, Family, Game, Label, Option, Provenance, Rules, Value, Way

SETUP = Option(
    name="setup",
    asks="Which set-up?",
    values=(
        Value(
            "illustration",
            "As the book's picture shows: 2 on a, 5 on f, 3 on h and 5 on m; black likewise.",
        ),
        Value(
            "text",
            "As its text may mean, and as backgammon begins: 2 on a, 5 on m, 3 on r and 5 on t; black likewise.",
            {"gold.start": "a2,m5,r3,t5", "black.start": "z2,n5,h3,f5"},
        ),
    ),
    source="Libro de los Juegos: the picture and the text differ; Murray follows the text",
)

TODAS_TABLAS = Game(
    slug="todas-tablas",
    title="Todas tablas",
    aliases=("All tables", "Toutes tables", "Tavole reale"),
    tagline="Men in every table from the start, two dice, doubles nothing special: backgammon's forebear.",
    rules=Rules(
        gold=Way(start="a2,f5,h3,m5", course="a..z"),
        black=Way(start="z2,t5,r3,n5", course="z..a"),
        dice=Dice(count=2),
    ),
    family=Family.LIBRO,
    rank=13,
    options=(SETUP, DOUBLES, UNUSABLE),
    special=("The men start spread over the whole board.", "Doubles are nothing special."),
    provenance=Provenance(
        label=Label.DESCRIBED,
        sources=(LIBRO, GOLLADAY, MURRAY, LEWINS),
        history="Of the book's games it is the nearest to Irish and to backgammon, as its set-up in the text shows.",
        decisions=("The picture decides the set-up: the text, garbled in places, is an option.",),
    ),
)
