"""Buffa cortesa, pareia de entrada and buffa de baldrac.

These tests cover entering, doubles, and what the other side may use.
"""

from engine.events import Left, Thrown
from engine.games import GAMES
from engine.match import Phase
from engine.position import Side
from tests.engine.build import (
    apply_automatic,
    apply_events,
    build_match,
    format_match,
    list_ends,
    list_plays,
    play_moves,
)

HALF_BLOCKED = "a1,z14 f2,i2,hand11 gold -"
"""Gold's man on a cannot move by five, nor by five after three."""


def test_doubles_are_played_twice_and_throw_again() -> None:
    match = apply_events(build_match("hand15 hand15 gold -", "buffa-cortesa"), Thrown((4, 4)))
    assert match.position.dice == (4, 4, 4, 4)
    match = play_moves(match, "hand-d(4)")
    assert format_match(match) == "d4,hand11 hand15 gold -"
    assert match.phase is Phase.THROW


def test_men_may_move_on_before_all_have_entered() -> None:
    assert list_ends("a1,hand14 hand15 gold 6-1", "buffa-cortesa") == {
        "a2,f1,hand12 hand15 gold -",
        "a1,g1,hand13 hand15 gold -",
        "b1,f1,hand13 hand15 gold -",
        "h1,hand14 hand15 gold -",
    }


def test_what_one_side_cannot_use_the_other_may_in_the_courtly_game() -> None:
    match = apply_automatic(
        apply_events(build_match(HALF_BLOCKED, "buffa-cortesa"), Thrown((5, 3)))
    )
    assert (match.phase, match.turn, match.position.dice) == (Phase.OFFER, Side.BLACK, (5,))
    match = match.apply(Left())
    assert (match.phase, match.turn) == (Phase.THROW, Side.BLACK)


def test_in_the_other_it_is_lost() -> None:
    match = apply_automatic(
        apply_events(build_match(HALF_BLOCKED, "pareia-de-entrada"), Thrown((5, 3)))
    )
    assert (match.phase, match.turn) == (Phase.THROW, Side.BLACK)


def test_pareia_plays_doubles_twice_and_throws_again_too() -> None:
    match = apply_events(build_match("hand15 hand15 gold -", "pareia-de-entrada"), Thrown((4, 4)))
    assert match.position.dice == (4, 4, 4, 4)
    assert play_moves(match, "hand-d(4)").turn is Side.GOLD


def test_doubles_can_be_made_plain_or_only_throw_again() -> None:
    for doubles, numbers, turn in (("plain", (4, 4), Side.BLACK), ("again", (4, 4), Side.GOLD)):
        match = apply_events(
            build_match("hand15 hand15 gold -", "pareia-de-entrada", doubles=doubles),
            Thrown((4, 4)),
        )
        assert match.position.dice == numbers
        assert play_moves(match, "hand-d(2)").turn is turn


def test_with_three_dice_only_three_alike_are_doubles_unless_agreed() -> None:
    two_alike = Thrown((4, 4, 2))
    plain = apply_events(
        build_match("hand15 hand15 gold -", "buffa-cortesa", dice="three"), two_alike
    )
    paired = apply_events(
        build_match("hand15 hand15 gold -", "buffa-cortesa", dice="three", pairs="any-pair"),
        two_alike,
    )
    assert (plain.position.dice, paired.position.dice) == ((4, 4, 2), (4, 4, 4, 4, 2))


def test_of_baldrac_black_enters_at_the_neighbouring_table_and_goes_the_other_way() -> None:
    assert list_plays("hand15 hand15 black 6-1", "buffa-de-baldrac") == ["hand-g hand-m"]
    assert list_plays("hand15 a1,n14 black 1", "buffa-de-baldrac") == ["a-z"]
    assert list_ends("hand15 n1,off14 black 1", "buffa-de-baldrac") == {"hand15 off15 black -"}
    assert list_plays("hand15 s1,off14 black 5", "buffa-de-baldrac") == ["s-n"]


def test_of_baldrac_no_man_moves_before_all_have_entered() -> None:
    assert list_ends("a1,hand14 hand15 gold 6-1", "buffa-de-baldrac") == {
        "a2,f1,hand12 hand15 gold -"
    }
    assert GAMES["buffa-de-baldrac"].rules.dice.count == 3


def test_of_baldrac_once_the_last_has_entered_the_others_move() -> None:
    assert list_ends("a14,hand1 hand15 gold 6-1", "buffa-de-baldrac") == {
        "a13,b1,f1 hand15 gold -",
        "a14,g1 hand15 gold -",
    }
