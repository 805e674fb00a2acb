"""Advice on what may be done best: hints and who may ask for them, and trying a play beforehand."""

import asyncio
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce

from cachetools import LRUCache

from bot.features.analysis.guard import list_missing_consents, load_consents, require_free_position
from bot.features.analysis.store import HintConsents
from bot.features.computer.pool import Assessment, assess_match, pack_match
from bot.features.matches import loading
from bot.features.matches import service as play
from bot.features.matches.service import Action
from bot.features.matches.session import (
    MatchSession,
    Transition,
    require_player,
    require_running,
    require_turn,
)
from bot.features.preferences.store import Blocks
from bot.platform.context import App
from bot.platform.i18n.reader import DeclinedError, StaleMatchError, UnknownControlError, mark_text
from bot.platform.lines import Asker, pass_slot_on
from engine.events import Event, Played
from engine.match import DECISION_PHASES, PLAY_PHASES, Match
from engine.notation import format_play
from engine.players.evaluation import ExplainedProspect
from engine.plays import Play, make_move

MAX_PROSPECTS = 3
"""Things that are compared."""


@dataclass(frozen=True, slots=True)
class Advice:
    """The best things to do in a match as it stands, the best first, and which is looked at.

    The position is `solved` where nothing else that may be done is estimated either.
    """

    match: Match
    best: Sequence[ExplainedProspect]
    shown: int = 0
    solved: bool = False

    @property
    def prospect(self) -> ExplainedProspect:
        """The one that is looked at."""
        return self.best[self.shown]

    @property
    def other(self) -> ExplainedProspect:
        """The one with which that is compared."""
        return self.best[self.prospect.against]

    @property
    def is_exact(self) -> bool:
        """Whether none of them is estimated."""
        return all(each.evaluation.exact for each in self.best)

    @property
    def play(self) -> Play | None:
        """The play that is looked at; None for anything else that may be done."""
        return find_play(self.match, self.prospect.event)


def find_play(match: Match, event: Event) -> Play | None:
    """Return what is played from a match; None for anything else that may be done."""
    if not isinstance(event, Played):
        return None
    end = reduce(partial(make_move, match.rules), event.moves, match.position)
    return Play(event.moves, end)


MAX_RANKINGS = 512
"""Rankings that are remembered, so that another play can be shown at once."""


class HintsNotAskedError(DeclinedError):
    match: int
    sentence = mark_text(
        "Hints aren't available in match {match}, since not everybody in it can be asked."
    )


class NothingToDecideError(DeclinedError):
    sentence = mark_text("There's nothing to decide yet. Roll first.")


class NoHintsError(DeclinedError):
    sentence = mark_text("Hints aren't available in rated matches.")


class Rankings:
    """The latest rankings of what may be done, by what they are of.

    What several people want at the same time is worked out once.
    """

    def __init__(self) -> None:
        self._found: LRUCache[Hashable, Assessment] = LRUCache(MAX_RANKINGS)
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
                # The other who asked for it may fail or leave; then it is done for this one.
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
        if await app.store.get(Blocks).load_between(person, missing):
            raise HintsNotAskedError(match)
        return HintRequest(session, missing, first=person not in allowed)
    if person not in allowed:
        await record_consent(app, session, person)
    # Checked last: consent counts even if it is given in the turn of another.
    require_turn(session, person)
    if not may_decide(session.match):
        raise NothingToDecideError
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
        raise UnknownControlError
    require_turn(session, person)
    if not may_decide(session.match):
        raise NothingToDecideError
    return await _load_hint(app, session, asker, number - 1)


async def _load_hint(app: App, session: MatchSession, asker: Asker, shown: int) -> Hint:
    # The same position may stand in another match, where they would get no hint.
    await require_free_position(app, asker.person, session.match, exact=True)
    key = "match", session.id, session.match.version
    found = await app.get_part(Rankings).load(app, key, session.match, asker)
    if not 0 <= shown < len(found.best):
        raise UnknownControlError
    return Hint(session, Advice(session.match, found.best, shown, found.solved))


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
        await app.store.get(HintConsents).allow(session.id, person)


def may_decide(match: Match) -> bool:
    """Whether there is more than one thing to do, so that one may be better."""
    return match.phase in DECISION_PHASES


def _require_hints(session: MatchSession, person: int) -> None:
    """Raise DeclinedError for a person who does not play, and for a rated match."""
    require_running(session)
    require_player(session, person)
    if session.row.rated:
        raise NoHintsError


@dataclass(frozen=True, slots=True)
class Trial:
    """A play as it is written, the match before it, and what would happen.

    That is the play, and what follows automatically.
    """

    before: MatchSession
    text: str
    transitions: tuple[Transition, ...]

    @property
    def session_after_play(self) -> MatchSession:
        """The match when the play is played, and nothing else has followed yet."""
        return replace(self.before, match=self.transitions[0].after)

    @property
    def final_session(self) -> MatchSession:
        """The match as it would be."""
        return replace(self.before, match=self.transitions[-1].after)

    @property
    def is_turn_over(self) -> bool:
        """Whether the player would have nothing left to do with these numbers."""
        after = self.transitions[-1].after
        return (
            # In a team the next one to act may be a partner, so the person is compared as well.
            after.phase not in PLAY_PHASES or after.acting_player != self.before.match.acting_player
        )


async def try_play(app: App, action: Action, text: str) -> Trial:
    """Return what typed moves would lead to.

    Raises what `play.play_moves` raises if they may not be played.
    """
    session = await play.load_session_to_act(app, action)
    event = play.parse_moves(session, action.person.id, text)
    # The same function as for a real play, so a trial ends as the play would. Nothing is saved.
    transitions = await asyncio.to_thread(play.advance_match, session, event, app.clock())
    match = session.match
    return Trial(session, format_play(event.moves, match.rules, match.position), transitions)
