"""Bear-off tables, held to the engine's plays, to published figures and to the rules by hand."""

from collections import Counter
from functools import cache
from itertools import product
from random import Random

import numpy as np
import pytest

from engine.events import Played, Thrown
from engine.games import GAMES
from engine.match import Match, Phase
from engine.players.chances import list_throws
from engine.players.exact import has_plain_bear_off, name_ending_table
from engine.plays import list_legal_plays
from engine.position import Side
from engine.rules import Rules
from engine.throws import list_numbers
from lab.solving.apart import list_number_chances
from lab.solving.bearing_off import (
    KINDS,
    Men,
    Places,
    Steps,
    Values,
    compare_sides,
    list_ends,
    list_steps,
    place_home,
    solve_one_side,
    solve_two_sides,
)
from tests.lab.solving.shipped import HALF_A_STEP, load_shipped

EQUAL = 1e-9
BACKGAMMON = GAMES["backgammon"].rules
FEW = 3


@cache
def steps_of(slug: str, most: int = FEW) -> Steps:
    """List the steps of up to so many men."""
    return list_steps(GAMES[slug].rules, most)


def test_two_men_get_off_in_one_throw_as_often_as_is_published() -> None:
    # Of 36 throws; Magriel, Backgammon (1976), has the table.
    published = {
        (1, 1): 36, (2, 1): 36, (2, 2): 26, (3, 1): 34, (3, 2): 25, (3, 3): 17, (4, 1): 29,
        (4, 2): 23, (4, 3): 17, (4, 4): 11, (5, 1): 23, (5, 2): 19, (5, 3): 14, (5, 4): 10,
        (5, 5): 6, (6, 1): 15, (6, 2): 13, (6, 3): 10, (6, 4): 8, (6, 5): 6, (6, 6): 4,
    }  # fmt: skip
    steps = steps_of("backgammon")
    solved = solve_one_side(BACKGAMMON, steps)
    for (one, other), throws in published.items():
        men = tuple((point == one) + (point == other) for point in range(1, 7))
        assert 36 * solved.throws[steps.men.index(men), 1] == pytest.approx(throws)


def test_equal_stacks_on_the_first_point_are_worth_what_is_published() -> None:
    # Who throws first wins so often where both sides need so many throws but for doubles.
    every = steps_of("backgammon", 6)
    # No play leads to more pips, so those with few are solved alone.
    few = int((every.pips <= 6).sum())
    steps = Steps(every.men[:few], every.pips[:few], np.minimum(every.after[:, :few], few))
    solved = solve_two_sides(BACKGAMMON, steps)
    for men, percent in ((2, 100), (4, 86.1), (6, 78.8)):
        at = steps.men.index((men, 0, 0, 0, 0, 0))
        assert 100 * solved.wins[at, at] == pytest.approx(percent, abs=0.05)


@pytest.mark.parametrize("slug", KINDS)
def test_throws_end_as_the_engine_ends_them(slug: str) -> None:
    rules = GAMES[slug].rules
    steps = steps_of(slug, KINDS[slug])
    chances = list_number_chances(rules)
    ends = list_ends(steps, chances)
    home = rules.home(Side.GOLD)[::-1]
    for at in Random(4).sample(range(1, len(steps.men)), 60):
        for numbers in chances:
            plays = list_legal_plays(rules, place_home(rules, steps.men[at], numbers)).ends
            found = {steps.men.index(tuple(end.gold[point] for point in home)) for end in plays}
            assert {*ends[numbers][at].tolist()} - {len(steps.men)} == found


def list_games() -> list[str]:
    """List the games for which the tables hold."""
    return [slug for slug, game in GAMES.items() if has_plain_bear_off(game.rules)]


@pytest.mark.parametrize("slug", list_games())
def test_a_game_bears_off_as_its_kind(slug: str) -> None:
    rules = GAMES[slug].rules
    kinds = {list_numbers_given(GAMES[kind].rules): kind for kind in KINDS}
    of_kind = steps_of(kinds[list_numbers_given(rules)])
    steps = list_steps(rules, FEW)
    assert np.array_equal(steps.after, of_kind.after)


