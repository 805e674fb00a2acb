"""Contests as they are stored: their terms, who takes part, and who meets whom.

A contest is a league or a tournament.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum, auto
from typing import Any

import sqlalchemy as sa

from bot.features.contests.standings import Bye, PairingResult
from bot.features.matches.rows import NewMatch
from bot.features.matches.tables import matches
from bot.platform.db import tables as db
from bot.platform.db.rows import QueuedJob

contests = sa.Table(
    "contests",
    db.metadata,
    sa.Column("id", db.BIG, sa.Identity(), primary_key=True, info=db.NUMBER),
    sa.Column("guild", db.BIG, nullable=False, info=db.PLACE),
    sa.Column("channel", db.BIG, nullable=False, info=db.PLACE),
    sa.Column("message", db.BIG, info=db.PLACE),
    sa.Column("name", sa.Text, nullable=False, info=db.TITLE),
    sa.Column(
        "organiser", db.BIG, sa.ForeignKey(db.people.c.id), nullable=False, info=db.PARTICIPANT
    ),
    sa.Column("format", sa.Text, nullable=False, server_default="league", info=db.RULES),
    sa.Column("game", sa.Text, nullable=False, info=db.RULES),
    sa.Column("more_games", db.DOCUMENT, nullable=False, server_default="[]", info=db.RULES),
    sa.Column("options", db.DOCUMENT, nullable=False, info=db.RULES),
    sa.Column("rated", db.Flag, nullable=False, info=db.RULES),
    sa.Column("pace", sa.Text, nullable=False, info=db.RULES),
    sa.Column("days", sa.Integer, nullable=False, info=db.NUMBER),
    sa.Column("rounds", sa.Integer, info=db.NUMBER),
    sa.Column("best_of", sa.Integer, nullable=False, server_default="1", info=db.NUMBER),
    sa.Column("third_place", db.Flag, nullable=False, server_default="0", info=db.RULES),
    sa.Column("role", db.BIG, info=db.PLACE),
    sa.Column("size", sa.Integer, info=db.NUMBER),
    sa.Column("late_entry", db.Flag, nullable=False, server_default="1", info=db.RULES),
    sa.Column("unfinished", sa.Text, nullable=False, info=db.RULES),
    sa.Column("repeats", db.Flag, nullable=False, info=db.RULES),
    sa.Column("season", sa.Integer, nullable=False, info=db.NUMBER),
    sa.Column("previous", db.BIG, sa.ForeignKey("contests.id"), unique=True, info=db.NUMBER),
    sa.Column("secret", sa.LargeBinary, nullable=False, info=db.SECRET),
    sa.Column("commitment", sa.Text, nullable=False, info=db.SECRET),
    sa.Column("created", db.BIG, nullable=False, info=db.INSTANT),
    sa.Column("starts", db.BIG, nullable=False, info=db.INSTANT),
    sa.Column("began", db.BIG, info=db.INSTANT),
    sa.Column("ends", db.BIG, info=db.INSTANT),
    sa.Column("closed_rounds", sa.Integer, nullable=False, server_default="0", info=db.NUMBER),
    sa.Column("paused", db.BIG, info=db.INSTANT),
    sa.Column("by_clock", db.Flag, nullable=False, server_default="0", info=db.RULES),
    sa.Column("away_days", sa.Integer, info=db.NUMBER),
    sa.Column("state", sa.Text, nullable=False, server_default="open", info=db.STATE),
    sa.Column("first_season", db.BIG, sa.ForeignKey("contests.id"), info=db.NUMBER),
    sa.Column("has_event", db.Flag, nullable=False, server_default=sa.text("0"), info=db.STATE),
    sa.Column("has_roles", db.Flag, nullable=False, server_default=sa.text("0"), info=db.STATE),
    sa.Column("event", db.BIG, info=db.PLACE),
    sa.Column("event_problem", sa.Text, info=db.STATE),
    sa.Column("roles_problem", sa.Text, info=db.STATE),
    sa.Column(
        "posted_digits", sa.Integer, nullable=False, server_default=sa.text("0"), info=db.NUMBER
    ),
    sa.Column(
        "shortfalls", sa.Integer, nullable=False, server_default=sa.text("0"), info=db.NUMBER
    ),
    sa.Column("unplayed", db.Flag, nullable=False, server_default=sa.text("0"), info=db.STATE),
    sa.Column("role_deleted", db.Flag, nullable=False, server_default=sa.text("0"), info=db.STATE),
    sa.Column("at_once", sa.Integer, nullable=False, server_default=sa.text("10"), info=db.NUMBER),
    sa.Column("starters", sa.Integer, info=db.NUMBER),
    sa.Column("edition", sa.Integer, nullable=False, server_default=sa.text("1"), info=db.NUMBER),
    sa.Column("closing", db.BIG, info=db.PLACE),
    sa.Index("contests_of", "guild"),
    sa.Index("contests_by", "organiser"),
    sa.Index("contest_events", "event", unique=True),
    info=db.SHARED_RECORD,
)

# Literal, as in the index: with parameters SQLite would not see that the two are the same.
IS_UNFINISHED = contests.c.state.in_([sa.literal_column("'open'"), sa.literal_column("'running'")])
"""Whether people can sign up for a contest, or play in it."""

sa.Index(
    # Partial, so that it stays small however many are over.
    "unfinished_contests",
    contests.c.state,
    **db.where("state IN ('open', 'running')"),
)


entrants = sa.Table(
    "entrants",
    db.metadata,
    sa.Column("contest", db.BIG, sa.ForeignKey(contests.c.id), nullable=False, info=db.NUMBER),
    sa.Column("person", db.BIG, sa.ForeignKey(db.people.c.id), nullable=False, info=db.PARTICIPANT),
    sa.Column(
        "contribution",
        sa.Text,
        nullable=False,
        info=db.declare_impersonal("the number that Discord gave to a press or a command"),
    ),
    sa.Column("joined", db.BIG, nullable=False, info=db.INSTANT),
    sa.Column("division", sa.Integer, info=db.NUMBER),
    sa.Column("seed", sa.Integer, info=db.NUMBER),
    sa.Column("left", db.BIG, info=db.INSTANT),
    sa.Column("replaces", db.BIG, sa.ForeignKey(db.people.c.id), info=db.PARTICIPANT),
    sa.Column("departure", sa.Text, info=db.STATE),
    sa.Column("back_after", sa.Integer, info=db.NUMBER),
    sa.PrimaryKeyConstraint("contest", "person"),
    sa.Index("entrants_of", "person"),
    # Partial, since few take the place of somebody.
    sa.Index("entrants_replacing", "replaces", **db.where_known("replaces")),
    info=db.SHARED_DETAIL,
)


pairings = sa.Table(
    "pairings",
    db.metadata,
    sa.Column("contest", db.BIG, sa.ForeignKey(contests.c.id), nullable=False, info=db.NUMBER),
    sa.Column("number", sa.Integer, nullable=False, info=db.NUMBER),
    sa.Column("division", sa.Integer, nullable=False, info=db.NUMBER),
    sa.Column("round", sa.Integer, nullable=False, server_default="1", info=db.NUMBER),
    sa.Column("board", sa.Integer, nullable=False, server_default="1", info=db.NUMBER),
    sa.Column("first", db.BIG, sa.ForeignKey(db.people.c.id), nullable=False, info=db.PARTICIPANT),
    sa.Column("second", db.BIG, sa.ForeignKey(db.people.c.id), nullable=False, info=db.PARTICIPANT),
    sa.Column(
        "match", db.BIG, sa.ForeignKey(matches.c.id), nullable=False, unique=True, info=db.NUMBER
    ),
    sa.Column("winner", db.BIG, sa.ForeignKey(db.people.c.id), info=db.PARTICIPANT),
    sa.Column("how", sa.Text, info=db.OUTCOME),
    sa.Column("optional", db.Flag, nullable=False, server_default=sa.text("0"), info=db.STATE),
    sa.PrimaryKeyConstraint("contest", "number"),
    sa.Index("pairings_of_first", "first"),
    sa.Index("pairings_of_second", "second"),
    sa.Index("pairings_won", "winner"),
    info=db.SHARED_DETAIL,
)


byes = sa.Table(
    "byes",
    db.metadata,
    sa.Column("contest", db.BIG, sa.ForeignKey(contests.c.id), nullable=False, info=db.NUMBER),
    sa.Column("round", sa.Integer, nullable=False, info=db.NUMBER),
    sa.Column("person", db.BIG, sa.ForeignKey(db.people.c.id), nullable=False, info=db.PARTICIPANT),
    sa.Column("half_points", sa.Integer, nullable=False, info=db.NUMBER),
    sa.PrimaryKeyConstraint("contest", "round", "person"),
    sa.Index("byes_of", "person"),
    info=db.SHARED_DETAIL,
)


rulings = sa.Table(
    "contest_rulings",
    db.metadata,
    sa.Column("id", db.BIG, sa.Identity(), primary_key=True, info=db.NUMBER),
    sa.Column("contest", db.BIG, sa.ForeignKey(contests.c.id), nullable=False, info=db.NUMBER),
    sa.Column("at", db.BIG, nullable=False, info=db.INSTANT),
    sa.Column(
        "moderator", db.BIG, sa.ForeignKey(db.people.c.id), nullable=False, info=db.PARTICIPANT
    ),
    sa.Column("action", sa.Text, nullable=False, info=db.STATE),
    sa.Column("person", db.BIG, sa.ForeignKey(db.people.c.id), info=db.PARTICIPANT),
    sa.Column("reason", sa.Text, nullable=False, info=db.REASON),
    sa.Index("contest_rulings_about", "contest"),
    sa.Index("contest_rulings_by", "moderator"),
    sa.Index("contest_rulings_against", "person", **db.where_known("person")),
    info=db.SHARED_DETAIL,
)


roles = sa.Table(
    "contest_roles",
    db.metadata,
    sa.Column("contest", db.BIG, sa.ForeignKey(contests.c.id), nullable=False, info=db.NUMBER),
    sa.Column("place", sa.Integer, nullable=False, info=db.NUMBER),
    sa.Column("after", db.BIG, nullable=False, info=db.PLACE),
    sa.Column("role", db.BIG, unique=True, info=db.PLACE),
    sa.PrimaryKeyConstraint("contest", "place"),
    info=db.SERVERS_OWN,
)


role_holders = sa.Table(
    "contest_role_holders",
    db.metadata,
    sa.Column("contest", db.BIG, sa.ForeignKey(contests.c.id), nullable=False, info=db.NUMBER),
    sa.Column("place", sa.Integer, nullable=False, info=db.NUMBER),
    sa.Column("person", db.BIG, sa.ForeignKey(db.people.c.id), nullable=False, info=db.OWNER),
    sa.Column("is_given", db.Flag, nullable=False, server_default=sa.text("0"), info=db.STATE),
    sa.PrimaryKeyConstraint("contest", "place", "person"),
    sa.Index("contest_role_holders_by_person", "person"),
    info=db.declare_server(db.ServerErasure.DELETED, exported=False),
)


class ContestFormat(StrEnum):
    """By which rule people meet: all at once in divisions or in one table, or round by round.

    `formats` has an object for each, and offers them in this order.
    """

    LEAGUE = auto()
    KNOCK_OUT = "knock-out"
    SWISS = auto()
    ROUND_ROBIN = "round-robin"


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


SIDE_BY_SIDE = 10
"""Matches of a person in a contest that go on side by side, unless its organiser chooses."""
UNFINISHED = (ContestState.OPEN, ContestState.RUNNING)
"""The states in which people can sign up for a contest, or play in it."""


class UnfinishedRule(StrEnum):
    """What becomes of a match that both sides have played in when its time is up."""

    EVALUATION = auto()
    CLOCK = auto()
    DRAW = auto()


class ServerProblem(StrEnum):
    """Why a contest's event or roles in its server are missing, or not up to date."""

    NO_EVENT_PERMISSION = auto()
    TOO_MANY_EVENTS = auto()
    NO_ROLE_PERMISSION = auto()
    ROLE_TOO_HIGH = auto()
    TOO_MANY_ROLES = auto()


