"""Verquere, the Dutch game: a chase from opposite corners with two dice, and the jan [S0, C]."""

from engine.games.house import UNUSABLE, count_men_to_place
from engine.games.sources import COTTON, LEWINS, LUDEME, VASA, WIKIPEDIA_VERQUERE
from engine.outcome import GameOutcome
from engine.position import Position, Side
from engine.rules import (
    Dice,
    DoublesRule,
    Family,
    Game,
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


JAN = Option(
    name="jan",
    asks="What does a jan do?",
    values=(
        OptionValue(
            "wins",
            ("A side with seven men for its six entry points loses, and the loss counts double."),
        ),
        OptionValue("waits", "The side waits until there is room.", {"verdict": None}),
    ),
    source=(
        "Cotton: with seven men for six points you must yield the double; Wikipedia: the side only "
        "waits"
    ),
)

VERQUERE = Game(
    slug="verquere",
    title="Verquere",
    aliases=("Verkeer", "Verkehren", "Revertier", "Forkering"),
    tagline=(
        "Chase each other the same way round from opposite corners; no doubling on your first half."
    ),
    rules=Rules(
        gold=SideRules(start="a15", course="a..z", single="a..m"),
        black=SideRules(start="n15", course="n..z,a..m", single="n..z"),
        dice=Dice(count=2, doubles=DoublesRule.TWICE),
        battle=OpeningRollRules(dice=1, lower=True),
        verdict=find_jan,
    ),
    family=Family.LATER,
    rank=0,
    options=(JAN, UNUSABLE),
    special=(
        "Each side throws one die; the lower begins. Doubles are played twice.",
        (
            "You may never bring a second man to any of the first twelve points of your course, "
            "not even when entering."
        ),
        (
            "Jan: a side with seven men to place on its six entry points loses, and the loss "
            "counts double."
        ),
    ),
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
                "The lower die begins; this is our decision, after Swedish tables, since Lewins' "
                "rule for other games is the higher."
            ),
            (
                "A side's men on the bar and the entry points it holds make a jan when they "
                "add up to seven: none of these men can move."
            ),
        ),
    ),
)
