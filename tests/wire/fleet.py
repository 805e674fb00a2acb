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
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.app import play
from bot.app.context import App
from bot.app.record import events_of, to_file, verify
from bot.app.tasks import LONGEST_PAUSE_S
from bot.client import now_ms
from bot.store import Shards, Store
from tests.forks import Forked
from tests.store.server import PostgreSQL

from .discord_server import DiscordServer
from .payloads import reply
from .people import Person
from .processes import forked_bot
from .replies import Reply, parts
from .sessions import Json
from .tabula import CONTROL, SOON, called_by, first_control
from .world import TEXT, Channel, Interaction, Message

SHARDS = 16
RANGES = (Shards(0, 4, SHARDS), Shards(5, 9, SHARDS), Shards(10, 15, SHARDS))
"""What each of three processes serves."""
GAMES = ("zeno", "twelve-dogs", "pyf", "todas-tablas", "backgammon")
LOOK_S = 0.2
"""Seconds between two looks at all the tables."""
PATIENCE_S = 8.0
"""Seconds after which somebody whose press was not acknowledged presses again."""
LONG_PATIENCE_S = 40.0
"""Seconds after which somebody acts again whose acknowledged press had no visible result."""
STARTS_S = 60.0
HEALS_S = 90.0
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
class Table:
    """Two people in a channel of their own, and their match, once it has begun."""

    channel: Channel
    people: tuple[Person, Person]
    game: str
    match: int = 0
    acts: list[Act] = field(default_factory=list)
    over: bool = False

    @property
    def guild(self) -> int:
        """The server."""
        assert self.channel.guild_id is not None
        return self.channel.guild_id


@dataclass
class Member:
    """One of the processes: what it serves, and when it was ended without warning."""

    shards: Shards
    running: AsyncExitStack = field(default_factory=AsyncExitStack)
    process: Forked | None = None
    kills: list[float] = field(default_factory=list)
    stops: list[float] = field(default_factory=list)


