"""What may be done, and its equity.

One joint evaluation gives what the turn machine and the judge give separately.
"""

import pytest

from engine.events import Battled, Chosen, Left, Passed, Played, Thrown
from engine.games import GAMES
from engine.match import Match, Phase, follow, new_match
from engine.players.ahead import ahead, deepened, throws_after
from engine.players.prospects import after, best, doer, prospects, worth_of
from engine.players.worth import Worth
from engine.position import Side
from tests.engine.build import LUDUS, running
from tests.engine.build import after as following

GOLD, BLACK = Side.GOLD, Side.BLACK
GOLD_WINS = Worth(1, 1)


def thrown(text: str, slug: str, *dice: int, **options: str) -> Match:
    """A match in which the side to move has thrown."""
    return following(running(text, slug, **options), Thrown(dice))


def test_a_winning_play_is_best_and_certain() -> None:
    # Gold's last man goes from o to t by 5.
    match = thrown("o1,z14 a7,q2,r2,x2,y2 gold -", "zeno", 5, 1, 1)
    assert best(match).worth == GOLD_WINS


def test_a_side_that_can_play_nothing_passes() -> None:
    match = thrown("a14,bar1 b2,c2,d2,e2,f2,z5 gold -", "zeno", 6, 5, 4)
    assert prospects(match) == []
    assert best(match).event == Passed()
    assert best(match).worth == worth_of(follow(match, Passed()), GOLD) == worth_of(match, GOLD)


def test_offered_numbers_are_played_or_left() -> None:
    # Gold can play its 6 alone; black is offered 5 and 4 (worked out in test_match_choices.py).
    match = thrown("m1,z14 a7,q2,r2,x2,y2 gold -", "zeno", 6, 5, 4, unusable="opponent")
    match = match.apply(Played(match.plays[0].moves))
    assert match.phase is Phase.OFFER
    found = prospects(match)
    assert found[-1].event == Left()
    assert {type(event) for event, _ in found[:-1]} == {Played}
    assert best(match).worth.points == max(worth.points for _, worth in found)
    # Looked at closely, what is offered is worth the best of what may be done with it.
    closely = [ahead(after(match, event), BLACK).points for event, _ in found]
    assert throws_after(match) == 56 * len(found)
    assert ahead(match, BLACK).points == max(closely)
    assert ahead(match, GOLD).points == -max(closely)


def test_the_presumed_six_is_the_best_over_all_turnings() -> None:
    match = thrown("a15 z15 gold -", LUDUS, 4, 2, 1)
    found = prospects(match)
    assert [event for event, _ in found] == [
        Chosen("six", "1"),
        Chosen("six", "2"),
        Chosen("six", "4"),
    ]
    each = [best(match.apply(event)).worth.points for event, _ in found]
    assert best(match).worth.points == max(each)


def test_who_chooses_a_side_is_worth_what_that_side_is() -> None:
    match = following(new_match(GAMES["laquet"], {}), Battled((1, 1), (6, 6)))
    assert (match.phase, match.turn) == (Phase.OPENING, BLACK)
    gold, black = prospects(match)
    assert doer(match, gold.event) is GOLD
    assert gold.worth.win == pytest.approx(1 - black.worth.win)


def test_before_the_roll_battle_either_side_may_begin() -> None:
    worth = worth_of(new_match(GAMES["zeno"], {}), GOLD)
    assert (worth.win, worth.points) == pytest.approx((0.5, 0))


def test_doubles_that_throw_again_keep_the_throw() -> None:
    # Both sides alike: gold, to throw again, is as well off as black would be.
    alone = thrown("hand15 hand15 gold -", "pareia-de-entrada", 4, 4, doubles="again")
    other = thrown("hand15 hand15 gold -", "pareia-de-entrada", 4, 4, doubles="plain")
    assert best(alone).worth.win > best(other).worth.win


def test_looking_ahead_is_the_mean_over_all_throws() -> None:
    # One man of each side is left. Gold, on z, is off by any throw.
    assert ahead(running("z1,off14 a1,off14 gold -", "backgammon"), GOLD).win == 1
    match = running("t1,off14 a1,off14 gold -", "backgammon")
    # From t six pips: 1-1, 2-1, 3-1, 4-1 and 3-2, nine throws of 36, leave the man on the board,
    # and then black wins.
    assert 27 / 36 <= ahead(match, GOLD).win < 27 / 36 + 0.1
    assert ahead(match, BLACK).win == pytest.approx(1 - ahead(match, GOLD).win)


@pytest.mark.usefixtures("keep_net")
def test_what_is_looked_at_closely_comes_first() -> None:
    # Greedy thinks several of these plays close to the best.
    match = thrown("a2,m5,r3,t5 f5,h3,n5,z2 gold -", "backgammon", 3, 1)
    found = prospects(match)
    ordered = deepened(match, found)
    assert sorted(map(repr, (event for event, _ in ordered))) == sorted(
        map(repr, (event for event, _ in found))
    )
    there = after(match, ordered[0].event)
    assert ordered[0].worth == ahead(there, GOLD)


def test_a_single_prospect_is_not_looked_at_closely() -> None:
    match = thrown("z1,off14 a1,off14 gold -", "backgammon", 3, 1)
    assert deepened(match, prospects(match)) == prospects(match)


def test_how_many_throws_are_answered() -> None:
    assert throws_after(running("a15 z15 gold -", "zeno")) == 56
    # With a six: 21 throws, each by itself. Each of the 35 others turns as many dice as it shows
    # numbers.
    # Five of one number, twenty of two, ten of three: 5 + 40 + 30.
    assert throws_after(running("a15 z15 gold -", LUDUS)) == 21 + 75
    assert throws_after(thrown("a15 z15 gold -", "zeno", 1, 2, 3)) == 1
