"""Which turn a message belongs to, and whether it still serves."""

from dataclasses import replace
from itertools import takewhile

from bot.features.matches.session import MatchSession, Transition
from bot.platform.computers import COMPUTERS
from engine.clock import find_turn
from engine.events import Battled, DrawOffered, TakenBack, Thrown, TurnTakenBack, is_forced
from engine.match import Phase


def list_new_transitions(session: MatchSession) -> tuple[Transition, ...]:
    """Return what has happened since the live message was posted."""
    return list_transitions(session, session.row.since, session.match.version)


def list_transitions(session: MatchSession, since: int, until: int) -> tuple[Transition, ...]:
    """Return what is remembered of the transitions from one version of a match to another."""
    return tuple(each for each in session.recent if since <= each.before.version < until)


def is_message_current(session: MatchSession) -> bool:
    """Whether the live message is that of the present turn: it is edited, and no new one posted.

    A take-back makes the message of the following turn that of the turn which goes on. What the
    computer does is shown in the message of the person who comes after it, so while it acts every
    message serves. That of the end serves for good.
    """
    if session.match.phase is Phase.OVER:
        # What follows the end, an annulment, is shown by an edit. Only if the end itself has not
        # been shown yet does it need a message of its own.
        unseen = list_transitions(session, session.row.shown, session.match.version)
        return all(each.before.phase is Phase.OVER for each in unseen)
    if session.is_computer_acting:
        return True
    if session.match.drawing is not None and _has_unseen_offer(session):
        # An edit notifies nobody, and whoever is offered a draw may not be the one to move.
        return False
    happened = list_new_transitions(session)
    begun = happened[0].before if happened else session.match
    unasked = len(list(takewhile(lambda each: _is_unprompted(session, each), happened)))
    # Alone against the computer the turn begins after what the computer did first.
    for each in happened[:unasked] if session.is_solo else ():
        begun = each.after
    for each in happened:
        if isinstance(each.event, TakenBack | TurnTakenBack):
            begun = each.after
    return find_turn(begun) == find_turn(session.match)


def _has_unseen_offer(session: MatchSession) -> bool:
    unseen = list_transitions(session, session.row.shown, session.match.version)
    return any(isinstance(each.event, DrawOffered) for each in unseen)


def list_shown_transitions(session: MatchSession) -> tuple[Transition, ...]:
    """Return what the message of the present turn tells."""
    # Who plays alone has read of their own throw in the message before.
    return list_new_transitions(session) or (() if session.is_solo else list_since_throw(session))


def find_start_version(session: MatchSession) -> int:
    """Return the version from which the next message shows what happened.

    Between people that is the version at which the message before was posted: the next player has
    not seen the play. Somebody who plays alone against the computer has, and reads in the next
    message what the computer did since.
    """
    if not session.is_solo or is_message_current(session):
        return session.row.since
    recent = session.recent
    asked = (at for at in reversed(range(len(recent))) if not _is_unprompted(session, recent[at]))
    last = next(asked, None)
    start = 0 if last is None else last + 1
    if last is not None:
        # What a throw or a part of a play left no choice about is told with it.
        side = recent[last].before.turn
        rest = takewhile(
            lambda each: is_forced(each.event) and each.before.turn is side, recent[start:]
        )
        start += len(list(rest))
    return session.match.version - len(recent) + start


def _is_unprompted(session: MatchSession, transition: Transition) -> bool:
    """Whether something happened without the person who plays alone.

    The computer did it, or it follows from the dice, which may have been thrown for them.
    """
    then = replace(session, match=transition.before)
    return (
        is_forced(transition.event)
        or isinstance(transition.event, Battled)
        or (isinstance(transition.event, Thrown) and then.is_thrown_for)
        or then.person_to_act in COMPUTERS
    )


def has_acted(session: MatchSession, version: int) -> bool:
    """Whether the match has gone on since a version, apart from what was done for the one to act.

    A draw that was offered to them does not count, either. What follows automatically from dice
    that were thrown for them has the instant of the throw.
    """
    happened = list_transitions(session, version, session.match.version)
    wanted = session.wants_throws
    thrown = {each.at for each in happened if wanted and isinstance(each.event, Thrown)}
    return not all(isinstance(each.event, DrawOffered) or each.at in thrown for each in happened)


def list_since_throw(session: MatchSession) -> tuple[Transition, ...]:
    """Return what has happened since the last throw, the throw included."""
    told: list[Transition] = []
    for each in reversed(session.recent):
        told.insert(0, each)
        if isinstance(each.event, Thrown):
            break
    return tuple(told)
