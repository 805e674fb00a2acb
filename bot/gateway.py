"""Places that come and go: what Discord says of servers, channels, threads, roles and messages."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

import discord

from bot.features.challenges.delivery import withdraw_deleted, withdraw_in_channel
from bot.features.matches import reach
from bot.features.privacy.server_service import note_departure
from bot.features.servers import service as servers
from bot.features.servers.delivery import make_greeting_key
from bot.features.servers.jobs import GreetServer
from bot.platform import outages
from bot.platform.errors import DeclinedError
from bot.platform.jobs.runner import Runner
from bot.platform.ui.app_client import AppClient
from bot.store import StoreError

log = logging.getLogger(__name__)


class GatewayClient(AppClient):
    """The part of the client that follows which places there are and what it may do there."""

    runner: Runner
    _one_beat: asyncio.Lock

    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Retry what could not be posted in a channel that now permits the bot more."""
        me = after.guild.me
        if _has_new_permission(before.permissions_for(me), after.permissions_for(me)):
            await self.runner.retry_failed(after.guild.id, after.id)
        elif _has_new_permission(after.permissions_for(me), before.permissions_for(me)):
            await self._await_check(reach.check_server(self, after.guild.id))

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
            await self._await_check(reach.check_server(self, after.guild.id))

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Retry what could not be posted in a server where the bot's own roles now permit more."""
        if after == after.guild.me and _has_new_permission(
            before.guild_permissions, after.guild_permissions
        ):
            await self.runner.retry_failed(after.guild.id)
        elif after == after.guild.me and _has_new_permission(
            after.guild_permissions, before.guild_permissions
        ):
            await self._await_check(reach.check_server(self, after.guild.id))

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
        await self.app.store.metadata.save(make_greeting_key(guild.id), "")
        await note_departure(self.app, guild.id)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Let time run again in a server that is back, and do what could not be done meanwhile."""
        if outages.mark_server_back(self.app, guild.id):
            await self._save_lost_servers()

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Show the matches of a thread that was locked in its channel."""
        if payload.data["thread_metadata"].get("locked"):
            await self._await_check(reach.check_channel(self, payload.thread_id))

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Show the matches of a deleted thread in its channel, and withdraw what was open in it.

        discord.py reports the threads of a deleted channel, too.
        """
        await servers.forget_deleted(self.app, payload.guild_id, payload.thread_id)
        await self._await_check(reach.check_channel(self, payload.thread_id))
        await self._await_check(withdraw_in_channel(self, payload.thread_id))

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Post a match's message again that somebody deleted, or withdraw a challenge.

        A challenge without its message is withdrawn.
        """
        await self._replace_deleted(payload.channel_id, {payload.message_id})

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Do the same for messages that somebody has deleted together."""
        await self._replace_deleted(payload.channel_id, payload.message_ids)

    async def _replace_deleted(self, channel: int, messages: set[int]) -> None:
        await self._await_check(reach.repost_deleted(self, channel, messages))
        await self._await_check(withdraw_deleted(self, channel, messages))

    async def _await_check(self, checking: Coroutine[Any, Any, None]) -> None:
        """Find out whether matches can still be shown.

        If that fails, it is found out when they are shown next.
        """
        try:
            await checking
        except (StoreError, DeclinedError) as error:
            log.warning("could not check whether matches can still be shown: %s", error)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Greet a server that has invited the bot, and say what it lacks there.

        That is done once for each invitation.
        """
        await self.on_guild_available(guild)
        if await self.app.store.metadata.get(make_greeting_key(guild.id)) != str(
            guild.me.joined_at
        ):
            job = GreetServer(guild.id).make_job(self.app.clock())
            await self.app.enqueue(guild.id, [job])

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
        await servers.forget_deleted(self.app, channel.guild.id, channel.id)
        await self._await_check(reach.check_channel(self, channel.id))
        await self._await_check(withdraw_in_channel(self, channel.id))

    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """Let nobody be kept from playing for want of a role that nobody can have."""
        await servers.forget_deleted(self.app, role.guild.id, role.id)


def _has_new_permission(before: discord.Permissions, after: discord.Permissions) -> bool:
    """Whether the later permissions have one that the earlier ones lack."""
    return bool(after.value & ~before.value)
