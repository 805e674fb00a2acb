"""Deletions that a restored backup does not know of, done once more."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from bot.features.privacy.deletion_log import FILE_NAME, FILE_SUFFIX, read_deletions
from bot.features.privacy.service import erase_everywhere
from bot.platform.context import Clock
from bot.platform.db.address import get_file_path, parse_address
from bot.store import Store


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
) -> int:
    """Delete those people's data whose deletion a database does not know; return how many.

    Those are the ones since the copy was made. What they still take part in ends when the bot
    starts. Raises StoreError, and ValueError for a file that is no list of deletions.
    """
    deletions = read_deletions(files)
    if not deletions:
        return 0
    async with await Store.open(where, keys) as store:
        copied = await store.generations.load_copy_instant()
        since = await store.personal_data.load_newest_instant() if copied is None else copied
        # A person who came back after a deletion that the copy knows is not deleted again.
        people = {each.person for each in deletions if each.at >= since}
        for person in sorted(people):
            await erase_everywhere(store, person, clock())
    return len(people)