@dataclass
class Fleet:
    """The server, the database, the processes and the tables."""

    server: DiscordServer
    database: str
    folder: Path
    tables: list[Table]
    think_s: float = 0.0
    members: list[Member] = field(default_factory=lambda: [Member(shards) for shards in RANGES])
    _known: dict[int, tuple[float | None, bool, tuple[int, int] | None]] = field(
        default_factory=dict
    )

    async def start(self, member: Member) -> None:
        """Start a process, and wait until all that it serves is served."""
        log = self.folder / f"{member.shards.first}.log"
        complaints = log.open("ab")
        member.running.callback(complaints.close)
        process = forked_bot(
            self.server.api,
            self.server.world.token,
            "run",
            "--shards",
            str(member.shards),
            folder=self.folder,
            stderr=complaints.fileno(),
            TABULA_DATABASE=self.database,
        )
        member.process = await member.running.enter_async_context(process)
        await self.until(
            lambda: self._serves(member),
            STARTS_S,
            lambda: f"shards {member.shards} are not served: {log.read_text()[-2000:]}",
        )

    def _serves(self, member: Member) -> bool:
        connected = {session.shard.number for session in self.server.world.sessions.connected()}
        return connected >= set(member.shards.numbers)

    async def kill(self, member: Member) -> None:
        """End a process without warning."""
        assert member.process is not None
        member.kills.append(time.monotonic())
        member.process.kill()
        await self._ended(member)

    async def stop(self, member: Member) -> None:
        """End a process in good order."""
        assert member.process is not None
        member.stops.append(time.monotonic())
        member.process.send_signal(signal.SIGTERM)
        await self._ended(member)

    async def _ended(self, member: Member) -> None:
        assert member.process is not None
        await member.process.wait()
        await member.running.aclose()

    async def until(
        self, true: Callable[[], bool], patience_s: float, missing: Callable[[], str]
    ) -> None:
        """Wait for something to come about."""
        ends = time.monotonic() + patience_s
        while not true():
            assert time.monotonic() < ends, missing()
            await asyncio.sleep(LOOK_S / 2)

    def live(self) -> dict[int, list[tuple[int, int]]]:
        """Return the messages by which each match can be played: their ids and versions."""
        found: dict[int, list[tuple[int, int]]] = {}
        for message in list(self.server.world.messages.values()):
            control = self._control(message)
            if control is not None:
                match, version = control
                found.setdefault(match, []).append((message.id, version))
        return found

    def _control(self, message: Message) -> tuple[int, int] | None:
        """Return the match and version that a message plays.

        Only changed messages are read anew.
        """
        known = self._known.get(message.id)
        if known is None or known[:2] != (message.edited_at, bool(message.components)):
            control = None if message.viewer_id else _played_by(message.components)
            known = (message.edited_at, bool(message.components), control)
            self._known[message.id] = known
        return known[2]

    async def begin(self, table: Table) -> None:
        """Have a table's first person challenge the second, who accepts."""
        first, second = table.people
        await first.slash(
            "challenge", {"game": table.game, "opponent": second}, table.channel, timeout=STARTS_S
        )
        offer = await self.server.message(_is_offer, table.channel, timeout=STARTS_S)
        await second.press(offer, offer.custom_id("Accept"), timeout=STARTS_S)

    def seated(self) -> bool:
        """Find out which match began at which table; False while not everybody sits."""
        for match, messages in self.live().items():
            channel = self.server.world.messages[messages[0][0]].channel_id
            for table in self.tables:
                if table.channel.id == channel:
                    table.match = match
        return all(table.match for table in self.tables)

    async def play(self, seconds: float) -> None:
        """Let everybody play for so long, each when they see that it is their turn."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            live = self.live()
            for table in self.tables:
                await self._act(table, live.get(table.match, []))
            await asyncio.sleep(LOOK_S)

    def _waits(self, last: Act, now: float) -> bool:
        """Whether somebody who has pressed waits for what comes of it, or thinks."""
        if last.done is not None:
            return now - last.done < self.think_s
        patience = PATIENCE_S
        if last.interaction.answered is not None and not self._was_killed(last):
            patience = LONG_PATIENCE_S
        return now - last.at < patience

    async def _act(self, table: Table, live: list[tuple[int, int]]) -> None:
        now = time.monotonic()
        last = table.acts[-1] if table.acts else None
        if not live:
            return
        message, version = max(live)
        if last and last.done is None and version > last.version:
            last.done = now
        if (last and self._waits(last, now)) or not self.server.served(table.guild):
            return
        seen = reply(self.server.world, self.server.world.messages[message])
        first, second = table.people
        person = second if called_by(seen) == second.id else first
        custom_id = first_control(seen)
        if not CONTROL.match(custom_id):
            table.over = True
            return
        opened = await person.begin_use(seen, custom_id)
        table.acts.append(Act(opened, table.guild, version, now))

    def member_of(self, guild: int) -> Member:
        """Return the process that serves a server."""
        return next(member for member in self.members if member.shards.serve(guild))

    async def kill_now_and_then(self, seconds: float, seed: int) -> None:
        """Kill one process after another, drawn by lot of those that serve, and start it again."""
        draw = random.Random(seed)
        async with asyncio.TaskGroup() as starting:
            for _ in range(round(seconds / SECONDS_BETWEEN_KILLS)):
                await asyncio.sleep(SECONDS_BETWEEN_KILLS)
                serving = [member for member in self.members if self._serves(member)]
                if serving:
                    member = draw.choice(serving)
                    await self.kill(member)
                    starting.create_task(self.start(member))

    async def rest(self, store: Store) -> None:
        """Wait, doing nothing, until nothing is left to be done, nor to be tried again."""
        ends = time.monotonic() + HEALS_S
        while True:
            waiting = await store.jobs.due(now_ms() + 2 * LONGEST_PAUSE_S * 1000, 1000)
            left = [job for job in waiting if job.error or job.due <= now_ms() + SOON]
            if not left:
                return
            assert time.monotonic() < ends, left
            await asyncio.sleep(LOOK_S)

    async def verified(self) -> "Found":
        """Hold what Discord shows, and what people did, against the database."""
        async with await Store.open(self.database) as store:
            await self.rest(store)
            assert await store.check() == []
            assert await store.jobs.given_up() == []
            app = App(store, now_ms, lambda _: b"")
            live = self.live()
            found = Found()
            for table in self.tables:
                await self._verify(app, table, live.get(table.match, []), found)
            return found

    async def _verify(
        self, app: App, table: Table, live: list[tuple[int, int]], found: "Found"
    ) -> None:
        sitting = await play.load(app, table.match)
        happened = await play.history(app, sitting.row)
        events = events_of(sitting, happened)
        assert sitting.match.version == sitting.row.version == len(events)
        assert sitting.row.snapshot == play.snapshot(sitting.match)
        assert verify(to_file(sitting, events)).wrong is None
        over = sitting.match.outcome is not None
        expected = [] if over else [(sitting.row.message, sitting.row.version)]
        assert live == expected, (
            f"{table.match} is played by {live}, not {expected}: {self._seen(table)} {sitting.row}"
        )
        causes = [
            event.cause
            for event in await app.store.matches.events(table.match)
            if event.cause is not None
        ]
        assert len(causes) == len(set(causes))
        found.matches += 1
        found.over += over
        for version in {act.version for act in table.acts}:
            self._count([act for act in table.acts if act.version == version], set(causes), found)

    def _seen(self, table: Table) -> list[tuple[int, list[str]]]:
        """What stands in a table's channel, and what can be pressed there."""
        return [
            (seen.message_id or 0, list(seen.pressable()))
            for seen in self.server.channel_messages(table.channel)
        ]

    def _count(self, acts: Sequence[Act], saved: Collection[str], found: "Found") -> None:
        """Count the results of the acts at one version of a match; only one can be saved."""
        done = [act for act in acts if str(act.interaction.id) in saved]
        unanswered = [act for act in acts if act.interaction.answered is None]
        assert len(done) <= 1
        # An act is saved before it is acknowledged, so only a kill may come between the two.
        assert all(self._was_killed(act) for act in done if act in unanswered), (
            "saved without an acknowledgement"
        )
        found.acts += len(acts)
        found.saved += len(done)
        found.unanswered += len(unanswered)
        lived = [act for act in acts if act not in unanswered and not self._was_killed(act)]
        if lived and not done:
            found.lost += [str(act.interaction.id) for act in lived]

    def _was_killed(self, act: Act) -> bool:
        """Whether the process that an act was for was killed while it might have been at it."""
        kills = self.member_of(act.guild).kills
        return any(act.at < at < (act.done or act.at + LONG_PATIENCE_S) for at in kills)


