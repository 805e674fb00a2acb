"""Ludus Anglicorum: the own side, bearing, lympolding and lurching.

Points count from 0: a 0, g 6, m 11, n 12, s 17, t 18, z 23.
"""

import pytest

from engine.ending import find_outcome
from engine.events import Chosen, Passed, Thrown
from engine.games import find_game
from engine.match import SIX, Phase, find_forced_event
from engine.outcome import GameOutcome
from engine.position import Side
from engine.position_text import parse_position
from tests.engine.build import (
    LUDUS,
    ROYAL,
    apply_automatic,
    apply_events,
    build_match,
    build_position,
    describe_outcome,
    find_result,
    list_ends,
    play_moves,
)

BLOCKADES = ["skip", "exact", "wins", "permanent"]
SINGLES = "h1,i1,k1,l1,m1,n2,o2,p2,q2,r2"  # gold in R's position, five men of ours added
WALL = "h1,i1,k1,n2,o2,p2,q2,r2,s2"


@pytest.mark.parametrize(
    "text",
    [
        "a13,c1,bar1 z15 gold 3-1",  # c holds an own man, and so does the start point a
        "a15 w1,z13,bar1 black 4-1",
        "a13,c1,bar1 d2,z13 gold 4-3",
    ],
)
def test_no_reentry_on_a_point_with_an_own_man(text: str) -> None:
    assert list_ends(text, LUDUS) == set()


def test_reentry_hits_a_single_man_or_takes_an_empty_point() -> None:
    assert list_ends("a14,bar1 c1,z14 gold 3", LUDUS) == {"a14,c1 z14,bar1 gold -"}
    assert list_ends("n14,bar1 z15 gold 1", LUDUS) == {"a1,n14 z15 gold -"}


def test_no_second_man_on_the_own_side_not_even_on_the_way() -> None:
    # c-d makes room for a-c; b-d for a-b; c-e for b-c; or one man takes both numbers.
    # a-c-d never rests on a held c.
    assert list_ends("a1,b1,c1,z12 k15 gold 2-1", LUDUS) == {
        "b1,c1,d1,z12 k15 gold -",
        "a1,b1,f1,z12 k15 gold -",
        "a1,c1,e1,z12 k15 gold -",
    }


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("l1,m1,z13 k15 gold 1", {"l1,n1,z13 k15 gold -"}),  # l-m is barred, m-n is not
        ("m1,n1,z13 k15 gold 1", {"m1,o1,z13 k15 gold -", "n2,z13 k15 gold -"}),
        ("w15 a13,m1,n1 black 1", {"w15 a13,l1,n1 black -", "w15 a13,m2 black -"}),
        ("w15 a13,n1,o1 black 1", {"w15 a13,m1,o1 black -"}),
    ],
)
def test_on_the_far_side_any_number_may_stand(text: str, found: set[str]) -> None:
    assert list_ends(text, LUDUS) == found


def test_lurched_may_mean_shut_out_by_the_home_table_and_s() -> None:
    # Black's home table is t to z; gold holds all of it and s, and black has a man to enter.
    shut, open_ = "s2,t2,u2,w2,x2,y2,z3 a14,bar1 gold -", "r2,t2,u2,w2,x2,y2,z3 a14,bar1 gold -"
    assert find_result(shut, LUDUS, blockade="shut-out") == (Side.GOLD, "black is lurched", 1)
    assert find_result(open_, LUDUS, blockade="shut-out") is None
    assert find_result(shut.replace("a14,bar1", "a15"), LUDUS, blockade="shut-out") is None


@pytest.mark.parametrize(("mode", "numbers"), [("majoret", (5, 5, 2)), ("minoret", (5, 2, 2))])
def test_of_two_dice_one_may_count_once_more(mode: str, numbers: tuple[int, ...]) -> None:
    match = build_match("a15 z15 gold -", LUDUS, dice=mode)
    assert match.due_dice == 2
    assert apply_events(match, Thrown((2, 5))).position.dice == numbers


