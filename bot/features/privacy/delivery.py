"""People's data, sent to them alone, and the jobs that delete it."""

import logging

import discord
from discord.utils import escape_markdown

from bot.features.privacy import texts as words
from bot.features.privacy.cards import export_card
from bot.features.privacy.export import (
    ExportLine,
    build_archives,
    build_server_archive,
    list_file_names,
)
from bot.features.privacy.jobs import (
    DeletePerson,
    DeleteServer,
    ExportData,
    ExportServer,
    RetirePlayer,
)
from bot.features.privacy.retiring import StillStartingError, erase_words, retire_player
from bot.features.privacy.server_service import SETTLE_MS, delete_server, end_everything
from bot.features.privacy.service import delete_person
from bot.platform.direct import NO_SERVER
from bot.platform.i18n.reader import Reader
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import Done, JobResult, Removed, Reschedule, Retry
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.card import Card, CardFile, text_only_card
from bot.platform.ui.channels import DirectMessages
from bot.store import QueuedJob
from engine.clock import DAY, SECOND

log = logging.getLogger(__name__)

STARTING = Retry("a contest of theirs is starting", 5 * SECOND)
"""What becomes of the end of what somebody takes part in while a start creates their matches."""
EXPORT_RETRY_MS = 30_000
"""Milliseconds after which an export is tried again, where another is being made."""


async def announce_export(client: AppClient, say: Reader, job: ExportData) -> bool:
    """Tell somebody in direct messages that their data follows; False if they take none.

    Then they may ask again at once.
    """
    card = text_only_card(words.format_export_notice(say))
    try:
        await DirectMessages(client, job.person).post(card, f"data of {job.person} at {job.at}")
    except (discord.Forbidden, discord.NotFound):
        await client.app.store.personal_data.forget_export(job.person)
        return False
    return True


@handles(ExportData)
async def send_export(client: AppClient, job: ExportData, _: QueuedJob) -> JobResult:
    """Send somebody their data."""
    app = client.app
    if app.get_part(ExportLine).is_full:
        # Waiting here would keep a place among the jobs from those that show matches.
        return Retry("another export is being made", EXPORT_RETRY_MS)
    archives = await build_archives(app, job.person)
    say = await client.load_direct_reader(job.person, NO_SERVER)
    for number, (name, content) in enumerate(
        zip(list_file_names(archives), archives, strict=True), 1
    ):
        card = export_card(say, CardFile(name, content), number, len(archives))
        try:
            await DirectMessages(client, job.person).post(
                card, f"data of {job.person} at {job.at}, part {number}"
            )
        except (discord.Forbidden, discord.NotFound):
            log.info("somebody who asked for their data takes no direct messages any more")
            await app.store.personal_data.forget_export(job.person)
            return Done()
    return Done()


@handles(DeletePerson)
async def do_delete_person(client: AppClient, job: DeletePerson, _: QueuedJob) -> JobResult:
    """Delete somebody's data, and with it this job, which names them."""
    try:
        await delete_person(client.app, job.person)
    except StillStartingError:
        return STARTING
    return Removed()


@handles(RetirePlayer)
async def do_retire_player(client: AppClient, job: RetirePlayer, queued: QueuedJob) -> JobResult:
    """End what somebody whose data is deleted still takes part in."""
    app = client.app
    try:
        await retire_player(app, job.person)
    except StillStartingError:
        return STARTING
    if await erase_words(app.store, job.person, app.clock()):
        # In a match that goes on without them, their word is needed until its end.
        return Reschedule(job.make_job(app.clock() + DAY))
    return Done()


@handles(ExportServer)
async def send_server_export(client: AppClient, job: ExportServer, _: QueuedJob) -> JobResult:
    """Send the owner of a server its data, if they own it still."""
    if client.app.get_part(ExportLine).is_full:
        return Retry("another export is being made", EXPORT_RETRY_MS)
    guild = client.get_guild(job.server)
    if guild is None or guild.owner_id != job.owner:
        return Done()
    content = await build_server_archive(client.app, job.server)
    say = await client.load_direct_reader(job.owner, job.server)
    card = Card(
        texts=(words.format_server_export(say, escape_markdown(guild.name)),),
        file=CardFile("tabula-server.zip", content),
    )
    try:
        await DirectMessages(client, job.owner).post(card, f"data of {job.server} at {job.at}")
    except (discord.Forbidden, discord.NotFound):
        log.info("the owner of server %d takes no direct messages any more", job.server)
    return Done()


@handles(DeleteServer)
async def do_delete_server(client: AppClient, job: DeleteServer, queued: QueuedJob) -> JobResult:
    """Delete a server's data, once what goes on there has ended; not where the bot is back."""
    app = client.app
    if job.left:
        if app.shards.get_shard(job.server) not in app.reached:
            # Only Discord knows whether the server has the bot again.
            return Retry("its shard is not connected")
        if client.get_guild(job.server) is not None:
            return Done()
    if await end_everything(app, job.server) and not job.left:
        # Its channels are brought up to date before nothing is known of them.
        return Reschedule(job.make_job(app.clock() + SETTLE_MS))
    await delete_server(app, job.server)
    return Removed()
