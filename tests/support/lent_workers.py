"""Worker processes that go from one club to the next: to start one takes longer than most tests."""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager

import pytest

from bot.features.computer import pool
from bot.platform import workers
from bot.platform.workers import Worker

_rested: list[ProcessPoolExecutor] = []
"""Those that nobody has."""
MAX_RESTED = 3
"""Workers that are kept while nobody has them; each takes some 60 MB."""


class LentWorker(Worker):
    """One that is kept when it is to end, if it has nothing to do.

    It lets nobody go first: beside other tests, a report would wait until those have ended.
    """

    def __init__(self, _niceness: int = 0) -> None:
        while _rested:
            self._pool = _rested.pop()
            if self.list_processes() and self.is_usable:
                return
            super().kill()
        super().__init__(0)

    def kill(self) -> None:
        """Give the process back, or end it if it is at work."""
        if self._pool in _rested:
            return
        is_resting = not self._pool._pending_work_items and self.list_processes()  # noqa: SLF001
        if is_resting and self.is_usable and len(_rested) < MAX_RESTED:
            _rested.append(self._pool)
            # Whoever still asks it gets no answer, as from one that has ended.
            self._pool = _CLOSED
        else:
            super().kill()


_CLOSED = ProcessPoolExecutor(1)
_CLOSED.shutdown()


@contextmanager
def lend_workers() -> Iterator[None]:
    """Have the bots that begin meanwhile use workers that others have had."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (workers, pool):
            patch.setattr(module, "Worker", LentWorker)
        yield
