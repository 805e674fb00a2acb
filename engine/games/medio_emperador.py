"""Medio emperador, half emperor: the emperor's game on the two tables that face each other [LJ, S0]."""

from engine.games.emperador import REENTRY, TIE_WORDS, tie
from engine.games.house import THREE_DICE, UNUSABLE, cited
from engine.games.sources import GOLLADAY, LEWINS, LIBRO, LUDEME
from engine.rules import Dice, Family, Game, Label, Option, Provenance, Reentry, Rules, Value, Way

DICE = cited(
    THREE_DICE, "Libro de los Juegos in Golladay's translation: two dice or three; so Lewins' table"
)

SINGLE = Option(
    name="single",
    asks="May you bring a second man to a point of your own entry table?",
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
    options=(DICE, REENTRY, SINGLE, UNUSABLE),
    special=(
        "Only the tables af and tz are used: from f gold's men go straight across to t.",
        "You may not bring a second man to the points of your own entry table.",
        "With men on the bar you may move others instead of entering.",
        "When both sides have men on the bar that no number could enter, the game is tied.",
    ),
    words=TIE_WORDS,
    provenance=Provenance(
        label=Label.COMPLETED,
        sources=(LIBRO, GOLLADAY, LEWINS, LUDEME),
        history=(
            "In Golladay's translation the book plays it on two tables, with two or three dice; it has a tie but "
            "no prime, the barata of Emperador."
        ),
        decisions=(
            "The ban on doubling holds in the entry table alone, by analogy; it may be lifted.",
            "Men on the bar need not enter first, as in Emperador; otherwise its tie can arise too, but hardly does.",
            "Two dice, as in the book's picture (Digital Ludeme Project), unless the players choose three.",
        ),
    ),
)
