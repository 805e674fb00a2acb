"""Fallas: losing by what cannot be played, and where hit men go."""

from engine.events import Thrown
from engine.match import Phase
from engine.notation import parse_play
from engine.position import Side
from engine.refusal import Reason
from tests.engine.build import (
    apply_events,
    build_match,
    build_position,
    describe_outcome,
    expect_refusal,
    list_ends,
    list_plays,
    play_moves,
)

START = "a2,t13 f13,z2 gold -"
ONE_ONLY = "a1,z14 f2,g2,off11 gold -"
"""Gold can play a one, and then no five."""


def test_three_fives_at_the_start_lose() -> None:
    match = apply_events(build_match(START, "fallas"), Thrown((5, 5, 5)))
    assert describe_outcome(match.outcome, "fallas") == (
        Side.BLACK,
        "ad fallum: gold couldn't play the throw",
        1,
    )


def test_one_number_that_cannot_be_played_loses() -> None:
    assert apply_events(build_match(ONE_ONLY, "fallas"), Thrown((5, 5, 1))).phase is Phase.OVER


def test_where_the_whole_throw_must_fail_one_number_played_saves() -> None:
    match = apply_events(build_match(ONE_ONLY, "fallas", fall="whole-throw"), Thrown((5, 5, 1)))
    match = play_moves(match, "a-b")
    assert (match.phase, match.turn) == (Phase.THROW, Side.BLACK)
    assert (
        apply_events(build_match(START, "fallas", fall="whole-throw"), Thrown((5, 5, 5))).phase
        is Phase.OVER
    )


def test_a_man_on_the_bar_without_an_entry_loses() -> None:
    assert (
        apply_events(build_match("t14,bar1 a2,b2,c2,f9 gold -", "fallas"), Thrown((3, 2, 1))).phase
        is Phase.OVER
    )


def test_hit_men_go_to_the_bar_or_straight_back() -> None:
    hit = "a1,t14 b1,e1,z13 gold 1"
    assert "b1,t14 e1,z13,bar1 gold -" in list_ends(hit, "fallas")
    assert "b1,t14 e1,z14 gold -" in list_ends(hit, "fallas", hit="start-point")


def test_nobody_is_hit_who_could_not_go_back() -> None:
    assert list_plays("a1,t13,z1 b1,f14 gold 1", "fallas", hit="start-point") == ["t-u"]
    assert list_plays("t14,y1 f14,z1 gold 1", "fallas", hit="start-point") == ["t-u"]


def test_the_refusal_says_where_he_would_go() -> None:
    for typed, text, reason, sentence in (
        (
            "a-b",
            "a1,t13,z1 b1,f14 gold 1",
            Reason.RETURN,
            "you can't hit this man, because it would return to z, where you have men",
        ),
        (
            "y-z",
            "t14,y1 f14,z1 gold 1",
            Reason.OWN_START,
            "a man on its own starting point, z, can't be hit",
        ),
    ):
        with expect_refusal(f"{typed}: {sentence}", reason):
            parse_play(typed, *build_position(text, "fallas", hit="start-point"))
