"""The real bot on a simulated Discord and a real file.

The fixtures have a server with a channel and three people.
"""

import asyncio
import hashlib
import pickle
import shutil
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import simcord
from discord import app_commands

from bot.client import Tabula, now_ms
from bot.platform.i18n.reader import LOCALES
from bot.store import Store
from tests.store.conftest import new_file

__all__ = ["new_file"]

SEED = b"a seed for tests"


class SeededEntropy:
    """Bytes that look random and are the same in every run."""

    def __init__(self) -> None:
        self.drawn = 0

    def __call__(self, count: int) -> bytes:
        self.drawn += 1
        return hashlib.sha256(SEED + bytes([self.drawn])).digest()[:count]


class AdjustableClock:
    """A clock whose hands a test moves on; between that it goes as any clock."""

    def __init__(self) -> None:
        self.ahead = 0

    def __call__(self) -> int:
        return now_ms() + self.ahead


LOOK_S = 0.03
"""How long between two looks whether the bot is done; each takes milliseconds of its time."""
PATIENCE_S = 120.0
"""How long the bot may work before a test calls it stuck; a busy machine is many times slower."""
HORIZON_S = 4.0
"""How far ahead the simulator waits for the bot's timers at first; never less than half of that."""


class PatientEnv(simcord.Env):
    """A simulator that checks often whether the bot is done, and gives it time after a restart.

    Of itself it looks every 50 ms, though the bot's last task mostly ends just after a look, and a
    busy machine may take longer than its five seconds; what never ends is still found out. Its
    patience is also how far ahead it waits for timers, so that one as long as a busy machine needs
    would sit out every pause of the bot.
    """

    async def _settle_internal(self, **given: Any) -> None:
        if given.get("_deadline") is not None:
            await super()._settle_internal(**given)
            return
        ends = time.perf_counter() + PATIENCE_S
        while True:
            began = time.perf_counter()
            try:
                await super()._settle_internal(**{**given, "timeout": HORIZON_S, "idle": LOOK_S})
            except TimeoutError:
                if time.perf_counter() > ends:
                    raise
                continue
            if time.perf_counter() - began < HORIZON_S / 2:
                return


_translated: dict[tuple[object, Path], bytes] = {}


@contextmanager
def remember_translations() -> Iterator[None]:
    """Let every command be translated once for all clubs.

    discord.py asks for every text in each of Discord's languages, twice when a club opens, which
    took half of the time that this takes.
    """
    with pytest.MonkeyPatch.context() as patch:
        for kind in (app_commands.Command, app_commands.Group, app_commands.ContextMenu):
            patch.setattr(kind, "get_translated_payload", _remember(kind.get_translated_payload))
        yield


def _remember(translate: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(translate)
    async def translate_once(command: Any, tree: Any, translator: Any) -> Any:
        known = (command, tree.client.locales)
        if known not in _translated:
            _translated[known] = pickle.dumps(await translate(command, tree, translator))
        # Each time again, for what is sent belongs to whoever gets it.
        return pickle.loads(_translated[known])

    return translate_once


def poll_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a bot on PostgreSQL look around once a minute.

    The simulator waits for every timer of a few seconds.
    """
    for pause in ("LOOK_SHARED_S", "PROLONG_S"):
        monkeypatch.setattr(f"bot.platform.jobs.runner.{pause}", 60.0)


@dataclass
class SimulatedClub:
    """The bot's surroundings."""

    env: simcord.Env
    bot: Tabula
    store: Store
    guild: simcord.GuildHandle
    channel: simcord.ChannelHandle
    ana: simcord.MemberActor
    ben: simcord.MemberActor
    cyn: simcord.MemberActor
    hands: AdjustableClock

    async def advance_clock(self, milliseconds: int) -> None:
        """Let so much time go by, and what is due then be done."""
        self.hands.ahead += milliseconds
        await self.bot.runner.retry_failed()
        for _ in range(round(PATIENCE_S / LOOK_S)):
            await asyncio.sleep(LOOK_S)
            if self.bot.runner.is_idle and not await self.store.jobs.load_due(self.hands(), 1):
                return
        raise AssertionError(await self.store.jobs.load_due(self.hands(), 9))


@pytest_asyncio.fixture
async def club(new_file: Path, tmp_path: Path) -> AsyncIterator[SimulatedClub]:
    """Open a club of Ana, Ben and Cyn."""
    async with open_club(shutil.copy(new_file, tmp_path / "club.sqlite3")) as opened:
        yield opened


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
    async with await Store.open(path) as store:
        hands = AdjustableClock()
        bot = Tabula(store, clock=hands, entropy=SeededEntropy(), locales=locales)
        env = PatientEnv(bot, settle_timeout=PATIENCE_S)
        env.backend.subscribers.append(partial(_apply_locale, server, people))
        logins = zip(("ana", "ben", "cyn"), names, strict=True)
        ana, ben, cyn = (env.create_user(login, global_name=name) for login, name in logins)
        guild = env.create_guild("Club", owner=ana, preferred_locale=server)
        members = [guild.add_member(user) for user in (ana, ben, cyn)]
        channel = guild.create_text_channel("tables")
        with remember_translations():
            await env.start()
        try:
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
        finally:
            await bot.close()
            await env.shutdown()


def _apply_locale(server: str, people: str, event: str, payload: Any) -> None:
    """Set the reader's locale in an interaction, since simcord's people all read English.

    The bot receives the interaction after that.
    """
    if event == "INTERACTION_CREATE":
        payload["locale"] = people
        payload["guild_locale"] = server
