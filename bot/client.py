"""The bot as Discord sees it: its commands, buttons and background work, around the house."""

import hashlib
import json
import logging
import secrets
import time
from pathlib import Path

import discord
import yarl
from discord import app_commands
from discord.ext import tasks

from bot.app import challenge
from bot.app.house import Clock, Entropy, House
from bot.commands import challenge as challenge_commands
from bot.commands import history, pages, play, settings
from bot.commands.components import HANDLERS
from bot.commands.flow import HouseClient
from bot.commands.translator import Translator
from bot.store import Challenge, Store
from bot.views.challenge import answered_post
from bot.views.errors import refuse
from bot.words.reader import LOCALES

log = logging.getLogger(__name__)

SWEEP_S = 60.0
"""Seconds between looks for challenges that have lapsed."""


def now_ms() -> int:
    """Return the time as the store keeps it: milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


def point_at(address: str) -> None:
    """Let discord.py speak to another server than Discord's, for tests: its REST, its gateway and its files."""
    discord.http.Route.BASE = f"{address}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(address).with_scheme("ws") / "gateway/"
    discord.asset.Asset.BASE = f"{address}/cdn"


class Tabula(HouseClient):
    """The client. The store is open before it starts, and is its owner's to close."""

    def __init__(
        self,
        store: Store,
        *,
        guild: int | None = None,
        clock: Clock = now_ms,
        entropy: Entropy = secrets.token_bytes,
        locales: Path = LOCALES,
    ) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        super().__init__(intents=intents, allowed_mentions=discord.AllowedMentions.none())
        self.house = House(store, clock, entropy)
        self.tree = Tree(self)
        self._translator = Translator(locales)
        self._guild = discord.Object(guild) if guild else None

    async def setup_hook(self) -> None:
        """Make the commands and buttons known, and start the sweep."""
        for family in (challenge_commands, play, pages, settings, history):
            for command in family.COMMANDS:
                self.tree.add_command(command, guild=self._guild)
        self.add_dynamic_items(*HANDLERS)
        await self.tree.set_translator(self._translator)
        await self._give_commands()
        self._sweep.start()

    async def _give_commands(self) -> None:
        """Tell Discord the commands only when they have changed since it was last told: it limits how often."""
        own = self.tree.get_commands(guild=self._guild)
        told = [await command.get_translated_payload(self.tree, self._translator) for command in own]
        scope = self._guild.id if self._guild else "everywhere"
        name = f"commands of {self.application_id} in {scope}"
        digest = hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()
        if await self.house.store.notes.get(name) == digest:
            return
        await self.tree.sync(guild=self._guild)
        await self.house.store.notes.set(name, digest)

    async def on_ready(self) -> None:
        """Say in the log that the bot is there."""
        log.info("ready as %s in %d servers", self.user, len(self.guilds))

    async def close(self) -> None:
        """Stop the sweep and leave Discord."""
        self._sweep.cancel()
        await super().close()

    @tasks.loop(seconds=SWEEP_S)
    async def _sweep(self) -> None:
        for invitation in await challenge.lapse(self.house):
            if invitation.message:
                await self._close_message(invitation, invitation.message)

    async def _close_message(self, invitation: Challenge, message: int) -> None:
        names = await self.house.store.people.names([seat.person for seat in invitation.seats])
        post = answered_post(invitation, names, "The challenge has lapsed.")
        try:
            partial = self.get_partial_messageable(invitation.channel).get_partial_message(message)
            await partial.edit(content=post.text, view=None)
        except discord.HTTPException:
            log.info("could not close the message of challenge %d", invitation.id, exc_info=True)


class Tree(app_commands.CommandTree[Tabula]):
    """The slash commands, with one place for what goes wrong in them."""

    async def on_error(self, interaction: discord.Interaction[Tabula], error: app_commands.AppCommandError, /) -> None:
        """Tell the one who asked why nothing happened."""
        await refuse(interaction, error)
