"""Los romanos reencontrat, verquere and Swedish tables: chases from opposite corners."""

import pytest

from engine.ending import find_outcome
from engine.events import Battled
from engine.games import GAMES, find_game
from engine.match import Phase, new_match
from engine.plays import list_next_moves
from engine.position import Side
from engine.position_text import parse_position
from tests.engine.build import build_position, find_result, list_ends, list_plays

CAUGHT = "a9,b1,c1,d1,e1,f1,bar1 n15 gold -"


def test_black_enters_at_n_and_goes_on_to_a_and_m() -> None:
    assert list_ends("hand15 hand15 black 6-1", "reencontrat") == {
        "hand15 n1,s1,hand13 black -",
        "hand15 t1,hand14 black -",
    }
    assert list_plays("hand15 z1,off14 black 1", "reencontrat") == ["z-a"]
    assert list_ends("hand15 m1,off14 black 1", "reencontrat") == {"hand15 off15 black -"}


def test_no_second_man_on_the_first_half_also_when_entering() -> None:
    assert list_ends("a1,hand14 hand15 gold 1", "reencontrat") == {"b1,hand14 hand15 gold -"}
    assert list_ends("m1,n1,hand13 hand15 gold 1", "reencontrat") == {
        "a1,m1,n1,hand12 hand15 gold -",
        "m1,o1,hand13 hand15 gold -",
        "n2,hand13 hand15 gold -",
    }


def test_the_men_may_start_piled() -> None:
    assert list_plays("a15 n15 gold 1", "reencontrat", start="stacked") == ["a-b"]


def test_four_fours_and_four_sixes_cannot_all_be_played_at_the_start() -> None:
    assert list_ends("a15 n15 gold 4-4-4-4", "verquere") == {"a13,e1,i1 n15 gold 4"}
    assert list_ends("a15 n15 gold 6-6-6-6", "verquere") == {"a14,g1 n15 gold 6-6-6"}


@pytest.mark.parametrize("slug", ["verquere", "swedish-tables"])
def test_the_lower_of_one_die_each_begins(slug: str) -> None:
    match = new_match(GAMES[slug], {})
    assert match.due_dice == 1
    assert match.apply(Battled((2,), (5,))).turn is Side.GOLD
    assert match.apply(Battled((5,), (2,))).turn is Side.BLACK
    assert match.apply(Battled((5,), (5,))).phase is Phase.BATTLE


@pytest.mark.parametrize("slug", ["verquere", "swedish-tables"])
def test_seven_men_for_six_points_are_a_jan(slug: str) -> None:
    lost = (Side.BLACK, "jan: gold has more men to enter than its table has room for", 2)
    assert find_result(CAUGHT, slug) == lost
    assert find_outcome(*build_position(CAUGHT, slug, jan="waits")) is None
    assert find_outcome(*build_position(CAUGHT.replace("f1,", "k1,"), slug)) is None


def test_the_twelfth_point_may_be_doubled_in_swedish_tables_alone() -> None:
    assert "l-m" in list_plays("a13,l1,m1 n15 gold 1", "swedish-tables")
    assert "l-m" not in list_plays("a13,l1,m1 n15 gold 1", "verquere")


@pytest.mark.parametrize(
    ("men", "name"),
    [
        ("x5,y5,z5", "three fives"),
        ("u3,w3,x3,y3,z3", "five threes"),
        ("x3,y5,z7", "seven, five and three"),
        ("z15", "all fifteen on the last point"),
    ],
)
@pytest.mark.parametrize("jan", ["wins", "waits"])
def test_a_figure_wins(men: str, name: str, jan: str) -> None:
    assert find_result(f"{men} n15 gold -", "swedish-tables", jan=jan) == (Side.GOLD, name, 1)


def test_black_s_figures_end_on_m_and_others_win_nothing() -> None:
    assert find_result("a15 k5,l5,m5 gold -", "swedish-tables") == (Side.BLACK, "three fives", 1)
    assert find_outcome(*build_position("x5,y6,z4 n15 gold -", "swedish-tables")) is None


SHUT_IN = "a14,f1 g2,h2,i2,k2,l2,m2,n3 gold 6"


def test_a_barrier_is_broken_by_a_six_from_right_before_it() -> None:
    assert list_ends(SHUT_IN, "swedish-tables") == {"a14,m1 g2,h2,i2,k2,l2,n3,bar2 gold -"}
    assert list_plays(SHUT_IN.replace("f1", "e1"), "swedish-tables") == []
    beyond = SHUT_IN.replace("a14", "a13").replace("f1", "f1,z1")
    assert list_plays(beyond, "swedish-tables") == []
    assert list_plays(SHUT_IN.replace("6", "5"), "swedish-tables") == []
    assert list_plays(SHUT_IN.replace("a14,f1", "a13,f1,bar1"), "swedish-tables") == []


def test_a_barrier_stands_where_agreed_and_in_matches_of_the_first_edition() -> None:
    assert list_plays(SHUT_IN, "swedish-tables", barrier="stands") == []
    first = find_game("swedish-tables", 1)
    assert (first.edition, GAMES["swedish-tables"].edition) == (1, 2)
    stands, breaks = first.resolve_rules({}), first.resolve_rules({"barrier": "breaks"})
    assert list_next_moves(stands, parse_position(SHUT_IN, stands)) == []
    assert len(list_next_moves(breaks, parse_position(SHUT_IN, breaks))) == 1


def test_a_barrier_may_reach_from_the_end_of_the_board_to_its_beginning() -> None:
    # Black comes from n by z to a; from t he finds u, w, x, y, z and a held,
    # and nothing else goes by a six.
    shut_in = "a5,u2,w2,x2,y2,z2 n14,t1 black 6"
    assert list_ends(shut_in, "swedish-tables") == {"u2,w2,x2,y2,z2,bar5 a1,n14 black -"}
    assert list_plays(shut_in, "swedish-tables", barrier="stands") == []


@pytest.mark.parametrize(
    ("text", "move"),
    # Gold's twelfth point is m, and z that of black, who begins on n.
    [("a13,g1,m1 n15 gold 5", "g-m"), ("a15 n13,t1,z1 black 5", "t-z")],
)
def test_the_twelfth_point_takes_a_second_man_only_where_that_is_agreed(
    text: str, move: str
) -> None:
    assert move not in list_plays(text, "verquere")
    assert move in list_plays(text, "verquere", **{"far-point": "double"})


def test_the_eleventh_point_takes_no_second_man_either_way() -> None:
    # From g it is four points to l, the eleventh.
    for options in ({}, {"far-point": "double"}):
        assert "g-l" not in list_plays("a13,g1,l1 n15 gold 4", "verquere", **options)


def test_the_twelfth_point_takes_one_man_either_way() -> None:
    for options in ({}, {"far-point": "double"}):
        assert "h-m" in list_plays("a14,h1 n15 gold 4", "verquere", **options)
