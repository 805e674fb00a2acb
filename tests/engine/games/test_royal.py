"""Imperial, provincial, the Lombards' game and the two palm games."""

import pytest

from engine.ending import find_outcome
from engine.events import Resigned, Thrown
from engine.match import Phase
from engine.outcome import GameOutcome
from engine.position import Side
from engine.position_text import format_position
from tests.engine.build import (
    apply_events,
    build_match,
    build_position,
    describe_outcome,
    find_result,
    list_ends,
    list_plays,
    make_rules,
    play_moves,
)


@pytest.mark.parametrize(
    ("slug", "start"), [("imperial", "f5,g5,k5 p5,s5,t5"), ("provincial", "f8,g7 s7,t8")]
)
def test_the_piles_of_imperial_and_provincial(slug: str, start: str) -> None:
    known = make_rules(slug)
    assert format_position(known.start_position, known) == f"{start} gold -"


def test_all_men_in_the_last_table_win_imperial() -> None:
    known, position = build_position("s1,z14 a14,g1 gold 1", "imperial")
    assert list_ends("s1,z14 a14,g1 gold 1", "imperial") == {"t1,z14 a14,g1 gold -"}
    assert find_outcome(known, position) is None
    won = find_outcome(*build_position("t1,z14 a14,g1 gold -", "imperial"))
    assert won == GameOutcome(Side.GOLD, "goal")
    assert find_outcome(*build_position("s1,z14 a14,f1 gold -", "imperial")) == GameOutcome(
        Side.BLACK, "goal"
    )


def test_in_imperial_moves_inside_the_last_table_are_compulsory_and_none_goes_off() -> None:
    assert list_ends("k1,t1,z13 a14,g1 gold 6", "imperial") == {"q1,t1,z13 a14,g1 gold -"}
    assert list_plays("a1,z14 f2,m13 gold 5", "imperial") == []


@pytest.mark.parametrize(
    ("division", "start"),
    [
        ("8-7", "f8,g7 s7,t8"),
        ("7-8", "f7,g8 s8,t7"),
        ("10-5", "f10,g5 s5,t10"),
        ("5-10", "f5,g10 s10,t5"),
    ],
)
def test_provincial_divides_its_men(division: str, start: str) -> None:
    known = make_rules("provincial", division=division)
    assert format_position(known.start_position, known) == f"{start} gold -"


def test_of_the_lombards_nobody_enters_on_his_start_point() -> None:
    assert list_plays("a13,bar2 z15 gold 1", "ludus-lumbardorum") == []
    assert list_plays("a13,bar2 z15 gold 2", "ludus-lumbardorum") == ["bar-b"]
    assert list_plays("a15 z13,bar2 black 1", "ludus-lumbardorum") == []


def test_the_lombards_double_only_where_they_bear_off() -> None:
    assert list_plays("a13,b1,c1 z15 gold 1", "ludus-lumbardorum") == ["c-d"]
    assert "t-u" in list_plays("a12,t1,u2 z15 gold 1", "ludus-lumbardorum")


def test_of_the_lombards_the_way_goes_from_f_to_t() -> None:
    assert list_plays("f1,off14 z15 gold 1", "ludus-lumbardorum") == ["f-t"]


def test_the_lombards_literal_way_puts_the_piles_side_by_side() -> None:
    assert list_plays("a15 z15 gold 1", "ludus-lumbardorum", course="literal") == []
    assert list_plays("a14,bar1 z15 gold 6", "ludus-lumbardorum", course="literal") == []
    assert list_plays("a14,bar1 z15 gold 1", "ludus-lumbardorum", course="literal") == ["bar-f"]


def test_of_the_palm_game_on_one_table_nothing_moves() -> None:
    assert list_ends("a1,hand14 hand15 gold 6-1", "paume-carie-one") == {
        "a2,f1,hand12 hand15 gold -"
    }


def test_a_number_takes_a_man_from_its_own_point() -> None:
    assert list_plays("b1,off14 hand15 gold 1", "paume-carie-one") == []
    assert list_plays("b1,off14 hand15 gold 2", "paume-carie-one") == ["b-off"]
    assert list_plays("b15 hand15 gold 6", "paume-carie-one") == []
    assert list_ends("a1,b1,off13 hand15 gold 6", "paume-carie-one", bearing="farthest") == {
        "a1,off14 hand15 gold -"
    }


def test_nobody_is_borne_off_before_all_have_entered() -> None:
    assert list_plays("b14,hand1 hand15 gold 2", "paume-carie-one") == ["hand-b"]


@pytest.mark.parametrize("slug", ["paume-carie-one", "paume-carie-two"])
def test_the_losers_men_are_slaps(slug: str) -> None:
    two = find_result("off15 c2,off13 gold -", slug)
    assert two == (Side.GOLD, "all men borne off, and the losers' palms are owed 2 slaps", 2)
    one = find_result("c1,off14 off15 gold -", slug)
    assert one == (Side.BLACK, "all men borne off, and the losers' palms are owed 1 slap", 1)


@pytest.mark.parametrize("slug", ["paume-carie-one", "paume-carie-two"])
def test_who_resigns_is_slapped_too(slug: str) -> None:
    resigned = build_match("a15 c2,off13 gold -", slug).apply(Resigned(Side.BLACK))
    owed = "black resigned, and the losers' palms are owed 2 slaps"
    assert describe_outcome(resigned.outcome, slug) == (Side.GOLD, owed, 2)


def test_who_falls_is_slapped_too() -> None:
    # All are in, and no man of gold's stands on the first or the second point.
    fallen = apply_events(
        build_match("c3,off12 hand15 gold -", "paume-carie-one", unusable="loses"), Thrown((2, 1))
    )
    owed = "ad fallum: gold couldn't play the throw, and the losers' palms are owed 3 slaps"
    assert describe_outcome(fallen.outcome, "paume-carie-one") == (Side.BLACK, owed, 3)


def test_doubles_throw_again_in_the_palm_game() -> None:
    match = apply_events(build_match("hand15 hand15 gold -", "paume-carie-one"), Thrown((3, 3)))
    assert match.position.dice == (3, 3)
    match = play_moves(match, "hand-c(2)")
    assert (match.phase, match.turn) == (Phase.THROW, Side.GOLD)


def test_in_the_last_table_of_the_second_palm_game_men_rest() -> None:
    assert list_plays("t1,w1,off13 hand15 gold 5", "paume-carie-two") == []
    assert list_plays("t1,w1,off13 hand15 gold 6", "paume-carie-two") == ["t-off"]


def test_the_third_pile_of_imperial_may_stand_on_the_eighth_point() -> None:
    known = make_rules("imperial", third="eighth")
    assert format_position(known.start_position, known) == "f5,g5,h5 r5,s5,t5 gold -"
    assert [
        step
        for pile in "fgh"
        for step in [known.course(Side.GOLD).index(known.board.find_place(pile)) + 1]
    ] == [6, 7, 8]
    assert [known.course(Side.BLACK).index(known.board.find_place(pile)) + 1 for pile in "tsr"] == [
        6,
        7,
        8,
    ]
