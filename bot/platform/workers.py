"""Worker processes, each with one job at a time, for what would keep the program from answering.

They start when needed. One that dies or takes too long is ended with the job that it has, and no
other.
"""

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess, parent_process
from typing import ParamSpec, TypeVar

from bot.platform.lines import Asker, FairLine

log = logging.getLogger(__name__)

WORKER_NICENESS = 5
"""How far a worker steps back behind the program that answers people, if the system can do so."""
COSTLY_NICENESS = 15
"""The same of a worker for what one person asks, behind those that play against many."""
IDLE_NICENESS = 19
"""The same of a worker that nobody waits for: it has what time all others leave."""
IDLE_S = 300.0
"""How long workers are kept that have nothing to do, where they are ended at all."""

_Given = ParamSpec("_Given")
_Found = TypeVar("_Found")


class WorkerTimeoutError(Exception):
    """A worker did not answer in time."""


_preparations: list[Callable[[], None]] = []
"""What a worker does before its first job."""


def prepare_workers(work: Callable[[], None]) -> None:
    """Have every worker that begins from now on do something first: it knows no settings."""
    _preparations.append(work)


def initialise_worker(
    niceness: int = WORKER_NICENESS, preparations: Sequence[Callable[[], None]] = ()
) -> None:
    """Begin as a worker: leave the keyboard to the program and let it go first.

    The worker ends when the program ends, however that ends.
    """
    # Ctrl+C reaches the whole group of processes, but the program ends its workers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(niceness)
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    for prepare in preparations:
        prepare()


def _exit_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    # The sentinel becomes ready when the parent dies in any way, also when it is killed.
    wait([parent.sentinel])
    # A program that was killed has closed nothing that a worker could notice.
    os._exit(0)


class Worker:
    """One process, which does one job after another."""

    def __init__(self, niceness: int = WORKER_NICENESS) -> None:
        # A forked worker would inherit the program's sockets, and locks that its threads hold.
        context = multiprocessing.get_context("spawn")
        # A pool of one, since a pool of several ends all of them to end one.
        self._pool = ProcessPoolExecutor(
            1,
            mp_context=context,
            initializer=initialise_worker,
            initargs=(niceness, (*_preparations,)),
        )

    async def run(
        self,
        budget_s: float,
        work: Callable[_Given, _Found],
        *given: _Given.args,
        **named: _Given.kwargs,
    ) -> _Found:
        """Have something done within a time, or end the worker.

        Raises WorkerTimeoutError, and BrokenProcessPool if the worker dies.
        """
        try:
            answer = self._pool.submit(work, *given, **named)
            return await asyncio.wait_for(asyncio.wrap_future(answer), budget_s)
        except asyncio.CancelledError:
            self.kill()
            # The worker may have been ended, or this task by its own caller. Only the first can be
            # asked again.
            task = asyncio.current_task()
            if task is not None and not task.cancelling():
                raise BrokenProcessPool("the worker was ended") from None
            raise
        except BrokenProcessPool:
            self.kill()
            raise
        except TimeoutError:
            # Nothing else ends a worker that does not end by itself.
            self.kill()
            raise WorkerTimeoutError(f"a worker took longer than {budget_s:g} s") from None

    def begin(self, work: Callable[[], None]) -> None:
        """Have something done that nobody waits for, such as loading what is needed later."""
        self._pool.submit(work)

    def list_processes(self) -> list[BaseProcess]:
        """Return its process, once it has one."""
        # Python 3.14 has terminate_workers, before which there is no public way to them.
        return list((self._pool._processes or {}).values())  # noqa: SLF001

    @property
    def is_usable(self) -> bool:
        """Whether its process has not died meanwhile."""
        return all(process.is_alive() for process in self.list_processes())

    def kill(self) -> None:
        """End the process at once."""
        processes = self.list_processes()
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            # Also one that is stopped, and hears of nothing else.
            process.kill()


class WorkerGroup:
    """Workers side by side, and a fair line of the jobs that wait for one."""

    def __init__(
        self, size: int, budget_s: float, niceness: int, idle_s: float | None = None
    ) -> None:
        """Make a group; `budget_s` counts from when a worker begins with a job.

        Workers that have nothing to do for `idle_s` are ended.
        """
        self._size = size
        self._budget_s = budget_s
        self._niceness = niceness
        self._idle_s = idle_s
        self._line = FairLine(size)
        self._resting: list[Worker] = []
        self._busy: list[Worker] = []
        self._ending: asyncio.TimerHandle | None = None
        self._is_closed = False

    async def run(
        self,
        asker: Asker,
        work: Callable[_Given, _Found],
        *given: _Given.args,
        **named: _Given.kwargs,
    ) -> _Found:
        """Have a worker do something in its turn; if it dies, ask one more.

        Raises WorkerTimeoutError.
        """
        async with self._line.hold(asker):
            try:
                return await self._run_once(work, *given, **named)
            except BrokenProcessPool:
                log.warning("a worker process died; asking another")
                # Once only: a job that kills its worker would go on to kill every new one.
                return await self._run_once(work, *given, **named)

    async def _run_once(
        self, work: Callable[_Given, _Found], *given: _Given.args, **named: _Given.kwargs
    ) -> _Found:
        with self._use_worker() as worker:
            return await worker.run(self._budget_s, work, *given, **named)

    @contextmanager
    def _use_worker(self) -> Iterator[Worker]:
        if self._is_closed:
            raise BrokenProcessPool("the workers were ended")
        self._keep_workers()
        worker = self._get_worker()
        self._busy.append(worker)
        try:
            yield worker
        except Exception as error:
            if not isinstance(error, BrokenProcessPool | WorkerTimeoutError):
                # What the job itself raises leaves its worker as it was.
                self._rest(worker)
            raise
        else:
            self._rest(worker)
        finally:
            if worker in self._busy:
                self._busy.remove(worker)

    def _get_worker(self) -> Worker:
        while self._resting:
            worker = self._resting.pop()
            if worker.is_usable:
                return worker
            worker.kill()
        return Worker(self._niceness)

    def _rest(self, worker: Worker) -> None:
        # One that was ended by `close` is not among the busy any more.
        if worker not in self._busy:
            return
        self._resting.append(worker)
        if self._idle_s is not None and len(self._busy) == 1:
            loop = asyncio.get_running_loop()
            self._ending = loop.call_later(self._idle_s, self._end_resting)

    def _keep_workers(self) -> None:
        if self._ending is not None:
            self._ending.cancel()
            self._ending = None

    def _end_resting(self) -> None:
        while self._resting:
            self._resting.pop().kill()

    def start(self, preload: Callable[[], None]) -> None:
        """Start the workers because there will soon be something to do."""
        if self._resting or self._busy:
            return
        for _ in range(self._size):
            worker = Worker(self._niceness)
            worker.begin(preload)
            self._resting.append(worker)

    def count_waiting(self, party: int) -> int:
        """Return how many jobs of a server, or of a person without one, wait for a worker."""
        return self._line.count_waiting(party)

    @property
    def processes(self) -> list[BaseProcess]:
        """The workers that there are."""
        return [
            process
            for worker in (*self._resting, *self._busy)
            for process in worker.list_processes()
        ]

    def close(self) -> None:
        """End every worker, and begin no other."""
        self._is_closed = True
        self._keep_workers()
        self._end_resting()
        while self._busy:
            self._busy.pop().kill()
