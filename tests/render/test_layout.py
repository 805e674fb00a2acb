"""Where everything lies, without a pixel."""

from itertools import combinations

import pytest

from engine.board import TABLES
from engine.games import GAMES
from engine.position import Side
from render import geometry
from render.geometry import WIDTH, BoardLayout, Box, square_around
from render.layout import lay_out_board, orient_board
from tests.render.test_courses import is_apart

SLUGS = (
    "zeno",
    "laquet",
    "medio-emperador",
    "doblet",
    "paume-carie-one",
    "twelve-dogs",
    "duodecim-scripta",
)
"""A game for each shape of board.

The shapes are four tables, three, two, two with few men, one, one with few men, and three rows.
"""
LAYOUTS = {
    f"{slug}-{below}": lay_out_board(GAMES[slug].rules, below, titled=below is Side.BLACK)
    for slug in SLUGS
    for below in Side
}
WHOLE = lay_out_board(GAMES["zeno"].rules, Side.GOLD)
ROMAN = lay_out_board(GAMES["duodecim-scripta"].rules, Side.GOLD)
EACH = pytest.mark.parametrize("laid", LAYOUTS.values(), ids=LAYOUTS)


def _has_inside(outer: Box, inner: Box) -> bool:
    across = outer.left <= inner.left < inner.right <= outer.right
    return across and outer.top <= inner.top < inner.bottom <= outer.bottom


def _list_outside_boxes(laid: BoardLayout) -> list[Box]:
    """Everything outside the frame, with both trays full."""
    strips = (
        laid.divide_strip(lower=lower, hand=232, off=232, tally=176) for lower in (False, True)
    )
    return [box for strip in strips for box in (strip.name, strip.hand, strip.off, strip.tally)]


def test_the_board_has_the_whole_width_and_a_man_fifteen_points_of_a_phone() -> None:
    assert (WHOLE.frame.left, WHOLE.frame.right) == (0, WIDTH)
    # Inside a card on a phone a picture is 265 points wide.
    assert all(laid.man * 265 / WIDTH >= 15 for laid in LAYOUTS.values())


@EACH
def test_a_picture_is_never_taller_than_wide_but_for_its_title(laid: BoardLayout) -> None:
    assert laid.height - (laid.title.height if laid.title else 0) <= WIDTH


@pytest.mark.parametrize(
    ("slug", "text"),
    [
        ("zeno", "abcdefghiklmnopqrstuwxyz"),
        # Where one table of four is not used, the board keeps its shape.
        ("laquet", "abcdefghiklmnopqrstuwxyz"),
        ("medio-emperador", "abcdeftuwxyz"),
        ("ludus-lumbardorum", "abcdeftuwxyz"),
        ("doblet", "abcdeftuwxyz"),
        ("paume-carie-one", "abcdef"),
        ("twelve-dogs", "abcdef"),
    ],
)
def test_games_of_one_or_two_tables_show_those_alone_and_larger(slug: str, text: str) -> None:
    for below in Side:
        laid = lay_out_board(GAMES[slug].rules, below)
        assert {TABLES.points[point] for point in laid.points} == set(text)
        assert laid.man >= WHOLE.man * (1 if len(text) == 24 else 1.3)


def test_the_table_that_was_chosen_is_the_one_that_is_shown() -> None:
    for table, points in TABLES.tables.items():
        laid = lay_out_board(GAMES["twelve-dogs"].resolve_rules({"table": table}), Side.GOLD)
        assert set(laid.points) == set(points)


def test_the_board_is_whole_while_its_table_is_chosen() -> None:
    laid = lay_out_board(GAMES["twelve-dogs"].rules, Side.GOLD, whole=True)
    assert len(laid.points) == TABLES.size


def test_the_bar_stays_where_the_board_has_it() -> None:
    # For gold the tables af and tz lie right of it, for black left.
    right, left = (lay_out_board(GAMES["medio-emperador"].rules, below) for below in Side)
    assert all(right.bar.right <= box.left for box in right.points.values())
    assert all(box.right <= left.bar.left for box in left.points.values())


def test_black_s_seat_sees_the_board_turned_half_round() -> None:
    black = lay_out_board(GAMES["zeno"].rules, Side.BLACK)
    for point in range(TABLES.size):
        here, there = WHOLE.points[point].centre, black.points[point].centre
        # The plates lie six columns on either side of the bar,
        # so columns and rows change places with their opposites.
        assert abs(here[0] + there[0] - 2 * WHOLE.inside.centre[0]) <= 1
        assert abs(here[1] + there[1] - 2 * WHOLE.inside.centre[1]) <= 1


def test_the_corners_are_where_the_manuscript_has_them() -> None:
    # Royal 13 A XVIII: a at the top right, m at the top left, n below m, z below a.
    a, m, n, z = (WHOLE.points[TABLES.find_place(name)].centre for name in "amnz")
    assert a[0] == z[0] > m[0] == n[0]
    assert a[1] == m[1] < n[1] == z[1]


