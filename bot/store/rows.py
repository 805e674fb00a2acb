"""What the store takes and gives: plain values, one dataclass a row. Instants are milliseconds since 1970, UTC."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

Record: TypeAlias = Mapping[str, Any]
"""An event in its stored form, a JSON object."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at a table: side, number in the order of its turns, who sits there, what they gave to the dice."""

    side: str
    number: int
    person: int
    contribution: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A challenge as it is made; `players` is how many a side."""

    guild: int
    channel: int
    challenger: int
    opponent: int | None
    side: str
    game: str
    options: Mapping[str, str]
    rated: bool
    players: int
    secret: bytes
    commitment: str
    created: int
    expires: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation(Offer):
    """A challenge as it stands: `open`, or `accepted`, `declined`, `withdrawn` or `lapsed`."""

    id: int
    message: int | None
    state: str
    match: int | None
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Joined:
    """A challenge after somebody took a seat, and the match that started if it was the last one."""

    invitation: Invitation
    match: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRow:
    """A match; `version` counts its events, `message` carries the buttons of the turn."""

    id: int
    guild: int
    channel: int
    message: int | None
    game: str
    rules_version: int
    options: Mapping[str, str]
    rated: bool
    secret: bytes
    commitment: str
    version: int
    snapshot: Mapping[str, Any]
    created: int
    touched: int
    ended: int | None
    winner: str | None
    by: str | None
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event of a match, when it happened, who caused it and through which interaction."""

    version: int
    at: int
    person: int | None
    cause: str | None
    record: dict[str, Any]


class RatingKey(NamedTuple):
    """One rating: the scope (a server, or everywhere), the pool (a game, or all), the person."""

    scope: str
    pool: str
    person: int


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


@dataclass(frozen=True, slots=True)
class Look:
    """How boards are drawn: the theme's name (None: what suits each board), who sits below, points numbered."""

    theme: str | None = None
    seat: str = "gold"
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What a match did to one rating; `before` is None for the first."""

    key: RatingKey
    before: RatingRow | None
    after: RatingRow


Rate: TypeAlias = Callable[[Mapping[RatingKey, RatingRow]], Mapping[RatingKey, RatingRow]]
"""Turns the ratings before a result into those after it; it runs inside the transaction."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended, and how its ratings change (`rate` is None for a match that is not rated)."""

    winner: str
    by: str
    rate: Rate | None = None
    keys: Sequence[RatingKey] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What one action adds to a match: events after `expected_version`, by whom and through which interaction."""

    expected_version: int
    records: Sequence[Record]
    person: int
    cause: str
    snapshot: Mapping[str, Any]
    now: int
    ending: Ending | None = None


@dataclass(frozen=True, slots=True)
class Appended:
    """Whether the action was applied (not if its cause had been before), the version now, and the rating changes."""

    applied: bool
    version: int
    ratings: tuple[RatingChange, ...] = ()
