"""The exact answers of ready-made puzzles, held to the rules written out by hand."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np
import pytest

from engine.players.exact import get_table
from engine.players.files import STEPS
from engine.players.puzzles import Puzzle, load_puzzles
from engine.position import Position, Side
from engine.rules import Rules
from tests.lab.solving.by_hand import (
    START,
    DobletByHand,
    Men,
    Reading,
    list_answers,
    list_men,
    list_plays,
)

Value: TypeAlias = Callable[[Men, Men], float]
"""The chance to win of the side that is to throw, by its men and the other side's."""

EXACT = [each for each in load_puzzles().values() if each.exact]
VERY_FEW, FEW = 7, 9
"""Men of both sides together with which a game by hand takes a second, and some."""
ROUNDED = 1 / STEPS
"""A table is half a step off, and a puzzle's decimals are not more."""


def read_men(rules: Rules, position: Position, side: Side) -> Men:
    """Return one side's men as the rules by hand know them."""
    men = position.men(side)
    lying = tuple(men[point] for point in reversed(rules.home(side)))
    # Nothing is borne off while a pile is up, so where one man lies the other is still in it.
    piled = (
        {point for point, count in enumerate(lying) if count == 1} if men[rules.board.hand] else ()
    )
    assert len(piled) == men[rules.board.hand]
    return Men(lying, frozenset(piled))


def get_reading(puzzle: Puzzle) -> Reading:
    """Return the reading of the rules by which a puzzle is played."""
    return Reading(**{"unusable": "opponent", **puzzle.options})


def compute_wins(puzzle: Puzzle, value: Value) -> Mapping[Men, float]:
    """Return by hand where each play ends, and how likely who makes it wins."""
    match, reading = puzzle.match, get_reading(puzzle)
    mine, theirs = (
        read_men(match.rules, match.position, side) for side in (match.turn, match.turn.other)
    )
    numbers = tuple(sorted(match.position.dice, reverse=True))
    return {
        end: min(1 - value(after, end) for after in list_answers(theirs, left, reading.moving))
        for end, left in list_plays(mine, numbers, reading.moving)
    }


def require_stored(puzzle: Puzzle, value: Value) -> None:
    """Raise an error unless the plays by hand are the stored ones, and worth the same."""
    wins = compute_wins(puzzle, value)
    rules, side = puzzle.match.rules, puzzle.match.turn
    stored = {read_men(rules, end, side): answer for end, answer in puzzle.ends.items()}
    assert wins.keys() == stored.keys()
    for end, answer in stored.items():
        assert answer.win == pytest.approx(wins[end], abs=ROUNDED)
        # A game counts one point, and nobody draws.
        assert answer.points == pytest.approx(2 * answer.win - 1, abs=ROUNDED)


def test_there_are_some_of_many_and_some_of_few_men() -> None:
    counts = [sum(count_men(each)) for each in EXACT]
    assert min(counts) <= VERY_FEW
    assert sum(each <= FEW for each in counts) == 3
    assert sum(each > FEW for each in counts) == 9


def count_men(puzzle: Puzzle) -> tuple[int, int]:
    """How many men each side has left, that which is to play first."""
    match = puzzle.match
    own, other = (
        match.rules.men - match.position.men(side)[match.rules.board.off]
        for side in (match.turn, match.turn.other)
    )
    return own, other


@pytest.mark.parametrize("puzzle", EXACT, ids=lambda each: each.id)
def test_every_play_is_worth_what_the_table_says_of_the_next_throw(puzzle: Puzzle) -> None:
    rules = puzzle.match.rules
    table = get_table(rules)
    assert table is not None

    def place(men: Men, side: Side) -> np.ndarray:
        placed = np.zeros((1, len(rules.board.place_names)), np.uint8)
        placed[0, list(reversed(rules.home(side)))] = men.lying
        placed[0, rules.board.hand] = len(men.piled)
        placed[0, rules.board.off] = rules.men - placed.sum()
        return placed

    def value(mine: Men, theirs: Men) -> float:
        # No man left has won, which no throw follows.
        if not sum(theirs.lying):
            return 0.0
        thrower = puzzle.match.turn.other
        row = table.evaluate(thrower, place(mine, thrower), place(theirs, thrower.other))[0]
        assert row[2]
        return float(row[0])

    require_stored(puzzle, value)


@pytest.mark.parametrize(
    "puzzle",
    [
        pytest.param(
            each, marks=[pytest.mark.sweep] if sum(count_men(each)) > VERY_FEW else [], id=each.id
        )
        for each in EXACT
        if sum(count_men(each)) <= FEW
    ],
)
def test_with_few_men_every_play_is_worth_what_the_game_by_hand_says(puzzle: Puzzle) -> None:
    reading, match = get_reading(puzzle), puzzle.match
    sides = {read_men(match.rules, match.position, side) for side in Side}
    # The fewest men from which both sides' can come, so that one list has those of both.
    later = {men: list_men(men, reading.moving) for men in list_men(START, reading.moving)}
    first = min((men for men in later if sides <= {*later[men]}), key=lambda men: len(later[men]))
    by_hand = DobletByHand(reading, first)
    wins = by_hand.solve()
    at = {men: number for number, men in enumerate(by_hand.men)}
    require_stored(puzzle, lambda mine, theirs: float(wins[at[mine], at[theirs]]))
