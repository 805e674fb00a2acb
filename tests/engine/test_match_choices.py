"""Choices before a play, doubles, and what becomes of numbers that cannot be played."""

from dataclasses import replace

import pytest

from engine.events import Battled, Chosen, Left, Passed, Played, Thrown
from engine.games import GAMES
from engine.match import SIX, Match, Phase, find_forced_event, new_match
from engine.notation import format_play
from engine.outcome import GameOutcome
from engine.plays import NO_PLAYS, list_legal_plays
from engine.position import Side
from engine.refusal import Reason, Refusal
from engine.rules import BearingRule
from tests.engine.build import (
    LUDUS,
    apply_automatic,
    apply_events,
    build_match,
    describe_outcome,
    expect_refusal,
    format_match,
    play_moves,
)

GOLD, BLACK = Side.GOLD, Side.BLACK
GOLD_BEGINS = Battled((6, 5), (2, 1))
# Gold can play its 6 (m-s), and then nothing: s+5=y and s+4=x are held, and so are m+5=r and m+4=q.
HELD = "m1,z14 a7,q2,r2,x2,y2 gold -"


@pytest.mark.parametrize(
    ("value", "thrown", "presumed"), [("1", (6, 2, 4), 0), ("2", (1, 6, 4), 1), ("4", (1, 2, 6), 2)]
)
def test_the_thrower_turns_a_die_of_their_choice_to_a_six(
    value: str, thrown: tuple[int, ...], presumed: int
) -> None:
    match = apply_events(build_match("a15 z15 gold -", LUDUS), Thrown((1, 2, 4)))
    assert (match.phase, match.plays, find_forced_event(match)) == (Phase.CHOOSE, NO_PLAYS, None)
    match = apply_events(match, Chosen(SIX, value))
    assert (match.phase, match.thrown, match.presumed) == (Phase.PLAY, thrown, presumed)
    assert match.position.dice == tuple(sorted(thrown, reverse=True))


@pytest.mark.parametrize("thrown", [(2, 3, 6), (1, 6, 6)])
def test_a_throw_with_a_six_stands(thrown: tuple[int, ...]) -> None:
    match = apply_events(build_match("a15 z15 gold -", LUDUS), Thrown(thrown))
    assert (match.phase, match.thrown, match.presumed) == (Phase.PLAY, thrown, None)


def test_three_alike_leave_no_choice() -> None:
    match = apply_events(build_match("a15 z15 gold -", LUDUS), Thrown((3, 3, 3)))
    assert find_forced_event(match) == Chosen(SIX, "3", forced=True)
    match = apply_events(match, Chosen(SIX, "3", forced=True))
    assert match.thrown == (6, 3, 3)
    assert not match.may_take_back()


def test_two_dice_and_a_six() -> None:
    match = apply_events(build_match("a15 z15 gold -", LUDUS, dice="two-and-six"), Thrown((2, 4)))
    assert (match.phase, match.thrown, match.position.dice) == (Phase.PLAY, (2, 4), (6, 4, 2))


def test_three_plain_dice_presume_nothing() -> None:
    match = apply_events(
        build_match("a15 z15 gold -", LUDUS, dice="three-plain"), Thrown((1, 2, 4))
    )
    assert (match.phase, match.position.dice) == (Phase.PLAY, (4, 2, 1))


@pytest.mark.parametrize(
    ("what", "value", "reason", "sentence"),
    [
        (SIX, "3", Reason.NO_DIE, "no die shows 3; choose 1, 2 or 4"),
        (SIX, "six", Reason.NO_DIE, "no die shows six; choose 1, 2 or 4"),
        ("dice", "three", Reason.WAITS, "first choose the die to turn to a six"),
    ],
)
def test_a_choice_the_throw_does_not_give_is_refused(
    what: str, value: str, reason: Reason, sentence: str
) -> None:
    match = apply_events(build_match("a15 z15 gold -", LUDUS), Thrown((4, 2, 1)))
    with expect_refusal(sentence, reason):
        match.apply(Chosen(what, value))


def start_twelve_dogs(**options: str) -> Match:
    """Twelve Dogs after a roll battle that gold won."""
    return apply_events(new_match(GAMES["twelve-dogs"], options), GOLD_BEGINS)


def test_the_side_that_begins_chooses_the_table() -> None:
    match = start_twelve_dogs()
    assert (match.phase, match.turn, find_forced_event(match)) == (Phase.OPENING, GOLD, None)
    match = apply_events(match, Chosen("table", "tz"))
    assert (match.phase, match.options["table"]) == (Phase.THROW, "tz")
    match = apply_automatic(apply_events(match, Thrown((1, 6))))
    assert format_match(match) == "t1,z1,hand10 hand12 black -"


def test_a_table_that_was_agreed_is_not_chosen_again() -> None:
    match = start_twelve_dogs(table="gm")
    assert match.phase is Phase.THROW
    with expect_refusal("roll first"):
        match.apply(Chosen("table", "af"))


