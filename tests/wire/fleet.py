"""Several processes of the real bot on one PostgreSQL, with sixteen shards and many tables.

Each process has a range of the shards. The full run, a hundred matches through kills for five
minutes: `.venv/bin/python -m tests.wire.fleet 100 300`.
"""

import asyncio
import random
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.features.matches import loading
from bot.features.matches import service as play
from bot.features.matches.record import build_record, encode_events, verify_record
from bot.features.matches.store import Matches
from bot.platform.context import App
from bot.platform.db.shards import Shards
from bot.platform.db.store import Store
from bot.platform.db.tables import now_ms
from bot.platform.jobs.runner import MAX_PAUSE_S
from tests.support.forks import ForkedProcess
from tests.support.postgresql import PostgreSQLServer
from tests.support.stored import load_due, load_given_up

from .discord_server import DiscordServer
from .payloads import make_reply
from .people import WirePerson
from .processes import fork_bot
from .replies import Reply, walk_components
from .sessions import Json, poll_until
from .tabula import CONTROL, MAN, SOON_MS, find_first_control, find_mentioned_id
from .world import TEXT, Interaction, Message, WorldChannel

SHARDS = 16
SHARD_RANGES = (Shards(0, 4, SHARDS), Shards(5, 9, SHARDS), Shards(10, 15, SHARDS))
"""What each of three processes serves."""
GAMES = ("zeno", "twelve-dogs", "pyf", "todas-tablas", "backgammon")
POLL_S = 0.2
"""Seconds between two looks at all the tables."""
PATIENCE_S = 8.0
"""Seconds after which somebody whose press was not acknowledged presses again."""
LONG_PATIENCE_S = 40.0
"""Seconds after which somebody acts again whose acknowledged press had no visible result."""
START_LIMIT_S = 60.0
RECOVERY_LIMIT_S = 240.0
"""The longest that a process takes to start, and the fleet to come to rest, on a busy machine."""
SECONDS_BETWEEN_KILLS = 6.0
THINKING_S = 4.0
"""Seconds that people in a hundred matches think before a press, so that two cores suffice."""


@dataclass
class Act:
    """Somebody's press at a version of a match; `done` when a later version was shown."""

    interaction: Interaction
    guild: int
    version: int
    at: float
    done: float | None = None


@dataclass
class FleetTable:
    """Two people in a channel of their own, and their match, once it has begun."""

    channel: WorldChannel
    people: tuple[WirePerson, WirePerson]
    game: str
    match: int = 0
    acts: list[Act] = field(default_factory=list)
    over: bool = False

    @property
    def guild_id(self) -> int:
        """The server."""
        assert self.channel.guild_id is not None
        return self.channel.guild_id


@dataclass
class FleetMember:
    """One of the processes: what it serves, and when it was ended without warning."""

    shards: Shards
    running: AsyncExitStack = field(default_factory=AsyncExitStack)
    process: ForkedProcess | None = None
    kills: list[float] = field(default_factory=list)
    stops: list[float] = field(default_factory=list)