def test_gold_may_hold_z_once_black_has_one_man_or_none_there() -> None:
    # x-z hits, and the second man joins it; a-c is the only other 2.
    assert "a13,z2 b14,bar1 gold -" in list_ends("a13,x2 b14,z1 gold 2-2", LUDUS)
    assert list_ends("x1,z14 b15 gold 2", LUDUS) == {"z15 b15 gold -"}
    assert list_ends("x15 b14,z1 gold 2", LUDUS) == {"x14,z1 b14,bar1 gold -"}
    assert list_ends("x15 b13,z2 gold 2", LUDUS) == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("t1,w1,off13 a15 gold 5", {"w1,z1,off13 a15 gold -"}),  # S1: w may not be borne, t-z may
        ("t1,w1,off13 a13,z2 gold 5", set()),
        ("w1,x1,off13 a15 gold 5", {"x1,off14 a15 gold -"}),  # S1: none on t or u, the 5 bears w
        ("t1,w1,off13 a15 gold 4", {"t1,off14 a15 gold -", "w1,y1,off13 a15 gold -"}),
        ("s1,w1,off13 a15 gold 4", {"w1,x1,off13 a15 gold -"}),
        ("z15 c1,f1,off13 black 5", {"z15 a1,c1,off13 black -"}),
        ("z15 c1,d1,off13 black 5", {"z15 c1,off14 black -"}),
        ("z14,bar1 k15 gold 1", {"a1,z14 k15 gold -"}),
    ],
)
def test_bearing(text: str, found: set[str]) -> None:
    assert list_ends(text, LUDUS) == found


def test_who_is_lympolded_passes_without_a_throw_until_a_point_opens() -> None:
    match = build_match(ROYAL, LUDUS)
    assert (match.find_plight(), find_forced_event(match)) == ("lympolded", Passed())
    match = apply_automatic(match)
    assert (match.turn, match.phase, match.drawn, match.find_plight()) == (
        Side.GOLD,
        Phase.THROW,
        0,
        None,
    )
    # n-p, h-o and m-n leave t to z as they are: black misses another turn.
    match = apply_automatic(play_moves(apply_events(match, Thrown((6, 2, 1))), "h-o n-p m-n"))
    assert (match.turn, match.phase) == (Side.GOLD, Phase.THROW)
    # r-t hits: gold's single man on t does not keep a 6 out, and black may throw.
    match = play_moves(apply_events(match, Thrown((6, 2, 1))), "r-t i-p n-o")
    assert (match.turn, match.phase, match.find_plight(), find_forced_event(match)) == (
        Side.BLACK,
        Phase.THROW,
        None,
        None,
    )


LYMPOLDED, FOR_EVER, LURCHED = (
    "black is lympolded",
    "black is lympolded for ever",
    "black is lurched",
)


@pytest.mark.parametrize(
    ("men", "plight", "verdicts"),
    [
        # R: one man on each of six points, one to enter, all others on a. 1 + 6 = 7.
        (
            f"{SINGLES} a8,t1,u1,w1,x1,y1,z1,bar1",
            "lympolded",
            (None, LYMPOLDED, LYMPOLDED, LYMPOLDED),
        ),
        # A second man on the bar is not R's picture; 2 + 6 = 8.
        (f"{SINGLES} a7,t1,u1,w1,x1,y1,z1,bar2", "lympolded", (None, None, LYMPOLDED, LYMPOLDED)),
        # One of the others not on a.
        (
            f"{SINGLES} a7,b1,t1,u1,w1,x1,y1,z1,bar1",
            "lympolded",
            (None, None, LYMPOLDED, LYMPOLDED),
        ),
        # Two men still on the start point z: not one on each.
        (f"{SINGLES} a7,t1,u1,w1,x1,y1,z2,bar1", "lympolded", (None, None, LYMPOLDED, LYMPOLDED)),
        # t open: a 6 enters. 1 + 5 = 6.
        (f"{SINGLES} a9,u1,w1,x1,y1,z1,bar1", None, (None, None, None, None)),
        # t open, but 2 + 5 = 7: never again anything but entering.
        (f"{SINGLES} a8,u1,w1,x1,y1,z1,bar2", None, (None, None, None, FOR_EVER)),
        # t held by gold: shut out for now, 1 + 5 = 6.
        (
            "h1,i1,k1,n2,o2,p2,q2,r2,t2 a9,u1,w1,x1,y1,z1,bar1",
            "lympolded",
            (None, None, LYMPOLDED, None),
        ),
        # A single gold man on t keeps nobody out.
        ("h1,i1,k1,l1,n2,o2,p2,q2,r2,t1 a9,u1,w1,x1,y1,z1,bar1", None, (None, None, None, None)),
        # Lurched as R draws it: the six points n to s shut, nobody to enter. 0 + 6.
        (f"{WALL} a9,t1,u1,w1,x1,y1,z1", "lurched", (None, LURCHED, LURCHED, None)),
        # A man borne off is not on a.
        (f"{WALL} a8,t1,u1,w1,x1,y1,z1,off1", "lurched", (None, None, LURCHED, None)),
        (f"{WALL} a8,t1,u1,w1,x1,y1,z2", "lurched", (None, None, LURCHED, None)),
        (f"{WALL} a14,t1", "lurched", (None, None, LURCHED, None)),
        # u has its own man before it on t, and s to n shut beyond.
        (f"{WALL} a13,t1,u1", "lurched", (None, None, LURCHED, None)),
        # The wall may stand nearer: o to t before u.
        ("h1,i1,k1,o2,p2,q2,r2,s2,t2 a14,u1", "lurched", (None, None, LURCHED, None)),
        # s open: t-s by 1.
        (f"{SINGLES} a9,t1,u1,w1,x1,y1,z1", None, (None, None, None, None)),
        # u-t by 1.
        (f"{WALL} a14,u1", None, (None, None, None, None)),
        # A man outside can move.
        (f"{WALL} a8,g1,t1,u1,w1,x1,y1,z1", None, (None, None, None, None)),
        # All on a: they are borne off.
        (f"{WALL} a15", None, (None, None, None, None)),
    ],
)
def test_plights_and_what_each_blockade_makes_of_them(
    men: str, plight: str | None, verdicts: tuple[str | None, ...]
) -> None:
    assert build_match(f"{men} black -", LUDUS).find_plight() == plight
    judged = [find_result(f"{men} black -", LUDUS, blockade=blockade) for blockade in BLOCKADES]
    assert judged == [by and (Side.GOLD, by, 1) for by in verdicts]


