"""Taking back: any part of the play until the next throw [S0, S1]."""

from dataclasses import replace
from random import Random

import pytest

from engine.board import TABLES as BOARD
from engine.events import (
    Battled,
    Chosen,
    Left,
    Played,
    Resigned,
    TakenBack,
    Thrown,
    TurnTakenBack,
    from_record,
    is_forced,
    to_record,
)
from engine.games import GAMES
from engine.match import SIX, Match, Phase, new_match
from engine.playout import choose_event
from engine.position import Side
from engine.refusal import Reason, Refusal
from tests.engine.build import (
    LUDUS,
    apply_automatic,
    apply_events,
    build_match,
    explain_in_english,
    play_moves,
)

NOTHING = "there's nothing to take back since the last throw"


def has_same_state(match: Match, other: Match) -> bool:
    """Whether two matches are equal in everything but the count of events."""
    return replace(match, version=other.version) == other


def catch_refusal(match: Match) -> str:
    """The sentence with which taking back is refused."""
    assert match.phase is Phase.OVER or not match.may_take_back()
    with pytest.raises(Refusal) as refusal:
        match.apply(TakenBack())
    assert refusal.value.reason in (Reason.TAKE_BACK, Reason.OVER)
    return explain_in_english(refusal.value)


def test_a_move_is_taken_back() -> None:
    one = play_moves(apply_events(build_match("a15 z15 gold -", "zeno"), Thrown((6, 5, 2))), "a-g")
    two = play_moves(one, "a-f")
    assert has_same_state(apply_events(two, TakenBack()), one)
    assert apply_events(two, TakenBack()).version == two.version + 1
    assert apply_events(two, TakenBack(), TakenBack()).position.dice == (6, 5, 2)


def test_a_whole_turn_is_taken_back_until_the_other_side_throws() -> None:
    thrown = apply_events(build_match("a15 z15 gold -", "zeno"), Thrown((6, 5, 2)))
    done = play_moves(play_moves(play_moves(thrown, "a-g"), "a-f"), "g-i")
    assert done.turn is Side.BLACK
    assert has_same_state(apply_events(done, TakenBack(whole=True)), thrown)
    assert catch_refusal(apply_events(done, Thrown((3, 2, 1)))) == NOTHING


def test_the_same_dice_lie_there_after_taking_back() -> None:
    done = play_moves(
        apply_events(build_match("a15 z15 gold -", "zeno"), Thrown((6, 5, 2))), "a-g a-f a-c"
    )
    back = apply_events(done, TakenBack())
    assert (back.thrown, back.position.dice, back.drawn) == ((6, 5, 2), (6, 5, 2), done.drawn)


def test_the_choice_of_a_six_is_taken_back() -> None:
    choosing = apply_events(build_match("a15 z15 gold -", LUDUS), Thrown((1, 2, 4)))
    chosen = apply_events(choosing, Chosen(SIX, "1"))
    moved = play_moves(chosen, "a-g")
    assert has_same_state(apply_events(chosen, TakenBack()), choosing)
    assert has_same_state(apply_events(moved, TakenBack()), chosen)
    assert has_same_state(apply_events(moved, TakenBack(whole=True)), choosing)


def test_the_choice_of_the_table_is_taken_back() -> None:
    choosing = apply_events(new_match(GAMES["twelve-dogs"], {}), Battled((6, 5), (2, 1)))
    chosen = apply_events(choosing, Chosen("table", "tz"))
    assert has_same_state(apply_events(chosen, TakenBack()), choosing)
    assert catch_refusal(apply_events(chosen, Thrown((2, 1)))) == NOTHING


def test_a_roll_battle_is_not_taken_back() -> None:
    assert catch_refusal(new_match(GAMES["zeno"], {})) == NOTHING
    assert (
        catch_refusal(apply_events(new_match(GAMES["zeno"], {}), Battled((6, 5, 4), (3, 2, 1))))
        == NOTHING
    )


def test_a_forced_play_is_not_taken_back() -> None:
    # m-s by 6 is the only play (see test_match.py): nobody decided anything.
    forced = apply_automatic(
        apply_events(build_match("m1,z14 a7,q2,r2,x2,y2 gold -", "zeno"), Thrown((6, 5, 4)))
    )
    assert forced.turn is Side.BLACK
    assert catch_refusal(forced) == NOTHING


def test_taking_back_a_decision_takes_back_what_was_forced_after_it() -> None:
    # m-s with n-s, m-r with n-t, or n-s-z: a choice.
    # After m-r by 5 only n-t is left, for r+6=y is held.
    start = apply_events(
        build_match("m1,n1,z13 y2,hand13 gold -", "pyf", players="2"), Thrown((6, 5))
    )
    decided = apply_automatic(play_moves(start, "m-r"))
    assert (decided.phase, decided.position.gold[18]) == (Phase.THROW, 1)
    assert has_same_state(apply_events(decided, TakenBack()), start)


