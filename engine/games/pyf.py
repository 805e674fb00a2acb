"""Pyf, or Puff: mediaeval games of entering and running together, combined [S0, S1]."""

from engine.games.house_rules import DOUBLES, PAIRS, UNUSABLE
from engine.games.sources import GOLLADAY, LEWINS
from engine.rules import (
    Family,
    Game,
    Option,
    OptionValue,
    Provenance,
    ProvenanceLabel,
    Rules,
    SideRules,
)

PLAYERS = Option(
    name="players",
    asks="How many players are there on each side?",
    values=(
        OptionValue("1", "One against one, with three dice."),
        OptionValue("2", "Two against two, with two dice.", {"players": 2, "dice.count": 2}),
        OptionValue("3", "Three against three, with two dice.", {"players": 3, "dice.count": 2}),
    ),
    source=(
        "Lewins, after Paume carie (Royal 13 A XVIII): all of one side play in turn, then all of "
        "the other"
    ),
)

PYF = Game(
    slug="pyf",
    title="Pyf",
    aliases=("Puff",),
    tagline=(
        "Enter fifteen men, run the whole board the same way as your opponent, and bear them off "
        "first."
    ),
    rules=Rules(
        gold=SideRules(start="hand15", course="a..z"),
        black=SideRules(start="hand15", course="a..z"),
        home_rests=True,
    ),
    family=Family.RUMWOLDSTOW,
    rank=2,
    options=(PLAYERS, UNUSABLE, DOUBLES, PAIRS),
    special=(
        "All men start off the board and enter on a to f; men may move on before all have entered.",
    ),
    provenance=Provenance(
        label=ProvenanceLabel.RECONSTRUCTED,
        sources=(
            "Libro de los Juegos (1283): buffa cortesa, pareia de entrada",
            "London, British Library, Royal MS 13 A XVIII (c. 1330): paume carie",
            LEWINS,
            GOLLADAY,
        ),
        history=(
            "Several manuscripts have a game in which both players enter their men in the same "
            "table and run the same way. Lewins combined them into one game and gave it the "
            "Old English name of puff."
        ),
        decisions=(
            "Men may enter or move in any order, except that men on the bar must enter first.",
            "In teams, all players of a side share one set of men.",
            (
                "With three dice, only three alike count as doubles unless the players choose "
                "otherwise."
            ),
        ),
    ),
)
