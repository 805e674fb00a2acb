"""Copies of the database, restoring one, and moving to a server.

Each is good when every match in it was replayed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.app.context import Clock
from bot.store import Store, backup, brought_up, folder_of, require_file_and_server, restore
from bot.upkeep.examining import Gone, unsound


@dataclass(frozen=True, slots=True)
class Checked:
    """What was replayed, and what is wrong with it, a sentence each."""

    gone: Gone
    wrong: Sequence[str]


async def back_up(where: str, target: Path, clock: Clock, keys: Sequence[str] = ()) -> Checked:
    """Copy a database into a new file, also while the bot runs, and replay all matches of the copy.

    What is wrong then is also wrong in the database: the copy stays. Raises StoreError, leaving no
    file.
    """
    await backup(where, target)
    async with brought_up(target, keys=keys) as copy:
        return await _checked(copy, clock, keys)


@dataclass(frozen=True, slots=True)
class Restored:
    """What was restored, and where the former data is kept, None if there was none."""

    checked: Checked
    aside: str | None


class Unsound(Exception):
    """A copy was not restored, since something is wrong with it."""

    def __init__(self, checked: Checked) -> None:
        super().__init__("the copy is not sound")
        self.checked = checked


async def put_back(
    file: Path, where: str, clock: Clock, keys: Sequence[str] = (), *, replace: bool, unsound: bool
) -> Restored:
    """Put a copy in the place of a database that is empty, or is to be replaced and kept aside.

    Every match is replayed before; raises Unsound if something is wrong with the copy, unless
    `unsound` accepts that. Raises StoreError, changing nothing, while a program uses the database.
    """
    async with brought_up(file, folder_of(where), keys) as copy:
        checked = await _checked(copy, clock, keys)
        if checked.wrong and not unsound:
            raise Unsound(checked)
        aside = await restore(copy, where, replace=replace, older=True)
    if folder_of(where) is None:
        # A file has taken its place as it was looked at; a server has made rows of its own.
        checked = await _checked(where, clock, keys)
    return Restored(checked, aside)


async def carry(where: str, target: str, clock: Clock, keys: Sequence[str] = ()) -> Checked:
    """Carry the database in a file to an empty one on a server, and replay every match there.

    The file stays, brought to the present version. What is wrong then is also wrong in the file.
    Raises StoreError, leaving the server as it was, while a program uses the file or the server,
    and if either is not what it must be.
    """
    file = require_file_and_server(where, target)
    # While it is open nobody else changes it.
    async with await Store.open(file, keys):
        await restore(file, target, replace=False)
    return await _checked(target, clock, keys)


async def _checked(where: str | Path, clock: Clock, keys: Sequence[str]) -> Checked:
    gone = Gone()
    async with await Store.visit(where, keys) as store:
        wrong = [finding.sentence async for finding in unsound(store, clock(), gone)]
    return Checked(gone, wrong)
