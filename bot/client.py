"""The bot as Discord sees it: its commands, buttons and jobs, around the program."""

import asyncio
import hashlib
import json
import logging
import math
import re
import secrets
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import discord
import orjson
import yarl
from cachetools import LRUCache
from discord import app_commands
from discord.ext import tasks

from bot.gateway import GatewayClient, record_session_start
from bot.platform import outages
from bot.platform.context import (
    HEARTBEAT_MS,
    NO_SERVER,
    App,
    ChannelSight,
    Clock,
    Entropy,
    Measures,
    load_languages,
)
from bot.platform.db.errors import StoreError
from bot.platform.db.store import Store
from bot.platform.db.tables import now_ms
from bot.platform.i18n.reader import (
    LOCALES,
    CommandMentions,
    DeclinedError,
    Reader,
    StaleMatchError,
    UnknownControlError,
    mark_text,
)
from bot.platform.jobs.handlers import build_handlers
from bot.platform.jobs.restored import begin_generation
from bot.platform.jobs.runner import Runner
from bot.platform.ui import app_client, controls
from bot.platform.ui.access import DiscordSight
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.card import text_only_card
from bot.platform.ui.channels import SHARD_RETURNS, SHUTDOWNS, build_invitation, notify_features
from bot.platform.ui.declarations import (
    Press,
    Translator,
    collect_commands,
    collect_menus,
    collect_presses,
    press,
)
from bot.platform.ui.dispatch import VERB_KEY, explain_error, refuse
from bot.platform.ui.icons import load_noted_icons, stop_upload, upload_after_login
from bot.platform.ui.layout import build_layout, strip_controls

log = logging.getLogger(__name__)

MAX_RECEIVED = 4096
"""Interactions that are remembered, so that one that comes again is answered once."""
CLOCK_CHECK_S = 2.0
"""Seconds between two looks whether the clock was set."""
BETWEEN_SHARDS_S = 5.0
"""Seconds that Discord requires between the starts of shards that may not start side by side."""
_BY_ID = (discord.InteractionType.component, discord.InteractionType.modal_submit)
PATIENCE_S = 5.0
"""How long answers and jobs under way are waited for before the program ends."""


def monotonic_ms() -> int:
    """Return milliseconds that go on evenly, whatever the clock is set to."""
    return time.monotonic_ns() // 1_000_000


def use_api_at(address: str) -> None:
    """Point discord.py at another server than Discord's, for tests: its REST, gateway and files."""
    discord.http.Route.BASE = f"{address}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = (
        yarl.URL(address).with_scheme("ws") / "gateway/"
    )
    discord.asset.Asset.BASE = f"{address}/cdn"


