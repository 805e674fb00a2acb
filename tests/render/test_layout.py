"""Where everything lies, without a pixel."""

from itertools import combinations

import pytest

from engine.board import TABLES
from engine.games import GAMES
from engine.position import Side
from render import geometry
from render.geometry import WIDTH, Box, Layout, around
from render.layout import lay_out

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
    f"{slug}-{below}": lay_out(GAMES[slug].rules, below, titled=below is Side.BLACK)
    for slug in SLUGS
    for below in Side
}
WHOLE = lay_out(GAMES["zeno"].rules, Side.GOLD)
ROMAN = lay_out(GAMES["duodecim-scripta"].rules, Side.GOLD)
EACH = pytest.mark.parametrize("laid", LAYOUTS.values(), ids=LAYOUTS)


def _holds(outer: Box, inner: Box) -> bool:
    across = outer.left <= inner.left < inner.right <= outer.right
    return across and outer.top <= inner.top < inner.bottom <= outer.bottom


def _apart(one: Box, other: Box) -> bool:
    across = one.right <= other.left or other.right <= one.left
    return across or one.bottom <= other.top or other.bottom <= one.top


def _beside(laid: Layout) -> list[Box]:
    """Everything outside the frame, with both trays full."""
    strips = (laid.strip(lower=lower, hand=232, off=232, tally=176) for lower in (False, True))
    return [box for strip in strips for box in (strip.name, strip.hand, strip.off, strip.tally)]


def test_the_board_has_the_whole_width_and_a_man_fifteen_points_of_a_phone() -> None:
    assert (WHOLE.frame.left, WHOLE.frame.right) == (0, WIDTH)
    # Inside a card on a phone a picture is 265 points wide.
    assert all(laid.man * 265 / WIDTH >= 15 for laid in LAYOUTS.values())


@EACH
def test_a_picture_is_never_taller_than_wide_but_for_its_title(laid: Layout) -> None:
    assert laid.height - (laid.title.height if laid.title else 0) <= WIDTH


