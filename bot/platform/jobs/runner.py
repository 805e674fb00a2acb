"""The outbox: what must follow a change is stored with it, and one runner does it exactly once.

The runner sleeps until the next job is due, and is notified at once of those that have just been
stored. A job that fails is retried with growing back-off; one that cannot be done is kept with its
error. If several processes share a database each does the jobs of the servers that it serves, and
leases a job for as long as it does it.
"""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Concatenate, TypeAlias
from weakref import WeakValueDictionary

from bot.platform.context import Clock
from bot.platform.db.errors import StoreError
from bot.platform.db.jobs import LEASE_MS
from bot.platform.db.rows import Job, QueuedJob
from bot.platform.db.store import Store
from bot.platform.jobs.destinations import find_failed_jobs

log = logging.getLogger(__name__)

MAX_PAUSE_S = 300
"""Seconds for which what failed waits at most until it is tried again."""

MAX_TRIES = 600
"""Two days of the longest pauses."""
MAX_CONCURRENT_JOBS = 32
"""Jobs that are done side by side."""
LOOK_AGAIN_S = 600.0
"""The longest sleep."""
LOOK_SHARED_S = 2.0
"""The longest sleep if other processes enqueue jobs, too.

A look for jobs is cheap and needs no connection of its own.
"""
PROLONG_S = LEASE_MS / 4000
"""How often the leases of jobs that take long are prolonged."""
STORE_PAUSE_S = 2.0
"""How long to wait for a database that does not answer."""
HURRY_PAUSE_S = 15
"""Seconds between two resets of the back-off in one place."""
MANY_REFUSED = 1_000
"""Refused requests in ten minutes; each such number doubles the back-off of failed jobs."""
NO_RETRIES_FROM = 4_000
"""Refused requests from which failed jobs are not tried again for a while."""
NO_JOBS_FROM = 7_000
"""Refused requests from which no job is run for a while: at 10,000 Discord bans the address."""


@dataclass(frozen=True, slots=True)
class Done:
    """The job is done, and is deleted unless it was renewed meanwhile."""


@dataclass(frozen=True, slots=True)
class Removed:
    """The job is done, and was deleted in the transaction that stored what it has done."""


@dataclass(frozen=True, slots=True)
class Reschedule:
    """The job is done later: a newer one replaces it, unless it was renewed meanwhile."""

    newer: Job


@dataclass(frozen=True, slots=True)
class Retry:
    """The job cannot be done now, and is tried again after a while.

    What waits for its server or its place is due at once when that is back.
    """

    reason: str
    after_ms: int = 1000 * MAX_PAUSE_S


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The job can never be done, and is kept with the reason."""

    reason: str


JobResult: TypeAlias = Done | Removed | Reschedule | Retry | GiveUp
"""What becomes of a job whose handler has run; one whose handler raises an error is retried."""
Handler: TypeAlias = Callable[Concatenate[QueuedJob, ...], Awaitable[JobResult]]
"""Does a job; where somebody's action has brought it, it is also given the answer to them."""

_Place: TypeAlias = tuple[int | None, int | None]
"""A server and a channel of it, or all of it, or everywhere."""

JobKey: TypeAlias = tuple[str, str]
"""A job's kind and key: of one lane, one job is done at a time, in the order of their coming."""


