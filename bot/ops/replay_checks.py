"""Every match replayed from its events, and what is kept of it held against what they come to."""

import asyncio
import math
import multiprocessing
import os
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Iterator,
    Mapping,
    Sequence,
)
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import reduce

from bot.features.computer.jobs import PlayComputerTurn
from bot.features.matches import clock as clocks
from bot.features.matches import loading
from bot.features.matches import service as play
from bot.features.matches.jobs import ShowMatch, WatchClock
from bot.features.matches.record import format_record_check, verify_events
from bot.features.matches.rows import (
    DRAW,
    History,
    Leaderboard,
    MatchRow,
    MatchRowState,
    RatingChangeWithSide,
    RatingKey,
)
from bot.features.matches.session import MatchSession
from bot.features.matches.store.inspection import Histories
from bot.features.ratings import service as ratings
from bot.features.ratings.tables import Result
from bot.platform.db.jobs import JobPayload
from bot.platform.db.rows import Pause
from bot.platform.db.store import Store
from bot.platform.i18n.common import use_plain_hyphens
from bot.platform.i18n.reader import Reader
from bot.platform.i18n.refusals import explain_refusal
from bot.platform.workers import initialise_worker
from engine.clock import ClockStop
from engine.events import Event, from_record
from engine.match import Match, apply_unchecked
from engine.outcome import ANNULLED
from engine.position import Side
from engine.refusal import Refusal
from engine.strict_json import parse_json, write_json

PAGE = 50
"""Matches that are read, and judged by a process, at a stretch."""
_UNREADABLE = (ValueError, TypeError, KeyError, AttributeError)
"""What is raised if a stored document is no JSON, or does not have the expected content."""
RELATIVE_TOLERANCE = 1e-9
"""How far apart two figures may lie, as a part of their size, that two machines have worked out."""

_TimedEvent = tuple[Event, int]
PausesByServer = Mapping[int, Sequence[Pause]]
Replayer = Callable[[Sequence[History], PausesByServer], Awaitable[list["ReplayReport"]]]
"""Replays a page of matches somewhere else than in the loop's thread."""


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """What the events of a match come to, and what does not agree with it.

    `wrong` is a sentence of what nothing mends. `restated` is what the match's row should say if it
    says something else; `boards` are those on which its rating changes differ from what its result
    makes of the ratings before; `missing` are the jobs that should wait for it. `result`
    is how it counts, None if it does not.
    """

    match: int
    guild: int
    version: int
    wrong: str | None = None
    restated: MatchRowState | None = None
    boards: tuple[Leaderboard, ...] = ()
    missing: tuple[JobPayload, ...] = ()
    result: Result | None = None


async def replay_all(store: Store) -> AsyncIterator[ReplayReport]:
    """Yield what comes of each match, in the order of their numbers; several processes work at it.

    Raises StoreError.
    """
    async with open_replayer(await store.get(Histories).count_matches()) as judge:
        ahead: list[asyncio.Future[list[ReplayReport]]] = []
        async for histories, unreadable in _load_pages(store):
            for each in unreadable:
                yield each
            pauses = await load_pauses(store, histories)
            ahead.append(asyncio.ensure_future(judge(histories, pauses)))
            # Nobody has to wait for the next page, nor are all of them kept in memory.
            if len(ahead) > count_workers() + 1:
                for each in await ahead.pop(0):
                    yield each
        for page in ahead:
            for each in await page:
                yield each


def count_workers() -> int:
    """Return how many processes can work at once."""
    return os.cpu_count() or 1


def open_replayer(matches: int) -> AbstractAsyncContextManager[Replayer]:
    """Open what replays so many matches: in several processes, if these are worth their start."""
    return _open_process_replayer() if matches > PAGE else _open_thread_replayer()


@asynccontextmanager
async def _open_thread_replayer() -> AsyncIterator[Replayer]:
    """Judge few matches without the second that it takes to begin a process."""
    yield lambda histories, pauses: asyncio.to_thread(replay_page, histories, pauses)


@asynccontextmanager
async def _open_process_replayer() -> AsyncIterator[Replayer]:
    # Spawned, not forked: this process has threads, and a fork copies locks that they hold.
    pool = ProcessPoolExecutor(
        count_workers(),
        mp_context=multiprocessing.get_context("spawn"),
        # Somebody waits for them, so that they step back behind nobody.
        initializer=initialise_worker,
        initargs=(0,),
    )
    loop = asyncio.get_running_loop()
    try:
        yield lambda histories, pauses: loop.run_in_executor(pool, replay_page, histories, pauses)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


