"""Copies of the database, restoring one, and moving to a server.

Each is good when every match in it was replayed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.ops.examining import ReplayCounts, examine_contents
from bot.ops.forgetting import repeat_deletions
from bot.platform.context import Clock
from bot.platform.db.backups import (
    back_up_database,
    get_folder,
    make_migrated_copy,
    require_file_and_server,
    restore_database,
)
from bot.store import Store


@dataclass(frozen=True, slots=True)
class CopyCheck:
    """What was replayed, and what is wrong with it, a sentence each."""

    gone: ReplayCounts
    wrong: Sequence[str]


async def make_backup(
    where: str, target: Path, clock: Clock, keys: Sequence[str] = ()
) -> CopyCheck:
    """Copy a database into a new file, also while the bot runs, and replay all matches of the copy.

    What is wrong then is also wrong in the database: the copy stays. Raises StoreError, leaving no
    file.
    """
    await back_up_database(where, target)
    async with make_migrated_copy(target, keys=keys) as copy:
        return await _check_copy(copy, clock, keys)


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """What was restored, and where the former data is kept, None if there was none.

    `repeated` counts the people whose data was deleted after the copy was made, and is again.
    """

    checked: CopyCheck
    aside: str | None
    repeated: int = 0


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
    async with make_migrated_copy(file, get_folder(where), keys) as copy:
        repeated = await repeat_deletions(copy, deletions, clock, keys)
        checked = await _check_copy(copy, clock, keys)
        if checked.wrong and not unsound:
            raise UnsoundCopyError(checked)
        aside = await restore_database(copy, where, replace=replace, older=True)
    if get_folder(where) is None:
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
    file = require_file_and_server(where, target)
    # While it is open nobody else changes it.
    async with await Store.open(file, keys):
        await restore_database(file, target, replace=False)
    return await _check_copy(target, clock, keys)


async def _check_copy(where: str | Path, clock: Clock, keys: Sequence[str]) -> CopyCheck:
    gone = ReplayCounts()
    async with await Store.open_read_only(where, keys) as store:
        wrong = [finding.sentence async for finding in examine_contents(store, clock(), gone)]
    return CopyCheck(gone, wrong)
