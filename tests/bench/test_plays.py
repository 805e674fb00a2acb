"""The search for legal plays, beside a brute force over the same throws, and whole random games."""

from collections.abc import Iterator
from itertools import combinations_with_replacement, count, islice
from random import Random
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from engine.games import GAMES
from engine.match import Match, Phase, apply_unchecked, new_match
from engine.playout import choose_event, play_out
from engine.plays import list_legal_plays
from engine.position import Position
from engine.position_text import parse_position
from tests.conformance.rulebook import list_ends

pytestmark = pytest.mark.bench

RANDOM = "ten random games to the end, every play of a throw listed and one of them drawn"
NO_DOUBLES = (
    "throws of random games that are no doubles: every play listed, and one of them drawn and made"
)
THROWS = 400
"""How many of these."""
FIRST_DOUBLE = 15
"""OpenSpiel numbers the throws from nought, those that are no doubles first."""

ZENO = "a5,b2,d1,f2,h2,k1,m2 z5,y2,w1,t2,r2,p1,n2 gold -"
ENGLISH = "a4,b1,d1,f1,n2,o2,q2,s2 z4,y1,w1,t1,l2,k2,h2,g2 gold -"
MIDDLES = {
    "three dice": ("zeno", {}, ZENO, 3),
    "two dice and a six": ("ludus-anglicorum", {"dice": "two-and-six"}, ENGLISH, 2),
}


def list_throws(count: int, *fixed: int) -> list[tuple[int, ...]]:
    """Every throw of so many dice, highest first."""
    thrown = combinations_with_replacement(range(6, 0, -1), count)
    return [tuple(sorted((*each, *fixed), reverse=True)) for each in thrown]


def build_middlegame(name: str) -> tuple[str, dict[str, str], str, list[tuple[int, ...]]]:
    """A game in the middle, by its name: slug, options, position and throws."""
    slug, options, text, dice = MIDDLES[name]
    return slug, options, text, list_throws(dice, *([6] if dice == 2 else []))


@pytest.mark.parametrize("name", MIDDLES)
def test_legal_plays_of_every_throw(benchmark: BenchmarkFixture, name: str) -> None:
    benchmark.group = f"legal plays mid-game, {name}"
    slug, options, text, every = build_middlegame(name)
    rules = GAMES[slug].resolve_rules(options)
    position = parse_position(text, rules)
    found = benchmark(
        lambda: sum(
            len(list(list_legal_plays(rules, position._replace(dice=dice)))) for dice in every
        )
    )
    benchmark.extra_info["throws"], benchmark.extra_info["plays"] = len(every), found
    assert found > len(every)


@pytest.mark.parametrize("slug", ["emperador", "ludus-anglicorum"])
def test_emperador_remembers_and_ties_at_no_great_cost(
    benchmark: BenchmarkFixture, slug: str
) -> None:
    benchmark.group = "legal plays mid-game, three dice, Emperador beside Ludus Anglicorum"
    rules = GAMES[slug].resolve_rules({"dice": "three-plain"} if slug == "ludus-anglicorum" else {})
    position = parse_position(ENGLISH, rules)
    every = list_throws(3)
    found = benchmark(
        lambda: sum(
            len(list(list_legal_plays(rules, position._replace(dice=dice)))) for dice in every
        )
    )
    assert found > len(every)


@pytest.mark.parametrize("name", MIDDLES)
def test_reference_brute_force_over_every_throw(benchmark: BenchmarkFixture, name: str) -> None:
    benchmark.group = f"legal plays mid-game, {name}"
    slug, options, text, every = build_middlegame(name)
    texts = [f"{text.removesuffix('-')}{'-'.join(map(str, dice))}" for dice in every]
    found = benchmark.pedantic(
        lambda: sum(len(list_ends(each, slug, options)) for each in texts), rounds=3
    )  # type: ignore[no-untyped-call]
    assert found > len(every)


@pytest.mark.parametrize("slug", GAMES)
def test_random_games_to_their_end(benchmark: BenchmarkFixture, slug: str) -> None:
    benchmark.group = RANDOM
    chance = Random(7)

    def play() -> list[Match]:
        return [play_out(new_match(GAMES[slug], {}), chance, 100_000) for _ in range(10)]

    ended = benchmark.pedantic(play, rounds=3, warmup_rounds=1)  # type: ignore[no-untyped-call]
    benchmark.extra_info["throws"] = sum(match.drawn for match in ended)
    assert all(match.phase is Phase.OVER for match in ended)


