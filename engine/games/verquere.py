"""Verquere, the Dutch game: the same way from opposite corners, with two dice, and the jan [S0, C]."""

from engine.games.house import UNUSABLE, to_place
from engine.games.sources import COTTON, LEWINS, LUDEME
from engine.outcome import Outcome
from engine.position import Position, Side
from engine.rules import (
    Battle,
    Dice,
    Doubles,
    Family,
    Game,
    Label,
    Option,
    Provenance,
    Rules,
    Value,
    Way,
)

JAN_COUNTS = 2

JAN_WORDS = {"jan": "jan: {side} has more men to enter than its table has room for"}


def jan(rules: Rules, position: Position) -> Outcome | None:
    """Give the game to the other side when one has seven men for its six entry points."""
    for side in Side:
        if to_place(rules, position, side) > len(rules.entry(side)):
            return Outcome(side.other, "jan", {"side": side}, JAN_COUNTS)
    return None


JAN = Option(
    name="jan",
    asks="What does a jan count?",
    values=(
        Value("wins", "A side with seven men for its six entry points has lost, doubly."),
        Value("waits", "It waits until there is room.", {"verdict": None}),
    ),
    source="Accounts differ: in some it is a double win, in others the side only waits; the default is ours",
)

VERQUERE = Game(
    slug="verquere",
    title="Verquere",
    aliases=("Verkeer", "Verkehren", "Revertier", "Forkering"),
    tagline="Chase each other the same way round from opposite corners; no doubling on your first half.",
    rules=Rules(
        gold=Way(start="a15", course="a..z", single="a..m"),
        black=Way(start="n15", course="n..z,a..m", single="n..z"),
        dice=Dice(count=2, doubles=Doubles.TWICE),
        battle=Battle(dice=1, lower=True),
        verdict=jan,
    ),
    family=Family.LATER,
    rank=0,
    options=(JAN, UNUSABLE),
    special=(
        "The lower of one die each begins. Doubles are played twice.",
        "No second man may stand on any of the first twelve points of your course, not even when entering.",
        "Jan: a side with seven men to place on its six entry points has lost, and it counts double.",
    ),
    words=JAN_WORDS,
    provenance=Provenance(
        label=Label.COMPLETED,
        sources=(COTTON, LEWINS, LUDEME),
        history="Cotton says that the Dutch play it much. It lives on in the north as Swedish tables.",
        decisions=(
            "Lewins says nothing of a jan: that it is there, and wins doubly, we take from other accounts of the game.",
            "Men on the bar and own entry points held make a jan when they are seven: none of them can move.",
        ),
    ),
)
