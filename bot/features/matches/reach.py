"""Where a match is shown if its place is gone, and what happens while it can be shown nowhere."""

import logging
from collections.abc import Collection

import discord

from bot.features.matches import loading
from bot.features.matches.reach_cards import unreachable_card
from bot.features.matches.session import MatchSession
from bot.platform.context import App
from bot.platform.direct import NO_SERVER
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.kinds import NotifyPlaceLost, ShowMatch
from bot.platform.jobs.runner import Done, JobResult
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.channels import DirectMessages
from bot.platform.ui.failures import THREAD_ARCHIVED, UNKNOWN_CHANNEL
from bot.platform.ui.places import (
    build_match_link,
    find_missing_permissions,
    list_missing_permissions,
)
from bot.store import MatchRow, QueuedJob, StoppageScope
from engine.match import Phase

log = logging.getLogger(__name__)

THREAD_LOCKED = 160005


def is_place_lost(error: discord.HTTPException) -> bool:
    """Whether Discord says that nothing can be posted in a channel or thread."""
    gone = isinstance(error, discord.NotFound) and error.code == UNKNOWN_CHANNEL
    return gone or isinstance(error, discord.Forbidden) or is_thread_closed(error)


def is_thread_closed(error: discord.HTTPException) -> bool:
    """Whether Discord says that a thread takes no message."""
    return error.code in (THREAD_ARCHIVED, THREAD_LOCKED)


def find_parent(client: discord.Client, guild: int, channel: int) -> int | None:
    """Return the channel of a thread; None for what is no thread, or not known."""
    server = client.get_guild(guild)
    thread = server and server.get_thread(channel)
    return thread.parent_id if thread else None


async def is_unshowable(app: App, session: MatchSession) -> bool:
    """Whether a match can be shown nowhere."""
    return bool(await app.store.pauses.load_stopped_matches([session.id]))


async def find_match_link(client: AppClient, row: MatchRow) -> str | None:
    """Return the link to the message of a match; None if there is none, as nowhere can show it."""
    return (await find_match_links(client, [row])).get(row.id)


async def find_match_links(client: AppClient, rows: Collection[MatchRow]) -> dict[int, str]:
    """Return the ways to the messages of those matches that have one."""
    stopped = await client.app.store.pauses.load_stopped_matches([row.id for row in rows])
    return {
        row.id: build_match_link(row)
        for row in rows
        if row.id not in stopped and _may_exist(client, row)
    }


def _may_exist(client: discord.Client, row: MatchRow) -> bool:
    """Whether the place of a match exists, or is in a server that this process does not know."""
    # Of a thread that is archived only its channel is known.
    places = (row.channel, row.parent)
    return client.get_guild(row.guild) is None or any(
        is_channel_known(client, row.guild, place) for place in places if place
    )


async def stop_match(client: AppClient, session: MatchSession, *, again: bool = False) -> None:
    """Stop time in a match that can be shown nowhere, and notify its players once, or `again`."""
    if session.match.phase is Phase.OVER:
        # No clock runs after the end, so there is nothing to stop.
        log.info("there is no place to show the end of match %d", session.id)
        return
    app = client.app
    now = app.clock()
    if await app.store.pauses.stop_clocks(StoppageScope.MATCH, [session.id], now) or again:
        log.warning("match %d has no place to be shown; its clock is stopped", session.id)
        job = NotifyPlaceLost(session.id).make_job(now)
        await app.enqueue(session.row.guild, [job])