@dataclass
class Fleet:
    """The server, the database, the processes and the tables."""

    server: DiscordServer
    database: str
    folder: Path
    tables: list[FleetTable]
    think_s: float = 0.0
    members: list[FleetMember] = field(
        default_factory=lambda: [FleetMember(shards) for shards in SHARD_RANGES]
    )
    _known: dict[int, tuple[float | None, bool, tuple[int, int] | None]] = field(
        default_factory=dict
    )

    async def start_member(self, member: FleetMember) -> None:
        """Start a process, and wait until all that it serves is served."""
        log = self.folder / f"{member.shards.first}.log"
        complaints = log.open("ab")
        member.running.callback(complaints.close)
        process = fork_bot(
            self.server,
            "run",
            "--shards",
            str(member.shards),
            folder=self.folder,
            stderr=complaints.fileno(),
            TABULA_DATABASE=self.database,
        )
        member.process = await member.running.enter_async_context(process)
        await poll_until(
            lambda: self._is_serving(member),
            START_LIMIT_S,
            lambda: f"shards {member.shards} are not served: {log.read_text()[-2000:]}",
        )

    def _is_serving(self, member: FleetMember) -> bool:
        connected = {
            session.shard.number for session in self.server.world.sessions.list_connected()
        }
        return connected >= set(member.shards.numbers)

    async def kill_member(self, member: FleetMember) -> None:
        """End a process without warning."""
        assert member.process is not None
        member.kills.append(time.monotonic())
        member.process.kill()
        await self._wait_for_end(member)

    async def stop_member(self, member: FleetMember) -> None:
        """End a process in good order."""
        assert member.process is not None
        member.stops.append(time.monotonic())
        member.process.send_signal(signal.SIGTERM)
        await self._wait_for_end(member)

    async def _wait_for_end(self, member: FleetMember) -> None:
        assert member.process is not None
        await member.process.wait()
        await member.running.aclose()

    def find_live_messages(self) -> dict[int, list[tuple[int, int]]]:
        """Return the messages by which each match can be played: their ids and versions."""
        found: dict[int, list[tuple[int, int]]] = {}
        for message in list(self.server.world.messages.values()):
            control = self._find_control(message)
            if control is not None:
                match, version = control
                found.setdefault(match, []).append((message.id, version))
        return found

    def _find_control(self, message: Message) -> tuple[int, int] | None:
        """Return the match and version that a message plays.

        Only changed messages are read anew.
        """
        known = self._known.get(message.id)
        if known is None or known[:2] != (message.edited_at, bool(message.components)):
            control = None if message.viewer_id else _parse_control(message.components)
            known = (message.edited_at, bool(message.components), control)
            self._known[message.id] = known
        return known[2]

    async def begin_match(self, table: FleetTable) -> None:
        """Have a table's first person challenge the second, who accepts."""
        first, second = table.people
        await first.slash(
            "challenge",
            {"game": table.game, "opponent": second},
            table.channel,
            timeout=START_LIMIT_S,
        )
        offer = await self.server.wait_for_message(_is_offer, table.channel, timeout=START_LIMIT_S)
        await second.press(offer, offer.find_custom_id("Accept"), timeout=START_LIMIT_S)

    def assign_matches(self) -> bool:
        """Find out which match began at which table; False while not everybody sits."""
        for match, messages in self.find_live_messages().items():
            channel = self.server.world.messages[messages[0][0]].channel_id
            for table in self.tables:
                if table.channel.id == channel:
                    table.match = match
        return all(table.match for table in self.tables)

    async def play_for(self, seconds: float) -> None:
        """Let everybody play for so long, each when they see that it is their turn.

        What was acknowledged last may still be at work, and is waited for.
        """
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            live = self.find_live_messages()
            for table in self.tables:
                await self._act_at(table, live.get(table.match, []))
            await asyncio.sleep(POLL_S)
        await poll_until(
            lambda: not self._has_acknowledged_acts(), 2 * LONG_PATIENCE_S, lambda: "presses"
        )

    def _has_acknowledged_acts(self) -> bool:
        """Whether a press is acknowledged of which nothing has come yet, for not too long."""
        live = self.find_live_messages()
        latest = [
            (table.acts[-1], max(version for _, version in live[table.match]))
            for table in self.tables
            if table.acts and live.get(table.match)
        ]
        return any(
            act.interaction.answered is not None
            and act.version == version
            and time.monotonic() - act.at < LONG_PATIENCE_S
            for act, version in latest
        )

    def _is_waiting(self, last: Act, now: float) -> bool:
        """Whether somebody who has pressed waits for what comes of it, or thinks."""
        if last.done is not None:
            return now - last.done < self.think_s
        patience = PATIENCE_S
        if last.interaction.answered is not None and not self._is_interrupted(last):
            patience = LONG_PATIENCE_S
        return now - last.at < patience

    async def _act_at(self, table: FleetTable, live: list[tuple[int, int]]) -> None:
        now = time.monotonic()
        last = table.acts[-1] if table.acts else None
        if not live:
            return
        message, version = max(live)
        if last and last.done is None and version > last.version:
            last.done = now
        if (last and self._is_waiting(last, now)) or not self.server.has_bot_for(table.guild_id):
            return
        reply = make_reply(self.server.world, self.server.world.messages[message])
        first, second = table.people
        person = second if find_mentioned_id(reply) == second.id else first
        custom_id = find_first_control(reply)
        if not CONTROL.match(custom_id):
            table.over = True
            return
        interaction = await person.begin_use(reply, custom_id)
        if MAN.match(custom_id):
            # Nothing is saved by that; the moves of the man are pressed next.
            await asyncio.sleep(POLL_S)
            return
        table.acts.append(Act(interaction, table.guild_id, version, now))

    def find_member(self, guild: int) -> FleetMember:
        """Return the process that serves a server."""
        return next(member for member in self.members if member.shards.has_server(guild))

    async def kill_at_random(self, seconds: float, seed: int) -> None:
        """Kill one process after another, drawn by lot of those that serve, and start it again."""
        draw = random.Random(seed)
        async with asyncio.TaskGroup() as starting:
            for _ in range(round(seconds / SECONDS_BETWEEN_KILLS)):
                await asyncio.sleep(SECONDS_BETWEEN_KILLS)
                serving = [member for member in self.members if self._is_serving(member)]
                if serving:
                    member = draw.choice(serving)
                    await self.kill_member(member)
                    starting.create_task(self.start_member(member))

    async def wait_for_jobs(self, store: Store) -> None:
        """Wait, doing nothing, until nothing is left to be done, nor to be tried again."""
        ends = time.monotonic() + RECOVERY_LIMIT_S
        while True:
            waiting = await load_due(store.jobs, now_ms() + 2 * MAX_PAUSE_S * 1000, 1000)
            left = [job for job in waiting if job.error or job.due <= now_ms() + SOON_MS]
            if not left:
                return
            assert time.monotonic() < ends, left
            await asyncio.sleep(POLL_S)

    async def verify_tables(self) -> "FleetResults":
        """Hold what Discord shows, and what people did, against the database."""
        async with await Store.open(self.database) as store:
            await self.wait_for_jobs(store)
            assert await store.find_problems() == []
            assert await load_given_up(store.jobs) == []
            app = App(store, now_ms, lambda _: b"")
            live = self.find_live_messages()
            found = FleetResults()
            for table in self.tables:
                await self._verify_table(app, table, live.get(table.match, []), found)
            return found

    async def _verify_table(
        self, app: App, table: FleetTable, live: list[tuple[int, int]], found: "FleetResults"
    ) -> None:
        session = await loading.load_session(app, table.match)
        happened = await loading.load_history(app, session.row)
        events = encode_events(session, happened)
        assert session.match.version == session.row.version == len(events)
        assert session.row.snapshot == play.build_snapshot(session.match)
        assert verify_record(build_record(session, events)).wrong is None
        over = session.match.outcome is not None
        expected = [] if over else [(session.row.message, session.row.version)]
        assert live == expected, (
            f"{table.match} is played by {live}, not {expected}: "
            f"{self._list_controls(table)} {session.row}"
        )
        stored = await app.store.get(Matches).load_events(table.match)
        causes = [event.cause for event in stored if event.cause is not None]
        # Where the bot rolled for somebody, a press at that version came too late, and is told so.
        overtaken = {event.version - 1 for event in stored if event.cause is None}
        assert len(causes) == len(set(causes))
        found.matches += 1
        found.over += over
        for version in {act.version for act in table.acts}:
            acts = [act for act in table.acts if act.version == version]
            self._count_results(acts, set(causes), found, is_overtaken=version in overtaken)

    def _list_controls(self, table: FleetTable) -> list[tuple[int, list[str]]]:
        """What stands in a table's channel, and what can be pressed there."""
        return [
            (reply.message_id or 0, list(reply.find_controls()))
            for reply in self.server.list_messages(table.channel)
        ]

    def _count_results(
        self,
        acts: Sequence[Act],
        saved: Collection[str],
        found: "FleetResults",
        *,
        is_overtaken: bool,
    ) -> None:
        """Count the results of the acts at one version of a match; only one can be saved."""
        done = [act for act in acts if str(act.interaction.id) in saved]
        unanswered = [act for act in acts if act.interaction.answered is None]
        assert len(done) <= 1
        # An act is saved before it is acknowledged, so only a kill may come between the two.
        assert all(self._is_interrupted(act) for act in done if act in unanswered), (
            "saved without an acknowledgement"
        )
        found.acts += len(acts)
        found.saved += len(done)
        found.unanswered += len(unanswered)
        lived = [act for act in acts if act not in unanswered and not self._is_interrupted(act)]
        if lived and not done and not is_overtaken:
            found.lost += [str(act.interaction.id) for act in lived]

    def _is_interrupted(self, act: Act) -> bool:
        """Whether the process that an act was for was killed while it might have been at it."""
        kills = self.find_member(act.guild).kills
        return any(act.at < at < (act.done or act.at + LONG_PATIENCE_S) for at in kills)


