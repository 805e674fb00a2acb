"""Twelve Dogs, Doze canes: the Libro de los Juegos' children's game, on one table [S0, S1]."""

from engine.games.house_rules import UNUSABLE
from engine.games.sources import LEWINS, LUDEME
from engine.outcome import GameOutcome
from engine.position import Position, Side
from engine.rules import (
    BearingRule,
    Dice,
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


def _build_table_value(name: str, course: str) -> OptionValue:
    return OptionValue(name, f"The table {name}.", {"gold.course": course, "black.course": course})


TABLE = Option(
    name="table",
    asks="Which table do you play on?",
    values=(
        _build_table_value("af", "a..f"),
        _build_table_value("gm", "g..m"),
        _build_table_value("ns", "n..s"),
        _build_table_value("tz", "t..z"),
    ),
    source="Lewins: the player who plays first chooses the table",
    starter_chooses=True,
)


def find_all_six(rules: Rules, position: Position) -> GameOutcome | None:
    """Give the game to a side that holds every point; to neither when all points are full."""
    table = rules.course(Side.GOLD)
    for side in Side:
        if all(position.men(side)[point] == rules.ban_full for point in table):
            return GameOutcome(side, "all-six")
    if all(rules.ban_full in (position.gold[point], position.black[point]) for point in table):
        return GameOutcome(None, "not-all-six")
    return None


WIN = Option(
    name="win",
    asks="Who wins when all six points are full?",
    values=(
        OptionValue("most", "The side that holds more of them."),
        OptionValue(
            "all-six",
            "Only a side that holds all six of them; otherwise, neither side.",
            {
                "ending_after_move": find_all_six,
                "ending_texts": (
                    (
                        "The side that holds all six points with two men each wins; if neither "
                        "does, nobody wins."
                    ),
                ),
            },
        ),
    ),
    source="Lewins: the most points; the Digital Ludeme Project reads two men on each of all six",
)

TWELVE_DOGS = Game(
    slug="twelve-dogs",
    title="Twelve Dogs",
    aliases=("Doze canes", "Doze hermanos", "Twelve brothers"),
    tagline=(
        "One table, two dice, no decisions: when all six points are full, the side with more of "
        "them wins."
    ),
    rules=Rules(
        gold=SideRules(start="hand12", course="a..f"),
        black=SideRules(start="hand12", course="a..f"),
        men=12,
        dice=Dice(count=2),
        moving=False,
        ban_full=2,
        bearing=BearingRule.NONE,
        ending=Ending.FULL,
    ),
    family=Family.RUMWOLDSTOW,
    rank=3,
    options=(TABLE, WIN, UNUSABLE),
    special=("Each number enters a man on its point; men don't move, and the throw plays itself.",),
    solved=(
        (
            "By the usual rules, the side that begins wins 34.3% of the games and loses 21.2%; the "
            "others are drawn."
        ),
        (
            "Ad fallum, where a number that cannot be used loses, the side that begins wins 51.4% "
            "and loses 48.5%."
        ),
        "Where only a side that holds all six points wins, 99.8% of the games have no winner.",
        (
            "To offer unusable numbers to the other side changes nothing, as that side can't use "
            "them either; nor does it matter which table you choose."
        ),
        "No throw leaves a choice, so best play is no better than chance.",
    ),
    words={
        "all-six": "all six points held",
        "not-all-six": "neither side holds all six points",
    },
    provenance=Provenance(
        label=ProvenanceLabel.DESCRIBED,
        sources=(
            "Libro de los Juegos (Alfonso X, 1283), f. 74r: doze canes",
            LEWINS,
            LUDEME,
        ),
        history=(
            "In the book's picture, Lewins sees two boys playing it, guided by adults. She calls "
            "it a teaching game."
        ),
        decisions=(
            (
                "The side that begins chooses the table before its first throw; both sides enter "
                "in the same direction."
            ),
            "Three points each is a draw.",
        ),
        ludeme=LudemeEntry(
            game=618,
            rulesets=(725,),
            version="1.3.12",
            differences=(
                (
                    "There, men enter on a table of their own side and run round the board to "
                    "the chosen table; here, they enter on the chosen table and don't move, as "
                    "in Lewins."
                ),
                (
                    "There, two men on each of the six points win, our `win=all-six`; here, the "
                    "most points do, as in Lewins."
                ),
            ),
        ),
    ),
)
