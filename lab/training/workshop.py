"""A game laid out for the kernel: its tables, its scratch memory, and room for two nets."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from engine.players.net import OUTPUTS, Net
from engine.rules import Rules
from lab.training import layout as at
from lab.training.games import learn_by_self_play, play_games
from lab.training.greedy_tables import build_greedy_tables
from lab.training.layout import Book, KernelData, ReplayBuffer, Row, TurnMemory
from lab.training.rows import write_row
from lab.training.tables import build_tables, new_turn_memory

MAX_TURNS = 1500
"""Turns after which a game is broken off: some games need not end."""


REPLAY_GAMES = 1000
"""How many of the last games are remembered, to be learnt from again."""

REPLAYS_PER_GAME = 2
"""From how many of them is learnt again after each new one."""


class Score(NamedTuple):
    """One player's score against another: won, lost, drawn, broken off; points and their squares.

    `began_won` and `began_lost` count the games won and lost by the side that began, whichever
    player had it; `turns` and `turn_squares` are summed over all games.
    """

    won: int
    lost: int
    drawn: int
    unfinished: int
    points: int
    squares: int
    began_won: int
    began_lost: int
    turns: int
    turn_squares: int

    @property
    def games(self) -> int:
        """How many games were played, those broken off among them."""
        return self.won + self.lost + self.drawn + self.unfinished

    @property
    def credit(self) -> float:
        """How many games were won; those drawn or broken off count half."""
        return self._count_credit(self.won)

    @property
    def share(self) -> float:
        """The share of games won; those drawn or broken off count half."""
        return self.credit / self.games

    @property
    def share_error(self) -> float:
        """The standard error of that share."""
        return self._compute_share_error(self.won)

    @property
    def starter_share(self) -> float:
        """The share of games won by the side that began; those drawn or broken off count half."""
        return self._count_credit(self.began_won) / self.games

    @property
    def starter_share_error(self) -> float:
        """The standard error of that share."""
        return self._compute_share_error(self.began_won)

    @property
    def mean(self) -> float:
        """The points won a game."""
        return self.points / self.games

    @property
    def mean_error(self) -> float:
        """The standard error of the points a game."""
        return self._compute_mean_error(self.points, self.squares)

    @property
    def length(self) -> float:
        """The turns a game took, both sides' counted."""
        return self.turns / self.games

    @property
    def length_error(self) -> float:
        """The standard error of that length."""
        return self._compute_mean_error(self.turns, self.turn_squares)

    def __add__(self, more: "Score") -> "Score":  # type: ignore[override]
        """Both together."""
        return Score(*(mine + theirs for mine, theirs in zip(self, more, strict=True)))

    def _count_credit(self, won: int) -> float:
        return won + (self.drawn + self.unfinished) / 2

    def _compute_share_error(self, won: int) -> float:
        # Reckoned with two more games won and two lost, as Agresti and Coull advise: few games may
        # all be won by luck.
        games = self.games + 4
        halves = self.drawn + self.unfinished
        share = (won + 2 + halves / 2) / games
        # A half game squared is a quarter.
        return math.sqrt(((won + 2 + halves / 4) / games - share**2) / games)

    def _compute_mean_error(self, total: int, squares: int) -> float:
        return math.sqrt((squares / self.games - (total / self.games) ** 2) / self.games)


EMPTY_SCORE = Score(*[0] * len(Score._fields))
"""The score before the first game."""


INITIAL_DEVIATION = 0.1
"""The standard deviation of the weights with which a hidden unit begins."""

GREEDY_BEFORE, GREEDY_AFTER = 0.5, 4.0
"""The weights around the hidden unit that judges as greedy does.

Before and after it; together they undo `LEAD_SCALE`.
"""


def widen_net(net: Net, hidden: int, seed: int) -> Net:
    """Give a net at least so many hidden units.

    The new ones have no say until they learn one. A wide net stays as it is.
    """
    more = max(0, hidden - net.unit_count)
    seeing = (
        np.random.default_rng(seed)
        .normal(0, INITIAL_DEVIATION, (len(net.first), more))
        .astype(np.float32)
    )
    first = np.concatenate((net.first, seeing), axis=1)
    bias = np.concatenate((net.bias, np.zeros(more, np.float32)))
    # Weights of zero keep the outputs as they were, while the random ones before them tell the new
    # units apart, so that each learns something else.
    second = np.concatenate((net.second, np.zeros((more, OUTPUTS), np.float32)))
    return replace(net, first=first, bias=bias, second=second)


def assign_policy(book: Book, policy: int) -> None:
    """Let both sides choose by a policy; their net is the one that learns."""
    book[at.POLICY : at.POLICY + at.SIDES] = policy
    book[at.NET_AT : at.NET_AT + at.SIDES] = 0


def new_spare_memory() -> TurnMemory:
    """A desk for turns that are only thought of; both sides choose by the net that learns."""
    desk = new_turn_memory()
    assign_policy(desk.book, at.BY_NET)
    return desk


@dataclass(frozen=True)
class ChoiceCounts:
    """How much there was to choose so far: in how many throws, and among how many ends.

    `offers` counts how often the other side could use what was left over.
    """

    throws: int
    with_choice: int
    ends: int
    offers: int


