"""One run: a server, a bot that suffers faults, its database, and tables with players.

People play on at the tables whatever happens.
"""

import asyncio
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from bot.app import play
from bot.app.context import App
from bot.app.record import events_of, to_file, verify
from bot.client import now_ms
from bot.store import Store
from tests.wire.discord_server import MANAGE_GUILD, MEMBER, DiscordServer
from tests.wire.gateway import INVALID_SESSION
from tests.wire.replies import Reply
from tests.wire.sessions import Line
from tests.wire.tabula import Wire, first_control
from tests.wire.world import Channel

from .database import Database, Unreadable
from .program import LINE_S, Bot, Log, with_right_clock
from .table import Table, Wrong

QUIET_S = 60.0
"""Seconds within which everything has come to rest."""
DONE_S = 20.0
"""Seconds within which what was acknowledged is done: discord.py itself waits between its tries."""
LOOK_S = 0.05
MOST_ACTS = 3
"""How often somebody acts whom Discord tells that there is no answer."""
SOON_MS = 5_500
"""A job that is due by then is waited for: the longest patience with a computer that thinks."""
MOST_REQUESTS = 20_000
CONNECTED_S = 30.0
ALONE = 8
"""Of so many tables one plays against the computer, and one with a day for each turn."""
ELSEWHERE = "Elsewhere"
"""The second server, where every other table stands and each match has a thread of its own."""
CHANNELS_OWN = ("show match", "close turn", "computer", "remove", "tell hindered")
"""The jobs that bring a channel up to date."""


