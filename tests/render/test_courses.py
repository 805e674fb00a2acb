"""The arrows of both ways round and the homes, on every board and from both sides."""

from itertools import pairwise

import pytest

from engine.games import GAMES
from engine.position import Side
from render.courses import Way, choose_letter_colour, find_ways, list_homes
from render.geometry import BoardLayout, Box, square_around
from render.layout import lay_out_board
from render.theme import Theme, load_themes
from tests.render.test_theme import _compute_contrast

LINE, DOT, HEAD = 12, 22, 28
"""How wide the parts of an arrow are with their outlines."""
GAMES_WITH_COURSES = [slug for slug, game in GAMES.items() if game.rules.moving]
EACH = pytest.mark.parametrize("below", Side)
EVERY = pytest.mark.parametrize("slug", GAMES_WITH_COURSES)


def lay_out(slug: str, below: Side) -> tuple[BoardLayout, list[Way]]:
    """A board with gold's and black's arrow."""
    rules = GAMES[slug].rules
    layout = lay_out_board(rules, below)
    return layout, find_ways(layout, [rules.course(side) for side in Side])


def list_line_boxes(way: Way) -> list[Box]:
    """The room that each stretch of an arrow's line takes."""
    half = LINE // 2
    return [
        Box(
            min(one[0], other[0]) - half,
            min(one[1], other[1]) - half,
            max(one[0], other[0]) + half,
            max(one[1], other[1]) + half,
        )
        for one, other in pairwise(way.line)
    ]


def list_ends(way: Way) -> list[Box]:
    """The room of an arrow's start and of its heads."""
    heads = [((base[0] + tip[0]) // 2, base[1]) for base, tip in way.heads]
    return [
        square_around(way.line[0], DOT),
        *(square_around(middle, HEAD) for middle in heads),
    ]


def is_apart(one: Box, other: Box) -> bool:
    """Whether two boxes do not overlap."""
    across = one.right <= other.left or other.right <= one.left
    return across or one.bottom <= other.top or other.bottom <= one.top


@EVERY
@EACH
def test_arrows_run_outside_the_points_the_letters_and_the_dice(slug: str, below: Side) -> None:
    layout, ways = lay_out(slug, below)
    letters = [square_around(layout.locate_letter(point), 48) for point in layout.points]
    beside = [*letters, *layout.lay_out_dice(3), *([layout.note] if layout.note else [])]
    for way in ways:
        lines = list_line_boxes(way)
        for box in lines:
            assert layout.frame.left <= box.left < box.right <= layout.frame.right
            assert layout.frame.top <= box.top < box.bottom <= layout.frame.bottom
            assert all(is_apart(box, room) for room in (*layout.points.values(), *beside))
        for end in list_ends(way):
            assert layout.frame.top <= end.top < end.bottom <= layout.frame.bottom
            assert all(is_apart(end, box) for box in beside)


@EVERY
@EACH
def test_starts_and_heads_of_both_sides_lie_apart(slug: str, below: Side) -> None:
    _, (gold, black) = lay_out(slug, below)
    for one in list_ends(gold):
        for other in list_ends(black):
            assert is_apart(one, other)
    # Lines cross only where they come from different rows.
    assert all(
        is_apart(one, other)
        for one in list_line_boxes(gold)
        for other in list_line_boxes(black)
        if (one.width > one.height) is (other.width > other.height)
    )


@EVERY
@EACH
def test_an_arrow_leads_along_the_course(slug: str, below: Side) -> None:
    layout, ways = lay_out(slug, below)
    for side, way in zip(Side, ways, strict=True):
        course = [layout.points[point].centre[0] for point in GAMES[slug].rules.course(side)]
        assert abs(way.line[0][0] - course[0]) <= layout.points[0].width // 2 + 20
        assert abs(way.heads[0][1][0] - course[-1]) <= 70
        forwards = course[-1] > course[-2]
        assert (way.heads[0][1][0] > way.heads[0][0][0]) is forwards


def test_one_home_of_both_sides_is_one() -> None:
    both = list_homes(GAMES["pyf"].rules)
    assert [home.sides for home in both] == [(Side.GOLD, Side.BLACK)]
    apart = list_homes(GAMES["zeno"].rules)
    assert [home.sides for home in apart] == [(Side.GOLD,), (Side.BLACK,)]


@pytest.mark.parametrize("theme", load_themes().values(), ids=load_themes())
def test_letters_can_be_read_on_the_plate_of_a_home(theme: Theme) -> None:
    for sides, ground in (
        ((Side.GOLD,), theme.gold.body),
        ((Side.BLACK,), theme.black.body),
        (tuple(Side), theme.page),
        ((), theme.wood),
    ):
        assert _compute_contrast(choose_letter_colour(theme, sides), ground) >= 4.5
