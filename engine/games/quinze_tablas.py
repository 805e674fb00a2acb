"""Quinze tablas, fifteen men: pairs on seven points and one man over, or fewer [LJ, S0]."""

from engine.games.house_rules import THREE_OF_TWO, UNUSABLE
from engine.games.sources import LEWINS, LIBRO, LUDEME
from engine.rules import (
    BearingRule,
    Family,
    Game,
    LudemeEntry,
    Option,
    OptionValue,
    Provenance,
    ProvenanceLabel,
    ReentryRule,
    Rules,
    SideRules,
)

MIN_MEN = 6
MAX_MEN = 15


def _lay_out_pairs(points: str, men: int) -> str:
    """Set out so many men, two on a point, the odd one on the next."""
    return ",".join(
        f"{point}{min(2, men - 2 * at)}" for at, point in enumerate(points) if men > 2 * at
    )


def _build_men_value(men: int) -> OptionValue:
    changes = {
        "men": men,
        # Black's points mirror gold's: among the board's letters there is no v.
        "gold.start": _lay_out_pairs("abcdefgh", men),
        "black.start": _lay_out_pairs("zyxwutsr", men),
    }
    return OptionValue(str(men), f"{men} men a side.", changes)


MEN = Option(
    name="men",
    asks="How many men does each side have?",
    values=tuple(_build_men_value(men) for men in range(MAX_MEN, MIN_MEN - 1, -1)),
    source="Libro de los Juegos, after Lewins: fifteen men, or fewer, down to six",
)

LIMIT = Option(
    name="limit",
    asks="How many men may stand on a point?",
    values=(
        OptionValue("none", "Any number."),
        OptionValue(
            "two",
            (
                "Two. Men on the bar must enter first only if a number can enter one. You may "
                "bear off, by the exact number only, once twelve men, or all that are left, "
                "are in the last table."
            ),
            {"ban_full": 2, "reentry": ReentryRule.SOFT, "bearing": BearingRule.EXACT, "gate": 12},
        ),
    ),
    source="Lewins has no limit; the Digital Ludeme Project reads a limit of two in the book",
)

QUINZE_TABLAS = Game(
    slug="quinze-tablas",
    title="Quinze tablas",
    aliases=("Fifteen men", "Quince tablas"),
    tagline="Pairs on seven points and one man over, meeting head-on; you may play with fewer men.",
    rules=Rules(
        gold=SideRules(start=_lay_out_pairs("abcdefgh", MAX_MEN), course="a..z"),
        black=SideRules(start=_lay_out_pairs("zyxwutsr", MAX_MEN), course="z..a"),
    ),
    family=Family.LIBRO,
    rank=10,
    options=(MEN, LIMIT, THREE_OF_TWO, UNUSABLE),
    special=("Each side has fifteen men, or as few as six where both sides agree.",),
    provenance=Provenance(
        label=ProvenanceLabel.COMPLETED,
        sources=(LIBRO, LEWINS, LUDEME),
        history=(
            "The name means fifteen men. Lewins tabulates it with fifteen or fewer, down to six."
        ),
        decisions=(
            "Fewer men fill the same points in pairs from the end of the board, as far as they go.",
            (
                "With two men to a point, the last table holds twelve, so the option relaxes "
                "entering and bearing off too."
            ),
            (
                "Played that way, two in five of our computer's games were drawn because neither "
                "side could ever move again."
            ),
        ),
        ludeme=LudemeEntry(
            game=619,
            rulesets=(726,),
            version="1.3.14",
            differences=(
                (
                    "There, no point takes more than two men, and men are borne off by the exact "
                    "number, our `limit=two`; here, points have no limit, as in Lewins. Their file "
                    "bears a man off at any time."
                ),
                "There, each side has fifteen men; here, also fewer, as in Lewins.",
            ),
        ),
    ),
)