@pytest.mark.parametrize(
    ("men", "plight"),
    [
        ("a1,b1,c1,d1,e1,f1,z8,bar1 i2,k2,l2,m2,n1,o1,p1,q1,r1,h2", "lympolded"),
        ("f1,z14 g2,h2,i2,k2,l2,m2,n1,o1,p1", "lurched"),
        ("f1,z14 h2,i2,k2,l2,m2,n1,o1,p1,q1,r1", None),  # g open
    ],
)
def test_gold_can_be_caught_too(men: str, plight: str | None) -> None:
    assert build_match(f"{men} gold -", LUDUS).find_plight() == plight
    verdict = find_result(f"{men} black -", LUDUS, blockade="wins")
    assert verdict == (plight and (Side.BLACK, f"gold is {plight}", 1))


def test_hitting_the_seventh_man_wins_at_once_where_the_manuscripts_position_does() -> None:
    # Black's seventh man wanders on s; m-s by 6 takes it, and R's position stands.
    for blockade in BLOCKADES:
        match = build_match(f"{SINGLES} a8,s1,t1,u1,w1,x1,y1,z1 gold -", LUDUS, blockade=blockade)
        match = play_moves(apply_events(match, Thrown((6, 5, 4))), "m-s")
        won = (Side.GOLD, LYMPOLDED, 1)
        assert describe_outcome(match.outcome, LUDUS) == (None if blockade == "skip" else won)


@pytest.mark.parametrize("blockade", ["wins", "permanent"])
@pytest.mark.parametrize("mover", list(Side))
def test_a_move_that_catches_both_sides_draws_the_game(blockade: str, mover: Side) -> None:
    # By the only number that enters, gold's 6 on f, one of its two men hits black's man there. Gold
    # then holds a to f with one man each and has another to enter, black t to z with one to enter:
    # 1 + 6 = 7 for both. The other way round black enters on t by a 6, facing f.
    men = {
        Side.GOLD: "a1,b1,c1,d1,e1,n8,bar2 f1,t1,u1,w1,x1,y1,z9",
        Side.BLACK: "a9,b1,c1,d1,e1,f1,t1 m8,u1,w1,x1,y1,z1,bar2",
    }[mover]
    match = build_match(f"{men} {mover} -", LUDUS, dice="three-plain", blockade=blockade)
    match = play_moves(
        apply_events(match, Thrown((6, 1, 1))), f"bar-{'f' if mover is Side.GOLD else 't'}"
    )
    assert match.phase is Phase.OVER
    assert describe_outcome(match.outcome, LUDUS) == (None, "both sides are caught at once", 1)


