"""Copies of the database, restoring one, and moving to a server.

Each is good when every match in it was replayed. Deletions that a restored one does not know of are
done once more. A fixed number of nightly copies is made by a program beside the bot.
"""

import asyncio
import logging
import os
import re
import shutil
import sys
from asyncio.subprocess import PIPE
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from discord.ext import tasks

from bot.features.privacy.deletion_log import FILE_NAME, FILE_SUFFIX, read_deletions
from bot.features.privacy.service import erase_everywhere
from bot.features.privacy.store import PersonalData
from bot.features.publication.store import Consents
from bot.ops.database_checks import ReplayCounts, examine_contents
from bot.platform.context import Clock
from bot.platform.db import backups
from bot.platform.db.address import get_file_path, parse_address
from bot.platform.db.copies import (
    STALE_S,
    TEMPORARY_PREFIX,
    place_new_file,
    remove_leftovers,
    require_free_path,
)
from bot.platform.db.errors import StoreError
from bot.platform.db.store import Store

log = logging.getLogger(__name__)
CHECK_INTERVAL_MIN = 10
"""Minutes until the next look at whether a copy is due, if it was too early or failed."""
NAME_TEMPLATE = "tabula-{day}.sqlite3"
_NAME_PATTERN = re.compile(r"tabula-[0-9]{4}-[0-9]{2}-[0-9]{2}\.sqlite3")


@dataclass(frozen=True, slots=True)
class CopyCheck:
    """What was replayed, and what is wrong with it, a sentence each."""

    gone: ReplayCounts
    wrong: Sequence[str]


async def create_backup(
    where: str, target: Path, clock: Clock, keys: Sequence[str] = ()
) -> CopyCheck:
    """Copy a database into a new file, also while the bot runs, and replay all matches of the copy.

    What is wrong then is also wrong in the database: the copy stays. Raises StoreError, leaving no
    file.
    """
    require_free_path(target)
    remove_leftovers(target.parent)
    try:
        with TemporaryDirectory(prefix=TEMPORARY_PREFIX, dir=target.parent) as folder:
            made = Path(folder, target.name)
            await backups.back_up_database(where, made)
            async with backups.create_migrated_copy(made, Path(folder), keys) as copy:
                checked = await _check_copy(copy, clock, keys)
            # Only now: nobody should find and trust what was not looked at.
            place_new_file(made, target)
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error.strerror}") from error
    return checked


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """What was restored, and where the former data is kept, None if there was none.

    `repeated` are the people whose data was deleted after the copy was made, and is again.
    """

    checked: CopyCheck
    aside: str | None
    repeated: Sequence[int] = ()


class UnsoundCopyError(Exception):
    """A copy was not restored, since something is wrong with it."""

    def __init__(self, checked: CopyCheck) -> None:
        super().__init__("the copy is not sound")
        self.checked = checked


async def restore_backup(
    file: Path,
    where: str,
    clock: Clock,
    keys: Sequence[str] = (),
    *,
    replace: bool,
    unsound: bool,
    deletions: Sequence[Path] = (),
) -> RestoreResult:
    """Put a copy in the place of a database that is empty, or is to be replaced and kept aside.

    Every match is replayed before; raises UnsoundCopyError if something is wrong with the copy,
    unless `unsound` accepts that. Deletions that the files list, and that are newer than the copy,
    are repeated before it takes its place. Raises StoreError, changing nothing, while a program
    uses the database.
    """
    backups.require_replaceable(file, where)
    async with backups.create_migrated_copy(file, backups.get_folder(where), keys) as copy:
        repeated = await repeat_deletions(copy, deletions, clock, keys)
        checked = await _check_copy(copy, clock, keys)
        if checked.wrong and not unsound:
            raise UnsoundCopyError(checked)
        aside = await backups.restore_database(copy, where, replace=replace, older=True)
    if backups.get_folder(where) is None:
        # A file has taken its place as it was looked at; a server has made rows of its own.
        checked = await _check_copy(where, clock, keys)
    return RestoreResult(checked, aside, repeated)


async def move_to_server(
    where: str, target: str, clock: Clock, keys: Sequence[str] = ()
) -> CopyCheck:
    """Carry the database in a file to an empty one on a server, and replay every match there.

    The file stays, brought to the present version. What is wrong then is also wrong in the file.
    Raises StoreError, leaving the server as it was, while a program uses the file or the server,
    and if either is not what it must be.
    """
    file = backups.require_file_and_server(where, target)
    # While it is open nobody else changes it.
    async with await Store.open(file, keys):
        await backups.restore_database(file, target, replace=False)
    return await _check_copy(target, clock, keys)


async def _check_copy(where: str | Path, clock: Clock, keys: Sequence[str]) -> CopyCheck:
    gone = ReplayCounts()
    async with await Store.open_read_only(where, keys) as store:
        wrong = [finding.sentence async for finding in examine_contents(store, clock(), gone)]
    return CopyCheck(gone, wrong)


