"""Where everything lies, without a pixel."""

from itertools import combinations

import pytest

from engine.board import ROMAN, TABLES, Board
from engine.position import Side
from render import geometry
from render.geometry import Box

POINTS = range(TABLES.size)
PICTURE = Box(0, 0, geometry.WIDTH, geometry.HEIGHT)
TRAYS = [geometry.tray_box(row, lower=lower) for lower in (False, True) for row in (0, 1)]


def _holds(outer: Box, inner: Box) -> bool:
    across = outer.left <= inner.left < inner.right <= outer.right
    return across and outer.top <= inner.top < inner.bottom <= outer.bottom


def _apart(one: Box, other: Box) -> bool:
    across = one.right <= other.left or other.right <= one.left
    return across or one.bottom <= other.top or other.bottom <= one.top


def _around(centre: tuple[int, int], size: int) -> Box:
    x, y = centre
    return Box(x - size // 2, y - size // 2, x + size // 2, y + size // 2)


def test_black_s_seat_sees_the_board_turned_half_round() -> None:
    turned = geometry.turned(TABLES, Side.BLACK)
    for point in POINTS:
        gold, black = (geometry.point_box(board, point).centre for board in (TABLES, turned))
        # The plates lie six columns on either side of the bar, so columns and rows change places with their opposites.
        assert abs(gold[0] + black[0] - 2 * geometry.INSIDE.centre[0]) <= 1
        assert abs(gold[1] + black[1] - 2 * geometry.INSIDE.centre[1]) <= 1
    assert geometry.turned(TABLES, Side.GOLD).rows == TABLES.rows


@pytest.mark.parametrize("board", [TABLES, ROMAN], ids=lambda board: board.name)
def test_the_rooms_of_points_are_apart_and_clear_of_dice_and_bar(board: Board) -> None:
    rooms = [geometry.point_room(board, point) for point in range(board.size)]
    assert all(_apart(*pair) for pair in combinations([*rooms, geometry.BAR], 2))
    dice = geometry.dice_boxes(board, geometry.MOST_DICE)
    assert all(_apart(room, box) for room in rooms for box in dice)


def test_the_name_of_a_special_position_lies_between_the_rows() -> None:
    rooms = [geometry.point_room(TABLES, point) for point in POINTS]
    assert all(_apart(room, geometry.NOTE) for room in [*rooms, geometry.BAR])
    assert _holds(geometry.INSIDE, geometry.NOTE)


def test_the_centre_of_a_box() -> None:
    assert Box(10, 20, 30, 60).centre == (20, 40)


@pytest.mark.parametrize("point", POINTS)
def test_every_point_lies_inside_the_frame(point: int) -> None:
    box = geometry.point_box(TABLES, point)
    assert _holds(geometry.INSIDE, box)
    assert _holds(geometry.FRAME, box)
    assert _apart(geometry.BAR, box)
    assert _apart(geometry.MIDDLE, box)


@pytest.mark.parametrize("point", range(ROMAN.size))
def test_every_point_of_the_roman_board_lies_inside_the_frame(point: int) -> None:
    assert _holds(geometry.INSIDE, geometry.point_box(ROMAN, point))
    assert _apart(geometry.BAR, geometry.point_box(ROMAN, point))


@pytest.mark.parametrize("board", [TABLES, ROMAN], ids=lambda board: board.name)
def test_no_two_points_or_letters_overlap(board: Board) -> None:
    boxes = [geometry.point_box(board, point) for point in range(board.size)]
    boxes += [_around(geometry.letter_centre(board, point), 28) for point in range(board.size)]
    assert all(_apart(*pair) for pair in combinations(boxes, 2))


@pytest.mark.parametrize("board", [TABLES, ROMAN], ids=lambda board: board.name)
def test_the_way_crosses_every_point_at_its_tip_or_below(board: Board) -> None:
    for point in range(board.size):
        box = geometry.point_box(board, point)
        for x, y in (geometry.tip(board, point), geometry.on_the_way(board, point)):
            assert x == box.centre[0]
            assert box.top < y < box.bottom


def test_a_man_who_lies_on_another_leaves_him_to_be_seen() -> None:
    assert geometry.lying_on((100, 100)) == (105, 95)


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


@pytest.mark.parametrize("board", [TABLES, ROMAN], ids=lambda board: board.name)
@pytest.mark.parametrize("count", range(1, 16))
def test_every_pile_stays_on_its_point(count: int, board: Board) -> None:
    for point in range(board.size):
        pile = geometry.pile(board, point, count)
        assert len(pile) == min(count, 5)
        assert len(set(pile)) == len(pile)
        assert all(_holds(geometry.point_box(board, point), _around(centre, geometry.MAN)) for centre in pile)


def test_piles_grow_from_the_frame_towards_the_middle() -> None:
    upper, lower = ([y for _, y in geometry.pile(TABLES, TABLES.place(name), 5)] for name in ("a", "z"))
    assert upper == sorted(upper)
    assert lower == sorted(lower, reverse=True)


@pytest.mark.parametrize("board", [TABLES, ROMAN], ids=lambda board: board.name)
@pytest.mark.parametrize("count", range(1, 16))
def test_the_men_on_the_bar_stay_on_it_and_apart(count: int, board: Board) -> None:
    gold, black = (
        [_around(centre, geometry.MAN) for centre in geometry.bar_pile(board, count, lower=side is Side.GOLD)]
        for side in Side
    )
    assert len(gold) == len(black) == min(count, 5)
    assert all(_holds(geometry.BAR, man) for man in (*gold, *black))
    assert all(_apart(one, other) for one in gold for other in black)


def test_where_three_rows_leave_no_middle_the_dice_lie_on_the_bar_clear_of_the_men() -> None:
    dice = geometry.dice_boxes(ROMAN, geometry.MOST_DICE)
    men = [
        _around(centre, geometry.MAN) for lower in (False, True) for centre in geometry.bar_pile(ROMAN, 15, lower=lower)
    ]
    assert all(_holds(geometry.BAR, die) for die in dice)
    assert all(_apart(*pair) for pair in combinations(dice, 2))
    assert all(_apart(die, man) for die in dice for man in men)


def test_an_empty_place_has_no_pile() -> None:
    assert geometry.pile(TABLES, 0, 0) == geometry.bar_pile(TABLES, 0, lower=True) == []


def test_what_lies_beside_the_board_is_in_the_picture_and_apart() -> None:
    beside = [geometry.TITLE, geometry.FRAME, *TRAYS, *geometry.NAMES.values()]
    assert all(_holds(PICTURE, box) for box in beside)
    assert all(_apart(*pair) for pair in combinations(beside, 2))


@pytest.mark.parametrize("count", range(1, 7))
def test_the_dice_lie_between_the_rows_clear_of_the_bar(count: int) -> None:
    boxes = geometry.dice_boxes(TABLES, count)
    assert len(boxes) == count
    assert all(_holds(geometry.MIDDLE, box) and _apart(geometry.BAR, box) for box in boxes)
    assert all(_apart(*pair) for pair in combinations(boxes, 2))
    assert {box.right - box.left for box in boxes} == {geometry.DIE}
