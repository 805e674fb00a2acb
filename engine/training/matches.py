"""Matches between two players in one workshop, counted: as many games as are asked for, or as there is time for."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from engine.players.ahead import MOST_ANSWERED, MOST_DEEPENED
from engine.players.chances import answers
from engine.rules import Rules
from engine.training import layout as at
from engine.training.ahead import take_turn_ahead
from engine.training.games import begin, count_game
from engine.training.layout import Book, Floats, Row
from engine.training.tables import new_book, new_nodes
from engine.training.turns import take_turn
from engine.training.workshop import MOST_TURNS, NOTHING, Score, Workshop

BLOCK = 0.5
"""Seconds that a block of compiled games is to take, so that the time can be looked at between two of them."""


@dataclass(frozen=True)
class Bound:
    """How long a match may be: so many games, but no longer than so many seconds."""

    games: int
    seconds: float


class Player(Protocol):
    """Somebody who plays a whole turn."""

    @property
    def policy(self) -> int:
        """How it chooses, where the compiled machine asks."""
        ...

    def take_turn(self, shop: Workshop, *, thrown: bool) -> bool:
        """Play a turn of the workshop's game, throwing unless the dice are `thrown`; returns whether it goes on."""
        ...


@dataclass(frozen=True)
class Quick:
    """A player who chooses by a policy at once: at random, greedily, or by a net."""

    policy: int

    def take_turn(self, shop: Workshop, *, thrown: bool) -> bool:
        """Play a turn by what the position seems worth after it."""
        return take_turn(*shop.parts, thrown, shop.floats)


class Ahead:
    """A player who looks one throw further by its net, at as many plays as the players of a match do."""

    policy = at.BY_NET

    def __init__(self, rules: Rules) -> None:
        self.most = min(MOST_DEEPENED, MOST_ANSWERED // answers(rules.dice))
        self.nodes, self.other = new_nodes(), new_nodes()
        self.book: Book = new_book()
        self.other_book: Book = new_book()
        self.floats: Floats = np.zeros(at.FLOATS, np.float32)

    @property
    def deep(self) -> tuple[Row, Book, Row, Book, Floats]:
        """The scratch memory for the answers."""
        return self.nodes, self.book, self.other, self.other_book, self.floats

    def take_turn(self, shop: Workshop, *, thrown: bool) -> bool:
        """Play a turn by what the close plays are worth one throw further."""
        return take_turn_ahead(*shop.parts, thrown, shop.floats, *self.deep, self.most)


def meet(shop: Workshop, first: Player, second: Player, bound: Bound) -> Score:
    """Let two players meet, who change sides after each game; the first has the net that learns, the second the other.

    At least one game is played.
    """
    shop.forget()
    until = time.monotonic() + bound.seconds
    for game in range(bound.games):
        _play(shop, (first, second), game % at.SIDES)
        if time.monotonic() > until:
            break
    return shop.score()


def _play(shop: Workshop, players: tuple[Player, Player], side: int) -> None:
    """Play one game, the first of the players having that side."""
    first, second = players
    seats = players if side == 0 else (second, first)
    for seat, player in enumerate(seats):
        shop.book[at.POLICY + seat] = player.policy
        shop.book[at.NET_AT + seat] = 0 if seat == side else shop.size
    thrown = begin(shop.table, shop.start, shop.nodes, shop.book)
    began = int(shop.nodes[at.GAME + at.TURN])
    turns = 0
    goes_on = True
    while goes_on and turns < MOST_TURNS:
        goes_on = seats[shop.nodes[at.GAME + at.TURN]].take_turn(shop, thrown=thrown)
        thrown = False
        turns += 1
    count_game(shop.table, shop.nodes, shop.book, side, began, turns)


def meet_quickly(shop: Workshop, first: int, second: int, bound: Bound) -> Score:
    """Let two policies meet as `meet` does, compiled throughout."""
    total = NOTHING
    for games in blocks(bound):
        total += shop.meet(games, second, first=first)
    return total


def blocks(bound: Bound) -> Iterator[int]:
    """Yield how many games to play next until the bound is reached: an even number, for half a second or so."""
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
        affordable = block / max(now - started, 1e-4) * min(BLOCK, until - now)
        # Of an even number each player has either side equally often.
        block = 2 * max(1, int(min(2 * block, affordable) / 2))
