"""Medio emperador, half emperor: the emperor's game on the two tables that face each other [LJ, S0]."""

from engine.games.emperador import REENTRY, TIE_WORDS, tie
from engine.games.house import THREE_DICE, UNUSABLE
from engine.games.sources import GOLLADAY, LEWINS, LIBRO
from engine.rules import Dice, Family, Game, Label, Option, Provenance, Reentry, Rules, Value, Way

SINGLE = Option(
    name="single",
    asks="May a second man stand in your own entry table?",
    values=(
        Value("own-table", "No, by analogy with Emperador."),
        Value("off", "Yes.", {"gold.single": "", "black.single": ""}),
    ),
    source="The sources are silent; by analogy with Emperador",
)

MEDIO_EMPERADOR = Game(
    slug="medio-emperador",
    title="Medio emperador",
    aliases=("Half emperor",),
    tagline="The emperor's game on half the board.",
    rules=Rules(
        gold=Way(start="a15", course="a..f,t..z", single="a..f"),
        black=Way(start="z15", course="z..t,f..a", single="t..z"),
        dice=Dice(count=2),
        reentry=Reentry.FREE,
        standstill=tie,
    ),
    family=Family.LIBRO,
    rank=7,
    options=(THREE_DICE, REENTRY, SINGLE, UNUSABLE),
    special=(
        "Only the tables af and tz are used: from f gold's men go straight across to t.",
        "No second man may stand in your own entry table.",
        "With men on the bar you may move others instead of entering.",
        "When both sides have men on the bar that no number could enter, the game is tied.",
    ),
    words=TIE_WORDS,
    provenance=Provenance(
        label=Label.COMPLETED,
        sources=(LIBRO, GOLLADAY, LEWINS),
        history="Half the board and half the game: the book gives it two or three dice, and no barata.",
        decisions=(
            "The ban on doubling holds in the entry table alone, by analogy; it may be lifted.",
            "Men on the bar need not enter first, as in Emperador; otherwise its tie can arise too, but hardly does.",
            "Two dice, as the picture shows, unless the players choose three.",
        ),
    ),
)
