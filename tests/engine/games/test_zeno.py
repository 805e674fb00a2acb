"""Zeno: no bearing, and everyone home wins."""

import pytest

from engine.events import Thrown
from engine.games import GAMES
from engine.match import Phase, new_match
from engine.outcome import GameOutcome
from engine.position import Side
from tests.engine.build import (
    apply_events,
    build_match,
    find_result,
    format_match,
    list_ends,
    play_moves,
)


def test_black_travels_from_z_to_a() -> None:
    assert list_ends("a15 z15 black 6", "zeno") == {"a15 s1,z14 black -"}


@pytest.mark.parametrize("text", ["s1,z14 g15 gold 6-5", "s1,z14 g15 gold 6-5-5"])
def test_nothing_is_borne_off(text: str) -> None:
    # s-z by 6 or s-y by 5 wins; no number takes a man beyond z.
    assert list_ends(text, "zeno") == {"z15 g15 gold -", "y1,z14 g15 gold -"}


def test_moves_inside_the_last_table_are_compulsory() -> None:
    # The man on a finds b and c held; so t must use both numbers inside the table.
    assert list_ends("a1,t1,z13 b2,c2,g11 gold 2-1", "zeno") == {"a1,x1,z13 b2,c2,g11 gold -"}


def test_the_first_with_all_men_in_the_last_table_wins_at_once() -> None:
    match = play_moves(
        apply_events(build_match("s1,t1,z13 g15 gold -", "zeno"), Thrown((6, 1, 1))), "s-t"
    )
    assert (match.phase, match.outcome) == (Phase.OVER, GameOutcome(Side.GOLD, "goal"))


def test_blacks_goal_is_af() -> None:
    match = play_moves(
        apply_events(build_match("m15 f14,g1 black -", "zeno"), Thrown((1, 2, 3))), "g-f"
    )
    assert match.outcome == GameOutcome(Side.BLACK, "goal")


def test_men_may_double_everywhere_and_reenter_beside_their_own() -> None:
    assert list_ends("a13,c1,bar1 z15 gold 3", "zeno") == {"a13,c2 z15 gold -"}
    assert list_ends("a14,bar1 z15 gold 1", "zeno") == {"a15 z15 gold -"}


def test_the_goal_may_be_to_bear_off() -> None:
    assert list_ends("z1,t1,off13 a15 gold 6", "zeno", goal="off") == {"z1,off14 a15 gold -"}
    assert find_result("t5,z10 a13,b1,g1 gold -", "zeno", goal="off") is None
    assert find_result("off15 a14,g1 gold -", "zeno", goal="off") == (
        Side.GOLD,
        "all men borne off",
        1,
    )


def test_black_may_start_on_n_and_go_the_same_way() -> None:
    assert format_match(new_match(GAMES["zeno"], {"setup": "same-way"})) == "a15 n15 gold -"
    # The fifth number of black's course brings z to a; a man hit enters by 1 on n;
    # its goal is g to m.
    assert list_ends("i15 z1,m14 black 1", "zeno", setup="same-way") == {"i15 a1,m14 black -"}
    assert list_ends("a15 m14,bar1 black 1", "zeno", setup="same-way") == {"a15 m14,n1 black -"}
    match = play_moves(
        apply_events(
            build_match("a15 f1,m14 black -", "zeno", setup="same-way"), Thrown((1, 2, 3))
        ),
        "f-g",
    )
    assert match.outcome == GameOutcome(Side.BLACK, "goal")
    # Two sixes would bring gold from a onto n, where black's pile stands:
    # "the opponent's start point blocks" it.
    assert list_ends("a15 n15 gold 6-6", "zeno", setup="same-way") == {"a13,g2 n15 gold -"}


def test_black_may_start_on_m_and_go_the_other_way() -> None:
    assert format_match(new_match(GAMES["zeno"], {"setup": "same-side"})) == "a15 m15 gold -"
    # From a black goes on to z; a man hit enters by 1 on m; its goal is s to n.
    assert list_ends("i15 a1,n14 black 1", "zeno", setup="same-side") == {"i15 n14,z1 black -"}
    assert list_ends("a15 n14,bar1 black 1", "zeno", setup="same-side") == {"a15 m1,n14 black -"}
    match = play_moves(
        apply_events(
            build_match("a15 n14,t1 black -", "zeno", setup="same-side"), Thrown((1, 2, 3))
        ),
        "t-s",
    )
    assert match.outcome == GameOutcome(Side.BLACK, "goal")
