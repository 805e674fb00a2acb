"""A file of the finished matches whose players have all agreed to it: `tabula publish`.

It names nobody. What would lead back to somebody on Discord is left out as well: the numbers of
matches, the instants of events, and all that the dice are recomputed from, since commitments were
posted where names are, and contributions are the numbers of interactions.
"""

import asyncio
import hashlib
import math
import os
import shutil
import tempfile
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO

from bot.features.history.past_matches import PastMatch
from bot.features.matches.loading import build_initial_match
from bot.features.matches.rows import History, MatchRow
from bot.features.matches.store.inspection import Histories
from bot.features.publication.store import Consents
from bot.features.publication.texts import LICENCE_ADDRESS
from bot.ops.replay_checks import (
    PAGE,
    Replayer,
    ReplayReport,
    count_workers,
    load_one_by_one,
    load_pauses,
    open_replayer,
)
from bot.platform.db.errors import StoreError
from bot.platform.db.store import Store
from bot.platform.people import COMPUTERS, get_computer_level
from engine.clock import SECOND
from engine.events import from_record, to_record
from engine.outcome import UNPLAYED
from engine.strict_json import write_json

FORMAT = 1
"""The format of the file; it rises when what a field means changes."""
LICENCE = "CC0-1.0"
"""The licence's identifier in the SPDX list."""
ID_DIGITS = 16
"""Hexadecimal digits of a match's id."""


@dataclass(frozen=True, slots=True)
class Publication:
    """How many matches a file has, and how many are left out as they are damaged."""

    matches: int
    damaged: int


async def publish_matches(
    store: Store, file: Path, now: int, since: date | None = None
) -> Publication:
    """Write the matches that may be published into a file.

    With `since` only those that ended on that day or later, in UTC. Another file of that name is
    replaced once the new one is whole. Raises StoreError, or OSError.
    """
    if await store.generations.load_copy_instant() is not None:
        # Only a run of the bot makes sure that what was withdrawn meanwhile stays withdrawn.
        raise StoreError("this database was restored from a backup; start the bot before")
    count, damaged = 0, 0
    with tempfile.TemporaryFile() as body:
        async with aclosing(_describe_matches(store, since)) as lines:
            async for line in lines:
                if line is None:
                    damaged += 1
                    continue
                body.write(f"{line}\n".encode())
                count += 1
        body.seek(0)
        head = {
            "tabula": "published matches",
            "format": FORMAT,
            "license": LICENCE,
            "license_url": LICENCE_ADDRESS,
            "version": version("tabula"),
            "made": _format_day(now),
            "since": since and since.isoformat(),
            "matches": count,
        }
        await asyncio.to_thread(_replace_file, file, head, body)
    return Publication(count, damaged)


def _replace_file(file: Path, head: Mapping[str, Any], body: BinaryIO) -> None:
    """Write a file beside its place, and move it there."""
    descriptor, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with os.fdopen(descriptor, "wb") as made:
            made.write(f"{write_json(head)}\n".encode())
            shutil.copyfileobj(body, made)
            made.flush()
            os.fsync(made.fileno())
        # It is meant for everybody.
        Path(name).chmod(0o644)
        Path(name).replace(file)
    except BaseException:
        with suppress(FileNotFoundError):
            Path(name).unlink()
        raise


async def _describe_matches(store: Store, since: date | None) -> AsyncGenerator[str | None, None]:
    """Yield a line for each match, or None for one that cannot be replayed as it is stored."""
    consents = store.get(Consents)
    first = _find_instant(since) if since else 0
    after = (0, 0)
    async with open_replayer(await store.get(Histories).count_matches()) as replay:
        while found := await consents.list_matches(first, after, PAGE):
            # One by one, since they do not follow on one another.
            histories, unreadable = await load_one_by_one(store, [number for _, number in found])
            reports = await _replay(store, replay, histories)
            # Read last, so that nobody is in it who withdrew while it was made up to here.
            people = {person for each in histories for person in _list_people(each.row)}
            pseudonyms = await consents.load_pseudonyms(people)
            for history, report in zip(histories, reports, strict=True):
                if _may_be_published(history.row, pseudonyms):
                    is_sound = _is_sound(history, report)
                    yield _describe_match(history, pseudonyms) if is_sound else None
            for _ in unreadable:
                yield None
            after = found[-1]


async def _replay(
    store: Store, replay: Replayer, histories: Sequence[History]
) -> list[ReplayReport]:
    """Return what comes of each match; the processors share them."""
    pauses = await load_pauses(store, histories)
    size = math.ceil(len(histories) / count_workers()) or 1
    shares = [histories[at : at + size] for at in range(0, len(histories), size)]
    replayed = await asyncio.gather(*(replay(share, pauses) for share in shares))
    return [report for share in replayed for report in share]


def _may_be_published(row: MatchRow, pseudonyms: Mapping[int, str]) -> bool:
    """Whether a match counts, also if it was annulled just now, and all have agreed."""
    return row.how not in UNPLAYED and pseudonyms.keys() >= set(_list_people(row))


def _is_sound(history: History, report: ReplayReport) -> bool:
    """Whether a match's events are all there, obey the rules, and come to what its row says."""
    versions = [event.version for event in history.events]
    is_whole = versions == list(range(1, history.row.version + 1))
    return is_whole and report.wrong is None and report.restated is None


def _list_people(row: MatchRow) -> Iterator[int]:
    """Yield everybody who ever sat in a match but the computer, which need not agree."""
    sat = (*(seat.person for seat in row.seats), *(former.person for former in row.former))
    yield from (person for person in sat if person not in COMPUTERS)


def _describe_match(history: History, pseudonyms: Mapping[int, str]) -> str:
    row = history.row
    match = PastMatch(row)
    board = build_initial_match(row).rules.board
    said = {
        "game": row.game,
        "rules": row.edition,
        "options": dict(row.options),
        "day": _format_day(row.ended or row.touched),
        "players": list(_describe_players(row, pseudonyms)),
        "changed_sides": row.swapped,
        "winner": row.winner,
        "how": row.how,
        "points": match.outcome.points,
        # Read and written again, so that nothing comes with them that an event does not have.
        "events": [to_record(from_record(each.record, board), board) for each in history.events],
    }
    digest = hashlib.sha256(write_json(said).encode()).hexdigest()
    return write_json({"id": digest[:ID_DIGITS], **said})


def _describe_players(row: MatchRow, pseudonyms: Mapping[int, str]) -> Iterator[dict[str, Any]]:
    """Yield who had each seat, one after another, and from which event on."""
    for seat in row.seats:
        earlier = [
            each for each in row.former if (each.side, each.number) == (seat.side, seat.number)
        ]
        holders = [*(each.person for each in earlier), seat.person]
        starts = [0, *(each.until for each in earlier)]
        for person, start in zip(holders, starts, strict=True):
            level = get_computer_level(person)
            yield {
                "side": seat.side,
                "seat": seat.number,
                "from": start,
                "player": None if level else pseudonyms[person],
                "computer": level and level.value,
            }


def _find_instant(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) * SECOND


def _format_day(instant: int) -> str:
    return datetime.fromtimestamp(instant / SECOND, UTC).date().isoformat()
