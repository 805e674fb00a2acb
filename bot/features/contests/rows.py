"""Contests as they are stored: their terms, who takes part, and who meets whom.

A contest is a league or a tournament.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum, auto
from typing import Any

from bot.features.contests.standings import Bye, PairingResult
from bot.platform.db.rows import NewMatch, QueuedJob


class ContestFormat(StrEnum):
    """By which rule people meet: all at once in divisions or in one table, or round by round."""

    LEAGUE = auto()
    ROUND_ROBIN = "round-robin"
    SWISS = auto()
    KNOCK_OUT = "knock-out"


LEAGUES = frozenset({ContestFormat.LEAGUE})
"""What `/league` is about."""
TOURNAMENTS = frozenset(ContestFormat) - LEAGUES
"""What `/tournament` is about."""


class ContestState(StrEnum):
    """How far a contest is: people sign up, it is played, it is over, or it was called off."""

    OPEN = auto()
    RUNNING = auto()
    OVER = auto()
    CANCELLED = auto()


UNFINISHED = (ContestState.OPEN, ContestState.RUNNING)
"""The states in which people can sign up for a contest, or play in it."""


class UnfinishedRule(StrEnum):
    """What becomes of a match that both sides have played in when its time is up."""

    EVALUATION = auto()
    CLOCK = auto()
    DRAW = auto()


class ServerProblem(StrEnum):
    """Why a league's event or roles in its server are missing, or not up to date."""

    NO_EVENT_PERMISSION = auto()
    TOO_MANY_EVENTS = auto()
    NO_ROLE_PERMISSION = auto()
    ROLE_TOO_HIGH = auto()
    TOO_MANY_ROLES = auto()


class RulingAction(StrEnum):
    """What an organiser does to a contest."""

    START = auto()
    EXTEND = auto()
    REMOVE = auto()
    REPLACE = auto()
    PAUSE = auto()
    RESUME = auto()
    CANCEL = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestSettings:
    """How a contest goes, whoever organises it, wherever and whenever.

    A round lasts for so many `days` at most; leagues and round robins have one. `rounds` is how
    many a Swiss has, None for as many as suit those who join. In a knock-out people meet for the
    best of so many matches, and with `third_place` for that too. Only those with the `role` can
    join, so many as its `size` at most, and with `late_entry` also while it is played. Vacations
    stop a clock for `away_days` in each match at most, None for as long as elsewhere. With
    `repeats` a league's next season opens when it is over. With `has_event` and `has_roles` the
    bot keeps an event, and roles for its players, in the server.
    """

    format: ContestFormat = ContestFormat.LEAGUE
    days: int
    rounds: int | None = None
    best_of: int = 1
    third_place: bool = False
    role: int | None = None
    size: int | None = None
    away_days: int | None = None
    late_entry: bool = True
    unfinished: UnfinishedRule
    repeats: bool = False
    has_event: bool = False
    has_roles: bool = False

    def get_settings(self) -> dict[str, Any]:
        """Return these fields by name, for another contest with the same."""
        return {each.name: getattr(self, each.name) for each in fields(ContestSettings)}


