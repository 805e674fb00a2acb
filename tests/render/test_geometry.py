"""Where everything lies, without a pixel."""

from itertools import combinations

import pytest

from engine.board import TABLES
from engine.position import Side
from render import geometry
from render.geometry import Box

POINTS = range(TABLES.size)
PICTURE = Box(0, 0, geometry.WIDTH, geometry.HEIGHT)
TRAYS = [geometry.tray_box(side, row) for side in Side for row in (0, 1)]


def _holds(outer: Box, inner: Box) -> bool:
    across = outer.left <= inner.left < inner.right <= outer.right
    return across and outer.top <= inner.top < inner.bottom <= outer.bottom


def _apart(one: Box, other: Box) -> bool:
    across = one.right <= other.left or other.right <= one.left
    return across or one.bottom <= other.top or other.bottom <= one.top


def _around(centre: tuple[int, int], size: int) -> Box:
    x, y = centre
    return Box(x - size // 2, y - size // 2, x + size // 2, y + size // 2)


def test_the_centre_of_a_box() -> None:
    assert Box(10, 20, 30, 60).centre == (20, 40)


@pytest.mark.parametrize("point", POINTS)
def test_every_point_lies_inside_the_frame(point: int) -> None:
    box = geometry.point_box(TABLES, point)
    assert _holds(geometry.INSIDE, box)
    assert _holds(geometry.FRAME, box)
    assert _apart(geometry.BAR, box)
    assert _apart(geometry.MIDDLE, box)


def test_no_two_points_overlap() -> None:
    boxes = [geometry.point_box(TABLES, point) for point in POINTS]
    assert all(_apart(*pair) for pair in combinations(boxes, 2))


def test_the_corners_are_where_the_manuscript_has_them() -> None:
    # Royal 13 A XVIII: a at the top right, m at the top left, n below m, z below a.
    a, m, n, z = (geometry.point_box(TABLES, TABLES.place(name)).centre for name in "amnz")
    assert a[0] == z[0] > m[0] == n[0]
    assert a[1] == m[1] < n[1] == z[1]


@pytest.mark.parametrize("point", POINTS)
def test_a_letter_stands_between_its_point_and_the_frame(point: int) -> None:
    letter, box = _around(geometry.letter_centre(TABLES, point), 28), geometry.point_box(TABLES, point)
    assert _holds(geometry.INSIDE, letter)
    assert _apart(letter, box)
    assert letter.centre[0] == box.centre[0]


@pytest.mark.parametrize("count", range(1, 16))
def test_every_pile_stays_on_its_point(count: int) -> None:
    for point in POINTS:
        pile = geometry.pile(TABLES, point, count)
        assert len(pile) == min(count, 5)
        assert len(set(pile)) == len(pile)
        assert all(_holds(geometry.point_box(TABLES, point), _around(centre, geometry.MAN)) for centre in pile)


def test_piles_grow_from_the_frame_towards_the_middle() -> None:
    upper, lower = ([y for _, y in geometry.pile(TABLES, TABLES.place(name), 5)] for name in ("a", "z"))
    assert upper == sorted(upper)
    assert lower == sorted(lower, reverse=True)


@pytest.mark.parametrize("count", range(1, 16))
def test_the_men_on_the_bar_stay_on_it_and_apart(count: int) -> None:
    gold, black = (
        [_around(centre, geometry.MAN) for centre in geometry.bar_pile(side, count)] for side in (Side.GOLD, Side.BLACK)
    )
    assert len(gold) == len(black) == min(count, 5)
    assert all(_holds(geometry.BAR, man) for man in (*gold, *black))
    assert all(_apart(one, other) for one in gold for other in black)


def test_an_empty_place_has_no_pile() -> None:
    assert geometry.pile(TABLES, 0, 0) == geometry.bar_pile(Side.GOLD, 0) == []


def test_what_lies_beside_the_board_is_in_the_picture_and_apart() -> None:
    beside = [geometry.TITLE, geometry.FRAME, *TRAYS, *geometry.NAMES.values()]
    assert all(_holds(PICTURE, box) for box in beside)
    assert all(_apart(*pair) for pair in combinations(beside, 2))


@pytest.mark.parametrize("count", range(1, 7))
def test_the_dice_lie_between_the_rows_clear_of_the_bar(count: int) -> None:
    boxes = geometry.dice_boxes(count)
    assert len(boxes) == count
    assert all(_holds(geometry.MIDDLE, box) and _apart(geometry.BAR, box) for box in boxes)
    assert all(_apart(*pair) for pair in combinations(boxes, 2))
    assert {box.right - box.left for box in boxes} == {geometry.DIE}