def list_deletion_files(
    database: str, chosen: Path | None, folder: Path | None = None
) -> tuple[Path, ...]:
    """Return the files that list deletions: the chosen one, else the one beside the database.

    Another lies in the folder of the backups, so that it survives where these do. A database on a
    server has nothing beside it.
    """
    file = get_file_path(parse_address(database))
    beside = file.with_name(file.name + FILE_SUFFIX) if file else None
    own = chosen or beside
    return tuple(each for each in (own, folder and folder / FILE_NAME) if each is not None)


async def repeat_deletions(
    where: str | Path, files: Iterable[Path], clock: Clock, keys: Sequence[str] = ()
) -> Sequence[int]:
    """Delete those people's data whose deletion a database does not know; return the people.

    Those are the ones since the copy was made. What they still take part in ends when the bot
    starts. Raises StoreError, and ValueError for a file that is no list of deletions.
    """
    deletions = read_deletions(files)
    if not deletions:
        return []
    async with await Store.open(where, keys) as store:
        copied = await store.generations.load_copy_instant()
        since = await store.get(PersonalData).load_newest_instant() if copied is None else copied
        # A person who came back after a deletion that the copy knows is not deleted again.
        people = sorted({each.person for each in deletions if each.at >= since})
        for person in people:
            await erase_everywhere(store, person, clock())
    return people


async def note_other_restore(
    where: str, files: Iterable[Path], clock: Clock, keys: Sequence[str] = ()
) -> tuple[Sequence[int], int]:
    """Do what a restore by other means leaves undone: a disk snapshot, or a server's dump.

    Returns the people whose deletion is repeated, and how many are asked again whether their
    matches may be published. Raises as `repeat_deletions` does.
    """
    repeated = await repeat_deletions(where, files, clock, keys)
    async with await Store.open(where, keys) as store:
        return repeated, await store.get(Consents).ask_everybody_again()


@dataclass(frozen=True, slots=True)
class BackupPlan:
    """Copies of a database in a folder: how many to keep, and when (UTC) the next is made.

    `folder` is a full path.
    """

    database: str
    folder: Path
    kept: int
    at: time


def list_copies(folder: Path) -> list[Path]:
    """Return the nightly copies in a folder, the oldest first; none where there is no folder."""
    copies = (file for file in folder.glob("*") if _NAME_PATTERN.fullmatch(file.name))
    # The names hold the day, so sorted by name the oldest come first.
    return sorted(copies)


class NightlyBackups:
    """Makes the copies while the bot runs; use as an async context manager."""

    def __init__(self, plan: BackupPlan, clock: Clock) -> None:
        self._plan = plan
        self._clock = clock

    async def __aenter__(self) -> None:
        self._make_if_due.start()

    async def __aexit__(self, *_: object) -> None:
        looking = self._make_if_due.get_task()
        self._make_if_due.cancel()
        if looking is not None:
            await asyncio.gather(looking, return_exceptions=True)

    @tasks.loop(minutes=CHECK_INTERVAL_MIN)
    async def _make_if_due(self) -> None:
        due = self.find_due_copy()
        if due is None:
            return
        try:
            await self._create_copy(due)
        except OSError as error:
            log.warning(
                "backup to %s failed, retrying in %d min: %s",
                self._plan.folder,
                CHECK_INTERVAL_MIN,
                error,
            )

    def find_due_copy(self) -> Path | None:
        """Return the copy that is to be made now; None if that of the last night exists."""
        now = datetime.fromtimestamp(self._clock() / 1000, UTC)
        night = datetime.combine(now.date(), self._plan.at, UTC)
        if night > now:
            night -= timedelta(days=1)
        file = self._plan.folder / NAME_TEMPLATE.format(day=night.date())
        return None if file.exists() else file

    async def _create_copy(self, file: Path) -> None:
        """Make a copy, and remove those that are too old; raises OSError.

        A program of its own does it, which spares the event loop the work and frees the memory at
        its end.
        """
        await asyncio.to_thread(self._plan.folder.mkdir, parents=True, exist_ok=True)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "backup", "--gently", str(file)),
            # That command knows its database from the settings alone.
            env={**os.environ, "TABULA_DATABASE": self._plan.database},
            stdout=PIPE,
            stderr=PIPE,
        )
        try:
            output, complaint = await process.communicate()
        finally:
            if process.returncode is None:
                # The bot is ending: the copy must not go on without it.
                process.terminate()
                await process.wait()
        text = " ".join((output + complaint).decode(errors="replace").split())
        if process.returncode == 0:
            log.info("%s", text)
            await asyncio.to_thread(self._remove_old_copies)
        elif await asyncio.to_thread(file.exists):
            # What is sound is not given up for what is not.
            log.warning("the newest backup is not sound, so the older ones are kept: %s", text)
        else:
            log.warning("backup failed, retrying in %d min: %s", CHECK_INTERVAL_MIN, text)

    def _remove_old_copies(self) -> None:
        """Remove the copies that are too old, and what was left of those that were broken off."""
        for file in list_copies(self._plan.folder)[: -self._plan.kept]:
            file.unlink()
        for folder in self._plan.folder.glob(f"{TEMPORARY_PREFIX}*"):
            # A copy that is being made lies in such a folder, too, and is much younger.
            if folder.stat().st_mtime < self._clock() / 1000 - STALE_S:
                shutil.rmtree(folder, ignore_errors=True)