@pytest.mark.parametrize(
    ("slug", "shown"),
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
def test_games_of_one_or_two_tables_show_those_alone_and_larger(slug: str, shown: str) -> None:
    for below in Side:
        laid = lay_out(GAMES[slug].rules, below)
        assert {TABLES.points[point] for point in laid.points} == set(shown)
        assert laid.man >= WHOLE.man * (1 if len(shown) == 24 else 1.3)


def test_the_table_that_was_chosen_is_the_one_that_is_shown() -> None:
    for table, points in TABLES.tables.items():
        laid = lay_out(GAMES["twelve-dogs"].rules_with({"table": table}), Side.GOLD)
        assert set(laid.points) == set(points)


def test_the_board_is_whole_while_its_table_is_chosen() -> None:
    laid = lay_out(GAMES["twelve-dogs"].rules, Side.GOLD, whole=True)
    assert len(laid.points) == TABLES.size


def test_the_bar_stays_where_the_board_has_it() -> None:
    # For gold the tables af and tz lie right of it, for black left.
    right, left = (lay_out(GAMES["medio-emperador"].rules, below) for below in Side)
    assert all(right.bar.right <= box.left for box in right.points.values())
    assert all(box.right <= left.bar.left for box in left.points.values())


def test_black_s_seat_sees_the_board_turned_half_round() -> None:
    black = lay_out(GAMES["zeno"].rules, Side.BLACK)
    for point in range(TABLES.size):
        here, there = WHOLE.points[point].centre, black.points[point].centre
        # The plates lie six columns on either side of the bar,
        # so columns and rows change places with their opposites.
        assert abs(here[0] + there[0] - 2 * WHOLE.inside.centre[0]) <= 1
        assert abs(here[1] + there[1] - 2 * WHOLE.inside.centre[1]) <= 1


def test_the_corners_are_where_the_manuscript_has_them() -> None:
    # Royal 13 A XVIII: a at the top right, m at the top left, n below m, z below a.
    a, m, n, z = (WHOLE.points[TABLES.place(name)].centre for name in "amnz")
    assert a[0] == z[0] > m[0] == n[0]
    assert a[1] == m[1] < n[1] == z[1]


@EACH
def test_nothing_on_the_board_overlaps(laid: Layout) -> None:
    rooms = [laid.room(point) for point in laid.points]
    assert all(_holds(laid.inside, room) for room in rooms)
    assert all(_apart(*pair) for pair in combinations([*rooms, laid.bar], 2))
    others = [*laid.dice(3), *([laid.note] if laid.note else [])]
    assert all(_apart(room, box) for room in rooms for box in others)
    assert all(_apart(*pair) for pair in combinations(others, 2))
    assert all(_holds(laid.inside, box) for box in others)


@EACH
def test_letters_stand_between_their_points_and_the_frame(laid: Layout) -> None:
    letters = [around(laid.letter(point), 34) for point in laid.points]
    assert all(_holds(laid.inside, letter) for letter in letters)
    assert all(_apart(*pair) for pair in combinations([*letters, *laid.points.values()], 2))


@EACH
def test_what_lies_beside_the_board_is_in_the_picture_and_apart(laid: Layout) -> None:
    beside = [*_beside(laid), laid.frame, *([laid.title] if laid.title else [])]
    assert all(_holds(Box(0, 0, WIDTH, laid.height), box) for box in beside)
    assert all(_apart(*pair) for pair in combinations(beside, 2))


def test_a_name_has_the_room_of_trays_that_are_empty() -> None:
    full, empty = (WHOLE.strip(lower=True, hand=room, off=room, tally=176) for room in (232, 0))
    assert empty.name.right == full.tally.left
    assert empty.hand.width == empty.off.width == 0


@EACH
@pytest.mark.parametrize("count", [1, 2, 5, 6, 15])
def test_every_pile_stays_on_its_point(count: int, laid: Layout) -> None:
    for point, box in laid.points.items():
        pile = laid.pile(point, count)
        assert len(pile) == len(set(pile)) == min(count, laid.most)
        assert all(_holds(box, around(centre, laid.man)) for centre in pile)


@EACH
def test_more_than_half_of_every_man_of_a_pile_is_seen(laid: Layout) -> None:
    for point in laid.points:
        for one, other in zip(laid.pile(point, 5), laid.pile(point, 5)[1:], strict=False):
            assert abs(other[1] - one[1]) >= 0.55 * laid.man


def test_piles_grow_from_the_frame_towards_the_middle() -> None:
    upper, lower = ([y for _, y in WHOLE.pile(TABLES.place(name), 5)] for name in ("a", "z"))
    assert upper == sorted(upper)
    assert lower == sorted(lower, reverse=True)


@EACH
@pytest.mark.parametrize("count", [1, 3, 5, 15])
def test_the_men_on_the_bar_stay_on_it_and_apart(count: int, laid: Layout) -> None:
    gold, black = (
        [around(centre, laid.man) for centre in laid.bar_pile(count, lower=lower)]
        for lower in (True, False)
    )
    assert len(gold) == len(black) == min(count, 5)
    assert all(_holds(laid.bar, man) for man in (*gold, *black))
    assert all(_apart(one, other) for one in gold for other in black)
    assert all(_apart(man, die) for man in (*gold, *black) for die in laid.dice(3))


@EACH
@pytest.mark.parametrize("count", range(1, 7))
def test_dice_lie_in_their_room_however_many(count: int, laid: Layout) -> None:
    boxes = laid.dice(count)
    assert len(boxes) == count
    assert all(_holds(laid.throw, box) for box in boxes)
    assert all(_apart(*pair) for pair in combinations(boxes, 2))
    if count <= 3:
        assert {box.width for box in boxes} == {geometry.DIE}


@EACH
def test_the_way_passes_every_point_and_nothing_is_hidden_by_it(laid: Layout) -> None:
    for point, box in laid.points.items():
        x, y = laid.on_the_way(point)
        assert x == box.centre[0] == laid.tip(point)[0]
        assert box.top < laid.tip(point)[1] < box.bottom
        if laid.note:
            assert _holds(laid.inside, around((x, y), 20))
            assert all(_apart(room, around((x, y), 20)) for room in map(laid.room, laid.points))


@EACH
def test_a_man_who_lies_on_another_leaves_him_to_be_seen_and_stays_on_the_point(
    laid: Layout,
) -> None:
    for point in laid.points:
        under = laid.pile(point, 1)[0]
        assert all(
            5 <= abs(a - b) <= laid.man // 4 for a, b in zip(under, laid.lying(point), strict=True)
        )
        assert _holds(laid.room(point), around(laid.lying(point), laid.man - 6))


def test_an_empty_place_has_no_pile() -> None:
    assert WHOLE.pile(0, 0) == ROMAN.bar_pile(0, lower=True) == []


def test_measures_of_a_box() -> None:
    box = Box(10, 20, 30, 60)
    assert (box.centre, box.width, box.height) == ((20, 40), 20, 40)
