"""Cab e quinal in both forms, and baralie: piles that start side by side."""

import pytest

from engine.events import Battled, Chosen, Thrown
from engine.games import GAMES
from engine.match import Phase, new_match
from engine.position import Side
from tests.engine.build import (
    apply_events,
    build_match,
    expect_refusal,
    format_match,
    list_ends,
    list_plays,
)

GOLD_LOWER = Battled((1, 1, 1), (6, 6, 6))


def test_the_piles_stand_on_e_and_f_and_in_the_second_way_one_man_of_each_apart() -> None:
    assert format_match(new_match(GAMES["cab-e-quinal"], {})) == "e15 f15 gold -"
    assert format_match(new_match(GAMES["cab-e-quinal-fixed"], {})) == "d1,e14 f14,t1 gold -"


def test_the_ones_of_the_pile_behind_are_blocked_at_first() -> None:
    assert list_plays("e15 f15 gold 1-1-1", "cab-e-quinal") == []
    assert list_plays("a15 b14,c1 gold 6-1-1", "baralie") == ["a-g-h-i"]


def test_the_winner_of_the_roll_battle_chooses_a_side() -> None:
    match = new_match(GAMES["cab-e-quinal"], {}).apply(GOLD_LOWER)
    assert (match.phase, match.turn) == (Phase.OPENING, Side.BLACK)
    assert match.choice is not None
    assert [value.name for value in match.choice.values] == ["gold", "black"]
    kept, changed = match.apply(Chosen("side", "black")), match.apply(Chosen("side", "gold"))
    assert (kept.phase, kept.turn, kept.swapped) == (Phase.THROW, Side.BLACK, False)
    assert (changed.phase, changed.turn, changed.swapped) == (Phase.THROW, Side.GOLD, True)
    with expect_refusal("`side` can be `gold` or `black`, but not blue"):
        match.apply(Chosen("side", "blue"))


def test_the_choice_of_a_side_can_be_taken_back() -> None:
    match = apply_events(new_match(GAMES["cab-e-quinal"], {}), GOLD_LOWER, Chosen("side", "gold"))
    assert match.may_take_back()


def test_the_winner_of_the_roll_battle_has_the_pile_of_baralie() -> None:
    match = new_match(GAMES["baralie"], {}).apply(Battled((1, 1), (6, 6)))
    assert (match.phase, match.turn, match.swapped) == (Phase.THROW, Side.GOLD, True)
    match = new_match(GAMES["baralie"], {}).apply(Battled((6, 6), (1, 1)))
    assert (match.phase, match.turn, match.swapped) == (Phase.THROW, Side.GOLD, False)


def test_hit_men_enter_by_number_on_a_to_f() -> None:
    assert list_ends("d1,e13,bar1 f15 gold 3", "cab-e-quinal") == {"c1,d1,e13 f15 gold -"}


def test_the_third_number_is_agreed_on() -> None:
    six = apply_events(build_match("d1,e14 f14,t1 gold -", "cab-e-quinal-fixed"), Thrown((2, 1)))
    three = apply_events(
        build_match("d1,e14 f14,t1 gold -", "cab-e-quinal-fixed", third="3"), Thrown((2, 1))
    )
    assert (six.position.dice, three.position.dice) == ((6, 2, 1), (3, 2, 1))
    assert apply_events(
        build_match("a15 b14,c1 gold -", "baralie"), Thrown((2, 1))
    ).position.dice == (6, 2, 1)


@pytest.mark.parametrize("slug", ["cab-e-quinal", "cab-e-quinal-fixed"])
def test_a_man_hit_may_go_straight_back_to_his_pile(slug: str) -> None:
    # Gold's 2 from h hits on k, and the man stands on f at once;
    # black's 2 hits on k too, and that man stands on e.
    third = {"third": "2"} if slug.endswith("fixed") else {}
    back = {"hit": "start-point", **third}
    assert "e14,k1 f15 gold -" in list_ends("e14,h1 f14,k1 gold 2", slug, **back)
    assert "e15 f14,k1 black -" in list_ends("e14,k1 f14,h1 black 2", slug, **back)
    # While gold has a man standing on f, black's on k cannot be hit; nor can a man standing on f.
    assert "e13,f1,k1 f15 gold -" not in list_ends("e13,f1,h1 k15 gold 2", slug, **back)
    assert not any(
        "k1" in end.split()[0] for end in list_ends("e13,f1,h1 k1,z14 gold 2", slug, **back)
    )
    assert not any(
        "f1" in end.split()[0]
        for end in list_ends("e15 f1,z14 gold 1", slug, **third, hit="start-point")
    )
    assert "e14,k1 f14,bar1 gold -" in list_ends("e14,h1 f14,k1 gold 2", slug, **third)