class Departure(StrEnum):
    """Why somebody was withdrawn from a contest: by Discord they could not play in it any more."""

    SERVER = auto()
    ROLE = auto()
    SIGHT = auto()


class RulingAction(StrEnum):
    """What an organiser does to a contest."""

    START = auto()
    EXTEND = auto()
    REMOVE = auto()
    REPLACE = auto()
    READMIT = auto()
    PAUSE = auto()
    RESUME = auto()
    CANCEL = auto()

    @property
    def needs_reason(self) -> bool:
        """Whether it takes something from somebody, who may ask why."""
        return self in (RulingAction.REMOVE, RulingAction.REPLACE, RulingAction.CANCEL)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestSettings:
    """How a contest goes, whoever organises it, wherever and whenever.

    A round lasts for so many `days` at most; leagues and round robins have one. `rounds` is how
    many a Swiss has, None for as many as suit those who join. In a knock-out people meet for the
    best of so many matches, and with `third_place` for that too. Only those with the `role` can
    join, so many as its `size` at most, and with `late_entry` also while it is played. Vacations
    stop a clock for `away_days` in each match at most, None for as long as elsewhere. Where
    everyone meets everyone, at most `at_once` matches of a person go on side by side, and the
    others begin as these end. With `repeats` a league's next season opens when it is over. With
    `has_event` and `has_roles` the bot keeps an event, and roles for its players, in the server.
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
    at_once: int = SIDE_BY_SIDE
    unfinished: UnfinishedRule
    repeats: bool = False
    has_event: bool = False
    has_roles: bool = False

    @property
    def is_tournament(self) -> bool:
        """Whether it is a tournament, and no league."""
        return self.format in TOURNAMENTS

    def get_settings(self) -> dict[str, Any]:
        """Return these fields by name, for another contest with the same."""
        return {each.name: getattr(self, each.name) for each in fields(ContestSettings)}


@dataclass(frozen=True, slots=True, kw_only=True)
class NewContest(ContestSettings):
    """A contest as somebody organises it; `starts` is when sign-up ends.

    `previous` is the season before, and `first_season` is None for the first. `edition` says by
    which rules its tables are made.
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
    edition: int = 1

    @property
    def games(self) -> tuple[str, ...]:
        """What is played in it, the first game first."""
        return (self.game, *self.more_games)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest(NewContest):
    """A contest that is kept: `message` shows it, and it `began` at its start.

    `ends` is the deadline of the round that is played, and `closed_rounds` how many are over, by
    their results or their deadlines. Since `paused` no time runs in it. `event`
    is Discord's id of its event. `posted_digits` are the hexadecimal digits of its commitment that
    were posted before anybody joined. `starters` is how many took part at the start, None in what
    began with all its matches at once. `closing` is the message that announced its end.
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
    shortfalls: int = 0
    unplayed: bool = False
    role_deleted: bool = False
    starters: int | None = None
    closing: int | None = None

    @property
    def series(self) -> int:
        """The number of its first season, under which its roles are kept."""
        return self.first_season or self.id

    @property
    def is_series(self) -> bool:
        """Whether it is a season of several, so that it waits where too few have joined."""
        return self.repeats or self.previous is not None

    @property
    def is_joinable(self) -> bool:
        """Whether people can sign up for it at this moment."""
        return self.state is ContestState.OPEN and not self.is_waiting and not self.is_starting

    @property
    def is_running(self) -> bool:
        """Whether people play in it."""
        return self.state is ContestState.RUNNING

    @property
    def is_unfinished(self) -> bool:
        """Whether people can sign up for it, or play in it."""
        return self.state in UNFINISHED

    @property
    def is_waiting(self) -> bool:
        """Whether nobody can sign up for it until its organisers open it again."""
        return self.state is ContestState.OPEN and self.shortfalls > 1

    @property
    def is_starting(self) -> bool:
        """Whether its people are divided, and some of their matches are still to be created."""
        return self.state is ContestState.OPEN and self.began is not None


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who signed up, and what they gave to the dice; `left` is when they withdrew.

    From the start on they have a `division`, counted from 0, and a `seed`, counted in all. Who has
    come in somebody's place `replaces` them. A `departure` is why they were withdrawn, None if they
    withdrew or were removed. After the round `back_after` they said that they are back.
    """

    person: int
    contribution: str
    joined: int
    division: int | None = None
    seed: int | None = None
    left: int | None = None
    replaces: int | None = None
    departure: Departure | None = None
    back_after: int | None = None

    @property
    def is_enrolled(self) -> bool:
        """Whether they were signed up with last season's players, and did not join themselves."""
        return " " in self.contribution


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two people who meet, numbered from 1 in their contest; `first` sits down as gold.

    Rounds count from 1, and so do the boards of one round, which in a knock-out are the places of
    its bracket. The `game` is that of the match. Either of the two may take an `optional` one as
    unplayed, since one of them has blocked the other.
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
    game: str = ""
    optional: bool = False

    @property
    def pair(self) -> frozenset[int]:
        """The two, whoever of them is the first."""
        return frozenset((self.first, self.second))

    @property
    def result(self) -> PairingResult:
        """What came of it."""
        return PairingResult(self.first, self.second, self.winner, self.how)

    @property
    def is_over(self) -> bool:
        """Whether its match is over."""
        return self.how is not None

    @property
    def is_left_out(self) -> bool:
        """Whether one of the two took it as unplayed."""
        return self.optional and self.result.is_annulled


