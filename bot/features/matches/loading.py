"""Matches as they are stored, with every event replayed or from the sessions that are kept.

Also which of them somebody plays or sees, and how one is shown again.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from bot.features.matches import clock as clocks
from bot.features.matches.jobs import CloseTurn, ShowMatch
from bot.features.matches.rows import MatchRow
from bot.features.matches.session import MatchSession, Transition, cache_session, get_cached_session
from bot.features.matches.store import Matches
from bot.platform.context import NO_SERVER, App, ChannelSight
from bot.platform.features import ExtensionPoint
from bot.platform.i18n.reader import DeclinedError, Reader, mark_text
from bot.platform.people import COMPUTERS
from engine.events import Event, from_record
from engine.games import find_game
from engine.match import Match, apply_unchecked, new_match

MAX_RECENT = 80
"""Transitions that a session remembers: more than a message lists."""


class MatchUnknownError(DeclinedError):
    match: int
    sentence = mark_text("There is no match {match}.")


async def load_session(app: App, match_id: int) -> MatchSession:
    """Return a match as it is stored; raises DeclinedError if there is none of that number."""
    row = await load_row(app, match_id)
    # The clock is read before the stops: an outage that is noted in between would be missing.
    when = clocks.get_clock_reading(app, row.guild)
    known = get_cached_session(app, match_id)
    session = await _refresh_session(app, row, known) if known else None
    if session is None:
        session = await replay_session(app, row)
    session = clocks.mark_lateness(session, when)
    cache_session(app, session)
    return session


async def load_visible_session(app: App, match_id: int, guild: int, person: int) -> MatchSession:
    """Return a match that somebody asks for in a server, or in direct messages if it is 0.

    Raises DeclinedError if they may not see it, just as if there were none of that number.
    """
    session = await load_session(app, match_id)
    await require_visible(app, session, guild, person)
    return session


async def require_visible(app: App, session: MatchSession, guild: int, person: int) -> None:
    """Raise DeclinedError unless a match is of that server, where the person sees its channel.

    Those who have a seat in it, or handed theirs over, see it from everywhere. A match in direct
    messages is of no server, so nobody else sees it. The refusal is that of a number which was
    never given: it does not tell that there is such a match.
    """
    if session.has_sat(person):
        return
    if guild == NO_SERVER or not await is_match_visible(app, session.row, guild, person):
        raise MatchUnknownError(session.id)


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
    is_seated_alike = row.seats == known.row.seats
    newcomers = known.newcomers if is_seated_alike else await _find_newcomers(app, row)
    return replace(known, row=row, person_names=names, preferences=preferences, newcomers=newcomers)


async def _find_newcomers(app: App, row: MatchRow) -> frozenset[int]:
    """Return those of a match to whom its game is new."""
    players = [seat.person for seat in row.seats if seat.person not in COMPUTERS]
    return await app.store.get(Matches).find_newcomers(players, row.game)


async def load_row(app: App, match_id: int) -> MatchRow:
    """Return a match's row; raises DeclinedError if there is none of that number."""
    row = await app.store.get(Matches).load_row(match_id)
    if row is None:
        raise MatchUnknownError(match_id)
    return row


async def replay_session(app: App, row: MatchRow) -> MatchSession:
    """Return a match with every event replayed, and who of its players is new."""
    session, _ = await load_with_history(app, row)
    return replace(session, newcomers=await _find_newcomers(app, row))


async def load_with_history(app: App, row: MatchRow) -> tuple[MatchSession, tuple[Transition, ...]]:
    """Return a match and all that has happened in it, without keeping anything in memory.

    This is for code that goes through many matches.
    """
    happened = await load_history(app, row)
    match = happened[-1].after if happened else build_initial_match(row)
    names, preferences = await app.load_players(_list_people(row))
    stops = await clocks.load_stops(app, row, match)
    clock = clocks.advance_clock(clocks.build_clock(row, build_initial_match(row)), happened, stops)
    # A move that came in after the row was read belongs to the match as well.
    current = replace(row, version=match.version)
    recent = happened[-MAX_RECENT:]
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


async def load_session_at(app: App, session: MatchSession, version: int) -> MatchSession:
    """Return a match as it was at a version."""
    if version >= session.match.version:
        return session
    happened = await load_history(app, session.row)
    recent = happened[:version][-MAX_RECENT:]
    return replace(session, match=happened[version].before, recent=recent)


