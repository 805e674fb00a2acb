"""Places that come and go: what Discord says of servers, channels, threads, roles and messages."""

import asyncio
import logging
import re
import time
from collections import deque
from typing import Any, Literal

import aiohttp
import discord
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket, ReconnectWebSocket, WebSocketClosure

from bot.platform import outages
from bot.platform.context import Languages
from bot.platform.db.errors import StoreError
from bot.platform.jobs.runner import Runner
from bot.platform.ui import channels
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.channels import notify_features

log = logging.getLogger(__name__)

_CONNECTION_ENDS = (
    ReconnectWebSocket,
    WebSocketClosure,
    discord.ConnectionClosed,
    discord.GatewayNotFound,
    discord.HTTPException,
    aiohttp.ClientError,
    OSError,
    TimeoutError,
)
"""What discord.py raises where a connection is to end, as opposed to where it cannot read."""
_EVENT_NAME = re.compile(r'"t":\s*"([A-Z_]{1,40})"')
_NEEDED_EVENTS = {"READY", "RESUMED", "HELLO"}
"""Events without which a session never begins."""
_HELLO = re.compile(r'"op":\s*10\b')
COMMAND, COMPONENT, AUTOCOMPLETE, FORM = 2, 3, 4, 5
"""The types of interactions, as Discord numbers them."""
MAX_REASON = 120
"""Characters of the log about what cannot be read."""


class TolerantWebSocket(DiscordWebSocket):
    """A connection that outlives what Discord sends damaged: it is logged and dropped.

    discord.py would end the whole program. Where a session cannot begin without it, or the stream
    itself is broken, it connects anew.
    """

    _text: object = None

    def log_receive(self, text: Any, /) -> None:  # noqa: ANN401 - as discord.py
        """Remember what came, for it is decompressed only here."""
        self._text = text

    async def received_message(self, msg: Any, /) -> None:  # noqa: ANN401 - as discord.py
        """Act on what Discord sends, or drop it."""
        self._text = None
        try:
            await super().received_message(msg)
        except _CONNECTION_ENDS:
            raise
        except Exception as error:
            event = _find_event(self._text)
            reason = f"{type(error).__name__}: {error}"[:MAX_REASON]
            log.warning("dropped a damaged %s from Discord: %s", event, reason)
            if event in _NEEDED_EVENTS or self._text is None:
                await self.close(4000)
                raise ConnectionError(f"Discord sent a damaged {event}") from error


def _find_event(text: object) -> str:
    """Name the event that somebody sent; its other parts may be anything."""
    if not isinstance(text, str):
        return "frame"
    if _HELLO.search(text):
        return "HELLO"
    found = _EVENT_NAME.search(text)
    return found[1] if found else "message"


def require_whole_interaction(data: Any) -> None:  # noqa: ANN401 - as Discord sends it
    """Raise an exception for an interaction without what every answer needs.

    discord.py takes some of it as it comes, and finds out only when somebody is answered.
    """
    person = data["member"]["user"] if "member" in data else data["user"]
    needed = [data["token"], data["id"], person["id"]]
    needed += [data[each] for each in ("locale", "guild_locale") if each in data]
    if "member" in data:
        needed.append(data["guild_id"])
    about = data["data"]
    # An empty one is answered, as any other that is unknown.
    if data["type"] in (COMPONENT, FORM) and not isinstance(about["custom_id"], str):
        raise ValueError("a control has no id")
    if data["type"] in (COMMAND, AUTOCOMPLETE):
        needed.append(about["name"])
        discord.AppCommandType(about.get("type", discord.AppCommandType.chat_input.value))
        _require_options(about)
    if not all(isinstance(each, str) and each for each in needed):
        raise ValueError("an id, a name or a token is none")


def _require_options(data: Any) -> None:  # noqa: ANN401 - as Discord sends it
    for option in data.get("options", []):
        if not isinstance(option["name"], str):
            raise ValueError("an option has no name")
        _require_options(option)


MAX_RECONNECT_S = 30.0
"""Seconds until the next try to connect, where discord.py would wait for up to 1,024."""
MAX_BUSY_RECONNECT_S = 120.0
"""The same where many sessions were started: some 760 a day then, of 1,000 that Discord allows.

Source: docs.discord.com, "Gateway", "Session Start Limit Object".
"""
MANY_SESSIONS = 100
DAY_S = 86_400.0
_session_starts: deque[float] = deque(maxlen=MANY_SESSIONS)
"""When the latest sessions were started, in seconds that go on evenly."""


def record_session_start() -> None:
    """Note that a session is started, of which Discord allows so many a day."""
    _session_starts.append(time.monotonic())


class PromptBackoff(ExponentialBackoff[Literal[False]]):
    """Waits between tries to connect so that the bot is back soon after an outage."""

    def delay(self) -> float:
        """Return the seconds until the next try."""
        is_busy = (
            len(_session_starts) == MANY_SESSIONS and time.monotonic() - _session_starts[0] < DAY_S
        )
        return min(super().delay(), MAX_BUSY_RECONNECT_S if is_busy else MAX_RECONNECT_S)


# discord.py has no other place to name the class of its connections, and of the pauses between.
discord.shard.DiscordWebSocket = TolerantWebSocket  # type: ignore[misc]
discord.shard.ExponentialBackoff = PromptBackoff  # type: ignore[assignment, attr-defined]


