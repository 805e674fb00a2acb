"""A server with a channel and three people around the real bot on a simulated Discord and a real file."""

import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest_asyncio
import simcord

from bot.client import Tabula
from bot.store import Store

SEED = b"a seed for tests"


class Seeded:
    """Bytes that look random and are the same in every run."""

    def __init__(self) -> None:
        self.drawn = 0

    def __call__(self, count: int) -> bytes:
        self.drawn += 1
        return hashlib.sha256(SEED + bytes([self.drawn])).digest()[:count]


@dataclass
class Club:
    """The bot's surroundings."""

    env: simcord.Env
    bot: Tabula
    store: Store
    guild: simcord.GuildHandle
    channel: simcord.ChannelHandle
    ana: simcord.MemberActor
    ben: simcord.MemberActor
    cyn: simcord.MemberActor


@pytest_asyncio.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    """Open a club of Ana, Ben and Cyn."""
    async with furnished(tmp_path / "club.sqlite3") as opened:
        yield opened


@asynccontextmanager
async def furnished(path: Path) -> AsyncIterator[Club]:
    """Open a club whose matches are kept in that file."""
    async with await Store.open(path) as store:
        bot = Tabula(store, entropy=Seeded())
        # A busy machine may take its time; what never ends is still found out.
        env = simcord.Env(bot, settle_timeout=20.0)
        ana, ben, cyn = (env.create_user(name, global_name=name.capitalize()) for name in ("ana", "ben", "cyn"))
        guild = env.create_guild("Club", owner=ana)
        members = [guild.add_member(user) for user in (ana, ben, cyn)]
        channel = guild.create_text_channel("tables")
        await env.start()
        try:
            yield Club(env, bot, store, guild, channel, *members)
        finally:
            await bot.close()
            await env.shutdown()
