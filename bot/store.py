"""What the bot keeps, in a SQLite file or on a PostgreSQL server: the only SQL of the program."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Self

from bot.features.analysis.store import Analyses
from bot.features.blocks.store import Blocks
from bot.features.challenges.store import Challenges
from bot.features.contests import writing as contests
from bot.features.contests.server_store import ServerItems
from bot.features.contests.store import Contests
from bot.features.digest.store import WeekDigests
from bot.features.following.store import Follows
from bot.features.hints.store import HintConsents
from bot.features.history.store import PastMatches
from bot.features.ladders import store as ladders
from bot.features.ladders.store import Ladders
from bot.features.lessons.store import BegunLessons
from bot.features.looking.store import Subscriptions
from bot.features.matches.history_store import Histories
from bot.features.matches.inspection import Inspection
from bot.features.matches.store import Matches
from bot.features.moderation import store as moderation
from bot.features.moderation.store import AuditLog
from bot.features.notes.store import MatchNotes
from bot.features.preferences.board_style_store import BoardStyles
from bot.features.preferences.store import PreferenceStore
from bot.features.privacy.store import PersonalData
from bot.features.puzzles.store import Puzzles
from bot.features.ratings import store as ratings
from bot.features.ratings.store import Ratings
from bot.features.reports.store import Blunders, Reports
from bot.features.schedules.store import ScheduledPosts
from bot.features.servers.store import Servers
from bot.features.statistics import store as statistics
from bot.features.statistics.store import Statistics
from bot.features.substitution.store import SeatOffers
from bot.platform.db.address import expand_home, format_address, get_file_path, parse_address
from bot.platform.db.challenge_rows import Challenge, JoinResult, NewChallenge, NewChallengeResult
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
from bot.platform.db.integrity import find_problems
from bot.platform.db.jobs import LEASE_MS, Jobs
from bot.platform.db.metadata import ProgramMetadata
from bot.platform.db.migration import migrate, require_current_server_version
from bot.platform.db.opening import prepare_file, require_usable_file
from bot.platform.db.pauses import Pauses
from bot.platform.db.people import People
from bot.platform.db.preference_rows import (
    BoardStyle,
    NotifyWhen,
    PlayerPreferences,
    Reminder,
    ServerSettings,
)
from bot.platform.db.rating_rows import (
    DRAW,
    Leaderboard,
    RatingChange,
    RatingChangeWithSide,
    RatingKey,
    RatingRow,
    Rerate,
    SkillEstimate,
    Teams,
)
from bot.platform.db.rows import (
    DELETED_CONTRIBUTION,
    DELETED_NAME,
    FIRST_PSEUDONYM,
    DatabaseLoad,
    EndingUpdate,
    EventRow,
    FormerHolder,
    History,
    Job,
    Limits,
    LiveMessage,
    MatchRow,
    MatchRowState,
    MatchUpdate,
    MatchUpdateResult,
    NewMatch,
    NewMatchResult,
    Outage,
    Pause,
    PersonNames,
    QueuedJob,
    Result,
    Ruling,
    Seat,
    SeatTakeover,
    StoppageScope,
    Streak,
)
from bot.platform.db.sealing import generate_seal_key, reseal_secrets
from bot.platform.db.service import ShardLock
from bot.platform.db.shards import ALL_SHARDS, Process, Shards, find_last_served
from bot.platform.db.transfer import copy_database

__all__ = [
    "ALL_SHARDS",
    "DELETED_CONTRIBUTION",
    "DELETED_NAME",
    "DRAW",
    "FIRST_PSEUDONYM",
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
    "expand_home",
    "find_last_served",
    "generate_seal_key",
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
        self.matches = Matches(
            database,
            [
                moderation.write_update,
                ratings.write_update,
                contests.write_update,
                ladders.write_update,
                statistics.write_update,
            ],
        )
        self.jobs = Jobs(database)
        self.histories = Histories(database)
        self.past_matches = PastMatches(database)
        self.inspection = Inspection(database)
        self.ratings = Ratings(database)
        self.reports = Reports(database)
        self.blunders = Blunders(database)
        self.hints = HintConsents(database)
        self.puzzles = Puzzles(database)
        self.audit = AuditLog(database)
        self.seat_offers = SeatOffers(database)
        self.metadata = ProgramMetadata(database)
        self.notes = MatchNotes(database)
        self.generations = Generations(database)
        self.pauses = Pauses(database)
        self.preferences = PreferenceStore(database)
        self.follows = Follows(database)
        self.board_styles = BoardStyles(database)
        self.servers = Servers(database)
        self.blocks = Blocks(database)
        self.lessons = BegunLessons(database)
        self.analyses = Analyses(database)
        self.contests = Contests(database)
        self.ladders = Ladders(database)
        self.server_items = ServerItems(database)
        self.statistics = Statistics(database)
        self.subscriptions = Subscriptions(database)
        self.personal_data = PersonalData(database)
        self.scheduled_posts = ScheduledPosts(database)
        self.digests = WeekDigests(database)

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
