"""A thread for each match, in servers that want it.

It is opened under the challenge, and archived when the match is over.
"""

import logging
from dataclasses import dataclass
from typing import Literal

import discord

from bot.features.matches import texts as words
from bot.features.matches.reach import find_parent
from bot.features.matches.session import MatchSession
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.kinds import ArchiveThread
from bot.platform.jobs.runner import Done, JobResult
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.card import text_only_card
from bot.platform.ui.channels import ServerChannel
from bot.platform.ui.failures import UNKNOWN_MESSAGE
from bot.platform.ui.places import THREAD_PERMISSIONS
from bot.store import QueuedJob
from engine.clock import HOUR

log = logging.getLogger(__name__)

THREAD_ALREADY_CREATED = 160004
ARCHIVED_AFTER_MIN: Literal[10080] = 10080
"""Minutes without messages until Discord archives a thread: a week. A new post opens it again."""
ARCHIVE_DELAY_MS = HOUR
"""Milliseconds for which the thread of a finished match stays open, for the buttons at its end."""


@dataclass(frozen=True, slots=True)
class MatchPlace:
    """The channel or thread that shows a match, a remark on that, and the channel of a thread."""

    channel: int
    remark: str = ""
    parent: int | None = None


async def choose_place(here: ServerChannel, session: MatchSession) -> MatchPlace:
    """Return where a match is shown; open a thread for a new match if its server wants one.

    If that is not allowed, the match stays in the channel in which it began.
    """
    row = session.row
    if row.message is not None:
        # A match that has a message stays where it is, even if its server asks for threads since.
        return MatchPlace(row.channel, parent=row.parent)
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
    await client.app.store.matches.save_thread(row.id, thread)
    return MatchPlace(thread, parent=row.channel)


def find_missing_for_threads(channel: discord.TextChannel) -> tuple[str, ...]:
    """Return the further permissions that the bot lacks in a channel to open threads there."""
    may = channel.permissions_for(channel.guild.me)
    return tuple(name for name in THREAD_PERMISSIONS if not getattr(may, name))


async def _open_thread(
    here: ServerChannel, session: MatchSession, parent: discord.TextChannel
) -> int:
    """Open a match's thread and return its id.

    It opens under the challenge, or under a line of its own if that is gone.
    """
    say = here.reader
    challenge = await here.client.app.store.challenges.get_by_match(session.id)
    name = words.format_thread_name(say, session)
    if challenge and challenge.message:
        try:
            return await open_thread_under(parent, challenge.message, name)
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
