"""Which plays lead to something else than the next throw."""

import pytest

from engine.players.special import open_to
from engine.position import Side
from tests.engine.build import pos

GOLD, BLACK = Side.GOLD, Side.BLACK


@pytest.mark.parametrize(
    ("slug", "text", "points", "options"),
    [
        ("zeno", "a15 z15 gold -", "bcdefg", {}),
        ("zeno", "a14,bar1 z15 gold -", "abcdef", {}),  # a man on the bar enters first
        ("ludus-anglicorum", "a12,b1,c1,bar1 z15 gold -", "def", {}),  # no second man on gold's own side
        ("pyf", "hand15 hand15 gold -", "abcdef", {}),
        ("buffa-de-baldrac", "f1,hand14 hand15 gold -", "abcdef", {}),
        ("tabula", "m1,hand14 hand15 gold -", "abcdef", {}),  # none goes past m before all have entered
        ("tabula", "m15 hand15 gold -", "nopqrs", {}),
        ("doblet", "a2,b2,c2,d2,e2,f2 z2,y2,x2,w2,u2,t2 gold -", "", {}),  # men that move nowhere but off
    ],
)
def test_where_a_side_can_move_if_the_other_leaves_it_free(
    slug: str, text: str, points: str, options: dict[str, str]
) -> None:
    known, position = pos(text, slug, **options)
    names = known.board.points
    assert "".join(sorted(names[point] for point in open_to(known, GOLD, position.gold))) == points
