"""How games end."""

import pytest

from engine.ending import judge
from engine.outcome import Outcome
from engine.position import Side
from tests.engine.build import LUDUS, pos

GOLD, BLACK = Side.GOLD, Side.BLACK


@pytest.mark.parametrize(
    ("text", "slug", "outcome"),
    [
        ("off15 a15 gold -", LUDUS, Outcome(GOLD, "every man borne off")),
        ("z1,off14 off15 black -", "pyf", Outcome(BLACK, "every man borne off")),
        ("z1,off14 a15 gold -", LUDUS, None),
        ("t5,z10 a13,b1,g1 gold -", "zeno", Outcome(GOLD, "every man in the last table")),
        ("t5,z10 g1,h14 gold -", "zeno", Outcome(GOLD, "every man in the last table")),
        ("s1,z14 a5,f10 black -", "zeno", Outcome(BLACK, "every man in the last table")),
        ("s1,z14 g1,f14 gold -", "zeno", None),
        ("z14,bar1 g15 gold -", "zeno", None),  # a man on the bar is not home
        ("a2,b2,c2,d2,hand4 e2,f2,hand8 gold -", "twelve-dogs", Outcome(GOLD, "4 points to 2")),
        ("a2,hand10 b2,c2,d2,e2,f2,hand2 gold -", "twelve-dogs", Outcome(BLACK, "5 points to 1")),
        ("a2,c2,e2,hand6 b2,d2,f2,hand6 gold -", "twelve-dogs", Outcome(None, "three points each")),
        ("a2,c2,e2,hand6 b2,d2,f1,hand7 gold -", "twelve-dogs", None),
        ("a2,b2,c2,d2,e2,f2 hand12 gold -", "twelve-dogs", Outcome(GOLD, "6 points to 0")),
    ],
)
def test_endings(text: str, slug: str, outcome: Outcome | None) -> None:
    assert judge(*pos(text, slug)) == outcome
