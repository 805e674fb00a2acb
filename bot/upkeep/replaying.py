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
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import reduce

from bot.app import clocks, play, ratings, tasks
from bot.app.record import verify_events
from bot.app.sitting import Sitting
from bot.store import Board, History, MatchRow, Pause, Rated, RatingKey, Restated, Result, Store
from bot.words.reader import Reader
from bot.words.reasons import reason
from bot.words.record import verdict
from engine.clock import Stop
from engine.events import Event, from_record
from engine.match import Match, follow
from engine.outcome import ANNULLED
from engine.position import Side
from engine.refusal import Refusal
from engine.strict_json import read_json, write_json

PAGE = 50
"""Matches that are read, and judged by a process, at a stretch."""
_UNREADABLE = (ValueError, TypeError, KeyError, AttributeError)
"""What is raised if a stored document is no JSON, or does not have the expected content."""
CLOSE = 1e-9
"""How far apart two figures may lie, as a part of their size, that two machines have worked out."""

_Happened = tuple[Event, int]
_Pauses = Mapping[int, Sequence[Pause]]
_Judge = Callable[[Sequence[History], _Pauses], Awaitable[list["Replayed"]]]
"""Replays a page of matches somewhere else than in the loop's thread."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """What the events of a match come to, and what does not agree with it.

    `wrong` is a sentence of what nothing mends. `restated` is what the match's row should say if it
    says something else; `boards` are those on which its rating changes differ from what its result
    makes of the ratings before; `missing` are the kinds of jobs that should wait for it. `result`
    is how it counts, None if it does not.
    """

    match: int
    guild: int
    version: int
    wrong: str | None = None
    restated: Restated | None = None
    boards: tuple[Board, ...] = ()
    missing: tuple[str, ...] = ()
    result: Result | None = None


async def replayed(store: Store) -> AsyncIterator[Replayed]:
    """Yield what comes of each match, in the order of their numbers; several processes work at it.

    Raises StoreError.
    """
    many = await store.histories.count() > PAGE
    async with _processes() if many else _here() as judge:
        ahead: list[asyncio.Future[list[Replayed]]] = []
        async for histories, unreadable in _pages(store):
            for each in unreadable:
                yield each
            pauses = await _pauses(store, histories)
            ahead.append(asyncio.ensure_future(judge(histories, pauses)))
            # Nobody has to wait for the next page, nor are all of them kept in memory.
            if len(ahead) > _workers() + 1:
                for each in await ahead.pop(0):
                    yield each
        for page in ahead:
            for each in await page:
                yield each


def _workers() -> int:
    return os.cpu_count() or 1


@asynccontextmanager
async def _here() -> AsyncIterator[_Judge]:
    """Judge few matches without the second that it takes to begin a process."""
    yield lambda histories, pauses: asyncio.to_thread(judge_all, histories, pauses)


@asynccontextmanager
async def _processes() -> AsyncIterator[_Judge]:
    pool = ProcessPoolExecutor(_workers(), mp_context=multiprocessing.get_context("spawn"))
    loop = asyncio.get_running_loop()
    try:
        yield lambda histories, pauses: loop.run_in_executor(pool, judge_all, histories, pauses)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


async def _pages(store: Store) -> AsyncIterator[tuple[list[History], list[Replayed]]]:
    """Yield the matches that can be read, a page at a time, and those that cannot."""
    after = 0
    while numbers := await store.histories.numbers(after, PAGE):
        try:
            yield await store.histories.page(after, PAGE), []
        except _UNREADABLE:
            yield await _one_by_one(store, numbers)
        after = numbers[-1]


async def _one_by_one(store: Store, numbers: Sequence[int]) -> tuple[list[History], list[Replayed]]:
    """Read matches each by itself, so that one which cannot be read does not hide the others."""
    histories: list[History] = []
    unreadable: list[Replayed] = []
    for number in numbers:
        try:
            histories += await store.histories.page(number - 1, 1)
        except _UNREADABLE as error:
            wrong = f"what is stored of it cannot be read: {error}"
            unreadable.append(Replayed(number, 0, 0, wrong))
    return histories, unreadable


async def _pauses(store: Store, histories: Sequence[History]) -> _Pauses:
    """Return the pauses that bear on the clocks of any of those matches, by their servers."""
    timed = [history.row for history in histories if _is_timed(history.row)]
    found: dict[int, Sequence[Pause]] = {}
    for guild in {row.guild for row in timed}:
        theirs = [row for row in timed if row.guild == guild]
        people = {person for row in theirs for person in clocks.may_pause(row)}
        found[guild] = await store.pauses.bearing_on(
            people, min(row.created for row in theirs), guild, [row.id for row in theirs]
        )
    return found


def _is_timed(row: MatchRow) -> bool:
    """Whether a match has a clock; a pace that cannot be read is named when the match is judged."""
    try:
        return clocks.pace_of(row).limited
    except (ValueError, Refusal):
        return False


def judge_all(histories: Sequence[History], pauses: _Pauses) -> list[Replayed]:
    """Replay some matches, with the pauses of their servers."""
    return [judge(history, pauses.get(history.row.guild, ())) for history in histories]


def judge(history: History, pauses: Sequence[Pause]) -> Replayed:
    """Replay a match, with the pauses among which are those that stopped its clocks."""
    row = history.row
    if [event.version for event in history.events] != list(range(1, row.version + 1)):
        # That events are missing is found where they are counted.
        return Replayed(row.id, row.guild, row.version)
    try:
        return _judged(history, pauses)
    except Refusal as refusal:
        wrong = f"this program cannot replay it: {reason(Reader.ENGLISH, refusal)}"
    except Exception as error:  # noqa: BLE001 - whatever is stored, its match is to be named
        wrong = f"its events cannot be read: {type(error).__name__}: {error}"
    return Replayed(row.id, row.guild, row.version, wrong)


def _judged(history: History, pauses: Sequence[Pause]) -> Replayed:
    row = history.row
    start = play.first(row)
    events = [(from_record(event.record, start.rules.board), event.at) for event in history.events]
    sitting = Sitting(row, start, {}, clocks.begun(row, start))
    if any(sum(seat.side == side for seat in row.seats) != start.rules.players for side in Side):
        return Replayed(
            row.id, row.guild, row.version, "its seats are not as many as its game has players"
        )
    found = verify_events(row, _stops(history, start, events, pauses), events)
    if found.end is None:
        return Replayed(
            row.id, row.guild, row.version, verdict(Reader.ENGLISH, found).removesuffix(".")
        )
    sitting = Sitting(row, found.end, {}, sitting.clock)
    said = _said(sitting, start, events)
    result = _result(sitting, said)
    return Replayed(
        row.id,
        row.guild,
        row.version,
        restated=None if _says(sitting, said) else said,
        boards=tuple(_wrong_boards(history.rated, result)),
        missing=tuple(_missing(sitting, history.jobs)),
        result=result,
    )


def _stops(
    history: History, start: Match, events: Sequence[_Happened], pauses: Sequence[Pause]
) -> tuple[Stop, ...]:
    row = history.row
    if not clocks.pace_of(row).limited:
        return ()
    instants = {event.version: event.at for event in history.events}
    # Who plays which side is known at the end: the roll battle may make people change sides.
    return clocks.stops_by(row, _followed(start, events), instants, pauses)


def _followed(start: Match, events: Sequence[_Happened]) -> Match:
    return reduce(follow, (event for event, _ in events), start)


def _said(sitting: Sitting, start: Match, events: Sequence[_Happened]) -> Restated:
    """Return what the row of a match is to say by its events."""
    match = sitting.match
    touched = events[-1][1] if events else sitting.row.created
    outcome = match.outcome
    snapshot = play.snapshot(match) if events else sitting.row.snapshot
    if outcome is None:
        return Restated(snapshot, touched, None, None, None, {})
    ended = touched
    if outcome.how == ANNULLED and _followed(start, events[:-1]).outcome:
        # What is annulled when it is over keeps its place among the matches that ended.
        ended = events[-2][1]
    winner = outcome.winner.value if outcome.winner else ratings.DRAW
    parts = read_json(write_json(dict(outcome.parts)))
    return Restated(snapshot, touched, ended, winner, outcome.how, parts)


def _says(sitting: Sitting, said: Restated) -> bool:
    """Whether the row of a match says that."""
    row = sitting.row
    return said == Restated(row.snapshot, row.touched, row.ended, row.winner, row.how, row.parts)


def _result(sitting: Sitting, said: Restated) -> Result | None:
    outcome = sitting.match.outcome
    if outcome is None or said.ended is None or outcome.void or not sitting.row.rated:
        return None
    return ratings.result(sitting, outcome.winner, said.ended)


def _wrong_boards(rated: Sequence[Rated], result: Result | None) -> Iterator[Board]:
    """Yield the boards on which a match did something else to ratings than its result does."""
    due = result.boards if result else ()
    for board in dict.fromkeys((*due, *(each.key.board for each in rated))):
        changes = {each.key: each for each in rated if each.key.board == board}
        if board not in due or result is None or not _follows(changes, board, result):
            yield board


def _follows(changes: Mapping[RatingKey, Rated], board: Board, result: Result) -> bool:
    """Whether a result turns the ratings before it into those after it, on one board."""
    people = {
        side: [RatingKey(*board, person) for person in team] for side, team in result.people.items()
    }
    sides = {key: side for side, team in people.items() for key in team}
    if sides != {key: change.side for key, change in changes.items()}:
        return False
    teams = {side: [changes[key].before for key in team] for side, team in people.items()}
    after = ratings.strengths(teams, result.winner)
    return all(
        math.isclose(new.mu, changes[key].after.mu, rel_tol=CLOSE)
        and math.isclose(new.sigma, changes[key].after.sigma, rel_tol=CLOSE)
        for side, team in people.items()
        for key, new in zip(team, after[side], strict=True)
    )


def _missing(sitting: Sitting, waiting: Collection[str]) -> Iterator[str]:
    """Yield the kinds of jobs without which a running match would come to a stop."""
    row = sitting.row
    if sitting.match.outcome is not None:
        return
    due = {tasks.WATCH: True, tasks.COMPUTER: sitting.computer_acts}
    due[tasks.SHOW_MATCH] = not sitting.computer_acts and (
        row.message is None or row.shown < row.version
    )
    yield from (kind for kind, wanted in due.items() if wanted and kind not in waiting)
