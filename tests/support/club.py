"""The real bot on a simulated Discord and a real file, in a server with three people."""

import asyncio
import hashlib
import re
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson
import pytest
import simcord
from sqlalchemy import Connection

from bot.client import Tabula
from bot.features.matches import session
from bot.platform.db.database import build_upsert
from bot.platform.db.store import Store
from bot.platform.db.tables import program_metadata
from bot.platform.i18n.reader import LOCALES
from engine.clock import SECOND
from tests.support.lent_workers import lend_workers
from tests.support.simulator import (
    LOOK_S,
    PATIENCE_S,
    AdjustableClock,
    PatientEnv,
    remember_translations,
)
from tests.support.stored import load_due

SEED = b"a seed for tests"


class SeededEntropy:
    """Bytes that look random and are the same in every run."""

    def __init__(self) -> None:
        self.drawn = 0

    def __call__(self, count: int) -> bytes:
        self.drawn += 1
        return hashlib.sha256(SEED + bytes([self.drawn])).digest()[:count]


def poll_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a bot on PostgreSQL look around once a minute.

    The simulator waits for every timer of a few seconds.
    """
    for pause in ("LOOK_SHARED_S", "PROLONG_S"):
        monkeypatch.setattr(f"bot.platform.jobs.runner.{pause}", 60.0)


@dataclass
class SimulatedClub:
    """The bot's surroundings."""

    env: PatientEnv
    bot: Tabula
    store: Store
    guild: simcord.GuildHandle
    channel: simcord.ChannelHandle
    ana: simcord.MemberActor
    ben: simcord.MemberActor
    cyn: simcord.MemberActor
    hands: AdjustableClock

    async def restart_bot(self) -> Tabula:
        """Let another bot go on with what this one has stored, by the same clock; return it."""
        bot = Tabula(self.store, clock=self.hands, entropy=SeededEntropy())
        await self.env.restart_bot(bot)
        return bot

    async def advance_clock(self, milliseconds: int) -> None:
        """Let so much time go by, and what is due then be done."""
        self.hands.ahead += milliseconds
        runner = self.bot.runner
        await runner.retry_failed()
        until = time.perf_counter() + PATIENCE_S
        while time.perf_counter() < until:
            await self.env.wait_while_busy(time.perf_counter() + LOOK_S)
            if not runner.is_idle:
                await asyncio.sleep(LOOK_S)
                continue
            if not await load_due(self.store.jobs, self.hands(), 1):
                return
            # Its timer knows nothing of the time that went by.
            runner._wake()  # noqa: SLF001
        raise AssertionError(await load_due(self.store.jobs, self.hands(), 9))


@asynccontextmanager
async def open_club(
    path: Path | str,
    locales: Path = LOCALES,
    *,
    server: str = "en-US",
    people: str = "en-US",
    names: tuple[str, str, str] = ("Ana", "Ben", "Cyn"),
) -> AsyncIterator[SimulatedClub]:
    """Open a club whose matches are kept in that database, with these locales and names."""
    async with AsyncExitStack() as stack:
        stack.enter_context(lend_workers())
        if isinstance(path, Path) and not path.exists():
            await _create_file(path)
        store = await stack.enter_async_context(await Store.open(path))
        hands = AdjustableClock()
        # What is due by it begins at once.
        store.clock.machine = hands.get_time_of_day
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        # So soon that the simulator sits it out, and people act once their dice are thrown.
        patch.setattr(session, "THROW_DELAY_MS", 2 * SECOND)
        bot = Tabula(store, clock=hands, entropy=SeededEntropy(), locales=locales)
        env = PatientEnv(bot, settle_timeout=PATIENCE_S)
        env.backend.subscribers.append(partial(_apply_locale, server, people))
        misplaced: list[str] = []

        def note_misplaced(_: str, payload: Any) -> None:
            # Most mention no command, which is found out in a sixth of the time. In a few there is
            # what only the simulator sends.
            if b"</" in orjson.dumps(payload, default=str):
                misplaced.extend(find_misplaced(payload))

        env.backend.subscribers.append(note_misplaced)
        logins = zip(("ana", "ben", "cyn"), names, strict=True)
        ana, ben, cyn = (env.create_user(login, global_name=name) for login, name in logins)
        guild = env.create_guild("Club", owner=ana, preferred_locale=server)
        members = [guild.add_member(user) for user in (ana, ben, cyn)]
        channel = guild.create_text_channel("tables")
        async with env.closing():
            with remember_translations():
                await _start(env, store, locales)
            yield SimulatedClub(
                env,
                bot,
                store,
                guild,
                channel,
                ana=members[0],
                ben=members[1],
                cyn=members[2],
                hands=hands,
            )
        assert not misplaced, "commands are mentioned where Discord shows no mention"


_new_file: list[bytes] = []


async def _create_file(path: Path) -> None:
    """Write a file of the present version with nothing in it; each process creates it once."""
    if not _new_file:
        with TemporaryDirectory() as folder:
            file = Path(folder, "new.sqlite3")
            async with await Store.open(file):
                pass
            _new_file.append(file.read_bytes())
    path.touch(0o600)
    path.write_bytes(_new_file[0])


@dataclass(frozen=True)
class _Sent:
    """What Discord got from a bot as it started, and what the bot noted of that, by name."""

    commands: Mapping[Any, Any]
    emoji: Mapping[int, Any]
    notes: Mapping[str, str]


_sent: dict[Path, _Sent] = {}
"""By the folder of the bot's languages."""


def forget_sent() -> None:
    """Let the next bot send its commands and icons again."""
    _sent.clear()


async def _start(env: simcord.Env, store: Store, locales: Path) -> None:
    """Start a bot; only the first with these languages sends commands and icons: it takes long."""
    known = _sent.get(locales)
    if known:
        env.backend.commands[None] = dict(known.commands)
        env.backend.application_emojis.update(known.emoji)
        for command in known.commands.values():
            env.backend.reserve_id(int(command["id"]))
        await _note(store, known.notes)
    await env.start()
    if not known and (commands := env.backend.commands.get(None)):
        scope = f"of {env.backend.application_id} in everywhere"
        names = (
            f"commands {scope}",
            f"command ids {scope}",
            f"emoji of {env.backend.application_id}",
        )
        notes = {name: await store.metadata.load_value(name) or "" for name in names}
        _sent[locales] = _Sent(commands, dict(env.backend.application_emojis), notes)


async def _note(store: Store, notes: Mapping[str, str]) -> None:
    """Note what a database doesn't say yet."""
    rows = [{"name": name, "text": text} for name, text in notes.items()]

    def work(connection: Connection) -> None:
        insert = build_upsert(connection.dialect.name, program_metadata)
        connection.execute(insert.on_conflict_do_nothing(), rows)

    await store._database.write(work)  # noqa: SLF001


_MENTION = re.compile(r"</[^:]+:[0-9]{17,}>")


def find_misplaced(payload: Any, key: object = "") -> Iterator[str]:
    """Every text with the mention of a command that is not the text of a message."""
    if isinstance(payload, str):
        if key != "content" and "</" in payload and _MENTION.search(payload):
            yield payload
        return
    for name, value in payload.items() if isinstance(payload, dict) else enumerate(payload):
        if isinstance(value, str | dict | list | tuple):
            yield from find_misplaced(value, name)


def _apply_locale(server: str, people: str, event: str, payload: Any) -> None:
    """Set the reader's locale in an interaction, since simcord's people all read English.

    The bot receives the interaction after that.
    """
    if event == "INTERACTION_CREATE":
        payload["locale"] = people
        payload["guild_locale"] = server
