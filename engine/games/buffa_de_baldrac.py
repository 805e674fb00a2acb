"""Buffa de baldrac, the common puff: two contrary ways, and all men enter first [LJ, S0]."""

from engine.games.house import THREE_OF_TWO, UNUSABLE
from engine.games.sources import LEWINS, LIBRO, LUDEME
from engine.rules import Family, Game, Label, Placing, Provenance, Rules, Way

BUFFA_DE_BALDRAC = Game(
    slug="buffa-de-baldrac",
    title="Buffa de baldrac",
    aliases=("Common puff", "Buff de Baldriac", "Buffa de balrac"),
    tagline="Enter on neighbouring tables, run contrary ways and bear off; nobody moves before all have entered.",
    rules=Rules(
        gold=Way(start="hand15", course="a..z"),
        black=Way(start="hand15", course="m..a,z..n"),
        placing=Placing.ALL,
    ),
    family=Family.LIBRO,
    rank=2,
    options=(THREE_OF_TWO, UNUSABLE),
    special=(
        "All men start off the board: gold's enter on a to f, black's on m back to g.",
        "No man moves before all of his side's have entered; a man hit later comes in first, as always.",
        "Black goes round the other way and bears off from n to s.",
    ),
    provenance=Provenance(
        label=Label.COMPLETED,
        sources=(LIBRO, LEWINS, LUDEME),
        history=(
            "A puff in which the sides go contrary ways. Lewins notes that men enter before any moves, which suits "
            "a game whose sides enter on different tables."
        ),
        decisions=(
            "Black enters from m towards g and goes on to a, z and n, as Lewins tabulates.",
            "The Digital Ludeme Project reads the book otherwise: each moves to the table where the other entered.",
        ),
    ),
)
