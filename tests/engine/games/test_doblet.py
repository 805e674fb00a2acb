"""Doblet: taking the pairs down, bearing them off, and what the other side may use."""

from engine.events import Thrown
from engine.match import Phase
from engine.position import Side
from tests.engine.build import after, ends, running, settled, texts

START = "a1,b1,c1,d1,e1,f1,hand6 t1,u1,w1,x1,y1,z1,hand6"
DOWN = "a2,b2,c2,d2,e2,f2"
WAITING = "t1,u1,w1,x1,y1,z1,hand6"


def test_a_number_takes_the_upper_man_of_its_point_down_once() -> None:
    assert ends(f"{START} gold 6-6-1", "doblet") == {f"a2,b1,c1,d1,e1,f2,hand4 {WAITING} gold 6"}


def test_black_s_first_point_is_z() -> None:
    assert texts(f"{START} black 1", "doblet") == ["hand-z"]


def test_when_all_are_down_a_number_bears_off_its_own_point() -> None:
    assert ends(f"{DOWN} {WAITING} gold 3", "doblet") == {
        f"a2,b2,c1,d2,e2,f2,off1 {WAITING} gold -"
    }
    black_down = "t2,u2,w2,x2,y2,z2"
    assert ends(f"{DOWN} {black_down} black 1", "doblet") == {
        f"{DOWN} t2,u2,w2,x2,y2,z1,off1 black -"
    }
    assert texts(f"a2,b2,c2,d2,e2,f1,hand1 {WAITING} gold 3", "doblet") == []


def test_no_higher_number_bears_off_a_lower_point() -> None:
    assert texts(f"a1,off11 {WAITING} gold 6", "doblet") == []


def test_the_last_pair_may_come_down_and_a_man_go_off_in_one_throw() -> None:
    position = f"a2,b2,c2,d2,e2,f1,hand1 {WAITING} gold 6-3"
    assert ends(position, "doblet") == {f"a2,b2,c1,d2,e2,f2,off1 {WAITING} gold -"}


def test_numbers_without_use_are_offered_to_the_other_side() -> None:
    match = settled(after(running(f"{START} gold -", "doblet"), Thrown((1, 1, 1))))
    assert (match.phase, match.turn, match.position.dice) == (Phase.OFFER, Side.BLACK, (1, 1))
