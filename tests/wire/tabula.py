"""The real bot as a process of its own at the stand-in, and two people who play what they see."""

import asyncio
import json
import re
import secrets
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from bot.features.matches import loading
from bot.features.matches import service as play
from bot.features.matches.record import build_record, encode_events, verify_record
from bot.platform.context import App
from bot.platform.db.backups import back_up_database
from bot.platform.db.preferences import PlayerPreferences
from bot.platform.db.store import Store
from bot.platform.db.tables import now_ms
from engine.games import find_game
from engine.notation import format_play
from engine.plays import list_legal_plays
from engine.position_text import parse_position
from tests.support.forks import ForkedProcess

from .discord_server import DiscordServer
from .people import OptionalChannel, WirePerson
from .processes import fork_bot
from .replies import ComponentKind, Reply
from .sessions import PATIENCE_S, poll_until
from .world import DEADLINE_S, Interaction

CONTROL = re.compile(r"(?:match|plays|man)(?:\.[0-9a-f]+)?:(?P<match>\d+):(?P<version>\d+):")
"""The custom_id of what plays a match: the match, and the version of it that is shown."""
MAN = re.compile(r"man[.:]")
"""How the custom_id begins by which a man is chosen before his move."""
MENTION = re.compile(r"<@(\d+)>")
SMALL_PRINT = "-# "
_TIME_COLUMNS = {
    "events": ("at",),
    "matches": ("created", "touched"),
    "jobs": ("due",),
    "outages": ("began", "ended"),
    "stoppages": ("began", "ended"),
}
"""The columns that tell when something was, or is to be."""
SOON_MS = 10_000
"""Milliseconds in which urgent jobs are due.

A match that goes on has other jobs, too, for later.
"""


def find_match_version(reply: Reply, match: int = 1) -> int | None:
    """Return the version of a match that a message's usable controls play, if it has any."""
    found = [CONTROL.match(custom_id) for custom_id in reply.find_controls()]
    versions = [int(each["version"]) for each in found if each and int(each["match"]) == match]
    return max(versions, default=None)


def filter_live_messages(seen: Iterable[Reply], match: int = 1) -> list[Reply]:
    """Return the messages by which a match can be played: those with usable controls of it."""
    return [each for each in seen if find_match_version(each, match) is not None]


SHARD_WAIT_S = 60.0
"""Seconds within which a bot that is connected notes it; a heartbeat comes every twenty."""


