"""One run: a server, a bot that suffers faults, its database, and tables with players.

People play on at the tables whatever happens.
"""

import asyncio
import json
import os
import re
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from bot.features.computer.pool import PlayerPool
from bot.features.matches import loading
from bot.features.matches import service as play
from bot.features.matches.record import build_record, encode_events, verify_record
from bot.platform.context import App
from bot.platform.db.store import Store
from bot.platform.db.tables import now_ms
from tests.wire.discord_server import MEMBER_PERMISSIONS, DiscordServer
from tests.wire.gateway import INVALID_SESSION
from tests.wire.replies import Reply
from tests.wire.sessions import GatewayConnection
from tests.wire.tabula import WireHarness, find_first_control
from tests.wire.world import MANAGE_GUILD, WorldChannel

from .database import TortureDatabase, UnreadableDatabaseError
from .league import Deed, TortureLeague
from .program import LINE_S, BotLog, BotProcess, drop_fake_clock
from .table import TortureFailure, TortureTable

QUIET_S = 60.0
"""Seconds within which everything has come to rest."""
DONE_S = 20.0
"""Seconds within which what was acknowledged is done: discord.py itself waits between its tries."""
LOOK_S = 0.05
MAX_ACTS = 3
"""How often somebody acts whom Discord tells that there is no answer."""
SOON_MS = 5_500
"""A job that is due by then is waited for: the longest patience with a computer that thinks."""
MAX_REQUESTS = 20_000
CONNECTED_S = 30.0
COMPUTER_TABLE_EVERY = 8
"""Of so many tables one plays against the computer, and one with a day for each turn."""
ELSEWHERE = "Elsewhere"
"""The second server, where every other table stands and each match has a thread of its own."""
LEAGUE_CHANNEL = "league"
"""The channel of the first server in which the league is played."""
CHANNEL_JOBS = ("show match", "close turn", "computer", "remove", "tell hindered")
"""The jobs that bring a channel up to date."""


@dataclass(frozen=True, slots=True)
class SavedState:
    """The matches and jobs as they were saved after a moment of the monotonic clock."""

    at: float
    matches: dict[int, tuple[int, int, bool, bool]]
    """Each match's version, version shown, whether it is over, and whether it left its thread."""
    jobs: Sequence[tuple[str, str, str | None]]
    """Kind, key and error of those that are due soon, or have failed and wait."""


