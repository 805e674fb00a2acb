"""Faults that a test puts in the bot's way: refusals, rate limits, outages, and requests held until released."""

import asyncio
from dataclasses import dataclass, field
from fnmatch import fnmatchcase


class Gate:
    """Holds a request before the server acts on it; one never released was never received."""

    def __init__(self) -> None:
        self._reached = asyncio.Event()
        self._released = asyncio.Event()

    async def reached(self, timeout: float = 5.0) -> None:
        """Wait until a request stands at the gate; raises TimeoutError."""
        await asyncio.wait_for(self._reached.wait(), timeout)

    def release(self) -> None:
        """Let the request through."""
        self._released.set()

    async def enter(self) -> None:
        """Stand at the gate until it is released."""
        self._reached.set()
        await self._released.wait()


@dataclass(slots=True)
class Fault:
    """What befalls requests of `method` whose path matches the pattern `path` (`*` stands for anything).

    `times` is how many requests it befalls (None: all); with `late` the server acts first and only its answer is lost;
    `retry_after` (seconds) makes it a rate limit; a `gate` only delays.
    """

    method: str
    path: str
    status: int = 503
    code: int = 0
    message: str = "Service Unavailable"
    times: int | None = 1
    late: bool = False
    retry_after: float | None = None
    gate: Gate | None = None


@dataclass(slots=True)
class Faults:
    """The faults in force, in the order they were put there."""

    pending: list[Fault] = field(default_factory=list)

    def meet(self, method: str, path: str) -> Fault | None:
        """Return the first fault that befalls a request, and count it."""
        for fault in self.pending:
            if fault.method == method and fnmatchcase(path, fault.path):
                self._count(fault)
                return fault
        return None

    def _count(self, fault: Fault) -> None:
        if fault.times is not None:
            fault.times -= 1
            if fault.times == 0:
                self.pending.remove(fault)
