"""One run from its first fault to its last, with what it says on the way."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.support.postgresql import PostgreSQLUnavailableError
from tests.wire.crowd import name_channels
from tests.wire.discord_server import DiscordServer
from tests.wire.world import TEXT

from . import at_table, whole
from .database import PostgreSQLDatabase, SQLiteDatabase, TortureDatabase
from .deadline import end_league
from .schedule import LONG_KINDS, LONG_RUN, ScheduledFault, schedule_faults
from .table import TortureFailure, TortureTable
from .torture import ELSEWHERE, LEAGUE_CHANNEL, Torture, find_faketime

EXAMINE_EVERY = 1000
"""Faults between two times that every match is replayed."""
PROGRESS_EVERY_S = 10.0
HEARTBEAT_S = 5.0
ORPHANED = "EOFError: Ran out of input"


@dataclass(frozen=True, slots=True)
class TortureSettings:
    """What is to be run."""

    seed: int
    faults: int
    matches: int
    database: str
    kinds: tuple[str, ...]
    folder: Path
    minutes: float | None = None


@dataclass
class TortureRun:
    """A run, and what it has come to."""

    settings: TortureSettings
    done: Counter[str] = field(default_factory=Counter)
    skipped: dict[str, str] = field(default_factory=dict)
    spent_s: Counter[str] = field(default_factory=Counter)
    begun: float = field(default_factory=time.monotonic)
    said: float = 0.0
    failed: TortureFailure | None = None

    async def execute(self) -> int:
        """Run it, and return the exit status."""
        try:
            database = self._create_database()
        except PostgreSQLUnavailableError as reason:
            print_timestamped(f"not run: {reason}")
            return 2
        names = name_channels(self.settings.matches)
        here, there = names[::2], names[1::2]
        try:
            async with await DiscordServer.start(
                channel_names=here, heartbeat_s=HEARTBEAT_S
            ) as server:
                server.world.add_channel(TEXT, LEAGUE_CHANNEL)
                server.add_guild(ELSEWHERE, *there)
                return await self._execute_on(server, database)
        finally:
            await database.close()

    def _create_database(self) -> TortureDatabase:
        return (
            SQLiteDatabase(self.settings.folder)
            if self.settings.database == "sqlite"
            else PostgreSQLDatabase()
        )

    async def _execute_on(self, server: DiscordServer, database: TortureDatabase) -> int:
        clock = self.settings.folder / "clock" if find_faketime() else None
        kinds = [kind for kind in self.settings.kinds if self._is_possible(kind, database, clock)]
        torture = await Torture.create(
            self.settings.seed, self.settings.folder, server, database, clock
        )
        found = self.settings
        print_timestamped(
            f"seed {found.seed}: {found.faults} faults, {found.matches} matches, {database.kind}"
        )
        for kind, why in self.skipped.items():
            print_timestamped(f"left out: {kind}: {why}")
        for kind, way in database.ways.items():
            print_timestamped(f"{kind}: by {way}")
        watching = asyncio.create_task(torture.watch_database())
        try:
            await torture.start_bot()
            await self._apply_faults(
                torture, schedule_faults(self.settings.seed, self.settings.faults, kinds)
            )
            await self._finish_run(torture)
        except Exception as error:  # noqa: BLE001 - any failure must tell how to repeat the run
            print_timestamped(f"FAILED: {type(error).__name__}: {error}")
            print_timestamped(f'again: make torture ARGS="{self._format_arguments()}"')
            print_timestamped(f"database, log and requests are kept in {self.settings.folder}")
            return 1
        finally:
            watching.cancel()
            torture.write_requests()
            with suppress(ProcessLookupError, TimeoutError, AssertionError):
                await torture.bot.kill()
            torture.log.close()
        return 0

    def _format_arguments(self) -> str:
        found = self.settings
        kinds = f" --kinds '{','.join(found.kinds)}'"
        size = f"--faults {found.faults} --matches {found.matches}"
        return f"--seed {found.seed} {size} --database {found.database}{kinds}"

    def _is_possible(self, kind: str, database: TortureDatabase, clock: Path | None) -> bool:
        why = database.lacks.get(kind)
        if kind.startswith("clock") and clock is None:
            why = "libfaketime is not installed here (Debian, Ubuntu: apt install faketime)"
        if (
            kind in LONG_KINDS
            and self.settings.faults < LONG_RUN
            and not set(self.settings.kinds) <= LONG_KINDS
        ):
            why = (
                "it takes more than a minute each time; "
                f"runs of {LONG_RUN} faults and more, or of it alone, have it"
            )
        if why:
            self.skipped[kind] = why
        return why is None

    async def _apply_faults(self, torture: Torture, faults: Iterator[ScheduledFault]) -> None:
        """Let the faults befall the bot in their order, those of single tables side by side."""
        under_way: set[asyncio.Task[None]] = set()
        try:
            await self._apply_in_order(torture, faults, under_way)
        finally:
            for task in under_way:
                task.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)

    async def _apply_in_order(
        self, torture: Torture, faults: Iterator[ScheduledFault], under_way: set[asyncio.Task[None]]
    ) -> None:
        chance = Random(f"tables {self.settings.seed}")
        order: list[TortureTable] = []
        examined = 0
        for fault in faults:
            if self.settings.minutes and time.monotonic() - self.begun > 60 * self.settings.minutes:
                break
            if fault.is_exclusive:
                await _wait_for_tasks(under_way)
                await self._apply_one(torture, fault, None)
            else:
                order = order or chance.sample(torture.tables, len(torture.tables))
                under_way.add(asyncio.create_task(self._apply_one(torture, fault, order.pop())))
                while len(under_way) >= len(torture.tables):
                    await _wait_for_tasks(under_way, asyncio.FIRST_COMPLETED)
            self._report_progress(torture)
            if fault.number - examined >= EXAMINE_EVERY:
                await _wait_for_tasks(under_way)
                await torture.examine_matches()
                examined = fault.number
        await _wait_for_tasks(under_way)

    async def _apply_one(
        self, torture: Torture, fault: ScheduledFault, table: TortureTable | None
    ) -> None:
        begun, traces = time.monotonic(), len(torture.log.lines)
        try:
            if table is None:
                torture.log.add_mark(str(fault))
                what = await whole.apply_fault(torture, fault)
            else:
                async with table.busy:
                    torture.log.add_mark(f"{fault} at table {table.number}, match {table.match}")
                    what = await at_table.apply_fault(torture, table, fault)
                await torture.check_league()
            torture.log.add_mark(f"{fault}: {what}: passed")
        except Exception as error:
            where = "" if table is None else f" at table {table.number}"
            torture.log.add_mark(f"{fault}{where}: {error!r}")
            # What fails at the same table after it only follows from it.
            self.failed = self.failed or TortureFailure(
                f"{fault}{where}: {type(error).__name__}: {error}"
            )
            raise self.failed from error
        found = torture.log.find_lines(traces, lambda line: line.startswith("Traceback"))
        # What Python says of a process for a computer player whose bot was killed as it began.
        orphaned = torture.log.find_lines(traces, ORPHANED.__eq__)
        if len(found) > len(orphaned):
            raise TortureFailure(f"{fault}: {len(found)} tracebacks in the log")
        torture.prune_server()
        self.done[fault.kind] += 1
        self.spent_s[fault.kind] += round(1000 * (time.monotonic() - begun))

    def _report_progress(self, torture: Torture) -> None:
        now = time.monotonic()
        if now - self.said > PROGRESS_EVERY_S:
            self.said = now
            done, spent = self.done.total(), now - self.begun
            ended = sum(len(table.known) - 1 for table in torture.tables)
            rate = f"{spent:.0f} s, {done / spent:.2f} a second"
            print_timestamped(
                f"{done} of {self.settings.faults} faults, {rate}, {ended} matches over"
            )

    async def _finish_run(self, torture: Torture) -> None:
        """Let somebody act at every table once more, and examine everything."""
        await torture.check_progress(torture.tables)
        league = await end_league(torture)
        await torture.examine_matches()
        given_up = await torture.list_given_up_jobs()
        if (status := await torture.bot.stop()) != whole.STOPPED:
            raise TortureFailure(f"told to end, the bot ended with {status}")
        spent = time.monotonic() - self.begun
        played = sum(len(table.known) for table in torture.tables)
        events = sum(
            len(known.events) for table in torture.tables for known in table.known.values()
        )
        print_timestamped(
            f"passed: {self.done.total()} faults in {spent:.0f} s, "
            f"{self.done.total() / spent:.2f} a second"
        )
        print_timestamped(
            f"{played} matches with {events} events, all replayed and verified; "
            f"{torture.unmet} faults met nothing"
        )
        print_timestamped(league)
        for kind, count in self.done.most_common():
            print_timestamped(f"{count:6} {kind}, {self.spent_s[kind] / count / 1000:.2f} s each")
        for line in given_up:
            print_timestamped(f"given up, with its reason: {line}")


async def _wait_for_tasks(
    under_way: set[asyncio.Task[None]], when: str = asyncio.FIRST_EXCEPTION
) -> None:
    """Wait for all that goes on at single tables, or for the first of it to finish.

    Raises what one of them has raised.
    """
    if under_way:
        done, left = await asyncio.wait(under_way, return_when=when)
        under_way.clear()
        under_way |= left
        for task in done:
            task.result()


def print_timestamped(text: str) -> None:
    """Tell whoever watches."""
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)  # noqa: T201
