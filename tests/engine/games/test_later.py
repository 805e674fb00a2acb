"""Todas tablas, Irish and backgammon: from all tables to today's game."""

import pytest

from engine.events import Battled, Chosen, Thrown
from engine.games import GAMES
from engine.games.backgammon import score_gammon
from engine.games.paume_carie import count_slaps
from engine.match import BREAK, Phase, new_match
from engine.outcome import GameOutcome
from engine.position import Side
from engine.position_text import format_position
from tests.engine.build import (
    OutcomeText,
    apply_events,
    build_match,
    expect_refusal,
    find_result,
    format_match,
    make_rules,
    play_moves,
)

CLOSING = "m14,bar1 a2,b2,c2,d2,e2,f1,g1,z3 black -"
"""Black closes its home with the one, and gold has a man to enter."""


@pytest.mark.parametrize(
    ("slug", "setup", "start"),
    [
        ("todas-tablas", {}, "a2,f5,h3,m5 n5,r3,t5,z2"),
        ("todas-tablas", {"setup": "text"}, "a2,m5,r3,t5 f5,h3,n5,z2"),
        ("irish", {}, "a2,m5,r3,t5 f5,h3,n5,z2"),
        ("backgammon", {}, "a2,m5,r3,t5 f5,h3,n5,z2"),
    ],
)
def test_the_set_ups(slug: str, setup: dict[str, str], start: str) -> None:
    known = make_rules(slug, **setup)
    assert format_position(known.start_position, known) == f"{start} gold -"


@pytest.mark.parametrize(
    ("slug", "numbers"), [("todas-tablas", 2), ("irish", 2), ("backgammon", 4)]
)
def test_doubles_count_twice_only_today(slug: str, numbers: int) -> None:
    start = "a2,m5,r3,t5 f5,h3,n5,z2 gold -"
    assert apply_events(build_match(start, slug), Thrown((2, 2))).position.dice == (2,) * numbers


def test_the_higher_die_begins_backgammon_with_both_numbers() -> None:
    match = new_match(GAMES["backgammon"], {})
    assert match.due_dice == 1
    assert match.apply(Battled((4,), (4,))).phase is Phase.BATTLE
    begun = match.apply(Battled((3,), (5,)))
    assert (begun.phase, begun.turn, begun.position.dice) == (Phase.PLAY, Side.BLACK, (5, 3))
    assert (begun.drawn, begun.thrown, begun.thrower, begun.due_dice) == (2, (3, 5), Side.BLACK, 2)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("off15 a14,off1 gold -", (Side.GOLD, "all men borne off", 1)),
        ("off15 a2,m13 gold -", (Side.GOLD, "a gammon (all men borne off)", 2)),
        ("off15 a2,m12,z1 gold -", (Side.GOLD, "a backgammon (all men borne off)", 3)),
        ("off15 a14,bar1 gold -", (Side.GOLD, "a backgammon (all men borne off)", 3)),
        ("z14,f1 off15 black -", (Side.BLACK, "a backgammon (all men borne off)", 3)),
    ],
)
def test_gammons_are_counted(text: str, outcome: OutcomeText) -> None:
    assert find_result(text, "backgammon") == outcome


def test_a_draw_is_worth_what_it_is() -> None:
    drawn = GameOutcome(None, "drawn")
    for hook, slug in ((score_gammon, "backgammon"), (count_slaps, "paume-carie-one")):
        known = make_rules(slug)
        assert hook(known, known.start_position, drawn) is drawn


def test_a_closed_home_is_bound_where_that_is_agreed() -> None:
    match = play_moves(
        apply_events(build_match(CLOSING, "irish", binding="on"), Thrown((6, 1))), "g-f z-s"
    )
    assert match.phase is Phase.BREAK_ROLL
    assert match.choice is None
    with expect_refusal("both sides have to roll first to decide who breaks a point"):
        match.apply(Thrown((1, 2)))
    again = match.apply(Battled((3, 3), (4, 2)))
    assert (again.phase, again.drawn) == (Phase.BREAK_ROLL, match.drawn + 2)
    match = again.apply(Battled((3, 3), (6, 6)))
    assert (match.phase, match.turn) == (Phase.BREAK, Side.BLACK)
    assert match.choice is not None
    assert [value.name for value in match.choice.values] == list("fedcba")
    match = match.apply(Chosen(BREAK, "c"))
    assert format_match(match) == "m14,bar1 a2,b2,c1,d2,e2,f2,s1,z2,bar1 gold -"
    assert match.phase is Phase.THROW
    assert match.may_take_back()


def test_gold_s_home_is_bound_too_and_gold_may_win_the_roll() -> None:
    closing = "t2,u2,w2,x2,y2,z1,s1,a3 m14,bar1 gold -"
    match = play_moves(
        apply_events(build_match(closing, "irish", binding="on"), Thrown((6, 6))), "s-z a-g"
    )
    match = apply_events(match, Battled((6, 6), (1, 1)), Chosen(BREAK, "z"))
    assert format_match(match) == "a2,g1,t2,u2,w2,x2,y2,z1,bar1 m14,bar1 black -"


def test_an_open_home_is_not_bound() -> None:
    match = play_moves(
        apply_events(build_match(CLOSING, "irish", binding="on"), Thrown((5, 2))), "z-x z-t"
    )
    assert (match.phase, match.turn) == (Phase.THROW, Side.GOLD)


def test_otherwise_the_side_on_the_bar_waits() -> None:
    match = play_moves(apply_events(build_match(CLOSING, "irish"), Thrown((6, 1))), "g-f z-s")
    assert (match.phase, match.turn) == (Phase.THROW, Side.GOLD)