@handles(NotifyPlaceLost)
async def notify_place_lost(
    client: AppClient, job: NotifyPlaceLost, queued: QueuedJob
) -> JobResult:
    """Tell the players by direct message why their match is not shown, and how to move it."""
    app = client.app
    session = await loading.load_session(app, job.match)
    row = session.row
    if not await is_unshowable(app, session):
        # Its place may have come back while this job waited.
        return Done()
    missing = find_missing_permissions(client, row.guild, row.channel)
    gone = not is_channel_known(client, row.guild, row.channel)
    refuge = await _find_fallback_channel(client, row)
    for person in session.human_players:
        say = await client.load_direct_reader(person, row.guild)
        card = unreachable_card(say, session, missing, gone=gone, refuge=refuge)
        try:
            await DirectMessages(client, person).post(
                card, f"match {row.id} is not shown, job {queued.id}"
            )
        except discord.HTTPException as error:
            # Somebody who takes no direct messages must not keep the others from theirs.
            log.info(
                "user %d could not be notified that match %d is not shown: %s",
                person,
                row.id,
                error,
            )
    return Done()


def is_channel_known(client: discord.Client, guild: int, channel: int) -> bool:
    """Whether a channel, or a thread that is not archived, exists as far as the bot can see.

    Of direct messages, which have no server, it sees nothing.
    """
    if guild == NO_SERVER:
        return True
    server = client.get_guild(guild)
    return server is not None and server.get_channel_or_thread(channel) is not None


async def _find_fallback_channel(client: AppClient, row: MatchRow) -> discord.TextChannel | None:
    """Return a channel in which a match can go on: matches may start there, and all see it."""
    guild = client.get_guild(row.guild)
    if guild is None:
        return None
    chosen = (await client.app.store.servers.get(row.guild)).channels
    fitting = (
        channel
        for channel in guild.text_channels
        # The match's own channel has just failed, whatever its permissions say.
        if channel.id != row.channel
        and not list_missing_permissions(channel, channel.permissions_for(guild.me))
        and (
            channel.id in chosen
            if chosen
            else channel.permissions_for(guild.default_role).view_channel
        )
    )
    return next(fitting, None)


async def repost_deleted(client: AppClient, channel: int, messages: Collection[int]) -> None:
    """Post the live messages of matches again that somebody has deleted in a channel."""
    app = client.app
    # Noted even if none belongs to a match yet: one may be posted but not stored.
    client.deletions.add(messages)
    for row in await app.store.matches.load_running_in_channel(channel):
        if row.message not in messages:
            continue
        if client.deletions.may_repost(row.id, row.version, app.clock()):
            await check_places(client, [row])
        else:
            # Somebody deletes every new message at once, perhaps a bot of the server: posting again
            # would never end.
            await stop_match(client, await loading.load_session(app, row.id))


async def check_places(client: AppClient, rows: Collection[MatchRow]) -> None:
    """Have matches shown again, so that it is found out whether their places still take them."""
    app = client.app
    for row in rows:
        if row.guild not in app.lost:
            shown = ShowMatch(row.id, again=True).make_job(app.clock())
            await app.enqueue(row.guild, [shown])


async def check_channel(client: AppClient, channel: int) -> None:
    """Find places for the matches of a channel and its threads, once it was deleted or locked."""
    await check_places(client, await client.app.store.matches.load_running_under_channel(channel))


async def check_server(client: AppClient, guild: int) -> None:
    """Find places for the matches of a server in whose channels the bot has lost permissions."""
    rows = await client.app.store.matches.load_running_in_server(guild)
    await check_places(
        client, [row for row in rows if find_missing_permissions(client, guild, row.channel)]
    )


async def check_shard(client: AppClient, shard: int) -> None:
    """Find out where the matches of a shard can be shown whose channels were deleted unseen."""
    app = client.app
    for guild, channel, _ in await app.store.inspection.load_match_channels():
        if (
            app.shards.get_shard(guild) != shard
            or guild in app.lost
            or is_channel_known(client, guild, channel)
        ):
            continue
        rows = await app.store.matches.load_running_in_channel(channel)
        # A thread that is not known may be archived only, while its channel is there.
        await check_places(
            client,
            [
                row
                for row in rows
                if not (row.parent and is_channel_known(client, guild, row.parent))
            ],
        )
