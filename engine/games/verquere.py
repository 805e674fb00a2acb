"""Verquere, the Dutch game: a chase from opposite corners with two dice, and the jan [S0, C]."""

from engine.games.house_rules import UNUSABLE, count_men_to_place
from engine.games.sources import COTTON, LEWINS, LUDEME, VASA, WIKIPEDIA_VERQUERE
from engine.outcome import GameOutcome
from engine.position import Position, Side
from engine.rules import (
    Dice,
    DoublesRule,
    Family,
    Game,
    LudemeEntry,
    OpeningRollRules,
    Option,
    OptionValue,
    Provenance,
    ProvenanceLabel,
    Rules,
    SideRules,
)

JAN_COUNTS = 2

JAN_WORDS = {"jan": "jan: {side} has more men to enter than its table has room for"}


def find_jan(rules: Rules, position: Position) -> GameOutcome | None:
    """Give the game to the other side when one has seven men for its six entry points."""
    for side in Side:
        if count_men_to_place(rules, position, side) > len(rules.entry_points(side)):
            return GameOutcome(side.other, "jan", {"side": side}, JAN_COUNTS)
    return None


JAN_FEAT = (
    "A side with seven men for its six entry points, on them or on the bar, loses at once by jan, "
    "and the loss counts double."
)

JAN = Option(
    name="jan",
    asks="What does a jan do?",
    values=(
        OptionValue(
            "wins",
            ("A side with seven men for its six entry points loses, and the loss counts double."),
        ),
        OptionValue(
            "waits",
            "The side waits until there is room.",
            {"ending_after_move": None, "ending_texts": ()},
        ),
    ),
    source=(
        "Cotton: with seven men for six points you must yield the double; Wikipedia: the side only "
        "waits"
    ),
)

FAR_POINT = Option(
    name="far-point",
    asks="May you bring a second man to the twelfth point of your course?",
    values=(
        OptionValue("single", "No: none of the first twelve points takes a second man."),
        OptionValue(
            "double",
            "Yes: only the first eleven points take no second man.",
            {"gold.ban_second": "a..l", "black.ban_second": "n..y"},
        ),
    ),
    source="Lewins bans all twelve points; Cotton has the further ace-point excepted",
)

VERQUERE = Game(
    slug="verquere",
    title="Verquere",
    aliases=("Verkeer", "Verkehren", "Revertier", "Forkering"),
    tagline=(
        "Chase each other the same way round from opposite corners; no doubling before halfway."
    ),
    rules=Rules(
        gold=SideRules(start="a15", course="a..z", ban_second="a..m"),
        black=SideRules(start="n15", course="n..z,a..m", ban_second="n..z"),
        dice=Dice(count=2, doubles=DoublesRule.TWICE),
        battle=OpeningRollRules(dice=1, lower=True),
        ending_after_move=find_jan,
        ending_texts=(JAN_FEAT,),
    ),
    family=Family.LATER,
    rank=0,
    options=(FAR_POINT, JAN, UNUSABLE),
    words=JAN_WORDS,
    provenance=Provenance(
        label=ProvenanceLabel.COMPLETED,
        sources=(COTTON, LEWINS, LUDEME, WIKIPEDIA_VERQUERE, VASA),
        history=(
            "Cotton says that it came from Holland, where it is learnt in childhood. Lewins "
            "says that it survives as Swedish tables."
        ),
        decisions=(
            (
                "No second man on any of the first twelve points is Lewins' rule. Cotton's ban has "
                "the further ace-point excepted, which we read as the twelfth, as in Swedish "
                "tables; players may choose to follow Cotton."
            ),
            (
                "The lower die begins; this is our decision, after Swedish tables, since Lewins' "
                "rule for other games is the higher."
            ),
            (
                "A side's men on the bar and the entry points it holds make a jan when they "
                "add up to seven: none of these men can move."
            ),
        ),
        ludeme=LudemeEntry(
            game=1095,
            rulesets=(1252,),
            version="1.3.13",
            differences=(
                (
                    "There, a side that cannot enter its men loses its turn, much like our "
                    "`jan=waits`; here, a side with seven men for its six entry points loses, as "
                    "in Cotton."
                ),
                (
                    "There, men are borne off by the exact number; here, also by a higher one if "
                    "no man stands farther back."
                ),
            ),
        ),
    ),
)
