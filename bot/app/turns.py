"""Which turn a message belongs to, and whether it still serves."""

from typing import TypeAlias

from bot.app.sitting import Happening, Sitting
from engine.events import TakenBack
from engine.match import Match, Phase
from engine.position import Side

Turn: TypeAlias = tuple[int, Side, int]
"""A throw by its number, and the side and player who act on it."""

_BEFORE_THE_THROW = (Phase.BATTLE, Phase.OPENING, Phase.CONTEST, Phase.BREAK, Phase.THROW)


def turn_of(match: Match) -> Turn | None:
    """Return the turn that a match is at; None when it is over."""
    if match.phase is Phase.OVER:
        return None
    throw = match.drawn if match.phase in _BEFORE_THE_THROW else match.drawn - 1
    return throw, *match.acting


def since_posted(sitting: Sitting) -> tuple[Happening, ...]:
    """Return what has happened since the live message was posted."""
    return between(sitting, sitting.row.since, sitting.match.version)


def between(sitting: Sitting, since: int, until: int) -> tuple[Happening, ...]:
    """Return what is remembered of the happenings from one version of a match to another."""
    return tuple(each for each in sitting.recent if since <= each.before.version < until)


def serves(sitting: Sitting) -> bool:
    """Whether the live message is that of the present turn, so that it is edited rather than followed by a new one.

    A move that is taken back makes the message of the turn after it that of the turn which goes on.
    """
    happened = since_posted(sitting)
    begun = happened[0].before if happened else sitting.match
    for each in happened:
        if isinstance(each.event, TakenBack):
            begun = each.after
    return turn_of(begun) == turn_of(sitting.match)