@pytest.mark.parametrize(
    ("both", "blockade", "how"),
    [
        ("a1,b1,c1,d1,e1,f1,n8,bar1 t1,u1,w1,x1,y1,z9,bar1", "wins", "lympolded"),
        ("a1,b1,c1,d1,e1,f1,n8,bar1 t1,u1,w1,x1,y1,z9,bar1", "permanent", "lympolded"),
        ("s2,t2,u2,w2,x2,y2,z2,bar1 a2,b2,c2,d2,e2,f2,g2,bar1", "shut-out", "lurched"),
    ],
)
def test_a_move_that_catches_both_sides_lets_black_win_in_matches_of_the_first_edition(
    both: str, blockade: str, how: str
) -> None:
    first = find_game(LUDUS, 1).resolve_rules({"blockade": blockade})
    for mover in Side:
        position = parse_position(f"{both} {mover} -", first)
        assert find_outcome(first, position) == GameOutcome(Side.BLACK, how, {"side": Side.GOLD})
        assert find_result(f"{both} {mover} -", LUDUS, blockade=blockade) == (
            None,
            "both sides are caught at once",
            1,
        )


def test_both_sides_can_be_shut_out_at_once_in_a_position_set_up_by_hand() -> None:
    both = "s2,t2,u2,w2,x2,y2,z2,bar1 a2,b2,c2,d2,e2,f2,g2,bar1 gold -"
    assert find_result(both, LUDUS, blockade="shut-out") == (
        None,
        "both sides are caught at once",
        1,
    )


def test_without_a_blockade_rule_nothing_is_judged() -> None:
    assert find_outcome(*build_position(ROYAL, LUDUS)) is None
    assert build_match("a15 z15 gold -", "zeno").find_plight() is None


@pytest.mark.parametrize(
    ("men", "outcome"),
    [
        # R's lympolding has eight men on the last point, a; with fewer Murray calls it lurching.
        (f"{SINGLES} a8,t1,u1,w1,x1,y1,z1,bar1", LYMPOLDED),
        (f"{SINGLES} a7,b1,t1,u1,w1,x1,y1,z1,bar1", LURCHED),
        (f"{SINGLES} a1,b3,c4,t1,u1,w1,x1,y1,z1,bar1", LURCHED),
        (f"{SINGLES} a7,t1,u1,w1,x1,y1,z1,bar1,off1", LURCHED),
        # Two men on z, t held by gold, nobody to enter: none of these is the picture.
        (f"{SINGLES} a7,t1,u1,w1,x1,y1,z2,bar1", None),
        ("h1,i1,k1,n2,o2,p2,q2,r2,t2 a9,u1,w1,x1,y1,z1,bar1", None),
        (f"{SINGLES} a9,t1,u1,w1,x1,y1,z1", None),
    ],
)
def test_murrays_lympolding_and_lurching(men: str, outcome: str | None) -> None:
    verdict = find_result(f"{men} black -", LUDUS, blockade="murray")
    assert verdict == (outcome and (Side.GOLD, outcome, 1))


@pytest.mark.parametrize(
    ("thrown", "named", "numbers"),
    [  # Lewins' three examples
        ((1, 2, 4), "1", (6, 4, 2)),
        ((2, 3, 6), "6", (6, 3, 2)),
        ((1, 6, 6), "1", (6, 6, 6)),
        ((1, 6, 6), "6", (6, 6, 1)),
        ((2, 3, 6), "3", (6, 6, 2)),
    ],
)
def test_a_die_may_always_be_named_a_six(
    thrown: tuple[int, ...], named: str, numbers: tuple[int, ...]
) -> None:
    match = apply_events(build_match("a15 z15 gold -", LUDUS, dice="three-named"), Thrown(thrown))
    assert match.phase is Phase.CHOOSE
    assert apply_events(match, Chosen(SIX, named)).position.dice == numbers


def test_three_sixes_leave_nothing_to_name() -> None:
    match = apply_automatic(
        apply_events(build_match("a15 z15 gold -", LUDUS, dice="three-named"), Thrown((6, 6, 6)))
    )
    assert (match.phase, match.position.dice) == (Phase.PLAY, (6, 6, 6))
