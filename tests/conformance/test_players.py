"""What the computer's players see and do in every game with every option.

The turn machine and the judge must agree.
"""

from random import Random

import numpy as np
import pytest

from engine.events import Played
from engine.match import Phase, apply_unchecked, end_throw
from engine.players.boards import stack_ends, stack_positions
from engine.players.decide import decide_event
from engine.players.input_arrays import build_inputs
from engine.players.level import Level
from engine.players.prospects import (
    apply_decision,
    evaluate_match,
    find_deciding_side,
    list_prospects,
)
from engine.players.special import list_open_points, list_special_plays
from engine.playout import choose_event
from engine.position import Side
from engine.search.moves import is_stuck
from tests.conformance.chance_positions import generate_positions
from tests.conformance.matches import (
    EVERY,
    SETTINGS,
    Setting,
    every_setting,
    format_setting,
    mark_odd_settings,
    play_random_matches,
)
from tests.engine.players.drive import play_match, replay_moments
from tests.engine.players.one_by_one import compute_position_inputs
from tests.support.sweeps import mark_sweeps

GOLD, BLACK = Side.GOLD, Side.BLACK
LEVELS = {GOLD: Level.COMPANION, BLACK: Level.BEGINNER}


PLAYED_FIRST = {"zeno", "twelve-dogs", "fallas", "laquet", "backgammon", "paume-carie-one"}
"""Games whose decisions are of every kind; the others are played by `make test-rest`."""


@pytest.mark.parametrize(
    "setting",
    mark_sweeps(EVERY, lambda setting: setting[0] in PLAYED_FIRST and not setting[1]),
    ids=map(format_setting, EVERY),
)
def test_a_whole_match_is_played_legally_to_its_end(setting: Setting) -> None:
    slug, options = setting
    events, end = play_match(slug, dict(options), 1, LEVELS)
    assert end.outcome is not None
    # A master takes longest, so it decides once in each phase that came up,
    # with options where they bring another.
    last = {match.phase: match for match in replay_moments(slug, dict(options), events)}
    for phase, match in last.items():
        if phase is not Phase.PLAY or not options:
            event = decide_event(match, Level.MASTER, 1)
            match.apply(event or choose_event(match, Random(1)))


@every_setting
def test_every_prospect_is_worth_what_the_match_after_it_is(setting: Setting) -> None:
    # Of a random match a few moments, those that are not simply played among them.
    matches = [
        match
        for match in play_random_matches(setting)[0].moments[:-1]
        if match.phase is not Phase.BATTLE
    ]
    odd = [match for match in matches if match.phase not in (Phase.PLAY, Phase.THROW)]
    for match in (*matches[:: max(1, len(matches) // 5)], *odd[:2], *matches[-2:]):
        for event, evaluation in list_prospects(match)[:15]:
            apart = evaluate_match(apply_decision(match, event), find_deciding_side(match, event))
            assert (evaluation.win, evaluation.points) == pytest.approx(
                (apart.win, apart.points), abs=1e-5
            )


@every_setting
@pytest.mark.sweep
def test_both_sides_see_the_same_match_from_two_ends(setting: Setting) -> None:
    for match in play_random_matches(setting)[0].moments[1::9]:
        gold, black = evaluate_match(match, GOLD), evaluate_match(match, BLACK)
        assert (gold.win, gold.points) == pytest.approx((black.opposite.win, black.opposite.points))
        assert 0 <= gold.win <= 1


@pytest.mark.parametrize("setting", mark_odd_settings(SETTINGS), ids=map(format_setting, SETTINGS))
@pytest.mark.sweep
def test_many_positions_are_seen_as_each_is(setting: Setting) -> None:
    matches = play_random_matches(setting)[0].moments[::5]
    rules = matches[-1].rules
    positions = [match.position for match in matches if match.rules is rules]
    for side in Side:
        many = build_inputs(rules, stack_positions(rules, positions), side)
        for row, position in zip(many, positions, strict=True):
            before = end_throw(rules, position)._replace(turn=side)
            assert np.allclose(row, compute_position_inputs(rules, before))


@every_setting
def test_every_play_after_which_no_throw_comes_next_is_found(setting: Setting) -> None:
    found = [
        match for match in play_random_matches(setting)[0].moments if match.phase is Phase.PLAY
    ]
    for match in (*found[:: max(1, len(found) // 5)], *found[-3:]):
        ends = stack_ends(match)
        odd = {
            at
            for at, play in enumerate(match.plays)
            if apply_unchecked(match, Played(play.moves)).phase is not Phase.THROW
        }
        assert odd <= set(list_special_plays(match, ends) if match.plays else ())


@every_setting
def test_a_side_can_move_while_one_of_its_open_points_is_free(setting: Setting) -> None:
    matches = play_random_matches(setting)[0].moments[:-1]
    rules = matches[-1].rules
    scattered = generate_positions(rules, Random(format_setting(setting)), 15)
    reached = [match.position for match in matches[::5] if match.rules is rules]
    for position in (*scattered, *reached):
        for side in Side:
            points = list_open_points(rules, side, position.men(side))
            if not all(position.men(side.other)[point] for point in points):
                assert not is_stuck(rules, position, side)


@every_setting
def test_the_ends_of_plays_stand_side_by_side_as_positions_do(setting: Setting) -> None:
    found = [
        match
        for match in play_random_matches(setting)[0].moments
        if match.phase is Phase.PLAY and match.plays
    ]
    for match in found[:: max(1, len(found) // 5)]:
        ends, positions = (
            stack_ends(match),
            stack_positions(match.rules, [play.end for play in match.plays]),
        )
        assert np.array_equal(ends.gold, positions.gold)
        assert np.array_equal(ends.black, positions.black)
        assert np.array_equal(ends.memory, positions.memory)