def generate_positions(chance: Random) -> Iterator[Position]:
    """The positions of a random game of backgammon in which somebody has thrown."""
    match = new_match(GAMES["backgammon"], {})
    while match.phase is not Phase.OVER:
        if match.phase is Phase.PLAY:
            yield match.position
        match = apply_unchecked(match, choose_event(match, chance))


def test_the_search_alone_in_random_games_of_backgammon(benchmark: BenchmarkFixture) -> None:
    benchmark.group = RANDOM
    chance = Random(7)
    rules = GAMES["backgammon"].resolve_rules({})
    thrown = [position for _ in range(10) for position in generate_positions(chance)]
    benchmark.extra_info["throws"] = len(thrown)

    def draw() -> int:
        plays = (list_legal_plays(rules, position) for position in thrown)
        return sum(len(chance.choice(listed).moves) for listed in plays if listed)

    assert benchmark(draw) > len(thrown) / 2


def test_reference_openspiel_s_backgammon(benchmark: BenchmarkFixture) -> None:
    benchmark.group = RANDOM
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    game, chance = pyspiel.load_game("backgammon"), Random(7)

    def play() -> None:
        for _ in range(10):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(
                        chance.choice([outcome for outcome, _ in state.chance_outcomes()])
                    )
                else:
                    state.apply_action(chance.choice(state.legal_actions()))

    benchmark.pedantic(play, rounds=5, warmup_rounds=1)  # type: ignore[no-untyped-call]


def test_plays_of_throws_that_are_no_doubles(benchmark: BenchmarkFixture) -> None:
    benchmark.group = NO_DOUBLES
    chance = Random(7)
    rules = GAMES["backgammon"].resolve_rules({})
    thrown = (position for _ in count() for position in generate_positions(chance))
    played = (
        position
        for position in thrown
        if len(position.dice) == 2 and len(list_legal_plays(rules, position)) > 1
    )
    some = list(islice(played, THROWS))

    def draw() -> list[Position]:
        return [chance.choice(list_legal_plays(rules, position)).end for position in some]

    made = benchmark.pedantic(draw, rounds=40, warmup_rounds=2)  # type: ignore[no-untyped-call]
    assert all(end != position for end, position in zip(made, some, strict=True))


def test_reference_openspiel_s_plays_of_such_throws(benchmark: BenchmarkFixture) -> None:
    benchmark.group = NO_DOUBLES
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    game, chance = pyspiel.load_game("backgammon"), Random(7)

    def thrown() -> Iterator[Any]:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(
                    chance.choice([outcome for outcome, _ in state.chance_outcomes()])
                )
            else:
                actions = state.legal_actions()
                # Where nothing can be played there is one action too.
                if len(actions) > 1 and state.history()[-1] < FIRST_DOUBLE:
                    yield state
                state.apply_action(chance.choice(actions))

    some = list(islice((state.clone() for _ in count() for state in thrown()), THROWS))

    def draw(states: list[Any]) -> None:
        for state in states:
            state.apply_action(chance.choice(state.legal_actions()))

    benchmark.pedantic(
        draw, setup=lambda: (([state.clone() for state in some],), {}), rounds=40, warmup_rounds=2
    )  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("written", [False, True], ids=["listed", "written out"])
@pytest.mark.parametrize("throw", ["the worst", "all 56"])
def test_a_spread_position_is_no_trap(
    benchmark: BenchmarkFixture, throw: str, written: bool
) -> None:
    benchmark.group = f"three dice, {'written out' if written else 'listed'}"
    rules = GAMES["zeno"].rules
    spread = "a1,b1,c1,d1,e1,f1,g1,h1,i1,k1,l1,m1,n1,o1,p1 z15 gold -"
    position = parse_position(spread if throw == "the worst" else ZENO, rules)
    every = [(6, 5, 4)] if throw == "the worst" else list_throws(3)

    def plays() -> int:
        listed = [list_legal_plays(rules, position._replace(dice=dice)) for dice in every]
        return sum(len(list(each)) if written else len(each) for each in listed)

    assert benchmark(plays) > 100