def list_numbers_given(rules: Rules) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return what the throws of a game give to play."""
    return tuple((list_numbers(rules.dice, dice), count) for dice, count in list_throws(rules.dice))


@pytest.mark.parametrize("slug", list_games())
def test_the_turn_machine_goes_on_to_the_other_side(slug: str) -> None:
    # Nothing but the last man borne off ends a game, and nobody throws twice or is offered numbers.
    rules = GAMES[slug].rules
    chance = Random(6)
    men: Men = (1, 2, 0, 1, 0, 2)
    position = place_home(rules, men, ())
    other = bytearray(position.black)
    for place in rules.home(Side.BLACK)[::2]:
        other[place] += 1
        other[rules.board.off] -= 1
    match = Match(
        game=GAMES[slug],
        options={},
        rules=rules,
        position=position._replace(black=bytes(other)),
        phase=Phase.THROW,
    )
    side = Side.GOLD
    while match.phase is not Phase.OVER:
        assert (match.phase, match.turn) == (Phase.THROW, side)
        match = throw_and_play(match, chance)
        side = side.other
    assert match.outcome
    assert (match.outcome.winner, match.outcome.points) == (side.other, 1)


def throw_and_play(match: Match, chance: Random) -> Match:
    """Throw, and make any play."""
    thrown = tuple(chance.randint(1, 6) for _ in range(match.due_dice))
    match = match.apply(Thrown(thrown))
    if match.phase is Phase.PLAY:
        match = match.apply(Played(chance.choice(match.plays).moves))
    return match


class ByHand:
    """The rules of bearing off written out once more, and what they make of up to so many men."""

    def __init__(self, dice: int, most: int, *, twice: bool) -> None:
        throws = Counter(
            thrown * 2 if twice and len(set(thrown)) == 1 else tuple(sorted(thrown))
            for thrown in product(range(1, 7), repeat=dice)
        )
        # Who is done comes first.
        self.men: list[Men] = [
            men for men in product(range(most + 1), repeat=6) if sum(men) <= most
        ]
        numbers = {men: number for number, men in enumerate(self.men)}
        self.throws = [
            (count / throws.total(), [self._list_ends(numbers, men, thrown) for men in self.men])
            for thrown, count in throws.items()
        ]

    def _list_ends(self, numbers: dict[Men, int], men: Men, thrown: tuple[int, ...]) -> Places:
        return np.array([numbers[end] for end in self.play(men, thrown)])

    def play(self, men: Men, numbers: tuple[int, ...]) -> set[Men]:
        """Every end of some numbers in some order."""
        if not numbers or not sum(men):
            return {men}
        ends = set()
        for at, number in enumerate(numbers):
            for point in range(1, 7):
                farthest = not any(men[point:])
                if men[point - 1] and (number <= point or farthest):
                    moved = list(men)
                    moved[point - 1] -= 1
                    if number < point:
                        moved[point - number - 1] += 1
                    ends |= self.play(tuple(moved), numbers[:at] + numbers[at + 1 :])
        return ends

    def solve_two_sides(self) -> Values:
        """The chance of the side that is to throw, by its men and the other side's."""
        before = np.zeros((len(self.men),) * 2)
        while True:
            # By the thrower's men after its throw, and the other side's.
            worth = 1 - before.T
            wins = np.zeros_like(before)
            for chance, ends in self.throws:
                wins += chance * np.array([worth[each].max(axis=0) for each in ends])
            wins[:, 0] = 0
            wins[0] = 1
            # Each round brings the men nearer, so in the end nothing changes at all.
            if np.array_equal(wins, before):
                return wins
            before = wins

    def solve_one_side(self) -> Values:
        """How many throws a side needs that plays for the fewest."""
        before = np.zeros(len(self.men))
        while True:
            means = np.ones_like(before)
            for chance, ends in self.throws:
                means += chance * np.array([before[each].min() for each in ends])
            means[0] = 0
            if np.array_equal(means, before):
                return means
            before = means


@pytest.mark.parametrize(
    ("slug", "most"),
    [
        *((slug, 2) for slug in KINDS),
        *(pytest.param(slug, most, marks=pytest.mark.sweep) for slug, most in KINDS.items()),
    ],
)
def test_every_state_is_solved_alike_by_hand_and_shipped(slug: str, most: int) -> None:
    rules = GAMES[slug].rules
    by_hand = ByHand(rules.dice.count, most, twice=rules.dice.doubles.is_played_twice)
    steps = steps_of(slug, most)
    order = [steps.men.index(men) for men in by_hand.men]
    assert sorted(order) == [*range(len(steps.men))]
    wins = by_hand.solve_two_sides()
    solved = solve_two_sides(rules, steps).wins[np.ix_(order, order)]
    # Nobody throws when both are done, and the table has the last thrower's view.
    wins[0, 0] = solved[0, 0]
    np.testing.assert_allclose(solved, wins, rtol=0, atol=EQUAL)
    means = solve_one_side(rules, steps).means[order]
    np.testing.assert_allclose(means, by_hand.solve_one_side(), rtol=0, atol=EQUAL)
    shipped, lost = load_shipped(name_ending_table(rules), [bytes(men) for men in by_hand.men])
    assert np.abs(shipped - wins).max() < HALF_A_STEP
    assert np.array_equal(shipped + lost, np.ones_like(wins))


@pytest.mark.parametrize("slug", KINDS)
def test_a_man_less_never_harms(slug: str) -> None:
    steps = steps_of(slug)
    solved = solve_two_sides(GAMES[slug].rules, steps)
    means = solve_one_side(GAMES[slug].rules, steps).means
    for at, men in enumerate(steps.men):
        for point in range(6):
            if men[point]:
                fewer = steps.men.index((*men[:point], men[point] - 1, *men[point + 1 :]))
                assert means[fewer] <= means[at] + EQUAL
                assert (solved.wins[fewer, 1:] >= solved.wins[at, 1:] - EQUAL).all()
                assert (solved.wins[1:, fewer] <= solved.wins[1:, at] + EQUAL).all()


def test_a_pip_less_may_harm() -> None:
    # Two men get off together more easily from points whose numbers differ.
    steps = steps_of("irish")
    means = solve_one_side(GAMES["irish"].rules, steps).means
    harmed = [
        (men, steps.men[after])
        for at, men in enumerate(steps.men)
        for after in steps.after[0, at]
        if after < len(steps.men) and means[after] > means[at] + EQUAL
    ]
    assert 0 < len(harmed) < len(steps.men)


def test_playing_for_the_fewest_throws_loses_little() -> None:
    steps = steps_of("backgammon", 5)
    one, two = solve_one_side(BACKGAMMON, steps), solve_two_sides(BACKGAMMON, steps)
    assert compare_sides(one, two).max() < 0.015
