"""Positions as single numbers."""

import pytest

from engine.lanes import lane
from engine.packed import (
    mark,
    memory_of,
    men_among,
    one_left,
    one_man,
    pack,
    reaching,
    unpack,
    whole_bytes,
    with_memory,
    without_numbers,
)
from engine.position import Side
from tests.engine.build import EMPEROR, pos


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        (EMPEROR, "zeno"),
        ("a15 z15 black 6-6-6", "zeno"),
        ("1:2,hand13 4:1,hand14 black 5-3-1", "duodecim-scripta"),
        ("a3,b4,f8 c5,d5,e4,bar-ns1 black 6-2", "seis-dos-e-as"),
        ("n2,o2,p2,q2,r2,s2,bar3 a1,z14 black 5-4-2 gold-hits=3", "emperador"),
    ],
)
def test_a_position_is_packed_and_unpacked(text: str, slug: str) -> None:
    _, position = pos(text, slug)
    state = pack(position, position.turn)
    assert unpack(state, position.turn, len(position.gold)) == position
    assert memory_of(state, len(position.gold)) == position.memory


def test_a_move_is_an_addition() -> None:
    _, before = pos("a2,b1,z12 y15 gold 6-5", "zeno")
    _, after = pos("a1,b1,g1,z12 y15 gold 5", "zeno")
    size = len(before.gold)
    change = one_man(6) - one_man(0) - one_left(6, size)
    assert pack(before, Side.GOLD) + change == pack(after, Side.GOLD)


def test_each_side_sees_its_own_men_first() -> None:
    _, position = pos("a2,z13 y15 gold -", "zeno")
    assert pack(position, Side.BLACK) & 0xFF == 0
    assert pack(position, Side.GOLD) & 0xFF == 2


def test_places_are_marked_where_enough_men_stand() -> None:
    known, position = pos("a3,b2,c1,z9 y15 gold -", "zeno")
    state = pack(position, Side.GOLD)
    here = lane(known, Side.GOLD)
    two = reaching((point, 2) for point in range(24))
    assert (state + two) & here.points == mark([0, 1, 23])
    assert (state + here.standing) & here.places == mark([0, 1, 2, 23])


def test_men_are_counted_on_some_places() -> None:
    _, position = pos("a3,b2,c1,z9 y15 gold -", "zeno")
    assert men_among(pack(position, Side.GOLD), whole_bytes(mark([0, 2, 5]))) == 4


def test_what_is_left_and_remembered_is_changed_alone() -> None:
    _, position = pos("a15 z15 gold 6-5-4", "zeno")
    state = pack(position, Side.GOLD)
    size = len(position.gold)
    assert unpack(without_numbers(state, size), Side.GOLD, size) == position._replace(dice=())
    reminded = with_memory(state, 9, size)
    assert unpack(reminded, Side.GOLD, size) == position._replace(memory=9)
    assert without_numbers(reminded, size) == with_memory(without_numbers(state, size), 9, size)
