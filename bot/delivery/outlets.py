"""Outlets: a channel or thread, somebody's direct messages, and the answer to an interaction."""

import asyncio
import hashlib
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import aiohttp
import discord

from bot.app import looks
from bot.app.context import App
from bot.app.errors import Declined, Why
from bot.app.quiet import quiet_until
from bot.app.zones import zone_or_utc
from bot.delivery.deletions import Deletions
from bot.delivery.exchanges import Exchanges
from bot.delivery.layout import Packed, ids, pack
from bot.store import MatchRow, Server
from bot.views.card import Card
from bot.words.reader import Reader, reader_for
from render.scene import View

log = logging.getLogger(__name__)

FAILURES = (discord.HTTPException, aiohttp.ClientError, OSError)
"""What is raised where Discord refuses, or cannot be reached."""
UNKNOWN_CHANNEL = 10003
UNREADABLE = (KeyError, TypeError)
"""What discord.py raises if a 429 to an answer comes from something in front of Discord."""
UNKNOWN_MESSAGE = 10008
UNKNOWN_INTERACTION = 10062
"""Discord's word for one that nobody answered in time, too."""
ACKNOWLEDGED_ALREADY = 40060
THREAD_ARCHIVED = 50083
TOO_OLD = 30046
"""Discord takes only so many changes of a message that is older than an hour."""
NEEDED = ("view_channel", "send_messages", "attach_files")
"""What the bot must be allowed in a channel in which a match is played."""
FOR_THREADS = ("create_public_threads", "send_messages_in_threads", "read_message_history")
"""What it must be allowed besides to open a thread for each match."""
NONCE_BYTES = 12
MOST_PAGES = 1000
"""Pages that are remembered, so that of each somebody has one copy that can be turned."""
ACKNOWLEDGING = "acknowledging"
"""The name under which an interaction keeps the one task that acknowledges it."""
RECEIVED = "received"
"""The name under which it keeps when it came, by a clock that goes on evenly."""
ACKNOWLEDGED_S = 1.4
"""Seconds to wait for an acknowledgement; it can be repeated within Discord's three seconds."""


class AppClient(discord.AutoShardedClient):
    """A client that carries the program it serves."""

    app: App
    exchanges: Exchanges
    """What became of its requests."""
    locales: Path
    """The folder of the catalogues."""
    under_way: set[asyncio.Task[None]]
    """The answers that are being given, so that the program can wait for them before it ends."""
    deletions: Deletions
    """The messages that others have deleted lately."""
    received: "OrderedDict[int, None]"
    """The latest interactions: after a broken connection Discord sends some of them again."""
    pages: "Pages"
    """The pages that people can turn."""
    answering: set[int]
    """Those that are being answered."""
    ending: bool = False
    """Whether the program is about to end, and so begins nothing more."""

    def reader(self, locale: object) -> Reader:
        """Return the reader of a locale as Discord names it."""
        return reader_for(str(locale), self.locales)


Interaction: TypeAlias = discord.Interaction[AppClient]


def calls(card: Card) -> discord.AllowedMentions:
    """Whom a card may notify."""
    if card.ping is None:
        return discord.AllowedMentions.none()
    return discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(card.ping)])


