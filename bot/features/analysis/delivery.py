"""Posting a shared position in a channel, with a thread under it where the bot may open one."""

import asyncio
import logging
from weakref import WeakValueDictionary

import discord

from bot.features.analysis.service import Analysis, load_analysis
from bot.features.analysis.share_cards import answer_card, keep_picture, shared_card
from bot.features.analysis.share_texts import format_thread_name
from bot.features.analysis.sharing import Answer
from bot.features.matches.threads import find_missing_for_threads, open_thread_under
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.people import DiscordPerson
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.channels import ServerChannel
from bot.platform.ui.failures import FAILURES, UNKNOWN_MESSAGE, describe_error
from bot.platform.ui.places import build_link, can_post

log = logging.getLogger(__name__)

UNKNOWN_CHANNEL = 10003


class AnalysisLocks:
    """Locks under which the message of a shared position changes."""

    def __init__(self) -> None:
        # Weak, so that a lock is gone once nobody holds it or waits for it.
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def get(self, number: int) -> asyncio.Lock:
        """Return the lock of a position."""
        return self._locks.setdefault(number, asyncio.Lock())


async def share_analysis(here: ServerChannel, analysis: Analysis, person: DiscordPerson) -> str:
    """Post a position in a channel, open a thread under it, and return a link to it.

    Raises DeclinedError while an earlier post of it is there, or once the answer is given; a post
    that was deleted is replaced.
    """
    app, row = here.client.app, analysis.row
    if row.revealed is not None:
        raise DeclinedError(DeclineReason.ANSWER_REVEALED)
    if row.message is not None and await _is_shown(here, analysis):
        assert row.guild is not None
        assert row.channel is not None
        link = build_link(row.guild, row.channel, row.message)
        raise DeclinedError(DeclineReason.ALREADY_SHARED, link=link)
    count = await app.store.analyses.count_proposals(row.id)
    card = shared_card(here.reader, analysis, person.id, count)
    # The name is another one where an earlier message was deleted.
    message = await here.post(card, f"analysis {row.id} {row.message or 0}")
    await app.save_people(person)
    await app.store.analyses.save_message(row.id, person.id, here.guild, here.id, message)
    await _open_thread(here, analysis, message)
    return build_link(here.guild, here.id, message)


async def _is_shown(here: ServerChannel, analysis: Analysis) -> bool:
    """Whether the message that shows a position is still there; it is brought up to date."""
    try:
        await refresh_shared(here.client, analysis)
    except discord.NotFound as error:
        if error.code not in (UNKNOWN_MESSAGE, UNKNOWN_CHANNEL):
            raise
        return False
    return True


async def refresh_shared(client: AppClient, analysis: Analysis) -> None:
    """Show everyone how many people have proposed a play by now.

    Raises discord.NotFound where the message is gone.
    """
    row = analysis.row
    if row.message is None or row.guild is None or row.channel is None or row.person is None:
        return
    channel = ServerChannel(client, row.guild, row.channel)
    count = await client.app.store.analyses.count_proposals(row.id)
    card = shared_card(channel.reader, analysis, row.person, count)
    await channel.edit(row.message, keep_picture(card))


async def show_count(client: AppClient, number: int) -> None:
    """Show everyone how many people have proposed a play; what was proposed is saved anyway."""
    try:
        async with client.app.get_part(AnalysisLocks).get(number):
            analysis = await load_analysis(client.app, number)
            # The answer takes the place of the question, and must not be covered by it.
            if analysis.row.revealed is None:
                await refresh_shared(client, analysis)
    except (DeclinedError, *FAILURES) as error:
        log.info("could not show the proposals of analysis %d: %s", number, error)


async def post_answer(client: AppClient, answer: Answer) -> None:
    """Post the answer in the thread of the position, if it has one: that is where people wait."""
    row = answer.found.analysis.row
    # A thread under a message has the message's id.
    if row.guild is None or row.message is None or not can_post(client, row.guild, row.message):
        return
    thread = ServerChannel(client, row.guild, row.message)
    try:
        await thread.post(answer_card(thread.reader, answer), f"answer to analysis {row.id}")
    except FAILURES as error:
        log.info("could not post the answer to analysis %d: %s", row.id, describe_error(error))


async def _open_thread(here: ServerChannel, analysis: Analysis, message: int) -> None:
    """Open a thread under the message, where the bot may; the message does without as well."""
    parent = here.client.get_channel(here.id)
    if not isinstance(parent, discord.TextChannel) or find_missing_for_threads(parent):
        return
    try:
        await open_thread_under(parent, message, format_thread_name(here.reader, analysis))
    except FAILURES as error:
        log.info(
            "could not open a thread for analysis %d: %s", analysis.row.id, describe_error(error)
        )