async def load_events(app: App, row: MatchRow) -> list[Event]:
    """Return the events of a match in order, without replaying them."""
    return [event for event, _ in await _load_timed_events(app, row)]


async def _load_timed_events(app: App, row: MatchRow) -> list[tuple[Event, int]]:
    stored = await app.store.get(Matches).load_events(row.id)
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


def get_sight_channel(row: MatchRow) -> int:
    """Return the channel that decides who sees a match.

    The thread that the bot has opened for a match is seen by all who see its channel, which is
    still known when the thread is archived or deleted.
    """
    return row.parent if row.parent and row.thread == row.channel else row.channel


async def is_match_visible(app: App, row: MatchRow, guild: int, person: int) -> bool:
    """Return whether somebody sees in a server that there is a match, though it isn't theirs."""
    sight = app.get_part(ChannelSight)
    return row.guild == guild and await sight.can_see(guild, get_sight_channel(row), person)


async def is_match_open(app: App, row: MatchRow, to: int | None = None) -> bool:
    """Return whether all members see a match, or all those who see the channel `to`."""
    return await app.get_part(ChannelSight).is_open(row.guild, get_sight_channel(row), to)


class NoFinishedMatchError(DeclinedError):
    sentence = mark_text("You haven't finished a match yet.")


async def load_running_sessions(app: App, person: int) -> list[MatchSession]:
    """Return all that somebody plays, in every server."""
    rows = await app.store.get(Matches).load_running_by_person(person)
    return [await load_session(app, row.id) for row in rows]


async def load_own_sessions(app: App, guild: int, channel: int, person: int) -> list[MatchSession]:
    """Return somebody's running matches in a channel.

    Where there are none, return those of the server that can't be shown anywhere.
    """
    rows = await app.store.get(Matches).load_running_in_channel(channel)
    own = [row.id for row in rows if person in (seat.person for seat in row.seats)]
    return [
        await load_session(app, match) for match in own or await _find_stopped(app, guild, person)
    ]


async def _find_stopped(app: App, guild: int, person: int) -> list[int]:
    rows = await app.store.get(Matches).load_running_by_person(person)
    here = [row.id for row in rows if row.guild == guild]
    return sorted(await app.store.pauses.load_stopped_matches(here)) if here else []


async def find_finished_match(app: App, person: int) -> int:
    """Return the number of somebody's latest finished match.

    Raises DeclinedError if there is none.
    """
    ended = await app.store.get(Matches).load_ended_by_person(person, 1)
    if not ended:
        raise NoFinishedMatchError
    return ended[0].id


async def load_rows(app: App, matches: Sequence[int]) -> list[MatchRow]:
    """Return the matches of those numbers, in their order."""
    return await app.store.get(Matches).load_rows(matches)


LoadMatchLabels: TypeAlias = Callable[
    [App, Reader, Sequence[MatchSession]], Awaitable[Mapping[int, str]]
]
"""Loads what a list says of some of those matches, by their numbers."""
MATCH_LABELS: ExtensionPoint[LoadMatchLabels] = ExtensionPoint()
"""What features say of matches in a list, such as the league to which one belongs."""


async def load_match_labels(
    app: App, say: Reader, sessions: Sequence[MatchSession]
) -> dict[int, tuple[str, ...]]:
    """Return what all features say of matches in a list, in order, by their numbers."""
    said = [await load(app, say, sessions) for load in MATCH_LABELS.list_functions()]
    return {
        each.id: tuple(labels[each.id] for labels in said if each.id in labels) for each in sessions
    }


async def find_match_channel(app: App, match: int) -> int | None:
    """Return the channel in which a match is shown now; None if there is no such match."""
    row = await app.store.get(Matches).load_row(match)
    return row.channel if row else None


async def bring_match(app: App, session: MatchSession, channel: int) -> None:
    """Have a match shown again in a channel of its server, where it goes on."""
    # By `past` a job that is renewed while it is done sees that the message is there already.
    renewed = ShowMatch(session.id, fresh=channel, past=session.row.message or 0)
    await app.enqueue(session.row.guild, [renewed.build_job(app.clock())])


async def refresh_match(app: App, session: MatchSession) -> None:
    """Have a match shown once more as it stands."""
    job = ShowMatch(session.id).build_job(app.clock())
    await app.enqueue(session.row.guild, [job])


async def is_closing(app: App, message: int) -> bool:
    """Return whether a message, whose turn is over, is yet to tell what was played."""
    return await app.store.jobs.is_waiting(CloseTurn.kind, str(message))
