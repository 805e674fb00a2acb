"""Laquet: three tables, single men that close points, and who begins."""

from engine.events import Battled, Chosen
from engine.games import GAMES
from engine.match import Phase, new_match
from engine.position import Side
from engine.position_text import format_position
from tests.engine.build import list_ends, list_plays, make_rules

SPREAD = "m1,t2,u3,w3,x3,y3"


def test_the_men_go_from_z_on_to_a() -> None:
    assert list_ends(f"a1,z14 {SPREAD} gold 1", "laquet") == {
        f"a2,z13 {SPREAD} gold -",
        f"b1,z14 {SPREAD} gold -",
    }


def test_a_single_man_closes_a_point() -> None:
    assert list_plays(f"l1,z14 {SPREAD} gold 1", "laquet") == ["z-a"]


def test_men_are_borne_off_from_g_to_m() -> None:
    assert list_ends("l1,off14 m1,y14 gold 2", "laquet") == {"off15 m1,y14 gold -"}
    assert list_plays("g1,off14 m15 gold 5", "laquet") == []


def test_the_winner_chooses_a_side_and_black_begins() -> None:
    match = new_match(GAMES["laquet"], {}).apply(Battled((6, 6), (1, 1)))
    assert (match.phase, match.turn) == (Phase.OPENING, Side.GOLD)
    for side, swapped in (("gold", False), ("black", True)):
        begun = match.apply(Chosen("side", side))
        assert (begun.phase, begun.turn, begun.swapped) == (Phase.THROW, Side.BLACK, swapped)


def test_the_fifteenth_man_may_start_elsewhere() -> None:
    for point in "gns":
        start = make_rules("laquet", single=point).start_position.black
        assert start[make_rules("laquet").board.find_place(point)] == 1
    assert list_plays("a1,z14 n1,t2,u3,w3,x3,y3 black 6", "laquet", single="n")[0] == "n-t"


def test_the_pair_may_stand_on_y_as_lewins_tabulates_it() -> None:
    known = make_rules("laquet", pair="y", single="g")
    start = "a1,z14 g1,t3,u3,w3,x3,y2 black"
    assert format_position(known.start_position, known) == f"{start} -"
    # A two takes t to w, u to x and w to y; x stops at gold's pile on z, y at gold's man on a.
    assert set(list_plays(f"{start} 2", "laquet", pair="y", single="g")) == {
        "g-i",
        "t-w",
        "u-x",
        "w-y",
    }
    assert set(list_plays(f"a1,z14 {SPREAD} black 2", "laquet")) == {"t-w", "u-x", "w-y"}


def test_as_tabulated_the_men_go_from_a_to_z() -> None:
    black = "t2,u3,w3,x3,off4"
    assert list_plays(f"y1,z14 {black} gold 1", "laquet", course="tabulated")[0] == "y-z"
    assert list_plays(f"z15 {black} gold 1", "laquet", course="tabulated") == ["z-off"]


def test_the_start_has_black_to_move() -> None:
    known = make_rules("laquet")
    assert format_position(known.start_position, known) == f"a1,z14 {SPREAD} black -"
