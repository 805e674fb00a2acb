"""Laquet: three tables, no hitting, and a single man closes a point [LJ, S0]."""

from engine.games.house_rules import UNUSABLE, change_default
from engine.games.sources import (
    GOLLADAY,
    LEWINS,
    LIBRO,
    LUDEME,
    LUDEME_BEARING,
    WIKIPEDIA_LAQUET,
)
from engine.position import Side
from engine.rules import (
    Dice,
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
    UnusableRule,
)

SPREAD = "t2,u3,w3,x3,y3"


def _build_single_value(point: str) -> OptionValue:
    # On n and s the man has yet to come to t, where the others' course begins.
    course = {"black.course": "n..z,a..m"} if point in "ns" else {}
    return OptionValue(point, f"On {point}.", {"black.apart": f"{point}1", **course})


COURSE = Option(
    name="course",
    asks="Which way do the men go?",
    values=(
        OptionValue(
            "three-tables",
            ("Both sides go from t to z, then from a to m, and bear off from g to m."),
        ),
        OptionValue(
            "tabulated",
            "Both sides go from a to z and bear off from t to z, as in Lewins' table.",
            {"gold.course": "a..z", "black.course": "a..z"},
        ),
    ),
    source=(
        "Libro de los Juegos, f. 78v, after Wikipedia; Lewins' table, which calls its source "
        "confused"
    ),
)

SINGLE = Option(
    name="single",
    asks="Where does black's fifteenth man start?",
    values=tuple(_build_single_value(point) for point in ("m", "g", "n", "s")),
    source=(
        "Lewins leaves it open between g, m, n and s; Wikipedia and the Digital Ludeme Project "
        "have m"
    ),
)

PAIR = Option(
    name="pair",
    asks="Where does black's pair start?",
    values=(
        OptionValue("t", "On t, with three men each on u, w, x and y."),
        OptionValue(
            "y", "On y, with three men each on t, u, w and x.", {"black.start": "t3,u3,w3,x3,y2"}
        ),
    ),
    source=(
        "Wikipedia and the Digital Ludeme Project have the pair farthest from the pile; Lewins' "
        "table has it on y"
    ),
)

LAQUET = Game(
    slug="laquet",
    title="Laquet",
    aliases=("Jacquet (early)", "The quest"),
    tagline=(
        "A pile of fourteen against a spread-out side; there is no hitting, and one man closes a "
        "point."
    ),
    rules=Rules(
        gold=SideRules(start="a1,z14", course="t..z,a..m"),
        black=SideRules(start=SPREAD, apart="m1", course="t..z,a..m"),
        dice=Dice(count=2),
        battle=OpeningRollRules(sides=SideAssignment.CHOSEN, begins=Side.BLACK),
        ban_closed=1,
        unusable=UnusableRule.OPPONENT,
    ),
    family=Family.LIBRO,
    rank=9,
    options=(SINGLE, PAIR, COURSE, change_default(UNUSABLE, "opponent")),
    special=(
        "The other side may use at once, before its own throw, any numbers that a side cannot use.",
    ),
    provenance=Provenance(
        label=ProvenanceLabel.COMPLETED,
        sources=(LIBRO, GOLLADAY, LEWINS, LUDEME, WIKIPEDIA_LAQUET),
        history=(
            "According to Wikipedia's article, Golladay translates the name as quest, and jacquet "
            "may come from the game."
        ),
        decisions=(
            (
                "On the tabulated course, fourteen men would start on the last point, so the three "
                "tables are the default."
            ),
            (
                "Lewins' table has three men each on u, v, w and x and two on y, but her "
                "lettering of the points has no v."
            ),
            (
                "So we read three each on u, w, x and y and two on t; `pair=y` leaves the pair on "
                "y and reads t for v."
            ),
            "Black's fifteenth man stands on m, the end of the course.",
            (
                "A fifteenth man on n or s stands before the start of the others' course; it goes "
                "to t first, then follows them."
            ),
            (
                "In our computer's games black, which begins, won four in five; with the man on n "
                "or s, two in three."
            ),
            (
                "On the tabulated course, black won more than nine in ten of those games, which "
                "took some 17 throws; that speaks against it but is no proof."
            ),
        ),
        ludeme=LudemeEntry(
            game=627,
            rulesets=(735,),
            version="1.3.12",
            differences=(
                (
                    "There, men run through all four tables from the pile's point on; here, from "
                    "t to z and from a to m, as Wikipedia reads the book."
                ),
                LUDEME_BEARING,
            ),
        ),
    ),
)
