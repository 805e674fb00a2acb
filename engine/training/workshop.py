"""A game laid out for the kernel: its tables, its scratch memory, and room for two nets."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from engine.players.net import OUTPUTS, Net
from engine.rules import Rules
from engine.training import layout as at
from engine.training.games import meet, teach
from engine.training.layout import Book, Floats, Row
from engine.training.plain import greedy_tables
from engine.training.tables import new_book, new_nodes, start_row, tables

MOST_TURNS = 1500
"""Turns after which a game is broken off: some games need not end."""


class Score(NamedTuple):
    """How one player fared against another: games won, lost, drawn and broken off; points, and their squares."""

    won: int
    lost: int
    drawn: int
    unfinished: int
    points: int
    squares: int

    @property
    def games(self) -> int:
        """How many games were played, those broken off among them."""
        return self.won + self.lost + self.drawn + self.unfinished

    @property
    def share(self) -> float:
        """The share of games won; those drawn or broken off count half."""
        return (self.won + (self.drawn + self.unfinished) / 2) / self.games

    @property
    def share_error(self) -> float:
        """The standard error of that share."""
        share = self.share
        halves = (self.drawn + self.unfinished) / self.games / 4
        return float(np.sqrt(max(self.won / self.games + halves - share * share, 0) / self.games))

    @property
    def mean(self) -> float:
        """The points won a game."""
        return self.points / self.games

    @property
    def mean_error(self) -> float:
        """The standard error of the points a game."""
        return float(np.sqrt((self.squares / self.games - self.mean**2) / self.games))


@dataclass(frozen=True)
class Choices:
    """How much there was to choose in the throws counted so far: of how many throws, and among how many ends."""

    throws: int
    with_choice: int
    ends: int


class Workshop:
    """One game set up for self-play with a net of so many hidden units; raises UnknownHookError.

    `nets` are two nets in a row, flat: the one that learns, and another to meet it.
    """

    def __init__(self, rules: Rules, hidden: int, seed: int) -> None:
        self.table = tables(rules, hidden)
        self.greedy = greedy_tables(rules)
        self.start: Row = start_row(rules)
        self.nodes, self.other = new_nodes(), new_nodes()
        self.book: Book = new_book()
        self.other_book: Book = new_book()
        self.shake(seed)
        self.floats = np.zeros(at.FLOATS, np.float32)
        self.kept = np.zeros((MOST_TURNS + 1) * at.ROW, np.int8)
        self.values, self.targets = (np.zeros((MOST_TURNS + 1) * OUTPUTS, np.float32) for _ in range(2))
        self.size = int(self.table[at.NET_SIZE])
        self.nets: Floats = np.zeros(2 * self.size, np.float32)
        self.hidden = hidden

    def shake(self, seed: int) -> None:
        """Begin another row of dice."""
        self.book[at.RANDOM] = np.random.default_rng(seed).integers(1, 2**62)

    def untrained(self, seed: int) -> None:
        """Give the net that learns small random weights."""
        chance = np.random.default_rng(seed)
        first = int(self.table[at.INPUTS]) * self.hidden
        self.nets[: self.size] = 0
        self.nets[:first] = chance.normal(0, 0.1, first)
        second = first + self.hidden
        self.nets[second : second + OUTPUTS * self.hidden] = chance.normal(0, 0.1, OUTPUTS * self.hidden)

    def take(self, net: Net, *, other: bool = False) -> None:
        """Read a net into the place of the one that learns, or of the other; raises ValueError if it does not fit."""
        parts = (net.first, net.bias, net.second.T, net.offset)
        flat = np.concatenate([np.ascontiguousarray(part).ravel() for part in parts])
        if len(flat) != self.size or net.hidden != self.hidden:
            raise ValueError(f"a net of {len(flat)} weights, where this game needs {self.size}")
        start = self.size if other else 0
        self.nets[start : start + self.size] = flat

    def net(self, facts: Mapping[str, Any]) -> Net:
        """The net that learns, as it stands."""
        count = int(self.table[at.INPUTS])
        lines = self.nets[: (count + 1 + OUTPUTS) * self.hidden].reshape(-1, self.hidden).copy()
        offset = self.nets[self.size - OUTPUTS : self.size].copy()
        extra = int(self.table[at.EXTRA])
        return Net(lines[:count], lines[count], lines[count + 1 :].T.copy(), offset, extra, dict(facts))

    def teach(self, games: int, rate: float, trace: float, *, by: int = at.BY_NET) -> int:
        """Let the net learn from so many games between players of the policy `by`; returns how many ended."""
        self.book[at.POLICY : at.POLICY + 2] = by
        self.book[at.NET_AT : at.NET_AT + 2] = 0
        return teach(
            self.table,
            self.greedy,
            self.nets,
            self.start,
            self.nodes,
            self.book,
            self.other,
            self.other_book,
            self.floats,
            self.kept,
            self.values,
            self.targets,
            games,
            MOST_TURNS,
            rate,
            trace,
        )

    def meet(self, games: int, second: int, *, first: int = at.BY_NET) -> Score:
        """Let two policies meet: the first uses the net that learns, the second the other net."""
        self.book[at.WON : at.WON + len(Score._fields)] = 0
        meet(
            self.table,
            self.greedy,
            self.nets,
            self.start,
            self.nodes,
            self.book,
            self.other,
            self.other_book,
            self.floats,
            first,
            second,
            games,
            MOST_TURNS,
        )
        return Score(*map(int, self.book[at.WON : at.WON + len(Score._fields)]))

    def choices(self) -> Choices:
        """How much there was to choose in all games played here so far."""
        return Choices(int(self.book[at.THROWS]), int(self.book[at.CHOICES]), int(self.book[at.CHOSEN_FROM]))

    @property
    def overflows(self) -> int:
        """How often a search ran out of room, and so may have missed plays."""
        return int(self.book[at.OVERFLOWS] + self.other_book[at.OVERFLOWS])
