"""Hints: the best that somebody may do now, and who may ask for that."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.app import play
from bot.app.context import App
from bot.app.errors import Declined, Why
from bot.app.sitting import Sitting, require_player, require_running, require_turn
from engine.match import DECIDING, Match
from engine.players.worth import Prospect

MOST = 3
"""Things that a hint compares."""


@dataclass(frozen=True, slots=True)
class Hint:
    """The best things to do in a match as it stands, the best first."""

    sitting: Sitting
    best: Sequence[Prospect]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Somebody wants hints in a match between people, and the others must be asked.

    `first` says that the person had not allowed them before; those `missing` have not allowed them
    yet.
    """

    sitting: Sitting
    missing: Sequence[int]
    first: bool


async def hint(app: App, match: int, person: int) -> Hint | Wanted:
    """Return the best that a person may do, or who must allow hints first.

    Raises Declined if there are no hints.
    """
    sitting = await play.load(app, match)
    _require_hints(sitting, person)
    allowed = await _allowed(app, sitting)
    missing = _others(sitting, allowed | {person})
    if missing:
        return Wanted(sitting, missing, first=person not in allowed)
    if person not in allowed:
        await agree(app, sitting, person)
    require_turn(sitting, person)
    if not may_decide(sitting.match):
        raise Declined(Why.NOTHING_TO_DECIDE)
    return Hint(sitting, await app.minds.advice(sitting.match, MOST))


async def allow(app: App, match: int, person: int) -> Wanted:
    """Allow hints in a match, and return who has not yet; raises Declined if it has no hints."""
    sitting = await play.load(app, match)
    _require_hints(sitting, person)
    await agree(app, sitting, person)
    return Wanted(sitting, _others(sitting, await _allowed(app, sitting)), first=False)


async def agree(app: App, sitting: Sitting, person: int) -> None:
    """Keep that a person wants hints, unless they are alone with the computer."""
    if not sitting.alone:
        await app.store.hints.allow(sitting.id, person)


def has_hints(sitting: Sitting) -> bool:
    """Whether hints may be asked for without anybody else's leave."""
    return sitting.alone and not sitting.row.rated


def may_decide(match: Match) -> bool:
    """Whether there is more than one thing to do, so that one may be better."""
    return match.phase in DECIDING


def _require_hints(sitting: Sitting, person: int) -> None:
    """Raise Declined for a person who does not play, and for a rated match."""
    require_running(sitting)
    require_player(sitting, person)
    if sitting.row.rated:
        raise Declined(Why.NO_HINTS)


def _others(sitting: Sitting, allowed: frozenset[int]) -> Sequence[int]:
    """Return those who play and have not allowed hints."""
    return [person for person in sitting.people if person not in allowed]


async def _allowed(app: App, sitting: Sitting) -> frozenset[int]:
    """Return those who allow hints."""
    return frozenset() if sitting.alone else await app.store.hints.allowed(sitting.id)