def test_a_pass_leaves_the_play_before_it_to_be_taken_back() -> None:
    # Black has no way in and misses its turn;
    # gold has not thrown again, so its play may still be taken back.
    text = "h1,i1,k1,l1,m1,n2,o2,p2,q2,r2 a8,t1,u1,w1,x1,y1,z1,bar1 gold -"
    thrown = apply_events(build_match(text, LUDUS), Thrown((6, 2, 1)))
    passed = apply_automatic(play_moves(thrown, "h-o n-p m-n"))
    assert (passed.turn, passed.phase) == (Side.GOLD, Phase.THROW)
    assert has_same_state(apply_events(passed, TakenBack()), thrown)


def test_after_the_end_nothing_is_taken_back() -> None:
    won = play_moves(
        apply_events(build_match("z1,off14 a15 gold -", LUDUS), Thrown((6, 5, 4))), "z-off"
    )
    assert not won.may_take_back()
    assert catch_refusal(won) == "the match is over"
    assert (
        catch_refusal(apply_events(build_match("a15 z15 gold -", "zeno"), Resigned(Side.GOLD)))
        == "the match is over"
    )


def test_an_offer_left_or_used_is_taken_back_by_itself() -> None:
    # Gold decided m-s, then black is offered 5 and 4 (see test_match_choices.py).
    held = apply_events(
        build_match("m1,z14 a7,q2,r2,x2,y2 gold -", "zeno", unusable="opponent"), Thrown((6, 5, 4))
    )
    offer = play_moves(held, "m-s")
    assert has_same_state(apply_events(offer, Left(), TakenBack()), offer)
    used = play_moves(play_moves(offer, "q-l"), "y-t")
    assert used.phase is Phase.THROW
    assert has_same_state(apply_events(used, TakenBack(whole=True)), offer)
    assert has_same_state(apply_events(used, TakenBack(whole=True), TakenBack(whole=True)), held)


def test_an_extra_throw_ends_taking_back() -> None:
    first = apply_events(
        build_match("hand15 hand15 gold -", "pyf", doubles="again"), Thrown((4, 4, 4))
    )
    done = play_moves(first, "hand-d(3)")
    assert done.turn is Side.GOLD
    assert has_same_state(apply_events(done, TakenBack()), first)
    assert catch_refusal(apply_events(done, Thrown((3, 2, 1)))) == NOTHING


def test_taking_back_leaves_what_it_goes_back_to_as_it_was() -> None:
    thrown = apply_events(build_match("a15 z15 gold -", "zeno"), Thrown((6, 5, 4)))
    before = thrown.version
    match = play_moves(thrown, "a-g a-f a-e")
    assert match.before is thrown
    back = apply_events(match, TakenBack())
    assert (thrown.version, back.version) == (before, before + 2)


def test_a_turn_is_taken_back_with_all_that_followed() -> None:
    thrown = build_match("a15 z15 gold -", "zeno").apply(Thrown((6, 5, 2)))
    done = play_moves(play_moves(thrown, "a-g a-f"), "a-c")
    later = play_moves(done.apply(Thrown((4, 3, 1))), "z-u z-w z-y").apply(Thrown((2, 2, 1)))
    back = later.apply(TurnTakenBack(Side.GOLD))
    assert has_same_state(back, thrown)
    assert back.version == later.version + 1
    # Its numbers are those of the first throw, and the coming throws have the numbers they had.
    assert (back.position.dice, back.drawn) == ((6, 5, 2), thrown.drawn)
    assert catch_refusal(back) == NOTHING
    # Black takes back its own turn, which came after.
    black = later.apply(TurnTakenBack(Side.BLACK))
    assert (black.turn, black.position.dice) == (Side.BLACK, (4, 3, 1))


def test_once_played_on_it_is_the_later_turn_that_is_taken_back() -> None:
    thrown = build_match("a15 z15 gold -", "zeno").apply(Thrown((6, 5, 2)))
    assert not thrown.may_take_back_turn(Side.GOLD)
    with pytest.raises(Refusal) as refusal:
        thrown.apply(TurnTakenBack(Side.GOLD))
    assert explain_in_english(refusal.value) == NOTHING
    later = play_moves(thrown, "a-g a-f a-c").apply(Thrown((4, 3, 1)))
    later = play_moves(later, "z-u z-w z-y").apply(Thrown((2, 2, 1)))
    onward = play_moves(play_moves(later, "g-h"), "a-c")
    assert has_same_state(onward.apply(TurnTakenBack(Side.GOLD)), later)
    over = onward.apply(Resigned(Side.BLACK))
    assert not over.may_take_back_turn(Side.GOLD)


@pytest.mark.parametrize("slug", GAMES)
def test_in_every_game_a_turn_taken_back_is_one_that_was_there(slug: str) -> None:
    chance = Random(slug)
    match = new_match(GAMES[slug], {})
    decided: dict[Side, Match] = {}
    for _ in range(120):
        event = choose_event(match, chance)
        first = match.before is None or match.before.turn is not match.turn
        decides = isinstance(event, Chosen | Played | Left) and not is_forced(event)
        if decides and first and match.phase in (Phase.CHOOSE, Phase.PLAY, Phase.OFFER):
            decided[match.turn] = match
        match = match.apply(event)
        if match.phase is Phase.OVER:
            break
        for side in Side:
            assert match.may_take_back_turn(side) == (side in decided)
            if side in decided:
                back = match.apply(from_record(to_record(TurnTakenBack(side), BOARD), BOARD))
                assert has_same_state(back, replace(decided[side], before=None))