@dataclass
class Found:
    """What came of it.

    `lost` are the acts that were acknowledged by a process that lived on, and are saved no more
    than any other act at the same version.
    """

    matches: int = 0
    over: int = 0
    acts: int = 0
    saved: int = 0
    unanswered: int = 0
    lost: list[str] = field(default_factory=list)


@asynccontextmanager
async def fleet(database: str, folder: Path, tables: int) -> AsyncIterator[Fleet]:
    """Start three processes and seat people at so many tables.

    The tables are dealt out to sixteen servers on as many shards.
    """
    async with await DiscordServer.start(channel_names=("tables-0",), shards=SHARDS) as server:
        for number in range(1, SHARDS):
            server.add_guild(f"club {number}", f"tables-{number}")
        guilds = list(server.world.guilds)
        seated = [_seated(server, guilds[number % SHARDS], number) for number in range(tables)]
        made = Fleet(server, database, folder, seated)
        try:
            await asyncio.gather(*map(made.start, made.members))
            await _in_turn([made.begin(table) for table in seated])
            await made.until(made.seated, HEALS_S, lambda: "not all sat down")
            yield made
        finally:
            for member in made.members:
                await member.running.aclose()


async def _in_turn(begun: Sequence[Any]) -> None:
    """Let a few tables at a time begin."""
    room = asyncio.Semaphore(8)

    async def one(begin: Any) -> None:
        async with room:
            await begin

    await asyncio.gather(*map(one, begun))


def _seated(server: DiscordServer, guild: int, number: int) -> Table:
    channel = server.world.add_channel(TEXT, f"table-{number}", guild_id=guild)
    people = (server.person(f"ana-{number}"), server.person(f"ben-{number}"))
    return Table(channel, people, GAMES[number % len(GAMES)])


def _played_by(components: list[Json]) -> tuple[int, int] | None:
    for part in parts(components):
        found = CONTROL.match(part.get("custom_id", ""))
        if found and not part.get("disabled"):
            return int(found["match"]), int(found["version"])
    return None


def _is_offer(seen: Reply) -> bool:
    return any(":accept" in each for each in seen.pressable())


async def _main(tables: int, seconds: float) -> None:
    with PostgreSQL("-F") as server, tempfile.TemporaryDirectory() as folder:
        async with fleet(server.empty(), Path(folder), tables) as many:
            print(f"{tables} matches have begun")  # noqa: T201 - what this program is for
            many.think_s = THINKING_S
            killing = asyncio.create_task(many.kill_now_and_then(seconds, seed=1))
            playing = asyncio.create_task(many.play(seconds + PATIENCE_S))
            await asyncio.gather(killing, playing)
            found = await many.verified()
            kills = sum(len(member.kills) for member in many.members)
            print(f"{kills} kills; {found}")  # noqa: T201


if __name__ == "__main__":
    asyncio.run(_main(int(sys.argv[1]), float(sys.argv[2])))
