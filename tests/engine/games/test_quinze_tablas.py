"""Quinze tablas: fewer men, and what changes with at most two on a point."""

import pytest

from engine.notation import parse_play
from engine.position_text import format_position
from tests.engine.build import build_position, expect_refusal, list_ends, list_plays, make_rules

FULL_HALF = "a2,b2,c2,d2,e2,f2,g2"
FAR = "i2,k2,l2,m2,n2,o2,p2,q1"


@pytest.mark.parametrize(
    ("men", "start"),
    [
        ("15", "a2,b2,c2,d2,e2,f2,g2,h1 r1,s2,t2,u2,w2,x2,y2,z2"),
        ("14", "a2,b2,c2,d2,e2,f2,g2 s2,t2,u2,w2,x2,y2,z2"),
        ("7", "a2,b2,c2,d1 w1,x2,y2,z2"),
        ("6", "a2,b2,c2 x2,y2,z2"),
    ],
)
def test_fewer_men_are_the_first_of_the_set_up(men: str, start: str) -> None:
    known = make_rules("quinze-tablas", men=men)
    assert format_position(known.start_position, known) == f"{start} gold -"


def test_with_a_limit_of_two_a_third_man_may_not_come() -> None:
    assert set(list_plays(f"{FULL_HALF},h1 {FAR} gold 1", "quinze-tablas", limit="two")) == {"g-h"}
    assert "a-b" in list_plays(f"{FULL_HALF},h1 {FAR} gold 1", "quinze-tablas")


def test_with_a_limit_of_two_the_bar_binds_only_where_a_number_enters() -> None:
    barred = f"{FULL_HALF},bar1 {FAR} gold 1"
    assert list_plays(barred, "quinze-tablas") == ["bar-a"]
    assert list_plays(barred, "quinze-tablas", limit="two") == ["g-h"]
    open_ = f"a1,b2,c2,d2,e2,f2,g2,h1,bar1 {FAR} gold 1"
    assert list_plays(open_, "quinze-tablas", limit="two") == ["bar-a"]
    with expect_refusal("g-h: you have 1 man on the bar and can enter it, so that comes first"):
        parse_play("g-h", *build_position(open_, "quinze-tablas", limit="two"))


def test_with_a_limit_of_two_twelve_men_at_home_may_be_borne_off_exactly() -> None:
    black = "a2,b2,c2,d2,e2,f2,g2,h1"
    home = f"q1,r1,s1,t2,u2,w2,x2,y2,z2 {black} gold 6"
    assert list_ends(home, "quinze-tablas", limit="two") == {
        f"q1,r1,s1,t1,u2,w2,x2,y2,z2,off1 {black} gold -"
    }
    assert list_plays(f"w1,off14 {black} gold 6", "quinze-tablas", limit="two") == []
    assert list_plays(f"w1,off14 {black} gold 6", "quinze-tablas") == ["w-off"]


def test_a_refusal_counts_the_twelve_that_must_be_home() -> None:
    black = "a2,b2,c2,d2,e2,f2,g2,h1"
    for home, sentence in (
        # Five of fifteen men are outside, and two more must come home; of the last nine all must.
        (
            f"p1,q1,r1,s2,t2,u2,w2,x2,y2 {black}",
            "you can bear off only when 12 of your men are home (so far 10)",
        ),
        (
            f"s1,t2,u2,w2,x2,off6 {black}",
            "you can bear off only when all your men are home, and 1 isn't",
        ),
    ):
        with expect_refusal(f"t-off: {sentence}"):
            parse_play("t-off", *build_position(f"{home} gold 6", "quinze-tablas", limit="two"))
