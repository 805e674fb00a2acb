"""A file of the finished matches whose players have all agreed to it: `tabula publish`.

It names nobody. What would lead back to somebody on Discord is left out as well: the numbers of
matches, the instants of events, and all that the dice are recomputed from, since commitments were
posted where names are, and contributions are the numbers of interactions.
"""

import asyncio
import hashlib
import math
import os
import time
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import partial
from glob import escape
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any, BinaryIO

from bot.features.analysis.guard import list_missing_consents
from bot.features.analysis.store import HintConsents
from bot.features.history.past_matches import PastMatch
from bot.features.matches.loading import build_initial_match
from bot.features.matches.rows import History, MatchRow
from bot.features.matches.store.inspection import Histories
from bot.features.publication.store import Consents, ListedMatch
from bot.features.publication.texts import LICENCE_ADDRESS
from bot.ops.outputs import resolve_output
from bot.ops.replay_checks import (
    PAGE,
    Replayer,
    ReplayReport,
    count_workers,
    load_one_by_one,
    load_pauses,
    open_replayer,
)
from bot.platform.db.copies import STALE_S
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
TITLE = {"tabula": "published matches"}
"""How the first line of a file begins."""
ID_DIGITS = 16
"""Hexadecimal digits of a match's id."""
RANDOM_NAME = "?" * 8
"""A pattern of what tempfile gives the folders in which a file is made."""


@dataclass(frozen=True, slots=True)
class Publication:
    """How many matches a file has, and how many are left out as they are damaged."""

    matches: int
    damaged: int


async def publish_matches(
    store: Store, file: Path, now: int, since: date | None = None
) -> Publication:
    """Write the matches that may be published into a file.

    With `since` only those that ended on that day or later, in UTC. An earlier file of published
    matches is replaced once the new one is whole. Raises StoreError, or OSError; also if something
    else has that name, such as the database.
    """
    await store.get(Consents).require_confirmed()
    title = write_json(TITLE).removesuffix("}").encode()
    file = resolve_output(file, title, "holds no published matches")
    _remove_leftovers(file)
    head = {
        **TITLE,
        "format": FORMAT,
        "license": LICENCE,
        "license_url": LICENCE_ADDRESS,
        "version": version("tabula"),
        "made": _format_day(now),
        "since": since and since.isoformat(),
    }
    listed: list[ListedMatch] = []
    damaged = 0
    # Beside the file, so that a folder which is missing or full is found before all is replayed.
    with TemporaryFile(dir=file.parent) as body:
        async with aclosing(_describe_matches(store, since)) as described:
            async for each in described:
                if each is None:
                    damaged += 1
                    continue
                match, line = each
                body.write(f"{line}\n".encode())
                listed.append(match)
        return Publication(await _publish(store, file, head, listed, body), damaged)


def _build_prefix(file: Path) -> str:
    """Return how the names of the folders begin in which a file is made."""
    return f".{file.name}."


def _remove_leftovers(file: Path) -> None:
    """Remove what is left of runs that were killed: somebody may have withdrawn since."""
    for folder in file.parent.glob(f"{escape(_build_prefix(file))}{RANDOM_NAME}/"):
        # Another run may be removing it as well.
        with suppress(OSError):
            # A file that is being made lies in such a folder, too, and is much younger.
            is_stale = folder.stat().st_mtime < time.time() - STALE_S
            if is_stale and all(each.name == file.name for each in folder.iterdir()):
                Path(folder, file.name).unlink(missing_ok=True)
                folder.rmdir()


async def _publish(
    store: Store,
    file: Path,
    head: Mapping[str, Any],
    listed: Sequence[ListedMatch],
    body: BinaryIO,
) -> int:
    """Put a file in its place without what was withdrawn while it was made; return its matches.

    The body has a line for each match that is listed.
    """
    withdrawn: frozenset[int] = frozenset()
    failures: list[OSError] = []

    def put_in_place(made: Path) -> None:
        try:
            made.replace(file)
        except OSError as error:
            # Not raised there, where it would be taken for one of the database.
            failures.append(error)

    while True:
        kept = [match for match in listed if match.number not in withdrawn]
        with TemporaryDirectory(prefix=_build_prefix(file), dir=file.parent) as folder:
            made = Path(folder, file.name)
            lines = _choose_lines(body, listed, withdrawn)
            await asyncio.to_thread(_write_file, made, {**head, "matches": len(kept)}, lines)
            more = await store.get(Consents).release(kept, partial(put_in_place, made))
        if failures:
            raise failures[0]
        if not more:
            return len(kept)
        # Each round leaves out more, so that there is a last one.
        withdrawn |= more


