"""Whole databases: copied, restored, deleted."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.platform.db.address import format_address, get_file_path, parse_address
from bot.platform.db.connections import has_other_programs
from bot.platform.db.copies import TEMPORARY_PREFIX, mark_copy, move_into_place, require_free_path
from bot.platform.db.database import Database
from bot.platform.db.engines import READER_NAME
from bot.platform.db.errors import StoreError
from bot.platform.db.migration import require_current_server_version
from bot.platform.db.opening import copy_tabula_file, is_locked, remove_files
from bot.platform.db.restoring import replace_database
from bot.platform.db.shards import ALL_SHARDS, Process
from bot.store import Store


async def is_in_use(where: str | Path) -> bool:
    """Whether a program uses a database; one that only reads does not count.

    Raises StoreError if that is not known.
    """
    url = parse_address(where)
    if file := get_file_path(url):
        return await asyncio.to_thread(is_locked, file)
    database = Database(url, Process(READER_NAME, ALL_SHARDS))
    try:
        return await database.read(has_other_programs)
    finally:
        await database.close()


async def delete_database(file: Path) -> None:
    """Delete a database file and the files that belong to it.

    Raises StoreError, deleting nothing, while a program uses it.
    """
    await asyncio.to_thread(remove_files, file)


async def back_up_database(where: str | Path, target: Path) -> None:
    """Copy a database as it is now into a new file, also while the bot runs, and check the copy.

    The file is of SQLite, whichever database it is taken from. Raises StoreError, leaving no file.
    """
    url = parse_address(where)
    # The instant before the copy is made: what is saved meanwhile may not be in it.
    mark = partial(mark_copy, at=time.time_ns() // 1_000_000)
    if source := get_file_path(url):
        await asyncio.to_thread(copy_tabula_file, source, target, mark)
        return
    # Moving the finished copy into place would overwrite a file that is there.
    require_free_path(target)
    server = Database(url, Process(READER_NAME, ALL_SHARDS))
    try:
        await server.read(partial(require_current_server_version, where=server.where))
        with TemporaryDirectory(prefix=TEMPORARY_PREFIX, dir=target.parent) as folder:
            made = Path(folder, target.name)
            # Without keys, since sealed secrets are copied as they are.
            async with await Store.open(made) as copy:
                await copy.import_from(server)
            await asyncio.to_thread(mark, made)
            await asyncio.to_thread(move_into_place, made, target)
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error.strerror}") from error
    finally:
        await server.close()


@asynccontextmanager
async def make_migrated_copy(
    file: Path, folder: Path | None = None, keys: Sequence[str] = ()
) -> AsyncIterator[Path]:
    """Lend a copy of a file of ours, of the present version, made in a folder or the usual place.

    Without a folder it is made where copies may lie. It is sealed as `keys` say. Raises StoreError.
    """
    with TemporaryDirectory(prefix=TEMPORARY_PREFIX, dir=folder) as room:
        made = Path(room, file.name)
        await asyncio.to_thread(copy_tabula_file, file, made)
        # To open it is all that is wanted: that brings it to the present version and seals it.
        async with await Store.open(made, keys):
            pass
        yield made


async def restore_database(
    made: Path, where: str | Path, *, replace: bool, older: bool = False
) -> str | None:
    """Put a copy that was `make_migrated_copy` in the place of a database.

    The copy lies in the folder of that database if that is a file. If it is an `older` state, the
    bot that opens it next begins a generation.

    Returns where the replaced database is kept now, None if it was empty. Raises StoreError,
    changing nothing, while a program uses it, or if it holds something and is not to be replaced.
    """
    if older:
        await asyncio.to_thread(mark_copy, made)
    return await replace_database(made, parse_address(where), replace=replace)


def require_file_and_server(where: str | Path, target: str) -> Path:
    """Return the file that is to be carried to a server.

    Raises StoreError if either address is of another kind.
    """
    url = parse_address(where)
    file = get_file_path(url)
    if file is None:
        raise StoreError(
            f"{format_address(url)} is no SQLite file; only such a file is carried over"
        )
    if not file.is_file():
        raise StoreError(f"there is no database {file}")
    if get_file_path(parse_address(target)):
        raise StoreError(
            "a file is carried over to a server only: name it as "
            "postgresql://USER:PASSWORD@HOST/NAME"
        )
    return file


def get_folder(where: str | Path) -> Path | None:
    """Return the folder of a database that is a file; None for a server's."""
    file = get_file_path(parse_address(where))
    return file.parent if file else None
