"""Single moves, plays, and which numbers must be used.

Points count from 0: a 0, g 6, m 11, n 12, s 17, t 18, z 23.
"""

from dataclasses import replace

import pytest

from engine.board import TABLES
from engine.ending import find_deadlock
from engine.games import GAMES
from engine.move import Move
from engine.notation import format_play
from engine.outcome import GameOutcome
from engine.plays import (
    list_legal_plays,
    list_next_moves,
    list_one_man_plays,
    list_unblocked_targets,
    make_move,
)
from engine.position import Side
from engine.position_text import format_position
from engine.rules import BearingRule
from engine.search.dice_uses import WEIGHT
from engine.search.moves import is_stuck, list_moves
from tests.engine.build import EMPEROR, LUDUS, ROYAL, build_position, expect_refusal, list_ends


def test_the_emperors_throw_has_exactly_one_play() -> None:
    # Agathias: k-q, t-z, u-x leave eight blots, on i k q t u x y z.
    end = "f7,i1,k1,q1,t1,u1,x1,y1,z1 h2,l2,m2,n1,o2,p2,s2,w2 gold -"
    known, position = build_position(EMPEROR, "zeno")
    plays = list_legal_plays(known, position)
    assert [format_position(play.end, known) for play in plays] == [end]
    gold = plays[0].end.gold
    assert (
        "".join(name for place, name in enumerate(TABLES.points) if gold[place] == 1) == "ikqtuxyz"
    )


@pytest.mark.parametrize(
    ("text", "end"),
    [
        # m+6=s and m+5=r are open, but both lead on to y alone, which is held:
        # one number, so the higher.
        ("m1,z14 a13,y2 gold 6-5", "s1,z14 a13,y2 gold 5"),
        # With s held the 6 cannot be played at all, so the 5 is.
        ("m1,z14 a11,s2,y2 gold 6-5", "r1,z14 a11,s2,y2 gold 6"),
        # From h and m a 5 leads to n and r, held, and from o to t, held:
        # only m-s, not h-o, lets both be used (s-y).
        ("h1,m1,z13 a9,n2,r2,t2 gold 6-5", "h1,y1,z13 a9,n2,r2,t2 gold -"),
        # g+15=x is held: two of three numbers,
        # and of the pairs 6-5 (s), 6-4 (r), 5-4 (q) the highest.
        ("g1,z14 a13,x2 gold 6-5-4", "s1,z14 a13,x2 gold 4"),
        ("g1,z14 a11,s2,x2 gold 6-5-4", "r1,z14 a11,s2,x2 gold 5"),
        ("g1,z14 a9,r2,s2,x2 gold 6-5-4", "q1,z14 a9,r2,s2,x2 gold 6"),
        # The 6 (s) would stop all else (t, u held); 2 and 1 together (p) are more numbers.
        ("m1,z14 a9,t2,u2,w2 gold 6-2-1", "p1,z14 a9,t2,u2,w2 gold 6"),
        # Of two alike one is played (m-p), for m+6=s is held.
        ("m1,z14 a13,s2 gold 3-3", "p1,z14 a13,s2 gold 3"),
    ],
)
def test_as_many_numbers_as_can_be_are_played_and_the_higher(text: str, end: str) -> None:
    assert list_ends(text, "zeno") == {end}


def test_the_higher_number_may_be_played_by_any_man_that_can() -> None:
    # m+11=y is held, so m cannot take both numbers; n+11=z is open.
    assert list_ends("m1,n1,z13 a13,y2 gold 6-5", "zeno") == {
        "r1,t1,z13 a13,y2 gold -",  # n-t by 6, m-r by 5
        "s2,z13 a13,y2 gold -",  # m-s by 6, n-s by 5
        "m1,z14 a13,y2 gold -",  # n-t-z or n-s-z
    }


def test_a_side_that_has_won_stops() -> None:
    # The last man goes off by any of the three; what is left does not count.
    assert list_ends("z1,off14 a15 gold 6-5-4", LUDUS) == {"off15 a15 gold -"}


