"""How games end."""

import pytest

from engine.position import Side
from tests.engine.build import LUDUS, OutcomeText, find_result

GOLD, BLACK = Side.GOLD, Side.BLACK


@pytest.mark.parametrize(
    ("text", "slug", "outcome"),
    [
        ("off15 a15 gold -", LUDUS, (GOLD, "all men borne off", 1)),
        ("z1,off14 off15 black -", "pyf", (BLACK, "all men borne off", 1)),
        ("z1,off14 a15 gold -", LUDUS, None),
        ("t5,z10 a13,b1,g1 gold -", "zeno", (GOLD, "all men in the last table", 1)),
        ("t5,z10 g1,h14 gold -", "zeno", (GOLD, "all men in the last table", 1)),
        ("s1,z14 a5,f10 black -", "zeno", (BLACK, "all men in the last table", 1)),
        ("s1,z14 g1,f14 gold -", "zeno", None),
        ("z14,bar1 g15 gold -", "zeno", None),  # a man on the bar is not home
        ("a2,b2,c2,d2,hand4 e2,f2,hand8 gold -", "twelve-dogs", (GOLD, "4 points to 2", 1)),
        ("a2,hand10 b2,c2,d2,e2,f2,hand2 gold -", "twelve-dogs", (BLACK, "5 points to 1", 1)),
        ("a2,c2,e2,hand6 b2,d2,f2,hand6 gold -", "twelve-dogs", (None, "three points each", 1)),
        ("a2,c2,e2,hand6 b2,d2,f1,hand7 gold -", "twelve-dogs", None),
        ("a2,b2,c2,d2,e2,f2 hand12 gold -", "twelve-dogs", (GOLD, "6 points to 0", 1)),
    ],
)
def test_endings(text: str, slug: str, outcome: OutcomeText | None) -> None:
    assert find_result(text, slug) == outcome