@dataclass(slots=True)
class Channel:
    """A channel or thread of a server, in which everyone sees what is posted.

    The server's choices, and whether its quiet hours hold, are read once, so what is posted agrees
    with what follows.
    """

    client: AppClient
    guild: int
    id: int
    _chosen: Server | None = None
    _quiet: int | None = None

    @property
    def reader(self) -> Reader:
        """Who reads here: the server, in its language."""
        guild = self.client.get_guild(self.guild)
        return self.client.reader(guild.preferred_locale if guild else "")

    async def server(self) -> Server:
        """Return what the server chose."""
        if self._chosen is None:
            app = self.client.app
            self._chosen = await app.store.servers.get(self.guild)
            self._quiet = quiet_until(
                self._chosen.quiet, zone_or_utc(self._chosen.zone), app.clock()
            )
        return self._chosen

    async def quiet(self) -> int | None:
        """Return when the server's present quiet hours end; None outside quiet hours."""
        await self.server()
        return self._quiet

    async def post(self, card: Card, name: str) -> int:
        """Post a card and return the message's id; `name` makes sure that it is posted only once.

        So it may be tried any number of times. In the server's quiet hours it notifies nobody,
        neither those whom it calls nor those who want all notifications.

        Raises discord.HTTPException, or what a broken connection raises, if it cannot be posted.
        """
        try:
            return await self._posted(card, name)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
        # Discord remembers the name of a message that was deleted since, and posts nothing under
        # it.
        return await self.post(card, f"{name} again")

    async def _posted(self, card: Card, name: str) -> int:
        packed = await self._packed(card)
        quiet = await self.quiet() is not None
        messages = self.client.get_partial_messageable(self.id)
        message = await messages.send(
            view=packed.layout,
            files=packed.files,
            nonce=_nonce(self.client.app, name),
            allowed_mentions=discord.AllowedMentions.none() if quiet else calls(card),
            silent=quiet,
        )
        if ids(message) != ids(packed.layout):
            await self.edit(message.id, card)
        return message.id

    async def edit(self, message: int, card: Card) -> None:
        """Change a message of ours.

        A card that keeps its picture uploads nothing; a card without a picture loses it.
        """
        packed = await self._packed(card)
        partial = self.client.get_partial_messageable(self.id).get_partial_message(message)
        # Messages of earlier versions had text beside their components, which is no longer allowed.
        arguments: dict[str, Any] = {"content": None, "view": packed.layout}
        if packed.files or card.picture is None:
            arguments["attachments"] = packed.files
        await partial.edit(allowed_mentions=discord.AllowedMentions.none(), **arguments)

    async def _packed(self, card: Card) -> Packed:
        look = await _look(self.client.app, looks.SERVER, self.guild, card)
        return await pack(card, look, self.client.app.lineage.mark)


def _nonce(app: App, name: str) -> str:
    """Return the nonce of a post: a nonce used minutes ago returns the existing message."""
    # What was posted under that name before a backup was restored is not meant.
    mark = app.lineage.mark
    named = f"{mark} {name}" if mark else name
    return hashlib.blake2b(named.encode(), digest_size=NONCE_BYTES).hexdigest()


@dataclass(frozen=True, slots=True)
class Direct:
    """Somebody's direct messages. They may have closed them, so nothing may depend on these."""

    client: AppClient
    person: int

    async def post(self, card: Card, name: str) -> None:
        """Send a card; `name` makes sure that it is sent once, however often it is tried.

        Raises discord.HTTPException, or what a broken connection raises, if it cannot be sent.
        """
        channel = await self.client.create_dm(discord.Object(self.person))
        app = self.client.app
        look = await _look(app, looks.PERSON, self.person, card)
        packed = await pack(card, look, app.lineage.mark)
        await channel.send(view=packed.layout, files=packed.files, nonce=_nonce(app, name))


