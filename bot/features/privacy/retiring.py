"""Ending what somebody takes part in, and deleting the words that they gave to the dice."""

import asyncio
import logging
from collections.abc import Awaitable

from bot.features.challenges.service import withdraw_for
from bot.features.contests.service import leave_contest
from bot.features.ladders.service import leave_ladder
from bot.features.matches.endings import abort_match, resign_match
from bot.features.matches.loading import load_session
from bot.features.matches.past_check import count_proved_throws
from bot.features.matches.service import Action
from bot.features.privacy.store import PastProof, find_words
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.people import DiscordPerson
from bot.store import EventRow, MatchRow, Store
from engine.refusal import Refusal

log = logging.getLogger(__name__)

CAUSE = "player deleted"
"""The cause of the event that ends a match: it names nobody, and happens once in a match."""


class StillStartingError(Exception):
    """A contest in which somebody takes part is starting; soon after it they can leave it."""


async def retire_player(app: App, person: int) -> None:
    """Let somebody resign their matches, leave contests and ladders, and withdraw challenges.

    It may be done again: what has ended meanwhile is left as it is. Raises StillStartingError.
    """
    for challenge in await app.store.challenges.load_open_by_person(person, app.clock()):
        await withdraw_for(app, challenge.id)
    # Before the contests, whose matches would be forfeited a moment later under an id that is gone.
    for row in await app.store.matches.load_running_by_person(person):
        await _ignore_refusal(_leave_match(app, row.id, person))
    for contest in await app.store.contests.load_by_person(person):
        await _ignore_refusal(leave_contest(app, contest.id, person))
    for ladder in await app.store.personal_data.load_ladders(person):
        await _ignore_refusal(leave_ladder(app, ladder, person))


async def _leave_match(app: App, match: int, person: int) -> None:
    session = await load_session(app, match)
    action = Action(match, DiscordPerson(person, ""), CAUSE)
    leave = abort_match if session.may_be_left else resign_match
    await leave(app, action)


async def _ignore_refusal(doing: Awaitable[object]) -> None:
    try:
        await doing
    except (DeclinedError, Refusal) as error:
        if isinstance(error, DeclinedError) and error.why is DeclineReason.CONTEST_STARTING:
            # Matches of theirs are yet to be created, which somebody must leave as well.
            raise StillStartingError from error
        log.info("something had ended before its player's data was deleted: %s", error)


async def erase_words(store: Store, person: int, now: int) -> bool:
    """Delete the words that somebody gave to the dice of finished matches.

    Every throw of such a match is recomputed before, and the result is kept. Returns whether a
    match goes on that still needs a word of theirs, as somebody else has their seat.
    """
    rows = await store.personal_data.load_with_words(person)
    over = [row for row in rows if row.ended is not None]
    for row in over:
        events = await store.matches.load_events(row.id)
        throws = await asyncio.to_thread(_count_throws, row, events)
        proofs = [
            PastProof(row.id, seat.side, seat.number, now, throws)
            for seat in find_words(row, person)
        ]
        await store.personal_data.erase_contributions(proofs)
    return len(over) < len(rows)


def _count_throws(row: MatchRow, events: list[EventRow]) -> int | None:
    try:
        return count_proved_throws(row, events)
    except (Refusal, ValueError, TypeError, KeyError) as error:
        # A match that cannot be read proves nothing, and keeps nobody's data from being deleted.
        log.warning("the dice of match %d cannot be recomputed: %s", row.id, error)
        return None
