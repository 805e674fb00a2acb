"""The proof of a match whose dice hold a contribution that somebody has deleted since.

Without it no throw can be recomputed. All were, just before it was deleted, and the result of that
is kept with the match.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.features.matches.loading import build_initial_match
from bot.features.matches.session import get_dice_name, list_contributions
from bot.store import DELETED_CONTRIBUTION, EventRow, MatchRow
from engine import dice
from engine.events import Battled, Event, Thrown, from_record
from engine.match import apply_unchecked

END_OF_TIME = 253_402_300_800_000
"""The first instant, in milliseconds, that no calendar shows: the year 10,000."""


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
