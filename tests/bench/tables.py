"""Tables at which people play one after another.

Each acts as soon as the table shows something new, or at a steady pace. What a bot has said is read
as it comes, and forgotten when nobody needs it any more, so that an hour of play is no heavier than
a minute.
"""

import asyncio
import math
import re
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count, cycle
from typing import TypeAlias

from tests.wire.crowd import find_version, measure_wait
from tests.wire.discord_server import MEMBER_PERMISSIONS, DiscordServer
from tests.wire.endpoints import TOKEN_PATHS
from tests.wire.payloads import make_reply
from tests.wire.people import WirePerson
from tests.wire.replies import Reply, walk_components
from tests.wire.sessions import poll_until
from tests.wire.tabula import MAN, find_first_control, find_mentioned_id
from tests.wire.world import TEXT, Account, Interaction, Request, WorldChannel

LOOK_S = 0.01
"""Seconds between two looks at what the bot has said."""
PATIENCE_S = 30.0
"""Seconds after which an act is taken to be forgotten."""
AT_ONCE = 30
"""People who act at the same time, each at tables of their own."""
ReadCommand: TypeAlias = tuple[str, Mapping[str, str]]
"""A command, and what is given to it."""
READS: Sequence[ReadCommand] = (
    ("match board", {}),
    ("matches", {}),
    ("me profile", {}),
    ("leaderboard", {}),
    ("leaderboard", {"scope": "everywhere"}),
    ("match record", {}),
)
READS_EVERY = 3
"""What people read, and that it is every third thing they do."""
KEPT = 6
"""Messages of a channel that are kept besides the one by which it can be played."""
KEPT_S = 60.0
"""Seconds for which is kept what somebody did."""
REMATCH, ACCEPT = "Rematch, sides swapped", "Accept"
"""What is offered in the last message of a match, and in a challenge."""


@dataclass(frozen=True, slots=True)
class PlayableMessage:
    """The message with a table's controls, the version that it plays, and when it was there."""

    message: int
    version: int
    at: float


@dataclass(slots=True)
class BenchTable:
    """People in a channel of their own, and the message by which they can play, if there is one."""

    channel: WorldChannel
    people: Sequence[WirePerson]
    shown: PlayableMessage | None = None
    over: bool = False
    offer: int = 0
    messages: deque[int] = field(default_factory=deque)

    @property
    def version(self) -> int:
        """The version that can be played, 0 where nothing can."""
        return self.shown.version if self.shown else 0

    @property
    def display_time(self) -> float:
        """The time when the table began to show what it does.

        A finished match has no message by which it can be played.
        """
        return self.shown.at if self.shown else time.monotonic()


@dataclass(frozen=True, slots=True)
class ActWait:
    """How many seconds somebody waited for the first answer and for all that followed.

    Infinity means that they waited in vain.
    """

    what: str
    answer: float
    outcome: float


