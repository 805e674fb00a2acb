"""How a match was played: luck and errors, and the course of it."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import pytest

from engine.events import (
    Battled,
    Chosen,
    DrawDeclined,
    DrawOffered,
    Event,
    Played,
    Resigned,
    TakenBack,
    Thrown,
)
from engine.games import GAMES
from engine.match import replay_events
from engine.move import Move
from engine.notation import parse_play
from engine.players.analysis import analyse_steps
from engine.players.chances import count_ordered_throws, list_throws
from engine.players.decide import rank_decisions
from engine.players.evaluation import StepAnalysis, evaluate_outcome
from engine.players.files import STEPS
from engine.players.level import Level
from engine.players.prospects import find_best
from engine.position import Side
from tests.engine.players.drive import play_match
from tests.support.sweeps import mark_sweeps

GOLD, BLACK = Side.GOLD, Side.BLACK
SHORT = {
    "twelve-dogs": {},
    "doblet": {},
    "fallas": {"dice": "majoret"},
    "laquet": {},
    "irish": {"binding": "on"},
    "paume-carie-one": {"players": "2"},
    "pareia-de-entrada": {},
    "backgammon": {},
}
"""Games that are quickly judged, with what makes them odd."""

OPENING_EVENTS: list[Event] = [Battled((6,), (5,))]
"""Gold begins a game of backgammon with 6-5."""


def analyse_events(slug: str, events: list[Event], **options: str) -> list[StepAnalysis]:
    """A match judged."""
    return list(analyse_steps(GAMES[slug], options, events))


def build_play(events: list[Event], text: str) -> Played:
    """A play of backgammon from where the events lead."""
    match = replay_events(GAMES["backgammon"], {}, events)
    return Played(parse_play(text, match.rules, match.position))


@pytest.mark.parametrize(
    "slug", mark_sweeps(SHORT, {"twelve-dogs", "fallas", "laquet"}.__contains__)
)
def test_a_whole_match_is_judged(slug: str) -> None:
    events, end = play_match(slug, SHORT[slug], 3, {GOLD: Level.COMPANION, BLACK: Level.BEGINNER})
    found = analyse_events(slug, events, **SHORT[slug])
    assert end.outcome is not None
    # The course ends at the result.
    assert (found[-1].evaluation.win, found[-1].evaluation.points) == pytest.approx(
        _evaluate_result(slug, SHORT[slug], events)
    )
    assert [each.version for each in found] == sorted({each.version for each in found})
    assert all(one.version <= other.first for one, other in pairwise(found))
    assert sum(each.thrown for each in found) == sum(isinstance(event, Thrown) for event in events)
    for each in found:
        assert isinstance(events[each.first], Thrown) == each.thrown
        assert each.error >= 0
        assert each.error == 0 if each.thrown else each.luck == 0
        if each.side is GOLD and not isinstance(events[each.version - 1], Resigned):
            assert each.error == pytest.approx(0, abs=1e-5)  # a companion does what is judged best
    assert any(each.luck for each in found)


def _evaluate_result(
    slug: str, options: Mapping[str, str], events: list[Event]
) -> tuple[float, float]:
    outcome = replay_events(GAMES[slug], options, events).outcome
    assert outcome is not None
    evaluation = evaluate_outcome(outcome, GOLD)
    return evaluation.win, evaluation.points


@pytest.mark.parametrize(
    ("slug", "options"),
    [
        pytest.param("backgammon", {}, marks=pytest.mark.sweep),
        ("twelve-dogs", {}),
        pytest.param("pareia-de-entrada", {}, marks=pytest.mark.sweep),  # doubles throw again
        ("paume-carie-one", {"players": "2"}),  # the same side throws twice
        pytest.param("laquet", {}, marks=pytest.mark.sweep),  # numbers are offered
        pytest.param(
            "fallas", {"dice": "majoret"}, marks=pytest.mark.sweep
        ),  # a throw can lose the game
    ],
)
def test_over_all_throws_of_a_position_luck_is_nothing(slug: str, options: dict[str, str]) -> None:
    events, _ = play_match(slug, options, 4, {GOLD: Level.COMPANION, BLACK: Level.COMPANION})
    at = [number for number, event in enumerate(events) if isinstance(event, Thrown)]
    so_far = events[: at[3]]
    match = replay_events(GAMES[slug], options, so_far)
    total = 0.0
    for thrown, count in list_throws(match.rules.dice):
        total += count * analyse_events(slug, [*so_far, Thrown(thrown)], **options)[-1].luck
    # Positions judged side by side differ in the last digits that a net's floats hold, and tables
    # of solved games have 16 bits.
    assert total / count_ordered_throws(match.rules.dice) == pytest.approx(0, abs=2 / STEPS)


def test_the_roll_battle_counts_neither() -> None:
    # Backgammon is begun with the throws of the roll battle.
    match = replay_events(GAMES["backgammon"], {}, OPENING_EVENTS)
    (only,) = analyse_events("backgammon", [*OPENING_EVENTS, find_best(match).event])
    assert (only.thrown, only.side, only.version) == (False, GOLD, 2)
    assert only.error == pytest.approx(0, abs=1e-5)


def test_an_error_is_by_how_much_a_hint_prefers_something_else() -> None:
    match = replay_events(GAMES["backgammon"], {}, OPENING_EVENTS)
    first, second, *_ = rank_decisions(match)
    (none,) = analyse_events("backgammon", [*OPENING_EVENTS, first.event])
    (slight,) = analyse_events("backgammon", [*OPENING_EVENTS, second.event])
    assert none.error == pytest.approx(0, abs=1e-5)
    assert slight.best == (first.event,)
    assert slight.done == (second.event,)
    assert slight.error == pytest.approx(
        first.evaluation.points - second.evaluation.points, abs=1e-5
    )
    assert slight.error > 0.01


@pytest.mark.parametrize(
    "slug",
    ["backgammon", "fallas"],
)
@pytest.mark.sweep
def test_what_a_master_does_is_no_error(slug: str) -> None:
    events, _ = play_match(slug, {}, 5, {GOLD: Level.MASTER, BLACK: Level.BEGINNER})
    found = [each for each in analyse_events(slug, events) if each.side is GOLD and not each.thrown]
    assert len(found) > 5
    played_on = [each for each in found if not isinstance(events[each.version - 1], Resigned)]
    assert all(each.error == pytest.approx(0, abs=1e-5) for each in played_on)


def test_a_play_made_in_parts_is_one_decision() -> None:
    whole = build_play(OPENING_EVENTS, "r-y r-x")
    first = Played(whole.moves[:1])
    parts: list[Event] = [*OPENING_EVENTS, first]
    second = Played(_find_moves(parts, whole.moves[1]))
    (one,) = analyse_events("backgammon", [*OPENING_EVENTS, whole])
    (found,) = analyse_events("backgammon", [*parts, second])
    assert found == replace(one, version=one.version + 1)
    assert one.error > 0
    # What is not finished is not judged.
    assert analyse_events("backgammon", parts) == []


def test_giving_up_within_a_turn_is_a_decision_of_its_own() -> None:
    whole = build_play(OPENING_EVENTS, "r-y r-x")
    first = Played(whole.moves[:1])
    played, resigned = analyse_events("backgammon", [*OPENING_EVENTS, first, Resigned(GOLD)])
    assert (played.done, resigned.done) == ((first,), (Resigned(GOLD),))
    # The rest of the turn is taken to be played as well as it could have been.
    (one,) = analyse_events("backgammon", [*OPENING_EVENTS, whole])
    assert played.error <= one.error + 1e-5
    assert resigned.error > 0.5


def test_an_offered_draw_parts_no_turn() -> None:
    whole = build_play(OPENING_EVENTS, "r-y r-x")
    first = Played(whole.moves[:1])
    parts: list[Event] = [*OPENING_EVENTS, first]
    second = Played(_find_moves(parts, whole.moves[1]))
    asked: list[Event] = [DrawOffered(GOLD), DrawDeclined(BLACK)]
    (one,) = analyse_events("backgammon", [*parts, second])
    (found,) = analyse_events("backgammon", [*parts, *asked, second])
    assert found == replace(one, version=one.version + 2)
    # Nor does it change what the next throw is worth.
    thrown = Thrown((3, 1))
    straight = analyse_events("backgammon", [*parts, second, thrown])[-1]
    after = analyse_events("backgammon", [*parts, second, *asked, thrown])[-1]
    assert after.luck == straight.luck


def test_a_die_and_the_play_that_follows_are_one_decision() -> None:
    events, _ = play_match("ludus-anglicorum", {}, 2, {GOLD: Level.BEGINNER, BLACK: Level.BEGINNER})
    turned = [
        each
        for each in analyse_events("ludus-anglicorum", events[:6])
        if each.done and isinstance(each.done[0], Chosen)
    ]
    assert turned
    for each in turned:
        assert isinstance(each.best[0], Chosen)
        assert [type(event) for event in each.done[1:]] in ([Played], [])
        assert len(each.best) == 2
    assert any(len(each.done) == 2 for each in turned)


@pytest.mark.parametrize("slug", mark_sweeps(["laquet", "fallas"], {"fallas"}.__contains__))
def test_what_was_found_before_is_not_worked_out_again(slug: str) -> None:
    events, _ = play_match(slug, {}, 3, {GOLD: Level.COMPANION, BLACK: Level.BEGINNER})
    whole = analyse_events(slug, events)
    found: list[StepAnalysis] = []
    for end in range(0, len(events), 7):
        found = list(analyse_steps(GAMES[slug], {}, events[:end], found))
        assert found == [each for each in whole if each.version <= end][: len(found)]
    # An analysis that is given is taken as it is.
    marked = [replace(each, error=9.0) for each in found]
    assert list(analyse_steps(GAMES[slug], {}, events, marked))[: len(found)] == marked
    assert list(analyse_steps(GAMES[slug], {}, events, found)) == whole


def _find_moves(events: list[Event], move: Move) -> tuple[Move, ...]:
    match = replay_events(GAMES["backgammon"], {}, events)
    return next(play.moves for play in match.plays if play.moves == (move,))


def test_what_was_taken_back_does_not_count() -> None:
    bad, good = build_play(OPENING_EVENTS, "r-y r-x"), build_play(OPENING_EVENTS, "a-g-m")
    straight = analyse_events("backgammon", [*OPENING_EVENTS, good])
    again = analyse_events("backgammon", [*OPENING_EVENTS, bad, TakenBack(), good])
    assert again == [replace(each, first=3, version=4) for each in straight]
    # Nor does what was found of it while it stood.
    known = analyse_events("backgammon", [*OPENING_EVENTS, bad])
    everything = [*OPENING_EVENTS, bad, TakenBack(), good]
    assert list(analyse_steps(GAMES["backgammon"], {}, everything, known)) == again


def test_a_whole_turn_taken_back_does_not_count() -> None:
    whole = build_play(OPENING_EVENTS, "r-y r-x")
    first = Played(whole.moves[:1])
    second = Played(_find_moves([*OPENING_EVENTS, first], whole.moves[1]))
    good = build_play(OPENING_EVENTS, "a-g-m")
    found = analyse_events(
        "backgammon", [*OPENING_EVENTS, first, second, TakenBack(whole=True), good]
    )
    assert [each.version for each in found] == [5]


def test_giving_up_early_is_an_error() -> None:
    (judged_,) = analyse_events("backgammon", [*OPENING_EVENTS, Resigned(BLACK)])
    assert (judged_.side, judged_.thrown, judged_.best) == (BLACK, False, ())
    assert judged_.error > 0.5
    assert (judged_.evaluation.win, judged_.evaluation.points) == (1, 1)


def test_what_is_forced_is_nobody_s_decision() -> None:
    events, _ = play_match("twelve-dogs", {}, 1, {GOLD: Level.COMPANION, BLACK: Level.COMPANION})
    forced = [event for event in events if isinstance(event, Played) and event.forced]
    decisions = [
        events[each.version - 1]
        for each in analyse_events("twelve-dogs", events)
        if not each.thrown
    ]
    assert forced
    assert not any(event in decisions for event in forced)
