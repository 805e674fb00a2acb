"""Which turn a message belongs to, and whether it still serves."""

from dataclasses import replace
from itertools import takewhile

from bot.app.computer import COMPUTERS
from bot.app.sitting import Happening, Sitting
from bot.store import Habit
from engine.clock import turn_of
from engine.events import Battled, DrawOffered, Passed, TakenBack, Thrown
from engine.match import Phase


def since_posted(sitting: Sitting) -> tuple[Happening, ...]:
    """Return what has happened since the live message was posted."""
    return between(sitting, sitting.row.since, sitting.match.version)


def between(sitting: Sitting, since: int, until: int) -> tuple[Happening, ...]:
    """Return what is remembered of the happenings from one version of a match to another."""
    return tuple(each for each in sitting.recent if since <= each.before.version < until)


def serves(sitting: Sitting) -> bool:
    """Whether the live message is that of the present turn: it is edited, and no new one posted.

    A take-back makes the message of the following turn that of the turn which goes on. What the
    computer does is shown in the message of the person who comes after it, so while it acts every
    message serves. That of the end serves for good.
    """
    if sitting.match.phase is Phase.OVER:
        unseen = between(sitting, sitting.row.shown, sitting.match.version)
        return all(each.before.phase is Phase.OVER for each in unseen)
    if sitting.computer_acts:
        return True
    happened = since_posted(sitting)
    begun = happened[0].before if happened else sitting.match
    unasked = len(list(takewhile(lambda each: _unasked(sitting, each), happened)))
    for each in happened[:unasked] if sitting.alone else ():
        begun = each.after
    for each in happened:
        if isinstance(each.event, TakenBack):
            begun = each.after
    return turn_of(begun) == turn_of(sitting.match)


def told_from(sitting: Sitting) -> int:
    """Return the version from which the next message shows what happened.

    Between people that is the version at which the message before was posted: the next player has
    not seen the play. Somebody who plays alone against the computer has, and reads in the next
    message what the computer did since.
    """
    if not sitting.alone or serves(sitting):
        return sitting.row.since
    unasked = takewhile(lambda each: _unasked(sitting, each), reversed(sitting.recent))
    return sitting.match.version - len(list(unasked))


def _unasked(sitting: Sitting, happening: Happening) -> bool:
    """Whether something happened without the person.

    The computer did it, or no throw could have helped.
    """
    before = happening.before
    if isinstance(happening.event, Battled) or replace(sitting, match=before).to_act in COMPUTERS:
        return True
    return isinstance(happening.event, Passed) and before.phase is Phase.THROW


def acted(sitting: Sitting, version: int) -> bool:
    """Whether the match has gone on since a version, apart from what was done for the one to act.

    A draw that was offered to them does not count, either. What follows automatically from dice
    that were thrown for them has the instant of the throw.
    """
    happened = between(sitting, version, sitting.match.version)
    throws = sitting.habits.get(sitting.to_act, Habit()).throws
    thrown = {each.at for each in happened if throws and isinstance(each.event, Thrown)}
    return not all(isinstance(each.event, DrawOffered) or each.at in thrown for each in happened)


def last_throw(sitting: Sitting) -> tuple[Happening, ...]:
    """Return what has happened since the last throw, the throw included."""
    told: list[Happening] = []
    for each in reversed(sitting.recent):
        told.insert(0, each)
        if isinstance(each.event, Thrown):
            break
    return tuple(told)
