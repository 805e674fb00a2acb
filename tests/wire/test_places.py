"""Guilds, channels, threads and messages that go and come back as at Discord.

discord.py hears of it.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import discord
import pytest
import pytest_asyncio
import yarl

from . import sample_bot
from .discord_server import DiscordServer
from .sessions import poll_until
from .test_server import TOKEN
from .world import THREAD

pytestmark = pytest.mark.asyncio


class EventListener(discord.AutoShardedClient):
    """A bot that notes which events of places reach it."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True, guild_messages=True))
        self.seen: list[tuple[str, int]] = []
        self.ready = asyncio.Event()

    async def on_ready(self) -> None:
        """Note that the guilds are known."""
        self.ready.set()

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Note an event by its name and what it is about."""
        if event.startswith(("guild_", "thread_", "raw_message_delete", "raw_thread")):
            about = args[-1]
            name = getattr(about, "message_id", None) or getattr(about, "thread_id", None)
            self.seen.append((event, name or about.id))
        super().dispatch(event, *args, **kwargs)

    async def wait_for_event(self, event: str, about: int) -> None:
        """Wait for an event."""
        await poll_until(lambda: (event, about) in self.seen)


@asynccontextmanager
async def connect_listener() -> AsyncIterator[EventListener]:
    """Connect a bot, and end it with the block."""
    bot = EventListener()
    task = asyncio.create_task(bot.start(TOKEN))
    try:
        async with asyncio.timeout(60):
            await bot.ready.wait()
        yield bot
    finally:
        await bot.close()
        await task


@pytest_asyncio.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[DiscordServer]:
    """A server that discord.py is pointed at."""
    monkeypatch.setattr(discord.http.Route, "BASE", "")
    monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL())
    monkeypatch.setattr(discord.asset.Asset, "BASE", "")
    async with await DiscordServer.start(TOKEN) as started:
        sample_bot.point_at(started.api)
        yield started


async def test_a_guild_goes_away_and_comes_back(server: DiscordServer) -> None:
    guild, place = server.world.first_guild_id, server.get_channel("tables")
    async with connect_listener() as bot:
        channel = bot.get_channel(place.id)
        assert isinstance(channel, discord.TextChannel)
        await server.make_unavailable(guild)
        await bot.wait_for_event("guild_unavailable", guild)
        with pytest.raises(discord.DiscordServerError):
            await asyncio.wait_for(channel.send("hello"), 60)
        await server.make_available(guild)
        await bot.wait_for_event("guild_available", guild)
        await server.remove_bot(guild)
        await bot.wait_for_event("guild_remove", guild)
        with pytest.raises(discord.Forbidden):
            await channel.send("hello")
        await server.invite_bot(guild)
        await bot.wait_for_event("guild_join", guild)
        await channel.send("hello")


async def test_a_guild_that_the_bot_left_is_not_there_at_ready(server: DiscordServer) -> None:
    other = server.add_guild("Elsewhere", "hall")
    server.world.left.add(server.world.first_guild_id)
    async with connect_listener() as bot:
        assert [guild.id for guild in bot.guilds] == [other]


async def test_channels_threads_and_messages_are_deleted(server: DiscordServer) -> None:
    place = server.get_channel("tables")
    async with connect_listener() as bot:
        channel = bot.get_channel(place.id)
        assert isinstance(channel, discord.TextChannel)
        message = await channel.send("hello")
        thread = await message.create_thread(name="a match")
        inside = await thread.send("in the thread")
        there = server.world.channels[thread.id]
        assert there.type == THREAD
        await server.lock_thread(there)
        with pytest.raises(discord.HTTPException) as error:
            await thread.send("locked")
        assert error.value.code == 50083
        await server.reopen_thread(there)
        await server.delete_message(inside.id)
        await bot.wait_for_event("raw_message_delete", inside.id)
        await server.delete_channel(there)
        await bot.wait_for_event("thread_delete", thread.id)
        await server.delete_channel(place)
        await bot.wait_for_event("guild_channel_delete", place.id)
        with pytest.raises(discord.NotFound) as unknown:
            await channel.send("gone")
        assert unknown.value.code == 10003
