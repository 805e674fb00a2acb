"""What proves a match's dice beside its record: a league's secret, and a check made in the past.

The secret of a league's match is derived from one that was fixed before. Where somebody has deleted
a contribution since, no throw can be recomputed: all were, just before, and the result is kept.
"""

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from bot.features.matches.loading import build_initial_match
from bot.features.matches.rows import DELETED_CONTRIBUTION, EventRow, MatchRow
from bot.features.matches.session import MatchSession, get_dice_name, list_contributions
from bot.platform.context import App
from bot.platform.features import ExtensionPoint
from bot.platform.i18n.reader import Reader
from engine import dice
from engine.events import Battled, Event, Thrown, from_record
from engine.match import apply_unchecked

_HEXADECIMAL = re.compile(r"[0-9a-f]{64}")
"""What a commitment and a secret are in a record."""
END_OF_TIME = 253_402_300_800_000
"""The first instant, in milliseconds, that no calendar shows: the year 10,000."""


@dataclass(frozen=True, slots=True)
class SecretOrigin:
    """A league's secret by its commitment, and the number of the pairing whose match is meant.

    The `secret` is None until it is public, which is when the league is over. `posted_digits` are
    the digits of the commitment that were posted before anybody joined, None where a record does
    not say so.
    """

    commitment: str
    pairing: int
    # Not in the repr, so that no log or traceback shows what dice are made of.
    secret: bytes | None = field(default=None, repr=False)
    posted_digits: int | None = None

    @property
    def fits_commitment(self) -> bool:
        """Whether the secret is the one that was committed to; also while it is not known."""
        return self.secret is None or dice.compute_commitment(self.secret) == self.commitment

    def may_give(self, secret: bytes) -> bool:
        """Whether a match's secret is derived from this one; also while this one is not known."""
        return self.secret is None or dice.derive_match_secret(self.secret, self.pairing) == secret


LoadSecretOrigin: TypeAlias = Callable[[App, MatchSession], Awaitable[SecretOrigin | None]]
LoadDiceLines: TypeAlias = Callable[[App, Reader, MatchSession], Awaitable[tuple[str, ...]]]
SECRET_ORIGINS: ExtensionPoint[LoadSecretOrigin] = ExtensionPoint()
"""Where the secrets of matches come from that a feature has begun; None for other matches."""
DICE_LINES: ExtensionPoint[LoadDiceLines] = ExtensionPoint()
"""What the dice prove of matches that a feature has begun; nothing for other matches."""


async def load_secret_origin(app: App, session: MatchSession) -> SecretOrigin | None:
    """Return where a match's secret comes from; None if it was drawn for that match."""
    for load in SECRET_ORIGINS.list_functions():
        if origin := await load(app, session):
            return origin
    return None


async def load_dice_lines(app: App, say: Reader, session: MatchSession) -> tuple[str, ...]:
    """Return what a feature says of the dice of a match that it has begun; empty for others."""
    for load in DICE_LINES.list_functions():
        if lines := await load(app, say, session):
            return lines
    return ()


def encode_origin(origin: SecretOrigin) -> dict[str, Any]:
    """Return the part of a record that says where the match's secret comes from."""
    posted = {} if origin.posted_digits is None else {"posted": origin.posted_digits}
    known = {} if origin.secret is None else {"secret": origin.secret.hex()}
    return {"commitment": origin.commitment, **posted, "pairing": origin.pairing, **known}


def parse_origin(record: Mapping[str, Any]) -> SecretOrigin | None:
    """Read that part of a record; None if it has none, as its secret was drawn for the match.

    Raises TypeError or KeyError for what is no such part.
    """
    if "league" not in record:
        return None
    kept = record["league"]
    if not isinstance(kept, Mapping):
        raise TypeError("what it says of its league is no object")
    pairing = kept["pairing"]
    # In Python True is a number too.
    if not isinstance(pairing, int) or isinstance(pairing, bool) or pairing < 1:
        raise TypeError("its league's pairing is no number from 1")
    secret = bytes.fromhex(_parse_digits(kept, "secret")) if "secret" in kept else None
    posted = parse_posted_digits(kept)
    return SecretOrigin(_parse_digits(kept, "commitment"), pairing, secret, posted)


def parse_posted_digits(kept: Mapping[str, Any]) -> int | None:
    """Read how many digits of a commitment were posted beforehand; None where that is not said.

    Raises TypeError for what is no such number.
    """
    if "posted" not in kept:
        return None
    posted = kept["posted"]
    if type(posted) is not int or not 0 <= posted <= dice.COMMITMENT_DIGITS:
        raise TypeError(f"the digits posted are no number from 0 to {dice.COMMITMENT_DIGITS}")
    return posted


def _parse_digits(kept: Mapping[str, Any], name: str) -> str:
    digits = kept[name]
    if not isinstance(digits, str) or not _HEXADECIMAL.fullmatch(digits):
        raise TypeError(f"its league's {name} is not 64 hexadecimal digits")
    return digits


@dataclass(frozen=True, slots=True)
class PastCheck:
    """When the throws of a match were recomputed for the last time, and how many there were.

    `throws` is None if one of them was wrong.
    """

    at: int
    throws: int | None


def find_past_check(row: MatchRow) -> PastCheck | None:
    """Return what was checked before a contribution was deleted; None where all are there."""
    if DELETED_CONTRIBUTION not in list_contributions(row):
        return None
    return PastCheck(row.proof_checked or 0, row.proof_throws)


def encode_contributions(row: MatchRow) -> list[str | None]:
    """Return the contributions as a record has them: null is one that was deleted."""
    given = list_contributions(row)
    return [None if each == DELETED_CONTRIBUTION else each for each in given]


def encode_past_check(row: MatchRow) -> dict[str, Any]:
    """Return the part of a record that says what was checked before; nothing where all is there."""
    past = find_past_check(row)
    return {"checked": {"at": past.at, "throws": past.throws}} if past else {}


def parse_past_check(record: Mapping[str, Any]) -> PastCheck | None:
    """Read that part; raises KeyError, TypeError or ValueError where it is none."""
    if None not in record["contributions"]:
        return None
    at, throws = record["checked"]["at"], record["checked"]["throws"]
    if type(at) is not int or not 0 <= at < END_OF_TIME:
        raise ValueError("not a record of a match: it was checked at no instant")
    if throws is not None and (type(throws) is not int or throws < 0):
        raise ValueError("not a record of a match: what was checked is no number of throws")
    return PastCheck(at, throws)


def count_proved_throws(row: MatchRow, happened: Sequence[EventRow]) -> int | None:
    """Recompute every throw of a stored match, and return how many; None if one is wrong."""
    match = build_initial_match(row)
    name, given = get_dice_name(row), list_contributions(row)
    if dice.compute_commitment(row.secret) != row.commitment:
        return None
    count = 0
    for stored in happened:
        event = from_record(stored.record, match.rules.board)
        for offset, thrown in enumerate(list_throws(event)):
            due = dice.derive_throw(row.secret, name, given, match.drawn + offset, match.due_dice)
            if thrown != due:
                return None
            count += 1
        match = apply_unchecked(match, event)
    return count


def list_throws(event: Event) -> Iterator[tuple[int, ...]]:
    """Yield the throws of an event, in the order in which they were drawn."""
    match event:
        case Battled(gold, black):
            yield gold
            yield black
        case Thrown(dice=thrown):
            yield thrown
