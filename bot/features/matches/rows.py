"""What the store of matches takes and gives: plain values, one dataclass per row.

Instants are milliseconds since 1970, UTC.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol, TypeAlias

from bot.platform.db.rows import Job, QueuedJob

DRAW = "draw"
"""The result that is neither side's."""


RATING_EDITION = 2
"""The edition of the rules by which matches are rated that begin now.

By the second, two people move each other's ratings only so often a day, and seasons have ratings.
"""
DELETED_CONTRIBUTION = "deleted"
"""What stands for a contribution that somebody deleted; all others begin with a number."""


class Leaderboard(NamedTuple):
    """One leaderboard: the scope and the pool of its ratings."""

    scope: str
    pool: str


class RatingKey(NamedTuple):
    """One rating: the scope (a server, or everywhere), the pool (a game, or all), the person."""

    scope: str
    pool: str
    person: int

    @property
    def board(self) -> Leaderboard:
        """The leaderboard to which it belongs."""
        return Leaderboard(self.scope, self.pool)


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A rating and the results it rests on."""

    mu: float
    sigma: float
    games: int
    won: int
    drawn: int
    lost: int
    updated: int


class SkillEstimate(Protocol):
    """What somebody's strength is believed to be: a mean and an uncertainty."""

    @property
    def mu(self) -> float:
        """The mean."""
        ...

    @property
    def sigma(self) -> float:
        """The uncertainty."""
        ...


class SkillValue(NamedTuple):
    """A mean and an uncertainty, as they were."""

    mu: float
    sigma: float


def build_skill_value(mu: float | None, sigma: float | None) -> SkillValue | None:
    """Return the belief in two columns; None for a newcomer, for whom they hold nothing."""
    return None if mu is None or sigma is None else SkillValue(mu, sigma)


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What a match did to one rating; `before` is None for the first."""

    key: RatingKey
    before: SkillEstimate | None
    after: SkillEstimate

    @property
    def is_still(self) -> bool:
        """Whether the rating is as it was: the match counts as played, and moves nothing."""
        return self.before is not None and (self.before.mu, self.before.sigma) == (
            self.after.mu,
            self.after.sigma,
        )


@dataclass(frozen=True, slots=True)
class RatingChangeWithSide(RatingChange):
    """What a match did to one rating, on which side that person played, and the day of a limit."""

    side: str
    day: int | None


def build_change(row: Mapping[str, Any]) -> RatingChange:
    """Return what a row of changes says."""
    key = RatingKey(row["scope"], row["pool"], row["person"])
    before = build_skill_value(row["before_mu"], row["before_sigma"])
    return RatingChange(key, before, SkillValue(row["after_mu"], row["after_sigma"]))


def build_change_with_side(row: Mapping[str, Any]) -> RatingChangeWithSide:
    """Return what a row of changes says, with the side and the day."""
    change = build_change(row)
    return RatingChangeWithSide(change.key, change.before, change.after, row["side"], row["day"])


Rate: TypeAlias = Callable[[Mapping[RatingKey, RatingRow]], Mapping[RatingKey, RatingRow]]
"""Turns the ratings before a result into those after it; it runs inside the transaction."""


Record: TypeAlias = Mapping[str, Any]
"""An event in its stored form, a JSON object."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at a table: side, number in the order of turns, person, and share in the dice."""

    side: str
    number: int
    person: int
    contribution: str


@dataclass(frozen=True, slots=True)
class EndedMatch:
    """A match that is over: its number and game, when it began and when it ended."""

    id: int
    game: str
    created: int
    ended: int


@dataclass(frozen=True, slots=True)
class FormerHolder:
    """A former holder of a seat, and the version of the match from which they left it."""

    side: str
    number: int
    person: int
    until: int


@dataclass(frozen=True, slots=True)
class Limits:
    """The most running matches and open challenges of a person; `exempt` people have no limit.

    `a_minute` is how many challenges they may make within a minute, `a_minute_here` how many
    everybody in their server may make together, and `an_hour_to_one` how many they may make to one
    person within an hour who accepts none of them; None for no limit.
    """

    running: int
    open: int
    exempt: frozenset[int] = frozenset()
    a_minute: int | None = None
    a_minute_here: int | None = None
    an_hour_to_one: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchBasis:
    """What a match is from its beginning on: `edition` of the game's rules, `dice` of the dice.

    That is the format of the dice's derivation. `contest` is the league or tournament and `ladder`
    the ladder to which it belongs, if to any. Somebody's days away stop their clock for `away_days`
    at most, or all of them if it is None. `posted_digits` are the hexadecimal digits of its
    commitment that were posted before the last seat was taken.
    """

    guild: int
    channel: int
    game: str
    edition: int
    options: Mapping[str, str]
    rated: bool
    secret: bytes = field(repr=False)
    commitment: str
    dice: int
    created: int
    pace: str = "none"
    contest: int | None = None
    ladder: int | None = None
    away_days: int | None = None
    posted_digits: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMatch(MatchBasis):
    """A match as it begins; `opening` is what has happened by then."""

    seats: Sequence[Seat]
    opening: "MatchUpdate | None" = None