@dataclass(frozen=True)
class WireHarness:
    """A server with two people, and the file that the bot keeps its matches in.

    They play in `place`, the first channel where it is left out.
    """

    server: DiscordServer
    database: Path
    ana: WirePerson
    ben: WirePerson
    place: OptionalChannel = None

    @asynccontextmanager
    async def start_bot(
        self, stderr: int | None = None, **settings: str
    ) -> AsyncIterator[ForkedProcess]:
        """Run the bot, in the database's folder, until the block ends or the test kills it."""
        folder, settings = self.database.parent, {"TABULA_DATABASE": self.database.name, **settings}
        async with fork_bot(
            self.server, "run", folder=folder, stderr=stderr, **settings
        ) as process:
            await self.server.wait_until_ready()
            yield process

    async def kill(self, process: ForkedProcess) -> None:
        """Kill the bot without warning, and wait until its connection is gone."""
        process.kill()
        await process.wait()
        await self.server.wait_until_disconnected()

    async def kill_during(
        self, process: ForkedProcess, deed: Awaitable[object], moment: Awaitable[object]
    ) -> None:
        """Kill the bot at that moment of a deed, which is then given up."""
        doing = asyncio.ensure_future(deed)
        await moment
        await self.kill(process)
        doing.cancel()
        await asyncio.wait([doing])

    async def begin_match(self, game: str, **options: Any) -> None:
        """Ana challenges Ben, who accepts."""
        await self.ana.slash("challenge", {"game": game, "opponent": self.ben, **options})
        offer = await self.server.wait_for_message(
            lambda reply: any(":accept" in each for each in reply.find_controls())
        )
        await self.ben.press(offer, offer.find_custom_id("Accept"))
        await self.wait_until_shown()

    def pass_time(self, milliseconds: int, *, unseen: bool) -> None:
        """Let so much time pass, `unseen` by the bot, which must be down.

        All times in the file move back by that much.
        """
        with closing(sqlite3.connect(self.database, isolation_level=None)) as connection:
            for table, columns in _TIME_COLUMNS.items():
                moved = ", ".join(f"{column} = {column} - {milliseconds}" for column in columns)
                connection.execute(f"UPDATE {table} SET {moved}")
            if unseen:
                connection.execute("UPDATE presences SET at = at - ?", (milliseconds,))

    def get_newest_message(self) -> Reply:
        """The newest message with something to press, or else the newest of all."""
        replies = self.server.list_messages(self.place)
        return next((each for each in reversed(replies) if each.find_controls()), replies[-1])

    def get_live_message(self, match: int = 1) -> Reply:
        """Return the only message by which a match can be played.

        Raises AssertionError when there is none or several.
        """
        live = filter_live_messages(self.server.list_messages(self.place), match)
        assert len(live) == 1, (
            f"{len(live)} messages play match {match}: {[reply.text for reply in live]}"
        )
        return live[0]

    def get_next_player(self, reply: Reply | None = None) -> WirePerson:
        """The one whom a message, or else the newest, calls in its last line above the small print.

        Ana where it calls nobody.
        """
        return (
            self.ben
            if find_mentioned_id(reply or self.get_newest_message()) == self.ben.id
            else self.ana
        )

    async def press(
        self, person: WirePerson, reply: Reply, custom_id: str, timeout: float = PATIENCE_S
    ) -> Reply:
        """Have somebody press a button of a `reply`, or pick a menu's first entry."""
        reply = _show_control(reply, custom_id)
        control = reply.find_controls()[custom_id]
        if control["type"] == ComponentKind.STRING_SELECT:
            return await person.choose(reply, custom_id, [control["options"][0]["value"]], timeout)
        return await person.press(reply, custom_id, timeout)

    def find_next_control(self, reply: Reply) -> str:
        """The id of a message's first menu or button that does something in the match.

        Where a man is to be chosen first, it is that of the button which would follow.
        """
        custom_id = find_first_control(reply)
        if not MAN.match(custom_id):
            return custom_id
        verb, number, version, _ = custom_id.split(":")
        play = self.find_legal_play(int(number))
        return f"{verb.replace('man', 'match')}:{number}:{version}:move:{play}"

    def find_legal_play(self, match: int = 1) -> str:
        """Return the first legal play of a match as it is saved."""
        query = f"SELECT game, edition, options, snapshot FROM matches WHERE id = {match}"
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            slug, edition, options, snapshot = connection.execute(query).fetchone()
        rules = find_game(slug, edition).resolve_rules(json.loads(options))
        position = parse_position(json.loads(snapshot)["position"], rules)
        return format_play(list_legal_plays(rules, position)[0].moves, rules, position)

    async def begin_next(self, person: WirePerson, reply: Reply) -> Interaction:
        """Use the first control of a `reply` as it was, without waiting for the answer."""
        custom_id = self.find_next_control(reply)
        return await person.begin_use(_show_control(reply, custom_id), custom_id)

    async def act_by_control(self, timeout: float = PATIENCE_S) -> Reply:
        """Use the first menu or button of the newest message, and return the answer."""
        reply = self.get_newest_message()
        control = self.find_next_control(reply)
        return await self.press(self.get_next_player(), reply, control, timeout)

    async def act_by_command(self, timeout: float = PATIENCE_S) -> Reply:
        """Do what the newest message asks for, by a command, and return the answer."""
        reply = self.get_newest_message()
        custom_id = self.find_next_control(reply)
        control = reply.find_controls().get(custom_id, {})
        _, _, play = custom_id.partition(":move:")
        if control.get("type") == ComponentKind.STRING_SELECT:
            play = control["options"][0]["value"]
        if play:
            return await self.get_next_player().slash("move", {"play": play}, self.place, timeout)
        return await self.get_next_player().slash("roll", channel=self.place, timeout=timeout)

    async def play(self, turns: int, way: "ActMethod | None" = None) -> None:
        """Do what is asked for so many times, each time when the channel shows what came of it."""
        for _ in range(turns):
            await self.server.wait_for_message(lambda _: self._has_match_control())
            before = self.get_saved_version()
            await (way or BY_CONTROL)(self, PATIENCE_S)
            await self.wait_until_shown(after=before)

    def _has_match_control(self) -> bool:
        """Whether there is more to press than to take something back, before the bot's throw."""
        return self.is_over() or any(
            CONTROL.match(each) and not each.endswith(":back")
            for each in self.get_newest_message().find_controls()
        )

    async def play_to_throw(self) -> None:
        """Play until a throw is due, with which a turn begins."""
        while "Roll" not in self.get_newest_message().list_labels():
            await self.play(1)
        await self.wait_for_jobs()

    def list_interactions(self) -> list[Interaction]:
        """All that anybody has done, oldest first."""
        return list(self.server.world.interactions.values())

    async def wait_until_shown(self, after: int = 0) -> None:
        """Wait until a later version is saved, and the channel shows the match as it stands."""
        await self.server.wait_for_message(
            lambda _: self.is_over() or after < self.get_saved_version() == self.get_shown_version()
        )

    async def wait_until_saved(self, after: int, timeout: float = PATIENCE_S) -> None:
        """Wait until a later version of match 1 is in the file."""
        await poll_until(lambda: self.get_saved_version() > after, timeout)

    async def wait_for_acknowledgement(self, act: Interaction, timeout: float = DEADLINE_S) -> None:
        """Wait, as long as Discord does if no time is given, until an act is acknowledged."""
        await self.server.world.changes.wait_until(
            lambda: act.answered is not None, lambda: "no acknowledgement", timeout
        )

    async def wait_for_jobs(self, timeout: float = PATIENCE_S) -> None:
        """Wait, doing nothing, until no job is left.

        The channel must then show the match as it is.
        """
        await poll_until(lambda: not self.list_jobs(), timeout, self.list_jobs)
        replies = self.server.list_messages()
        with_controls = [each for each in replies if each.find_controls()]
        assert len(with_controls) == 1, [each.text for each in with_controls]
        assert self.is_over() or self.get_shown_version() == self.get_saved_version()

    def is_over(self) -> bool:
        """Whether the newest message is the last of a match."""
        return "Rematch, sides swapped" in self.get_newest_message().list_labels()

    def get_shown_version(self) -> int:
        """The version of match 1 that the newest controls in the channel play, 0 without any."""
        return max(
            (find_match_version(reply) or 0 for reply in self.server.list_messages()), default=0
        )

    async def wait_for_shard(self) -> None:
        """Wait until the bot knows that it is connected; until then it acknowledges first.

        It notes a presence as it starts, and the next one once it is connected, or with a heartbeat
        soon after.
        """
        noted = self._load_presence()
        await poll_until(lambda: self._load_presence() != noted, SHARD_WAIT_S)

    def _load_presence(self) -> int | None:
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            (at,) = connection.execute("SELECT max(at) FROM presences").fetchone()
        return None if at is None else int(at)

    def get_saved_version(self) -> int:
        """How many events of match 1 are in the file."""
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            (count,) = connection.execute("SELECT count(*) FROM events WHERE match = 1").fetchone()
        return int(count)

    async def load_events(self) -> list[dict[str, Any]]:
        """Return the events of match 1.

        By the rules and the secret they must lead to what the file says.
        """
        # A copy, since the bot may be running, and has the file for itself.
        copy = self.database.with_name(f"{secrets.token_hex(4)}.sqlite3")
        await back_up_database(self.database, copy)
        async with await Store.open(copy) as store:
            assert await store.find_problems() == []
            app = App(store, now_ms, secrets.token_bytes)
            session = await loading.load_session(app, 1)
            happened = await loading.load_history(app, session.row)
        events = encode_events(session, happened)
        assert session.match.version == session.row.version == len(events)
        assert session.row.snapshot == play.build_snapshot(session.match)
        assert verify_record(build_record(session, events)).wrong is None
        return events

    def list_causes(self) -> list[int]:
        """The ids of the acts that changed match 1, one for each change."""
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            causes = connection.execute(
                "SELECT cause FROM events WHERE match = 1 AND cause IS NOT NULL"
            )
            return [int(cause) for (cause,) in causes]

    def list_jobs(self) -> list[str]:
        """What is still to be done in the channel, and what went wrong with it."""
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            waiting = connection.execute(
                "SELECT kind, key, error FROM jobs WHERE due < ? OR error IS NOT NULL",
                (now_ms() + SOON_MS,),
            )
            return [f"{kind} {key}: {error}" for kind, key, error in waiting]


