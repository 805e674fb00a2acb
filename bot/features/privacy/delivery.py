"""People's data as files, sent to them alone, and the jobs that delete it.

The files are a document of all tables, or several if there is much, and the records of a person's
matches.
"""

import asyncio
import logging
import time
import zipfile
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from tempfile import TemporaryFile
from typing import IO, Any, BinaryIO, Self

import discord

from bot.features.matches.loading import load_history, load_session
from bot.features.matches.proof import load_secret_origin
from bot.features.matches.record import build_record, encode_events
from bot.features.privacy import service, texts
from bot.features.privacy.store import PersonalData, Rows
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
LARGEST_PART = 8 * 2**20
"""Bytes of an archive: a direct message takes little more."""
REST_SHARE = 2.0
"""For how many times as long as it has worked an export rests, since it can go on for minutes."""


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
    say = await client.load_direct_reader(job.person, NO_SERVER)
    parts = _Parts("tabula-data", f"data of {job.person} at {job.at}", texts.format_export(say))
    async with open_archives(app, job.person) as archives:
        if not await _send_archives(client, say, job.person, parts, archives):
            log.info("somebody who asked for their data takes no direct messages any more")
            await app.store.get(PersonalData).forget_export(job.person)
    return Done()


@dataclass(frozen=True, slots=True)
class _Parts:
    """What is said of archives that are sent: the files' name, the messages' and their text."""

    file: str
    name: str
    text: str


async def _send_archives(
    client: AppClient, say: Reader, person: int, parts: _Parts, archives: Sequence[BinaryIO]
) -> bool:
    """Send each archive in a message of its own; False if somebody takes no direct messages."""
    for number, archive in enumerate(archives, 1):
        part = f"-{number}" if number > 1 else ""
        file = CardFile(f"{parts.file}{part}.zip", await asyncio.to_thread(_read_file, archive))
        text = texts.format_part(say, parts.text, number, len(archives))
        try:
            await DirectMessages(client, person).post(
                Card(texts=(text,), file=file), f"{parts.name}, part {number}"
            )
        except (discord.Forbidden, discord.NotFound):
            return False
    return True


def _read_file(file: BinaryIO) -> bytes:
    file.seek(0)
    return file.read()


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
    say = await client.load_direct_reader(job.owner, job.server)
    parts = _Parts(
        "tabula-server",
        f"data of {job.server} at {job.at}",
        texts.format_server_export(say, escape_text(guild.name)),
    )
    async with open_server_archives(client.app, job.server) as archives:
        if not await _send_archives(client, say, job.owner, parts, archives):
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


@asynccontextmanager
async def open_archives(app: App, person: int) -> AsyncIterator[Sequence[BinaryIO]]:
    """Collect a person's data in files, which are zip archives; mostly it is one."""
    data = app.store.get(PersonalData)
    with _Archives({**_describe_export(app), "person": str(person)}) as archives:
        # Nobody waits for it at their screen, so it leaves time for what others do.
        async with app.get_part(ExportLine).hold(Asker(NO_SERVER, person)):
            await archives.add_tables(data.collect(person))
            for match in await data.load_matches(person):
                begun = time.perf_counter()
                record = await _build_match_record(app, match)
                if record is not None:
                    await asyncio.to_thread(archives.add, f"matches/match-{match}.json", record)
                await asyncio.sleep(REST_SHARE * (time.perf_counter() - begun))
        yield await asyncio.to_thread(archives.finish)


@asynccontextmanager
async def open_server_archives(app: App, server: int) -> AsyncIterator[Sequence[BinaryIO]]:
    """Collect a server's data likewise."""
    with _Archives({**_describe_export(app), "server": str(server)}) as archives:
        async with app.get_part(ExportLine).hold(Asker(server, 0)):
            await archives.add_tables(app.store.get(PersonalData).collect_server(server))
        yield await asyncio.to_thread(archives.finish)


def _describe_export(app: App) -> dict[str, Any]:
    now = datetime.fromtimestamp(app.clock() / 1000, UTC)
    return {"format": FORMAT, "exported": f"{now:%Y-%m-%dT%H:%M:%SZ}"}


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
    """Archives that are filled one after another; use as a context manager.

    They are files without a name: they take no memory, and a program that is killed leaves nothing
    of them.
    """

    def __init__(self, header: Mapping[str, Any]) -> None:
        self._header = header
        self._done: list[BinaryIO] = []
        self._documents = 0
        self._document: IO[bytes] | None = None
        self._table: str | None = None
        self._open()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for file in {*self._done, self._file}:
            file.close()

    def _open(self) -> None:
        self._file: BinaryIO = TemporaryFile()  # noqa: SIM115 - closed with all others
        self._archive = zipfile.ZipFile(self._file, "w", zipfile.ZIP_DEFLATED)

    def _make_room(self) -> None:
        """Begin a further archive if this one is full."""
        if self._file.tell() > LARGEST_PART:
            self._archive.close()
            self._done.append(self._file)
            self._open()

    def add(self, name: str, content: object) -> None:
        """Add a document."""
        self._make_room()
        self._archive.writestr(name, write_json(content, indent=1, ascii_only=False))

    async def add_tables(self, tables: AsyncGenerator[tuple[str, Rows], None]) -> None:
        """Add rows as one document, and as further ones where an archive has no room for them."""
        async with aclosing(tables):
            async for name, rows in tables:
                await asyncio.to_thread(self._add_rows, name, rows)
        await asyncio.to_thread(self._end_document)

    def _add_rows(self, table: str, rows: Rows) -> None:
        if self._document and rows and self._file.tell() > LARGEST_PART:
            self._end_document()
        if self._document is None:
            self._make_room()
            self._begin_document()
        texts = [write_json(row, ascii_only=False) for row in rows]
        if self._table == table:
            texts.insert(0, "")
        else:
            end = "" if self._table is None else "],"
            self._write(f"{end}\n{write_json(table)}: [\n")
            self._table = table
        self._write(",\n".join(texts))

    def _begin_document(self) -> None:
        self._documents += 1
        part = f"-{self._documents}" if self._documents > 1 else ""
        self._document = self._archive.open(f"data{part}.json", "w")
        self._write(write_json(self._header, ascii_only=False)[:-1] + ', "tables": {')

    def _end_document(self) -> None:
        self._write("]}}\n")
        assert self._document is not None
        self._document.close()
        self._document = self._table = None

    def _write(self, text: str) -> None:
        assert self._document is not None
        self._document.write(text.encode())

    def finish(self) -> Sequence[BinaryIO]:
        """Return all of them."""
        self._archive.close()
        return [*self._done, self._file]


@REMOVALS.add()
async def follow_departure(client: AppClient, guild: int) -> None:
    """Have the data of a server that has removed the bot deleted in a month."""
    await service.note_departure(client.app, guild)


@SHARD_RETURNS.add(1)
async def follow_shard(client: AppClient, shard: int, present: Collection[int]) -> None:
    """Do the same for the servers of a shard that have removed the bot while it was away."""
    await service.note_departures(client.app, shard, present)