async def _load_pages(store: Store) -> AsyncIterator[tuple[list[History], list[ReplayReport]]]:
    """Yield the matches that can be read, a page at a time, and those that cannot."""
    after = 0
    while numbers := await store.get(Histories).load_numbers(after, PAGE):
        try:
            yield await store.get(Histories).load_page(after, PAGE), []
        except _UNREADABLE:
            yield await load_one_by_one(store, numbers)
        after = numbers[-1]


async def load_one_by_one(
    store: Store, numbers: Sequence[int]
) -> tuple[list[History], list[ReplayReport]]:
    """Read matches each by itself, so that one which cannot be read does not hide the others."""
    histories: list[History] = []
    unreadable: list[ReplayReport] = []
    for number in numbers:
        try:
            # A page begins after a number, so this one holds that match alone.
            histories += await store.get(Histories).load_page(number - 1, 1)
        except _UNREADABLE as error:
            wrong = f"what is stored of it cannot be read: {error}"
            unreadable.append(ReplayReport(number, 0, 0, wrong))
    return histories, unreadable


async def load_pauses(store: Store, histories: Sequence[History]) -> PausesByServer:
    """Return the pauses that bear on the clocks of any of those matches, by their servers."""
    timed = [history.row for history in histories if _is_timed(history.row)]
    found: dict[int, Sequence[Pause]] = {}
    for guild in {row.guild for row in timed}:
        theirs = [row for row in timed if row.guild == guild]
        people = {person for row in theirs for person in clocks.find_pausing_people(row)}
        found[guild] = await store.pauses.load_relevant(
            people, min(row.created for row in theirs), guild, [row.id for row in theirs]
        )
    return found


def _is_timed(row: MatchRow) -> bool:
    """Whether a match has a clock; a pace that cannot be read is named when the match is judged."""
    try:
        return clocks.get_pace(row).is_limited
    except (ValueError, Refusal):
        return False


def replay_page(histories: Sequence[History], pauses: PausesByServer) -> list[ReplayReport]:
    """Replay some matches, with the pauses of their servers."""
    return [replay_match(history, pauses.get(history.row.guild, ())) for history in histories]


def replay_match(history: History, pauses: Sequence[Pause]) -> ReplayReport:
    """Replay a match, with the pauses among which are those that stopped its clocks."""
    row = history.row
    if [event.version for event in history.events] != list(range(1, row.version + 1)):
        # That events are missing is found where they are counted.
        return ReplayReport(row.id, row.guild, row.version)
    try:
        return _verify_match(history, pauses)
    except Refusal as refusal:
        wrong = f"this program cannot replay it: {explain_refusal(Reader.ENGLISH, refusal)}"
    except Exception as error:  # noqa: BLE001 - whatever is stored, its match is to be named
        wrong = f"its events cannot be read: {type(error).__name__}: {error}"
    return ReplayReport(row.id, row.guild, row.version, wrong)


def _verify_match(history: History, pauses: Sequence[Pause]) -> ReplayReport:
    row = history.row
    start = loading.build_initial_match(row)
    events = [(from_record(event.record, start.rules.board), event.at) for event in history.events]
    session = MatchSession(row, start, {}, clocks.build_clock(row, start))
    if any(sum(seat.side == side for seat in row.seats) != start.rules.players for side in Side):
        return ReplayReport(
            row.id, row.guild, row.version, "its seats are not as many as its game has players"
        )
    found = verify_events(row, _compute_stops(history, start, events, pauses), events)
    if found.end is None:
        return ReplayReport(
            row.id,
            row.guild,
            row.version,
            use_plain_hyphens(format_record_check(Reader.ENGLISH, found)).removesuffix("."),
        )
    session = MatchSession(row, found.end, {}, session.clock)
    said = _derive_row(session, start, events)
    result = _derive_result(session, said)
    return ReplayReport(
        row.id,
        row.guild,
        row.version,
        restated=None if _has_derived_row(session, said) else said,
        boards=tuple(_find_wrong_boards(history.rated, result)),
        missing=tuple(_find_missing_jobs(session, history.jobs)),
        result=result,
    )