def _choose_lines(
    body: BinaryIO, listed: Sequence[ListedMatch], withdrawn: frozenset[int]
) -> Iterator[bytes]:
    body.seek(0)
    for match, line in zip(listed, body, strict=True):
        if match.number not in withdrawn:
            yield line


def _write_file(file: Path, head: Mapping[str, Any], lines: Iterable[bytes]) -> None:
    with file.open("wb") as opened:
        opened.write(f"{write_json(head)}\n".encode())
        opened.writelines(lines)
        opened.flush()
        os.fsync(opened.fileno())
    # It is meant for everybody.
    file.chmod(0o644)


async def _describe_matches(
    store: Store, since: date | None
) -> AsyncGenerator[tuple[ListedMatch, str] | None, None]:
    """Yield each match with its line, or None for one that can't be replayed as it is stored."""
    consents = store.get(Consents)
    ids = MatchIds()
    first = _find_instant(since) if since else 0
    after = (0, 0)
    async with open_replayer(await store.get(Histories).count_matches()) as replay:
        while found := await consents.list_matches(first, after, PAGE):
            # One by one, since they do not follow on one another.
            histories, unreadable = await load_one_by_one(store, [number for _, number in found])
            reports = await _replay(store, replay, histories)
            people = {person for each in histories for person in _list_people(each.row)}
            pseudonyms = await consents.load_pseudonyms(people)
            for history, report in zip(histories, reports, strict=True):
                row = history.row
                if not _may_be_published(row, pseudonyms):
                    continue
                if not _is_sound(history, report):
                    yield None
                    continue
                theirs = {person: pseudonyms[person] for person in _list_people(row)}
                allowed = await store.get(HintConsents).load_people(row.id)
                said = _describe_match(history, theirs, hints=_had_hints(row, allowed))
                yield ListedMatch(row.id, theirs), write_json({"id": ids.build_id(said), **said})
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


def _had_hints(row: MatchRow, allowed: frozenset[int]) -> bool:
    """Whether those who played a match, at its end or earlier, could get hints in it."""
    if row.rated:
        return False
    moments = (0, *(each.until for each in row.former))
    tables = (replace(row, seats=row.seats_at(moment)) for moment in moments)
    return any(not list_missing_consents(table, allowed) for table in tables)


class MatchIds:
    """Ids of matches by what is published of them, each given once.

    Two that were given up at the first throw may well be alike in everything.
    """

    def __init__(self) -> None:
        self._day = ""
        self._given: Counter[str] = Counter()

    def build_id(self, said: Mapping[str, Any]) -> str:
        """Return the id of a match; they come in the order of the days on which they ended."""
        if said["day"] != self._day:
            # Those of other days differ in that.
            self._day, self._given = said["day"], Counter()
        digest = hashlib.sha256(write_json(said).encode()).hexdigest()
        self._given[digest] += 1
        if (number := self._given[digest]) > 1:
            digest = hashlib.sha256(f"{digest} {number}".encode()).hexdigest()
        return digest[:ID_DIGITS]


def _describe_match(
    history: History, pseudonyms: Mapping[int, str], *, hints: bool
) -> dict[str, Any]:
    row = history.row
    match = PastMatch(row)
    board = build_initial_match(row).rules.board
    return {
        "game": row.game,
        "rules": row.edition,
        "options": dict(row.options),
        "day": _format_day(row.ended or row.touched),
        "players": list(_describe_players(row, pseudonyms)),
        "hints": hints,
        "changed_sides": row.swapped,
        "winner": row.winner,
        "how": row.how,
        "points": match.outcome.points,
        # Read and written again, so that nothing comes with them that an event does not have.
        "events": [to_record(from_record(each.record, board), board) for each in history.events],
    }


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
