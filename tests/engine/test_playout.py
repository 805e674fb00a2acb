"""Random play."""

from dataclasses import replace
from random import Random

import pytest

from engine.events import Battled, Chosen, Left, Passed, Played, Thrown
from engine.games import GAMES
from engine.match import Phase, new_match
from engine.playout import choose_event, play_out
from tests.engine.build import apply_events, build_match


def test_a_match_is_played_to_its_end() -> None:
    match = play_out(new_match(GAMES["twelve-dogs"], {}), Random(1), 1000)
    assert match.phase is Phase.OVER
    assert match.outcome is not None


def test_the_same_seed_plays_the_same_match() -> None:
    first, second = (play_out(new_match(GAMES["pyf"], {}), Random(7), 1000) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("slug", ["backgammon", "emperador", "verquere"])
def test_a_play_that_was_listed_leads_where_its_moves_lead_one_by_one(slug: str) -> None:
    chance = Random(slug)
    match = new_match(GAMES[slug], {})
    for _ in range(200):
        event = choose_event(match, chance)
        unlisted = replace(match)
        assert match.apply(event) == unlisted.apply(event)
        match = match.apply(event)
        if match.phase is Phase.OVER:
            match = new_match(GAMES[slug], {})


def test_play_stops_after_so_many_throws() -> None:
    match = play_out(new_match(GAMES["zeno"], {}), Random(1), 5)
    assert match.phase is not Phase.OVER
    assert match.drawn in (5, 6)  # a roll battle draws two at once


def test_each_phase_gets_an_event_that_fits_it() -> None:
    chance = Random(3)
    match = new_match(GAMES["twelve-dogs"], {})
    kinds = []
    for _ in range(4):
        event = choose_event(match, chance)
        kinds.append(type(event))
        match = match.apply(event)
    assert kinds[-4:] in ([Battled, Chosen, Thrown, Played], [Battled, Battled, Chosen, Thrown])


def test_offered_numbers_are_sometimes_played_sometimes_left() -> None:
    # Gold can play only its 6; black is offered 5 and 4 (worked out in test_match_offers.py).
    match = apply_events(
        build_match("m1,z14 a7,q2,r2,x2,y2 gold -", "zeno", unusable="opponent"), Thrown((6, 5, 4))
    )
    match = match.apply(choose_event(match, Random(0)))
    assert match.phase is Phase.OFFER
    events = [choose_event(match, Random(seed)) for seed in range(60)]
    lengths = {len(event.moves) for event in events if isinstance(event, Played)}
    assert lengths == {1, 2}
    assert any(isinstance(event, Left) for event in events)


def test_a_side_that_cannot_move_passes() -> None:
    stuck = build_match("a14,bar1 b2,c2,d2,e2,f2,z5 gold -", "zeno")
    blocked = apply_events(stuck, Thrown((6, 5, 4)))
    assert choose_event(blocked, Random(0)) == Passed()
