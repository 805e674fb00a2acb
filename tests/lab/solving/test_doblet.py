"""What is solved of Doblet, held to the turn machine and to the rules written out by hand."""

from dataclasses import replace
from functools import cache
from itertools import product
from random import Random
from typing import TypeAlias

import pytest

from engine.events import Event, Left, Passed, Played, Thrown
from engine.games import GAMES
from engine.match import Match, Phase, apply_unchecked, new_match
from engine.players.chances import list_throws
from engine.players.prospects import apply_decision
from engine.position import Position, Side
from engine.rules import Rules
from engine.throws import list_numbers
from lab.solving.apart import SolvedPairs, list_side_states, solve_pairs, turn_round
from tests.lab.solving.by_hand import (
    START,
    DobletByHand,
    Men,
    Reading,
    average_turn,
    list_men,
)

READINGS = [
    Reading(*each)
    for each in product(
        ("none", "own-table"), ("three", "majoret", "minoret"), ("opponent", "lost", "loses")
    )
]
EQUAL = 1e-9
Ending: TypeAlias = tuple[bytes, bytes, Side | None]
"""Gold's men, black's men, and who has won."""

DOBLET = GAMES["doblet"]


def resolve_reading(reading: Reading) -> Rules:
    """Return the engine's rules for a reading."""
    return DOBLET.resolve_rules(vars(reading))


def place_men(rules: Rules, men: Men) -> bytes:
    """Return one side's men as gold's in the engine's order."""
    placed = bytearray(rules.board.no_men)
    for name, count in zip("abcdef", men.lying, strict=True):
        placed[rules.board.find_place(name)] = count
    placed[rules.board.hand] = len(men.piled)
    placed[rules.board.off] = rules.men - sum(placed)
    return bytes(placed)


@cache
def solve_whole(reading: Reading) -> SolvedPairs:
    """Solve the whole game, once for all tests."""
    return solve_pairs(resolve_reading(reading))


def lie(*counts: int) -> Men:
    """Men of which no pile is left."""
    return Men(counts, frozenset())


@pytest.mark.parametrize("reading", READINGS, ids=str)
def test_a_few_men_are_solved_alike_by_hand(reading: Reading) -> None:
    rules = resolve_reading(reading)
    first = lie(0, 0, 2, 0, 0, 1) if reading.moving == "none" else lie(0, 1, 0, 1, 0, 0)
    solved = solve_pairs(rules, place_men(rules, first))
    by_hand = DobletByHand(reading)
    every = list_men(first, reading.moving)
    assert {place_men(rules, men) for men in every} == {*solved.states.men}
    at = {men: solved.states.men.index(place_men(rules, men)) for men in every}
    for mine, theirs in product(every, repeat=2):
        assert solved.wins[at[mine], at[theirs]] == pytest.approx(
            by_hand.win(mine, theirs), abs=EQUAL
        )


@pytest.mark.sweep
@pytest.mark.parametrize("reading", READINGS, ids=str)
def test_any_state_is_worth_what_a_turn_by_hand_makes_of_it(reading: Reading) -> None:
    # The games end, so only one value of all states is worth what the turns make of it.
    rules = resolve_reading(reading)
    solved = solve_whole(reading)
    at = {
        men: solved.states.men.index(place_men(rules, men))
        for men in list_men(START, reading.moving)
    }
    assert len(at) == len(solved.states.men)

    def value(mine: Men, theirs: Men) -> float:
        return float(solved.wins[at[mine], at[theirs]])

    chance = Random(1283)
    going_on = [men for men in at if men.piled or any(men.lying)]
    for _ in range(400):
        mine, theirs = chance.choice(going_on), chance.choice(going_on)
        assert average_turn(reading, mine, theirs, value) == pytest.approx(
            value(mine, theirs), abs=EQUAL
        )


def follow_throw(match: Match, thrown: tuple[int, ...]) -> set[Ending]:
    """Return every way in which both sides may play a throw out, by the turn machine."""
    found, ends = [apply_unchecked(match, Thrown(thrown))], set()
    while found:
        at = found.pop()
        if at.outcome or at.phase is Phase.THROW:
            winner = at.outcome.winner if at.outcome else None
            ends.add((at.position.gold, at.position.black, winner))
            continue
        done: list[Event] = [Played(play.moves) for play in at.plays] or [Passed()]
        if at.phase is Phase.OFFER:
            done.append(Left())
        found += [apply_decision(at, event) for event in done]
    return ends


@pytest.mark.parametrize(
    "reading",
    # Where men move there are many more plays to list.
    [
        pytest.param(each, marks=[] if each.moving == "none" else [pytest.mark.sweep])
        for each in READINGS
    ],
    ids=str,
)
def test_the_sides_meet_only_in_the_numbers_that_are_left(reading: Reading) -> None:
    rules = resolve_reading(reading)
    states = list_side_states(rules)
    going_on = [at for at in range(len(states.men)) if at != states.done]
    chance = Random(1283)

    def build_ending(thrower: Side, end: int, after: int, winner: Side | None) -> Ending:
        own, other = states.men[end], states.men[after]
        gold, black = (own, other) if thrower is Side.GOLD else (other, own)
        return gold, turn_round(rules, black), winner

    for _ in range(60):
        mine, theirs = chance.choice(going_on), chance.choice(going_on)
        thrower = chance.choice(list(Side))
        thrown = chance.choice(list_throws(rules.dice))[0]

        turns = set(states.list_turns(mine, theirs, list_numbers(rules.dice, thrown)))
        expected = {
            build_ending(
                thrower,
                end,
                after,
                thrower if end == states.done else thrower.other if after == states.done else None,
            )
            for end, after in turns
            # Ad fallum: a throw that cannot be played whole has lost.
        } or {build_ending(thrower, mine, theirs, thrower.other)}
        gold, black, _ = build_ending(thrower, mine, theirs, None)
        position = Position(gold, black, thrower)
        match = replace(new_match(DOBLET, vars(reading)), position=position, phase=Phase.THROW)
        assert follow_throw(match, thrown) == expected