@dataclass(frozen=True, slots=True)
class NewMatchResult:
    """The number of a match that has begun, and the jobs that follow."""

    match: int
    jobs: tuple[QueuedJob, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRow(MatchBasis):
    """A match; `version` counts its events, and `how` it ended is a slug whose words name `parts`.

    `message` carries the buttons of the turn; it was posted in `channel` at the version `since`,
    and shows the version `shown`. `notice` is a message there that calls somebody to act, until
    somebody has. `followed` says that somebody follows the match. `thread` is the thread that was
    opened for the match; `parent` is the channel that contains the thread if the match is shown in
    one. `swapped` says of a match that is over that the opening roll made people change sides:
    those in gold's seats played black. `rating_edition` is the edition of the rules by which it is
    rated. `proof_checked` is when all throws were recomputed for the last time, before somebody
    deleted what they had given to the dice, and `proof_throws` how many there were, None if one was
    wrong.
    """

    id: int
    message: int | None
    since: int
    shown: int
    version: int
    snapshot: Mapping[str, Any]
    touched: int
    ended: int | None
    winner: str | None
    how: str | None
    parts: Mapping[str, Any]
    notice: int | None
    followed: bool
    thread: int | None
    parent: int | None
    former: tuple[FormerHolder, ...]
    swapped: bool
    rating_edition: int
    proof_checked: int | None
    proof_throws: int | None
    seats: tuple[Seat, ...]

    def seats_at(self, version: int) -> tuple[Seat, ...]:
        """Return the seats with their holders at a version.

        At 0 these are the people who began, and gave to the dice.
        """
        if not self.former:
            return self.seats
        return tuple(replace(seat, person=self._find_holder(seat, version)) for seat in self.seats)

    def _find_holder(self, seat: Seat, version: int) -> int:
        left = (
            each for each in self.former if (each.side, each.number) == (seat.side, seat.number)
        )
        # They are stored in the order in which they left, so the first who left later had the seat.
        return next((each.person for each in left if version < each.until), seat.person)


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a moderator did, to which match of a server, and why: a line of the server's log.

    `people` are those concerned besides the match: the holder of an offered seat, and the one it
    was offered to.
    """

    guild: int
    at: int
    moderator: int
    action: str
    match: int
    reason: str
    people: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatTakeover:
    """Somebody takes the seat of another.

    Raises LimitExceededError if they have as many running matches as allowed.
    """

    side: str
    number: int
    person: int
    limits: Limits


@dataclass(frozen=True, slots=True)
class LiveMessage:
    """The live message of a match: its channel, the version when posted, and the one shown.

    `notice` is what still calls somebody to act there, `notice_before` what did when the match was
    read; `parent` is the channel of the thread, if it is in one.
    """

    message: int | None
    channel: int
    since: int
    shown: int
    notice: int | None = None
    parent: int | None = None
    notice_before: int | None = None


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event of a match, when it happened, who caused it and through which interaction."""

    version: int
    at: int
    person: int | None
    cause: str | None
    record: dict[str, Any]


@dataclass(frozen=True, slots=True)
class History:
    """All data of a match at one moment: its events, its rating changes, and the jobs that wait.

    `jobs` are the kinds of those, given up or not, whose key is the match's id.
    """

    row: MatchRow
    events: tuple[EventRow, ...]
    rated: tuple[RatingChangeWithSide, ...]
    jobs: frozenset[str]


@dataclass(frozen=True, slots=True)
class MatchRowState:
    """What a match's row should say by its events; `ended` is None while it goes on.

    Otherwise `ended` is when it ended.
    """

    snapshot: Mapping[str, Any]
    touched: int
    ended: int | None
    winner: str | None
    how: str | None
    parts: Mapping[str, Any]
    swapped: bool


@dataclass(frozen=True, slots=True)
class EndingUpdate:
    """How a match ended, and how its ratings change (`rate` is None for an unrated match).

    `how` is the slug of an ending, and `parts` what its words name; `sides` says on which side
    those who began were at its end, and `swapped` whether these are not the sides of their seats.
    `day` is the day on which their limit counts it. `annuls` says that the match is annulled, which
    is possible also when it is over: then it is taken out of the ratings, and the matches that
    ended after it are to be rated again as if it had not been played.
    """

    winner: str
    how: str
    rate: Rate | None = None
    keys: Sequence[RatingKey] = ()
    parts: Mapping[str, Any] = field(default_factory=dict)
    sides: Mapping[int, str] = field(default_factory=dict)
    swapped: bool = False
    annuls: bool = False
    day: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchUpdate:
    """What one action adds to a match: events after `expected_version`, by whom, why, and jobs.

    `person` is None if the clock did it; `ruling` is what the server's log keeps of it, `takeover`
    who takes whose seat.
    """

    expected_version: int
    records: Sequence[Record]
    person: int | None
    cause: str
    snapshot: Mapping[str, Any]
    now: int
    ending: EndingUpdate | None = None
    jobs: Sequence[Job] = ()
    ruling: Ruling | None = None
    takeover: SeatTakeover | None = None


@dataclass(frozen=True, slots=True)
class MatchUpdateResult:
    """Whether an action was applied, the version now, and what came with it.

    It is not applied if its cause had been before. `shown` is where and how the match's row says
    that it is shown: its fields by their names.
    """

    applied: bool
    version: int
    jobs: tuple[QueuedJob, ...] = ()
    shown: Mapping[str, Any] = field(default_factory=dict, compare=False)
