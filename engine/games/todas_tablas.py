"""Todas tablas, all tables: men in all four tables, backgammon's nearest forebear [LJ, S0]."""

from engine.games.house_rules import DOUBLES, UNUSABLE
from engine.games.sources import (
    GOLLADAY,
    LEWINS,
    LIBRO,
    LUDEME_BEARING,
    MURRAY,
    WIKIPEDIA_IRISH,
)
from engine.rules import (
    Dice,
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

SETUP = Option(
    name="setup",
    asks="Which set-up do you use?",
    values=(
        OptionValue(
            "illustration",
            "As in the book's picture: 2 on a, 5 on f, 3 on h and 5 on m; black mirrors this.",
        ),
        OptionValue(
            "text",
            (
                "As Murray reads its text, and as in backgammon: 2 on a, 5 on m, 3 on r and 5 on "
                "t; black mirrors this."
            ),
            {"gold.start": "a2,m5,r3,t5", "black.start": "z2,n5,h3,f5"},
        ),
    ),
    source=(
        "Lewins: the picture and the text of the Libro differ; Murray follows the text, Lewins the "
        "picture"
    ),
)

TODAS_TABLAS = Game(
    slug="todas-tablas",
    title="Todas tablas",
    aliases=("All tables", "Toutes tables", "Tavole reale"),
    tagline=(
        "Men in every table from the start, two dice, nothing special for doubles: a close "
        "relative of Irish."
    ),
    rules=Rules(
        gold=SideRules(start="a2,f5,h3,m5", course="a..z"),
        black=SideRules(start="z2,t5,r3,n5", course="z..a"),
        dice=Dice(count=2),
    ),
    family=Family.LIBRO,
    rank=13,
    options=(SETUP, DOUBLES, UNUSABLE),
    special=(
        "Each side's men start along one side of the board.",
        ("Doubles have no special effect."),
    ),
    provenance=Provenance(
        label=ProvenanceLabel.DESCRIBED,
        sources=(LIBRO, GOLLADAY, MURRAY, LEWINS, WIKIPEDIA_IRISH),
        history="Wikipedia's article on Irish calls it the Spanish equivalent of that game.",
        decisions=(
            (
                "The picture decides the set-up, as in Lewins' table: she thinks the text mixes up "
                "its points."
            ),
        ),
        ludeme=LudemeEntry(
            game=626,
            rulesets=(734,),
            version="1.3.12",
            differences=(
                (
                    "Their set-up, counted from the start of the course, has five men on the "
                    "sixth point, three on the eighth, five on the thirteenth and two on the "
                    "last; here, the picture has two on the first, five on the sixth, three on "
                    "the eighth and five on the twelfth, as in Lewins. Counted from the end, "
                    "theirs is our `setup=text`."
                ),
                (
                    "There, a hit man goes back to the table where its side began with two men; "
                    "here, it enters by number on the first table."
                ),
                LUDEME_BEARING,
            ),
        ),
    ),
)
