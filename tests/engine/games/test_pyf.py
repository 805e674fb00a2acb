"""Pyf: both sides enter and travel the same way, and men in the last table rest."""

import pytest

from engine.board import TABLES
from engine.events import Thrown
from engine.match import Phase
from tests.engine.build import apply_events, build_match, list_ends, play_moves


def test_both_sides_enter_on_a_to_f() -> None:
    assert list_ends("hand15 hand15 gold 6", "pyf") == {"f1,hand14 hand15 gold -"}
    assert list_ends("hand15 hand15 black 6", "pyf") == {"hand15 f1,hand14 black -"}


def test_men_may_move_before_all_have_entered() -> None:
    assert list_ends("d1,hand14 hand15 gold 4", "pyf") == {
        "d2,hand13 hand15 gold -",
        "h1,hand14 hand15 gold -",
    }


def test_a_hit_man_comes_in_before_hand_and_board() -> None:
    assert list_ends("d1,hand13,bar1 hand15 gold 4", "pyf") == {"d2,hand13 hand15 gold -"}


def test_entering_hits_a_single_man() -> None:
    assert list_ends("hand15 d1,hand14 gold 4", "pyf") == {"d1,hand14 hand14,bar1 gold -"}


def test_a_man_in_the_last_table_does_not_move_inside_it() -> None:
    # s-t by 1 and s-y by 5 are moves; t-u and t-y are not.
    assert list_ends("s1,t14 hand15 gold 1", "pyf") == {"t15 hand15 gold -"}
    assert list_ends("s1,t14 hand15 gold 5", "pyf") == {"t14,y1 hand15 gold -"}
    assert list_ends("t15 hand15 gold 5", "pyf") == set()


@pytest.mark.parametrize(
    ("men", "number", "left"),
    [
        ("t1,w1,off13", 5, None),  # S1: men on t and w, a 5 may not bear w; and t may not move
        ("t1,w1,off13", 6, "w1,off14"),
        ("t1,w1,off13", 4, "t1,off14"),  # exactly
        ("w1,x1,off13", 5, "x1,off14"),  # S1: none on t or u, the 5 bears w
        ("w1,x1,off13", 6, "x1,off14"),
        ("w1,x1,off13", 2, None),
        ("s1,z14", 1, "t1,z14"),  # not all home: no bearing
        ("z14,bar1", 1, "a1,z14"),
        ("z14,hand1", 1, "a1,z14"),
    ],
)
def test_bearing(men: str, number: int, left: str | None) -> None:
    found = list_ends(f"{men} hand15 gold {number}", "pyf")
    assert found == ({f"{left} hand15 gold -"} if left else set())


def test_teams_throw_two_dice() -> None:
    match = apply_events(build_match("hand15 hand15 gold -", "pyf", players="2"), Thrown((4, 3)))
    match = play_moves(match, "enter d enter c")
    assert (match.phase, match.acting_player) == (Phase.THROW, (match.turn, 1))


def test_six_fours_are_played_where_doubles_are_played_twice() -> None:
    # Entering takes one four (d), and each further one moves a man four points:
    # d h m q u make 1 2 3 4 5 fours.
    match = apply_events(
        build_match("hand15 hand15 gold -", "pyf", doubles="twice"), Thrown((4, 4, 4))
    )
    for play_ in match.plays:
        used = sum(
            play_.end.gold[TABLES.find_place(name)] * fours for fours, name in enumerate("dhmqu", 1)
        )
        assert (used, play_.end.dice) == (6, ())
