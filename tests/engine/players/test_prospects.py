"""What may be done, and its equity.

One joint evaluation gives what the turn machine and the judge give separately.
"""

import pytest

from engine.events import Battled, Chosen, Left, Passed, Played, Thrown
from engine.games import GAMES
from engine.match import Match, Phase, apply_unchecked, new_match
from engine.players.evaluation import Evaluation
from engine.players.one_ply import count_throws_after, deepen_prospects, evaluate_one_ply
from engine.players.prospects import (
    apply_decision,
    evaluate_match,
    find_best,
    find_deciding_side,
    list_prospects,
)
from engine.position import Side
from tests.engine.build import LUDUS, build_match
from tests.engine.build import apply_events as following

GOLD, BLACK = Side.GOLD, Side.BLACK
GOLD_WINS = Evaluation(1, 1)


def build_thrown_match(text: str, slug: str, *dice: int, **options: str) -> Match:
    """A match in which the side to move has thrown."""
    return following(build_match(text, slug, **options), Thrown(dice))


def test_a_winning_play_is_best_and_certain() -> None:
    # Gold's last man goes from o to t by 5.
    match = build_thrown_match("o1,z14 a7,q2,r2,x2,y2 gold -", "zeno", 5, 1, 1)
    assert find_best(match).evaluation == GOLD_WINS


def test_a_side_that_can_play_nothing_passes() -> None:
    match = build_thrown_match("a14,bar1 b2,c2,d2,e2,f2,z5 gold -", "zeno", 6, 5, 4)
    assert list_prospects(match) == []
    assert find_best(match).event == Passed()
    assert (
        find_best(match).evaluation
        == evaluate_match(apply_unchecked(match, Passed()), GOLD)
        == evaluate_match(match, GOLD)
    )


def offer_numbers() -> Match:
    """Gold can play its 6 alone; black is offered 5 and 4 (worked out in test_match_choices.py)."""
    match = build_thrown_match("m1,z14 a7,q2,r2,x2,y2 gold -", "zeno", 6, 5, 4, unusable="opponent")
    match = match.apply(Played(match.plays[0].moves))
    assert match.phase is Phase.OFFER
    return match


def test_offered_numbers_are_played_or_left() -> None:
    match = offer_numbers()
    found = list_prospects(match)
    assert found[-1].event == Left()
    assert {type(event) for event, _ in found[:-1]} == {Played}
    assert find_best(match).evaluation.points == max(evaluation.points for _, evaluation in found)
    assert count_throws_after(match) == 56 * len(found)


def test_looked_at_closely_an_offer_is_worth_the_best_that_may_be_done_with_it() -> None:
    match = offer_numbers()
    found = list_prospects(match)
    closely = [evaluate_one_ply(apply_decision(match, event), BLACK).points for event, _ in found]
    assert evaluate_one_ply(match, BLACK).points == max(closely)
    assert evaluate_one_ply(match, GOLD).points == -max(closely)


def test_the_presumed_six_is_the_best_over_all_turnings() -> None:
    match = build_thrown_match("a15 z15 gold -", LUDUS, 4, 2, 1)
    found = list_prospects(match)
    assert [event for event, _ in found] == [
        Chosen("six", "1"),
        Chosen("six", "2"),
        Chosen("six", "4"),
    ]
    each = [find_best(match.apply(event)).evaluation.points for event, _ in found]
    assert find_best(match).evaluation.points == max(each)


def test_who_chooses_a_side_is_worth_what_that_side_is() -> None:
    match = following(new_match(GAMES["laquet"], {}), Battled((1, 1), (6, 6)))
    assert (match.phase, match.turn) == (Phase.OPENING, BLACK)
    gold, black = list_prospects(match)
    assert find_deciding_side(match, gold.event) is GOLD
    assert gold.evaluation.win == pytest.approx(1 - black.evaluation.win)


def test_before_the_roll_battle_either_side_may_begin() -> None:
    evaluation = evaluate_match(new_match(GAMES["zeno"], {}), GOLD)
    assert (evaluation.win, evaluation.points) == pytest.approx((0.5, 0))


def test_doubles_that_throw_again_keep_the_throw() -> None:
    # Both sides alike: gold, to throw again, is as well off as black would be.
    alone = build_thrown_match("hand15 hand15 gold -", "pareia-de-entrada", 4, 4, doubles="again")
    other = build_thrown_match("hand15 hand15 gold -", "pareia-de-entrada", 4, 4, doubles="plain")
    assert find_best(alone).evaluation.win > find_best(other).evaluation.win


def test_looking_ahead_is_the_mean_over_all_throws() -> None:
    # One man of each side is left. Gold, on z, is off by any throw.
    assert evaluate_one_ply(build_match("z1,off14 a1,off14 gold -", "backgammon"), GOLD).win == 1
    match = build_match("t1,off14 a1,off14 gold -", "backgammon")
    # From t six pips: 1-1, 2-1, 3-1, 4-1 and 3-2, nine throws of 36, leave the man on the board,
    # and then black wins.
    assert evaluate_one_ply(match, GOLD).win == pytest.approx(27 / 36, abs=1e-5)
    assert evaluate_one_ply(match, BLACK).win == pytest.approx(
        1 - evaluate_one_ply(match, GOLD).win
    )


@pytest.mark.usefixtures("keep_net")
def test_what_is_looked_at_closely_comes_first() -> None:
    # Greedy thinks several of these plays close to the best.
    match = build_thrown_match("a2,m5,r3,t5 f5,h3,n5,z2 gold -", "backgammon", 3, 1)
    found = list_prospects(match)
    ordered = deepen_prospects(match, found)
    assert sorted(map(repr, (event for event, _ in ordered))) == sorted(
        map(repr, (event for event, _ in found))
    )
    there = apply_decision(match, ordered[0].event)
    assert ordered[0].evaluation == evaluate_one_ply(there, GOLD)


def test_a_single_prospect_is_not_looked_at_closely() -> None:
    match = build_thrown_match("z1,off14 a1,off14 gold -", "backgammon", 3, 1)
    assert deepen_prospects(match, list_prospects(match)) == list_prospects(match)


def test_how_many_throws_are_answered() -> None:
    assert count_throws_after(build_match("a15 z15 gold -", "zeno")) == 56
    # With a six: 21 throws, each by itself. Each of the 35 others turns as many dice as it shows
    # numbers.
    # Five of one number, twenty of two, ten of three: 5 + 40 + 30.
    assert count_throws_after(build_match("a15 z15 gold -", LUDUS)) == 21 + 75
    assert count_throws_after(build_thrown_match("a15 z15 gold -", "zeno", 1, 2, 3)) == 1
