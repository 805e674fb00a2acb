"""Running a lesson: where a step begins, what it asks for, and what the opponent does then."""

import pytest

from engine.events import Chosen, Played
from engine.games.lessons import LESSONS, find_lesson
from engine.match import SIX, Match, Phase
from engine.notation import format_play
from engine.refusal import Reason, Refusal
from engine.teaching import (
    begin_step,
    find_wanted_moves,
    finish_step,
    is_step_over,
    is_wanted,
    parse_press,
)
from tests.engine.build import format_match


def press(slug: str, number: int, *texts: str) -> Match:
    """The match after some presses in a step."""
    match = begin_step(slug, number).match
    for text in texts:
        match = match.apply(parse_press(match, text))
    return match


def test_lessons_are_in_order_and_found_by_the_games_that_they_teach() -> None:
    ranks = [lesson.rank for lesson in LESSONS.values()]
    assert ranks == sorted(set(ranks))
    assert find_lesson("zeno") is find_lesson("imperial") is LESSONS["zeno"]
    assert find_lesson("backgammon") is None


def test_a_step_begins_in_its_own_position_with_its_throw() -> None:
    start = begin_step("zeno", 1)
    assert format_match(start.match) == "e1,g1,y6,z7 b7,d7,k1 gold 5-3-1"
    assert start.replied == ()


def test_a_step_goes_on_from_the_one_before_after_the_opponents_reply() -> None:
    # Black could not enter: z holds eight men and y five.
    assert format_match(begin_step("zeno", 2).match) == "k2,y5,z8 b7,d7,bar1 gold 6-4-4"
    start = begin_step("zeno", 3)
    assert format_match(start.match) == "y5,z9,bar1 b7,d7,k1 gold 6-5-5"
    names = start.match.rules.board.place_names
    assert [names[move.target] for move in start.replied] == ["t", "o", "k"]


def test_moves_are_wanted_in_any_order_that_leads_there() -> None:
    for texts in (("g-k",), ("e-k",), ("y-z",), ("y-z", "e-k"), ("y-z", "e-k", "g-k")):
        assert is_wanted("zeno", 1, press("zeno", 1, *texts)), texts
    for texts in (("g-m",), ("e-f",), ("y-z", "g-k", "k-p")):
        assert not is_wanted("zeno", 1, press("zeno", 1, *texts)), texts


def test_a_step_is_over_when_the_throw_is_played() -> None:
    assert not is_step_over("zeno", press("zeno", 1, "g-k", "e-k"))
    assert is_step_over("zeno", press("zeno", 1, "g-k", "e-k", "y-z"))
    won = press("zeno", 4, "q-w")
    assert won.phase is Phase.OVER
    assert is_step_over("zeno", won)


def test_where_any_play_will_do_all_are_wanted() -> None:
    match = begin_step("zeno", 0).match
    assert len(match.plays) > 1
    assert all(is_wanted("zeno", 0, match.apply(Played(play.moves))) for play in match.plays)


def test_a_die_is_turned_as_the_step_says() -> None:
    assert begin_step("ludus-anglicorum", 0).match.phase is Phase.CHOOSE
    turned = press("ludus-anglicorum", 0, "1")
    assert turned.position.dice == (6, 5, 4)
    assert is_wanted("ludus-anglicorum", 0, turned)
    assert not is_wanted("ludus-anglicorum", 0, press("ludus-anglicorum", 0, "5"))


def test_a_hit_is_wanted_with_whichever_man() -> None:
    for text in ("d-i", "f-i", "g-k"):
        assert is_wanted("ludus-anglicorum", 1, press("ludus-anglicorum", 1, text)), text
    # With the 6 and the 3 played, the man on d can hit no more once it has moved with the 5.
    assert not is_wanted("ludus-anglicorum", 1, press("ludus-anglicorum", 1, "f-l", "d-k"))


def test_a_shut_out_side_can_enter_nowhere() -> None:
    closed = press("ludus-anglicorum", 2, "q-x", "n-o", "n-o")
    assert is_wanted("ludus-anglicorum", 2, closed)
    assert closed.is_stuck
    assert not is_wanted("ludus-anglicorum", 2, press("ludus-anglicorum", 2, "t-u"))


def test_a_win_is_wanted_and_nothing_less() -> None:
    assert is_wanted("tabula", 4, press("tabula", 4, "t-off"))
    assert not is_wanted("tabula", 4, press("tabula", 4, "6:z-off"))
    won = press("tabula", 4, "t-off", "w-off", "z-off")
    assert is_wanted("tabula", 4, won)
    assert won.outcome is not None
    assert won.outcome.winner is LESSONS["tabula"].side


def test_the_way_is_shown_from_wherever_one_is() -> None:
    match = press("zeno", 3, "bar-e")
    moves = find_wanted_moves("zeno", 3, match)
    assert format_play(moves, match.rules, match.position) == "e-k*-q"
    assert find_wanted_moves("ludus-anglicorum", 0, begin_step("ludus-anglicorum", 0).match) == ()


def test_a_step_is_finished_with_its_die_turned_and_its_replies() -> None:
    won = finish_step("ludus-anglicorum", 3)
    assert won.phase is Phase.OVER
    assert format_match(won).startswith("off15 ")
    replied = finish_step("zeno", 3)
    assert format_match(replied) == "q1,y5,z9 b7,d7,r1 gold -"


def test_what_is_not_legal_is_refused() -> None:
    with pytest.raises(Refusal) as refusal:
        parse_press(begin_step("zeno", 3).match, "y-z")
    assert refusal.value.reason is Reason.BAR_FIRST
    match = begin_step("ludus-anglicorum", 0).match
    assert parse_press(match, "2") == Chosen(SIX, "2")
    with pytest.raises(Refusal) as refusal:
        match.apply(parse_press(match, "2"))
    assert refusal.value.reason is Reason.NO_DIE


@pytest.mark.parametrize("slug", LESSONS)
def test_every_lesson_can_be_finished(slug: str) -> None:
    last = len(LESSONS[slug].steps) - 1
    assert finish_step(slug, last).phase is Phase.OVER