@dataclass
class FleetResults:
    """What came of it.

    `lost` are the acts that were acknowledged by a process that lived on, and are saved no more
    than any other act at the same version, which the bot did not roll at either.
    """

    matches: int = 0
    over: int = 0
    acts: int = 0
    saved: int = 0
    unanswered: int = 0
    lost: list[str] = field(default_factory=list)


@asynccontextmanager
async def start_fleet(database: str, folder: Path, tables: int) -> AsyncIterator[Fleet]:
    """Start three processes and seat people at so many tables.

    The tables are dealt out to sixteen servers on as many shards.
    """
    async with await DiscordServer.start(channel_names=("tables-0",), shards=SHARDS) as server:
        for number in range(1, SHARDS):
            server.add_guild(f"club {number}", f"tables-{number}")
        guilds = list(server.world.guilds)
        seated = [
            _seat_players(server, guilds[number % SHARDS], number) for number in range(tables)
        ]
        made = Fleet(server, database, folder, seated)
        try:
            await asyncio.gather(*map(made.start_member, made.members))
            await _begin_in_batches([made.begin_match(table) for table in seated])
            await poll_until(made.assign_matches, RECOVERY_LIMIT_S, lambda: "not all sat down")
            yield made
        finally:
            for member in made.members:
                await member.running.aclose()


