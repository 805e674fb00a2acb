"""Ludus duodecim scriptorum, the game of twelve lines: three rows of twelve points [S3, M]."""

from engine.board import ROMAN
from engine.games.house_rules import UNUSABLE
from engine.games.sources import LUDEME, MURRAY_BOARDS, WALKER
from engine.rules import (
    BearingRule,
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

BEARING = Option(
    name="bearing",
    asks="How are men borne off?",
    values=(
        OptionValue("exact", "By the exact number only."),
        OptionValue(
            "usual",
            "By the exact number, or a higher one if no man stands farther back.",
            {"bearing": BearingRule.USUAL},
        ),
    ),
    source=(
        "Walker's leaflet bears off a man from the point shown on the die; the usual rule is that "
        "of the other games"
    ),
)

DUODECIM_SCRIPTA = Game(
    slug="duodecim-scripta",
    title="Duodecim scripta",
    aliases=(
        "XII scripta",
        "XII scriptorum",
        "Ludus duodecim scriptorum",
        "The game of twelve lines",
    ),
    tagline=(
        "Three dice, three rows of twelve: enter in the middle, run along the top, come home "
        "at the bottom."
    ),
    rules=Rules(
        gold=SideRules(start="hand15", course="1..36"),
        black=SideRules(start="hand15", course="1..36"),
        board=ROMAN,
        bearing=BearingRule.EXACT,
    ),
    family=Family.ROME,
    rank=0,
    options=(BEARING, UNUSABLE),
    special=(
        (
            "Men enter on 1 to 6 and run along the middle row, back along the top and home along "
            "the bottom."
        ),
        "On some Roman boards, six words of six letters mark the points, as on ours.",
    ),
    provenance=Provenance(
        label=ProvenanceLabel.RECONSTRUCTED,
        sources=(WALKER, MURRAY_BOARDS, LUDEME),
        history=(
            "Walker counts over a hundred boards, found from Wales to Egypt, some with phrases "
            "whose letters are the points. The rules are lost; these are Murray's "
            "reconstruction."
        ),
        decisions=(
            (
                "The inscription on our board is that of a board in the forum of Timgad (CIL VIII "
                "17938): to hunt, to bathe, to play, to laugh, that is to live."
            ),
            "Both sides travel the same way; numbers must be used, as in the other games.",
            "Men jump from the end of the top row to the start of the bottom row, as Walker notes.",
        ),
        ludeme=LudemeEntry(
            game=5,
            rulesets=(33,),
            version="1.3.12",
            differences=(
                (
                    "Their text bears men off once all are in the last row, their file at any "
                    "time; here, once all are on its last six points."
                ),
                "There, numbers may be combined; here, each is a move of its own.",
                (
                    "In their file, one side runs along the bottom row before the top one; here, "
                    "both sides go the same way."
                ),
            ),
        ),
    ),
)