def _compute_stops(
    history: History, start: Match, events: Sequence[_TimedEvent], pauses: Sequence[Pause]
) -> tuple[ClockStop, ...]:
    row = history.row
    if not clocks.get_pace(row).is_limited:
        return ()
    instants = {event.version: event.at for event in history.events}
    # Who plays which side is known at the end: the roll battle may make people change sides.
    return clocks.compute_stops(row, _follow_events(start, events), instants, pauses)


def _follow_events(start: Match, events: Sequence[_TimedEvent]) -> Match:
    return reduce(apply_unchecked, (event for event, _ in events), start)


def _derive_row(
    session: MatchSession, start: Match, events: Sequence[_TimedEvent]
) -> MatchRowState:
    """Return what the row of a match is to say by its events."""
    match = session.match
    touched = events[-1][1] if events else session.row.created
    outcome = match.outcome
    snapshot = play.build_snapshot(match) if events else session.row.snapshot
    if outcome is None:
        return MatchRowState(snapshot, touched, None, None, None, {}, swapped=False)
    ended = touched
    if outcome.how == ANNULLED and _follow_events(start, events[:-1]).outcome:
        # What is annulled when it is over keeps its place among the matches that ended.
        ended = events[-2][1]
    winner = outcome.winner.value if outcome.winner else DRAW
    # Through JSON and back, as the stored parts have gone: a tuple is a list afterwards.
    parts = parse_json(write_json(dict(outcome.parts)))
    return MatchRowState(
        snapshot, touched, ended, winner, outcome.how, parts, swapped=match.swapped
    )


def _has_derived_row(session: MatchSession, said: MatchRowState) -> bool:
    """Whether the row of a match says that."""
    row = session.row
    return said == MatchRowState(
        row.snapshot, row.touched, row.ended, row.winner, row.how, row.parts, row.swapped
    )


def _derive_result(session: MatchSession, said: MatchRowState) -> Result | None:
    outcome = session.match.outcome
    if outcome is None or said.ended is None:
        return None
    if not outcome.is_rateable or not session.row.rated:
        return None
    return ratings.build_result(session, outcome.winner, said.ended)


def _find_wrong_boards(
    rated: Sequence[RatingChangeWithSide], result: Result | None
) -> Iterator[Leaderboard]:
    """Yield the boards on which a match did something else to ratings than its result does."""
    due = result.boards if result else ()
    for board in dict.fromkeys((*due, *(each.key.board for each in rated))):
        changes = {each.key: each for each in rated if each.key.board == board}
        if board not in due or result is None or not _is_result_applied(changes, board, result):
            yield board


def _is_result_applied(
    changes: Mapping[RatingKey, RatingChangeWithSide], board: Leaderboard, result: Result
) -> bool:
    """Whether a result turns the ratings before it into those after it, on one board."""
    people = {
        side: [RatingKey(*board, person) for person in team] for side, team in result.people.items()
    }
    sides = {key: side for side, team in people.items() for key in team}
    if sides != {key: change.side for key, change in changes.items()}:
        return False
    if any(change.day != result.day for change in changes.values()):
        return False
    if result.day is not None and all(change.is_still for change in changes.values()):
        # Whether the daily limit was reached depends on other matches, and is judged with them.
        return True
    teams = {side: [changes[key].before for key in team] for side, team in people.items()}
    after = ratings.compute_strengths(teams, result.winner)
    return all(
        math.isclose(new.mu, changes[key].after.mu, rel_tol=RELATIVE_TOLERANCE)
        and math.isclose(new.sigma, changes[key].after.sigma, rel_tol=RELATIVE_TOLERANCE)
        for side, team in people.items()
        for key, new in zip(team, after[side], strict=True)
    )


def _find_missing_jobs(session: MatchSession, waiting: Collection[str]) -> Iterator[JobPayload]:
    """Yield the jobs without which a running match would come to a stop."""
    row = session.row
    if session.match.outcome is not None:
        return
    due: list[JobPayload] = [WatchClock(row.id)]
    if session.is_computer_acting:
        due.append(PlayComputerTurn(row.id))
    elif row.message is None or row.shown < row.version:
        due.append(ShowMatch(row.id))
    yield from (payload for payload in due if payload.kind not in waiting)
