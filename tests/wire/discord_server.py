"""A small Discord on 127.0.0.1: the part of REST v10 and the gateway that this bot uses.

It talks over real sockets. A bot is pointed at it by its base addresses:
`Route.BASE = api + "/api/v10"`, `DiscordWebSocket.DEFAULT_GATEWAY = ws://.../gateway/`,
`Asset.BASE = api + "/cdn"`. The bot's process may be killed and started again; what it posted and
registered stays, as at Discord. Not modelled: MESSAGE_* events but deletions, roles but that of
managers (permissions are taken from the bot channel by channel), who is a member of which guild,
reactions, voice.
"""

from collections.abc import Callable
from fnmatch import fnmatchcase
from types import TracebackType
from typing import Self

from aiohttp import web

from . import answers, channels, commands, emoji
from .channels import update_channel
from .endpoints import add_routes
from .faults import FaultInjector
from .gateway import serve_gateway
from .payloads import encode_channel as channel_payload
from .payloads import encode_guild as guild_payload
from .people import OptionalChannel, WirePerson, list_messages
from .replies import Reply
from .sessions import GUILD_MESSAGES, GUILDS, PATIENCE_S, Json
from .world import (
    ATTACH,
    COMMANDS,
    DEADLINE_S,
    EMBED,
    SEND,
    SEND_IN_THREADS,
    TEXT,
    THREAD,
    VIEW,
    Request,
    World,
    WorldChannel,
)

"""The permission of those who may change a server's settings."""
MEMBER_PERMISSIONS = VIEW | SEND | EMBED | ATTACH | COMMANDS
"""What an ordinary member may do."""
BOT_PERMISSIONS = MEMBER_PERMISSIONS | 1 << 13 | 1 << 16 | 1 << 34 | 1 << 35 | SEND_IN_THREADS
"""What the bot may do: also manage messages, read history, manage, open and write in threads."""


