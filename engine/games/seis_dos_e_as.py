"""Seis, dos e as, six-two-and-ace: hit men enter again in the table diagonally opposite [LJ, S0]."""

from engine.board import CORNERED, TABLES
from engine.games.house import THREE_OF_TWO, UNUSABLE
from engine.games.sources import GOLLADAY, LEWINS, LIBRO, LUDEME
from engine.rules import Battle, Family, Game, Label, Option, Provenance, Rules, Sides, Value, Way

DIAGONAL = (("a..f", "bar-ns"), ("g..m", "bar-tz"), ("n..s", "bar-af"), ("t..z", "bar-gm"))
ENTRIES = (("bar-af", "a..f"), ("bar-gm", "g..m"), ("bar-ns", "n..s"), ("bar-tz", "t..z"))

REENTRY = Option(
    name="reentry",
    asks="Where do hit men enter again?",
    values=(
        Value("diagonal", "In the table diagonally opposite to the one in which they were hit."),
        Value(
            "start-table",
            "On a to f.",
            {
                "board": TABLES,
                "gold.hit": (),
                "gold.entries": (),
                "black.hit": (),
                "black.entries": (),
            },
        ),
    ),
    source="Lewins: diagonally opposite; the start table is her rule for other games",
)

SEIS_DOS_E_AS = Game(
    slug="seis-dos-e-as",
    title="Seis, dos e as",
    aliases=("Seis, doz & as", "Seys dos y as", "Six, two and ace", "Six-dos-as"),
    tagline="Six, two and ace against five, four and three; being hit can throw a man half round the board.",
    rules=Rules(
        gold=Way(start="a3,b4,f8", course="a..z", hit=DIAGONAL, entries=ENTRIES),
        black=Way(start="c5,d5,e5", course="a..z", hit=DIAGONAL, entries=ENTRIES),
        board=CORNERED,
        battle=Battle(sides=Sides.GOLD),
    ),
    family=Family.LIBRO,
    rank=12,
    options=(REENTRY, THREE_OF_TWO, UNUSABLE),
    special=(
        "The winner of the roll battle plays gold, the six, two and ace, and begins.",
        "A man that is hit enters again in the table diagonally opposite: af and ns, gm and tz change places.",
        "Men that wait for different tables may enter in any order.",
    ),
    provenance=Provenance(
        label=Label.COMPLETED,
        sources=(LIBRO, GOLLADAY, LEWINS, LUDEME),
        history=(
            "The six, the two and the ace are the points on which the winner of the roll battle sets eight, four "
            "and three men, in Golladay's translation of the book."
        ),
        decisions=(
            "Diagonally opposite is read of re-entry, as Lewins does, though a man hit in af or gm gains by it.",
            "Number n enters on the n-th point of the table in the direction of travel.",
        ),
    ),
)