class Workshop:
    """One game set up for self-play with a net of so many hidden units; raises UnknownRuleError.

    Raises ValueError for more hidden units than there is room for. Of the two nets that are `known`
    the first is the one that learns, and the other is there to meet it.
    """

    def __init__(self, rules: Rules, hidden: int, seed: int) -> None:
        if hidden > at.MAX_HIDDEN:
            raise ValueError(
                f"a net of {hidden} hidden units, where there is room for {at.MAX_HIDDEN}"
            )
        table = build_tables(rules, hidden)
        self.size = int(table[at.NET_SIZE])
        self.known = KernelData(
            table, build_greedy_tables(rules), np.zeros(2 * self.size, np.float32)
        )
        self.desk = new_turn_memory()
        self.start: Row = np.zeros(at.ROW, np.int8)
        write_row(self.start, rules.start_position)
        self.seed_dice(seed)
        # NumPy's zeros take memory only where they are written to, so short games cost little of
        # this.
        self.past = ReplayBuffer(
            np.zeros(REPLAY_GAMES * MAX_TURNS * at.ROW, np.int8),
            np.zeros(REPLAY_GAMES, np.int32),
            np.zeros(REPLAY_GAMES * OUTPUTS, np.float32),
        )
        self.values, self.targets = (np.zeros(OUTPUTS, np.float32) for _ in range(2))
        self.hidden = hidden

    def seed_dice(self, seed: int) -> None:
        """Begin another row of dice."""
        # The state has 64 bits, and NumPy's generator makes a large one of a small seed.
        self.desk.book[at.RANDOM] = np.random.default_rng(seed).integers(1, 2**62)

    def initialise_net(self, seed: int) -> None:
        """Give the learning net small random weights, but for one unit that judges like greedy."""
        chance = np.random.default_rng(seed)
        count = int(self.known.table[at.INPUTS])
        self.known.nets[: self.size] = 0
        first = self.known.nets[: count * self.hidden].reshape(count, self.hidden)
        first[:] = chance.normal(0, INITIAL_DEVIATION, first.shape)
        first[:, 0] = 0
        first[int(self.known.table[at.FEATURE_INPUT]) + at.LEAD, 0] = GREEDY_BEFORE
        self.known.nets[(count + 1) * self.hidden] = GREEDY_AFTER

    def install_net(self, net: Net, *, other: bool = False) -> None:
        """Read a net into the place of the learning one, or of the other.

        Raises ValueError if it does not fit.
        """
        # The kernel has a line of weights for each output, the net a column.
        parts = (net.first, net.bias, net.second.T, net.offset)
        flat = np.concatenate([np.ascontiguousarray(part).ravel() for part in parts])
        if len(flat) != self.size or net.unit_count != self.hidden:
            raise ValueError(f"a net of {len(flat)} weights, where this game needs {self.size}")
        start = self.size if other else 0
        self.known.nets[start : start + self.size] = flat

    def export_net(self, facts: Mapping[str, Any]) -> Net:
        """The net that learns, as it stands."""
        count = int(self.known.table[at.INPUTS])
        lines = (
            self.known.nets[: (count + 1 + OUTPUTS) * self.hidden].reshape(-1, self.hidden).copy()
        )
        offset = self.known.nets[self.size - OUTPUTS : self.size].copy()
        extra = int(self.known.table[at.EXTRA])
        return Net(
            lines[:count], lines[count], lines[count + 1 :].T.copy(), offset, extra, dict(facts)
        )

    def learn_from_games(
        self,
        games: int,
        rate: float,
        trace: float,
        *,
        by: int = at.BY_NET,
        again: int = REPLAYS_PER_GAME,
    ) -> int:
        """Let the net learn from so many games of players with the policy `by`.

        Returns how many ended.
        """
        assign_policy(self.desk.book, by)
        return learn_by_self_play(
            self.known,
            self.desk,
            self.start,
            self.past,
            self.values,
            self.targets,
            games,
            MAX_TURNS,
            again,
            rate,
            trace,
        )

    def match_policies(self, games: int, second: int, *, first: int = at.BY_NET) -> Score:
        """Let two policies meet: the first uses the net that learns, the second the other net."""
        self.reset_score()
        play_games(self.known, self.desk, self.start, first, second, games, MAX_TURNS)
        return self.collect_score()

    def reset_score(self) -> None:
        """Begin to count games from zero."""
        self.desk.book[at.WON : at.WON + len(Score._fields)] = 0

    def collect_score(self) -> Score:
        """How the games counted so far have ended."""
        return Score(*map(int, self.desk.book[at.WON : at.WON + len(Score._fields)]))

    def reset_choices(self) -> None:
        """Begin to count throws and their choices from zero."""
        self.desk.book[at.THROWS : at.THROWS + at.COUNTERS] = 0

    def collect_choices(self) -> ChoiceCounts:
        """How much there was to choose in the throws counted so far."""
        return ChoiceCounts(
            *(
                int(self.desk.book[each])
                for each in (at.THROWS, at.CHOICES, at.CHOSEN_FROM, at.OFFERED)
            )
        )

    @property
    def overflows(self) -> int:
        """How often a search ran out of room, and so may have missed plays."""
        return int(self.desk.book[at.OVERFLOWS] + self.desk.other_book[at.OVERFLOWS])


def build_workshop(rules: Rules, net: Net | None, seed: int) -> Workshop:
    """Set a game up for players who share a net, if any, and learn nothing.

    Raises UnknownRuleError.
    """
    # The tables need a net of some size, even if nobody asks it.
    if net is None:
        return Workshop(rules, 1, seed)
    shop = Workshop(rules, net.unit_count, seed)
    shop.install_net(net)
    shop.install_net(net, other=True)
    return shop