@pytest.mark.parametrize(
    ("what", "value", "sentence"),
    [
        ("table", "xy", "`table` can be `af`, `gm`, `ns` or `tz`, but not xy"),
        ("unusable", "lost", "the choice to make now is `table`, not `unusable`"),
        ("six", "1", "the starting side has to choose first"),
        ("colour", "red", "the choice to make now is `table`, not `colour`"),
    ],
)
def test_what_is_no_opening_choice_is_refused(what: str, value: str, sentence: str) -> None:
    with expect_refusal(sentence):
        start_twelve_dogs().apply(Chosen(what, value))


def play_first_pyf_throw(*dice: int, **options: str) -> Match:
    """Gold's first throw of Pyf, played to its end: fours enter on d and go on to h."""
    match = apply_events(build_match("hand15 hand15 gold -", "pyf", **options), Thrown(dice))
    while match.phase is Phase.PLAY:
        match = match.apply(Played(match.plays[0].moves))
    return match


@pytest.mark.parametrize(
    ("options", "dice", "moves", "next_side"),
    [
        ({}, (4, 4, 4), 3, BLACK),
        ({"doubles": "twice"}, (4, 4, 4), 6, BLACK),
        ({"doubles": "again"}, (4, 4, 4), 3, GOLD),
        ({"doubles": "twice-again"}, (4, 4, 4), 6, GOLD),
        ({"doubles": "twice-again"}, (4, 4, 2), 3, BLACK),
        ({"doubles": "twice", "pairs": "any-pair"}, (4, 4, 2), 5, BLACK),
        ({"doubles": "again", "pairs": "any-pair"}, (4, 4, 2), 3, GOLD),
        ({"doubles": "twice-again", "pairs": "any-pair"}, (4, 4, 2), 5, GOLD),
        ({"doubles": "twice-again", "pairs": "any-pair"}, (4, 3, 2), 3, BLACK),
    ],
)
def test_what_doubles_give(
    options: dict[str, str], dice: tuple[int, ...], moves: int, next_side: Side
) -> None:
    match = play_first_pyf_throw(*dice, **options)
    assert (len(match.moves), match.turn, match.phase) == (moves, next_side, Phase.THROW)


def test_doubles_throw_again_for_the_same_player_of_a_team() -> None:
    match = play_first_pyf_throw(4, 4, players="2", doubles="again")
    assert match.acting_player == (GOLD, 0)


def test_a_side_that_misses_its_throw_does_not_throw_again() -> None:
    # Gold's man on the bar finds a to f closed; the last throw, black's, happened to be doubles.
    match = build_match("s14,bar1 a2,b2,c2,d2,e2,f2,z3 gold -", "pyf", doubles="again")
    match = apply_automatic(replace(match, thrown=(4, 4, 4)))
    assert (match.turn, match.phase) == (BLACK, Phase.THROW)


def offer_numbers() -> Match:
    """Gold has played its 6; black is offered 5 and 4."""
    match = apply_events(build_match(HELD, "zeno", unusable="opponent"), Thrown((6, 5, 4)))
    return play_moves(match, "m-s")


def test_what_cannot_be_played_is_offered_to_the_other_side() -> None:
    match = offer_numbers()
    assert (match.phase, match.turn, match.thrower) == (Phase.OFFER, BLACK, GOLD)
    assert (format_match(match), find_forced_event(match)) == (
        "s1,z14 a7,q2,r2,x2,y2 black 5-4",
        None,
    )
    assert match.acting_player == (BLACK, 0)


def test_the_other_side_may_play_all_of_it_before_its_own_throw() -> None:
    # q-l by 5 and y-t by 4.
    match = play_moves(offer_numbers(), "q-l y-t")
    assert (match.phase, format_match(match)) == (
        Phase.THROW,
        "s1,z14 a7,l1,q1,r2,t1,x2,y1 black -",
    )


def test_the_other_side_may_play_a_part_and_leave_the_rest() -> None:
    match = play_moves(offer_numbers(), "q-l")
    assert (match.phase, match.position.dice) == (Phase.OFFER, (4,))
    match = apply_events(match, Left())
    assert (match.phase, format_match(match)) == (Phase.THROW, "s1,z14 a7,l1,q1,r2,x2,y2 black -")


def test_the_other_side_may_leave_it() -> None:
    match = apply_events(offer_numbers(), Left())
    assert (match.phase, format_match(match)) == (Phase.THROW, "s1,z14 a7,q2,r2,x2,y2 black -")


