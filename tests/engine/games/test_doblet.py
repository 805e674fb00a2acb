"""Doblet: taking the pairs down, bearing them off, and what the other side may use."""

from engine.events import Thrown
from engine.match import Phase
from engine.position import Side
from tests.engine.build import apply_automatic, apply_events, build_match, list_ends, list_plays

START = "a1,b1,c1,d1,e1,f1,hand6 t1,u1,w1,x1,y1,z1,hand6"
DOWN = "a2,b2,c2,d2,e2,f2"
WAITING = "t1,u1,w1,x1,y1,z1,hand6"


def test_a_number_takes_the_upper_man_of_its_point_down_once() -> None:
    assert list_ends(f"{START} gold 6-6-1", "doblet") == {
        f"a2,b1,c1,d1,e1,f2,hand4 {WAITING} gold 6"
    }


def test_black_s_first_point_is_z() -> None:
    assert list_plays(f"{START} black 1", "doblet") == ["hand-z"]


def test_when_all_are_down_a_number_bears_off_its_own_point() -> None:
    assert list_ends(f"{DOWN} {WAITING} gold 3", "doblet") == {
        f"a2,b2,c1,d2,e2,f2,off1 {WAITING} gold -"
    }
    black_down = "t2,u2,w2,x2,y2,z2"
    assert list_ends(f"{DOWN} {black_down} black 1", "doblet") == {
        f"{DOWN} t2,u2,w2,x2,y2,z1,off1 black -"
    }
    assert list_plays(f"a2,b2,c2,d2,e2,f1,hand1 {WAITING} gold 3", "doblet") == []


def test_no_higher_number_bears_off_a_lower_point() -> None:
    assert list_plays(f"a1,off11 {WAITING} gold 6", "doblet") == []


def test_the_last_pair_may_come_down_and_a_man_go_off_in_one_throw() -> None:
    position = f"a2,b2,c2,d2,e2,f1,hand1 {WAITING} gold 6-3"
    assert list_ends(position, "doblet") == {f"a2,b2,c1,d2,e2,f2,off1 {WAITING} gold -"}


def test_numbers_without_use_are_offered_to_the_other_side() -> None:
    match = apply_automatic(
        apply_events(build_match(f"{START} gold -", "doblet"), Thrown((1, 1, 1)))
    )
    assert (match.phase, match.turn, match.position.dice) == (Phase.OFFER, Side.BLACK, (1, 1))


def test_men_may_move_within_their_own_table_once_all_pairs_are_down() -> None:
    # A four bears the man of the fourth point, d, or takes one from e to a or from f to b.
    men, waiting = "a1,b1,d1,e1,f1,off7", "t2,u2,w2,x2,y2,z2"
    assert list_ends(f"{men} {waiting} gold 4", "doblet", moving="own-table") == {
        f"a1,b1,e1,f1,off8 {waiting} gold -",
        f"a2,b1,d1,f1,off7 {waiting} gold -",
        f"a1,b2,d1,e1,off7 {waiting} gold -",
    }
    # Without moving it can only bear.
    assert list_ends(f"{men} {waiting} gold 4", "doblet") == {f"a1,b1,e1,f1,off8 {waiting} gold -"}


def test_black_moves_from_t_towards_z() -> None:
    # With nobody on x, the third point, a three moves a man t-x, u-y or w-z.
    position = f"{DOWN} t1,u1,w1,off9 black 3"
    assert set(list_plays(position, "doblet", moving="own-table")) == {"t-x", "u-y", "w-z"}


def test_a_point_takes_two_men_and_nothing_moves_before_all_are_down() -> None:
    # From f a four would put a third man on b, from e a third on a:
    # only the man on the fourth point goes.
    men = "a2,b2,d1,e1,f1,off5"
    assert list_plays(f"{men} {WAITING} gold 4", "doblet", moving="own-table") == ["d-off"]
    waiting = "a2,b2,c2,d2,e2,f1,hand1"
    assert list_plays(f"{waiting} {WAITING} gold 5", "doblet", moving="own-table") == []
    assert list_plays(f"{waiting} {WAITING} gold 6", "doblet", moving="own-table") == ["hand-f"]
    # In one throw the last pair comes down, a man is borne off,
    # and another may move to where it stood.
    assert list_ends(f"{waiting} {WAITING} gold 6-4-2", "doblet", moving="own-table") == {
        f"a2,b1,c2,d1,e2,f2,off2 {WAITING} gold -",
        f"a2,b2,c2,d2,e2,f1,off1 {WAITING} gold -",
    }


def test_black_takes_its_upper_men_down_on_every_point_of_the_table() -> None:
    position = "a1,b1,c1,d1,e1,f1,hand6 t2,u1,w2,x1,y1,z1,hand4 black 3-3"
    assert list_ends(position, "doblet", moving="own-table") == {
        "a1,b1,c1,d1,e1,f1,hand6 t2,u1,w2,x2,y1,z1,hand3 black 3"
    }
