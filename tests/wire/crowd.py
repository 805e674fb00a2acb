"""Many people at many tables who act at the same moment, and how long each of them waits."""

import asyncio
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .discord_server import DiscordServer
from .people import WirePerson
from .replies import Reply, walk_components
from .sessions import Json
from .tabula import find_mentioned_id
from .world import EPHEMERAL, Interaction, Request, WorldChannel

POLL_S = 0.25
"""Seconds between looks at the tables.

A look after every request would slow the server down.
"""
PATIENCE_S = 15.0
"""Seconds after which those who have not been served are taken to be forgotten."""


@dataclass(frozen=True, slots=True)
class CrowdTable:
    """Two people in a channel of their own."""

    channel: WorldChannel
    first: WirePerson
    second: WirePerson

    @property
    def players(self) -> tuple[WirePerson, WirePerson]:
        """Both of them."""
        return self.first, self.second

    async def begin_challenge(self, game: str) -> None:
        """The first challenges the second, without waiting for the answer."""
        await self.first.begin_slash(
            "challenge", {"game": game, "opponent": self.second}, self.channel
        )

    def find_mentioned_player(self, reply: Reply) -> WirePerson:
        """The one whom a message calls last above its small print, or else the first."""
        called = find_mentioned_id(reply)
        return self.second if self.second.id == called else self.first


@dataclass(frozen=True, slots=True)
class CrowdWaits:
    """What a crowd that acted at once waited for: seconds, infinite for what never came.

    `answers` has each act's first answer, `messages` each table's next message with controls.
    """

    answers: list[float]
    messages: list[float]


def name_channels(tables: int) -> tuple[str, ...]:
    """Return the names of the channels that so many tables need."""
    return tuple(f"table-{number}" for number in range(tables))


def find_version(control: re.Pattern[str], found: Iterable[Json]) -> int:
    """Return the version that the usable ones of a message's parts play, 0 without any."""
    usable = (part.get("custom_id", "") for part in found if not part.get("disabled"))
    playing = (control.match(custom_id) for custom_id in usable)
    return max((int(each["version"]) for each in playing if each), default=0)