@dataclass
class Torture:
    """Everything that a fault may get hold of."""

    seed: int
    folder: Path
    server: DiscordServer
    database: TortureDatabase
    bot: BotProcess
    log: BotLog
    settings: dict[str, str]
    tables: list[TortureTable]
    clock: Path | None
    """The file by which the bot's clock is set; None where that cannot be."""
    state: SavedState = field(default_factory=lambda: SavedState(0.0, {}, ()))
    counts: Counter[str] = field(default_factory=Counter)
    unmet: int = 0
    league: TortureLeague = field(init=False)

    @classmethod
    async def create(
        cls,
        seed: int,
        folder: Path,
        server: DiscordServer,
        database: TortureDatabase,
        clock: Path | None,
    ) -> "Torture":
        """Return a run with people seated at every channel of the server.

        `start` then starts the bot and lets the matches begin.
        """
        settings = {
            "TABULA_DATABASE": database.where,
            **(_build_clock_settings(clock) if clock else {}),
        }
        log = BotLog(folder / "bot.log")
        bot = BotProcess(server, log, folder, settings)
        tables = [
            _create_table(server, folder, number, channel)
            for number, channel in enumerate(_list_table_channels(server))
        ]
        return cls(seed, folder, server, database, bot, log, settings, tables, clock)

    def __post_init__(self) -> None:
        channel = self.server.get_channel(LEAGUE_CHANNEL)
        self.league = TortureLeague(self.server, channel, self._query_with_retries)

    async def start_bot(self) -> None:
        """Start the bot, and let a match begin at every table."""
        if self.clock:
            self.set_clock(0)
        await self.bot.start()
        await self._open_threads()
        await asyncio.gather(
            *(
                self.ensure_match(table, Random(f"{self.seed} {table.number}"))
                for table in self.tables
            )
        )
        await self.league.ensure_open()

    async def check_league(self) -> None:
        """Check the league, which may go on as others watch it."""
        async with self.league.busy:
            if await self.league.verify():
                await self.examine_league()

    async def settle_league(self) -> None:
        """Wait until the league is at rest, and check it.

        Raises TortureFailure if it does not come to rest, or is not as it must be.
        """
        since = time.monotonic()
        async with self.league.busy:
            is_new = False
            while True:
                is_new |= await self.league.verify()
                wrong: str | None = "it is not known what is saved"
                if self.state.at > since:
                    unrest = self.league.describe_unrest(self.state.jobs)
                    wrong = unrest or self.league.describe_display()
                if not wrong:
                    break
                if time.monotonic() - since > QUIET_S:
                    raise TortureFailure(wrong)
                await asyncio.sleep(LOOK_S)
            if is_new:
                await self.examine_league()

    async def examine_league(self) -> None:
        """Replay what has ended in the league, and check its table."""
        async with self.database.open_store() as store:
            await self.league.examine(store)

    async def plan_league_deed(self, chance: Random) -> Deed | None:
        """Prepare what somebody does next in the league; None if the bot does not answer."""
        await self.league.ensure_open()
        async with self.database.open_store() as store:
            return await self.league.plan_deed(store, chance)

    async def _open_threads(self) -> None:
        """Let each match of the second server have a thread."""
        manager = self.server.get_person("manager", permissions=MEMBER_PERMISSIONS | MANAGE_GUILD)
        places = self.server.world.list_channels(max(self.server.world.guilds))
        if not places:
            return
        there = places[0]
        panel = await manager.slash("server settings", {}, there)
        await manager.press(panel, "serverset:threads:1")
        # Just connected, the bot acknowledges before it saves.
        await manager.wait_for_ephemeral("**A thread for each match**: on", there)

    def create_another_bot(self, settings: dict[str, str], prefix: str) -> BotProcess:
        """Return another bot with the same token, whose clock is right."""
        # Sleeping is an error under libfaketime 0.9.10, and a bot that waits for a file that is
        # taken sleeps.
        right = drop_fake_clock(self.settings)
        return BotProcess(self.server, self.log, self.folder, {**right, **settings}, prefix)

    async def wait_for_connection(
        self, before: set[GatewayConnection], timeout: float = CONNECTED_S
    ) -> None:
        """Wait until the bot has another connection to the gateway than those before.

        Raises TortureFailure if it does not connect in time.
        """
        ends = time.monotonic() + timeout
        while not self.server.world.sessions.list_connections() - before:
            if time.monotonic() > ends:
                raise TortureFailure("the bot does not connect again")
            await asyncio.sleep(LOOK_S)

    async def invalidate_session(self) -> None:
        """Tell the bot that its session is invalid, and forget it."""
        await self.server.world.sessions.broadcast(INVALID_SESSION, data=False)
        self.server.world.sessions.forget_all()

    def set_clock(self, ahead_s: int) -> None:
        """Set the bot's clock to so many seconds after the right time, or before it."""
        assert self.clock is not None
        # Put in place whole: the bot may read it at any moment.
        written = self.clock.with_suffix(".new")
        written.write_text(f"{ahead_s:+d}\n")
        written.replace(self.clock)

    async def watch_database(self) -> None:
        """Read again and again what is saved; ends with the run."""
        while True:
            # A bot that starts has the database for itself: else it would have to sleep, see
            # `create_another_bot`.
            if self.server.world.sessions.list_connected():
                with suppress(UnreadableDatabaseError):
                    await self.load_state()
            await asyncio.sleep(LOOK_S)

    async def load_state(self) -> None:
        """Read what is saved."""
        at = time.monotonic()
        played = ",".join(str(table.match) for table in self.tables)
        matches = await self.database.query_rows(
            "SELECT id, version, shown, ended IS NOT NULL, "
            "thread IS NOT NULL AND channel <> thread "
            f"FROM matches WHERE id IN ({played})"
        )
        jobs = await self.database.query_rows(
            "SELECT kind, key, error FROM jobs "
            f"WHERE given_up IS NULL AND due < {now_ms() + SOON_MS} "
            "UNION ALL SELECT kind, key, error FROM jobs "
            "WHERE error IS NOT NULL AND given_up IS NULL"
        )
        known = {
            number: (version, shown, bool(over), bool(moved))
            for number, version, shown, over, moved in matches
        }
        self.state = SavedState(at, known, [(kind, key, error) for kind, key, error in jobs])

    async def wait_for_rest(self, tables: Iterable[TortureTable], timeout: float = QUIET_S) -> None:
        """Wait, doing nothing, until the channels of these tables show what is saved.

        Raises TortureFailure if they do not in time.
        """
        waiting, since = list(tables), time.monotonic()
        while waiting := [table for table in waiting if self.describe_unrest(table, since)]:
            if time.monotonic() - since > timeout:
                raise TortureFailure(
                    "; ".join(
                        f"table {table.number}: {self.describe_unrest(table, since)}"
                        for table in waiting
                    )
                )
            await asyncio.sleep(LOOK_S)

    async def rewind_knowledge(self) -> None:
        """Take what is saved now for all there ever was, once later messages are known as stale.

        A message that was posted after the copy was made is pressed, and must lose its controls.
        Raises TortureFailure if it keeps them.
        """
        for table in self.tables:
            query = f"SELECT message FROM matches WHERE id = {table.match}"
            ends = time.monotonic() + QUIET_S
            while stale := await self._find_stale_message(table, query):
                if time.monotonic() > ends:
                    raise TortureFailure(
                        f"match {table.match}: {stale.message_id} plays a lost future"
                    )
                person = table.wire.get_next_player(table.find_newest_message() or stale)
                control = find_first_control(stale)
                if not table.has_match_control(stale):
                    control = next(each for each in stale.find_controls() if each.endswith(":back"))
                await person.begin_use(stale, control)
                await asyncio.sleep(1.0)
            table.current_knowledge.events.clear()
            table.current_knowledge.shown = 0
            table.forget_past()

    async def _find_stale_message(self, table: TortureTable, query: str) -> Reply | None:
        """Return a message of the match other than its own that can still be pressed."""
        ((own,),) = await self._query_with_retries(query)
        # Among them one by which a turn can only be taken back, until the bot has thrown.
        live = {each.message_id for each in table.list_live_messages()}
        playing = (
            each
            for each in table.list_messages()
            if each.message_id in live or table.has_match_control(each)
        )
        return next((each for each in playing if each.message_id != own), None)

    def describe_unrest(self, table: TortureTable, since: float) -> str | None:
        """Return what is still to come at a table, or None when it is at rest.

        Only what was saved after the instant `since` counts.
        """
        if self.state.at <= since:
            return "it is not known what is saved"
        if table.match not in self.state.matches:
            return f"there is no match {table.match}"
        version, shown, over, moved = self.state.matches[table.match]
        if moved:
            table.leave_thread()
        messages = {str(each.message_id) for each in table.list_messages()}
        for kind, key, error in self.state.jobs:
            own = key in messages if kind in ("close turn", "remove") else key == str(table.match)
            if kind in CHANNEL_JOBS and own:
                return f"{kind} {key} is not done: {error}"
        live = table.list_live_messages()
        if over:
            return (
                None
                if not live and table.is_over()
                else f"match {table.match} is over, and does not say so"
            )
        if len(live) != 1:
            return f"{len(live)} messages play match {table.match}"
        if not version == shown == table.find_highest_version():
            return (
                f"match {table.match} is at {version}, {shown} was shown, "
                f"the channel plays {table.find_highest_version()}"
            )
        return None

    async def check_tables(self, tables: Sequence[TortureTable], *, silent: bool) -> None:
        """Check these tables against the database, once everything done there has had its effect.

        With `silent` an act may have been acknowledged, and neither done nor answered: the bot was
        killed. Raises TortureFailure if a table fails.
        """
        for table in tables:
            ends = time.monotonic() + DONE_S
            await self._update_knowledge(table)
            while (
                wrong := self._describe_unanswered_act(table, silent=silent)
            ) and time.monotonic() < ends:
                await asyncio.sleep(LOOK_S)
                await self._update_knowledge(table)
            if wrong:
                raise TortureFailure(wrong)
        await self.wait_for_rest(tables)

    async def _update_knowledge(self, table: TortureTable) -> None:
        """Take in what has happened in a table's match."""
        # First: what is shown now was saved before what is read next.
        table.current_knowledge.shown = max(
            table.current_knowledge.shown, table.find_highest_version()
        )
        rows = await self._query_with_retries(
            f"SELECT version, cause, record FROM events WHERE match = {table.match} "
            f"AND version > {len(table.current_knowledge.events)} ORDER BY version"
        )
        table.current_knowledge.add_events(table.match, rows)
        if table.current_knowledge.shown > len(table.current_knowledge.events):
            raise TortureFailure(
                f"match {table.match} showed {table.current_knowledge.shown}, "
                f"but has {len(table.current_knowledge.events)} events"
            )

    async def _query_with_retries(self, query: str) -> Sequence[Sequence[object]]:
        for _ in range(50):
            try:
                return await self.database.query_rows(query)
            except UnreadableDatabaseError:
                await asyncio.sleep(0.1)
        return await self.database.query_rows(query)

    def _describe_unanswered_act(self, table: TortureTable, *, silent: bool) -> str | None:
        """Return a description of an act whose outcome is unknown, or None where there is none."""
        causes = {cause for cause, _ in table.current_knowledge.events}
        for act in table.acts:
            acknowledged = act.callback is not None
            done = str(act.id) in causes
            # What was saved may not have been acknowledged: the match's message shows it.
            # What has just been done by another press, or by the bot, is taken in silence.
            answered = table.has_private_answer(act) or table.is_overtaken(act)
            if acknowledged and not (done or silent or answered):
                return (
                    f"match {table.match}: {act.id} was acknowledged, and neither done nor answered"
                )
        return None

    async def expect_log_line(self, start: int, pattern: str, timeout: float = LINE_S) -> str:
        """Return the first line of the log, from number `start` on, with a pattern in it.

        Raises TortureFailure without one.
        """
        try:
            return await self.log.wait_for_line(start, re.compile(pattern).search, timeout)
        except TimeoutError:
            raise TortureFailure(f"the log has no line with {pattern!r}") from None

    async def check_progress(self, tables: Sequence[TortureTable]) -> None:
        """Show that the matches are not stuck: somebody acts, or TortureFailure is raised.

        On a busy machine Discord may wait no longer than for the second time that they act.
        """
        stuck = [table for table in tables if not table.is_over()]
        before: dict[int, int] = {}
        for _ in range(MAX_ACTS):
            before = {table.number: len(table.current_knowledge.events) for table in stuck}
            await asyncio.gather(*(table.act_and_wait() for table in stuck))
            await self.wait_for_rest(stuck)
            await self.check_tables(stuck, silent=False)
            stuck = [
                each for each in stuck if len(each.current_knowledge.events) <= before[each.number]
            ]
        if stuck:
            raise TortureFailure(f"match {stuck[0].match} is stuck at {before[stuck[0].number]}")
        for table in tables:
            table.forget_past()

    async def ensure_match(self, table: TortureTable, chance: Random) -> None:
        """Let another match begin where one is over."""
        if table.match == 0 or table.is_over():
            await table.start_match(chance)
            await self.wait_for_rest([table])
            await self.check_tables([table], silent=False)
            table.forget_past()

    async def examine_matches(self) -> None:
        """Check everything against the rules.

        Every match is replayed, and its throws are drawn again. Raises TortureFailure if anything
        differs.
        """
        async with self.database.open_store() as store:
            if wrong := await store.find_problems():
                raise TortureFailure(f"the database: {wrong}")
            for table in self.tables:
                for match, known in table.known.items():
                    await _verify_match(store, match, len(known.events))

    async def list_given_up_jobs(self) -> list[str]:
        """Return the jobs that were given up, with their reasons.

        Raises TortureFailure where one has none.
        """
        rows = await self._query_with_retries(
            "SELECT kind, key, error FROM jobs WHERE given_up IS NOT NULL"
        )
        if nameless := [f"{kind} {key}" for kind, key, error in rows if not error]:
            raise TortureFailure(f"given up without a reason: {nameless}")
        return [f"{kind} {key}: {error}" for kind, key, error in rows]

    def prune_server(self) -> None:
        """Let go the oldest of what the server remembers, so that a long run does not grow."""
        requests = self.server.world.requests
        if len(requests) > MAX_REQUESTS:
            del requests[: -MAX_REQUESTS // 2]
        del self.server.world.notices[:]

    def write_requests(self) -> None:
        """Write down what the server was asked, for whoever looks into a failure."""
        with (self.folder / "requests.jsonl").open("w", encoding="utf-8") as file:
            for one in self.server.requests:
                asked = {
                    "at": round(one.at, 3),
                    "method": one.method,
                    "path": one.path,
                    "status": one.status,
                }
                file.write(json.dumps({**asked, "body": one.body}, default=str) + "\n")


async def _verify_match(store: Store, match: int, at_least: int) -> None:
    app = App(store, now_ms, os.urandom)
    try:
        session = await loading.load_session(app, match)
        happened = await loading.load_history(app, session.row)
        events = encode_events(session, happened)
        if not at_least <= len(events) == session.row.version == session.match.version:
            raise TortureFailure(
                f"match {match} has {len(events)} events, "
                f"is at {session.row.version}, was at {at_least}"
            )
        if session.row.snapshot != play.build_snapshot(session.match):
            raise TortureFailure(f"the snapshot of match {match} is not what its events come to")
        if wrong := verify_record(build_record(session, events)).wrong:
            raise TortureFailure(f"match {match} does not verify: {wrong}")
    finally:
        app.get_part(PlayerPool).close()


def find_faketime() -> Path | None:
    """Return the library that fakes a process's clock, or None where there is none.

    It is Debian's libfaketime.
    """
    return next(iter(sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))), None)


