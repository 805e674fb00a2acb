"""The worker processes in which the computer thinks.

They start when needed, and are replaced when one dies or takes too long.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.process import BaseProcess

from bot.features.computer import worker as mind
from bot.platform.lines import NOBODY, Asker, FairLine
from bot.platform.workers import (
    COSTLY_NICENESS,
    IDLE_NICENESS,
    WORKER_NICENESS,
    Worker,
    WorkerGroup,
    WorkerTimeoutError,
)
from engine.events import Event
from engine.match import Match
from engine.players.level import Level
from engine.players.worth import StepAnalysis
from engine.position import Side

MOST_WORKERS = 4
BUDGET_S = 60.0
"""The longest that anything may take, from when a worker begins with it."""
LEISURE_S = 3600.0
"""The same of what nobody waits for: on a busy machine hardly any time may be left for it."""
PROGRESS_S = 0.5
"""How often a long piece of work says how far it is."""


class PlayerPool:
    """The workers. Nothing runs before something is asked, nor after `close`.

    Those that play do nothing else: what one person asks about a position is costly work.
    """

    def __init__(
        self,
        workers: int | None = None,
        budget_s: float = BUDGET_S,
        idle_niceness: int = IDLE_NICENESS,
    ) -> None:
        self._idle_niceness = idle_niceness
        self._budget_s = budget_s
        size = workers or min(os.cpu_count() or 1, MOST_WORKERS)
        self._players = WorkerGroup(size, budget_s, WORKER_NICENESS)
        self._judge: Worker | None = None
        self._idle: Worker | None = None
        # A report keeps a core busy for a long time; a second one beside it would slow the play.
        self._judging = FairLine(1)

    async def decide(
        self, match: Match, level: Level, seed: int, asker: Asker = NOBODY
    ) -> Event | None:
        """Return what the computer does at a level; None if it asks for the throw.

        Raises WorkerTimeoutError.
        """
        return await self._players.run(
            asker, mind.choose_event, mind.pack_match(match), level, seed
        )

    async def accepts_draw(self, match: Match, side: Side, asker: Asker = NOBODY) -> bool:
        """Return whether the computer takes a draw that its side is offered.

        Raises WorkerTimeoutError.
        """
        return await self._players.run(asker, mind.accepts_draw, mind.pack_match(match), side)

    async def analyse_match(
        self,
        match: int,
        start: Match,
        events: Sequence[Event],
        known: Sequence[StepAnalysis] = (),
        asker: Asker = NOBODY,
    ) -> AsyncIterator[Sequence[StepAnalysis]]:
        """Yield the judgement of each throw and decision of a finished match, some at a time.

        What is `known` is not judged again. One match is judged after another, in a worker of its
        own, since others wait for those that play. Raises WorkerTimeoutError, or BrokenProcessPool
        if the worker dies.
        """
        async with self._judging.hold(asker):
            judge = self._judge = Worker(COSTLY_NICENESS)
            try:
                async for some in self._analyse_in(
                    judge, self._budget_s, match, start, events, known
                ):
                    yield some
            finally:
                self._judge = None
                # Also when the caller stops listening: the worker would judge on for nobody.
                judge.kill()

    async def analyse_at_leisure(
        self,
        match: int,
        start: Match,
        events: Sequence[Event],
        known: Sequence[StepAnalysis],
    ) -> AsyncIterator[Sequence[StepAnalysis]]:
        """Yield the same of a match that nobody waits for, which may be going on.

        A worker does it that has what time all others leave, and stays for the next; only one may
        be asked for at a time. Raises what `analyse_match` does.
        """
        idle = self._idle = self._idle or Worker(self._idle_niceness)
        try:
            async for some in self._analyse_in(idle, LEISURE_S, match, start, events, known):
                yield some
        except (BrokenProcessPool, WorkerTimeoutError, asyncio.CancelledError):
            self.end_idle_worker()
            raise

    def end_idle_worker(self) -> None:
        """End the worker of `analyse_at_leisure`; another begins when it is needed."""
        if self._idle is not None:
            self._idle.kill()
            self._idle = None

    async def _analyse_in(
        self,
        worker: Worker,
        budget_s: float,
        match: int,
        start: Match,
        events: Sequence[Event],
        known: Sequence[StepAnalysis],
    ) -> AsyncIterator[Sequence[StepAnalysis]]:
        game, options = start.game, dict(start.options)
        begun = match, game.slug, game.edition, options, list(events), list(known)
        await worker.run(budget_s, mind.start_analysis, *begun)
        # Some at a time: each request has the full budget, and the person sees the progress.
        while some := await worker.run(budget_s, mind.continue_analysis, match, PROGRESS_S):
            yield some

    def start_workers(self) -> None:
        """Start the workers because there will soon be something to think about."""
        self._players.start(mind.preload_engine)

    @property
    def processes(self) -> list[BaseProcess]:
        """The workers that there are."""
        others = (self._judge, self._idle)
        return [
            *self._players.processes,
            *(process for worker in others if worker for process in worker.list_processes()),
        ]

    def close(self) -> None:
        """End every worker."""
        self._players.close()
        if self._judge is not None:
            self._judge.kill()
        self.end_idle_worker()