async def _look(app: App, scope: str, owner: int, card: Card) -> View:
    if card.picture is None or card.picture.shows is None or isinstance(card.picture.shows, bytes):
        return View()
    return await looks.view(app, scope, owner, card.seats)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to an interaction.

    Discord waits three seconds for the acknowledgement, and a quarter of an hour for what follows
    it. The first answer of any kind acknowledges: mostly that is after the change is saved, and
    earlier only if saving takes long.
    """

    interaction: Interaction
    private: bool = True

    @property
    def reader(self) -> Reader:
        """Who reads: the one who asked, or the server where everyone sees the answer."""
        if self.private:
            return self.interaction.client.reader(self.interaction.locale)
        return self.interaction.client.reader(
            self.interaction.guild_locale or self.interaction.locale
        )

    @property
    def pressed(self) -> bool:
        """Whether a button or menu was used, rather than a command."""
        return self.interaction.type is discord.InteractionType.component

    async def acknowledge(self) -> None:
        """Acknowledge the interaction to Discord once, however often this is called.

        Raises Unanswered if it is too late for that, Elsewhere if another program has answered.
        """
        extras = self.interaction.extras
        if ACKNOWLEDGING not in extras:
            extras[ACKNOWLEDGING] = asyncio.create_task(self._acknowledge())
        with replying():
            # Whoever stops waiting does not stop it.
            await asyncio.shield(extras[ACKNOWLEDGING])

    async def _acknowledge(self) -> None:
        await self._defer_or_find_deferred()
        took = time.monotonic() - self.interaction.extras[RECEIVED]
        self.interaction.client.app.measures.acknowledged(took)

    async def _defer_or_find_deferred(self) -> None:
        exchanges = self.interaction.client.exchanges
        try:
            await self._defer_soon()
        except (*FAILURES, *UNREADABLE) as error:
            code = getattr(error, "code", 0)
            if code == UNKNOWN_INTERACTION:
                raise
            if code != ACKNOWLEDGED_ALREADY:
                exchanges.is_unsure(self.interaction.id)
                log.warning(
                    "interaction %s is acknowledged once more: %s", self.interaction.id, told(error)
                )
                await self._defer_again()
            elif not exchanges.may_have_heard(self.interaction.id):
                raise Elsewhere("another program has answered it") from error

    async def _defer_soon(self) -> None:
        """Acknowledge; raises TimeoutError where Discord says nothing for so long."""
        asking = asyncio.create_task(self._defer())
        await asyncio.wait((asking,), timeout=ACKNOWLEDGED_S)
        if self.interaction.client.exchanges.awaits(self.interaction.id):
            # At no other moment: cancelled between two of its own tries, discord.py would allow no
            # more.
            asking.cancel()
        await asyncio.wait((asking,))
        if asking.cancelled():
            raise TimeoutError(f"Discord has not answered for {ACKNOWLEDGED_S} s")
        asking.result()

    async def _defer_again(self) -> None:
        """Ask once more; Discord may have received the first, and says so, however late."""
        try:
            await self._defer()
        except discord.HTTPException as error:
            if error.code != ACKNOWLEDGED_ALREADY:
                raise

    async def _defer(self) -> None:
        if self.pressed:
            await self.interaction.response.defer()
        else:
            # An ephemeral placeholder, even if the answer is for everyone: a refusal never is.
            await self.interaction.response.defer(ephemeral=True, thinking=True)

    async def tell(self, card: Card) -> None:
        """Say something in answer: to the one who asked alone, or to everyone in the channel."""
        await self.acknowledge()
        if self.private:
            packed = await self.packed(card)
            with replying():
                await self.interaction.followup.send(
                    view=packed.layout, files=packed.files, ephemeral=True
                )
            return
        await self._channel().post(card, f"answer to {self.interaction.id}")
        await self.finish()

    async def tell_for_now(self, card: Card) -> "Told":
        """Say something to the one who asked alone, to be changed later."""
        await self.acknowledge()
        packed = await self.packed(card)
        with replying():
            message = await self.interaction.followup.send(
                view=packed.layout, files=packed.files, ephemeral=True, wait=True
            )
        return Told(self, message)

    async def tell_page(self, name: str, card: Card) -> None:
        """Answer with a page that can be turned; the copy opened before loses its controls."""
        client, person = self.interaction.client, self.interaction.user.id
        if self.private:
            told = await self.tell_for_now(card)
            await client.pages.keep(person, name, OpenPage(told.message.id, card, told.change))
            return
        await self.acknowledge()
        channel = self._channel()
        message = await channel.post(card, f"answer to {self.interaction.id}")
        await self.finish()
        change = partial(channel.edit, message)
        await client.pages.keep(person, name, OpenPage(message, card, change))

    async def turn_page(self, name: str, card: Card) -> None:
        """Show another page in the message with the button or menu."""
        await self.replace(card)
        interaction = self.interaction
        # A client may send a form that belongs to no message, with the id of one of our buttons.
        if interaction.message is not None:
            page = OpenPage(interaction.message.id, card, self.replace)
            await interaction.client.pages.keep(interaction.user.id, name, page)

    def _channel(self) -> Channel:
        interaction = self.interaction
        return Channel(interaction.client, interaction.guild_id or 0, interaction.channel_id or 0)

    async def replace(self, card: Card) -> None:
        """Change the message with the button or menu."""
        await self.acknowledge()
        packed = await self.packed(card)
        with replying():
            await self.interaction.edit_original_response(**_changes(card, packed))

    async def load_pressed(self) -> discord.Message:
        """Return the message with the button or menu as it is now; it may have changed since."""
        # Before that Discord knows of no message to the interaction.
        await self.acknowledge()
        with replying():
            return await self.interaction.original_response()

    async def finish(self) -> None:
        """Remove the placeholder of a command whose result shows in the channel."""
        with after_saving(self.interaction):
            await self.acknowledge()
            if self.pressed:
                return
            try:
                await self.interaction.delete_original_response()
            except (aiohttp.ClientError, OSError):
                # Nobody else would take it away.
                await self.interaction.delete_original_response()
            except discord.NotFound as error:
                # discord.py or aiohttp asked twice, and Discord removed it the first time.
                if error.code != UNKNOWN_MESSAGE:
                    raise

    async def finish_where(self, channel: int, elsewhere: Card) -> None:
        """End an answer whose result shows in a channel; users in other channels get a link."""
        if self.interaction.channel_id == channel:
            await self.finish()
            return
        with after_saving(self.interaction):
            await self.tell(elsewhere)

    async def packed(self, card: Card) -> Packed:
        """Prepare a card for the reader of this answer."""
        scope, owner = looks.SERVER, self.interaction.guild_id or 0
        if self.private:
            scope, owner = looks.PERSON, self.interaction.user.id
        app = self.interaction.client.app
        return await pack(card, await _look(app, scope, owner, card), app.lineage.mark)


def _changes(card: Card, packed: Packed) -> dict[str, Any]:
    """Return what changes a message to a card; one that keeps its picture uploads nothing."""
    changes: dict[str, Any] = {
        "view": packed.layout,
        "allowed_mentions": discord.AllowedMentions.none(),
    }
    if packed.files or card.picture is None:
        changes["attachments"] = packed.files
    return changes


class Unanswered(Exception):
    """Discord did not take an answer to an interaction; its user sees none. Nobody is at fault."""


class Elsewhere(Unanswered):
    """An interaction was answered by another program with the same token."""


@contextmanager
def replying() -> Iterator[None]:
    """Send a part of an answer; raises Unanswered where Discord refuses it or cannot be reached."""
    try:
        yield
    except FAILURES as error:
        raise Unanswered(told(error)) from error
    except UNREADABLE as error:
        raise Unanswered("what came in answer is not Discord's own") from error


@dataclass(frozen=True, slots=True)
class OpenPage:
    """A page that somebody opened: its message, what it shows, and how it is changed."""

    message: int
    card: Card
    change: Callable[[Card], Awaitable[None]]


class Pages:
    """The pages that people can turn: of each kind everyone has one, the newest."""

    def __init__(self) -> None:
        self._live: OrderedDict[tuple[int, str], OpenPage] = OrderedDict()

    async def keep(self, person: int, name: str, page: OpenPage) -> None:
        """Remember a page, and take the controls from the copy that the person opened before."""
        before = self._live.pop((person, name), None)
        self._live[person, name] = page
        while len(self._live) > MOST_PAGES:
            self._live.popitem(last=False)
        if before is None or before.message == page.message:
            return
        picture = before.card.picture and replace(before.card.picture, shows=None)
        try:
            await before.change(replace(before.card, controls=(), picture=picture))
        except (*FAILURES, Unanswered) as error:
            # After a quarter of an hour only a press could still change a message for one alone.
            log.info("could not remove the controls of an earlier copy of a page: %s", told(error))


@dataclass(frozen=True, slots=True)
class Told:
    """What the one who asked was told alone, and can be told otherwise for a quarter of an hour."""

    answer: Answer
    message: discord.WebhookMessage

    async def change(self, card: Card) -> None:
        """Say something else in its place."""
        packed = await self.answer.packed(card)
        with replying():
            await self.message.edit(**_changes(card, packed))


@contextmanager
def after_saving(interaction: Interaction) -> Iterator[None]:
    """End an answer whose action is saved: a failure now must not look as if nothing was done."""
    try:
        yield
    except (*FAILURES, Unanswered) as error:
        log.warning(
            "interaction %s is done, but could not be answered to its end: %s",
            interaction.id,
            told(error),
        )


async def take_away(client: AppClient, channel: int, message: int) -> None:
    """Delete a message of ours, which somebody may have deleted before."""
    try:
        await client.get_partial_messageable(channel).get_partial_message(message).delete()
    except discord.NotFound as error:
        require_code(error)
        log.info("message %s is already gone", message)


def require_code(error: discord.NotFound) -> None:
    """Raise the error again unless Discord says what is missing.

    A bare 404 is not Discord's own, and may be wrong.
    """
    if error.code == 0:
        raise error


def told(error: BaseException) -> str:
    """Return an error's message, or the name of its type if it has none."""
    return str(error) or type(error).__name__


