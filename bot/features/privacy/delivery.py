"""People's data as files, sent to them alone, and the jobs that delete it.

The files are one document of all tables, and the records of a person's matches.
"""

import asyncio
import logging
import time
import zipfile
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime
from io import BytesIO

import discord

from bot.features.matches.loading import load_history, load_session
from bot.features.matches.proof import load_secret_origin
from bot.features.matches.record import build_record, encode_events
from bot.features.privacy import service, texts
from bot.features.privacy.store import PersonalData
from bot.platform.context import NO_SERVER, App
from bot.platform.db.rows import QueuedJob
from bot.platform.i18n.reader import DeclinedError, Reader, escape_text
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import Done, JobResult, Removed, Reschedule, Retry
from bot.platform.lines import Asker, FairLine
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.card import Card, CardFile, text_only_card
from bot.platform.ui.channels import REMOVALS, SHARD_RETURNS, DirectMessages
from engine.clock import DAY, SECOND
from engine.match import Phase
from engine.refusal import Refusal
from engine.strict_json import write_json

log = logging.getLogger(__name__)
STARTING = Retry("a contest of theirs is starting", 5 * SECOND)
"""What becomes of the end of what somebody takes part in while a start creates their matches."""
LOG_RETRY_MS = 5_000
"""Milliseconds after which the log is looked at again, where somebody was still reading it."""
EXPORT_RETRY_MS = 30_000
"""Milliseconds after which an export is tried again, where another is being made."""
FORMAT = 1
"""The version of the document; it rises when the meaning of a field changes."""
DOCUMENT = "data.json"
LARGEST_PART = 8 * 2**20
"""Bytes of an archive: a direct message takes little more."""
REST_SHARE = 2.0
"""For how many times as long as it has worked an export rests, since it can go on for minutes."""


def export_card(say: Reader, file: CardFile, number: int, count: int) -> Card:
    """Return a message with a part of somebody's data."""
    return Card(texts=(texts.format_export_part(say, number, count),), file=file)


async def announce_export(client: AppClient, say: Reader, job: service.ExportData) -> bool:
    """Tell somebody in direct messages that their data follows; False if they take none.

    Then they may ask again at once.
    """
    card = text_only_card(texts.format_export_notice(say))
    try:
        await DirectMessages(client, job.person).post(card, f"data of {job.person} at {job.at}")
    except (discord.Forbidden, discord.NotFound):
        await client.app.store.get(PersonalData).forget_export(job.person)
        return False
    return True


@handles(service.ExportData)
async def send_export(client: AppClient, job: service.ExportData, _: QueuedJob) -> JobResult:
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
            await app.store.get(PersonalData).forget_export(job.person)
            return Done()
    return Done()


@handles(service.DeletePerson)
async def do_delete_person(client: AppClient, job: service.DeletePerson, _: QueuedJob) -> JobResult:
    """Delete somebody's data, and with it this job, which names them."""
    try:
        await service.delete_person(client.app, job.person)
    except service.StillStartingError:
        return STARTING
    return Removed()


@handles(service.RetirePlayer)
async def do_retire_player(
    client: AppClient, job: service.RetirePlayer, queued: QueuedJob
) -> JobResult:
    """End what somebody whose data is deleted still takes part in."""
    app = client.app
    try:
        await service.retire_player(app, job.person)
    except service.StillStartingError:
        return STARTING
    needed = await service.erase_words(app.store, job.person, app.clock())
    await app.enqueue(NO_SERVER, [service.TruncateLog(NO_SERVER).build_job(app.clock())])
    if needed:
        # In a match that goes on without them, their word is needed until its end.
        return Reschedule(job.build_job(app.clock() + DAY))
    return Done()


@handles(service.TruncateLog)
async def do_truncate_log(client: AppClient, _: service.TruncateLog, __: QueuedJob) -> JobResult:
    """Leave nothing of what was deleted in the database's log."""
    if await client.app.store.get(PersonalData).truncate_log():
        return Done()
    return Retry("somebody still reads what was deleted", LOG_RETRY_MS)


@handles(service.ExportServer)
async def send_server_export(
    client: AppClient, job: service.ExportServer, _: QueuedJob
) -> JobResult:
    """Send the owner of a server its data, if they own it still."""
    if client.app.get_part(ExportLine).is_full:
        return Retry("another export is being made", EXPORT_RETRY_MS)
    guild = client.get_guild(job.server)
    if guild is None or guild.owner_id != job.owner:
        return Done()
    content = await build_server_archive(client.app, job.server)
    say = await client.load_direct_reader(job.owner, job.server)
    card = Card(
        texts=(texts.format_server_export(say, escape_text(guild.name)),),
        file=CardFile("tabula-server.zip", content),
    )
    try:
        await DirectMessages(client, job.owner).post(card, f"data of {job.server} at {job.at}")
    except (discord.Forbidden, discord.NotFound):
        log.info("the owner of server %d takes no direct messages any more", job.server)
    return Done()


