"""What people ask for that keeps a processor busy: one thing a person at a time, at a rate.

It is done beside the program, in processes that let those go first which play; what can't leave the
program is done one at a time. Either has a line in which every server has its turn.
"""

import os
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from multiprocessing.process import BaseProcess
from typing import ParamSpec, TypeVar

from bot.platform.i18n.reader import DeclinedError, mark_text
from bot.platform.lines import NOBODY, Asker, FairLine, pass_slot_on
from bot.platform.workers import COSTLY_NICENESS, IDLE_S, WorkerGroup, WorkerTimeoutError

BUDGET_S = 60.0
"""The longest that one thing may take, from when a worker begins with it."""
RATE_MS = 60_000
"""Milliseconds in which what somebody asks for is counted."""
MAX_BY_PERSON = 20
"""Costly things that one person may ask for within a minute."""
MAX_BY_PARTY = 120
"""The same of a server."""
MAX_WAITING = 30
"""Things of a server that may wait."""
CORES_PER_WORKER = 4

_Given = ParamSpec("_Given")
_Found = TypeVar("_Found")


class TookTooLongError(DeclinedError):
    sentence = mark_text("That took too long to work out, so I stopped. Please try again later.")


class TooManyRequestsError(DeclinedError):
    most: int
    sentence = mark_text(
        "You've asked for {most} analyses, hints, replays or files within a minute. Please "
        "wait a little."
    )


class TooManyRequestsHereError(DeclinedError):
    sentence = mark_text(
        "Many people in this server are asking for analyses, hints, replays or files. Please "
        "ask again in a minute."
    )


class RequestUnderWayError(DeclinedError):
    sentence = mark_text(
        "I'm still working on your last analysis, hint, replay, report or file. Ask again when "
        "it's there."
    )


class RateLimit:
    """How often each has done something within a while, in memory only."""

    def __init__(self, most: int, span_ms: int = RATE_MS) -> None:
        self.most = most
        self._span_ms = span_ms
        self._times: OrderedDict[int, deque[int]] = OrderedDict()

    def __len__(self) -> int:
        """Return how many are remembered."""
        return len(self._times)

    def is_reached(self, who: int, now: int) -> bool:
        """Whether somebody may not do it again by now."""
        times = self._times.get(who, ())
        return sum(self._counts(at, now) for at in times) >= self.most

    def note(self, who: int, now: int) -> None:
        """Note that somebody does it."""
        self._times.setdefault(who, deque(maxlen=self.most)).append(now)
        self._times.move_to_end(who)
        # Those come first who have done nothing for longest.
        while not self._counts(next(iter(self._times.values()))[-1], now):
            self._times.popitem(last=False)

    def _counts(self, at: int, now: int) -> bool:
        # What lies ahead was noted by a clock that has been put back since.
        return now - self._span_ms < at <= now


class CostlyWork:
    """The costly things that are being done, and who has asked for them."""

    def __init__(
        self, clock: Callable[[], int], workers: int | None = None, budget_s: float = BUDGET_S
    ) -> None:
        self._clock = clock
        size = workers or max(1, (os.cpu_count() or 1) // CORES_PER_WORKER)
        self._workers = WorkerGroup(size, budget_s, COSTLY_NICENESS, IDLE_S)
        self._here = FairLine(1)
        self._asking: set[int] = set()
        self._people = RateLimit(MAX_BY_PERSON)
        self._parties = RateLimit(MAX_BY_PARTY)

    def count_request(self, asker: Asker) -> None:
        """Count what somebody asks for; raises DeclinedError if it is too much within a minute."""
        now = self._clock()
        if self._people.is_reached(asker.person, now):
            raise TooManyRequestsError(self._people.most)
        if self._parties.is_reached(asker.party, now):
            raise TooManyRequestsHereError
        self._people.note(asker.person, now)
        if asker.guild:
            self._parties.note(asker.party, now)

    async def run(
        self,
        asker: Asker,
        work: Callable[_Given, _Found],
        *given: _Given.args,
        **named: _Given.kwargs,
    ) -> _Found:
        """Have a worker do something for somebody.

        Raises DeclinedError if they wait for something already, have asked for too much, or it
        can't be done in time; for nobody, WorkerTimeoutError.
        """
        with self._admit(asker, self._workers.count_waiting(asker.party)):
            try:
                return await self._workers.run(asker, work, *given, **named)
            except WorkerTimeoutError:
                if asker == NOBODY:
                    raise
                raise TookTooLongError from None

    @asynccontextmanager
    async def hold(self, asker: Asker) -> AsyncIterator[None]:
        """Wait until nothing else that is costly is done in this process, and keep it so.

        Raises DeclinedError if somebody waits for something already or has asked for too much.
        """
        with self._admit(asker, self._here.count_waiting(asker.party)):
            async with self._here.hold(asker):
                yield

    @contextmanager
    def _admit(self, asker: Asker, waiting: int) -> Iterator[None]:
        if asker == NOBODY:
            yield
            return
        if asker.person in self._asking:
            raise RequestUnderWayError
        if waiting >= MAX_WAITING:
            raise TooManyRequestsHereError
        self.count_request(asker)
        self._asking.add(asker.person)
        try:
            # Others need not wait for a place among the answers until this is done.
            pass_slot_on()
            yield
        finally:
            self._asking.discard(asker.person)

    @property
    def processes(self) -> list[BaseProcess]:
        """The workers that there are."""
        return self._workers.processes

    def close(self) -> None:
        """End every worker."""
        self._workers.close()
