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

SILENCE_TIMEOUT_S = 10.0
"""Seconds without a byte after which a request that Discord has in full is given up."""
SERVER_ERROR_STATUS = 500
"""The first status by which Discord says that the fault is its own."""
TOO_MANY_REQUESTS = 429
REFUSAL_STATUSES = (401, 403, TOO_MANY_REQUESTS)
"""The statuses that Discord counts as invalid requests: source, docs.discord.com, "Rate Limits"."""
REFUSALS_WINDOW_S = 600.0
"""Discord bans an address for a while that makes 10,000 invalid requests within so many seconds."""
WARNING_THRESHOLD = 1_000
WARNING_INTERVAL_S = 60.0
MAX_UNSURE = 256

_CALLBACK = re.compile(r"/interactions/(\d+)/[^/]+/callback$")


class RequestTracker:
    """Listens to every request of a client, by the `trace` that its HTTP sessions are given."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._refused: deque[float] = deque()
        self._warned = -WARNING_INTERVAL_S
        self.trace = aiohttp.TraceConfig()
        self.trace.on_request_start.append(self._on_request_start)
        self.trace.on_request_end.append(self._on_request_end)
        self.trace.on_request_exception.append(self._on_request_exception)
        self._unsure: OrderedDict[int, None] = OrderedDict()
        self._awaited: set[int] = set()

    def count_refusals(self) -> int:
        """Return how many requests Discord refused in the last ten minutes, by its count."""
        since = self._clock() - REFUSALS_WINDOW_S
        while self._refused and self._refused[0] <= since:
            self._refused.popleft()
        return len(self._refused)

    def is_awaiting(self, interaction: int) -> bool:
        """Whether an answer to an interaction is under way and Discord has not responded yet."""
        return interaction in self._awaited

    def may_have_arrived(self, interaction: int) -> bool:
        """Whether Discord did not confirm an answer to an interaction, but may have taken it."""
        return interaction in self._unsure

    def mark_unsure(self, interaction: int) -> None:
        """Note that Discord did not say what became of an answer to an interaction."""
        self._unsure[interaction] = None
        while len(self._unsure) > MAX_UNSURE:
            self._unsure.popitem(last=False)

    async def _on_request_start(
        self,
        session: aiohttp.ClientSession,
        _: SimpleNamespace,
        request: aiohttp.TraceRequestStartParams,
    ) -> None:
        if interaction := _find_interaction(request.url.path):
            self._awaited.add(interaction)
        # discord.py makes the session, with aiohttp's timeout of five minutes: a match would not be
        # shown for so long.
        silence = aiohttp.ClientTimeout(
            total=None, sock_connect=SILENCE_TIMEOUT_S, sock_read=SILENCE_TIMEOUT_S
        )
        session._timeout = silence  # noqa: SLF001

    async def _on_request_end(
        self, _: aiohttp.ClientSession, __: SimpleNamespace, request: aiohttp.TraceRequestEndParams
    ) -> None:
        self._stop_awaiting(request.url.path)
        status = request.response.status
        if status >= SERVER_ERROR_STATUS:
            log.warning("Discord answers %d to %s %s", status, request.method, request.url.path)
        # Such an answer may come from something in front of Discord, which may have taken the
        # request.
        if status >= SERVER_ERROR_STATUS or status == TOO_MANY_REQUESTS:
            self._mark_path_unsure(request.url.path)
        # The limit of a resource that others use too is not counted against this program.
        shared = request.response.headers.get("X-RateLimit-Scope") == "shared"
        if status in REFUSAL_STATUSES and not shared:
            self._add_refusal()

    def _add_refusal(self) -> None:
        now = self._clock()
        self._refused.append(now)
        refused = self.count_refusals()
        if refused >= WARNING_THRESHOLD and now - self._warned >= WARNING_INTERVAL_S:
            self._warned = now
            log.warning(
                "Discord refused %d requests within ten minutes, and bans an address for 10,000; "
                "failed jobs are retried more slowly",
                refused,
            )

    async def _on_request_exception(
        self,
        _: aiohttp.ClientSession,
        __: SimpleNamespace,
        request: aiohttp.TraceRequestExceptionParams,
    ) -> None:
        self._stop_awaiting(request.url.path)
        # Who gives up waiting, or ends the program, says so.
        if isinstance(request.exception, asyncio.CancelledError):
            return
        said = str(request.exception) or type(request.exception).__name__
        log.warning("Discord did not respond to %s %s: %s", request.method, request.url.path, said)
        self._mark_path_unsure(request.url.path)

    def _mark_path_unsure(self, path: str) -> None:
        if interaction := _find_interaction(path):
            self.mark_unsure(interaction)

    def _stop_awaiting(self, path: str) -> None:
        if interaction := _find_interaction(path):
            self._awaited.discard(interaction)


def _find_interaction(path: str) -> int | None:
    """Return the interaction that a request is the first answer to, if it is one."""
    found = _CALLBACK.search(path)
    return int(found[1]) if found else None