@dataclass(frozen=True, slots=True)
class ContestRuling:
    """What an organiser did to a contest, concerning which `person`, and why."""

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

    def find_pairing(self, match: int) -> Pairing | None:
        """Return the pairing of a match; None if the match is not of this contest."""
        return next((each for each in self.pairings if each.match == match), None)

    def list_divisions(self) -> list[tuple[Entrant, ...]]:
        """Return those who take part by division, the first first; none before the start."""
        numbers = sorted({each.division for each in self.entrants if each.division is not None})
        return [
            tuple(each for each in self.entrants if each.division == number) for number in numbers
        ]

    def list_own(self, person: int) -> list[Pairing]:
        """Return those in which somebody meets another."""
        return [each for each in self.pairings if person in (each.first, each.second)]

    def list_running(self, person: int | None = None) -> list[Pairing]:
        """Return those whose match goes on, of one person or of all."""
        own = self.pairings if person is None else self.list_own(person)
        return [each for each in own if not each.is_over]

    @property
    def last_number(self) -> int:
        """The highest number of a pairing; 0 where there is none."""
        return max((each.number for each in self.pairings), default=0)

    def list_removed(self) -> list[int]:
        """Return whom organisers removed, and neither replaced nor let back in."""
        latest = {each.person: each.action for each in self.rulings}
        return [
            each.person
            for each in self.entrants
            if each.left is not None and latest.get(each.person) is RulingAction.REMOVE
        ]

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
        """Whether the contest's secret tells the throws of no match that goes on, or is to come."""
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
class CompetitionChange:
    """Whether a contest or a ladder was changed, and the jobs that follow.

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
    """Two people who are to meet in a division, and the match in which they do.

    Its `number` is None for the next one after those that there are.
    """

    division: int
    first: int
    second: int
    beginning: NewMatch
    round: int = 1
    board: int = 1
    number: int | None = None
    optional: bool = False

    def get_opponent(self, person: int) -> int:
        """Return the other of the two."""
        return self.second if person == self.first else self.first


@dataclass(frozen=True, slots=True)
class SeasonPlan:
    """How a contest starts: who is in which division, in the order of seeds, and who meets whom.

    `ends` is the deadline of what is played first. `format` and `rounds` are what it is played by,
    which may be another format than was announced. Of very many pairings it has only the next to be
    stored, and is not complete. `days` are how long it lasts, None for as long as was announced.
    """

    divisions: Sequence[Sequence[int]]
    pairings: Sequence[NewPairing]
    ends: int
    byes: Sequence[Bye] = ()
    format: ContestFormat = ContestFormat.LEAGUE
    rounds: int | None = None
    is_complete: bool = True
    days: int | None = None


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
