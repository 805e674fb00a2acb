"""Seis, dos e as, six-two-and-ace: hit men re-enter diagonally opposite [LJ, S0]."""

from engine.board import FOUR_BAR_TABLES, TABLES
from engine.games.house_rules import THREE_OF_TWO, UNUSABLE
from engine.games.sources import (
    GOLLADAY,
    LEWINS,
    LIBRO,
    LUDEME,
    LUDEME_BEARING,
)
from engine.rules import (
    Family,
    Game,
    LudemeEntry,
    OpeningRollRules,
    Option,
    OptionValue,
    Provenance,
    ProvenanceLabel,
    Rules,
    SideAssignment,
    SideRules,
)

DIAGONAL = (("a..f", "bar-ns"), ("g..m", "bar-tz"), ("n..s", "bar-af"), ("t..z", "bar-gm"))
ENTRIES = (("bar-af", "a..f"), ("bar-gm", "g..m"), ("bar-ns", "n..s"), ("bar-tz", "t..z"))

REENTRY = Option(
    name="reentry",
    asks="Where do hit men re-enter?",
    values=(
        OptionValue("diagonal", "In the table diagonally opposite the one where they were hit."),
        OptionValue(
            "start-table",
            "On a to f.",
            {
                # Men who all re-enter in one table need no more than one bar.
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
    tagline=(
        "Six, two and ace against five, four and three; a hit can send a man halfway round the "
        "board."
    ),
    rules=Rules(
        gold=SideRules(start="a3,b4,f8", course="a..z", hit=DIAGONAL, entries=ENTRIES),
        black=SideRules(start="c5,d5,e5", course="a..z", hit=DIAGONAL, entries=ENTRIES),
        board=FOUR_BAR_TABLES,
        battle=OpeningRollRules(sides=SideAssignment.GOLD),
    ),
    family=Family.LIBRO,
    rank=12,
    options=(REENTRY, THREE_OF_TWO, UNUSABLE),
    special=("Men waiting to enter different tables may enter in any order.",),
    provenance=Provenance(
        label=ProvenanceLabel.COMPLETED,
        sources=(LIBRO, GOLLADAY, LEWINS, LUDEME),
        history=(
            "In Golladay's translation of the book, the six, the two and the ace are the "
            "points on which the winner of the opening roll sets eight, four and three men."
        ),
        decisions=(
            (
                "We take the diagonal as the rule for re-entry, as Lewins does, though a man hit "
                "in af or gm gains by it."
            ),
            (
                "A 1 enters on the first point of the table in the direction of travel, a 2 on the "
                "second, and so on."
            ),
        ),
        ludeme=LudemeEntry(
            game=621,
            rulesets=(728,),
            version="1.3.12",
            differences=(
                (
                    "There, one side has eight men on the first point of the course, four on the "
                    "fifth and three on the sixth, the other five each on the second to the "
                    "fourth; here, three on the first, four on the second and eight on the sixth, "
                    "and the other's on the third to the fifth, as Lewins tabulates it."
                ),
                (
                    "There, men are borne off in the third table of their course; here, in the "
                    "fourth."
                ),
                LUDEME_BEARING,
                (
                    "There, a hit man goes back to the table beside the first; here, to the one "
                    "diagonally opposite, as in Lewins."
                ),
            ),
        ),
    ),
)