def _show_control(reply: Reply, custom_id: str) -> Reply:
    """Return a message with a control in the place of its first, unless it has it."""
    if custom_id in reply.find_controls():
        return reply
    text = json.dumps(reply.components).replace(find_first_control(reply), custom_id, 1)
    return replace(reply, components=tuple(json.loads(text)))


async def wait_for_log(log: Path, words: str, patience_s: float) -> None:
    """Wait until a bot has written some words to its log."""

    def read() -> str:
        return log.read_text(encoding="utf-8")

    await poll_until(lambda: words in read(), patience_s, lambda: read()[-2000:])


def find_mentioned_id(reply: Reply) -> int | None:
    """Return the id of the person a message mentions, or None.

    The mention is in its last line above the small print.
    """
    lines = [
        line
        for line in (reply.content or reply.text).splitlines()
        if not line.startswith(SMALL_PRINT)
    ]
    found = MENTION.search(lines[-1])
    return int(found[1]) if found else None


def find_first_control(reply: Reply) -> str:
    """The id of a message's first menu, or else of its first button that takes nothing back."""
    choices = reply.find_controls()
    menus = [
        custom_id
        for custom_id, control in choices.items()
        if control["type"] == ComponentKind.STRING_SELECT
    ]
    return [*menus, *(each for each in choices if not each.endswith(":back"))][0]


async def create_own_throws(database: Path, *people: WirePerson) -> None:
    """Create the database of people who throw their own dice, so that no turn waits for the bot."""
    async with await Store.open(database) as store:
        for person in people:
            await store.people.save_name(person.id, person.account.name, 1)
            await store.preferences.save(person.id, PlayerPreferences(throws=False))


ActMethod: TypeAlias = Callable[[WireHarness, float], Awaitable[object]]
"""How people do what they are asked for, told how many seconds they wait for an answer."""
BY_CONTROL: ActMethod = WireHarness.act_by_control
BY_COMMAND: ActMethod = WireHarness.act_by_command
