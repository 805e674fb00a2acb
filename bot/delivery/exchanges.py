"""Requests to Discord as they went over the wire; unexpected answers are logged."""

import asyncio
import logging
import re
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from types import SimpleNamespace

import aiohttp

log = logging.getLogger(__name__)

SILENCE_S = 10.0
"""Seconds without a byte after which a request that Discord has in full is given up."""
FAILED = 500
"""The first status by which Discord says that the fault is its own."""
TOO_MANY = 429
REFUSALS = (401, 403, TOO_MANY)
"""The statuses that Discord counts as invalid requests: source, docs.discord.com, "Rate Limits"."""
REFUSALS_WINDOW_S = 600.0
"""Discord bans an address for a while that makes 10,000 invalid requests within so many seconds."""
WARNED_FROM = 1_000
WARNED_EVERY_S = 60.0
MOST_UNSURE = 256

_CALLBACK = re.compile(r"/interactions/(\d+)/[^/]+/callback$")


class Exchanges:
    """Listens to every request of a client, by the `trace` that its HTTP sessions are given."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._refused: deque[float] = deque()
        self._warned = -WARNED_EVERY_S
        self.trace = aiohttp.TraceConfig()
        self.trace.on_request_start.append(self._begun)
        self.trace.on_request_end.append(self._ended)
        self.trace.on_request_exception.append(self._broken)
        self._unsure: OrderedDict[int, None] = OrderedDict()
        self._awaited: set[int] = set()

    def count_refused(self) -> int:
        """Return how many requests Discord refused in the last ten minutes, by its count."""
        since = self._clock() - REFUSALS_WINDOW_S
        while self._refused and self._refused[0] <= since:
            self._refused.popleft()
        return len(self._refused)

    def awaits(self, interaction: int) -> bool:
        """Whether an answer to an interaction is under way and Discord has not responded yet."""
        return interaction in self._awaited

    def may_have_heard(self, interaction: int) -> bool:
        """Whether Discord did not confirm an answer to an interaction, but may have taken it."""
        return interaction in self._unsure

    def is_unsure(self, interaction: int) -> None:
        """Note that Discord did not say what became of an answer to an interaction."""
        self._unsure[interaction] = None
        while len(self._unsure) > MOST_UNSURE:
            self._unsure.popitem(last=False)

    async def _begun(
        self,
        session: aiohttp.ClientSession,
        _: SimpleNamespace,
        request: aiohttp.TraceRequestStartParams,
    ) -> None:
        if interaction := _answered(request.url.path):
            self._awaited.add(interaction)
        # discord.py makes the session, with aiohttp's timeout of five minutes: a match would not be
        # shown for so long.
        silence = aiohttp.ClientTimeout(total=None, sock_connect=SILENCE_S, sock_read=SILENCE_S)
        session._timeout = silence  # noqa: SLF001

    async def _ended(
        self, _: aiohttp.ClientSession, __: SimpleNamespace, request: aiohttp.TraceRequestEndParams
    ) -> None:
        self._heard_of(request.url.path)
        status = request.response.status
        if status >= FAILED:
            log.warning("Discord answers %d to %s %s", status, request.method, request.url.path)
        if status >= FAILED or status == TOO_MANY:
            self._note(request.url.path)
        # The limit of a resource that others use too is not counted against this program.
        shared = request.response.headers.get("X-RateLimit-Scope") == "shared"
        if status in REFUSALS and not shared:
            self._add_refused()

    def _add_refused(self) -> None:
        now = self._clock()
        self._refused.append(now)
        refused = self.count_refused()
        if refused >= WARNED_FROM and now - self._warned >= WARNED_EVERY_S:
            self._warned = now
            log.warning(
                "Discord refused %d requests within ten minutes, and bans an address for 10,000; "
                "what has failed is retried more slowly",
                refused,
            )

    async def _broken(
        self,
        _: aiohttp.ClientSession,
        __: SimpleNamespace,
        request: aiohttp.TraceRequestExceptionParams,
    ) -> None:
        self._heard_of(request.url.path)
        # Who gives up waiting, or ends the program, says so.
        if isinstance(request.exception, asyncio.CancelledError):
            return
        said = str(request.exception) or type(request.exception).__name__
        log.warning("Discord gives no answer to %s %s: %s", request.method, request.url.path, said)
        self._note(request.url.path)

    def _note(self, path: str) -> None:
        if interaction := _answered(path):
            self.is_unsure(interaction)

    def _heard_of(self, path: str) -> None:
        if interaction := _answered(path):
            self._awaited.discard(interaction)


def _answered(path: str) -> int | None:
    """Return the interaction that a request is the first answer to, if it is one."""
    found = _CALLBACK.search(path)
    return int(found[1]) if found else None
