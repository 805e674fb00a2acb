"""The real bot as a process of its own at the stand-in, and two people who play by what they see."""

import asyncio
import re
import sqlite3
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Awaitable, Iterable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path

from .discord_server import DiscordServer
from .people import PATIENCE, Person
from .processes import bot_process
from .replies import Kind, Reply
from .world import Interaction

CONTROL = re.compile(r"(?:match|plays):(?P<match>\d+):(?P<version>\d+):")
"""The custom_id of what plays a match: the match, and the version of it that is shown."""
MENTION = re.compile(r"<@(\d+)>")
SMALL_PRINT = "-# "
RUN = (sys.executable, "-m", "bot", "run")


def shown_version(seen: Reply, match: int = 1) -> int | None:
    """Return the version of a match that the usable controls of a message play, if it has such controls."""
    found = [CONTROL.match(custom_id) for custom_id in seen.pressable()]
    versions = [int(each["version"]) for each in found if each and int(each["match"]) == match]
    return max(versions, default=None)


def live_messages(seen: Iterable[Reply], match: int = 1) -> list[Reply]:
    """Return the messages by which a match can be played: those with usable controls of it."""
    return [each for each in seen if shown_version(each, match) is not None]


@dataclass(frozen=True)
class Wire:
    """A server with two people, and the file that the bot keeps its matches in."""

    server: DiscordServer
    database: Path
    ana: Person
    ben: Person

    @asynccontextmanager
    async def bot(self, stderr: int | None = None, **settings: str) -> AsyncIterator[Process]:
        """Run the bot, in the database's folder, until the block ends or the test kills it."""
        api, token = self.server.api, self.server.world.token
        folder, settings = self.database.parent, {"TABULA_DATABASE": self.database.name, **settings}
        async with bot_process(api, token, *RUN, folder=folder, stderr=stderr, **settings) as process:
            await self.server.ready()
            yield process

    async def kill(self, process: Process) -> None:
        """Kill the bot without warning, and wait until its connection is gone."""
        process.kill()
        await process.wait()
        await self.server.gone()

    async def killed(self, process: Process, deed: Awaitable[object], moment: Awaitable[object]) -> None:
        """Kill the bot at that moment of a deed, which is then given up."""
        doing = asyncio.ensure_future(deed)
        await moment
        await self.kill(process)
        doing.cancel()
        await asyncio.wait([doing])

    async def begin(self, game: str) -> None:
        """Ana challenges Ben, who accepts."""
        await self.ana.slash("challenge", {"game": game, "opponent": self.ben})
        offer = await self.server.message(lambda seen: "challenges" in seen.text)
        await self.ben.press(offer, offer.custom_id("Accept"))
        await self.shown()

    def newest(self) -> Reply:
        """The newest message with something to press, or else the newest of all."""
        seen = self.server.channel_messages()
        return next((each for each in reversed(seen) if each.pressable()), seen[-1])

    def live_message(self, match: int = 1) -> Reply:
        """The one message by which a match can be played; raises AssertionError when there is none or several."""
        live = live_messages(self.server.channel_messages(), match)
        assert len(live) == 1, f"{len(live)} messages play match {match}: {[seen.text for seen in live]}"
        return live[0]

    def called(self) -> Person:
        """The one whom the newest message calls in its last line above the small print; Ana where it calls nobody."""
        newest = self.newest()
        lines = [line for line in (newest.content or newest.text).splitlines() if not line.startswith(SMALL_PRINT)]
        found = MENTION.search(lines[-1])
        return self.ben if found and int(found[1]) == self.ben.id else self.ana

    async def press(self, person: Person, seen: Reply, custom_id: str, timeout: float = PATIENCE) -> Reply:
        """Have somebody press a button of a message as it was `seen`, or pick the first entry of a menu."""
        control = seen.pressable()[custom_id]
        if control["type"] == Kind.STRING_SELECT:
            return await person.choose(seen, custom_id, [control["options"][0]["value"]], timeout)
        return await person.press(seen, custom_id, timeout)

    async def act(self, timeout: float = PATIENCE) -> Reply:
        """Do what the newest message asks for, by its first menu or button, and return the answer."""
        seen = self.newest()
        choices = seen.pressable()
        menus = [custom_id for custom_id, control in choices.items() if control["type"] == Kind.STRING_SELECT]
        return await self.press(self.called(), seen, [*menus, *choices][0], timeout)

    async def play(self, turns: int) -> None:
        """Do what is asked for so many times, each time when the channel shows what came of it."""
        for _ in range(turns):
            before = self.saved_version()
            await self.act()
            await self.shown(after=before)

    async def refused(self, person: Person, seen: Reply, custom_id: str, sentence: str) -> None:
        """Have somebody press what is out of date, and see that it tells them so and does nothing else."""
        before, last = self.saved_version(), person.sees()[-1].message_id
        answer = await self.press(person, seen, custom_id)
        told = answer if answer.ephemeral else await person.told(sentence, after=last)
        assert sentence in told.text
        assert self.saved_version() == before

    def told(self, since: int) -> bool:
        """Whether anybody was answered, counting what was done from the `since`-th act."""
        return any(act.answered is not None for act in self.acts()[since:])

    def acts(self) -> list[Interaction]:
        """All that anybody has done, oldest first."""
        return list(self.server.world.interactions.values())

    async def shown(self, after: int = 0) -> None:
        """Wait until something is saved that comes after a version, and the channel shows the match as it stands."""
        await self.server.message(lambda _: self.over() or after < self.saved_version() == self.shown_version())

    def settled(self) -> bool:
        """Whether the match is over, or one message alone plays it, as it was saved."""
        live = live_messages(self.server.channel_messages())
        return self.over() or [shown_version(seen) for seen in live] == [self.saved_version()]

    def over(self) -> bool:
        """Whether the newest message is the last of a match."""
        return "Rematch" in [control.get("label") for control in self.newest().pressable().values()]

    def shown_version(self) -> int:
        """The version of match 1 that the newest controls in the channel play, 0 without any."""
        return max((shown_version(seen) or 0 for seen in self.server.channel_messages()), default=0)

    def saved_version(self) -> int:
        """How many events of match 1 are in the file."""
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            (count,) = connection.execute("SELECT count(*) FROM events WHERE match = 1").fetchone()
        return int(count)
