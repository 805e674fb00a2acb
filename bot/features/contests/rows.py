"""Leagues as they are stored: their terms, who takes part, and who meets whom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum, auto

from bot.features.contests.standings import PairingResult
from bot.platform.db.rows import NewMatch, QueuedJob


class ContestState(StrEnum):
    """How far a league is: people sign up, it is played, it is over, or it was called off."""

    OPEN = auto()
    RUNNING = auto()
    OVER = auto()
    CANCELLED = auto()


UNFINISHED = (ContestState.OPEN, ContestState.RUNNING)
"""The states in which people can sign up for a league, or play in it."""


class UnfinishedRule(StrEnum):
    """What becomes of a match that both sides have played in when the time of a league is up."""

    EVALUATION = auto()
    DRAW = auto()


class RulingAction(StrEnum):
    """What an organiser does to a league."""

    START = auto()
    EXTEND = auto()
    REMOVE = auto()
    CANCEL = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewContest:
    """A league as somebody organises it; `starts` is when sign-up ends.

    With `repeats` the next season opens when it is over; `previous` is the season before.
    """

    guild: int
    channel: int
    name: str
    organiser: int
    game: str
    options: Mapping[str, str]
    rated: bool
    pace: str
    weeks: int
    unfinished: UnfinishedRule
    repeats: bool
    # Not in the repr, so that no log or traceback shows what the dice are made of.
    secret: bytes = field(repr=False)
    commitment: str
    created: int
    starts: int
    season: int = 1
    previous: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest(NewContest):
    """A league that is kept: `message` shows it, it `began` at its start, and `ends` by then."""

    id: int
    message: int | None
    began: int | None
    ends: int | None
    state: ContestState

    @property
    def is_unfinished(self) -> bool:
        """Whether people can sign up for it, or play in it."""
        return self.state in UNFINISHED


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who signed up, and what they gave to the dice; `left` is when they withdrew.

    From the start on they have a `division`, counted from 0, and a `seed`, counted in all.
    """

    person: int
    contribution: str
    joined: int
    division: int | None = None
    seed: int | None = None
    left: int | None = None


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two people who meet, numbered from 1 in their league; `first` sits down as gold."""

    number: int
    division: int
    first: int
    second: int
    match: int
    winner: int | None = None
    how: str | None = None

    @property
    def result(self) -> PairingResult:
        """What came of it."""
        return PairingResult(self.first, self.second, self.winner, self.how)

    @property
    def is_over(self) -> bool:
        """Whether its match is over."""
        return self.how is not None


@dataclass(frozen=True, slots=True)
class ContestRuling:
    """What an organiser did to a league, concerning which `person`, and why."""

    contest: int
    at: int
    moderator: int
    action: RulingAction
    reason: str
    person: int | None = None


@dataclass(frozen=True, slots=True)
class ContestView:
    """A league with all who take part, in the order of their seeds, and all who meet."""

    contest: Contest
    entrants: tuple[Entrant, ...]
    pairings: tuple[Pairing, ...] = ()
    rulings: tuple[ContestRuling, ...] = ()

    @property
    def present(self) -> tuple[Entrant, ...]:
        """Those who have not withdrawn."""
        return tuple(each for each in self.entrants if each.left is None)

    def find_entrant(self, person: int) -> Entrant | None:
        """Return somebody who takes part, or has withdrawn; None for anyone else."""
        return next((each for each in self.entrants if each.person == person), None)

    def list_divisions(self) -> list[tuple[Entrant, ...]]:
        """Return those who take part by division, the first first; none before the start."""
        numbers = sorted({each.division for each in self.entrants if each.division is not None})
        return [
            tuple(each for each in self.entrants if each.division == number) for number in numbers
        ]

    def list_pairings(self, division: int) -> list[Pairing]:
        """Return who meets whom in a division."""
        return [each for each in self.pairings if each.division == division]

    def list_own(self, person: int) -> list[Pairing]:
        """Return those in which somebody meets another."""
        return [each for each in self.pairings if person in (each.first, each.second)]

    def list_running(self, person: int | None = None) -> list[Pairing]:
        """Return those whose match goes on, of one person or of all."""
        own = self.pairings if person is None else self.list_own(person)
        return [each for each in own if not each.is_over]

    @property
    def is_secret_public(self) -> bool:
        """Whether the league's secret tells the throws of no match that goes on, or is to come."""
        return not self.contest.is_unfinished and not self.list_running()


@dataclass(frozen=True, slots=True)
class ContestChange:
    """Whether a league was changed, and the jobs that follow."""

    is_made: bool
    jobs: tuple[QueuedJob, ...] = ()


@dataclass(frozen=True, slots=True)
class LeagueTitle:
    """A league that somebody has won, and whether others share the first place."""

    contest: Contest
    is_shared: bool


@dataclass(frozen=True, slots=True)
class NewPairing:
    """Two people who are to meet in a division, and the match in which they do."""

    division: int
    first: int
    second: int
    beginning: NewMatch


@dataclass(frozen=True, slots=True)
class SeasonPlan:
    """How a season starts: who is in which division, in the order of the seeds, and who meets whom.

    `ends` is its deadline.
    """

    divisions: Sequence[Sequence[int]]
    pairings: Sequence[NewPairing]
    ends: int