@dataclass(frozen=True, slots=True, kw_only=True)
class NewContest(ContestSettings):
    """A contest as somebody organises it; `starts` is when sign-up ends.

    `previous` is the season before, and `first_season` is None for the first.
    """

    guild: int
    channel: int
    name: str
    organiser: int
    game: str
    more_games: Sequence[str] = ()
    options: Mapping[str, str]
    rated: bool
    pace: str
    # Not in the repr, so that no log or traceback shows what the dice are made of.
    secret: bytes = field(repr=False)
    commitment: str
    created: int
    starts: int
    season: int = 1
    previous: int | None = None
    first_season: int | None = None

    @property
    def games(self) -> tuple[str, ...]:
        """What is played in it, the first game first."""
        return (self.game, *self.more_games)

    @property
    def is_tournament(self) -> bool:
        """Whether it is a tournament, and no league."""
        return self.format in TOURNAMENTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest(NewContest):
    """A contest that is kept: `message` shows it, and it `began` at its start.

    `ends` is the deadline of the round that is played, and `closed_rounds` how many are over, by
    their results or their deadlines. Since `paused` no time runs in it. `event`
    is Discord's id of its event. `posted_digits` are the hexadecimal digits of its commitment that
    were posted before anybody joined.
    """

    id: int
    message: int | None
    began: int | None
    ends: int | None
    closed_rounds: int
    paused: int | None
    state: ContestState
    event: int | None
    event_problem: ServerProblem | None
    roles_problem: ServerProblem | None
    posted_digits: int = 0

    @property
    def series(self) -> int:
        """The number of its first season, under which its roles are kept."""
        return self.first_season or self.id

    @property
    def is_running(self) -> bool:
        """Whether people play in it."""
        return self.state is ContestState.RUNNING

    @property
    def is_unfinished(self) -> bool:
        """Whether people can sign up for it, or play in it."""
        return self.state in UNFINISHED

    @property
    def is_starting(self) -> bool:
        """Whether its people are divided, and some of their matches are still to be created."""
        return self.state is ContestState.OPEN and self.began is not None


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who signed up, and what they gave to the dice; `left` is when they withdrew.

    From the start on they have a `division`, counted from 0, and a `seed`, counted in all. Who has
    come in somebody's place `replaces` them.
    """

    person: int
    contribution: str
    joined: int
    division: int | None = None
    seed: int | None = None
    left: int | None = None
    replaces: int | None = None


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two people who meet, numbered from 1 in their contest; `first` sits down as gold.

    Rounds count from 1, and so do the boards of one round, which in a knock-out are the places of
    its bracket.
    """

    number: int
    division: int
    round: int
    board: int
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
    """A contest with all who take part, in the order of their seeds, and all who meet."""

    contest: Contest
    entrants: tuple[Entrant, ...]
    pairings: tuple[Pairing, ...] = ()
    byes: tuple[Bye, ...] = ()
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

    def find_free_place(self) -> Entrant | None:
        """Return somebody who was taken out so that another plays in their place; None if none."""
        taken = {each.replaces for each in self.entrants}
        freed = [each.person for each in self.rulings if each.action is RulingAction.REPLACE]
        return next(
            (self.find_entrant(person) for person in freed if person not in taken if person), None
        )

    @property
    def round(self) -> int:
        """The latest round that has begun; 0 before the start."""
        begun = [each.round for each in self.pairings] + [each.round for each in self.byes]
        return max(begun, default=0)

    @property
    def is_secret_public(self) -> bool:
        """Whether the league's secret tells the throws of no match that goes on, or is to come."""
        return not self.contest.is_unfinished and not self.list_running()


@dataclass(frozen=True, slots=True)
class ContestRole:
    """A role of a league: for its champion, or at the place 1 for the first division, and so on.

    Without `role` it is being made, which Discord does with an id above `after`. The holders have
    it, or where that is False are being given it.
    """

    place: int
    after: int
    role: int | None
    holders: Mapping[int, bool]


CHAMPION = 0
"""The place of the champion's role."""


@dataclass(frozen=True, slots=True)
class ContestChange:
    """Whether a league was changed, and the jobs that follow.

    A change that is made in several transactions is complete with the last of them.
    """

    is_made: bool
    jobs: tuple[QueuedJob, ...] = ()
    is_complete: bool = True


@dataclass(frozen=True, slots=True)
class ContestTitle:
    """A contest that somebody has won, and whether others share the first place."""

    contest: Contest
    is_shared: bool


@dataclass(frozen=True, slots=True)
class NewPairing:
    """Two people who are to meet in a division, and the match in which they do."""

    division: int
    first: int
    second: int
    beginning: NewMatch
    round: int = 1
    board: int = 1


@dataclass(frozen=True, slots=True)
class SeasonPlan:
    """How a contest starts: who is in which division, in the order of seeds, and who meets whom.

    `ends` is the deadline of what is played first. `format` and `rounds` are what it is played by,
    which may be another format than was announced. Of very many pairings it has only the next to be
    stored, and is not complete.
    """

    divisions: Sequence[Sequence[int]]
    pairings: Sequence[NewPairing]
    ends: int
    byes: Sequence[Bye] = ()
    format: ContestFormat = ContestFormat.LEAGUE
    rounds: int | None = None
    is_complete: bool = True


@dataclass(frozen=True, slots=True)
class LatePlan:
    """In which division somebody is who comes late, whom they meet there, and their byes.

    `replaces` is in whose place they come.
    """

    division: int
    pairings: Sequence[NewPairing] = ()
    byes: Sequence[Bye] = ()
    replaces: int | None = None


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """How a contest goes on: who meets whom next, who has a bye, and until when they play.

    `closed_rounds` are over, and with `is_over` all is.
    """

    pairings: Sequence[NewPairing] = ()
    byes: Sequence[Bye] = ()
    closed_rounds: int = 0
    ends: int | None = None
    is_over: bool = False
