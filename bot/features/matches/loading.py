"""A match as it is stored, with every event replayed or from the sessions that are kept."""

import asyncio
from collections.abc import Iterable
from dataclasses import replace

from bot.features.matches import clock as clocks
from bot.features.matches.session import MatchSession, Transition, require_visible
from bot.features.matches.session_cache import cache_session, get_cached_session
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.store import MatchRow
from engine.events import Event, from_record
from engine.games import find_game
from engine.match import Match, apply_unchecked, new_match

MOST_RECENT = 80
"""Transitions that a session remembers: more than a message lists."""


async def load_session(app: App, match_id: int) -> MatchSession:
    """Return a match as it is stored; raises DeclinedError if there is none of that number."""
    row = await load_row(app, match_id)
    # The clock is read before the stops: an outage that is noted in between would be missing.
    when = clocks.get_clock_reading(app, row.guild)
    known = get_cached_session(app, match_id)
    session = await _refresh_session(app, row, known) if known else None
    if session is None:
        session = await _replay_session(app, row)
    session = clocks.mark_lateness(session, when)
    cache_session(app, session)
    return session


async def load_visible_session(app: App, match_id: int, guild: int, person: int) -> MatchSession:
    """Return a match that somebody asks for in a server, or in direct messages if it is 0.

    Raises DeclinedError if they may not see it, just as if there were none of that number.
    """
    session = await load_session(app, match_id)
    require_visible(session, guild, person)
    return session


async def _refresh_session(app: App, row: MatchRow, known: MatchSession) -> MatchSession | None:
    """Return a known match with all that may have changed beside its events; None to replay it.

    Its clock was computed with the stops that were known then.
    """
    if (
        known.match.version != row.version
        or await clocks.load_stops(app, row, known.match) != known.stops
    ):
        return None
    # Names and preferences change without an event, so the version says nothing about them; nor
    # about who has deleted their data, and sits there under another id.
    names, preferences = await app.load_players(_list_people(row))
    return replace(known, row=row, person_names=names, preferences=preferences)


async def load_row(app: App, match_id: int) -> MatchRow:
    """Return a match's row; raises DeclinedError if there is none of that number."""
    row = await app.store.matches.get(match_id)
    if row is None:
        raise DeclinedError(DeclineReason.MATCH_UNKNOWN, match=match_id)
    return row


async def _replay_session(app: App, row: MatchRow) -> MatchSession:
    session, _ = await load_with_history(app, row)
    return session


async def load_with_history(app: App, row: MatchRow) -> tuple[MatchSession, tuple[Transition, ...]]:
    """Return a match and all that has happened in it, without keeping anything in memory.

    That is for whoever goes through many matches.
    """
    happened = await load_history(app, row)
    match = happened[-1].after if happened else build_initial_match(row)
    names, preferences = await app.load_players(_list_people(row))
    stops = await clocks.load_stops(app, row, match)
    clock = clocks.advance_clock(
        clocks.create_clock(row, build_initial_match(row)), happened, stops
    )
    # A move that came in after the row was read belongs to the match as well.
    current = replace(row, version=match.version)
    recent = happened[-MOST_RECENT:]
    return MatchSession(current, match, names, clock, recent, stops, preferences), happened


def _list_people(row: MatchRow) -> set[int]:
    """Return everyone who ever sat in a match."""
    return {seat.person for seat in row.seats} | {former.person for former in row.former}


async def load_history(app: App, row: MatchRow) -> tuple[Transition, ...]:
    """Return all that has happened in a match."""
    start = build_initial_match(row)
    events = await _load_timed_events(app, row)
    # A long match takes a while to replay; in a thread it does not hold up everybody's answers.
    return await asyncio.to_thread(lambda: tuple(_replay_events(start, events)))


async def load_events(app: App, row: MatchRow) -> list[Event]:
    """Return the events of a match in order, without replaying them."""
    return [event for event, _ in await _load_timed_events(app, row)]


async def _load_timed_events(app: App, row: MatchRow) -> list[tuple[Event, int]]:
    stored = await app.store.matches.load_events(row.id)
    board = build_initial_match(row).rules.board
    return [(from_record(event.record, board), event.at) for event in stored]


def build_initial_match(row: MatchRow) -> Match:
    """Return a match before anything has happened in it."""
    return new_match(find_game(row.game, row.edition), row.options)


def _replay_events(match: Match, events: Iterable[tuple[Event, int]]) -> Iterable[Transition]:
    for event, at in events:
        # Each event was judged when it was saved, by the same edition of the rules.
        after = apply_unchecked(match, event)
        yield Transition(match, event, after, at)
        match = after
