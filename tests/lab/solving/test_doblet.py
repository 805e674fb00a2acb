"""What is solved of Doblet, held to the turn machine and to the rules written out by hand."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from random import Random
from typing import TypeAlias

import numpy as np
import pytest

from engine.events import Event, Left, Passed, Played, Thrown
from engine.games import GAMES
from engine.match import Match, Phase, apply_unchecked, new_match
from engine.players.chances import list_throws
from engine.players.files import SHIPPED_TABLES, file_name
from engine.players.prospects import apply_decision
from engine.players.variants import format_options, identify_setting
from engine.position import Position, Side
from engine.rules import Rules
from engine.throws import list_numbers
from lab.solving.apart import SolvedPairs, list_side_states, solve_pairs, turn_round
from lab.solving.figures import load_figures
from tests.lab.solving.by_hand import START, DobletByHand, Men, Reading, Values, list_men
from tests.lab.solving.shipped import HALF_A_STEP, load_shipped

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


def arrange(solved: SolvedPairs, men: Sequence[Men]) -> Values:
    """Return the chances to win in every pair of states, which are all, in this order."""
    numbers = solved.states.numbers
    order = [numbers[place_men(solved.states.rules, each)] for each in men]
    assert sorted(order) == [*range(len(numbers))]
    return solved.wins[np.ix_(order, order)]


def hold_to_shipped(rules: Rules, men: Sequence[Men], wins: Values) -> None:
    """Hold the chances of every pair of states to the table that comes with the program, if any."""
    name = file_name(*identify_setting(rules))
    if name in SHIPPED_TABLES:
        shipped, lost = load_shipped(name, [place_men(rules, each) for each in men])
        assert np.abs(shipped - wins).max() < HALF_A_STEP
        assert np.array_equal(shipped + lost, np.ones_like(wins))


@pytest.mark.parametrize("reading", READINGS, ids=str)
def test_a_few_men_are_solved_alike_by_hand(reading: Reading) -> None:
    rules = resolve_reading(reading)
    first = lie(0, 0, 2, 0, 0, 1) if reading.moving == "none" else lie(0, 1, 0, 1, 0, 0)
    by_hand = DobletByHand(reading, first)
    wins = by_hand.solve()
    solved = solve_pairs(rules, place_men(rules, first))
    np.testing.assert_allclose(arrange(solved, by_hand.men), wins, rtol=0, atol=EQUAL)
    hold_to_shipped(rules, by_hand.men, wins)


@pytest.mark.sweep
@pytest.mark.parametrize("reading", READINGS, ids=str)
def test_every_state_is_worth_what_a_turn_by_hand_makes_of_it_and_is_stored(
    reading: Reading,
) -> None:
    # The games end, so only one value of all states is worth what the turns make of it.
    rules = resolve_reading(reading)
    by_hand = DobletByHand(reading)
    wins = arrange(solve_whole(reading), by_hand.men)
    np.testing.assert_allclose(wins, by_hand.average_turns(wins), rtol=0, atol=EQUAL)
    hold_to_shipped(rules, by_hand.men, wins)
    stored = load_figures()[DOBLET.slug][format_options(vars(reading))]
    start = by_hand.men.index(START)
    assert stored["win"] == pytest.approx(wins[start, start], abs=EQUAL)
    assert stored["states"] == 2 * (len(by_hand.men) - 1) ** 2


@pytest.mark.sweep
@pytest.mark.parametrize("unusable", ["lost", "opponent"])
@pytest.mark.parametrize("dice", ["three", "majoret", "minoret"])
def test_a_man_further_harms_nowhere_but_where_numbers_go_to_the_other_side(
    dice: str, unusable: str
) -> None:
    solved = solve_whole(Reading("none", dice, unusable))
    states, wins = solved.states, solved.wins
    going_on = np.arange(len(wins)) != states.done
    harms = compared = 0
    for steps in states.steps:
        # Without moves a number does one thing at most.
        (after,) = steps.T
        usable = after < len(wins)
        for view in (wins, 1 - wins.T):
            gained = (view[after[usable]] - view[usable])[:, going_on]
            harms += int((gained < -EQUAL).sum())
            compared += gained.size
    assert compared == 2 * 2_458_428
    assert (harms == 0) is (unusable == "lost")


@pytest.mark.sweep
@pytest.mark.parametrize("unusable", ["opponent", "lost", "loses"])
def test_majoret_and_minoret_are_worth_the_same_in_every_state(unusable: str) -> None:
    # Without moves no point differs from another, and 7 less each number turns one into the other.
    men = list_men(START, "none")
    turned = [Men(each.lying[::-1], frozenset(5 - point for point in each.piled)) for each in men]
    highest = arrange(solve_whole(Reading("none", "majoret", unusable)), men)
    lowest = arrange(solve_whole(Reading("none", "minoret", unusable)), turned)
    np.testing.assert_allclose(highest, lowest, rtol=0, atol=1e-12)


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
