"""Twelve Dogs: entering only, two men a point, no decisions."""

import pytest

from engine.events import Played, Thrown
from engine.match import Phase, find_forced_event
from engine.position import Side
from tests.engine.build import (
    OutcomeText,
    apply_automatic,
    apply_events,
    build_match,
    describe_outcome,
    find_result,
    format_match,
    list_ends,
)


@pytest.mark.parametrize(
    ("table", "points"), [("af", "abcdef"), ("gm", "ghiklm"), ("ns", "nopqrs"), ("tz", "tuwxyz")]
)
def test_both_sides_enter_the_chosen_table_in_the_same_direction(table: str, points: str) -> None:
    first, last = points[0], points[-1]
    assert list_ends("hand12 hand12 gold 6-1", "twelve-dogs", table=table) == {
        f"{first}1,{last}1,hand10 hand12 gold -"
    }
    assert list_ends("hand12 hand12 black 6-1", "twelve-dogs", table=table) == {
        f"hand12 {first}1,{last}1,hand10 black -"
    }


@pytest.mark.parametrize("text", ["a2,hand10 hand12 gold 1", "hand12 a2,hand10 gold 1"])
def test_a_number_whose_point_holds_two_men_is_lost(text: str) -> None:
    assert list_ends(text, "twelve-dogs") == set()


def test_a_second_man_fills_a_point() -> None:
    assert list_ends("a1,hand11 hand12 gold 1-1", "twelve-dogs") == {"a2,hand10 hand12 gold 1"}


def test_a_single_man_is_hit_and_comes_in_first() -> None:
    match = apply_automatic(
        apply_events(build_match("a1,hand11 hand12 black -", "twelve-dogs"), Thrown((1, 2)))
    )
    assert format_match(match) == "hand11,bar1 a1,b1,hand10 gold -"
    match = apply_automatic(apply_events(match, Thrown((3, 3))))
    assert (
        format_match(match) == "c2,hand10 a1,b1,hand10 black -"
    )  # one from the bar, one from the hand


def test_the_throw_plays_itself() -> None:
    match = apply_events(build_match("hand12 hand12 gold -", "twelve-dogs"), Thrown((5, 2)))
    event = find_forced_event(match)
    assert isinstance(event, Played)
    assert event.forced
    assert format_match(apply_automatic(match)) == "b1,e1,hand10 hand12 black -"


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("a2,b2,c2,hand6 d2,e2,f1,hand7 black -", (None, "three points each", 1)),
        ("a2,b2,hand8 c2,d2,e2,f1,hand5 black -", (Side.BLACK, "4 points to 2", 1)),
        ("a2,b2,c2,d2,hand4 e2,f1,hand9 black -", (Side.GOLD, "4 points to 2", 1)),
    ],
)
def test_the_game_ends_when_every_point_holds_two(text: str, outcome: OutcomeText) -> None:
    # Black's 6 fills f; its 1 finds a full.
    match = apply_automatic(apply_events(build_match(text, "twelve-dogs"), Thrown((6, 1))))
    assert (match.phase, describe_outcome(match.outcome, "twelve-dogs")) == (Phase.OVER, outcome)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("a2,b2,c2,d2,e2,f2 hand12 gold -", (Side.GOLD, "all six points held", 1)),
        ("hand12 a2,b2,c2,d2,e2,f2 gold -", (Side.BLACK, "all six points held", 1)),
        ("a2,b2,c2,d2,e2,hand2 f2,hand10 gold -", (None, "neither side holds all six points", 1)),
        ("a2,b2,c2,hand6 d2,e2,f2,hand6 gold -", (None, "neither side holds all six points", 1)),
        ("a2,b2,c2,d2,e2,f1,hand1 hand12 gold -", None),
        ("a2,b2,c2,d2,e2,hand2 f1,hand11 gold -", None),
    ],
)
def test_a_side_may_have_to_hold_all_six_points(text: str, outcome: OutcomeText | None) -> None:
    assert find_result(text, "twelve-dogs", win="all-six") == outcome


def test_the_last_point_wins_or_nobody_does() -> None:
    match = build_match("a2,b2,c2,d2,e2,f1,hand1 hand12 gold -", "twelve-dogs", win="all-six")
    match = apply_automatic(apply_events(match, Thrown((6, 1))))
    assert describe_outcome(match.outcome, "twelve-dogs") == (Side.GOLD, "all six points held", 1)
