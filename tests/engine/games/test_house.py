"""House rules that several games take."""

import pytest

from engine.games.house_rules import DOUBLES, PAIRS, UNUSABLE, may_hold_prime
from tests.engine.build import build_position, expect_refusal


def test_each_house_rule_leaves_things_as_they_are_by_default() -> None:
    assert [option.default_value.name for option in (UNUSABLE, DOUBLES, PAIRS)] == [
        "lost",
        "plain",
        "all-alike",
    ]


def test_a_value_is_found_by_name() -> None:
    assert DOUBLES.find_value("twice-again").name == "twice-again"
    with expect_refusal("`pairs` can be `all-alike` or `any-pair`, but not some"):
        PAIRS.find_value("some")


@pytest.mark.parametrize(
    ("men", "moves"),
    [
        ("n2,o2,p2,q2,r2,s2,t3", 0),
        ("n2,o2,p2,q2,r2,s1,t4", 1),  # a second man for s
        ("o2,p2,r2,s2,t7", 2),  # two men for q
        ("n2,o1,p1,q2,r2,s7", 2),  # one each for o and p
        ("a9,x2,y2,z2", 6),  # two each for t, u and w: there are no points after z
        ("a9,b1,c1,y2,z2", 8),  # nor does a come after z
    ],
)
def test_in_how_many_moves_six_neighbouring_points_may_be_held(men: str, moves: int) -> None:
    known, position = build_position(f"{men} bar15 gold -", "emperador")
    assert may_hold_prime(known, position.gold, moves)
    assert moves == 0 or not may_hold_prime(known, position.gold, moves - 1)