@handles(service.DeleteServer)
async def do_delete_server(
    client: AppClient, job: service.DeleteServer, queued: QueuedJob
) -> JobResult:
    """Delete a server's data, once what goes on there has ended; not where the bot is back."""
    app = client.app
    if job.left:
        if app.shards.get_shard(job.server) not in app.reached:
            # Only Discord knows whether the server has the bot again.
            return Retry("its shard is not connected")
        if client.get_guild(job.server) is not None:
            return Done()
    if await service.end_everything(app, job.server) and not job.left:
        # Its channels are brought up to date before nothing is known of them.
        return Reschedule(job.build_job(app.clock() + service.SETTLE_MS))
    await service.delete_server(app, job.server)
    return Removed()


class ExportLine(FairLine):
    """The exports of people's and servers' data: one is made after another."""

    def __init__(self) -> None:
        super().__init__(1)


async def build_archives(app: App, person: int) -> list[bytes]:
    """Return a person's data as zip archives, mostly one."""
    rows, matches = await app.store.get(PersonalData).collect(person)
    document = {
        "format": FORMAT,
        "exported": _format_now(app),
        "person": str(person),
        "tables": rows,
    }
    archives = _Archives()
    # Nobody waits for it at their screen, so it leaves time for what others do.
    async with app.get_part(ExportLine).hold(Asker(NO_SERVER, person)):
        await asyncio.to_thread(archives.add, DOCUMENT, document)
        for match in matches:
            begun = time.perf_counter()
            record = await _build_match_record(app, match)
            if record is not None:
                await asyncio.to_thread(archives.add, f"matches/match-{match}.json", record)
            await asyncio.sleep(REST_SHARE * (time.perf_counter() - begun))
    return archives.finish()


async def build_server_archive(app: App, server: int) -> bytes:
    """Return a server's data as a zip archive."""
    rows = await app.store.get(PersonalData).collect_server(server)
    document = {
        "format": FORMAT,
        "exported": _format_now(app),
        "server": str(server),
        "tables": rows,
    }
    archives = _Archives()
    async with app.get_part(ExportLine).hold(Asker(server, 0)):
        await asyncio.to_thread(archives.add, DOCUMENT, document)
    return archives.finish()[0]


def _format_now(app: App) -> str:
    return f"{datetime.fromtimestamp(app.clock() / 1000, UTC):%Y-%m-%dT%H:%M:%SZ}"


async def _build_match_record(app: App, match: int) -> object | None:
    """Return the record of a match; None while it goes on, and if its rules are not known here."""
    try:
        session = await load_session(app, match)
        if session.match.phase is not Phase.OVER:
            return None
        happened = await load_history(app, session.row)
        origin = await load_secret_origin(app, session)
    except (DeclinedError, Refusal):
        return None
    return build_record(session, encode_events(session, happened), origin)


class _Archives:
    """Archives that are filled one after another."""

    def __init__(self) -> None:
        self._done: list[bytes] = []
        self._open()

    def _open(self) -> None:
        self._buffer = BytesIO()
        self._archive = zipfile.ZipFile(self._buffer, "w", zipfile.ZIP_DEFLATED)

    def add(self, name: str, content: object) -> None:
        """Add a document, to a further archive if this one is full."""
        if self._buffer.tell() > LARGEST_PART:
            self._close()
            self._open()
        self._archive.writestr(name, write_json(content, indent=1, ascii_only=False))

    def _close(self) -> None:
        self._archive.close()
        self._done.append(self._buffer.getvalue())

    def finish(self) -> list[bytes]:
        """Return all of them."""
        self._close()
        return self._done


def list_file_names(archives: Sequence[bytes]) -> Iterator[str]:
    """Yield what the archives are called."""
    yield "tabula-data.zip"
    for number in range(2, len(archives) + 1):
        yield f"tabula-data-{number}.zip"


@REMOVALS.add()
async def follow_departure(client: AppClient, guild: int) -> None:
    """Have the data of a server that has removed the bot deleted in a month."""
    await service.note_departure(client.app, guild)


@SHARD_RETURNS.add(1)
async def follow_shard(client: AppClient, shard: int, present: Collection[int]) -> None:
    """Do the same for the servers of a shard that have removed the bot while it was away."""
    await service.note_departures(client.app, shard, present)
