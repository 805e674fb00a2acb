"""Where a match is shown if its place is gone, and what happens while it can be shown nowhere.

It moves to where somebody acts, or to a channel that a button names. In servers that want it, it
has a thread, opened under the challenge and archived when the match is over.
"""

import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import discord

from bot.features.matches import loading, texts
from bot.features.matches import texts as words
from bot.features.matches.cards import unreachable_card
from bot.features.matches.controls import BRING
from bot.features.matches.jobs import ArchiveThread, NotifyPlaceLost, ShowMatch
from bot.features.matches.loading import bring_match, find_match_channel, load_visible_session
from bot.features.matches.rows import MatchRow
from bot.features.matches.session import MatchElsewhereError, MatchSession, require_running
from bot.features.matches.store import Matches
from bot.features.matches.store.inspection import Inspection
from bot.platform.context import NO_SERVER, App
from bot.platform.db.jobs import Subject
from bot.platform.db.rows import Job, QueuedJob, StoppageScope
from bot.platform.features import ExtensionPoint
from bot.platform.i18n.common import format_permissions
from bot.platform.i18n.reader import DeclinedError, Reader, mark_text
from bot.platform.jobs.destinations import loads_channels
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import Done, JobResult
from bot.platform.outages import RETURN_JOBS
from bot.platform.ui import channels
from bot.platform.ui.access import is_member, require_seen_by
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.app_client import UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, AppClient, is_thread_closed
from bot.platform.ui.card import text_only_card
from bot.platform.ui.declarations import press
from engine.clock import HOUR
from engine.match import Phase

log = logging.getLogger(__name__)


