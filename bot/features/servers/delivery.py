"""What the bot may do in a server, for those who can fix it: on request, or at an invitation."""

import logging
from collections.abc import Iterable, Sequence

import discord

from bot.features.matches.threads import find_missing_for_threads
from bot.features.servers.cards import welcome_card
from bot.features.servers.extensions import CHECKED_CHANNELS
from bot.features.servers.jobs import GreetServer
from bot.features.servers.service import MissingPermissions
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import Done, JobResult
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.channels import DirectMessages, ServerChannel
from bot.platform.ui.places import find_missing_permissions
from bot.store import QueuedJob, ServerSettings

log = logging.getLogger(__name__)

_GONE = ("view_channel",)


def check_start_channels(
    client: discord.Client, guild: int, server: ServerSettings
) -> Sequence[MissingPermissions]:
    """Return the permissions that the bot lacks in the channels where a server's matches may start.

    If matches may start everywhere, channels that the bot cannot see are not meant for it, unless
    it sees none.
    """
    found = client.get_guild(guild)
    if found is None:
        return ()
    channels = server.channels or [channel.id for channel in found.text_channels]
    missing = [
        MissingPermissions(channel, _find_missing(client, guild, channel, server))
        for channel in channels
    ]
    lacking = [lack for lack in missing if lack.permissions]
    shown = [lack for lack in lacking if "view_channel" not in lack.permissions]
    # If it sees no channel at all, that is the very thing to tell.
    shown_none = all("view_channel" in lack.permissions for lack in missing)
    return lacking if server.channels or shown_none else shown


async def load_missing_permissions(
    client: AppClient, guild: int, server: ServerSettings
) -> Sequence[MissingPermissions]:
    """Return the permissions that the bot lacks wherever it is to post in a server."""
    lacks = list(check_start_channels(client, guild, server))
    known = {each.channel for each in lacks}
    for load in CHECKED_CHANNELS.list_functions():
        lacks += find_lacks(client, guild, set(await load(client.app, guild)) - known)
    return lacks


def find_lacks(
    client: discord.Client, guild: int, channels: Iterable[int]
) -> list[MissingPermissions]:
    """Return the permissions that the bot lacks in channels in which something is posted."""
    found = client.get_guild(guild)
    lacks = []
    for channel in sorted(channels):
        is_known = found is not None and found.get_channel_or_thread(channel) is not None
        # A channel that is gone is one that the bot cannot see.
        missing = find_missing_permissions(client, guild, channel) if is_known else _GONE
        if missing:
            lacks.append(MissingPermissions(channel, missing))
    return lacks


def _find_missing(
    client: discord.Client, guild: int, channel: int, server: ServerSettings
) -> tuple[str, ...]:
    missing = find_missing_permissions(client, guild, channel)
    there = client.get_channel(channel)
    if server.threads and isinstance(there, discord.TextChannel):
        return (*missing, *find_missing_for_threads(there))
    return missing


def make_greeting_key(guild: int) -> str:
    """Return the name of the note that says for which invitation a server was greeted."""
    return f"greeting of {guild}"


@handles(GreetServer)
async def greet_server(client: AppClient, job: GreetServer, _: QueuedJob) -> JobResult:
    """Greet a server that has invited the bot, in its first channel that takes it.

    If none does, its owner is greeted.
    """
    guild = client.get_guild(job.server)
    if guild is None:
        return Done()
    await _post_welcome(client, guild)
    # Discord may say again that the bot has joined, after an outage of the server.
    await client.app.store.metadata.save(make_greeting_key(guild.id), str(guild.me.joined_at))
    return Done()


async def _post_welcome(client: AppClient, guild: discord.Guild) -> None:
    server = await client.app.store.servers.get(guild.id)
    lacks = check_start_channels(client, guild.id, server)
    # With the instant of joining, since a second invitation deserves a welcome of its own.
    name = f"{make_greeting_key(guild.id)} joined {guild.me.joined_at}"
    first = _find_first_channel(guild)
    if first is not None:
        card = welcome_card(client.get_server_reader(guild.id), lacks)
        await ServerChannel(client, guild.id, first.id).post(card, name)
        return
    owner = guild.owner_id or 0
    card = welcome_card(await client.load_direct_reader(owner, guild.id), lacks)
    try:
        await DirectMessages(client, owner).post(card, name)
    except discord.HTTPException as error:
        log.info("could not post the welcome in server %d: %s", guild.id, error)


def _find_first_channel(guild: discord.Guild) -> discord.TextChannel | None:
    """Return the first channel in which the bot may write; Discord's own for greetings leads."""
    # A server may have no system channel.
    channels = [*filter(None, (guild.system_channel,)), *guild.text_channels]
    return next((channel for channel in channels if _may_write(channel)), None)


def _may_write(channel: discord.TextChannel) -> bool:
    may = channel.permissions_for(channel.guild.me)
    return may.view_channel and may.send_messages