@EACH
def test_nothing_on_the_board_overlaps(laid: BoardLayout) -> None:
    rooms = [laid.point_area(point) for point in laid.points]
    assert all(_has_inside(laid.inside, room) for room in rooms)
    assert all(is_apart(*pair) for pair in combinations([*rooms, laid.bar], 2))
    others = [*laid.lay_out_dice(3), *([laid.note] if laid.note else [])]
    assert all(is_apart(room, box) for room in rooms for box in others)
    assert all(is_apart(*pair) for pair in combinations(others, 2))
    assert all(_has_inside(laid.inside, box) for box in others)


@EACH
def test_letters_stand_between_their_points_and_the_frame(laid: BoardLayout) -> None:
    letters = [square_around(laid.locate_letter(point), 50) for point in laid.points]
    assert all(_has_inside(laid.inside, letter) for letter in letters)
    assert all(is_apart(*pair) for pair in combinations([*letters, *laid.points.values()], 2))


@EACH
def test_what_lies_beside_the_board_is_in_the_picture_and_apart(laid: BoardLayout) -> None:
    beside = [*_list_outside_boxes(laid), laid.frame, *([laid.title] if laid.title else [])]
    assert all(_has_inside(Box(0, 0, WIDTH, laid.height), box) for box in beside)
    assert all(is_apart(*pair) for pair in combinations(beside, 2))


def test_a_name_has_the_room_of_trays_that_are_empty() -> None:
    full, empty = (
        WHOLE.divide_strip(lower=True, hand=room, off=room, tally=176) for room in (232, 0)
    )
    assert empty.name.right == full.tally.left
    assert empty.hand.width == empty.off.width == 0


@EACH
@pytest.mark.parametrize("count", [1, 2, 5, 6, 15])
def test_every_pile_stays_on_its_point(count: int, laid: BoardLayout) -> None:
    for point, box in laid.points.items():
        pile = laid.locate_pile(point, count)
        assert len(pile) == len(set(pile)) == min(count, laid.most)
        assert all(_has_inside(box, square_around(centre, laid.man)) for centre in pile)


@EACH
def test_more_than_half_of_every_man_of_a_pile_is_seen(laid: BoardLayout) -> None:
    for point in laid.points:
        for one, other in zip(
            laid.locate_pile(point, 5), laid.locate_pile(point, 5)[1:], strict=False
        ):
            assert abs(other[1] - one[1]) >= 0.55 * laid.man


def test_piles_grow_from_the_frame_towards_the_middle() -> None:
    upper, lower = (
        [y for _, y in WHOLE.locate_pile(TABLES.find_place(name), 5)] for name in ("a", "z")
    )
    assert upper == sorted(upper)
    assert lower == sorted(lower, reverse=True)


@EACH
@pytest.mark.parametrize("count", [1, 3, 5, 15])
def test_the_men_on_the_bar_stay_on_it_and_apart(count: int, laid: BoardLayout) -> None:
    gold, black = (
        [square_around(centre, laid.man) for centre in laid.locate_bar_pile(count, lower=lower)]
        for lower in (True, False)
    )
    assert len(gold) == len(black) == min(count, 5)
    assert all(_has_inside(laid.bar, man) for man in (*gold, *black))
    assert all(is_apart(one, other) for one in gold for other in black)
    assert all(is_apart(man, die) for man in (*gold, *black) for die in laid.lay_out_dice(3))


@EACH
@pytest.mark.parametrize("count", range(1, 7))
def test_dice_lie_in_their_room_however_many(count: int, laid: BoardLayout) -> None:
    boxes = laid.lay_out_dice(count)
    assert len(boxes) == count
    assert all(_has_inside(laid.throw, box) for box in boxes)
    assert all(is_apart(*pair) for pair in combinations(boxes, 2))
    if count <= 3:
        assert {box.width for box in boxes} == {geometry.DIE}


@EACH
def test_a_man_who_lies_on_another_leaves_him_to_be_seen_and_stays_on_the_point(
    laid: BoardLayout,
) -> None:
    for point in laid.points:
        under = laid.locate_pile(point, 1)[0]
        assert all(
            5 <= abs(a - b) <= laid.man // 4
            for a, b in zip(under, laid.locate_upper_man(point), strict=True)
        )
        assert _has_inside(
            laid.point_area(point), square_around(laid.locate_upper_man(point), laid.man - 6)
        )


def test_an_empty_place_has_no_pile() -> None:
    assert WHOLE.locate_pile(0, 0) == ROMAN.locate_bar_pile(0, lower=True) == []


def test_measures_of_a_box() -> None:
    box = Box(10, 20, 30, 60)
    assert (box.centre, box.width, box.height) == ((20, 40), 20, 40)


@pytest.mark.parametrize("below", Side)
@pytest.mark.parametrize("slug", GAMES)
def test_whoever_sits_below_has_no_home_opposite(slug: str, below: Side) -> None:
    rules = GAMES[slug].rules
    rows = orient_board(rules, below).rows
    own, other = (set(rules.home(side)) for side in (below, below.other))
    # The name of a side is beside its own men, not beside the other's.
    assert not (own and other and own <= set(rows[0]) and other <= set(rows[-1]))
