"""Buffa de baldrac, the common puff: two contrary ways, and all men enter first [LJ, S0]."""

from engine.games.house_rules import THREE_OF_TWO, UNUSABLE
from engine.games.sources import LEWINS, LIBRO, LUDEME
from engine.rules import (
    Family,
    Game,
    LudemeEntry,
    PlacingRule,
    Provenance,
    ProvenanceLabel,
    Rules,
    SideRules,
)

BUFFA_DE_BALDRAC = Game(
    slug="buffa-de-baldrac",
    title="Buffa de baldrac",
    aliases=("Common puff", "Buff de Baldriac", "Buffa de balrac"),
    tagline=(
        "Enter on neighbouring tables, run in opposite directions, bear off; no man moves "
        "until all are in."
    ),
    rules=Rules(
        gold=SideRules(start="hand15", course="a..z"),
        black=SideRules(start="hand15", course="m..a,z..n"),
        placing=PlacingRule.ALL,
    ),
    family=Family.LIBRO,
    rank=2,
    options=(THREE_OF_TWO, UNUSABLE),
    provenance=Provenance(
        label=ProvenanceLabel.COMPLETED,
        sources=(LIBRO, LEWINS, LUDEME),
        history=(
            "A puff in which the sides travel in opposite directions. Lewins notes that men "
            "enter before any of them moves, which suits a game whose sides enter on different "
            "tables."
        ),
        decisions=(
            "Black enters from m towards g and goes on to a, z and n, as Lewins tabulates it.",
            (
                "The Digital Ludeme Project reads the book differently: each side moves to the "
                "table where the other entered."
            ),
        ),
        ludeme=LudemeEntry(
            game=1050,
            rulesets=(1209,),
            version="1.3.12",
            differences=(
                (
                    "There, each side runs to the table where the other entered; here, black "
                    "enters from m and bears off on n to s, as Lewins tabulates it."
                ),
                (
                    "There, men are borne off by the exact number; here, also by a higher one if "
                    "no man stands farther back."
                ),
            ),
        ),
    ),
)
