"""When a computer player takes a draw, and when not."""

from dataclasses import replace
from random import Random

import pytest

from engine.events import Battled, Thrown
from engine.games import GAMES
from engine.match import Phase, find_forced_event, new_match
from engine.players.decide import is_draw_acceptable
from engine.players.nets import get_net
from engine.playout import choose_event
from engine.position import Side
from tests.engine.build import build_match, make_rules
from tests.engine.players.conftest import KeepNet

GOLD, BLACK = Side.GOLD, Side.BLACK
# Gold has two men left and is off with any throw; black has all fifteen to bear off.
WON = "z2,off13 a15 gold -"
# Both have two men on their last point, and gold throws first: any throw wins.
LAST = "z2,off13 a2,off13 gold -"


@pytest.mark.parametrize("slug", ["backgammon", "irish"])
def test_who_stands_better_takes_no_draw_and_who_stands_worse_does(slug: str) -> None:
    for match in (
        build_match(WON, slug),
        build_match(WON, slug).apply(Thrown((6, 5))),
        build_match(LAST, slug),
    ):
        assert not is_draw_acceptable(match, GOLD)
        assert is_draw_acceptable(match, BLACK)


def test_it_is_the_same_for_the_other_side() -> None:
    match = build_match("z15 a2,off13 black -", "backgammon")
    assert not is_draw_acceptable(match, BLACK)
    assert is_draw_acceptable(match, GOLD)


def test_without_a_net_a_draw_is_taken_only_by_who_is_clearly_worse(keep_net: KeepNet) -> None:
    assert get_net(make_rules("backgammon")) is None
    # All is alike but whose throw it is.
    start = build_match("hand15 hand15 gold -", "pyf")
    assert not is_draw_acceptable(start, GOLD)
    assert not is_draw_acceptable(start, BLACK)
    assert not is_draw_acceptable(build_match(WON, "backgammon"), GOLD)
    assert is_draw_acceptable(build_match(WON, "backgammon"), BLACK)


def test_options_that_a_net_has_not_learnt_leave_it_in_doubt() -> None:
    lost = build_match(WON, "backgammon", unusable="lost")
    assert lost.rules == lost.game.resolve_rules({})
    odd = build_match(WON, "backgammon", unusable="opponent")
    assert is_draw_acceptable(odd, BLACK)
    assert not is_draw_acceptable(odd, GOLD)


def test_where_nothing_can_be_played_the_turn_is_judged_as_passed() -> None:
    # Black's six points keep gold's man on the bar whatever it throws; its other men are home.
    shut = build_match("bar1,off14 t2,u2,w2,x2,y2,z2,a3 gold 6-5", "backgammon")
    match = replace(shut, phase=Phase.PLAY, thrown=(6, 5), thrower=GOLD)
    assert find_forced_event(match) is not None
    assert is_draw_acceptable(match, GOLD) != is_draw_acceptable(match, BLACK)


@pytest.mark.sweep
def test_never_do_both_sides_take_what_one_of_them_should_refuse() -> None:
    chance = Random(5)
    for slug in ("backgammon", "laquet", "twelve-dogs", "irish", "ludus-anglicorum"):
        match = new_match(GAMES[slug], {})
        moments = 0
        while match.phase is not Phase.OVER and moments < 12:
            match = match.apply(choose_event(match, chance))
            if (
                match.thrower is not None
                and match.phase is not Phase.OVER
                and find_forced_event(match) is None
            ):
                moments += 1
                assert not (is_draw_acceptable(match, GOLD) and is_draw_acceptable(match, BLACK))


def test_a_roll_for_a_break_is_judged_before_it_is_thrown() -> None:
    match = replace(build_match(WON, "irish"), phase=Phase.BREAK_ROLL, due=GOLD)
    assert not is_draw_acceptable(match, GOLD)
    assert match.apply(Battled((1, 1), (1, 1))).phase is Phase.BREAK_ROLL