class Tabula(GatewayClient):
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
        measures: Measures | None = None,
    ) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        # Not privileged, and without what messages say. Without it Discord does not report that a
        # match's message was deleted. Every other message comes with it as well: some 50
        # microseconds each, and none is kept.
        intents.guild_messages = True
        self.exchanges = app_client.RequestTracker(now=clock)
        self.deletions = app_client.Deletions()
        self.pages = app_client.Pages()
        super().__init__(
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            http_trace=self.exchanges.trace,
            max_messages=None,
            shard_ids=list(store.shards.numbers),
            shard_count=store.shards.count,
        )
        self.require_whole_interactions()
        self.runner = Runner(store, clock, build_handlers(self), self.exchanges.count_refusals)
        self.app = App(
            store,
            clock,
            entropy,
            self.runner.schedule_jobs,
            measures=measures or Measures(),
            steady=steady,
        )
        self.app.is_clock_wrong = self.exchanges.is_clock_wrong
        self.app.set_part(ChannelSight, DiscordSight(self))
        self._beaten_ms = -math.inf
        self._has_been_ready = False
        self._connected: set[int] = set()
        self.locales = locales
        self.under_way = set()
        self.received = LRUCache(MAX_RECEIVED)
        self.answering = set()
        self.tree = Tree(self)
        self._translator = Translator(locales)
        self._guild = discord.Object(guild) if guild else None
        self._presses = collect_presses()
        self._identified: dict[int, float] = {}
        self._side_by_side = 1
        self._one_beat = asyncio.Lock()
        self._known: dict[int, dict[int, discord.Guild]] = {}

    async def setup_hook(self) -> None:
        """Make the commands and buttons known, and start doing jobs."""
        for command in (*collect_commands(), *collect_menus()):
            self.tree.add_command(command, guild=self._guild)
        await self.tree.set_translator(self._translator)
        await self.app.store.acquire_shards()
        await begin_generation(self)
        await load_languages(self.app)
        await load_noted_icons(self)
        if self.app.shards.has_server(NO_SERVER):
            # One process of several tells Discord: the one that direct messages come to.
            await self.sync_commands()
        else:
            await self.load_mentions()
        if self.app.shards.count > 1:
            self._side_by_side = (await self.fetch_session_start_limits()).max_concurrency
        await outages.start_run(self.app)
        self.runner.start()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Start as many shards side by side as Discord allows this bot, and the next 5 s later."""
        now = asyncio.get_running_loop().time()
        bucket = (shard_id or 0) % self._side_by_side
        begins = max(now, self._identified.get(bucket, -math.inf) + BETWEEN_SHARDS_S)
        self._identified[bucket] = begins
        await asyncio.sleep(begins - now)
        record_session_start()

    async def sync_commands(self, *, anew: bool = False) -> None:
        """Send the commands to Discord only if they changed since it last got them, or `anew`.

        It limits how often.
        """
        own = self.tree.get_commands(guild=self._guild)
        payloads = [
            await command.get_translated_payload(self.tree, self._translator) for command in own
        ]
        name = self._name_commands("commands")
        packed = orjson.dumps(payloads, option=orjson.OPT_SORT_KEYS, default=str)
        digest = hashlib.sha256(packed).hexdigest()
        unchanged = await self.app.store.metadata.load_value(name) == digest
        if unchanged and not anew and await self.load_mentions():
            return
        synced = {each.name: each.id for each in await self.tree.sync(guild=self._guild)}
        # A group has the id, and its commands are mentioned by it.
        ids = {
            command.qualified_name: synced[command.qualified_name.split()[0]]
            for command in self.tree.walk_commands(guild=self._guild)
            if isinstance(command, app_commands.Command)
        }
        self.mentions = CommandMentions(ids)
        await self.app.store.metadata.save(self._name_commands("command ids"), json.dumps(ids))
        await self.app.store.metadata.save(name, digest)

    async def load_mentions(self) -> bool:
        """Read how commands are mentioned, as whoever sent them has noted it, if they have."""
        noted = await self.app.store.metadata.load_value(self._name_commands("command ids"))
        ids = json.loads(noted) if noted else {}
        # Readers are kept as long as what they mention is the same.
        if ids != self.mentions.ids:
            self.mentions = CommandMentions(ids)
        return bool(ids)

    def _name_commands(self, what: str) -> str:
        """Return under which name something about the commands is noted."""
        scope = self._guild.id if self._guild else "everywhere"
        return f"{what} of {self.application_id} in {scope}"

    async def on_ready(self) -> None:
        """Log that the bot is there, and the first time how a server invites it."""
        log.info(
            "ready as %s in %d servers, shards %s", self.user, len(self.guilds), self.app.shards
        )
        if not self._has_been_ready:
            self._has_been_ready = True
            log.info("invite it with %s", build_invitation(self.application_id or 0))

    async def on_shard_connect(self, shard: int) -> None:
        """Know that there is a connection to be lost."""
        self._connected.add(shard)

    async def on_shard_disconnect(self, shard: int) -> None:
        """Let no time run while nobody can act."""
        if shard in self._connected and not self.is_closed():
            log.warning(
                "shard %d lost its connection to Discord; its clocks are stopped for now",
                shard,
            )
        self._connected.discard(shard)
        self.app.reached.discard(shard)
        self.app.away.add(shard)
        self._known[shard] = {guild.id: guild for guild in self._list_guilds(shard)}

    async def on_shard_ready(self, shard: int) -> None:
        """Let time run, but not in the servers that Discord has not given with the shard."""
        if shard not in self._connected:
            # It was cut before discord.py found it ready: the session resumes, or another begins.
            return
        self._record_given_servers(shard)
        await self._mark_shard_reached(shard)
        present = {guild.id for guild in self._list_guilds(shard)}
        upload_after_login(self)
        await notify_features(SHARD_RETURNS.list_functions(), self, shard, present)

    def _record_given_servers(self, shard: int) -> None:
        # What discord.py knew before a new session stays in its cache, unless Discord sends it
        # again.
        known = self._known.pop(shard, {})
        self.app.given[shard] = {
            guild.id
            for guild in self._list_guilds(shard)
            if not guild.unavailable and guild is not known.get(guild.id)
        }

    def _list_guilds(self, shard: int) -> list[discord.Guild]:
        return [guild for guild in self.guilds if self.app.shards.get_shard(guild.id) == shard]

    async def on_shard_resumed(self, shard: int) -> None:
        """Let time run again, and try again what could not be posted while Discord was away."""
        log.info("shard %d reconnected to Discord", shard)
        self._connected.add(shard)
        # The session goes on, and with it what discord.py knows of its servers.
        self._known.pop(shard, None)
        self._record_given_servers(shard)
        await self._mark_shard_reached(shard)

    async def _mark_shard_reached(self, shard: int) -> None:
        self.app.reached.add(shard)
        if self._heartbeat_loop.is_running():
            await self._record_heartbeat()
        else:
            self._heartbeat_loop.start()

    @tasks.loop(seconds=CLOCK_CHECK_S)
    async def _heartbeat_loop(self) -> None:
        """Note again and again that people can act, and that nobody else serves their servers.

        It is looked more often whether the clock was set.
        """
        was_set = self.app.has_clock_jumped
        if not was_set and monotonic_ms() - self._beaten_ms < HEARTBEAT_MS:
            return
        await self._record_heartbeat()
        try:
            if not self.app.shards.is_complete:
                # Another process may have been asked for another language, or send the commands
                # and icons.
                await load_languages(self.app)
                await self.load_mentions()
                await load_noted_icons(self)
            await self.app.store.keep_shards()
        except StoreError as error:
            log.warning("could not check whether other processes serve the same servers: %s", error)
        if was_set:
            if self.app.has_clock_jumped:
                # That could not be noted, and is tried again.
                await asyncio.sleep(CLOCK_CHECK_S)
            # Its next time was computed by the old clock: it would never be due, or not for a long
            # while.
            self._heartbeat_loop.restart()

    async def _record_heartbeat(self) -> None:
        # Many shards come at once; one beat is for all of them, and no outage is noted twice.
        async with self._one_beat:
            was_away = bool(self.app.away & self.app.reached)
            was_set = self.app.has_clock_jumped or self.app.wrong_time is not None
            try:
                await outages.record_heartbeat(self.app)
                self._beaten_ms = monotonic_ms()
            except StoreError as error:
                log.warning(
                    "could not save the heartbeat; nobody loses on time until it is saved: %s",
                    error,
                )
        if was_away or was_set:
            await self.runner.retry_failed()

    async def on_interaction(self, interaction: app_client.Interaction) -> None:
        """Act on a button, menu or modal of ours by its id alone: it works after any restart.

        That is so even if its message has lost it by now, which discord.py would not report.
        """
        if interaction.type in _BY_ID:
            await self.handle_press(interaction)

    async def handle_press(self, interaction: app_client.Interaction) -> None:
        """Act on a button, menu or modal by the verb with which its id begins."""
        data: Any = interaction.data
        verb, mark, rest = controls.parse_control_id(data["custom_id"])
        if verb in self._presses:
            interaction.extras[VERB_KEY] = verb
        try:
            press = find_outdated_press(interaction, verb, mark) or self._presses.get(verb)
            if press is None:
                raise UnknownControlError
            await press(interaction, rest)
        except DeclinedError as error:
            # An id that none of our messages shows is refused before anything is acknowledged.
            await refuse(interaction, error)

    async def close(self) -> None:
        """Finish the answers and jobs under way, and leave Discord; the rest stays in the store."""
        self.ending = True
        if self.under_way:
            await asyncio.wait(list(self.under_way), timeout=PATIENCE_S)
        self._heartbeat_loop.cancel()
        stop_upload(self)
        await self.runner.stop(PATIENCE_S)
        await notify_features(SHUTDOWNS.list_functions(), self.app)
        self.app.costly.close()
        await super().close()
        try:
            await outages.end_run(self.app)
        except StoreError as error:
            log.warning("could not record the clean shutdown: %s", error)


MOVED: Mapping[str, str] = {
    "calendar": "matches",
    "data delete": "data",
    "data export": "data",
    "ladder join": "ladder standings",
    "ladder leave": "ladder standings",
    "ladder next": "ladder standings",
    "league export": "history",
    "league join": "league standings",
    "league leave": "league standings",
    "league matches": "matches",
    "me language": "me settings",
    "me pages": "me settings",
    "privacy": "data",
    "rating": "me profile",
    "server data": "server settings",
    "server digest": "server settings",
    "server language": "server settings",
    "server pages": "server settings",
    "server puzzle": "server settings",
    "tournament export": "history",
    "tournament join": "tournament standings",
    "tournament leave": "tournament standings",
    "tournament matches": "matches",
}
"""Commands of the release before by their names with their groups, and what does the same now."""


class CommandMovedError(DeclinedError):
    command: str
    place: str

    def _format(self, say: Reader) -> str:
        place = say.mention_command(self.place)
        return say("`/{command}` has moved: use {place}.", command=self.command, place=place)


class OutdatedCommandError(DeclinedError):
    sentence = mark_text(
        "This command has changed since your Discord last loaded it. Restart Discord, then try "
        "again."
    )


_OUTDATED = (app_commands.CommandNotFound, app_commands.CommandSignatureMismatch)
"""What a client asks for that shows commands as they were."""


def explain_outdated(data: Mapping[str, Any]) -> DeclinedError:
    """Return why a command that a client still shows is not known any more."""
    name = _read_command_name(data)
    return CommandMovedError(name, MOVED[name]) if name in MOVED else OutdatedCommandError()


def _read_command_name(data: Mapping[str, Any]) -> str:
    """Return the name of the command that was asked for, with its groups."""
    kinds = (
        discord.AppCommandOptionType.subcommand.value,
        discord.AppCommandOptionType.subcommand_group.value,
    )
    below = next((each for each in data.get("options", ()) if each["type"] in kinds), None)
    return f"{data['name']} {_read_command_name(below)}" if below else data["name"]


class Tree(app_commands.CommandTree[Tabula]):
    """The slash commands, with one place for what goes wrong before they are reached."""

    async def on_error(
        self, interaction: discord.Interaction[Tabula], error: app_commands.AppCommandError, /
    ) -> None:
        """Tell the one who asked why nothing happened."""
        reason: Exception = error
        if isinstance(error, _OUTDATED):
            if interaction.type is discord.InteractionType.autocomplete:
                # Nothing can be said there; the command itself is answered.
                return
            data: Any = interaction.data
            reason = explain_outdated(data)
        say = interaction.client.get_asker_reader(interaction)
        layout = build_layout(text_only_card(explain_error(say, reason)))
        try:
            if interaction.response.is_done():
                await interaction.followup.send(view=layout, ephemeral=True)
            else:
                await interaction.response.send_message(view=layout, ephemeral=True)
        except app_client.FAILURES as failure:
            log.warning(
                "interaction %s could not be answered: %s",
                interaction.id,
                app_client.describe_error(failure),
            )


class LostMessageError(DeclinedError):
    sentence = mark_text(
        "This message no longer works because I was restored from an older backup. `/matches` "
        "lists your matches."
    )


def find_outdated_press(interaction: app_client.Interaction, verb: str, mark: str) -> Press | None:
    """Return the answer to a press on a control of another generation.

    Return None where the control still means what it says. What a message says that is older than
    the backup is still true, save for the state of a match: that is shown in another message now. A
    modal has no mark, and is submitted within minutes.
    """
    lineage = interaction.client.app.lineage
    if mark == lineage.mark or interaction.type is not discord.InteractionType.component:
        return None
    if verb not in controls.list_scoped_verbs():
        return None
    posted = int(controls.require_message(interaction).created_at.timestamp() * 1000)
    if lineage.is_lost(mark, posted):
        return _close_lost
    return _close_old if controls.is_state_verb(verb) else None


@press(everywhere=True, edits_public=True)
async def _close_old(_: InteractionAnswer, rest: str) -> None:
    """Close a message that shows a match as it was, and point to the one that shows it now."""
    found = re.search("[0-9]+", rest)
    raise StaleMatchError(controls.parse_number(found[0] if found else ""))


@press(everywhere=True, edits_public=True)
async def _close_lost(answer: InteractionAnswer) -> None:
    """Close a message that tells of what the database has lost."""
    if controls.require_message(answer.interaction).flags.ephemeral:
        raise LostMessageError
    current = await answer.load_message()
    if controls.list_control_ids(current):
        text = LostMessageError().format(answer.public_reader)
        await answer.edit_message(strip_controls(current, text))