def is_place_lost(error: discord.HTTPException) -> bool:
    """Whether Discord says that nothing can be posted in a channel or thread."""
    gone = isinstance(error, discord.NotFound) and error.code == UNKNOWN_CHANNEL
    return gone or isinstance(error, discord.Forbidden) or is_thread_closed(error)


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
        row = session.row
        missing = channels.find_missing_permissions(client, row.guild, row.channel)
        log.warning(
            "match %d has no place to be shown; its clock is stopped (channel %d of server %d%s)",
            session.id,
            row.channel,
            row.guild,
            f" lacks {format_permissions(Reader.ENGLISH, missing)}" if missing else "",
        )
        job = NotifyPlaceLost(session.id).build_job(now)
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
    missing = channels.find_missing_permissions(client, row.guild, row.channel)
    gone = not is_channel_known(client, row.guild, row.channel)
    refuge = await _find_fallback_channel(client, row)
    for person in session.human_players:
        say = await client.load_direct_reader(person, row.guild)
        card = unreachable_card(say, session, missing, gone=gone, refuge=refuge)
        try:
            await channels.DirectMessages(client, person).post(
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
    chosen = (await client.app.store.servers.load_settings(row.guild)).channels
    fitting = (
        channel
        for channel in guild.text_channels
        # The match's own channel has just failed, whatever its permissions say.
        if channel.id != row.channel
        and not channels.list_missing_permissions(channel, channel.permissions_for(guild.me))
        and (
            channel.id in chosen
            if chosen
            else channel.permissions_for(guild.default_role).view_channel
        )
    )
    return next(fitting, None)


@channels.MESSAGE_DELETIONS.add()
async def repost_deleted(client: AppClient, channel: int, messages: Collection[int]) -> None:
    """Post the live messages of matches again that somebody has deleted in a channel."""
    app = client.app
    # Noted even if none belongs to a match yet: one may be posted but not stored.
    client.deletions.add(messages)
    for row in await app.store.get(Matches).load_running_in_channel(channel):
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
            job = ShowMatch(row.id, again=True).build_job(app.clock())
            await app.enqueue(row.guild, [job])


@channels.THREAD_LOCKS.add()
async def check_channel(client: AppClient, channel: int) -> None:
    """Find places for the matches of a channel and its threads, once it was deleted or locked."""
    await check_places(
        client, await client.app.store.get(Matches).load_running_under_channel(channel)
    )


@channels.PERMISSION_LOSSES.add()
async def check_server(client: AppClient, guild: int) -> None:
    """Find places for the matches of a server in whose channels the bot has lost permissions."""
    rows = await client.app.store.get(Matches).load_running_in_server(guild)
    await check_places(
        client,
        [row for row in rows if channels.find_missing_permissions(client, guild, row.channel)],
    )


@RETURN_JOBS.add()
async def build_return_jobs(app: App, guild: int) -> Sequence[Job]:
    """Try again to show the matches of a server that could be shown nowhere."""
    rows = await app.store.get(Matches).load_running_in_server(guild)
    stopped = await app.store.pauses.load_stopped_matches([row.id for row in rows])
    return [ShowMatch(match, again=True).build_job(app.clock()) for match in sorted(stopped)]


async def check_shard(client: AppClient, shard: int) -> None:
    """Find out where the matches of a shard can be shown whose channels were deleted unseen."""
    app = client.app
    for guild, channel, _ in await app.store.get(Inspection).load_match_channels():
        if (
            app.shards.get_shard(guild) != shard
            or guild in app.lost
            or is_channel_known(client, guild, channel)
        ):
            continue
        rows = await app.store.get(Matches).load_running_in_channel(channel)
        # A thread that is not known may be archived only, while its channel is there.
        await check_places(
            client,
            [
                row
                for row in rows
                if not (row.parent and is_channel_known(client, guild, row.parent))
            ],
        )


loads_channels(Subject.MATCH)(lambda store, numbers: store.get(Matches).load_channels(numbers))


def build_match_link(row: MatchRow) -> str:
    """Point to the message of a match."""
    return channels.build_link(row.guild, row.channel, row.message)


@channels.CHANNEL_DELETIONS.add()
async def follow_deletion(client: AppClient, _: int, channel: int) -> None:
    """Find places for the matches of a channel or thread that was deleted."""
    await check_channel(client, channel)


@channels.SHARD_RETURNS.add()
async def follow_shard(client: AppClient, shard: int, _: Collection[int]) -> None:
    """Find out where the matches of a shard can be shown once it is back."""
    await check_shard(client, shard)


class OnlyPlayersShareError(DeclinedError):
    match: int
    sentence = mark_text("Only the players in match {match} can show it to everyone.")


async def finish_elsewhere(answer: InteractionAnswer, session: MatchSession) -> bool:
    """End the answer to what is saved in a match that is not shown in its own channel.

    Return False where it is shown there. Otherwise the match is shown where somebody has acted, if
    it can be.
    """
    interaction, app = answer.interaction, answer.app
    here, row = answer.channel, session.row
    missing = channels.list_missing_here(interaction)
    may_post = not missing and channels.may_write(interaction)
    if here == row.channel and not missing:
        # Most actions end here, without a query.
        return False
    if not await is_unshowable(app, session):
        if here == row.channel:
            await answer.confirm(texts.explain_hidden_action(answer.reader, session, missing))
            return True
        # It may have been brought here just now.
        if not here == await find_match_channel(app, row.id) != row.channel:
            return False
        await answer.finish()
        return True
    with log_answer_failures(interaction):
        # A match never leaves its server, whose settings and leaderboards apply to it.
        is_fitting = may_post and answer.guild == row.guild
        if is_fitting and await is_seen_by_players(answer, session, here):
            await bring_match(app, session, here)
            await answer.finish()
        else:
            if here != row.channel:
                missing = channels.find_missing_permissions(answer.client, row.guild, row.channel)
            text = texts.explain_hidden_match(answer.reader, session, missing, gone=not missing)
            await answer.send(text_only_card(text))
    return True


async def require_seen_by_players(
    answer: InteractionAnswer, session: MatchSession, channel: int
) -> None:
    """Raise DeclinedError unless the others who play a match can see a channel of its server.

    Their turns could not be played there, while their clocks run.
    """
    names = session.names
    others = {each: names[each] for each in session.human_players if each != answer.person.id}
    await require_seen_by(answer.client, session.row.guild, channel, others)


async def is_seen_by_players(
    answer: InteractionAnswer, session: MatchSession, channel: int
) -> bool:
    """Whether the others who play a match can see a channel of its server."""
    try:
        await require_seen_by_players(answer, session, channel)
    except DeclinedError:
        return False
    return True


@press(BRING, everywhere=True)
async def move_match(answer: InteractionAnswer, match: int, channel: int) -> None:
    """Bring a match to the channel that the pressed button names."""
    session = await load_visible_session(answer.app, match, answer.guild, answer.person.id)
    require_running(session)
    if not session.find_sides(answer.person.id):
        raise OnlyPlayersShareError(match)
    guild, person = session.row.guild, answer.person.id
    if guild != NO_SERVER and not await is_member(answer.client, guild, person):
        raise MatchElsewhereError(match)
    # The person who presses too: other people could see the channel when the button was sent.
    players = {each: session.names[each] for each in session.human_players}
    await require_seen_by(answer.client, guild, channel, players)
    await bring_match(answer.app, session, channel)
    text = texts.format_continuation(answer.reader, session, channel)
    await answer.confirm(text)


THREAD_ALREADY_CREATED = 160004
ARCHIVED_AFTER_MIN: Literal[10080] = 10080
"""Minutes without messages until Discord archives a thread: a week. A new post opens it again."""
ARCHIVE_DELAY_MS = HOUR
"""Milliseconds for which the thread of a finished match stays open, for the buttons at its end."""

LoadAnchor: TypeAlias = Callable[[App, int], Awaitable[int | None]]

THREAD_ANCHORS: ExtensionPoint[LoadAnchor] = ExtensionPoint()
"""The message from which a match began, under which its thread opens; None for other matches."""


@dataclass(frozen=True, slots=True)
class MatchPlace:
    """The channel or thread that shows a match, a remark on that, and the channel of a thread."""

    channel: int
    remark: str = ""
    parent: int | None = None


async def choose_place(here: channels.ServerChannel, session: MatchSession) -> MatchPlace:
    """Return where a new match is shown; open a thread for it if its server wants one.

    If that is not allowed, the match stays in the channel in which it began.
    """
    row = session.row
    if row.thread is not None:
        # An earlier try opened the thread, but ended before it could post there.
        return MatchPlace(row.thread, parent=row.channel)
    client = here.client
    server = await here.load_server()
    parent = client.get_channel(row.channel)
    # A league begins many matches at once, for which one channel would be too narrow.
    wants_thread = server.threads or row.contest is not None
    if not wants_thread or not isinstance(parent, discord.TextChannel):
        return MatchPlace(row.channel, parent=find_parent(client, row.guild, row.channel))
    say = here.reader
    lacking = find_missing_for_threads(parent)
    if lacking:
        return MatchPlace(row.channel, words.explain_missing_thread(say, lacking))
    try:
        thread = await _open_thread(here, session, parent)
    except discord.HTTPException as error:
        # These say that no thread can be opened here. After anything else the job is tried again.
        if error.status not in (400, 403):
            raise
        log.warning("could not open a thread for match %d: %s", row.id, error)
        return MatchPlace(row.channel, words.explain_missing_thread(say, ()))
    # Stored before the first message is posted, so that a retry goes on in this thread.
    await client.app.store.get(Matches).save_thread(row.id, thread)
    return MatchPlace(thread, parent=row.channel)


def find_missing_for_threads(channel: discord.TextChannel) -> tuple[str, ...]:
    """Return the further permissions that the bot lacks in a channel to open threads there."""
    may = channel.permissions_for(channel.guild.me)
    return tuple(name for name in channels.THREAD_PERMISSIONS if not getattr(may, name))


async def _open_thread(
    here: channels.ServerChannel, session: MatchSession, parent: discord.TextChannel
) -> int:
    """Open a match's thread and return its id.

    It opens under the message from which the match began, or under a line of its own.
    """
    say = here.reader
    name = words.format_thread_name(say, session)
    for load_anchor in THREAD_ANCHORS.list_functions():
        anchor = await load_anchor(here.client.app, session.id)
        if anchor is None:
            continue
        try:
            return await open_thread_under(parent, anchor, name)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
    line = await here.post(
        text_only_card(words.format_thread_opening(say, session)), f"thread of match {session.id}"
    )
    return await open_thread_under(parent, line, name)


async def open_thread_under(parent: discord.TextChannel, message: int, name: str) -> int:
    """Open a thread under a message.

    Discord gives it the id of the message, so a thread that was opened before is found.
    """
    try:
        await parent.get_partial_message(message).create_thread(
            name=name, auto_archive_duration=ARCHIVED_AFTER_MIN
        )
    except discord.HTTPException as error:
        if error.code != THREAD_ALREADY_CREATED:
            raise
    return message


@handles(ArchiveThread)
async def archive_thread(client: AppClient, job: ArchiveThread, _: QueuedJob) -> JobResult:
    """Archive the thread of a match that is over, if it still exists."""
    try:
        # Fetched, since the library's cache forgets threads that are archived.
        thread = await client.fetch_channel(job.thread)
        if isinstance(thread, discord.Thread) and not thread.archived:
            await thread.edit(archived=True)
    except (discord.Forbidden, discord.NotFound) as error:
        # No second try: Discord archives an idle thread by itself.
        log.info("could not archive thread %d: %s", job.thread, error)
    return Done()
