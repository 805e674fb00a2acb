"""The worker processes in which the computer thinks.

They start when needed, and are replaced when one dies or takes too long.
"""

import asyncio
import logging
import multiprocessing
import os
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.process import BaseProcess
from typing import ParamSpec, TypeVar

from bot.features.computer import worker as mind
from engine.events import Event
from engine.match import Match
from engine.players.level import Level
from engine.players.worth import Evaluation, ExplainedProspect, Prospect, StepAnalysis
from engine.position import Side

log = logging.getLogger(__name__)

MOST_WORKERS = 4
BUDGET_S = 60.0
"""The longest that anything may take, waiting for others included."""
LEISURE_S = 3600.0
"""The same of what nobody waits for: on a busy machine hardly any time may be left for it."""
PROGRESS_S = 0.5
"""How often a long piece of work says how far it is."""

_Given = ParamSpec("_Given")
_Found = TypeVar("_Found")


class WorkerTimeoutError(Exception):
    """A worker did not answer in time."""


class PlayerPool:
    """The workers. Nothing runs before something is asked, nor after `close`."""

    def __init__(
        self,
        workers: int | None = None,
        budget_s: float = BUDGET_S,
        idle_niceness: int = mind.IDLE_NICENESS,
    ) -> None:
        self._idle_niceness = idle_niceness
        self._workers = workers or min(os.cpu_count() or 1, MOST_WORKERS)
        self._budget_s = budget_s
        self._pool: ProcessPoolExecutor | None = None
        self._judge: ProcessPoolExecutor | None = None
        self._idle: ProcessPoolExecutor | None = None
        # A report keeps a core busy for a long time; a second one beside it would slow the play.
        self._judging = asyncio.Semaphore(1)

    async def decide(self, match: Match, level: Level, seed: int) -> Event | None:
        """Return what the computer does at a level; None if it asks for the throw.

        Raises WorkerTimeoutError.
        """
        return await self._call_worker(mind.choose_event, mind.pack_match(match), level, seed)

    async def accepts_draw(self, match: Match, side: Side) -> bool:
        """Return whether the computer takes a draw that its side is offered.

        Raises WorkerTimeoutError.
        """
        return await self._call_worker(mind.accepts_draw, mind.pack_match(match), side)

    async def explain_decisions(self, match: Match, most: int) -> Sequence[ExplainedProspect]:
        """Return the best things that may be done now, best first, and why.

        Raises WorkerTimeoutError.
        """
        return await self._call_worker(mind.explain_decisions, mind.pack_match(match), most)

    async def rank_plays(self, match: Match) -> Sequence[Prospect]:
        """Return everything that may be played now, best first. Raises WorkerTimeoutError."""
        return await self._call_worker(mind.rank_plays, mind.pack_match(match))

    async def evaluate_match(self, match: Match) -> Evaluation:
        """Return the 1-ply worth of a match to the side that acts. Raises WorkerTimeoutError."""
        return await self._call_worker(mind.evaluate_match, mind.pack_match(match))

    async def evaluate_events(self, match: Match, events: Sequence[Event]) -> Sequence[Evaluation]:
        """Return the 1-ply worth of things that may be done now. Raises WorkerTimeoutError."""
        return await self._call_worker(mind.evaluate_events, mind.pack_match(match), list(events))

    async def analyse_match(
        self,
        match: int,
        start: Match,
        events: Sequence[Event],
        known: Sequence[StepAnalysis] = (),
    ) -> AsyncIterator[Sequence[StepAnalysis]]:
        """Yield the judgement of each throw and decision of a finished match, some at a time.

        What is `known` is not judged again. One match is judged after another, in a worker of its
        own, since others wait for those that play. Raises WorkerTimeoutError, or BrokenProcessPool
        if the worker dies.
        """
        async with self._judging:
            pool = self._create_pool(1)
            self._judge = pool
            try:
                async for some in self._analyse_in(
                    pool, self._budget_s, match, start, events, known
                ):
                    yield some
            finally:
                self._judge = None
                # Also when the caller stops listening: the worker would judge on for nobody.
                _kill_workers(pool)

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
        pool = self._idle = self._idle or self._create_pool(1, self._idle_niceness)
        try:
            async for some in self._analyse_in(pool, LEISURE_S, match, start, events, known):
                yield some
        except (BrokenProcessPool, WorkerTimeoutError):
            self._close_pool(pool)
            raise

    def end_idle_worker(self) -> None:
        """End the worker of `analyse_at_leisure`; another begins when it is needed."""
        if self._idle is not None:
            self._close_pool(self._idle)

    async def _analyse_in(
        self,
        pool: ProcessPoolExecutor,
        budget_s: float,
        match: int,
        start: Match,
        events: Sequence[Event],
        known: Sequence[StepAnalysis],
    ) -> AsyncIterator[Sequence[StepAnalysis]]:
        game, options = start.game, dict(start.options)
        begun = match, game.slug, game.edition, options, list(events), list(known)
        await self._await_worker(pool, budget_s, mind.start_analysis, *begun)
        # Some at a time: each request has the full budget, and the person sees the progress.
        while some := await self._await_worker(
            pool, budget_s, mind.continue_analysis, match, PROGRESS_S
        ):
            yield some

    def start_workers(self) -> None:
        """Start the workers because there will soon be something to think about."""
        if self._pool is None:
            pool = self._get_pool()
            for _ in range(self._workers):
                # One request a worker, since the pool starts a process only when there is work for
                # it.
                pool.submit(mind.preload_engine)

    async def _call_worker(
        self, work: Callable[_Given, _Found], *given: _Given.args, **named: _Given.kwargs
    ) -> _Found:
        """Have a worker do something; if one has died, replace all workers and ask once more."""
        try:
            return await self._call_worker_once(work, *given, **named)
        except BrokenProcessPool:
            log.warning("a worker process died; asking the others")
            # Once only: a request that kills its worker would go on to kill every new one.
            return await self._call_worker_once(work, *given, **named)

    async def _call_worker_once(
        self, work: Callable[_Given, _Found], *given: _Given.args, **named: _Given.kwargs
    ) -> _Found:
        pool = self._get_pool()
        try:
            return await self._await_worker(pool, self._budget_s, work, *given, **named)
        except (BrokenProcessPool, WorkerTimeoutError):
            # Nothing else ends a worker that does not end by itself.
            self._close_pool(pool)
            raise

    async def _await_worker(
        self,
        pool: ProcessPoolExecutor,
        budget_s: float,
        work: Callable[_Given, _Found],
        *given: _Given.args,
        **named: _Given.kwargs,
    ) -> _Found:
        answer = pool.submit(work, *given, **named)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(answer), budget_s)
        except asyncio.CancelledError:
            # The future may be cancelled with the pool, or this task by its own caller. Only the
            # first can be asked again.
            task = asyncio.current_task()
            if answer.cancelled() and task is not None and not task.cancelling():
                # Another request took too long, and the workers were ended before the turn of this
                # one.
                raise BrokenProcessPool("the workers were ended") from None
            raise
        except TimeoutError:
            raise WorkerTimeoutError(f"a worker took longer than {budget_s:g} s") from None

    def _get_pool(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = self._create_pool(self._workers)
        return self._pool

    def _create_pool(
        self, workers: int, niceness: int = mind.WORKER_NICENESS
    ) -> ProcessPoolExecutor:
        # A forked worker would inherit the program's sockets, and locks that its threads hold.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(
            workers,
            mp_context=context,
            initializer=mind.initialise_worker,
            initargs=(niceness,),
        )

    @property
    def processes(self) -> list[BaseProcess]:
        """The workers that there are."""
        return [
            process
            for pool in (self._pool, self._judge, self._idle)
            if pool
            for process in _list_processes(pool)
        ]

    def close(self) -> None:
        """End every worker."""
        for pool in (self._pool, self._judge, self._idle):
            if pool is not None:
                self._close_pool(pool)

    def _close_pool(self, pool: ProcessPoolExecutor) -> None:
        if pool is self._pool:
            self._pool = None
        if pool is self._idle:
            self._idle = None
        _kill_workers(pool)


def _kill_workers(pool: ProcessPoolExecutor) -> None:
    """End the workers of a pool at once; what others asked them is asked again."""
    processes = _list_processes(pool)
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        # Also one that is stopped, and hears of nothing else.
        process.kill()


def _list_processes(pool: ProcessPoolExecutor) -> list[BaseProcess]:
    # Python 3.14 has terminate_workers, before which there is no public way to them.
    return list((pool._processes or {}).values())  # noqa: SLF001
