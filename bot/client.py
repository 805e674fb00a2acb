"""The bot as Discord sees it: its commands, buttons and jobs, around the program."""

import asyncio
import hashlib
import json
import logging
import math
import secrets
import time
from pathlib import Path
from typing import Any, Self

import discord
import yarl
from discord import app_commands
from discord.ext import tasks

from bot.app import outages, servers
from bot.app.context import App, Clock, Entropy
from bot.app.errors import Declined, Why
from bot.app.tasks import greet
from bot.commands import commands, presses
from bot.commands.asking import answered, sentence
from bot.commands.translator import Translator
from bot.delivery.exchanges import Exchanges
from bot.delivery.handlers import handlers
from bot.delivery.layout import laid_out
from bot.delivery.outlets import Answer, AppClient, Interaction
from bot.jobs import Runner
from bot.store import Store, StoreError
from bot.views.card import said
from bot.words.reader import LOCALES

log = logging.getLogger(__name__)

LOOK_S = 2.0
"""Seconds between two looks whether the clock was set."""
PATIENCE_S = 5.0
"""How long answers and jobs under way are waited for before the program ends."""


def now_ms() -> int:
    """Return the time as the store keeps it: milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


def steady_ms() -> int:
    """Return milliseconds that go on evenly, whatever the clock is set to."""
    return time.monotonic_ns() // 1_000_000


def point_at(address: str) -> None:
    """Let discord.py speak to another server than Discord's, for tests: its REST, its gateway and its files."""
    discord.http.Route.BASE = f"{address}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(address).with_scheme("ws") / "gateway/"
    discord.asset.Asset.BASE = f"{address}/cdn"


