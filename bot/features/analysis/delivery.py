"""Posting a shared position in a channel, with a thread under it where the bot may open one."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager

import discord

from bot.features.analysis import service
from bot.features.analysis.cards import answer_card, keep_picture, shared_card
from bot.features.analysis.store import Analyses
from bot.features.analysis.texts import format_thread_name
from bot.features.matches.places import find_missing_for_threads, open_thread_under
from bot.platform.db.rows import QueuedJob
from bot.platform.i18n.reader import DeclinedError, Reader
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import JobResult, Reschedule
from bot.platform.people import DiscordPerson
from bot.platform.ui.app_client import FAILURES, UNKNOWN_MESSAGE, AppClient, describe_error
from bot.platform.ui.channels import ServerChannel, build_link, can_post

log = logging.getLogger(__name__)

UNKNOWN_CHANNEL = 10003


class AlreadySharedError(DeclinedError):
    """A position is shared already, in the message of that link."""

    link: str

    def _format(self, say: Reader) -> str:
        return say(
            "You've shared this position already: [see it in the channel]({link}).", link=self.link
        )


class CountEdits:
    """The edits under way of messages that show how many have proposed a play, by position.

    Nobody waits for them with a lock: Discord may take its time.
    """

    def __init__(self) -> None:
        self._under_way: dict[int, set[asyncio.Future[None]]] = {}

    @contextmanager
    def note(self, number: int) -> Iterator[None]:
        """Note an edit as long as it lasts."""
        over = asyncio.get_running_loop().create_future()
        edits = self._under_way.setdefault(number, set())
        edits.add(over)
        try:
            yield
        finally:
            over.set_result(None)
            edits.discard(over)
            if not edits:
                self._under_way.pop(number, None)

    async def wait(self, number: int) -> bool:
        """Wait for the edits of a position under way now; return whether there were any."""
        edits = set(self._under_way.get(number, ()))
        if edits:
            await asyncio.wait(edits)
        return bool(edits)


async def share_analysis(
    here: ServerChannel, analysis: service.Analysis, person: DiscordPerson
) -> str:
    """Post a position in a channel, open a thread under it, and return a link to it.

    Raises DeclinedError while an earlier post of it is there, or once the answer is given; a post
    that was deleted is replaced.
    """
    app, row = here.client.app, analysis.row
    if row.revealed is not None:
        raise service.AnswerRevealedError
    if row.message is not None and await _is_shown(here, analysis):
        assert row.guild is not None
        assert row.channel is not None
        link = build_link(row.guild, row.channel, row.message)
        raise AlreadySharedError(link)
    count = await app.store.get(Analyses).count_proposals(row.id)
    card = shared_card(here.reader, analysis, person.id, count)
    # The name is another one where an earlier message was deleted.
    message = await here.post(card, f"analysis {row.id} {row.message or 0}")
    await app.save_people(person)
    await app.store.get(Analyses).save_message(row.id, person.id, here.guild, here.id, message)
    await _open_thread(here, analysis, message)
    return build_link(here.guild, here.id, message)


async def _is_shown(here: ServerChannel, analysis: service.Analysis) -> bool:
    """Whether the message that shows a position is still there; it is brought up to date."""
    try:
        await refresh_shared(here.client, analysis)
    except discord.NotFound as error:
        if error.code not in (UNKNOWN_MESSAGE, UNKNOWN_CHANNEL):
            raise
        return False
    return True


async def refresh_shared(client: AppClient, analysis: service.Analysis) -> int:
    """Show everyone how many people have proposed a play by now, and return how many.

    Raises discord.NotFound where the message is gone.
    """
    row = analysis.row
    count = await client.app.store.get(Analyses).count_proposals(row.id)
    if row.message is not None and row.guild is not None and row.channel is not None:
        channel = ServerChannel(client, row.guild, row.channel)
        if row.person is not None:
            card = shared_card(channel.reader, analysis, row.person, count)
            await channel.edit(row.message, keep_picture(card))
    return count


async def show_count(client: AppClient, number: int) -> None:
    """Show everyone how many people have proposed a play; what was proposed is saved anyway."""
    app, shown = client.app, None
    try:
        with app.get_part(CountEdits).note(number):
            # Of two that are under way the later may arrive first, so each looks again.
            while shown != await app.store.get(Analyses).count_proposals(number):
                analysis = await service.load_analysis(app, number)
                # The answer takes the place of the question, and must not be covered by it.
                if analysis.row.revealed is not None:
                    return
                shown = await refresh_shared(client, analysis)
    except (DeclinedError, *FAILURES) as error:
        log.info("could not show the proposals of analysis %d: %s", number, error)


async def post_answer(client: AppClient, answer: service.Answer) -> None:
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


async def _open_thread(here: ServerChannel, analysis: service.Analysis, message: int) -> None:
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


@handles(service.DeleteAnalyses)
async def do_delete_analyses(
    client: AppClient, _: service.DeleteAnalyses, __: QueuedJob
) -> JobResult:
    """Delete the positions that were kept long enough, and again the next night."""
    app = client.app
    await app.store.get(Analyses).delete_old(app.clock())
    return Reschedule(service.build_deletion(app.clock()))
