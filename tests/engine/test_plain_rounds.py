"""Quick rounds of random plays, held against the plays that the rules list."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from engine import throws
from engine.games import GAMES
from engine.match import Match, Phase, follow, new_match
from engine.moves import legal_plays
from engine.plain_rounds import plain, rounds
from engine.playout import next_event, play_out
from tests.engine.build import running

PLAIN = sorted(slug for slug, game in GAMES.items() if plain(game.rules))


def due(slug: str, seed: int) -> Match:
    """A match some way on, where a throw is due."""
    chance = Random(seed)
    match = play_out(new_match(GAMES[slug], {}), chance, chance.randint(4, 150))
    while match.phase is not Phase.THROW:
        match = new_match(GAMES[slug], {}) if match.phase is Phase.OVER else follow(match, next_event(match, chance))
    return match


def test_games_whose_turns_hold_more_than_a_throw_and_its_plays_are_left_to_the_turn_machine() -> None:
    assert {"backgammon", "zeno", "todas-tablas", "ludus-anglicorum"} <= set(PLAIN)
    left = {"laquet", "fallas", "paume-carie-one", "tabula", "emperador", "verquere", "twelve-dogs", "seis-dos-e-as"}
    assert not left & set(PLAIN)
    # Lewins's house rules: unusable numbers pass to the opponent, or lose the game.
    assert not plain(GAMES["zeno"].rules_with({"unusable": "opponent"}))


@pytest.mark.parametrize("slug", PLAIN)
def test_one_round_is_one_of_the_legal_plays(slug: str) -> None:
    for seed in range(60):
        match = due(slug, seed)
        rules = match.rules
        every = list(product(range(1, 7), repeat=rules.dice.count))
        # The first random number of a round is its throw.
        thrown = every[int(Random(seed).random() * len(every))]
        plays = legal_plays(rules, match.position._replace(dice=throws.numbers(rules.dice, thrown)))
        after = rounds(match, Random(seed), match.drawn + 1)
        if after.drawn == match.drawn:
            assert after == match
            assert not plays
        elif after.phase is Phase.OVER:
            assert after.position in [play.end._replace(dice=()) for play in plays]
        else:
            ends = {(play.end.gold, play.end.black) for play in plays} or {(match.position.gold, match.position.black)}
            assert (after.position.gold, after.position.black) in ends
            assert after.position.turn is match.turn.other
            assert after.version == match.version + 2


@pytest.mark.parametrize("slug", PLAIN)
def test_games_end_with_a_winner(slug: str) -> None:
    rules = GAMES[slug].rules
    match = play_out(new_match(GAMES[slug], {}), Random(11), 100_000)
    assert match.phase is Phase.OVER
    assert match.outcome is not None
    assert match.outcome.winner is match.thrower
    for men in (match.position.gold, match.position.black):
        assert sum(men) == rules.men


def test_a_side_that_is_stuck_does_not_throw() -> None:
    stuck = running("k14,bar1 a2,b2,c2,d2,e2,f2,z3 gold -", "zeno")
    assert rounds(stuck, Random(1), 50) == stuck


def test_rounds_stop_at_so_many_throws() -> None:
    begun = running("a15 z15 gold -", "zeno")
    after = rounds(begun, Random(1), begun.drawn + 7)
    assert (after.drawn, after.turn, after.phase) == (begun.drawn + 7, begun.turn.other, Phase.THROW)


def test_the_winning_throw_is_there_to_be_seen() -> None:
    # Gold's last man stands on the last point of his course: any number bears him off.
    last = replace(running("z1,off14 a1,off14 gold -", "backgammon"), drawn=40)
    after = rounds(last, Random(3), 50)
    assert (after.phase, after.drawn, len(after.moves)) == (Phase.OVER, 41, 1)
    assert after.outcome is not None
    assert after.outcome.winner == "gold"