class Tabula(AppClient):
    """The client. The store is open before it starts, and is its owner's to close."""

    def __init__(
        self,
        store: Store,
        *,
        guild: int | None = None,
        clock: Clock = now_ms,
        steady: Clock | None = None,
        entropy: Entropy = secrets.token_bytes,
        locales: Path = LOCALES,
    ) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        self.exchanges = Exchanges()
        super().__init__(
            intents=intents, allowed_mentions=discord.AllowedMentions.none(), http_trace=self.exchanges.trace
        )
        self.runner = Runner(store, clock, handlers(self))
        self.app = App(store, clock, entropy, self.runner.take, steady=steady)
        self._in_reach = False
        self._beaten_ms = -math.inf
        self.locales = locales
        self.under_way = set()
        self.tree = Tree(self)
        self._translator = Translator(locales)
        self._guild = discord.Object(guild) if guild else None
        self._presses = presses()

    async def setup_hook(self) -> None:
        """Make the commands and buttons known, and start doing jobs."""
        for command in commands():
            self.tree.add_command(command, guild=self._guild)
        self.add_dynamic_items(Pressed)
        await self.tree.set_translator(self._translator)
        await self._give_commands()
        await outages.begin(self.app)
        self.runner.start()

    async def _give_commands(self) -> None:
        """Tell Discord the commands only when they have changed since it was last told: it limits how often."""
        own = self.tree.get_commands(guild=self._guild)
        told = [await command.get_translated_payload(self.tree, self._translator) for command in own]
        scope = self._guild.id if self._guild else "everywhere"
        name = f"commands of {self.application_id} in {scope}"
        digest = hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()
        if await self.app.store.notes.get(name) == digest:
            return
        await self.tree.sync(guild=self._guild)
        await self.app.store.notes.set(name, digest)

    async def on_ready(self) -> None:
        """Say in the log that the bot is there, and let time run."""
        log.info("ready as %s in %d servers", self.user, len(self.guilds))
        self._let_time_run()

    async def on_connect(self) -> None:
        """Know that Discord is in reach."""
        self._in_reach = True

    async def on_disconnect(self) -> None:
        """Let no time run while nobody can act."""
        if self._in_reach and not self.is_closed():
            log.warning("the connection to Discord broke; nobody can act until it is back")
        self._in_reach = False
        self.app.away = True
        self._beating.cancel()

    async def on_resumed(self) -> None:
        """Let time run again, and try again what could not be posted while Discord was away."""
        log.info("the connection to Discord is back")
        self._in_reach = True
        self._let_time_run()

    def _let_time_run(self) -> None:
        self._beaten_ms = -math.inf
        # It may be beating still, where Discord was away for a moment only.
        begin = self._beating.restart if self._beating.is_running() else self._beating.start
        begin()

    @tasks.loop(seconds=LOOK_S)
    async def _beating(self) -> None:
        """Note again and again that people can act, and find out whether the clock was set."""
        app = self.app
        was_away, was_set = app.away, app.clock_was_set
        if not was_set and steady_ms() - self._beaten_ms < outages.BEAT:
            return
        try:
            await outages.beat(app)
            self._beaten_ms = steady_ms()
        except StoreError as error:
            log.warning("it is not noted that people can act; until it is nobody is out of time: %s", error)
        if was_away or was_set:
            await self.runner.hurry()
        if was_set:
            # Its next time was reckoned by the clock as it was: it would be due for ever, or not for a long while.
            self._beating.restart()

    async def on_guild_channel_update(self, _: discord.abc.GuildChannel, __: discord.abc.GuildChannel) -> None:
        """Try again what could not be posted: the channel may have given its permission back."""
        await self.runner.hurry()

    async def on_guild_role_update(self, _: discord.Role, __: discord.Role) -> None:
        """Try again what could not be posted: the role may be the bot's own."""
        await self.runner.hurry()

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Greet a server that has invited the bot, and say what it lacks there."""
        self.app.take(await self.app.store.jobs.add([greet(guild.id, self.app.clock())]))

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Let matches start wherever they may without that channel."""
        await servers.forget(self.app, channel.guild.id, channel.id)

    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """Let nobody be kept from playing for want of a role that nobody can have."""
        await servers.forget(self.app, role.guild.id, role.id)

    async def on_interaction(self, interaction: Interaction) -> None:
        """Act on a modal: by its id, as buttons are, so that one opened before a restart is understood too."""
        if interaction.type is discord.InteractionType.modal_submit:
            await self.pressed(interaction)

    async def pressed(self, interaction: Interaction) -> None:
        """Act on a button, menu or modal by the verb with which its id begins."""
        data: Any = interaction.data
        verb, _, rest = data["custom_id"].partition(":")
        press = self._presses.get(verb)
        if press is not None:
            await press(interaction, rest)
            return

        async def unknown(_: Answer) -> None:
            raise Declined(Why.UNKNOWN_CONTROL)

        await answered(interaction, unknown)

    async def close(self) -> None:
        """Finish the answers and jobs under way, and leave Discord. What is not done by then stays in the store."""
        if self.under_way:
            await asyncio.wait(list(self.under_way), timeout=PATIENCE_S)
        self._beating.cancel()
        await self.runner.stop(PATIENCE_S)
        self.app.minds.close()
        await super().close()
        try:
            await outages.end(self.app)
        except StoreError as error:
            log.warning("it is not noted that the program ends in good order: %s", error)


class Pressed(discord.ui.DynamicItem[discord.ui.Item[Any]], template=r"[a-z]+:.*"):
    """Any button or menu of ours: they are found by their ids alone, so they work after any restart."""

    @classmethod
    async def from_custom_id(cls, _: discord.Interaction[Any], item: discord.ui.Item[Any], *__: object) -> Self:
        """Make the handler from the id."""
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Act on the press."""
        await interaction.client.pressed(interaction)


class Tree(app_commands.CommandTree[Tabula]):
    """The slash commands, with one place for what goes wrong before they are reached."""

    async def on_error(self, interaction: discord.Interaction[Tabula], error: app_commands.AppCommandError, /) -> None:
        """Tell the one who asked why nothing happened."""
        say = interaction.client.reader(interaction.locale)
        layout = laid_out(said(sentence(say, error)))
        if interaction.response.is_done():
            await interaction.followup.send(view=layout, ephemeral=True)
        else:
            await interaction.response.send_message(view=layout, ephemeral=True)
