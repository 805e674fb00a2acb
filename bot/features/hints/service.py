"""Hints: the best that somebody may do now, and who may ask for that."""

import asyncio
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from bot.features.computer.worker import Assessment, assess_match, pack_match
from bot.features.hints.advice import MAX_PROSPECTS, Advice
from bot.features.hints.guard import (
    list_missing_consents,
    load_consents,
    require_free_position,
)
from bot.features.matches import loading
from bot.features.matches.session import MatchSession, require_player, require_running, require_turn
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason, StaleMatchError
from bot.platform.lines import Asker, pass_slot_on
from engine.match import DECISION_PHASES, Match

MOST_RANKINGS = 512
"""Rankings that are remembered, so that another play can be shown at once."""


class Rankings:
    """The latest rankings of what may be done, by what they are of.

    What several people want at the same time is worked out once.
    """

    def __init__(self) -> None:
        self._found: OrderedDict[Hashable, Assessment] = OrderedDict()
        self._sought: dict[Hashable, asyncio.Event] = {}

    def is_known(self, key: Hashable) -> bool:
        """Whether it would be shown at once."""
        return key in self._found

    async def load(self, app: App, key: Hashable, match: Match, asker: Asker) -> Assessment:
        """Return the best things that may be done in a match now, best first, and why.

        The key stands for this match at this moment alone. Raises DeclinedError for somebody who
        waits for something else already, or asks for too much.
        """
        while key not in self._found:
            if (sought := self._sought.get(key)) is not None:
                pass_slot_on()
                # Whoever else asked for it may fail, or go away; then it is done for this one.
                await sought.wait()
                continue
            over = self._sought[key] = asyncio.Event()
            try:
                self._found[key] = await app.costly.run(
                    asker, assess_match, pack_match(match), MAX_PROSPECTS
                )
            finally:
                del self._sought[key]
                over.set()
        self._found.move_to_end(key)
        while len(self._found) > MOST_RANKINGS:
            self._found.popitem(last=False)
        return self._found[key]


@dataclass(frozen=True, slots=True)
class Hint:
    """The best things to do in a match as it stands, one of which is looked at."""

    session: MatchSession
    advice: Advice


@dataclass(frozen=True, slots=True)
class HintRequest:
    """Somebody wants hints in a match between people, and the others must be asked.

    `first` says that the person had not allowed them before; those `missing` have not allowed them
    yet.
    """

    session: MatchSession
    missing: Sequence[int]
    first: bool


async def request_hint(app: App, match: int, asker: Asker) -> Hint | HintRequest:
    """Return the best that a person may do, or who must allow hints first.

    Raises DeclinedError if there are no hints.
    """
    person = asker.person
    session = await loading.load_visible_session(app, match, asker.guild, person)
    _require_hints(session, person)
    allowed = await load_consents(app, session.row)
    # To ask for a hint is to allow hints, but that is stored only once the others have been asked.
    missing = list_missing_consents(session.row, allowed | {person})
    if missing:
        # To ask is to call them, which nobody does across a block.
        if await app.store.blocks.load_between(person, missing):
            raise DeclinedError(DeclineReason.HINTS_NOT_ASKED, match=match)
        return HintRequest(session, missing, first=person not in allowed)
    if person not in allowed:
        await record_consent(app, session, person)
    # Checked last: consent counts even if it is given in the turn of another.
    require_turn(session, person)
    if not may_decide(session.match):
        raise DeclinedError(DeclineReason.NOTHING_TO_DECIDE)
    return await _load_hint(app, session, asker, 0)


async def show_prospect(app: App, match: int, version: int, asker: Asker, number: int) -> Hint:
    """Return the hint that looks at another of the best things to do, while the match stands so.

    Raises StaleMatchError once it has moved on, and DeclinedError if there are no hints.
    """
    person = asker.person
    session = await loading.load_visible_session(app, match, asker.guild, person)
    _require_hints(session, person)
    if session.match.version != version:
        raise StaleMatchError(match)
    if list_missing_consents(session.row, await load_consents(app, session.row) | {person}):
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    require_turn(session, person)
    if not may_decide(session.match):
        raise DeclinedError(DeclineReason.NOTHING_TO_DECIDE)
    return await _load_hint(app, session, asker, number - 1)


async def _load_hint(app: App, session: MatchSession, asker: Asker, shown: int) -> Hint:
    # The same position may stand in another match, where they would get no hint.
    await require_free_position(app, asker.person, session.match, exact=True)
    key = "match", session.id, session.match.version
    best = (await app.get_part(Rankings).load(app, key, session.match, asker)).best
    if not 0 <= shown < len(best):
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    return Hint(session, Advice(session.match, best, shown))


async def allow_hints(app: App, match: int, guild: int, person: int) -> HintRequest:
    """Allow hints in a match, and return who has not yet.

    Raises DeclinedError if it has no hints.
    """
    session = await loading.load_visible_session(app, match, guild, person)
    _require_hints(session, person)
    await record_consent(app, session, person)
    return HintRequest(
        session,
        list_missing_consents(session.row, await load_consents(app, session.row)),
        first=False,
    )


async def record_consent(app: App, session: MatchSession, person: int) -> None:
    """Keep that a person wants hints, unless they are alone with the computer."""
    if not session.is_solo:
        await app.store.hints.allow(session.id, person)


def has_free_hints(session: MatchSession) -> bool:
    """Whether hints may be asked for without anybody else's leave."""
    return session.is_solo and not session.row.rated


def may_decide(match: Match) -> bool:
    """Whether there is more than one thing to do, so that one may be better."""
    return match.phase in DECISION_PHASES


def _require_hints(session: MatchSession, person: int) -> None:
    """Raise DeclinedError for a person who does not play, and for a rated match."""
    require_running(session)
    require_player(session, person)
    if session.row.rated:
        raise DeclinedError(DeclineReason.NO_HINTS)
