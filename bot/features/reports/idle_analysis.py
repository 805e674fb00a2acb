"""Matches are analysed while they are played, so that their reports are there at once.

Nobody waits for it and nothing of it is shown: it fills a cache in memory, which the report of a
finished match takes up. A finished turn is judged a while later, in a worker that has what time all
others leave; what is lost with the process is worked out again.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass

from cachetools import LRUCache

from bot.features.computer.pool import PlayerPool
from bot.features.matches import loading
from bot.features.matches.jobs import SAVED_NOTES
from bot.features.matches.session import MatchSession
from bot.platform.context import App
from bot.platform.db.errors import StoreError
from bot.platform.i18n.reader import DeclinedError
from bot.platform.workers import WorkerTimeoutError
from engine.match import Match, Phase
from engine.players.evaluation import StepAnalysis

log = logging.getLogger(__name__)

DELAY_S = 2.0
"""How long a turn rests before it is judged, in which the computer answers it."""
IDLE_S = 300.0
"""How long the worker is kept that has nothing to do."""
MAX_KEPT = 1000
"""Matches whose analysis is kept; a longer one takes some 50 kB."""
MAX_WAITING = 200
"""Matches that may wait to be analysed; the others are when their next turn is over."""


@dataclass(frozen=True, slots=True)
class PartialAnalysis:
    """What is found of a match up to a version."""

    version: int
    found: Sequence[StepAnalysis] = ()


class LeisureAnalysis:
    """The matches that wait to be analysed, and what is found of them. It is off until started."""

    def __init__(self, delay_s: float = DELAY_S, idle_s: float = IDLE_S) -> None:
        self._delay_s = delay_s
        self._idle_s = idle_s
        self._kept: LRUCache[int, PartialAnalysis] = LRUCache(MAX_KEPT)
        self._due: OrderedDict[int, float] = OrderedDict()
        self._task: asyncio.Task[None] | None = None
        self._ending: asyncio.TimerHandle | None = None
        self._is_on = False

    def start(self) -> None:
        """Analyse from now on what is played."""
        self._is_on = True

    async def stop(self) -> None:
        """Analyse nothing any more."""
        self._is_on = False
        self._keep_worker()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def get(self, match: int) -> PartialAnalysis:
        """Return what is found of a match so far."""
        return self._kept.get(match, PartialAnalysis(0))

    def forget(self, match: int) -> None:
        """Forget a match, whose report is kept now."""
        self._kept.pop(match, None)
        self._due.pop(match, None)

    def enqueue(self, app: App, match: int, *, at_once: bool) -> None:
        """Have a match analysed as far as it has gone, after a while or as soon as possible."""
        if not self._is_on or (match not in self._due and len(self._due) >= MAX_WAITING):
            return
        now = asyncio.get_running_loop().time()
        if at_once:
            self._due[match] = now
            self._due.move_to_end(match, last=False)
        else:
            # The first turn that waits says when: a hasty player would put it off for ever.
            self._due.setdefault(match, now + self._delay_s)
        if self._task is None or self._task.done():
            self._keep_worker()
            self._task = asyncio.create_task(self._run(app), name="analysis at leisure")

    async def _run(self, app: App) -> None:
        """Analyse what waits, one match after another."""
        loop = asyncio.get_running_loop()
        while self._due:
            match, due = next(iter(self._due.items()))
            if due > loop.time():
                await asyncio.sleep(due - loop.time())
                # A match that has ended meanwhile comes first.
                continue
            del self._due[match]
            try:
                await self._analyse(app, match)
            except (WorkerTimeoutError, BrokenProcessPool, StoreError, DeclinedError) as error:
                # It is tried again after the next turn, and else when somebody asks for a report.
                log.info("match %d could not be analysed at leisure: %s", match, error)
        self._ending = loop.call_later(self._idle_s, app.get_part(PlayerPool).end_idle_worker)

    def _keep_worker(self) -> None:
        if self._ending is not None:
            self._ending.cancel()
            self._ending = None

    async def _analyse(self, app: App, match: int) -> None:
        row = await loading.load_row(app, match)
        events = await loading.load_events(app, row)
        found: list[StepAnalysis] = []
        async for some in app.get_part(PlayerPool).analyse_at_leisure(
            match, loading.build_initial_match(row), events, self.get(match).found
        ):
            found += some
        self._kept[match] = PartialAnalysis(len(events), found)


@SAVED_NOTES.add()
def note_finished_turn(app: App, before: MatchSession, after: MatchSession) -> None:
    """Have a match analysed once a turn of it is over."""
    is_over = after.match.phase is Phase.OVER
    if is_over or _identify_turn(before.match) != _identify_turn(after.match):
        app.get_part(LeisureAnalysis).enqueue(app, after.id, at_once=is_over)


def _identify_turn(match: Match) -> tuple[object, ...]:
    return match.turn, match.drawn
