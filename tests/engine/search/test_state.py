"""Positions as single numbers."""

import pytest

from engine.position import Side
from engine.search.bitboards import build_bitboards
from engine.search.state import (
    build_thresholds,
    clear_numbers,
    count_men_on,
    encode_man,
    encode_number,
    fill_bytes,
    mark_places,
    pack_position,
    replace_memory,
    unpack_memory,
    unpack_position,
)
from tests.engine.build import EMPEROR, build_position


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
    _, position = build_position(text, slug)
    state = pack_position(position, position.turn)
    assert unpack_position(state, position.turn, len(position.gold)) == position
    assert unpack_memory(state, len(position.gold)) == position.memory


def test_a_move_is_an_addition() -> None:
    _, before = build_position("a2,b1,z12 y15 gold 6-5", "zeno")
    _, after = build_position("a1,b1,g1,z12 y15 gold 5", "zeno")
    size = len(before.gold)
    change = encode_man(6) - encode_man(0) - encode_number(6, size)
    assert pack_position(before, Side.GOLD) + change == pack_position(after, Side.GOLD)


def test_each_side_sees_its_own_men_first() -> None:
    _, position = build_position("a2,z13 y15 gold -", "zeno")
    assert pack_position(position, Side.BLACK) & 0xFF == 0
    assert pack_position(position, Side.GOLD) & 0xFF == 2


def test_places_are_marked_where_enough_men_stand() -> None:
    known, position = build_position("a3,b2,c1,z9 y15 gold -", "zeno")
    state = pack_position(position, Side.GOLD)
    here = build_bitboards(known, Side.GOLD)
    two = build_thresholds((point, 2) for point in range(24))
    assert (state + two) & here.points == mark_places([0, 1, 23])
    assert (state + here.standing) & here.places == mark_places([0, 1, 2, 23])


def test_men_are_counted_on_some_places() -> None:
    _, position = build_position("a3,b2,c1,z9 y15 gold -", "zeno")
    assert count_men_on(pack_position(position, Side.GOLD), fill_bytes(mark_places([0, 2, 5]))) == 4


def test_what_is_left_and_remembered_is_changed_alone() -> None:
    _, position = build_position("a15 z15 gold 6-5-4", "zeno")
    state = pack_position(position, Side.GOLD)
    size = len(position.gold)
    assert unpack_position(clear_numbers(state, size), Side.GOLD, size) == position._replace(
        dice=()
    )
    reminded = replace_memory(state, 9, size)
    assert unpack_position(reminded, Side.GOLD, size) == position._replace(memory=9)
    assert clear_numbers(reminded, size) == replace_memory(clear_numbers(state, size), 9, size)