def test_must_use_does_not_bind_the_other_side() -> None:
    # Gold can enter neither on f nor on e. From n black's 6 leads to g and its 5 to h,
    # both on to b alone, which is held; f-a is held too.
    # One's own throw would bind to the 6; of what is offered either may be used.
    text = "a2,b2,z10,bar1 e2,f2,n1,off10 gold -"
    match = apply_automatic(
        apply_events(build_match(text, "irish", unusable="opponent"), Thrown((6, 5)))
    )
    known, position = match.rules, match.position
    assert match.phase is Phase.OFFER
    assert [format_play(play.moves, known, position) for play in match.plays] == ["n-g", "n-h"]
    assert [
        format_play(play.moves, known, position) for play in list_legal_plays(known, position)
    ] == ["n-g"]
    played = play_moves(match, "n-h")
    assert (played.phase, format_match(played)) == (
        Phase.THROW,
        "a2,b2,z10,bar1 e2,f2,h1,off10 black -",
    )
    with pytest.raises(Refusal) as refusal:
        play_moves(match, "f-a")
    assert refusal.value.legal == ("n-g", "n-h")


def test_a_part_of_what_is_offered_is_a_play_of_its_own() -> None:
    match = offer_numbers()
    texts = {format_play(play.moves, match.rules, match.position) for play in match.plays}
    assert {"q-l", "y-t", "q-l y-t"} <= texts


def test_the_offer_can_win_the_game() -> None:
    # Gold cannot enter; black's last man outside comes home by gold's 5, l-f.
    match = build_match("z14,bar1 a4,b2,c2,d2,e2,f2,l1 gold -", "zeno", unusable="opponent")
    match = play_moves(apply_automatic(apply_events(match, Thrown((5, 1, 1)))), "l-f")
    assert describe_outcome(match.outcome, "zeno") == (BLACK, "all men in the last table", 1)


def test_nothing_is_offered_that_the_other_side_cannot_use() -> None:
    # Gold cannot enter on f; black's 6 from z is held on s, and from f it leads past the end.
    match = apply_events(
        build_match("s2,y12,bar1 a4,b2,c2,d2,e2,f2,z1 gold -", "zeno", unusable="opponent"),
        Thrown((6, 6, 6)),
    )
    match = apply_events(match, Passed())
    assert (match.phase, match.turn, match.position.dice) == (Phase.THROW, BLACK, ())


def test_what_the_whole_throw_leaves_is_offered_when_nothing_could_be_played() -> None:
    # Gold enters on a alone; black may use 6, 5 and 4.
    match = apply_events(
        build_match("a14,bar1 b2,c2,d2,e2,f2,z5 gold -", "zeno", unusable="opponent"),
        Thrown((6, 5, 4)),
    )
    match = apply_automatic(match)
    assert (match.phase, match.turn, match.position.dice) == (Phase.OFFER, BLACK, (6, 5, 4))


def test_leftovers_go_to_the_opponent_before_the_extra_throw() -> None:
    # Pyf: the men on y and z rest, s+3=w is held; black may enter threes on c.
    # Then gold throws again.
    text = "s1,y14 w2,hand13 gold -"
    match = apply_automatic(
        apply_events(
            build_match(text, "pyf", unusable="opponent", doubles="again"), Thrown((3, 3, 3))
        )
    )
    assert (match.phase, match.turn, match.position.dice) == (Phase.OFFER, BLACK, (3, 3, 3))
    match = apply_events(match, Left())
    assert (match.phase, match.turn) == (Phase.THROW, GOLD)


def test_offers_keep_the_order_of_a_team() -> None:
    text = "s1,y14 w2,hand13 gold -"
    match = apply_automatic(
        apply_events(build_match(text, "pyf", unusable="opponent", players="2"), Thrown((3, 3)))
    )
    assert (match.phase, match.acting_player) == (Phase.OFFER, (BLACK, 0))
    assert apply_events(match, Left()).acting_player == (GOLD, 1)


def test_ad_fallum_a_side_that_cannot_play_every_number_has_lost() -> None:
    match = apply_events(build_match(HELD, "zeno", unusable="loses"), Thrown((6, 5, 4)))
    assert match.phase is Phase.OVER
    assert match.outcome == GameOutcome(BLACK, "ad-fallum", {"side": "gold"})
    assert describe_outcome(match.outcome, "zeno") == (
        BLACK,
        "ad fallum: gold couldn't play the throw",
        1,
    )


def test_ad_fallum_a_side_that_can_play_every_number_plays_on() -> None:
    match = apply_events(build_match("a15 z15 gold -", "zeno", unusable="loses"), Thrown((6, 5, 4)))
    assert (match.phase, match.outcome) == (Phase.PLAY, None)


def test_ad_fallum_a_win_needs_no_more_numbers() -> None:
    match = apply_events(
        build_match("z1,off14 a15 gold -", LUDUS, unusable="loses"), Thrown((6, 5, 4))
    )
    assert match.phase is Phase.PLAY


def test_a_dead_position_is_a_draw() -> None:
    # No throw moves men that rest in the last table and are never borne off.
    pyf = GAMES["pyf"]
    match = build_match("z15 y15 gold -", "pyf")
    match = replace(match, rules=replace(pyf.rules, bearing=BearingRule.NONE))
    match = apply_automatic(match)
    assert (match.phase, match.outcome) == (Phase.OVER, GameOutcome(None, "stuck"))