def test_a_win_with_one_number_counts_as_much_as_playing_two() -> None:
    # s-t by 1 or s-z by 6 wins at once; or the man already home goes t-u first, and then s-z wins.
    assert list_ends("s1,t1,z13 a14,g1 gold 6-1", "zeno") == {
        "t2,z13 a14,g1 gold -",
        "t1,z14 a14,g1 gold -",
        "u1,z14 a14,g1 gold -",
    }


def test_men_on_the_bar_come_in_before_anything_else() -> None:
    known, position = build_position("a13,c1,bar1 z15 gold 6-5-2", "zeno")
    names = {
        f"{TABLES.place_names[move.source]}-{TABLES.place_names[move.target]}"
        for move in list_next_moves(known, position)
    }
    assert names == {"bar-f", "bar-e", "bar-b"}


def test_once_the_bar_is_empty_the_other_numbers_are_free() -> None:
    # 5 enters on e, which is held; 6 and 4 enter (f, d); then any man plays the 5: a-f, d-i or f-l.
    assert list_ends("a13,bar2 e2,z13 gold 6-5-4", "zeno") == {
        "a12,d1,f2 e2,z13 gold -",
        "a13,f1,i1 e2,z13 gold -",
        "a13,d1,l1 e2,z13 gold -",
    }


def test_a_side_that_cannot_enter_plays_nothing() -> None:
    assert list_ends("a14,bar1 e2,f2,z11 gold 6-5", "zeno") == set()


def test_black_enters_from_the_other_end() -> None:
    # 1 enters on z and 6 on t.
    assert list_ends("a15 z14,bar1 black 1", "zeno") == {"a15 z15 black -"}
    assert list_ends("a15 z14,bar1 black 6", "zeno") == {"a15 t1,z14 black -"}


def test_a_point_held_by_two_is_closed_and_a_single_man_is_hit() -> None:
    assert list_ends("a15 g2,z13 gold 6", "zeno") == set()
    assert list_ends("a15 g1,z14 gold 6", "zeno") == {"a14,g1 z14,bar1 gold -"}


def test_a_man_hits_wherever_it_rests() -> None:
    # One man hits on d and g; or two men land on d, the first of them hitting.
    assert list_ends("a15 d1,g1,z13 gold 3-3", "zeno") == {
        "a14,g1 z13,bar2 gold -",
        "a13,d2 g1,z13,bar1 gold -",
    }


def test_a_man_must_be_able_to_rest_between_its_numbers() -> None:
    # S1: "you cannot use a roll of two, three, six to move eleven spaces in a single bound".
    # f (5) and g (6) are held, and so are n (12) for the others,
    # so no number leads anywhere from a.
    assert list_ends("a15 f2,g2,z11 gold 6-5", "zeno") == set()


def test_make_uses_the_number_and_puts_a_hit_man_on_the_bar() -> None:
    known, position = build_position("a15 g1,z14 gold 6-5", "zeno")
    after = make_move(known, position, Move(0, 6, 6, hit=True))
    assert format_position(after, known) == "a14,g1 z14,bar1 gold 5"


def test_make_drops_the_numbers_left_after_a_win() -> None:
    known, position = build_position("z1,off14 a15 gold 6-5", LUDUS)
    assert format_position(make_move(known, position, Move(23, 25, 6)), known) == "off15 a15 gold -"


def test_no_man_is_moved_from_where_none_stands() -> None:
    known, position = build_position("a15 z15 gold 6-5", "zeno")
    with expect_refusal("you have no man on b"):
        make_move(known, position, Move(1, 7, 6))


def test_steps_look_at_one_number_only() -> None:
    known, position = build_position("m1,z14 a13,y2 gold 6-5", "zeno")
    assert list_moves(known, position, 5) == [
        Move(11, 16, 5)
    ]  # must-use forbids it, the step itself is open


