"""What the bot keeps, in a SQLite file or on a PostgreSQL server: the only SQL of the program."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from bot.features.blocks.store import Blocks
from bot.features.challenges.store import Challenges
from bot.features.following.store import Follows
from bot.features.hints.store import HintConsents
from bot.features.matches.history_store import Histories
from bot.features.matches.store import Matches
from bot.features.moderation.store import AuditLog
from bot.features.notes.store import MatchNotes
from bot.features.preferences.board_style_store import BoardStyles
from bot.features.preferences.store import PreferenceStore
from bot.features.puzzles.store import Puzzles
from bot.features.ratings.store import Ratings
from bot.features.reports.store import Reports
from bot.features.servers.store import Servers
from bot.platform.db.address import expand_home, format_address, get_file_path, parse_address
from bot.platform.db.connections import has_other_programs
from bot.platform.db.copies import TEMPORARY_PREFIX, mark_copy, move_into_place, require_free_path
from bot.platform.db.database import Database
from bot.platform.db.engines import READER_NAME, make_connection_name
from bot.platform.db.errors import (
    DamagedDatabaseError,
    DuplicateRematchError,
    LimitExceededError,
    SaveOutcome,
    SeatTakenError,
    StaleVersionError,
    StoreError,
)
from bot.platform.db.generations import Generation, Generations
from bot.platform.db.inspection import Inspection
from bot.platform.db.integrity import find_problems
from bot.platform.db.jobs import LEASE_MS, Jobs
from bot.platform.db.metadata import ProgramMetadata
from bot.platform.db.migration import migrate, require_current_server_version
from bot.platform.db.opening import (
    copy_tabula_file,
    is_locked,
    prepare_file,
    remove_files,
    require_usable_file,
)
from bot.platform.db.pauses import Pauses
from bot.platform.db.people import People
from bot.platform.db.restoring import replace_database
from bot.platform.db.rows import (
    BoardStyle,
    Challenge,
    DatabaseLoad,
    EndingUpdate,
    EventRow,
    FormerHolder,
    History,
    Job,
    JoinResult,
    Leaderboard,
    Limits,
    LiveMessage,
    MatchRow,
    MatchRowState,
    MatchUpdate,
    MatchUpdateResult,
    NewChallenge,
    NewChallengeResult,
    NewMatch,
    NewMatchResult,
    NotifyWhen,
    Outage,
    Pause,
    PersonNames,
    PlayerPreferences,
    QueuedJob,
    RatingChange,
    RatingChangeWithSide,
    RatingKey,
    RatingRow,
    Reminder,
    Rerate,
    Result,
    Ruling,
    Seat,
    SeatTakeover,
    ServerSettings,
    SkillEstimate,
    StoppageScope,
    Streak,
    Teams,
)
from bot.platform.db.sealing import generate_seal_key, reseal_secrets
from bot.platform.db.service import ShardLock
from bot.platform.db.shards import ALL_SHARDS, Process, Shards, find_last_served
from bot.platform.db.transfer import copy_database

__all__ = [
    "ALL_SHARDS",
    "LEASE_MS",
    "BoardStyle",
    "Challenge",
    "DamagedDatabaseError",
    "DatabaseLoad",
    "DuplicateRematchError",
    "EndingUpdate",
    "EventRow",
    "FormerHolder",
    "Generation",
    "History",
    "Job",
    "JoinResult",
    "Leaderboard",
    "LimitExceededError",
    "Limits",
    "LiveMessage",
    "MatchRow",
    "MatchRowState",
    "MatchUpdate",
    "MatchUpdateResult",
    "NewChallenge",
    "NewChallengeResult",
    "NewMatch",
    "NewMatchResult",
    "NotifyWhen",
    "Outage",
    "Pause",
    "PersonNames",
    "PlayerPreferences",
    "QueuedJob",
    "RatingChange",
    "RatingChangeWithSide",
    "RatingKey",
    "RatingRow",
    "Reminder",
    "Rerate",
    "Result",
    "Ruling",
    "SaveOutcome",
    "Seat",
    "SeatTakenError",
    "SeatTakeover",
    "ServerSettings",
    "Shards",
    "SkillEstimate",
    "StaleVersionError",
    "StoppageScope",
    "Store",
    "StoreError",
    "Streak",
    "Teams",
    "back_up_database",
    "delete_database",
    "expand_home",
    "find_last_served",
    "generate_seal_key",
    "get_folder",
    "is_in_use",
    "make_migrated_copy",
    "require_file_and_server",
    "restore_database",
]


class Store:
    """The open database, a family of tables to each name."""

    def __init__(self, database: Database, service: ShardLock, opened: AsyncExitStack) -> None:
        self._database = database
        self._service = service
        self._opened = opened
        self.shards = database.process.shards
        """The shards whose servers are served with it."""
        self.process = database.process.name
        """The name under which jobs are leased."""
        self.shared = database.shared
        """Whether other processes may be at the database, too."""
        self.people = People(database)
        self.challenges = Challenges(database)
        self.matches = Matches(database)
        self.jobs = Jobs(database)
        self.histories = Histories(database)
        self.inspection = Inspection(database)
        self.ratings = Ratings(database)
        self.reports = Reports(database)
        self.hints = HintConsents(database)
        self.puzzles = Puzzles(database)
        self.audit = AuditLog(database)
        self.notes = ProgramMetadata(database)
        self.memos = MatchNotes(database)
        self.generations = Generations(database)
        self.pauses = Pauses(database)
        self.habits = PreferenceStore(database)
        self.follows = Follows(database)
        self.looks = BoardStyles(database)
        self.servers = Servers(database)
        self.blocks = Blocks(database)

    @classmethod
    async def open(
        cls, where: str | Path, keys: Sequence[str] = (), shards: Shards = ALL_SHARDS
    ) -> Self:
        """Open or create the database: a file (a path or `sqlite:///FILE`) or `postgresql://...`.

        It is brought to the present version, a file with a copy of the old one beside it. The
        secrets of the dice are sealed with the first of `keys`, if any. Raises StoreError saying in
        one sentence why it cannot be used. A file can only be used by a program that serves all the
        shards.
        """
        url = parse_address(where)
        if get_file_path(url) and not shards.is_complete:
            raise StoreError(
                f"{format_address(url)} is a file, which one program alone uses, and serves all "
                "shards; for several take PostgreSQL, to which `tabula move-to` carries a file over"
            )
        async with AsyncExitStack() as stack:
            if file := get_file_path(url):
                # First, as the stack is undone from its end: the lock is released when all else is
                # closed.
                lock = await asyncio.to_thread(prepare_file, file)
                stack.callback(lock.release)
            database = Database(url, Process(make_connection_name(), shards), keys=keys)
            stack.push_async_callback(database.close)
            service = ShardLock(url, database.process)
            stack.push_async_callback(service.release)
            await database.write(partial(migrate, where=database.where), SaveOutcome.NOT_ASKED)
            await database.write(reseal_secrets, SaveOutcome.NOT_ASKED)
            return cls(database, service, stack.pop_all())

    @classmethod
    async def open_read_only(cls, where: str | Path, keys: Sequence[str] = ()) -> Self:
        """Open a database of the present version for reading only, also while a program uses it.

        Raises StoreError saying in one sentence why that cannot be done.
        """
        url = parse_address(where)
        async with AsyncExitStack() as stack:
            if file := get_file_path(url):
                await asyncio.to_thread(require_usable_file, file)
            # By this name other programs see that it only reads, and is not in their way.
            database = Database(url, Process(READER_NAME, ALL_SHARDS), keys=keys)
            stack.push_async_callback(database.close)
            if not file:
                await database.read(partial(require_current_server_version, where=database.where))
            return cls(database, ShardLock(url, database.process), stack.pop_all())

    async def acquire_shards(self) -> None:
        """Begin to serve the servers of the shards.

        Raises StoreError while another process serves any of them. Jobs that an earlier process
        left in the middle are free from now on.
        """
        # Before the leases are ended, which might be those of a process that still runs.
        await self._service.acquire()
        await self.jobs.end_old_leases()

    async def keep_shards(self) -> None:
        """Check that this process still holds its servers; raises StoreError if it does not."""
        await self._service.renew()

    @property
    def damage(self) -> DamagedDatabaseError | None:
        """What was found damaged, if anything was; from then on nothing is written or read."""
        return self._database.damage

    def on_damage(self, call: Callable[[], object]) -> None:
        """Have something called when damage is found."""
        self._database.on_damage = call

    async def close(self) -> None:
        """Close the database."""
        await self._opened.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def observe_saves(self, saved: Callable[[float], None]) -> None:
        """Report of each change how many seconds it took to save."""
        self._database.saved = saved

    async def import_from(self, source: Database) -> Mapping[str, int]:
        """Write all that another database holds into this one, which is empty.

        Returns how many rows each table has.
        """
        return await copy_database(source, self._database)

    async def find_problems(self) -> list[str]:
        """Return what is wrong in the database, a sentence each.

        It is empty if every event of every match is there.
        """
        return await self._database.read(find_problems)


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