@dataclass(slots=True)
class BenchTables:
    """The tables of a server.

    `control` matches the ids of the controls there and has a group `version` that rises.
    """

    server: DiscordServer
    control: re.Pattern[str]
    by_channel: dict[int, BenchTable] = field(default_factory=dict)
    waits: list[ActWait] = field(default_factory=list)
    counted: int = 0
    """Requests that Discord counts: all but the answers to interactions."""
    requests: int = 0
    """All requests."""

    def add_table(self, guild: int, channel: int, people: Sequence[int]) -> None:
        """Set up a table, before the bot is connected; all numbers are taken as they are."""
        world = self.server.world
        world.guilds.setdefault(guild, f"club {guild}")
        for person in people:
            world.accounts.setdefault(
                person, Account(person, f"Person {person}", MEMBER_PERMISSIONS)
            )
        place = world.channels[channel] = WorldChannel(channel, TEXT, f"table {channel}", guild)
        self.by_channel[channel] = BenchTable(
            place, [WirePerson(world, world.accounts[person]) for person in people]
        )

    @property
    def playable_tables(self) -> list[BenchTable]:
        """The tables at which somebody can play."""
        return [table for table in self.by_channel.values() if table.shown]

    @asynccontextmanager
    async def follow_requests(self) -> AsyncIterator[None]:
        """Read what the bot says until the block ends."""
        following = asyncio.create_task(self._poll_requests())
        try:
            yield
        finally:
            following.cancel()

    async def _poll_requests(self) -> None:
        world = self.server.world
        while True:
            said, world.requests[:] = list(world.requests), []
            self.requests += len(said)
            for request in said:
                self.counted += not TOKEN_PATHS.match(request.path)
                self._process_request(request)
            self._forget_acts()
            await asyncio.sleep(LOOK_S)

    def _process_request(self, request: Request) -> None:
        message = request.message
        table = self.by_channel.get(int(message["channel_id"])) if message else None
        if message is None or table is None:
            return
        number, components = int(message["id"]), list(walk_components(message["components"]))
        version = find_version(self.control, components)
        if version and (table.shown is None or version > table.shown.version):
            table.shown, table.over = PlayableMessage(number, version, request.at), False
        labels = [part.get("label") for part in components]
        if REMATCH in labels:
            table.shown, table.over = None, True
        if ACCEPT in labels:
            table.offer = number
        if number not in table.messages:
            table.messages.append(number)
        while len(table.messages) > KEPT:
            oldest = table.messages.popleft()
            if table.shown and oldest == table.shown.message:
                table.messages.append(oldest)
            else:
                self.server.world.messages.pop(oldest, None)

    def _forget_acts(self) -> None:
        """Forget who did what long ago; they are in the order in which they were done."""
        acts = self.server.world.interactions
        long_ago = time.monotonic() - KEPT_S
        while acts and (oldest := next(iter(acts.values()))).born < long_ago:
            del acts[oldest.token]

    def get_live_message(self, table: BenchTable) -> Reply:
        """Return the message by which a table can be played."""
        assert table.shown is not None
        return make_reply(self.server.world, self.server.world.messages[table.shown.message])

    async def play_turn(self, table: BenchTable) -> None:
        """Do at a table what is asked for, and wait until the next message is there."""
        before = table.version
        reply = self.get_live_message(table)
        called = find_mentioned_id(reply)
        person = next((each for each in table.people if each.id == called), table.people[0])
        if MAN.match(find_first_control(reply)):
            chosen = await person.begin_use(reply, find_first_control(reply))
            await self._wait_until(lambda: chosen.answered is not None)
            reply = self.get_live_message(table)
        interaction = await person.begin_use(reply, find_first_control(reply))
        gone_on = await self._wait_until(lambda: table.version > before or table.over)
        self._record_wait("press", interaction, table.display_time if gone_on else math.inf)

    async def use_command(self, table: BenchTable, command: str, values: Mapping[str, str]) -> None:
        """Have one of a table use a command there, and wait for the whole answer."""
        interaction = await table.people[0].begin_slash(command, values, table.channel)
        answered = await self._wait_until(lambda: interaction.reply is not None)
        what = " ".join([f"/{command}", *values.values()])
        self._record_wait(what, interaction, time.monotonic() if answered else math.inf)

    async def start_match(self, table: BenchTable, game: str) -> None:
        """Have a table's first player challenge the second; wait until they can play."""
        first, second = table.people
        table.offer = 0
        await first.begin_slash("challenge", {"game": game, "opponent": second}, table.channel)
        if not await self._wait_until(lambda: table.offer > 0):
            return
        reply = make_reply(self.server.world, self.server.world.messages[table.offer])
        await second.begin_press(reply, reply.find_custom_id(ACCEPT))
        await self._wait_until(lambda: table.version > 0)

    async def _wait_until(self, true: Callable[[], bool]) -> bool:
        ends = time.monotonic() + PATIENCE_S
        while not true():
            if time.monotonic() > ends:
                return False
            await asyncio.sleep(LOOK_S)
        return True

    def _record_wait(self, what: str, interaction: Interaction, came: float) -> None:
        self.waits.append(ActWait(what, measure_wait(interaction), came - interaction.born))

    async def wait_until_playable(self, tables: int, patience_s: float) -> None:
        """Wait until so many tables can be played."""
        await poll_until(
            lambda: len(self.playable_tables) >= tables,
            patience_s,
            lambda: f"{len(self.playable_tables)} of {tables} tables can be played",
        )


def _deal_tables(tables: BenchTables, people: int) -> list[Sequence[BenchTable]]:
    """Deal the tables out to people who act at the same time."""
    playable = tables.playable_tables
    return [playable[number::people] for number in range(min(people, len(playable)))]


async def play_fast(tables: BenchTables, seconds: float, people: int = AT_ONCE) -> list[ActWait]:
    """Let so many people act as soon as they see something new."""
    ends = time.monotonic() + seconds

    async def one(own: Sequence[BenchTable]) -> None:
        for table in cycle(own):
            if time.monotonic() > ends or not any(each.shown for each in own):
                return
            if table.shown:
                await tables.play_turn(table)

    return await _collect_waits(tables, one, people)


async def play_steadily(
    tables: BenchTables, seconds: float, pace: float, reads: Sequence[ReadCommand]
) -> list[ActWait]:
    """Let everybody act and read at their own pace, which comes to so many acts a second."""
    ends = time.monotonic() + seconds
    people = min(AT_ONCE, len(tables.playable_tables))
    pause = people / pace
    numbers = count()

    async def one(own: Sequence[BenchTable]) -> None:
        # They do not all act at the same moment.
        due = time.monotonic() + pause * next(numbers) / people
        for table in cycle(own):
            if due > ends:
                return
            await asyncio.sleep(due - time.monotonic())
            due += pause
            round_, turn = divmod(next(numbers), READS_EVERY)
            if reads and turn == 0:
                await tables.use_command(table, *reads[round_ % len(reads)])
            elif table.shown:
                await tables.play_turn(table)

    return await _collect_waits(tables, one, AT_ONCE)


async def _collect_waits(
    tables: BenchTables, one: Callable[[Sequence[BenchTable]], Awaitable[None]], people: int
) -> list[ActWait]:
    tables.waits = []
    await asyncio.gather(*(one(own) for own in _deal_tables(tables, people)))
    return tables.waits


def compute_quantile(values: Sequence[float], part: float) -> float:
    """Return what this part of the values does not exceed; nan where there are none."""
    ordered = sorted(values)
    return ordered[math.ceil(len(ordered) * part) - 1] if ordered else math.nan
