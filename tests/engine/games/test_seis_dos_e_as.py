"""Seis, dos e as: hit men wait for the table diagonally opposite."""

import pytest

from engine.events import Battled
from engine.games import GAMES
from engine.match import Phase, new_match
from engine.notation import parse_play
from engine.position import Side
from engine.refusal import Reason, Refusal
from tests.engine.build import build_position, expect_refusal, list_ends, list_plays


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("b1,off14 c1,off14 gold 1", "c1,off14 bar-ns1,off14 gold -"),
        ("g1,off14 h1,off14 gold 1", "h1,off14 bar-tz1,off14 gold -"),
        ("n1,off14 o1,off14 gold 1", "o1,off14 bar-af1,off14 gold -"),
        ("t1,off14 u1,off14 gold 1", "u1,off14 bar-gm1,off14 gold -"),
    ],
)
def test_a_hit_man_waits_for_the_table_diagonally_opposite(before: str, after: str) -> None:
    assert list_ends(before, "seis-dos-e-as") == {after}


def test_he_enters_there_counted_along_the_way() -> None:
    assert list_plays("f15 d7,e7,bar-ns1 black 3", "seis-dos-e-as") == ["bar-p"]
    assert list_ends("f15 d7,e7,bar-ns1 black 3", "seis-dos-e-as") == {"f15 d7,e7,p1 black -"}


def test_men_for_different_tables_enter_in_any_order() -> None:
    assert list_ends("f15 d7,e6,bar-af1,bar-tz1 black 1", "seis-dos-e-as") == {
        "f15 a1,d7,e6,bar-tz1 black -",
        "f15 d7,e6,t1,bar-af1 black -",
    }


def test_where_two_may_enter_the_number_alone_says_too_little() -> None:
    with pytest.raises(Refusal) as refusal:
        parse_play("enter 1", *build_position("f15 d7,e6,bar-af1,bar-tz1 black 1", "seis-dos-e-as"))
    assert refusal.value.reason is Reason.AMBIGUOUS


def test_everything_else_waits() -> None:
    with expect_refusal("d-e: you have 1 man on the bar, which must enter first"):
        parse_play("d-e", *build_position("f15 d7,e7,bar-ns1 black 1", "seis-dos-e-as"))


def test_where_agreed_they_enter_on_a_to_f() -> None:
    assert list_ends("b1,off14 c1,off14 gold 1", "seis-dos-e-as", reentry="start-table") == {
        "c1,off14 bar1,off14 gold -"
    }
    assert list_plays("f15 d7,e7,bar1 black 3", "seis-dos-e-as", reentry="start-table") == ["bar-c"]


def test_the_winner_of_the_roll_battle_plays_gold() -> None:
    match = new_match(GAMES["seis-dos-e-as"], {}).apply(Battled((1, 1, 1), (6, 6, 6)))
    assert (match.phase, match.turn, match.swapped) == (Phase.THROW, Side.GOLD, True)
