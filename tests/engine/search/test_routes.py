"""What each side may do from each place, before looking at where men stand."""

import pytest

from engine.board import TABLES
from engine.position import Side
from engine.search.routes import NOWHERE, build_route, find_waiting_places
from tests.engine.build import LUDUS, make_rules

AT = TABLES.find_place


@pytest.mark.parametrize(
    ("slug", "side", "number", "source", "target"),
    [
        ("zeno", Side.GOLD, 6, "a", "g"),
        ("zeno", Side.BLACK, 6, "z", "s"),
        ("zeno", Side.BLACK, 5, "o", "i"),  # o n m l k i
        ("zeno", Side.GOLD, 1, "bar", "a"),
        ("zeno", Side.BLACK, 1, "bar", "z"),
        ("zeno", Side.BLACK, 6, "bar", "t"),
        (LUDUS, Side.GOLD, 6, "t", "off"),
        (LUDUS, Side.GOLD, 6, "z", "off"),
        (LUDUS, Side.BLACK, 3, "c", "off"),
        (LUDUS, Side.BLACK, 2, "c", "a"),
        ("pyf", Side.BLACK, 4, "hand", "d"),
        ("pyf", Side.BLACK, 1, "s", "t"),
        ("twelve-dogs", Side.BLACK, 4, "hand", "d"),
    ],
)
def test_where_a_number_leads(slug: str, side: Side, number: int, source: str, target: str) -> None:
    assert build_route(make_rules(slug), side).targets[number][AT(source)] == AT(target)


@pytest.mark.parametrize(
    ("slug", "number", "source"),
    [
        ("zeno", 1, "z"),  # nothing is borne off
        ("zeno", 6, "t"),
        ("pyf", 1, "t"),  # a man in the last table moves only off
        ("twelve-dogs", 1, "a"),  # men do not move
        ("zeno", 1, "off"),
    ],
)
def test_where_a_number_leads_nowhere(slug: str, number: int, source: str) -> None:
    assert build_route(make_rules(slug), Side.GOLD).targets[number][AT(source)] == NOWHERE


def test_the_own_side_has_room_for_one_man_in_ludus_anglicorum() -> None:
    for side, own in ((Side.GOLD, "abcdefghiklm"), (Side.BLACK, "nopqrstuwxyz")):
        room = build_route(make_rules(LUDUS), side).room
        assert {name for name in TABLES.points if room[AT(name)] == 0} == set(own)


def test_a_point_of_twelve_dogs_has_room_beside_one_man() -> None:
    assert build_route(make_rules("twelve-dogs"), Side.GOLD).room[AT("a")] == 1


def test_the_bearing_table_counts_down_to_the_edge() -> None:
    way = build_route(make_rules(LUDUS), Side.BLACK)
    assert [TABLES.place_names[point] for point in way.home] == list("fedcba")
    assert [way.exact[point] for point in way.home] == [6, 5, 4, 3, 2, 1]


@pytest.mark.parametrize(
    ("slug", "options", "places"),
    [
        ("zeno", {}, {"bar"}),
        ("pyf", {}, {"hand", "bar"}),
        ("laquet", {}, set()),  # a single man holds a point, so nobody is ever hit
        ("fallas", {"hit": "start-point"}, set()),  # hit men start over on a point of the board
    ],
)
def test_where_men_may_wait_beside_the_board(
    slug: str, options: dict[str, str], places: set[str]
) -> None:
    known = make_rules(slug, **options)
    assert {
        known.board.place_names[place] for place in find_waiting_places(known, Side.BLACK)
    } == places