def require_permissions(interaction: Interaction) -> None:
    """Raise Declined if the bot cannot post: in a locked thread, or without some permissions.

    The missing permissions are named.
    """
    if is_locked(interaction.channel, interaction.app_permissions):
        raise Declined(Why.THREAD_LOCKED)
    missing = lacking(interaction.channel, interaction.app_permissions)
    if missing:
        raise Declined(Why.MISSING_PERMISSIONS, permissions=missing)


def can_post(client: discord.Client, guild: int, channel: int) -> bool:
    """Whether a channel or thread exists, and takes what the bot posts."""
    server = client.get_guild(guild)
    where = server.get_channel_or_thread(channel) if server else None
    if where is None:
        return False
    permissions = where.permissions_for(where.guild.me)
    return not lacking(where, permissions) and not is_locked(where, permissions)


def missing_permissions(client: discord.Client, guild: int, channel: int) -> tuple[str, ...]:
    """Return the permissions that the bot lacks in a channel, as far as it knows the channel."""
    server = client.get_guild(guild)
    where = server and server.get_channel_or_thread(channel)
    return lacking(where, where.permissions_for(where.guild.me)) if where else ()


def lacking(channel: object, permissions: discord.Permissions) -> tuple[str, ...]:
    """Return the permissions that the bot needs in a channel or thread, and that those lack."""
    needed: tuple[str, ...] = NEEDED
    if isinstance(channel, discord.Thread | discord.ForumChannel):
        needed = ("view_channel", "send_messages_in_threads", "attach_files")
    if isinstance(channel, discord.VoiceChannel | discord.StageChannel):
        # Who may not join a voice channel sees no message there either.
        needed = (*NEEDED, "connect")
    return tuple(name for name in needed if not getattr(permissions, name))


def is_locked(channel: object, permissions: discord.Permissions) -> bool:
    """Whether a channel is a thread that moderators have locked, and the bot is none of them."""
    return isinstance(channel, discord.Thread) and channel.locked and not permissions.manage_threads


def link(guild: int, channel: int, message: int | None) -> str:
    """Return a link to a message of a server, or to its channel without a message."""
    there = discord.PartialMessageable(
        state=None,  # type: ignore[arg-type]
        id=channel,
        guild_id=guild,
    )
    return there.jump_url if message is None else f"{there.jump_url}/{message}"


def match_link(row: MatchRow) -> str:
    """Point to the message of a match."""
    return link(row.guild, row.channel, row.message)