class GatewayClient(AppClient):
    """The part of the client that follows which places there are and what it may do there."""

    runner: Runner
    _one_beat: asyncio.Lock

    def require_whole_interactions(self) -> None:
        """Let damaged interactions be found before anything is made of them."""
        parsers = self._connection.parsers
        parse = parsers["INTERACTION_CREATE"]

        def parse_whole(data: Any) -> None:  # noqa: ANN401 - as Discord sends it
            require_whole_interaction(data)
            parse(data)

        parsers["INTERACTION_CREATE"] = parse_whole

    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Retry what could not be posted in a channel that now permits the bot more.

        Pages show only what everybody sees.
        """
        if before.overwrites != after.overwrites:
            await notify_features(channels.SIGHT_CHANGES.list_functions(), self, after.guild.id)
        me = after.guild.me
        if _has_new_permission(before.permissions_for(me), after.permissions_for(me)):
            await self.runner.retry_failed(after.guild.id, after.id)
        elif _has_new_permission(after.permissions_for(me), before.permissions_for(me)):
            await notify_features(channels.PERMISSION_LOSSES.list_functions(), self, after.guild.id)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Retry what could not be done in a server where a role of the bot now permits more.

        One that was moved up allows to give roles that it is above now.
        """
        if after in after.guild.me.roles and (
            _has_new_permission(before.permissions, after.permissions)
            or after.position > before.position
        ):
            await self.runner.retry_failed(after.guild.id)
        elif after in after.guild.me.roles and _has_new_permission(
            after.permissions, before.permissions
        ):
            await notify_features(channels.PERMISSION_LOSSES.list_functions(), self, after.guild.id)

    async def on_guild_update(self, before: discord.Guild, after: discord.Guild) -> None:
        """Draw a server's messages anew that reads another language, unless it has chosen one."""
        chosen = self.app.get_part(Languages).servers
        if before.preferred_locale != after.preferred_locale and after.id not in chosen:
            await notify_features(channels.LANGUAGE_CHANGES.list_functions(), self, after.id)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Retry what could not be posted in a server where the bot's own roles now permit more."""
        if after == after.guild.me and _has_new_permission(
            before.guild_permissions, after.guild_permissions
        ):
            await self.runner.retry_failed(after.guild.id)
        elif after == after.guild.me and _has_new_permission(
            after.guild_permissions, before.guild_permissions
        ):
            await notify_features(channels.PERMISSION_LOSSES.list_functions(), self, after.guild.id)

    async def on_thread_update(self, before: discord.Thread, after: discord.Thread) -> None:
        """Retry what could not be posted in a thread that was opened again."""
        if (before.archived or before.locked) and not (after.archived or after.locked):
            await self.runner.retry_failed(after.guild.id, after.id)

    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        """Let no time run in a server that is out of order."""
        await self._lose_server(guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Stop time in a server that has removed the bot.

        It is greeted when it invites the bot again. If it does not, its data is deleted in a month.
        """
        await self._lose_server(guild)
        await notify_features(channels.REMOVALS.list_functions(), self, guild.id)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Let time run again in a server that is back, and do what could not be done meanwhile."""
        if outages.mark_server_back(self.app, guild.id):
            await self._save_lost_servers()

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Show the matches of a thread that was locked in its channel."""
        if payload.data["thread_metadata"].get("locked"):
            await notify_features(channels.THREAD_LOCKS.list_functions(), self, payload.thread_id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Show the matches of a deleted thread in its channel, and withdraw what was open in it.

        discord.py reports the threads of a deleted channel, too.
        """
        await notify_features(
            channels.CHANNEL_DELETIONS.list_functions(), self, payload.guild_id, payload.thread_id
        )

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Post a match's message again that somebody deleted, or withdraw a challenge.

        A challenge without its message is withdrawn.
        """
        await notify_features(
            channels.MESSAGE_DELETIONS.list_functions(),
            self,
            payload.channel_id,
            {payload.message_id},
        )

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Do the same for messages that somebody has deleted together."""
        await notify_features(
            channels.MESSAGE_DELETIONS.list_functions(),
            self,
            payload.channel_id,
            payload.message_ids,
        )

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Greet a server that has invited the bot, and say what it lacks there.

        That is done once for each invitation.
        """
        await self.on_guild_available(guild)
        await notify_features(channels.INVITATIONS.list_functions(), self, guild.id)

    async def _lose_server(self, guild: discord.Guild) -> None:
        log.warning("server %d is unreachable; its clocks are stopped until it is back", guild.id)
        outages.mark_server_lost(self.app, guild.id)
        await self._save_lost_servers()

    async def _save_lost_servers(self) -> None:
        # Many servers may go, or come back, at once: one note is for all of them.
        async with self._one_beat:
            try:
                await outages.save_lost_servers(self.app)
            except StoreError as error:
                log.warning(
                    "could not save which servers are reachable; retrying soon: %s",
                    error,
                )

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Forget a deleted channel, and withdraw what was open in it.

        Matches start in the server's other channels, or everywhere without any.
        """
        await notify_features(
            channels.CHANNEL_DELETIONS.list_functions(), self, channel.guild.id, channel.id
        )

    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """Let nobody be kept from playing for want of a role that nobody can have."""
        await notify_features(
            channels.ROLE_DELETIONS.list_functions(), self, role.guild.id, role.id
        )


def _has_new_permission(before: discord.Permissions, after: discord.Permissions) -> bool:
    """Whether the later permissions have one that the earlier ones lack."""
    return bool(after.value & ~before.value)