@dataclass(frozen=True, slots=True)
class Crowd:
    """The tables of a server; `control` matches the ids of what plays there.

    The pattern has a group `version`, which rises from each state of a table to the next.
    """

    server: DiscordServer
    tables: list[CrowdTable]
    control: re.Pattern[str]

    @classmethod
    def seat_people(cls, server: DiscordServer, tables: int, control: str) -> "Crowd":
        """Return a crowd for a server's channels, which were made by `channel_names(tables)`."""
        names = name_channels(tables)
        pairs = [
            (server.get_person(f"{name}-ana"), server.get_person(f"{name}-ben")) for name in names
        ]
        seats = [
            CrowdTable(server.get_channel(name), *pair)
            for name, pair in zip(names, pairs, strict=True)
        ]
        return cls(server, seats, re.compile(control))

    def find_version(self, components: Iterable[Json]) -> int:
        """Return the version that usable controls play, 0 without any."""
        return find_version(self.control, walk_components(list(components)))

    def find_live_message(self, table: CrowdTable) -> Reply | None:
        """Return the newest message by which a table can be played, if there is one."""
        seen = reversed(self.server.list_messages(table.channel))
        return next((one for one in seen if self.find_version(one.components)), None)

    def find_offer(self, table: CrowdTable) -> Reply | None:
        """Return the challenge at a table that can be accepted, if there is one."""
        seen = self.server.list_messages(table.channel)
        return next((one for one in seen if "Accept" in one.list_labels()), None)

    async def begin_match(self, table: CrowdTable, game: str, level: str | None = None) -> None:
        """Begin a match at a table, against the computer of a level or of the two there."""
        if level:
            await table.first.slash("play", {"game": game, "level": level}, table.channel)
        else:
            await table.begin_challenge(game)
            await self.wait_for_table(table, self.find_offer)
            offer = self.find_offer(table)
            assert offer is not None
            await table.second.press(offer, offer.find_custom_id("Accept"))
        await self.wait_for_table(table, self.find_live_message)

    async def time_act(self, table: CrowdTable, look_s: float, patience_s: float) -> float:
        """Do the first thing that a table's message offers.

        Return the seconds until the next can be done, the match is over or patience ends.
        """
        await self.wait_for_table(table, self.find_live_message)
        reply, loop = self._get_live_message(table), asyncio.get_running_loop()
        before, begun = self._find_live_version(table), loop.time()
        await _use_first_control(table.find_mentioned_player(reply), reply)
        while loop.time() - begun < patience_s and self._find_live_version(table) <= before:
            newest = self.server.list_messages(table.channel)[-1]
            if "Rematch, sides swapped" in newest.list_labels():
                break
            await asyncio.sleep(look_s)
        return loop.time() - begun

    async def wait_for_table(
        self, table: CrowdTable, is_served: Callable[[CrowdTable], object]
    ) -> None:
        """Wait until this is true of one table, or patience ends."""
        await self.wait_for_tables(lambda each: each is not table or is_served(each))

    async def wait_for_tables(self, is_served: Callable[[CrowdTable], object]) -> None:
        """Wait until this is true of every table, or patience ends."""
        waiting, looks = list(self.tables), int(PATIENCE_S / POLL_S)
        while waiting and looks:
            await asyncio.sleep(POLL_S)
            waiting, looks = [table for table in waiting if not is_served(table)], looks - 1

    async def press_at_once(self) -> CrowdWaits:
        """Let all press the first button or use the first menu of their table's message at once."""
        asked, before = len(self.server.requests), self.find_versions()
        acts = [
            await _use_first_control(person, self._get_live_message(table))
            for table in self.tables
            for person in table.players
        ]
        await self.wait_for_tables(
            lambda table: self._find_live_version(table) > before[table.channel.id]
        )
        await self.wait_for_tables(
            lambda table: all(
                _is_finished(self.server, person.acts[-1]) for person in table.players
            )
        )
        begun = {act.channel_id: act.born for act in reversed(acts)}
        came = self._find_update_times(self.server.requests[asked:], before)
        messages = [came.get(channel, math.inf) - moment for channel, moment in begun.items()]
        return CrowdWaits([measure_wait(act) for act in acts], messages)

    def find_versions(self) -> dict[int, int]:
        """Return the version that each table's newest message with controls plays, by channel."""
        return {table.channel.id: self._find_live_version(table) for table in self.tables}

    def _get_live_message(self, table: CrowdTable) -> Reply:
        reply = self.find_live_message(table)
        assert reply is not None, f"nothing can be pressed in {table.channel.name}"
        return reply

    def _find_live_version(self, table: CrowdTable) -> int:
        reply = self.find_live_message(table)
        return self.find_version(reply.components) if reply else 0

    def _find_update_times(
        self, requests: list[Request], before: dict[int, int]
    ) -> dict[int, float]:
        """Return the moment at which each channel first showed a version after the one `before`."""
        came: dict[int, float] = {}
        for request in requests:
            message = request.message
            if message is None or message["flags"] & EPHEMERAL:
                continue
            channel = int(message["channel_id"])
            if self.find_version(message["components"]) > before.get(channel, 0):
                came.setdefault(channel, request.at)
        return came


async def _use_first_control(person: WirePerson, reply: Reply) -> Interaction:
    return await person.begin_use(reply, next(iter(reply.find_controls())))


def _is_finished(server: DiscordServer, act: Interaction) -> bool:
    """Whether an act is answered, or never will be in time."""
    return (
        act.answered is not None
        or asyncio.get_running_loop().time() - act.born > server.world.deadline_s
    )


def measure_wait(act: Interaction) -> float:
    """Return how long somebody waited for the first answer to an act, in seconds."""
    return math.inf if act.answer_delay is None else act.answer_delay
