"""Matches between two players in one workshop, for a number of games or a length of time.

Where a match is played turn by turn, the luck of its throws is taken away from what its games came
to.
"""

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.players.chances import count_answers
from engine.players.one_ply import MAX_ANSWERED, MAX_DEEPENED
from engine.rules import Rules
from lab.training import layout as at
from lab.training.games import count_game, start_game
from lab.training.layout import OUTPUTS, Floats
from lab.training.luck import throw_and_measure_luck
from lab.training.one_ply import take_turn_one_ply
from lab.training.turns import take_turn
from lab.training.workshop import EMPTY_SCORE, MAX_TURNS, Score, Workshop, new_spare_memory

BLOCK_S = 0.5
"""Seconds that a block of compiled games should take; the time is checked between blocks."""


ShareAndPoints: TypeAlias = NDArray[np.float64]
"""What games, or throws, are worth to a player: its share of the game, and its points."""


@dataclass(frozen=True)
class Bound:
    """How long a match may be: so many games, but no longer than so many seconds."""

    games: int
    seconds: float


@dataclass(frozen=True)
class AdjustedMean:
    """The mean luck-adjusted result of a match's games, and its standard error."""

    mean: float
    error: float


@dataclass(frozen=True)
class AdjustedScore:
    """How two players fared: the score, and the first one's luck-adjusted results.

    `share` is its share of the games, `points` its points a game.
    """

    score: Score
    share: AdjustedMean
    points: AdjustedMean


class WorkshopPlayer(Protocol):
    """Somebody who plays a whole turn."""

    @property
    def policy(self) -> int:
        """How it chooses, where the compiled machine asks."""
        ...

    def take_turn(self, shop: Workshop, *, thrown: bool) -> bool:
        """Play a turn of the workshop's game, throwing unless the dice are `thrown`.

        Returns whether the game goes on.
        """
        ...


@dataclass(frozen=True)
class PolicyPlayer:
    """A player who chooses by a policy at once: at random, greedily, or by a net."""

    policy: int

    def take_turn(self, shop: Workshop, *, thrown: bool) -> bool:
        """Play a turn by what the position seems worth after it."""
        return take_turn(shop.known, shop.desk, thrown)


class OnePlyPlayer:
    """A 1-ply player by its net, searching as many plays as a match's computer players do."""

    policy = at.BY_NET

    def __init__(self, rules: Rules) -> None:
        self.most = min(MAX_DEEPENED, MAX_ANSWERED // count_answers(rules.dice))
        self.deep = new_spare_memory()

    def take_turn(self, shop: Workshop, *, thrown: bool) -> bool:
        """Play a turn by what the close plays are worth one throw further."""
        return take_turn_one_ply(shop.known, shop.desk, self.deep, thrown, self.most)


class LuckMeter:
    """Throws the dice of a workshop's games, and measures the luck as the learning net sees it."""

    def __init__(self) -> None:
        self._near, self._deep = new_spare_memory(), new_spare_memory()
        self._shares: Floats = np.zeros(OUTPUTS, np.float32)

    def throw_dice(self, shop: Workshop, side: int) -> ShareAndPoints:
        """Throw for the turn to come; returns how lucky that is for a side."""
        throw_and_measure_luck(shop.known, shop.desk, self._near, self._deep, self._shares)
        win, won, lost = self._shares
        sign = 1 if shop.desk.nodes[at.GAME + at.TURN] == side else -1
        return sign * np.array([win, 2 * win + shop.known.table[at.EXTRA] * (won - lost)])


def play_match(
    shop: Workshop, first: WorkshopPlayer, second: WorkshopPlayer, bound: Bound
) -> AdjustedScore:
    """Let two players meet, swapping sides after each game.

    The first has the net that learns, the second the other. At least two games are played, since
    one game has no standard error.
    """
    shop.reset_score()
    luck = LuckMeter()
    games: list[ShareAndPoints] = []
    until = time.monotonic() + bound.seconds
    before = shop.collect_score()
    for game in range(max(2, bound.games)):
        lucky = _play_game(shop, luck, (first, second), game % at.SIDES)
        score = shop.collect_score()
        # The score adds up over the match, so a game's own result is the difference.
        came_to = np.array([score.credit - before.credit, score.points - before.points])
        games.append(came_to - lucky)
        before = score
        if game > 0 and time.monotonic() > until:
            break
    share, points = np.transpose(games)
    return AdjustedScore(before, _compute_mean(share), _compute_mean(points))


def _compute_mean(games: ShareAndPoints) -> AdjustedMean:
    return AdjustedMean(float(games.mean()), float(games.std(ddof=1)) / math.sqrt(len(games)))


def _play_game(
    shop: Workshop, luck: LuckMeter, players: tuple[WorkshopPlayer, WorkshopPlayer], side: int
) -> ShareAndPoints:
    """Play one game, the first of the players having that side; returns how lucky that one was.

    A first throw that the roll battle's dice make is not weighed: they cannot fall in every way.
    """
    first, second = players
    seats = players if side == 0 else (second, first)
    for seat, player in enumerate(seats):
        shop.desk.book[at.POLICY + seat] = player.policy
        shop.desk.book[at.NET_AT + seat] = 0 if seat == side else shop.size
    thrown = start_game(shop.known.table, shop.start, shop.desk)
    began = int(shop.desk.nodes[at.GAME + at.TURN])
    turns = 0
    lucky = np.zeros(2)
    goes_on = True
    while goes_on and turns < MAX_TURNS:
        if not thrown:
            lucky += luck.throw_dice(shop, side)
        # The dice are thrown already, by the meter or in the roll battle.
        goes_on = seats[shop.desk.nodes[at.GAME + at.TURN]].take_turn(shop, thrown=True)
        thrown = False
        turns += 1
    count_game(shop.known.table, shop.desk.nodes, shop.desk.book, side, began, turns)
    return lucky


def play_fast_match(shop: Workshop, first: int, second: int, bound: Bound) -> Score:
    """Let two policies meet as `play_match` does, compiled throughout."""
    total = EMPTY_SCORE
    for games in iter_block_sizes(bound):
        total += shop.match_policies(games, second, first=first)
    return total


def iter_block_sizes(bound: Bound) -> Iterator[int]:
    """Yield how many games to play next until the bound: even, for about half a second."""
    until = time.monotonic() + bound.seconds
    left = bound.games
    block = 2
    while left > 0:
        started = time.monotonic()
        yield min(block, left)
        left -= block
        now = time.monotonic()
        if now > until:
            break
        # The last block may have been too short to be timed, and no block more than doubles it.
        affordable = block / max(now - started, 1e-4) * min(BLOCK_S, until - now)
        # Of an even number each player has either side equally often.
        block = 2 * max(1, int(min(2 * block, affordable) / 2))