class DiscordServer:
    """Guilds with text channels, and people.

    An async context manager that stops the server at its end.
    """

    def __init__(self, world: World, runner: web.AppRunner) -> None:
        self.world = world
        self._runner = runner

    @classmethod
    async def start(
        cls,
        token: str = "wire-token",
        *,
        channel_names: tuple[str, ...] = ("tables", "hall"),
        shards: int = 1,
        deadline_s: float = DEADLINE_S,
        token_life_s: float = 900.0,
        heartbeat_s: float = 41.25,
        permissions: int = BOT_PERMISSIONS,
    ) -> Self:
        """Start on a free port.

        `deadline_s` is how long an interaction waits for its first answer, `token_life_s` how long
        its token works, `heartbeat_s` the interval asked of the bot, `permissions` what
        interactions tell the bot it may do, `shards` how many the bot is advised to begin. The
        channels are those of the first guild.
        """
        world = World(token, deadline_s, token_life_s, heartbeat_s, permissions, shards)
        for name in channel_names:
            world.add_channel(TEXT, name)
        runner = web.AppRunner(_build_application(world), access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        world.api = f"http://127.0.0.1:{runner.addresses[0][1]}"
        return cls(world, runner)

    async def stop(self) -> None:
        """Cut every connection and free the port."""
        await self.world.sessions.drop_connections()
        await self._runner.cleanup()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    @property
    def api(self) -> str:
        """The address for TABULA_DISCORD_API."""
        return self.world.api

    @property
    def requests(self) -> list[Request]:
        """Every request so far in the order of their answers, refused ones too."""
        return self.world.requests

    @property
    def faults(self) -> FaultInjector:
        """What is put in the bot's way."""
        return self.world.faults

    def get_person(
        self, name: str, *, permissions: int = MEMBER_PERMISSIONS, locale: str = "en-GB"
    ) -> WirePerson:
        """Return a member of the guild, joining at the first call."""
        known = (account for account in self.world.accounts.values() if account.name == name)
        return WirePerson(
            self.world, next(known, None) or self.world.add_account(name, permissions, locale)
        )

    def get_channel(self, name: str) -> WorldChannel:
        """Return the channel or thread of this name.

        Raises LookupError with the names there are.
        """
        known = {channel.name: channel for channel in self.world.channels.values()}
        if name not in known:
            raise LookupError(f"no channel {name!r}; there are {sorted(known)}")
        return known[name]

    def list_messages(self, channel: OptionalChannel = None) -> list[Reply]:
        """Return what everyone sees in a channel (left out: the first), oldest first."""
        return list_messages(self.world, channel)

    def add_guild(self, name: str, *channel_names: str) -> int:
        """Add a guild with text channels, before a bot is connected, and return its id."""
        guild_id = self.world.add_guild(name)
        for channel_name in channel_names:
            self.world.add_channel(TEXT, channel_name, guild_id=guild_id)
        return guild_id

    def has_bot_for(self, guild_id: int | None) -> bool:
        """Whether a bot is connected that is told of a guild, or of direct messages (None)."""
        return any(
            session.shard.has_guild(guild_id) for session in self.world.sessions.list_connected()
        )

    async def wait_until_ready(self, timeout: float = PATIENCE_S) -> None:
        """Wait until bots are connected that know every guild."""
        await self.world.changes.wait_until(
            lambda: all(map(self.has_bot_for, self.world.guilds)),
            lambda: "not every guild has a bot connected",
            timeout,
        )

    async def wait_until_disconnected(self, timeout: float = PATIENCE_S) -> None:
        """Wait until no bot is connected any more."""
        await self.world.changes.wait_until(
            lambda: not self.world.sessions.list_connected(),
            lambda: "the bot is still connected",
            timeout,
        )

    async def wait_for_message(
        self,
        wanted: Callable[[Reply], bool],
        channel: OptionalChannel = None,
        timeout: float = PATIENCE_S,
    ) -> Reply:
        """Wait for a message that everyone sees and return the newest that is `wanted`."""
        return await self.world.changes.wait_until(
            lambda: next(filter(wanted, reversed(self.list_messages(channel))), None),
            lambda: f"no such message among {[one.text for one in self.list_messages(channel)]}",
            timeout,
        )

    async def wait_for_request(
        self, method: str, path: str, since: int = 0, timeout: float = PATIENCE_S
    ) -> Request:
        """Wait for a request, counted from the `since`-th recorded; `*` in `path` is a wildcard."""
        return await self.world.changes.wait_until(
            lambda: next(
                (one for one in self.requests[since:] if _has_route(one, method, path)), None
            ),
            lambda: (
                f"no {method} {path} among "
                f"{[f'{one.method} {one.path}' for one in self.requests[since:]]}"
            ),
            timeout,
        )

    async def drop_connections(self, code: int | None = None, *, forget: bool = False) -> None:
        """End the gateway connection, with or without a close code; `forget` drops the session."""
        await self.world.sessions.drop_connections(code)
        if forget:
            self.world.sessions.forget_all()

    async def make_unavailable(self, guild_id: int) -> None:
        """Let a guild be out of reach by an outage of Discord's own."""
        self.world.unavailable.add(guild_id)
        await self._dispatch_event(
            "GUILD_DELETE", {"id": str(guild_id), "unavailable": True}, guild_id
        )

    async def make_available(self, guild_id: int) -> None:
        """End a guild's outage."""
        self.world.unavailable.discard(guild_id)
        await self._dispatch_event("GUILD_CREATE", guild_payload(self.world, guild_id), guild_id)

    async def remove_bot(self, guild_id: int) -> None:
        """Let somebody remove the bot from a guild."""
        self.world.left.add(guild_id)
        await self._dispatch_event("GUILD_DELETE", {"id": str(guild_id)}, guild_id)

    async def invite_bot(self, guild_id: int) -> None:
        """Let somebody invite the bot to a guild again."""
        self.world.left.discard(guild_id)
        # Without `unavailable`: so discord.py tells an invitation from the end of an outage.
        invited = {**guild_payload(self.world, guild_id)}
        del invited["unavailable"]
        await self._dispatch_event("GUILD_CREATE", invited, guild_id)

    async def create_channel(self, name: str, guild_id: int | None = None) -> WorldChannel:
        """Let a moderator make a text channel."""
        channel = self.world.add_channel(TEXT, name, guild_id=guild_id)
        await self._dispatch_event(
            "CHANNEL_CREATE", channel_payload(self.world, channel), channel.guild_id
        )
        return channel

    async def delete_channel(self, channel: WorldChannel) -> None:
        """Let a moderator delete a channel with its threads, or a thread."""
        event = "THREAD_DELETE" if channel.type == THREAD else "CHANNEL_DELETE"
        payload = channel_payload(self.world, channel)
        self.world.delete_channel(channel)
        await self._dispatch_event(event, payload, channel.guild_id)

    async def lock_thread(self, thread: WorldChannel) -> None:
        """Let a moderator archive and lock a thread."""
        await update_channel(self.world, thread, {"archived": True, "locked": True})

    async def reopen_thread(self, thread: WorldChannel) -> None:
        """Let a moderator unlock and reopen a thread."""
        await update_channel(self.world, thread, {"archived": False, "locked": False})

    async def delete_message(self, message_id: int) -> None:
        """Let a moderator, or another bot, delete a message."""
        gone = self.world.messages.pop(message_id)
        guild_id = self.world.channels[gone.channel_id].guild_id
        payload = {"id": str(gone.id), "channel_id": str(gone.channel_id)}
        payload |= {"guild_id": str(guild_id)}
        await self.world.sessions.dispatch("MESSAGE_DELETE", payload, guild_id, GUILD_MESSAGES)
        self.world.changes.notify()

    async def _dispatch_event(self, event: str, payload: Json, guild_id: int | None) -> None:
        await self.world.sessions.dispatch(event, payload, guild_id, GUILDS)
        self.world.changes.notify()

    def deny_permission(
        self, channel: WorldChannel, permission: int = SEND | SEND_IN_THREADS
    ) -> None:
        """Take a permission from the bot in one channel."""
        channel.denied |= permission

    def restore_permissions(self, channel: WorldChannel) -> None:
        """Give the bot back every permission in a channel."""
        channel.denied = 0

    def list_notifications(self, person: WirePerson) -> list[int]:
        """Return the ids of the messages that notified somebody, in the order in which they did."""
        return [notice.message_id for notice in self.world.notices if notice.user_id == person.id]


def _has_route(request: Request, method: str, path: str) -> bool:
    return request.method == method and fnmatchcase(request.path, path)


def _build_application(world: World) -> web.Application:
    async def gateway(request: web.Request) -> web.WebSocketResponse:
        return await serve_gateway(world, request)

    async def attachment(request: web.Request) -> web.Response:
        wanted = int(request.match_info["file"])
        found = (
            file
            for message in world.messages.values()
            for file in message.files
            if file.id == wanted
        )
        file = next(found, None)
        return web.Response(body=file.data) if file else web.Response(status=404)

    app = web.Application(client_max_size=128 * 1024 * 1024)
    add_routes(app, world, [*channels.ROUTES, *commands.ROUTES, *emoji.ROUTES, *answers.ROUTES])
    app.router.add_get("/gateway/", gateway)
    app.router.add_get("/cdn/attachments/{channel}/{file}/{name}", attachment)
    return app
