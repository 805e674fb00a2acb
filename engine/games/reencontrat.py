"""Los romanos reencontrat: a chase from opposite corners, doubled on the far half [LJ, S0]."""

from engine.games.house_rules import THREE_OF_TWO, UNUSABLE
from engine.games.sources import LEWINS, LIBRO, LUDEME, MURRAY_BOARDS
from engine.rules import (
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

START = Option(
    name="start",
    asks="Where do the men start?",
    values=(
        OptionValue("hand", "Off the board."),
        OptionValue("stacked", "Piled on a and n.", {"gold.start": "a15", "black.start": "n15"}),
    ),
    source=(
        "Lewins tabulates no men on the board; Murray (1952), after the Digital Ludeme Project, "
        "piles them"
    ),
)

REENCONTRAT = Game(
    slug="reencontrat",
    title="Los romanos reencontrat",
    aliases=("Reencontrat", "Romanos reencontrat"),
    tagline="Enter at opposite corners and chase each other round the board.",
    rules=Rules(
        gold=SideRules(start="hand15", course="a..z", ban_second="a..m"),
        black=SideRules(start="hand15", course="n..z,a..m", ban_second="n..z"),
    ),
    family=Family.LIBRO,
    rank=11,
    options=(START, THREE_OF_TWO, UNUSABLE),
    provenance=Provenance(
        label=ProvenanceLabel.COMPLETED,
        sources=(LIBRO, MURRAY_BOARDS, LUDEME, LEWINS),
        history=(
            "Lewins notes that it shares with Emperador the rule that men may be doubled only on "
            "the far side."
        ),
        decisions=(
            "Each side has fifteen men, a number that Lewins marks with a question mark.",
            (
                "They start off the board, as she tabulates it; piled on the corners, they start "
                "as in Verquere."
            ),
            "Men that started in a pile also enter by number when hit.",
        ),
        ludeme=LudemeEntry(
            game=1353,
            rulesets=(1513,),
            version="1.3.12",
            differences=(
                (
                    "Their ruleset is incomplete: it doesn't say how many men there are and how "
                    "the game ends. Here, each side has fifteen, and bears them off."
                ),
                (
                    "There, men start in piles, our `start=stacked`; here, in hand, as Lewins "
                    "tabulates it."
                ),
                "There, a hit man goes back to its starting point; here, it enters by number.",
            ),
        ),
    ),
)
