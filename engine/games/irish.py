"""Irish: backgammon's start without its doubles, and the binding of tables."""

from engine.games.house_rules import UNUSABLE
from engine.games.sources import COTTON_FIRST, ST_IVES, WIKIPEDIA_IRISH, WILLUGHBY
from engine.position import Position, Side
from engine.rules import (
    Dice,
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


def find_bound_table(rules: Rules, position: Position) -> tuple[int, ...]:
    """Return a home's points if one side holds them all while the other has a man to enter.

    Otherwise return nothing.
    """
    for side in Side:
        home = rules.home(side)
        men = position.men(side)
        if rules.board.count_waiting(position.men(side.other)) and all(
            men[point] >= rules.ban_closed for point in home
        ):
            return home
    return ()


BINDING = Option(
    name="binding",
    asks="What if a side holds all six points of its home while the other has a man to enter?",
    values=(
        OptionValue("off", "The other side waits."),
        OptionValue(
            "on",
            (
                "The tables are bound: both sides throw, and the higher chooses a point from which "
                "one man goes to the bar."
            ),
            {"bound_points": find_bound_table},
        ),
    ),
    source="The Guilde of St Ives, after Willughby",
)

IRISH = Game(
    slug="irish",
    title="Irish",
    aliases=("The Irish game",),
    tagline="Backgammon's starting position, but doubles have no special effect.",
    rules=Rules(
        gold=SideRules(start="a2,m5,r3,t5", course="a..z"),
        black=SideRules(start="z2,n5,h3,f5", course="z..a"),
        dice=Dice(count=2),
        battle=OpeningRollRules(dice=1),
    ),
    family=Family.LATER,
    rank=2,
    options=(BINDING, UNUSABLE),
    special=("Doubles have no special effect.",),
    provenance=Provenance(
        label=ProvenanceLabel.DESCRIBED,
        sources=(WILLUGHBY, COTTON_FIRST, ST_IVES, WIKIPEDIA_IRISH),
        history=(
            "Cotton calls it an ingenious game that requires a great deal of skill. "
            "Wikipedia's article calls backgammon a derivative that superseded it."
        ),
        decisions=(
            (
                "One man from the chosen point goes to the bar, as the Guilde of St Ives has it; "
                "some send all but one."
            ),
            (
                "While a home is bound, both sides throw before every turn to decide who breaks a "
                "point."
            ),
            (
                "With binding, one in a hundred of our computer's games was drawn because neither "
                "side could ever move again."
            ),
        ),
    ),
)
