"""How a match ends by what people say or by its clock, and draws that are offered."""

from bot.features.matches import clock as clocks
from bot.features.matches.service import Action, ActionResult, apply_action, require_side
from bot.features.matches.session import MatchSession
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.people import CLOCK
from engine.events import (
    Abandoned,
    Aborted,
    Concluded,
    DrawAgreed,
    DrawDeclined,
    DrawOffered,
    Event,
    Resigned,
    TimedOut,
)
from engine.match import BOTH_THROW_PHASES


async def resign_match(app: App, action: Action) -> ActionResult:
    """Give up a match."""

    return await apply_action(
        app, action, lambda session: Resigned(require_side(session, action.person.id))
    )


async def abort_match(app: App, action: Action) -> ActionResult:
    """Leave a match within its first two turns, as if it had not been.

    Raises DeclinedError for a match of a league or ladder, which counts from the beginning.
    """

    def decide(session: MatchSession) -> Event:
        side = require_side(session, action.person.id)
        if session.row.contest is not None or session.row.ladder is not None:
            raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
        return Aborted(side)

    return await apply_action(app, action, decide)


async def offer_draw(app: App, action: Action) -> ActionResult:
    """Offer a draw, or accept the one that one's side is offered."""

    def decide(session: MatchSession) -> Event:
        side = require_side(session, action.person.id)
        # Two offers that cross are an agreement, so an offer in answer to an offer accepts it.
        return DrawAgreed(side) if session.match.drawing is side.other else DrawOffered(side)

    return await apply_action(app, action, decide)


async def claim_match(app: App, action: Action) -> ActionResult:
    """Claim the match against a side that is out of time."""

    def decide(session: MatchSession) -> Event:
        clocks.require_opponent_late(session, action.person.id)
        return _decide_timeout(session)

    return await apply_action(app, action, decide)


def _decide_timeout(session: MatchSession) -> Event:
    """Return how a match ends whose side is out of time.

    Who never came to a match of a league, which nobody agreed to by a press, forfeits it: that is
    not rated.
    """
    late = session.match.turn
    if session.row.contest is not None and session.match.may_abort():
        return Concluded(late.other, forfeited=True)
    return TimedOut(late)


async def close_match(app: App, session: MatchSession) -> ActionResult:
    """End a match whose side is out of time without a claim, or that nobody has touched for long.

    Raises StaleMatchError or DeclinedError if the match has moved on or has time left after all.
    """
    version = session.match.version

    def decide(current: MatchSession) -> Event:
        # Decided again under the lock: since the job looked, time may have been granted, an outage
        # noted, or a clock set back that was wrong when the job looked.
        found = clocks.compute_deadlines(current)
        ends = found.ends if found else current.row.touched + clocks.IDLE_LIMIT_MS
        if not current.certain or current.now < ends:
            raise DeclinedError(DeclineReason.TIME_LEFT, match=current.id)
        return _decide_timeout(current) if found else _decide_idle(current)

    return await apply_action(app, Action(session.id, CLOCK, f"clock {version}", version), decide)


def _decide_idle(session: MatchSession) -> Event:
    """Return how a match ends that nobody has touched for long.

    On a ladder whoever it waits for has left it, and forfeits it; where it waits for both, both do.
    """
    if session.row.ladder is None:
        return Abandoned()
    if session.match.phase in BOTH_THROW_PHASES:
        return Concluded(None, forfeited=True)
    side, _ = session.match.acting_player
    waiting = side if session.match.drawing is None else session.match.drawing.other
    return Concluded(waiting.other, forfeited=True)


async def accept_draw(app: App, action: Action) -> ActionResult:
    """Accept the draw that one's side is offered; anyone of a team may."""
    return await apply_action(
        app, action, lambda session: DrawAgreed(require_side(session, action.person.id))
    )


async def decline_draw(app: App, action: Action) -> ActionResult:
    """Decline the draw that one's side is offered; anyone of a team may."""
    return await apply_action(
        app, action, lambda session: DrawDeclined(require_side(session, action.person.id))
    )
