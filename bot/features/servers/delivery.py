"""What the bot may do in a server, for those who can fix it: on request, or at an invitation."""

import logging
from collections.abc import Iterable, Sequence

import discord

from bot.features.matches.jobs import ShowMatch
from bot.features.matches.places import find_missing_for_threads
from bot.features.matches.store import Matches
from bot.features.servers import service
from bot.features.servers import service as servers
from bot.features.servers.cards import welcome_card
from bot.platform.db.preferences import ServerSettings
from bot.platform.db.rows import QueuedJob
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import Done, JobResult, Reschedule
from bot.platform.ui import channels as permissions
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.channels import DirectMessages, ServerChannel
from engine.clock import SECOND

log = logging.getLogger(__name__)

_GONE = ("view_channel",)

MAX_REDRAWN = 20
"""Messages that are drawn anew at once, so that presses come in between."""
REDRAW_PAUSE_MS = 10 * SECOND


def check_start_channels(
    client: discord.Client, guild: int, server: ServerSettings
) -> Sequence[service.MissingPermissions]:
    """Return the permissions that the bot lacks in the channels where a server's matches may start.

    If matches may start everywhere, channels that the bot cannot see are not meant for it, unless
    it sees none.
    """
    found = client.get_guild(guild)
    if found is None:
        return ()
    channels = server.channels or [channel.id for channel in found.text_channels]
    missing = [
        service.MissingPermissions(channel, _find_missing(client, guild, channel, server))
        for channel in channels
    ]
    lacking = [lack for lack in missing if lack.permissions]
    shown = [lack for lack in lacking if "view_channel" not in lack.permissions]
    # If it sees no channel at all, that is the very thing to tell.
    shown_none = all("view_channel" in lack.permissions for lack in missing)
    return lacking if server.channels or shown_none else shown


async def load_missing_permissions(
    client: AppClient, guild: int, server: ServerSettings
) -> Sequence[service.MissingPermissions]:
    """Return the permissions that the bot lacks wherever it is to post in a server."""
    lacks = list(check_start_channels(client, guild, server))
    known = {each.channel for each in lacks}
    for load in service.CHECKED_CHANNELS.list_functions():
        lacks += find_lacks(client, guild, set(await load(client.app, guild)) - known)
    return lacks


def find_lacks(
    client: discord.Client, guild: int, channels: Iterable[int]
) -> list[service.MissingPermissions]:
    """Return the permissions that the bot lacks in channels in which something is posted."""
    found = client.get_guild(guild)
    lacks = []
    for channel in sorted(channels):
        is_known = found is not None and found.get_channel_or_thread(channel) is not None
        # A channel that is gone is one that the bot cannot see.
        missing = (
            permissions.find_missing_permissions(client, guild, channel) if is_known else _GONE
        )
        if missing:
            lacks.append(service.MissingPermissions(channel, missing))
    return lacks


def _find_missing(
    client: discord.Client, guild: int, channel: int, server: ServerSettings
) -> tuple[str, ...]:
    missing = permissions.find_missing_permissions(client, guild, channel)
    there = client.get_channel(channel)
    if server.threads and isinstance(there, discord.TextChannel):
        return (*missing, *find_missing_for_threads(there))
    return missing


@handles(service.RedrawServer)
async def redraw_server(client: AppClient, job: service.RedrawServer, _: QueuedJob) -> JobResult:
    """Enqueue the next of the jobs that draw a server's messages anew."""
    app = client.app
    now = app.clock()
    jobs = [
        ShowMatch(each, again=True).build_job(now)
        for each in await app.store.get(Matches).load_running_numbers(job.server)
    ]
    for load in service.REDRAW_JOBS.list_functions():
        jobs += await load(app, job.server)
    # By kind and number, so that nothing is left out where others begin or end meanwhile.
    placed = {f"{each.kind} {each.key:>20}": each for each in jobs}
    due = [(place, placed[place]) for place in sorted(placed) if place > job.after]
    await app.enqueue(job.server, [each for _, each in due[:MAX_REDRAWN]])
    if len(due) <= MAX_REDRAWN:
        return Done()
    following = service.RedrawServer(job.server, after=due[MAX_REDRAWN - 1][0])
    return Reschedule(following.build_job(now + REDRAW_PAUSE_MS))


def build_greeting_key(guild: int) -> str:
    """Return the name of the note that says for which invitation a server was greeted."""
    return f"greeting of {guild}"


@handles(service.GreetServer)
async def greet_server(client: AppClient, job: service.GreetServer, _: QueuedJob) -> JobResult:
    """Greet a server that has invited the bot, in its first channel that takes it.

    If none does, its owner is greeted.
    """
    guild = client.get_guild(job.server)
    if guild is None:
        return Done()
    await _post_welcome(client, guild)
    # Discord may say again that the bot has joined, after an outage of the server.
    await client.app.store.metadata.save(build_greeting_key(guild.id), str(guild.me.joined_at))
    return Done()


async def _post_welcome(client: AppClient, guild: discord.Guild) -> None:
    server = await client.app.store.servers.load_settings(guild.id)
    lacks = check_start_channels(client, guild.id, server)
    # With the instant of joining, since a second invitation deserves a welcome of its own.
    name = f"{build_greeting_key(guild.id)} joined {guild.me.joined_at}"
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


@permissions.CHANNEL_DELETIONS.add(-1)
@permissions.ROLE_DELETIONS.add(-1)
async def forget_deleted(client: AppClient, guild: int, gone: int) -> None:
    """Remove a channel or role that no longer exists from a server's choices."""
    await servers.forget_deleted(client.app, guild, gone)


@permissions.LANGUAGE_CHANGES.add()
async def follow_language(client: AppClient, guild: int) -> None:
    """Draw a server's messages in the language that Discord names now."""
    await servers.enqueue_redraw(client.app, guild)


@permissions.INVITATIONS.add()
async def greet_once(client: AppClient, guild: int) -> None:
    """Greet a server once for each invitation."""
    there = client.get_guild(guild)
    joined = str(there.me.joined_at) if there else ""
    if await client.app.store.metadata.load_value(build_greeting_key(guild)) != joined:
        await client.app.enqueue(guild, [service.GreetServer(guild).build_job(client.app.clock())])


@permissions.REMOVALS.add(-1)
async def forget_greeting(client: AppClient, guild: int) -> None:
    """Greet a server again when it invites the bot again."""
    await client.app.store.metadata.save(build_greeting_key(guild), "")
