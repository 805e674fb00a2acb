"""A person's data as files: one document of all tables, and the records of their matches."""

import asyncio
import time
import zipfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from io import BytesIO

from bot.features.matches.extensions import load_secret_origin
from bot.features.matches.loading import load_history, load_session
from bot.features.matches.record import build_record, encode_events
from bot.platform.context import App
from bot.platform.direct import NO_SERVER
from bot.platform.errors import DeclinedError
from bot.platform.lines import Asker, FairLine
from engine.match import Phase
from engine.refusal import Refusal
from engine.strict_json import write_json

FORMAT = 1
"""The version of the document; it rises when the meaning of a field changes."""
DOCUMENT = "data.json"
LARGEST_PART = 8 * 2**20
"""Bytes of an archive: a direct message takes little more."""
REST_SHARE = 2.0
"""For how many times as long as it has worked an export rests, since it can go on for minutes."""


class ExportLine(FairLine):
    """The exports of people's and servers' data: one is made after another."""

    def __init__(self) -> None:
        super().__init__(1)


async def build_archives(app: App, person: int) -> list[bytes]:
    """Return a person's data as zip archives, mostly one."""
    rows, matches = await app.store.personal_data.collect(person)
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
    rows = await app.store.personal_data.collect_server(server)
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
