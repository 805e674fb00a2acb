"""The worker processes in which the computer thinks: begun when needed, replaced when one dies or takes too long."""

import asyncio
import logging
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.process import BaseProcess
from typing import ParamSpec, TypeVar

from bot.app import mind
from engine.events import Event
from engine.match import Match
from engine.players.level import Level

log = logging.getLogger(__name__)

MOST_WORKERS = 4
BUDGET_S = 20.0
"""The longest that anything may take, waiting for others included."""

_Given = ParamSpec("_Given")
_Found = TypeVar("_Found")


class TookTooLong(Exception):
    """A worker did not answer in time."""


class Minds:
    """The workers. Nothing runs before something is asked, nor after `close`."""

    def __init__(self, workers: int | None = None, budget_s: float = BUDGET_S) -> None:
        self._workers = workers or min(os.cpu_count() or 1, MOST_WORKERS)
        self._budget_s = budget_s
        self._pool: ProcessPoolExecutor | None = None

    async def decide(self, match: Match, level: Level, seed: int) -> Event | None:
        """Return what the computer does at a level; None where it asks for the throw. Raises TookTooLong."""
        return await self._ask(mind.chosen, mind.told(match), level, seed)

    async def advice(self, match: Match, most: int) -> tuple[mind.Advice, ...]:
        """Return the best things that may be done now, best first. Raises TookTooLong."""
        return await self._ask(mind.advice, mind.told(match), most)

    def wake(self) -> None:
        """Begin the workers, where there is soon something to think about."""
        if self._pool is None:
            pool = self._opened()
            for _ in range(self._workers):
                pool.submit(mind.ready)

    async def _ask(self, work: Callable[_Given, _Found], *given: _Given.args, **named: _Given.kwargs) -> _Found:
        """Have a worker do something; where one has died, all are replaced and it is asked once more."""
        try:
            return await self._asked(work, *given, **named)
        except BrokenProcessPool:
            log.warning("a worker died; asking others")
            return await self._asked(work, *given, **named)

    async def _asked(self, work: Callable[_Given, _Found], *given: _Given.args, **named: _Given.kwargs) -> _Found:
        pool = self._opened()
        try:
            answer = pool.submit(work, *given, **named)
            return await asyncio.wait_for(asyncio.wrap_future(answer), self._budget_s)
        except BrokenProcessPool:
            self._end(pool)
            raise
        except TimeoutError:
            # Nothing else ends a worker that does not end by itself.
            self._end(pool)
            raise TookTooLong(f"a worker took longer than {self._budget_s:g} s") from None

    def _opened(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._workers, mp_context=context, initializer=mind.begin)
        return self._pool

    @property
    def processes(self) -> list[BaseProcess]:
        """The workers that there are."""
        return _processes(self._pool) if self._pool else []

    def _end(self, pool: ProcessPoolExecutor) -> None:
        """End the workers of a pool at once; what others asked them is asked again."""
        if pool is self._pool:
            self._pool = None
        processes = _processes(pool)
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()

    def close(self) -> None:
        """End every worker."""
        if self._pool is not None:
            self._end(self._pool)


def _processes(pool: ProcessPoolExecutor) -> list[BaseProcess]:
    # Python 3.14 has terminate_workers, before which there is no public way to them.
    return list((pool._processes or {}).values())  # noqa: SLF001