async def _begin_in_batches(begun: Sequence[Any]) -> None:
    """Let a few tables at a time begin."""
    room = asyncio.Semaphore(8)

    async def one(begin: Any) -> None:
        async with room:
            await begin

    await asyncio.gather(*map(one, begun))


def _seat_players(server: DiscordServer, guild: int, number: int) -> FleetTable:
    channel = server.world.add_channel(TEXT, f"table-{number}", guild_id=guild)
    people = (server.get_person(f"ana-{number}"), server.get_person(f"ben-{number}"))
    return FleetTable(channel, people, GAMES[number % len(GAMES)])


def _parse_control(components: list[Json]) -> tuple[int, int] | None:
    for part in walk_components(components):
        found = CONTROL.match(part.get("custom_id", ""))
        if found and not part.get("disabled"):
            return int(found["match"]), int(found["version"])
    return None


def _is_offer(reply: Reply) -> bool:
    return any(":accept" in each for each in reply.find_controls())


async def _main(tables: int, seconds: float) -> None:
    with PostgreSQLServer("-F") as server, tempfile.TemporaryDirectory() as folder:
        async with start_fleet(server.create_database(), Path(folder), tables) as many:
            print(f"{tables} matches have begun")  # noqa: T201 - what this program is for
            many.think_s = THINKING_S
            killing = asyncio.create_task(many.kill_at_random(seconds, seed=1))
            playing = asyncio.create_task(many.play_for(seconds + PATIENCE_S))
            await asyncio.gather(killing, playing)
            found = await many.verify_tables()
            kills = sum(len(member.kills) for member in many.members)
            print(f"{kills} kills; {found}")  # noqa: T201


if __name__ == "__main__":
    asyncio.run(_main(int(sys.argv[1]), float(sys.argv[2])))
