"""Greedy's judgement, worked out by hand."""

import numpy as np
import pytest

from engine.players import greedy
from engine.players.boards import stack_positions
from engine.players.evaluation_rows import POINTS, EvaluationRows
from engine.position import Side
from tests.engine.build import build_position, make_rules

GOLD, BLACK = Side.GOLD, Side.BLACK
BEGIN = "a2,m5,r3,t5 f5,h3,n5,z2 gold -"


def evaluate_positions(slug: str, *texts: str, **options: str) -> EvaluationRows:
    """What greedy says of positions, for the side to move in the first."""
    read = [build_position(text, slug, **options) for text in texts]
    known, first = read[0]
    men = stack_positions(known, [position for _, position in read])
    return greedy.evaluate_positions(
        known, first.turn, men.men(first.turn), men.men(first.turn.other)
    )


@pytest.mark.parametrize(
    ("slug", "place", "pips"),
    [
        ("backgammon", "a", 24),
        ("backgammon", "z", 1),
        ("backgammon", "bar", 25),
        ("backgammon", "off", 0),
        ("zeno", "a", 18),  # the first point of the last table is enough
        ("zeno", "t", 0),
        ("doblet", "hand", 2),  # taken down by one number, borne off by another
        ("doblet", "a", 1),
        ("twelve-dogs", "hand", 1),
        ("twelve-dogs", "a", 0),
        ("laquet", "t", 18),
        ("laquet", "m", 1),
        (
            "seis-dos-e-as",
            "bar-ns",
            13,
        ),  # before n, the thirteenth point, as one that enters on it needs twelve more
    ],
)
def test_what_a_man_still_needs(slug: str, place: str, pips: int) -> None:
    known = make_rules(slug)
    assert greedy.compute_place_values(known, GOLD).need[known.board.find_place(place)] == pips


@pytest.mark.parametrize(
    ("distance", "ways"),
    # Of 36 throws, doubles played twice: the textbook's table of shots in backgammon.
    [
        (1, 11),
        (2, 12),
        (3, 14),
        (4, 15),
        (5, 15),
        (6, 17),
        (7, 6),
        (8, 6),
        (9, 5),
        (10, 3),
        (11, 2),
        (12, 3),
    ],
)
def test_how_likely_a_blot_is_hit(distance: int, ways: int) -> None:
    known = make_rules("backgammon")
    misses = greedy.compute_place_values(known, BLACK).misses
    assert np.exp(misses[0, distance]) == pytest.approx(1 - ways / 36)


def test_where_nothing_is_hit_blots_are_in_no_danger() -> None:
    assert not greedy.compute_place_values(make_rules("laquet"), GOLD).misses.any()


def test_where_men_only_enter_a_blot_is_hit_by_one_number() -> None:
    # Twelve Dogs: only a man from the hand or the bar hits, by a one: eleven throws of 36.
    known = make_rules("twelve-dogs")
    misses = greedy.compute_place_values(known, GOLD).misses
    assert np.exp(misses[known.board.hand, 0]) == pytest.approx(25 / 36)
    assert misses[0, 1] == 0


def test_equal_sides_are_worth_a_little_to_the_one_that_throws() -> None:
    ((win, points, _),) = evaluate_positions("backgammon", BEGIN)
    assert 0.5 < win < 0.6
    assert points == pytest.approx(2 * win - 1)
    ((other, *_),) = evaluate_positions("backgammon", BEGIN.replace("gold", "black"))
    assert other == pytest.approx(win)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("z3,off12 a5,off10 gold -", "w3,off12 a5,off10 gold -"),  # fewer pips
        ("a2,m5,r3,t5 f5,h3,n5,z1,bar1 gold -", BEGIN),  # a man hit
        (
            "a2,m5,r3,t5 f5,h3,n5,z2 gold -",
            "a1,b1,m5,r3,t5 f5,h3,n5,z2 gold -",
        ),  # blots, before black's men
        (
            "a2,m3,r2,s2,t6 f5,h3,n5,z2 gold -",
            "a2,m4,q1,s2,t6 f5,h3,n5,z2 gold -",
        ),  # points before black's last men
    ],
)
def test_what_is_better(better: str, worse: str) -> None:
    one, two = evaluate_positions("backgammon", better, worse)[:, POINTS]
    assert one > two


def test_a_full_table_goes_to_who_holds_more_points() -> None:
    known = evaluate_positions(
        "twelve-dogs", "a2,b2,hand8 c2,hand10 gold -", "a2,b1,hand9 c2,hand10 gold -"
    )
    assert known[0, POINTS] > known[1, POINTS]


def test_what_a_game_counts_is_at_stake() -> None:
    # Paume carie: gold would owe fifteen slaps, black three.
    ((win, points, _),) = evaluate_positions("paume-carie-one", "a15 b3,off12 gold -")
    assert points == pytest.approx(win * 3 - (1 - win) * 15)


def weigh_position(text: str) -> list[float]:
    """What greedy goes by in a position of backgammon, seen by gold, which throws next."""
    known, position = build_position(text, "backgammon")
    men = stack_positions(known, [position])
    return [
        float(each)
        for each in greedy.compute_features(known, GOLD, men.men(GOLD), men.men(BLACK))[0]
    ]


def test_what_matters_at_the_beginning() -> None:
    # Each side has 167 pips, no blot, and 24 times a man before a held point within twelve pips,
    # at 0.35 pips each. The side to throw is half a throw of 8 1/6 pips ahead: 1.7 times that,
    # by the root of 2.3 * 334 + 20.
    assert weigh_position(BEGIN) == pytest.approx([167, 0, 8.4, 167, 0, 8.4, 0.24725], abs=1e-4)
    assert greedy.measure_longest_way(make_rules("backgammon")) == 167


def test_what_matters_where_blots_face_each_other() -> None:
    # Six pips lie between the blots: 17 of 36 throws hit.
    # Gold's blot on m would lose twelve pips, black's on s seven.
    own, other = [27, 17 / 36 * 12, 0], [32, 17 / 36 * 7, 0]
    lead = 32 + 17 / 36 * 7 - (27 + 0.4 * 17 / 36 * 12) + 49 / 12
    odds = 1.7 * lead / (2.3 * 59 + 20) ** 0.5
    assert weigh_position("m1,z14 s1,a14 gold -") == pytest.approx([*own, *other, odds])
