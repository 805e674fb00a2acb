"""What the computer's players see and do in every game with every option.

The turn machine and the judge must agree.
"""

from random import Random

import numpy as np
import pytest

from engine.events import Played
from engine.match import Phase, done_with, follow
from engine.players.boards import boards, ends_of
from engine.players.decide import decide
from engine.players.level import Level
from engine.players.prospects import after, doer, prospects, worth_of
from engine.players.seen import seen
from engine.players.special import special
from engine.playout import next_event
from engine.position import Side
from tests.conformance.matches import SETTINGS, Setting, every_setting, name, stories
from tests.engine.players.drive import moments, played
from tests.engine.players.one_by_one import inputs

GOLD, BLACK = Side.GOLD, Side.BLACK
LEVELS = {GOLD: Level.COMPANION, BLACK: Level.BEGINNER}


@every_setting
def test_a_whole_match_is_played_legally_to_its_end(setting: Setting) -> None:
    slug, options = setting
    events, end = played(slug, dict(options), 1, LEVELS)
    assert end.outcome is not None
    # A master takes longest, so it decides once in each phase that came up,
    # with options where they bring another.
    last = {match.phase: match for match in moments(slug, dict(options), events)}
    for phase, match in last.items():
        if phase is not Phase.PLAY or not options:
            event = decide(match, Level.MASTER, 1)
            match.apply(event or next_event(match, Random(1)))


@every_setting
def test_every_prospect_is_worth_what_the_match_after_it_is(setting: Setting) -> None:
    # Of a random match a few moments, those that are not simply played among them.
    told = [match for match in stories(setting)[0].moments[:-1] if match.phase is not Phase.BATTLE]
    odd = [match for match in told if match.phase not in (Phase.PLAY, Phase.THROW)]
    for match in (*told[:: max(1, len(told) // 5)], *odd[:2], *told[-2:]):
        for event, worth in prospects(match)[:15]:
            apart = worth_of(after(match, event), doer(match, event))
            assert (worth.win, worth.points) == pytest.approx((apart.win, apart.points), abs=1e-5)


@every_setting
def test_both_sides_see_the_same_match_from_two_ends(setting: Setting) -> None:
    for match in stories(setting)[0].moments[1::9]:
        gold, black = worth_of(match, GOLD), worth_of(match, BLACK)
        assert (gold.win, gold.points) == pytest.approx((black.turned.win, black.turned.points))
        assert 0 <= gold.win <= 1


@pytest.mark.parametrize("setting", SETTINGS, ids=name)
def test_many_positions_are_seen_as_each_is(setting: Setting) -> None:
    told = stories(setting)[0].moments[::5]
    rules = told[-1].rules
    positions = [match.position for match in told if match.rules is rules]
    for side in Side:
        many = seen(rules, boards(rules, positions), side)
        for row, position in zip(many, positions, strict=True):
            before = done_with(rules, position)._replace(turn=side)
            assert np.allclose(row, inputs(rules, before))


@every_setting
def test_every_play_after_which_no_throw_comes_next_is_found(setting: Setting) -> None:
    found = [match for match in stories(setting)[0].moments if match.phase is Phase.PLAY]
    for match in (*found[:: max(1, len(found) // 5)], *found[-3:]):
        ends = ends_of(match)
        odd = {
            at
            for at, play in enumerate(match.plays)
            if follow(match, Played(play.moves)).phase is not Phase.THROW
        }
        assert odd <= set(special(match, ends) if match.plays else ())


@every_setting
def test_the_ends_of_plays_stand_side_by_side_as_positions_do(setting: Setting) -> None:
    found = [
        match for match in stories(setting)[0].moments if match.phase is Phase.PLAY and match.plays
    ]
    for match in found[:: max(1, len(found) // 5)]:
        ends, positions = ends_of(match), boards(match.rules, [play.end for play in match.plays])
        assert np.array_equal(ends.gold, positions.gold)
        assert np.array_equal(ends.black, positions.black)
        assert np.array_equal(ends.memory, positions.memory)
