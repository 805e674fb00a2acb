"""Games between players who choose by their estimates of every state, a million at a time."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.players import greedy
from engine.plays import Duty, list_legal_plays
from engine.position import Side
from engine.rules import Rules
from lab.solving.apart import (
    Numbers,
    SideStates,
    Values,
    get_men,
    list_left_sets,
    place_side,
    turn_round,
)
from lab.solving.one_table import SolvedTable


@dataclass(frozen=True)
class Policy:
    """What a player does in every state.

    `ends` and `left` are how it plays a throw, by the throw and the states of both sides: where its
    men end, and which set of numbers it leaves. `answers` is what it makes of such a set, by the
    set, the other side's state and its own.
    """

    ends: npt.NDArray[np.int16]
    left: npt.NDArray[np.int16]
    answers: npt.NDArray[np.int16]


@dataclass(frozen=True)
class TableTally:
    """How games without a choice came out for those who began."""

    games: int
    first_wins: int
    first_losses: int
    throws: int


@dataclass(frozen=True)
class Tally:
    """What came of some games: those that who began won, and what was done with numbers left."""

    games: int
    first_wins: int
    throws: int
    offers: int
    declined: int


class Chooser:
    """Builds policies for one side of a game whose sides never meet, with its plays in order.

    Where several are as good the first that the engine lists is made, as the computer's players do;
    in that order the sides are not alike.
    """

    def __init__(self, rules: Rules, states: SideStates, side: Side) -> None:
        self.states = states
        self.sets = list_left_sets(states)
        numbers = {men: at for at, men in enumerate(states.men)}

        def list_ends(men: bytes, dice: Numbers, duty: Duty) -> list[int]:
            # Where all men are off, or no number is left, nothing can be done.
            if not dice or men == states.men[states.done]:
                return []
            plays = list_legal_plays(rules, place_side(rules, side, men, dice), duty)
            return [numbers[get_men(rules, side, end)] for end in plays.ends]

        self.answers = [
            [
                # Leaving the numbers comes last.
                np.array([*list_ends(men, left, Duty.MAY), at], np.int16)
                for at, men in enumerate(states.men)
            ]
            for left in self.sets
        ]
        self.plays = [
            [
                # What is left is the same whatever is played; after ad fallum there is no play.
                [(end, plays[0][1]) for end in list_ends(men, thrown, Duty.MUST) if plays] or plays
                for thrown, plays in zip(states.throws, throws, strict=True)
            ]
            for men, throws in zip(states.men, states.plays, strict=True)
        ]

    def build_policy(self, estimates: Values) -> Policy:
        """Return what a player does who takes a side that is to throw to have so good a chance."""
        states = self.states
        size = len(states.men)
        # No player tells apart what differs by less than its sums are exact.
        after = (1 - estimates.T).round(12)
        after[:, states.done] = 0.0
        after[states.done] = 1.0
        answers = np.empty((len(self.sets), size, size), np.int16)
        worths = np.empty(answers.shape)
        for state in range(size):
            # Numbers that are of no use add nothing, so many sets have the same answers.
            known: dict[bytes, int] = {}
            for at, every in enumerate(self.answers):
                ends = every[state]
                alike = known.setdefault(ends.tobytes(), at)
                if alike < at:
                    answers[at, :, state] = answers[alike, :, state]
                    worths[at, :, state] = worths[alike, :, state]
                    continue
                reached = after[:, ends]
                answers[at, :, state] = ends[reached.argmin(axis=1)]
                worths[at, :, state] = reached.min(axis=1)
        ends, left = self._choose_plays(worths)
        return Policy(ends, left, answers)

    def _choose_plays(self, worths: Values) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]:
        states = self.states
        size = len(states.men)
        at = {numbers: number for number, numbers in enumerate(self.sets)}
        ends, left = np.full((2, len(states.throws), size, size), -1, np.int16)
        for state, throws in enumerate(self.plays):
            for throw, plays in enumerate(throws):
                # There is none after ad fallum, or where all men are off.
                if plays:
                    to = np.array([end for end, _ in plays], np.int16)
                    of = np.array([at[numbers] for _, numbers in plays], np.int16)
                    chosen = worths[of, to].argmax(axis=0)
                    ends[throw, state], left[throw, state] = to[chosen], of[chosen]
        return ends, left


def estimate_greedily(rules: Rules, states: SideStates) -> Values:
    """Return how greedy judges every state: the chance of the side that is to throw."""
    size = len(states.men)
    gold = np.frombuffer(b"".join(states.men), np.uint8).reshape(size, -1)
    black = np.frombuffer(b"".join(turn_round(rules, men) for men in states.men), np.uint8).reshape(
        size, -1
    )
    return np.array(
        [
            greedy.evaluate_positions(rules, Side.GOLD, np.repeat(men[None], size, axis=0), black)[
                :, 0
            ]
            for men in gold
        ]
    )


def play_games(
    states: SideStates,
    start: int,
    first: Policy,
    second: Policy,
    games: int,
    seed: int | np.random.Generator,
) -> Tally:
    """Play games from the start between two players, of which the first always begins.

    A generator goes on from where other games have left it.
    """
    chance = np.random.default_rng(seed)
    mine, theirs = np.full(games, start), np.full(games, start)
    wins = throws = offers = declined = 0
    players = first, second
    usable = _find_usable(states)
    turn = 0
    while len(mine):
        own, other = players[turn % 2], players[(turn + 1) % 2]
        thrown = chance.choice(len(states.throws), len(mine), p=states.chances)
        ends, left = own.ends[thrown, mine, theirs], own.left[thrown, mine, theirs]
        lost = ends < 0
        after = np.where(lost, theirs, other.answers[left, ends, theirs])
        won = ends == states.done
        offered = usable[left, theirs] & ~won & ~lost
        lost |= ~won & (after == states.done)
        wins += int((won if turn % 2 == 0 else lost).sum())
        throws += len(mine)
        offers += int(offered.sum())
        declined += int((offered & (after == theirs)).sum())
        on = ~(won | lost)
        mine, theirs = after[on], ends[on]
        turn += 1
    return Tally(games, wins, throws, offers, declined)


def play_table_games(solved: SolvedTable, start: int, games: int, seed: int) -> TableTally:
    """Play games in which every throw plays itself from one state."""
    chance = np.random.default_rng(seed)
    at = np.full(games, start)
    wins = losses = throws = 0
    begins = True
    while len(at):
        thrown = chance.choice(len(solved.throws), len(at), p=solved.throws)
        after = solved.after[at, thrown]
        results = solved.results[at, thrown][after < 0]
        won, lost = int((results > 0).sum()), int((results < 0).sum())
        wins += won if begins else lost
        losses += lost if begins else won
        throws += len(at)
        at = after[after >= 0]
        begins = not begins
    return TableTally(games, wins, losses, throws)


def _find_usable(states: SideStates) -> npt.NDArray[np.bool_]:
    """Return which sets of numbers left are of any use to a side, by the set and its state."""
    none = len(states.men)
    return np.array(
        [
            np.any([states.steps[number - 1][:, 0] < none for number in numbers], axis=0)
            if numbers
            else np.zeros(none, bool)
            for numbers in list_left_sets(states)
        ]
    )
