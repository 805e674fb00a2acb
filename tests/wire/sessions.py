"""The gateway's connections and the sessions that outlive them."""

import asyncio
import json
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from aiohttp import web

Json = dict[str, Any]
Found = TypeVar("Found")

PATIENCE_S = 60.0
"""Seconds that a wait may take by default: long, for a machine may be very busy."""
GUILDS = 1 << 0
"""The gateway intent under which Discord tells a bot about guilds, channels and threads."""
GUILD_MESSAGES = 1 << 9
"""The one under which it tells of messages in guilds."""


@dataclass(frozen=True, slots=True)
class Shard:
    """The share of the guilds that one session is told of: number so-and-so of so many."""

    number: int = 0
    count: int = 1

    def has_guild(self, guild_id: int | None) -> bool:
        """Whether events of a guild, or those of direct messages (None), come in this session."""
        return self.number == (0 if guild_id is None else (guild_id >> 22) % self.count)


class ChangeSignal:
    """Wakes those who wait for something to become true of the server."""

    def __init__(self) -> None:
        self._next = asyncio.Event()

    def notify(self) -> None:
        """Tell every waiter to look again."""
        self._next.set()
        self._next = asyncio.Event()

    async def wait_until(
        self, look: Callable[[], Found | None], what: Callable[[], str], timeout: float
    ) -> Found:
        """Wait until `look` finds something truthy and return it.

        `what` describes, at the moment of giving up, what was missing. Raises TimeoutError after
        `timeout` seconds.
        """
        try:
            async with asyncio.timeout(timeout):
                while not (found := look()):
                    await self._next.wait()
                return found
        except TimeoutError:
            raise TimeoutError(f"{what()} (waited {timeout:g} s)") from None


class GatewayConnection:
    """One websocket to a bot; compresses as Discord does when the bot asks for `zlib-stream`."""

    def __init__(self, socket: web.WebSocketResponse, request: web.Request) -> None:
        self._socket = socket
        self._request = request
        self._deflate = (
            zlib.compressobj() if request.query.get("compress") == "zlib-stream" else None
        )
        self._hushed = False

    def silence(self) -> None:
        """Send nothing more on this socket, which stays open.

        It's as if the network died and nobody was told.
        """
        self._hushed = True

    async def send(
        self, op: int, data: Any, event: str | None = None, number: int | None = None
    ) -> None:
        """Send one gateway message; a socket that has gone away is not an error."""
        if self._hushed:
            return
        text = json.dumps({"op": op, "d": data, "s": number, "t": event})
        try:
            if self._deflate is None:
                await self._socket.send_str(text)
            else:
                packed = self._deflate.compress(text.encode()) + self._deflate.flush(
                    zlib.Z_SYNC_FLUSH
                )
                await self._socket.send_bytes(packed)
        except ConnectionError:
            self.abort()

    async def close(self, code: int) -> None:
        """Close the socket with a gateway close code."""
        await self._socket.close(code=code)

    def abort(self) -> None:
        """Cut the connection without a word, as a dying network does."""
        if self._request.transport is not None:
            self._request.transport.abort()


@dataclass(slots=True)
class GatewaySession:
    """A bot's session: what was sent in it is kept, so that it can be resumed on another line."""

    id: str
    intents: int
    shard: Shard = Shard()
    line: GatewayConnection | None = None
    sent: list[tuple[str, Json]] = field(default_factory=list)

    async def dispatch(self, event: str, data: Json) -> None:
        """Send an event, or keep it for the resume when the line is cut."""
        self.sent.append((event, data))
        if self.line is not None:
            await self.line.send(0, data, event, len(self.sent))

    async def attach_connection(self, line: GatewayConnection, after: int) -> None:
        """Move to a new line: send everything behind number `after`, and what comes up since."""
        while after < len(self.sent):
            event, data = self.sent[after]
            after += 1
            await line.send(0, data, event, after)
        self.line = line


class GatewaySessions:
    """All sessions that Discord remembers, by their id."""

    def __init__(self, changes: ChangeSignal) -> None:
        self._changes = changes
        self._known: dict[str, GatewaySession] = {}

    def add(self, session: GatewaySession) -> None:
        """Remember a new session and drop the ones without a line: their process is dead."""
        self._known = {key: known for key, known in self._known.items() if known.line is not None}
        self._known[session.id] = session

    def find(self, session_id: str) -> GatewaySession | None:
        """Return the session to resume, if it is remembered."""
        return self._known.get(session_id)

    def forget_all(self) -> None:
        """Forget every session: the next RESUME is answered with INVALID SESSION."""
        self._known.clear()

    def list_connected(self) -> list[GatewaySession]:
        """Return the sessions whose line stands."""
        return [session for session in self._known.values() if session.line is not None]

    def detach_connection(self, line: GatewayConnection) -> None:
        """Note that a line has ended; its session stays resumable."""
        for session in self._known.values():
            if session.line is line:
                session.line = None
        self._changes.notify()

    async def dispatch(
        self, event: str, data: Json, guild_id: int | None, intent: int | None = None
    ) -> None:
        """Send a guild's event to the sessions of its shard that asked for its intent.

        Intent None sends it to all of them.
        """
        for session in list(self._known.values()):
            if session.shard.has_guild(guild_id) and (intent is None or session.intents & intent):
                await session.dispatch(event, data)

    def list_connections(self) -> set[GatewayConnection]:
        """Return the lines that stand."""
        return {session.line for session in self._known.values() if session.line is not None}

    async def broadcast(self, op: int, data: Any = None) -> None:
        """Send a message of the gateway's own on every line."""
        for session in self.list_connected():
            assert session.line is not None
            await session.line.send(op, data)

    def silence_all(self) -> None:
        """Silence every open line; what was to be sent can be resumed on another line."""
        for session in self.list_connected():
            assert session.line is not None
            session.line.silence()

    async def drop_connections(self, code: int | None = None) -> None:
        """End every line, with a close code or (None) without a word."""
        for session in self.list_connected():
            assert session.line is not None
            line, session.line = session.line, None
            if code is None:
                line.abort()
            else:
                await line.close(code)
        self._changes.notify()


async def poll_until(
    look: Callable[[], object],
    patience_s: float = PATIENCE_S,
    missing: Callable[[], object] = lambda: "it never came about",
) -> None:
    """Wait until something is so that tells nobody of its changes, such as a file.

    Raises AssertionError with what is missing after `patience_s` seconds.
    """
    ends = time.monotonic() + patience_s
    while not look():
        assert time.monotonic() < ends, missing()
        await asyncio.sleep(0.05)