def _build_clock_settings(clock: Path) -> dict[str, str]:
    """Return the variables under which a process takes its time from a file."""
    # What measures how long something takes goes on as it is, as where a clock is set; and the
    # library's remedy for an old fault of the C library makes threads wait for each other by
    # milliseconds, where that fault is long mended.
    how = {
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "FAKETIME_FORCE_MONOTONIC_FIX": "0",
        "FAKETIME_CACHE_DURATION": "1",
    }
    return {"LD_PRELOAD": str(find_faketime()), "FAKETIME_TIMESTAMP_FILE": str(clock), **how}


def _list_table_channels(server: DiscordServer) -> list[WorldChannel]:
    return [
        channel for channel in server.world.channels.values() if channel.name.startswith("table-")
    ]


def _create_table(
    server: DiscordServer, folder: Path, number: int, channel: WorldChannel
) -> TortureTable:
    ana, ben = (server.get_person(f"{channel.name}-{name}") for name in ("ana", "ben"))
    wire = WireHarness(server, folder, ana, ben, channel)
    return TortureTable(
        number,
        wire,
        channel,
        alone=number % COMPUTER_TABLE_EVERY == COMPUTER_TABLE_EVERY - 1,
        slow=number % COMPUTER_TABLE_EVERY == 0,
    )