@dataclass(frozen=True, slots=True)
class State:
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
    database: Database
    bot: Bot
    log: Log
    settings: dict[str, str]
    tables: list[Table]
    clock: Path | None
    """The file by which the bot's clock is set; None where that cannot be."""
    state: State = field(default_factory=lambda: State(0.0, {}, ()))
    counts: Counter[str] = field(default_factory=Counter)
    unmet: int = 0

    @classmethod
    async def begun(
        cls, seed: int, folder: Path, server: DiscordServer, database: Database, clock: Path | None
    ) -> "Torture":
        """Return a run with people seated at every channel of the server.

        `start` then starts the bot and lets the matches begin.
        """
        settings = {"TABULA_DATABASE": database.where, **(_faked(clock) if clock else {})}
        log = Log(folder / "bot.log")
        bot = Bot(server, log, folder, settings)
        tables = [
            _table(server, folder, number, channel)
            for number, channel in enumerate(_channels(server))
        ]
        return cls(seed, folder, server, database, bot, log, settings, tables, clock)

    async def start(self) -> None:
        """Start the bot, and let a match begin at every table."""
        if self.clock:
            self.set_clock(0)
        await self.bot.start()
        await self._open_threads()
        await asyncio.gather(
            *(self.seated(table, Random(f"{self.seed} {table.number}")) for table in self.tables)
        )

    async def _open_threads(self) -> None:
        """Let each match of the second server have a thread."""
        manager = self.server.person("manager", permissions=MEMBER | MANAGE_GUILD)
        places = self.server.world.guild_channels(max(self.server.world.guilds))
        if not places:
            return
        there = places[0]
        answer = await manager.slash("server matches", {"threads": True}, there)
        if "thread" not in answer.text:
            raise Wrong(f"threads could not be chosen: {answer.text}")

    def another_bot(self, settings: dict[str, str], prefix: str) -> Bot:
        """Return another bot with the same token, whose clock is right."""
        # Sleeping is an error under libfaketime 0.9.10, and a bot that waits for a file that is
        # taken sleeps.
        right = with_right_clock(self.settings)
        return Bot(self.server, self.log, self.folder, {**right, **settings}, prefix)

    async def connected(self, before: set[Line], timeout: float = CONNECTED_S) -> None:
        """Wait until the bot has another connection to the gateway than those before.

        Raises Wrong if it does not connect in time.
        """
        ends = time.monotonic() + timeout
        while not self.server.world.sessions.lines() - before:
            if time.monotonic() > ends:
                raise Wrong("the bot does not connect again")
            await asyncio.sleep(LOOK_S)

    async def invalidated(self) -> None:
        """Tell the bot that its session is invalid, and forget it."""
        await self.server.world.sessions.tell(INVALID_SESSION, data=False)
        self.server.world.sessions.forget()

    def set_clock(self, ahead_s: int) -> None:
        """Set the bot's clock to so many seconds after the right time, or before it."""
        assert self.clock is not None
        # Put in place whole: the bot may read it at any moment.
        written = self.clock.with_suffix(".new")
        written.write_text(f"{ahead_s:+d}\n")
        written.replace(self.clock)

    async def watch(self) -> None:
        """Read again and again what is saved; ends with the run."""
        while True:
            # A bot that starts has the database for itself: else it would have to sleep, see
            # `another_bot`.
            if self.server.world.sessions.connected():
                with suppress(Unreadable):
                    await self.look()
            await asyncio.sleep(LOOK_S)

    async def look(self) -> None:
        """Read what is saved."""
        at = time.monotonic()
        played = ",".join(str(table.match) for table in self.tables)
        matches = await self.database.rows(
            "SELECT id, version, shown, ended IS NOT NULL, "
            "thread IS NOT NULL AND channel <> thread "
            f"FROM matches WHERE id IN ({played})"
        )
        jobs = await self.database.rows(
            "SELECT kind, key, error FROM jobs "
            f"WHERE given_up IS NULL AND due < {now_ms() + SOON_MS} "
            "UNION ALL SELECT kind, key, error FROM jobs "
            "WHERE error IS NOT NULL AND given_up IS NULL"
        )
        known = {
            number: (version, shown, bool(over), bool(moved))
            for number, version, shown, over, moved in matches
        }
        self.state = State(at, known, [(kind, key, error) for kind, key, error in jobs])

    async def rest(self, tables: Iterable[Table], timeout: float = QUIET_S) -> None:
        """Wait, doing nothing, until the channels of these tables show what is saved.

        Raises Wrong if they do not in time.
        """
        waiting, since = list(tables), time.monotonic()
        while waiting := [table for table in waiting if self.unrest(table, since)]:
            if time.monotonic() - since > timeout:
                raise Wrong(
                    "; ".join(
                        f"table {table.number}: {self.unrest(table, since)}" for table in waiting
                    )
                )
            await asyncio.sleep(LOOK_S)

    async def rewind(self) -> None:
        """Take what is saved now for all there ever was, once later messages are known as stale.

        A message that was posted after the copy was made is pressed, and must lose its controls.
        Raises Wrong if it keeps them.
        """
        for table in self.tables:
            query = f"SELECT message FROM matches WHERE id = {table.match}"
            ends = time.monotonic() + QUIET_S
            while stale := await self._stale(table, query):
                if time.monotonic() > ends:
                    raise Wrong(f"match {table.match}: {stale.message_id} plays a lost future")
                person = table.wire.called(table.newest())
                await person.begin_use(stale, first_control(stale))
                await asyncio.sleep(1.0)
            table.now.events.clear()
            table.now.shown = 0
            table.forget()

    async def _stale(self, table: Table, query: str) -> Reply | None:
        """Return a message of the match other than its own that can still be pressed."""
        ((own,),) = await self._readable(query)
        playing = filter(table.plays, table.seen())
        return next((each for each in playing if each.message_id != own), None)

    def unrest(self, table: Table, since: float) -> str | None:
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
        messages = {str(each.message_id) for each in table.seen()}
        for kind, key, error in self.state.jobs:
            own = key in messages if kind in ("close turn", "remove") else key == str(table.match)
            if kind in CHANNELS_OWN and own:
                return f"{kind} {key} is not done: {error}"
        live = table.live()
        if over:
            return (
                None
                if not live and table.over()
                else f"match {table.match} is over, and does not say so"
            )
        if len(live) != 1:
            return f"{len(live)} messages play match {table.match}"
        if not version == shown == table.shown():
            return (
                f"match {table.match} is at {version}, {shown} was shown, "
                f"the channel plays {table.shown()}"
            )
        return None

    async def check(self, tables: Sequence[Table], *, silent: bool) -> None:
        """Check these tables against the database, once everything done there has had its effect.

        With `silent` an act may have been acknowledged, and neither done nor answered: the bot was
        killed. Raises Wrong if a table fails.
        """
        for table in tables:
            ends = time.monotonic() + DONE_S
            await self._known(table)
            while (wrong := self._unanswered(table, silent=silent)) and time.monotonic() < ends:
                await asyncio.sleep(LOOK_S)
                await self._known(table)
            if wrong:
                raise Wrong(wrong)
        await self.rest(tables)

    async def _known(self, table: Table) -> None:
        """Take in what has happened in a table's match."""
        # First: what is shown now was saved before what is read next.
        table.now.shown = max(table.now.shown, table.shown())
        rows = await self._readable(
            f"SELECT version, cause, record FROM events WHERE match = {table.match} "
            f"AND version > {len(table.now.events)} ORDER BY version"
        )
        table.now.grow(table.match, rows)
        if table.now.shown > len(table.now.events):
            raise Wrong(
                f"match {table.match} showed {table.now.shown}, "
                f"but has {len(table.now.events)} events"
            )

    async def _readable(self, query: str) -> Sequence[Sequence[object]]:
        for _ in range(50):
            try:
                return await self.database.rows(query)
            except Unreadable:
                await asyncio.sleep(0.1)
        return await self.database.rows(query)

    def _unanswered(self, table: Table, *, silent: bool) -> str | None:
        """Return a description of an act whose outcome is unknown, or None where there is none."""
        causes = {cause for cause, _ in table.now.events}
        for act in table.acts:
            acknowledged = act.callback is not None
            done = str(act.id) in causes
            # What was saved may not have been acknowledged: the match's message shows it.
            if acknowledged and not (done or silent or table.told(act)):
                return (
                    f"match {table.match}: {act.id} was acknowledged, and neither done nor answered"
                )
        return None

    async def told(
        self, start: int, tells: Callable[[str], object], what: str, timeout: float = LINE_S
    ) -> str:
        """Return the first line of the log, from number `start` on, that tells of something.

        Raises Wrong without one.
        """
        try:
            return await self.log.until(start, tells, timeout)
        except TimeoutError:
            raise Wrong(f"the log does not tell of {what}") from None

    async def goes_on(self, tables: Sequence[Table]) -> None:
        """Show that the matches are not stuck: somebody acts, and it is done; raises Wrong.

        On a busy machine Discord may wait no longer than for the second time that they act.
        """
        stuck = [table for table in tables if not table.over()]
        before: dict[int, int] = {}
        for _ in range(MOST_ACTS):
            before = {table.number: len(table.now.events) for table in stuck}
            await asyncio.gather(*(table.act() for table in stuck))
            await self.rest(stuck)
            await self.check(stuck, silent=False)
            stuck = [each for each in stuck if len(each.now.events) <= before[each.number]]
        if stuck:
            raise Wrong(f"match {stuck[0].match} is stuck at {before[stuck[0].number]}")
        for table in tables:
            table.forget()

    async def seated(self, table: Table, chance: Random) -> None:
        """Let another match begin where one is over."""
        if table.match == 0 or table.over():
            await table.begin(chance)
            await self.rest([table])
            await self.check([table], silent=False)
            table.forget()

    async def examine(self) -> None:
        """Check everything against the rules.

        Every match is replayed, and its throws are drawn again. Raises Wrong if anything differs.
        """
        async with self.database.opened() as store:
            if wrong := await store.check():
                raise Wrong(f"the database: {wrong}")
            for table in self.tables:
                for match, known in table.known.items():
                    await _verified(store, match, len(known.events))

    async def kept(self) -> list[str]:
        """Return the jobs that were given up, with their reasons.

        Raises Wrong where one has none.
        """
        rows = await self._readable("SELECT kind, key, error FROM jobs WHERE given_up IS NOT NULL")
        if nameless := [f"{kind} {key}" for kind, key, error in rows if not error]:
            raise Wrong(f"given up without a reason: {nameless}")
        return [f"{kind} {key}: {error}" for kind, key, error in rows]

    def prune(self) -> None:
        """Let go the oldest of what the server remembers, so that a long run does not grow."""
        requests = self.server.world.requests
        if len(requests) > MOST_REQUESTS:
            del requests[: -MOST_REQUESTS // 2]
        del self.server.world.notices[:]

    def leave(self) -> None:
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


async def _verified(store: Store, match: int, at_least: int) -> None:
    app = App(store, now_ms, os.urandom)
    try:
        sitting = await play.load(app, match)
        happened = await play.history(app, sitting.row)
        events = events_of(sitting, happened)
        if not at_least <= len(events) == sitting.row.version == sitting.match.version:
            raise Wrong(
                f"match {match} has {len(events)} events, "
                f"is at {sitting.row.version}, was at {at_least}"
            )
        if sitting.row.snapshot != play.snapshot(sitting.match):
            raise Wrong(f"the snapshot of match {match} is not what its events come to")
        if wrong := verify(to_file(sitting, events)).wrong:
            raise Wrong(f"match {match} does not verify: {wrong}")
    finally:
        app.minds.close()


def faketime() -> Path | None:
    """Return the library that fakes a process's clock, or None where there is none.

    It is Debian's libfaketime.
    """
    return next(iter(sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))), None)


def _faked(clock: Path) -> dict[str, str]:
    """Return the variables under which a process takes its time from a file."""
    # What measures how long something takes goes on as it is, as where a clock is set; and the
    # library's remedy for an old fault of the C library makes threads wait for each other by
    # milliseconds, where that fault is long mended.
    how = {
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "FAKETIME_FORCE_MONOTONIC_FIX": "0",
        "FAKETIME_CACHE_DURATION": "1",
    }
    return {"LD_PRELOAD": str(faketime()), "FAKETIME_TIMESTAMP_FILE": str(clock), **how}


def _channels(server: DiscordServer) -> list[Channel]:
    return [
        channel for channel in server.world.channels.values() if channel.name.startswith("table-")
    ]


def _table(server: DiscordServer, folder: Path, number: int, channel: Channel) -> Table:
    ana, ben = (server.person(f"{channel.name}-{name}") for name in ("ana", "ben"))
    wire = Wire(server, folder, ana, ben, channel)
    return Table(number, wire, channel, alone=number % ALONE == ALONE - 1, slow=number % ALONE == 0)
