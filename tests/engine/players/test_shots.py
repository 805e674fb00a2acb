"""How far a throw reaches, worked out by hand.

The game is backgammon, where gold goes from a to z, and black from z to a.
"""

import pytest

from engine.players.boards import stack_positions
from engine.players.shots import REACHED, build_track, measure_reach
from engine.position import Position, Side
from engine.rules import Rules
from tests.engine.build import build_position, make_rules

PRIME = "b2,c2,d2,e2,f2,g2,off3"
FREE = 268 / 36
"""Pips by a throw of two dice.

Throws that are no doubles give 210; doubles give 4, 8, 12, 12, 10 and 12 at most.
"""


def compute_backgammon_reach(text: str) -> list[float]:
    """Return what a throw does in a position of backgammon.

    First comes what meets the men of the side to throw, then what meets the other's.
    """
    return compute_game_reach(*build_position(text, "backgammon"))


def compute_game_reach(known: Rules, position: Position) -> list[float]:
    """The same in a position of any game."""
    men = stack_positions(known, [position])
    return [
        float(each)
        for each in measure_reach(
            known, position.turn, men.men(position.turn), men.men(position.turn.other)
        )[0]
    ]


@pytest.mark.parametrize(
    ("blot", "pips", "ways"),
    # The textbook's table of shots once more.
    [
        ("y", 1, 11),
        ("x", 2, 12),
        ("w", 3, 14),
        ("u", 4, 15),
        ("t", 5, 15),
        ("s", 6, 17),
        ("r", 7, 6),
        ("q", 8, 6),
        ("p", 9, 5),
        ("o", 10, 3),
        ("n", 11, 2),
        ("m", 12, 3),
    ],
)
def test_how_likely_a_blot_is_hit(blot: str, pips: int, ways: int) -> None:
    # A man hit loses all the way from his first point, and enters again with one pip more.
    found = compute_backgammon_reach(f"{blot}1,off14 z1,off14 gold -")
    assert found[:2] == pytest.approx([ways / 36, ways / 36 * (24 - pips)])


def test_held_points_are_in_the_way_of_a_hit() -> None:
    # Six pips, the second and the fourth point of them held: eleven sixes, 5-1 twice, 3-3;
    # not 4-2 and not 2-2.
    assert compute_backgammon_reach("s1,u2,x2,off10 z1,off14 gold -")[0] == pytest.approx(14 / 36)


def test_of_two_blots_a_throw_hits_the_dearer() -> None:
    # Eleven throws have a one; nine more have a two, and hit the man who loses a pip less.
    found = compute_backgammon_reach("x1,y1,off13 z1,off14 gold -")
    assert found[:2] == pytest.approx([20 / 36, (11 * 23 + 9 * 22) / 36])


@pytest.mark.parametrize(
    ("gold", "black", "ways"),
    [
        ("a1,off14", "g1,bar1,off13", 11),  # one number enters a man, the six hits
        ("a1,t2,off12", "g1,bar1,off13", 10),  # six sixes cannot enter any more
        ("a1,off14", "g1,bar2,off12", 1),  # two sixes enter two men, the third hits
        ("a1,off14", "g1,bar4,off10", 0),
        (
            "w1,off14",
            "bar1,off14",
            15,
        ),  # four pips, for the man who enters: by a four, 3-1, 2-2, 1-1
        (
            "w1,off14",
            "bar2,off13",
            11,
        ),  # one of two hits with a four, and cannot go on after another number
    ],
)
def test_men_on_the_bar_enter_first(gold: str, black: str, ways: int) -> None:
    assert compute_backgammon_reach(f"{gold} {black} gold -")[0] == pytest.approx(ways / 36)


def test_six_points_in_a_row_let_nobody_go() -> None:
    # 18 throws that are no doubles, and five doubles, would bring a man seven pips on or more.
    assert compute_backgammon_reach(f"a2,off13 {PRIME} gold -")[2:REACHED] == pytest.approx(
        [2 * FREE, FREE, 23 / 36]
    )
    assert compute_backgammon_reach(f"h2,off13 {PRIME} gold -")[2:REACHED] == [0, 0, 0]


def test_the_last_man_is_seen_by_himself() -> None:
    # Two men past the points that the other side holds go freely;
    # the one behind them does not go at all.
    assert compute_backgammon_reach(f"a1,h2,off12 {PRIME} gold -")[2:REACHED] == pytest.approx(
        [FREE, FREE, 23 / 36]
    )


def test_a_man_on_the_bar_goes_by_what_is_open() -> None:
    # Before five points held one behind another he enters with a six, and goes on from there: 7
    # pips by 6-1, ... 11 by 6-5, twice each, and 12 by two sixes; all of them past six points.
    found = compute_backgammon_reach("bar1,off14 a2,b2,c2,d2,e2,off5 gold -")[2:REACHED]
    goes = (2 * (7 + 8 + 9 + 10 + 11) + 12) / 36
    assert found == pytest.approx([FREE - goes, FREE - goes, (23 - 11) / 36])


def test_both_sides_are_seen() -> None:
    ahead, behind = f"a2,off13 {PRIME} gold -", f"a2,off13 {PRIME} black -"
    assert (
        compute_backgammon_reach(ahead)
        == compute_backgammon_reach(behind)[REACHED:] + compute_backgammon_reach(behind)[:REACHED]
    )
    assert any(compute_backgammon_reach(ahead))


def test_a_race_has_nothing_to_be_told() -> None:
    assert not any(compute_backgammon_reach("y1,z2,off12 a1,b1,off13 gold -"))


def test_where_every_man_bars_the_way_none_is_hit() -> None:
    known = make_rules("laquet")
    assert 1 in known.start_position.black
    found = compute_game_reach(known, known.start_position)
    assert found[:2] == found[REACHED : REACHED + 2] == [0, 0]
    assert any(found)


def test_where_men_do_not_move_nothing_is_reached() -> None:
    known = make_rules("doblet")
    assert not any(compute_game_reach(known, known.start_position))


def test_who_need_not_enter_first_hits_elsewhere() -> None:
    # In Emperador a man on the bar may wait.
    assert [build_track(make_rules("emperador"), side).door for side in Side] == [-1, -1]
    assert [build_track(make_rules("backgammon"), side).door for side in Side] == [0, 0]
