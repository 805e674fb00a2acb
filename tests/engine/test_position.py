"""Positions and how they are printed."""

from engine.board import TABLES
from engine.games import GAMES
from engine.position import Position, Side, format_men
from engine.position_text import format_position


def _pack_men(**counts: int) -> bytes:
    return bytes(counts.get(name, 0) for name in TABLES.place_names)


def test_the_sides_oppose_each_other() -> None:
    assert (Side.GOLD.other, Side.BLACK.other) == (Side.BLACK, Side.GOLD)
    assert [str(side) for side in Side] == ["gold", "black"]


def test_the_men_of_either_side() -> None:
    position = Position(_pack_men(a=15), _pack_men(z=15), Side.BLACK, (6, 5))
    assert position.men(Side.GOLD) == _pack_men(a=15)
    assert position.men(Side.BLACK) == _pack_men(z=15)


def test_points_come_in_board_order_then_hand_bar_and_off() -> None:
    # The order of the notation: points, hand, bar, off; zeroes left out.
    assert format_men(_pack_men(off=3, bar=2, hand=1, z=4, a=5), TABLES) == "a5,z4,hand1,bar2,off3"
    assert format_men(_pack_men(), TABLES) == "-"


def test_the_four_fields() -> None:
    start = Position(_pack_men(a=15), _pack_men(z=15), Side.GOLD)
    zeno = GAMES["zeno"].rules
    assert format_position(start, zeno) == "a15 z15 gold -"
    assert (
        format_position(Position(_pack_men(a=15), _pack_men(z=15), Side.BLACK, (6, 5, 2)), zeno)
        == "a15 z15 black 6-5-2"
    )
