"""Which plays lead to something else than the next throw."""

import pytest

from engine.events import Thrown
from engine.notation import format_play
from engine.players.boards import stack_ends
from engine.players.special import list_open_points, list_special_plays
from engine.position import Side
from tests.engine.build import apply_events, build_match, build_position

GOLD, BLACK = Side.GOLD, Side.BLACK


@pytest.mark.parametrize(
    ("slug", "text", "points", "options"),
    [
        ("zeno", "a15 z15 gold -", "bcdefg", {}),
        ("zeno", "a14,bar1 z15 gold -", "abcdef", {}),  # a man on the bar enters first
        (
            "ludus-anglicorum",
            "a12,b1,c1,bar1 z15 gold -",
            "def",
            {},
        ),  # no second man on gold's own side
        ("pyf", "hand15 hand15 gold -", "abcdef", {}),
        ("buffa-de-baldrac", "f1,hand14 hand15 gold -", "abcdef", {}),
        (
            "tabula",
            "m1,hand14 hand15 gold -",
            "abcdef",
            {},
        ),  # none goes past m before all have entered
        ("tabula", "m15 hand15 gold -", "nopqrs", {}),
        (
            "doblet",
            "a2,b2,c2,d2,e2,f2 z2,y2,x2,w2,u2,t2 gold -",
            "",
            {},
        ),  # men that move nowhere but off
    ],
)
def test_where_a_side_can_move_if_the_other_leaves_it_free(
    slug: str, text: str, points: str, options: dict[str, str]
) -> None:
    known, position = build_position(text, slug, **options)
    names = known.board.points
    assert (
        "".join(sorted(names[point] for point in list_open_points(known, GOLD, position.gold)))
        == points
    )


@pytest.mark.parametrize(
    ("slug", "text", "dice", "last"),
    [
        # The last man goes off by any throw.
        ("backgammon", "z1,off14 a1,off14 gold -", (2, 1), "z-off"),
        # A man on f, the last open point of either side, leaves nobody a way in: a tie.
        (
            "emperador",
            "a1,b1,c1,d1,u2,x2,y2,z3,bar2 e2,g2,h2,i2,k2,m2,t1,w1,bar1 gold -",
            (6, 6, 6),
            "bar-f",
        ),
    ],
)
def test_a_play_that_ends_the_game_is_found(
    slug: str, text: str, dice: tuple[int, ...], last: str
) -> None:
    match = apply_events(build_match(text, slug), Thrown(dice))
    (play,) = match.plays
    assert format_play(play.moves, match.rules, match.position).endswith(last)
    assert list_special_plays(match, stack_ends(match)) == [0]


def test_of_many_plays_those_that_close_six_points_in_a_row_end_the_game() -> None:
    match = apply_events(
        build_match("a1,h1,l1,m1,n2,o2,p2,q2,r2,s1 z15 gold -", "emperador", barata="six"),
        Thrown((6, 6, 6)),
    )
    rows = range(match.rules.board.size - 5)
    closed = [
        at
        for at, end in enumerate(match.plays.ends)
        if any(min(end.gold[row : row + 6]) >= 2 for row in rows)
    ]
    assert 0 < len(closed) < len(match.plays)
    assert list_special_plays(match, stack_ends(match)) == closed