class Runner:
    """Does the jobs of a store by their kinds. Between jobs nothing of it runs but a timer."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        handlers: Mapping[str, Handler],
        refused: Callable[[], int] = lambda: 0,
    ) -> None:
        """Make a runner; `refused` counts the requests that Discord refused within ten minutes."""
        self._store = store
        self._clock = clock
        self._handlers = handlers
        self._refused = refused
        self._hurried: dict[_Place, int] = {}
        self._hastened: set[JobKey] = set()
        self._running: dict[JobKey, tuple[QueuedJob, asyncio.Task[None]]] = {}
        self._renewed: set[JobKey] = set()
        self._watched: WeakValueDictionary[JobKey, asyncio.Future[None]] = WeakValueDictionary()
        self._ended_meanwhile: set[tuple[JobKey, int, int]] = set()
        self._room = asyncio.Semaphore(MAX_CONCURRENT_JOBS)
        self._longest_sleep_s = LOOK_SHARED_S if store.shared else LOOK_AGAIN_S
        self._prolonging: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None
        self._look_again = False
        self._more = False
        self._next_look = math.inf
        self._ahead: dict[JobKey, float] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._stopped = True

    def start(self) -> None:
        """Begin to do jobs, those first that were left from an earlier time."""
        self._stopped = False
        # With a file no other process can take a job, so a lease that lapses does no harm there.
        if self._store.shared:
            self._prolonging = asyncio.create_task(self._extend_leases(), name="prolong leases")
        self._wake()

    def schedule_jobs(self, jobs: Sequence[QueuedJob], answer: object | None = None) -> None:
        """Begin jobs that have just been stored, or wake when they are due.

        Jobs of other processes are left to them. An action that stored them for somebody hands its
        `answer` over: the first try of what is due answers by what it does.
        """
        if self._stopped:
            return
        for job in jobs:
            if not self._store.shards.has_server(job.guild):
                continue
            lane = (job.kind, job.key)
            # A job that was renewed is due when it is now, no longer when it was.
            self._ahead.pop(lane, None)
            ahead_ms = job.due - self._clock()
            if ahead_ms > 1000 * LOOK_AGAIN_S:
                # Of thousands of clocks only those that run out soon are held in memory; the others
                # are queried.
                continue
            if ahead_ms > 0:
                self._ahead[lane] = asyncio.get_running_loop().time() + ahead_ms / 1000
            elif job.leased_by == self._store.process:
                # Leased in the transaction that stored it, so no further statement is needed to
                # begin it.
                self._start_job(job, answer)
            elif lane in self._running:
                self._renewed.add(lane)
            else:
                self._wake()
        self._set_timer()

    def find_task(self, kind: str, key: str) -> asyncio.Task[None] | None:
        """Return the task that does the newest job of a kind and key; None if none is under way."""
        _, task = self._running.get((kind, key), (None, None))
        return task

    def watch_job(self, kind: str, key: str) -> asyncio.Future[None] | None:
        """Return what is over once a job is that is under way, however often it has to be tried.

        None if none is under way. It's kept for as long as somebody holds it.
        """
        lane = (kind, key)
        if lane not in self._running:
            return None
        return self._watched.setdefault(lane, asyncio.get_running_loop().create_future())

    async def retry_failed(self, guild: int | None = None, channel: int | None = None) -> None:
        """Retry the failed jobs of a server, of all (None) or of one channel alone.

        Their cause may be gone. The first of many calls counts at once, those that follow it
        together after a pause.
        """
        now = self._clock()
        place = (guild, channel)
        # Counted before the database is asked: a job that is failing at this moment is not stored
        # as failed yet, and `_process_job` sees by the count that it may be retried at once.
        self._hastened |= {
            lane for lane, (job, _) in self._running.items() if guild in (None, job.guild)
        }
        due = self._find_retry_time(place, now)
        # Before anything is awaited, so that calls which come at the same time share one retry.
        self._hurried[place] = due
        jobs = self._store.jobs
        try:
            if guild is None or channel is None:
                await jobs.hasten_failed(due, guild)
            elif there := await find_failed_jobs(self._store, guild, channel):
                await jobs.hasten_failed(due, guild, there)
        except StoreError as error:
            log.warning("could not retry failed jobs at once: %s", error)
            return
        if due <= now:
            self._wake()
        else:
            self._schedule_wake((due - now) / 1000)

    def _find_retry_time(self, place: _Place, now: int) -> int:
        """Return when the failed jobs of a place may be retried ahead of their back-off."""
        pause = 1000 * HURRY_PAUSE_S
        # Those of longer ago no longer count, nor those that were set by a clock that has been put
        # back since.
        self._hurried = {
            each: last for each, last in self._hurried.items() if now - pause < last <= now + pause
        }
        last = self._hurried.get(place)
        if last is None:
            return now
        # A retry that is planned already stands for this call as well.
        return last if last > now else last + pause

    async def stop(self, patience_s: float) -> None:
        """Wait for the jobs under way, at most that long.

        The rest stays in the store, free for other processes.
        """
        # Before anything is awaited: from here on neither the timer nor a job that ends looks for
        # more.
        self._stopped = True
        if self._timer:
            self._timer.cancel()
        under_way = [*(task for _, task in self._running.values()), *filter(None, (self._looking,))]
        if under_way:
            _, late = await asyncio.wait(under_way, timeout=patience_s)
            for task in late:
                task.cancel()
        # Not earlier, since the jobs that were waited for need their leases to their end.
        if self._prolonging:
            self._prolonging.cancel()
        try:
            await self._store.jobs.release_leases()
        except StoreError as error:
            log.warning("unfinished jobs become free when their leases expire: %s", error)

    @property
    def is_idle(self) -> bool:
        """Whether no job is under way."""
        return not self._running

    def _wake(self) -> None:
        """Look for jobs that are due, once more if that is being done already."""
        if self._stopped:
            return
        if self._looking is not None:
            self._look_again = True
            return
        # What was known to be due is looked for with everything else.
        self._next_look = math.inf
        self._ahead.clear()
        self._looking = asyncio.create_task(self._start_due_jobs(), name="look for jobs")

    def _schedule_wake(self, seconds: float) -> None:
        """Wake then, unless it is to be sooner anyway."""
        self._next_look = min(self._next_look, asyncio.get_running_loop().time() + seconds)
        self._set_timer()

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        when = min([self._next_look, *self._ahead.values()])
        if when < math.inf:
            self._timer = asyncio.get_running_loop().call_at(when, self._wake)

    async def _start_due_jobs(self) -> None:
        pause_s = self._longest_sleep_s
        self._ended_meanwhile.clear()
        try:
            # Those under way are due as well, and are not to hide others.
            most = max(len(self._running), 2 * MAX_CONCURRENT_JOBS)
            # One instant for both queries, so that no job falls between what is due and what comes
            # next.
            now = self._clock()
            due = await self._store.jobs.lease_due(now, most)
            # As many as were asked for: there may be more, for which `_finish_job` looks.
            self._more = len(due) == most
            for job in due:
                lane = (job.kind, job.key)
                # What was read may have been done before the answer was here. An id alone says
                # little: SQLite gives that of a deleted job to the next one.
                ended = (lane, job.id, job.revision) in self._ended_meanwhile
                if not ended and lane not in self._running:
                    self._start_job(job)
            # What is due already is under way, and must not hide what comes after it.
            next_due = await self._store.jobs.find_next_due(after=now)
            if next_due is not None:
                pause_s = min(pause_s, max(next_due - self._clock(), 0) / 1000)
        except StoreError as error:
            # The store says once what is wrong, and this is tried again and again.
            log.debug("could not load jobs; retrying: %s", error)
            pause_s = STORE_PAUSE_S
        except Exception:
            # Whatever it is, what is due later must not wait for a restart.
            log.exception("could not load due jobs; retrying")
            pause_s = STORE_PAUSE_S
        self._looking = None
        if self._look_again:
            self._look_again = False
            self._wake()
        elif not self._stopped:
            self._schedule_wake(pause_s)

    def _start_job(self, job: QueuedJob, answer: object | None = None) -> None:
        earlier = self.find_task(job.kind, job.key)
        doing = (
            self._process_job(job, answer)
            if earlier is None
            else self._follow(earlier, job, answer)
        )
        task = asyncio.create_task(doing, name=f"{job.kind} {job.key}")
        self._running[job.kind, job.key] = job, task
        task.add_done_callback(partial(self._finish_job, job))

    async def _follow(
        self, earlier: asyncio.Task[None], job: QueuedJob, answer: object | None
    ) -> None:
        """Do a job that was renewed while an earlier revision was done, once that has ended."""
        # Cancelling this task cancels the earlier one, too.
        await asyncio.gather(earlier, return_exceptions=True)
        # What was renewed once more is done by the task that came after, with all that was wanted.
        if self._running[job.kind, job.key][0] is job:
            await self._process_job(job, answer)

    def _end_watch(self, job: QueuedJob) -> None:
        """Tell those who watch a job that it is over, unless a newer one takes its place."""
        lane = (job.kind, job.key)
        watched = self._watched.get(lane)
        if watched is not None and not watched.done() and self._running[lane][0] is job:
            watched.set_result(None)
            del self._watched[lane]

    def _finish_job(self, job: QueuedJob, task: asyncio.Task[None]) -> None:
        lane = (job.kind, job.key)
        if self._looking is not None:
            self._ended_meanwhile.add((lane, job.id, job.revision))
        if self._running[lane][1] is not task:
            return
        del self._running[lane]
        self._hastened.discard(lane)
        more = self._more and len(self._running) < MAX_CONCURRENT_JOBS
        # A job that was renewed while it ran was not begun again, and is found by a new look.
        if lane in self._renewed or more:
            self._renewed.discard(lane)
            self._wake()

    async def _extend_leases(self) -> None:
        """Hold the leases of what is being done, however long it takes."""
        while True:
            await asyncio.sleep(PROLONG_S)
            under_way = [job for job, _ in self._running.values()]
            if not under_way:
                continue
            try:
                await self._store.jobs.prolong_leases(under_way)
            except StoreError as error:
                log.debug("could not renew the leases of %d jobs: %s", len(under_way), error)

    async def _process_job(self, job: QueuedJob, answer: object | None) -> None:
        # A job counts as running while it waits here, so its lease is prolonged until its turn
        # comes.
        async with self._room:
            try:
                if self._must_wait(job):
                    later = self._clock() + 1000 * MAX_PAUSE_S
                    await self._store.jobs.schedule_retry(job, later, job.error or "not tried yet")
                    self._schedule_wake(MAX_PAUSE_S)
                else:
                    await self._settle_job(job, await self._call_handler(job, answer))
            except StoreError as error:
                # The job is in the store still, and is looked for again.
                log.debug("could not save the result of job %s %s: %s", job.kind, job.key, error)
                self._schedule_wake(STORE_PAUSE_S)

    def _must_wait(self, job: QueuedJob) -> bool:
        """Whether a job must wait: with so many refused requests Discord might ban the program."""
        return self._refused() >= (NO_RETRIES_FROM if job.tries else NO_JOBS_FROM)

    async def _call_handler(self, job: QueuedJob, answer: object | None) -> JobResult | Exception:
        """Do a job and return its result, or what went wrong."""
        handler = self._handlers.get(job.kind)
        if handler is None:
            return GiveUp(f"nobody knows how to {job.kind}")
        try:
            return await (handler(job) if answer is None else handler(job, answer))
        except Exception as error:  # noqa: BLE001 - whatever it is, the job must not be lost
            return error

    async def _settle_job(self, job: QueuedJob, result: JobResult | Exception) -> None:
        if not isinstance(result, Retry | Exception):
            self._end_watch(job)
        match result:
            case Removed():
                pass
            case Done():
                # A job that was renewed meanwhile stays.
                if not await self._store.jobs.finish(job):
                    self._wake()
            case Reschedule(newer):
                if replaced := await self._store.jobs.replace(job, newer):
                    self.schedule_jobs(replaced)
                else:
                    self._wake()
            case GiveUp(reason):
                log.warning("giving up job %s %s: %s", job.kind, job.key, reason)
                await self._store.jobs.give_up(job, reason, self._clock())
            case Retry(reason, after_ms):
                await self._postpone_job(job, reason, after_ms // 1000)
            case Exception() as error:
                slower = 2 ** (self._refused() // MANY_REFUSED)
                # The factor comes after the limit: while Discord refuses much, the longest pauses
                # grow, too.
                pause_s = min(2**job.tries, MAX_PAUSE_S) * slower
                text = f"{type(error).__name__}: {error}"
                await self._postpone_job(job, text, pause_s, error)

    async def _postpone_job(
        self, job: QueuedJob, text: str, pause_s: int, error: Exception | None = None
    ) -> None:
        if job.tries >= MAX_TRIES:
            log.error(
                "giving up job %s %s after %d tries", job.kind, job.key, job.tries, exc_info=error
            )
            await self._store.jobs.give_up(job, text, self._clock())
            return
        if (job.kind, job.key) in self._hastened:
            # It was refused just before the cause was gone.
            pause_s = 0
        log.warning("job %s %s failed, retrying in %d s: %s", job.kind, job.key, pause_s, text)
        await self._store.jobs.schedule_retry(job, self._clock() + 1000 * pause_s, text)
        self._schedule_wake(pause_s)
