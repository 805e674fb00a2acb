"""Faults that a test puts in the bot's way.

They are refusals, rate limits, outages, cut connections, delays and held requests.
`server.faults.at("post message", DROP_AFTER, nth=2)` lets the second message from now on be posted,
and cuts the connection instead of answering. `server.faults.hold("callback")` stops the next
callback until it is released.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from .sessions import PATIENCE_S

REQUESTS = {
    "callback": ("POST", "/interactions/*/callback"),
    "follow up": ("POST", "/webhooks/*"),
    "edit answer": ("PATCH", "/webhooks/*"),
    "delete answer": ("DELETE", "/webhooks/*"),
    "post message": ("POST", "/channels/*/messages"),
    "open thread": ("POST", "/channels/*/messages/*/threads"),
    "edit message": ("PATCH", "/channels/*/messages/*"),
    "delete message": ("DELETE", "/channels/*/messages/*"),
}
"""The requests that a bot plays by: method and path by name; `*` stands for anything."""
CUT = 0
"""The status of a request whose connection is cut instead of an answer."""


class Gate:
    """Holds a request until it is released.

    If it is held before the server acts and never released, the server never received it.
    """

    def __init__(self) -> None:
        self._reached = asyncio.Event()
        self._released = asyncio.Event()

    async def wait_until_reached(self, timeout: float = PATIENCE_S) -> None:
        """Wait until a request stands at the gate; raises TimeoutError."""
        await asyncio.wait_for(self._reached.wait(), timeout)

    def release(self) -> None:
        """Let the request through."""
        self._released.set()

    async def wait_for_release(self) -> None:
        """Stand at the gate until it is released."""
        self._reached.set()
        await self._released.wait()


@dataclass(frozen=True, slots=True)
class RequestFault:
    """A fault of a request: a delay (seconds), a gate, then this status (None: the right one).

    With `after` the server acts first, and all this befalls its answer. `retry_after` (seconds)
    makes a rate limit.
    """

    status: int | None = None
    code: int = 0
    message: str = ""
    after: bool = False
    retry_after: float | None = None
    delay: float = 0.0
    gate: Gate | None = None

    async def apply_delay(self) -> None:
        """Wait as long as the request has to."""
        await asyncio.sleep(self.delay)
        if self.gate is not None:
            await self.gate.wait_for_release()


FORBIDDEN = RequestFault(403, 50013, "Missing Permissions")
BROKEN = RequestFault(500, 0, "500: Internal Server Error")
BROKEN_AFTER = RequestFault(500, 0, "500: Internal Server Error", after=True)
UNAVAILABLE = RequestFault(503, 0, "503: Service Unavailable")
DROP_BEFORE = RequestFault(CUT)
DROP_AFTER = RequestFault(CUT, after=True)


def make_rate_limit(retry_after: float) -> RequestFault:
    """Return a rate limit that asks for a pause in seconds."""
    return RequestFault(429, 0, "You are being rate limited.", retry_after=retry_after)


def make_delay(seconds: float, *, after: bool = False) -> RequestFault:
    """Return a delay before the server acts, or `after` that."""
    return RequestFault(delay=seconds, after=after)


@dataclass(slots=True)
class PlannedFault:
    """A fault in force; `met` counts the requests that it could have befallen so far."""

    method: str
    path: str
    fault: RequestFault
    nth: int
    times: int | None
    where: Callable[[str], bool] | None
    met: int = 0

    @property
    def is_spent(self) -> bool:
        """Whether it has befallen all the requests that it was to befall."""
        return self.times is not None and self.met >= self.nth + self.times - 1

    def count_request(self, method: str, path: str) -> bool:
        """Count a request, and return whether the fault befalls it."""
        if (
            method != self.method
            or not fnmatchcase(path, self.path)
            or not (self.where is None or self.where(path))
        ):
            return False
        self.met += 1
        return self.met >= self.nth and (self.times is None or self.met < self.nth + self.times)


@dataclass(slots=True)
class FaultInjector:
    """The faults in force, in the order they were put there."""

    _planned: list[PlannedFault] = field(default_factory=list)

    def inject(
        self,
        request: str,
        fault: RequestFault,
        *,
        nth: int = 1,
        times: int | None = 1,
        where: Callable[[str], bool] | None = None,
    ) -> PlannedFault:
        """Let a fault hit the `nth` request of a name in REQUESTS from now on.

        It also hits those after it, up to `times`. With `times` None it befalls them until the
        faults are cleared; with `where` it befalls only requests whose path that is true of. Raises
        LookupError for an unknown name.
        """
        if request not in REQUESTS:
            raise LookupError(f"no request is called {request!r}; there are {sorted(REQUESTS)}")
        planned = PlannedFault(*REQUESTS[request], fault, nth, times, where)
        self._planned.append(planned)
        return planned

    def remove(self, planned: PlannedFault) -> None:
        """Take one fault away."""
        self._planned.remove(planned)

    def hold_request(self, request: str, *, nth: int = 1, after: bool = False) -> Gate:
        """Stop the `nth` such request before the server acts on it, or `after` that."""
        gate = Gate()
        self.inject(request, RequestFault(after=after, gate=gate), nth=nth)
        return gate

    @property
    def has_pending(self) -> bool:
        """Whether a fault has not yet befallen all that it was to befall."""
        return any(not planned.is_spent for planned in self._planned)

    def clear(self) -> None:
        """Take every fault away."""
        self._planned.clear()

    def find_fault(self, method: str, path: str) -> RequestFault | None:
        """Return the first fault that befalls a request; every fault counts it."""
        befalling = [
            planned.fault for planned in self._planned if planned.count_request(method, path)
        ]
        return befalling[0] if befalling else None