def test_a_side_is_stuck_when_no_number_moves_it() -> None:
    known, position = build_position(ROYAL, LUDUS)
    assert is_stuck(known, position, Side.BLACK)
    assert not is_stuck(known, position, Side.GOLD)
    assert find_deadlock(known, position) is None


def test_a_position_in_which_nobody_can_ever_move_is_drawn() -> None:
    # Men that rest in the last table and are never borne off: no number can move anybody.
    known, position = build_position("z15 y15 gold -", "pyf")
    assert find_deadlock(replace(known, bearing=BearingRule.NONE), position) == GameOutcome(
        None, "stuck"
    )
    assert find_deadlock(known, position) is None


@pytest.mark.parametrize("blockade", ["exact", "wins"])
def test_losing_by_ones_own_move_does_not_count_as_using_every_number(blockade: str) -> None:
    # g-a by 6 would end black lurched with 2 and 1 unplayed; 2 and 1 together are more numbers.
    text = "h1,i1,k1,n2,o2,p2,q2,r2,s2 a8,g1,t1,u1,w1,x1,y1,z1 black 6-2-1"
    end = "h1,i1,k1,n2,o2,p2,q2,r2,s2 a8,d1,t1,u1,w1,x1,y1,z1 black 6"
    assert list_ends(text, LUDUS, blockade=blockade) == {end}


def test_plays_are_a_sequence() -> None:
    known, position = build_position("a13,bar2 e2,z13 gold 6-5-4", "zeno")
    plays = list_legal_plays(known, position)
    assert len(plays) == 3
    assert plays[:2] == [plays[0], plays[1]]
    assert plays[-1] == list(plays)[2]
    assert plays[1] in plays
    assert len(plays.ends) == 3
    assert plays.ends[:] == [play.end for play in plays]
    assert plays.ends[-1] == plays[2].end


def test_the_men_of_all_ends_stand_one_after_another_the_movers_first() -> None:
    known, position = build_position("a13,bar2 e2,z13 black 6-5-4", "zeno")
    ends = list_legal_plays(known, position).ends
    assert len(ends) > 1
    assert ends.join_men() == b"".join(end.black + end.gold for end in ends)


def test_weights_put_more_numbers_first_and_then_the_higher() -> None:
    # Six ones outweigh five sixes; 6-1 outweighs 5-5; 6-5-1 outweighs 6-4-4.
    assert 6 * WEIGHT[1] > 5 * WEIGHT[6]
    assert WEIGHT[6] + WEIGHT[1] > 2 * WEIGHT[5]
    assert WEIGHT[6] + WEIGHT[5] + WEIGHT[1] > WEIGHT[6] + 2 * WEIGHT[4]


def test_where_a_man_would_go_if_nothing_barred_its_way() -> None:
    # Gold travels from a to z and bears off beyond it, black the other way.
    rules = GAMES["backgammon"].rules
    place = rules.board.place_names.index
    by_three = list_unblocked_targets(rules, Side.GOLD, 3)
    assert [by_three[place(name)] for name in "awxz"] == [
        *(place("d"), place("z")),
        *(place("off"), place("off")),
    ]
    # From the bar a man enters on the point of its number.
    assert by_three[place("bar")] == place("c")
    by_six = list_unblocked_targets(rules, Side.BLACK, 6)
    assert [by_six[place(name)] for name in "zgf"] == [place("s"), place("a"), place("off")]


def test_one_mans_way_by_the_whole_throw() -> None:
    rules, position = build_position("k1,l1,off13 p1,a14 gold 4-3", "backgammon")
    ways = list_one_man_plays(rules, position)
    # k-n-r ends like k-o-r, and l-o-s hits nobody, unlike l-p-s.
    assert {format_play(way, rules, position) for way in ways} == {"k-o-r", "l-p*-s", "l-o-s"}
    # By one number there is no way of several moves.
    rules, position = build_position("k1,l1,off13 p1,a14 gold 4", "backgammon")
    assert list_one_man_plays(rules, position) == []
