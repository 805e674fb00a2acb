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

from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.i18n.reader import Reader, load_reader
from bot.platform.people import DiscordPerson, clean_name, clean_text
from bot.platform.quiet_hours import find_quiet_end
from bot.platform.time_zones import find_zone_or_utc
from bot.platform.ui import views
from bot.platform.ui.card import Card
from bot.platform.ui.deletions import Deletions
from bot.platform.ui.exchanges import RequestTracker
from bot.platform.ui.layout import CardPayload, list_control_ids, render_card
from bot.store import MatchRow, ServerSettings
from render.scene import View

log = logging.getLogger(__name__)

FAILURES = (discord.HTTPException, aiohttp.ClientError, OSError)
"""What is raised where Discord refuses, or cannot be reached."""
UNKNOWN_CHANNEL = 10003
UNREADABLE_ERRORS = (KeyError, TypeError)
"""What discord.py raises if a 429 to an answer comes from something in front of Discord."""
UNKNOWN_MESSAGE = 10008
UNKNOWN_INTERACTION = 10062
"""Discord's word for one that nobody answered in time, too."""
ALREADY_ACKNOWLEDGED = 40060
THREAD_ARCHIVED = 50083
MESSAGE_TOO_OLD = 30046
"""Discord takes only so many changes of a message that is older than an hour."""
NEEDED_PERMISSIONS = ("view_channel", "send_messages", "attach_files")
"""What the bot must be allowed in a channel in which a match is played."""
THREAD_PERMISSIONS = ("create_public_threads", "send_messages_in_threads", "read_message_history")
"""What it must be allowed besides to open a thread for each match."""
# 24 characters in hexadecimal; Discord takes nonces of 25 at most.
NONCE_BYTES = 12
MAX_PAGES = 1000
"""Pages that are remembered, so that of each somebody has one copy that can be turned."""
ACKNOWLEDGE_TASK_KEY = "acknowledging"
"""The name under which an interaction keeps the one task that acknowledges it."""
RECEIVED_AT_KEY = "received"
"""The name under which it keeps when it came, by a clock that goes on evenly."""
ACKNOWLEDGE_TIMEOUT_S = 1.4
"""Seconds to wait for an acknowledgement; it can be repeated within Discord's three seconds."""


class AppClient(discord.AutoShardedClient):
    """A client that carries the program it serves."""

    app: App
    exchanges: RequestTracker
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

    def get_reader(self, locale: object) -> Reader:
        """Return the reader of a locale as Discord names it."""
        return load_reader(str(locale), self.locales)


Interaction: TypeAlias = discord.Interaction[AppClient]


def make_person(user: discord.User | discord.Member) -> DiscordPerson:
    """Return a person as Discord knows them.

    Their roles are included where they are a member of the server.
    """
    roles = frozenset(role.id for role in user.roles) if isinstance(user, discord.Member) else None
    name = clean_name(user.display_name, user.name, user.id)
    return DiscordPerson(user.id, name, user.bot, roles, clean_text(user.name))


def build_mentions(card: Card) -> discord.AllowedMentions:
    """Whom a card may notify."""
    if card.ping is None:
        return discord.AllowedMentions.none()
    return discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(card.ping)])


@dataclass(slots=True)
class ServerChannel:
    """A channel or thread of a server, in which everyone sees what is posted.

    The server's choices, and whether its quiet hours hold, are read once, so what is posted agrees
    with what follows.
    """

    client: AppClient
    guild: int
    id: int
    _chosen: ServerSettings | None = None
    _quiet: int | None = None

    @property
    def reader(self) -> Reader:
        """Who reads here: the server, in its language."""
        guild = self.client.get_guild(self.guild)
        return self.client.get_reader(guild.preferred_locale if guild else "")

    async def load_server(self) -> ServerSettings:
        """Return what the server chose."""
        if self._chosen is None:
            app = self.client.app
            self._chosen = await app.store.servers.get(self.guild)
            self._quiet = find_quiet_end(
                self._chosen.quiet, find_zone_or_utc(self._chosen.zone), app.clock()
            )
        return self._chosen

    async def load_quiet_end(self) -> int | None:
        """Return when the server's present quiet hours end; None outside quiet hours."""
        await self.load_server()
        return self._quiet

    async def post(self, card: Card, name: str) -> int:
        """Post a card and return the message's id; `name` makes sure that it is posted only once.

        So it may be tried any number of times. In the server's quiet hours it notifies nobody,
        neither those whom it calls nor those who want all notifications.

        Raises discord.HTTPException, or what a broken connection raises, if it cannot be posted.
        """
        try:
            return await self._post_once(card, name)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
        # Discord remembers the name of a message that was deleted since, and posts nothing under
        # it.
        return await self.post(card, f"{name} again")

    async def _post_once(self, card: Card, name: str) -> int:
        packed = await self._render_card(card)
        quiet = await self.load_quiet_end() is not None
        messages = self.client.get_partial_messageable(self.id)
        message = await messages.send(
            view=packed.layout,
            files=packed.files,
            nonce=_make_nonce(self.client.app, name),
            allowed_mentions=discord.AllowedMentions.none() if quiet else build_mentions(card),
            silent=quiet,
        )
        # For a known nonce Discord returns the message from before, which may show an earlier
        # state.
        if list_control_ids(message) != list_control_ids(packed.layout):
            await self.edit(message.id, card)
        return message.id

    async def edit(self, message: int, card: Card) -> None:
        """Change a message of ours.

        A card that keeps its picture uploads nothing; a card without a picture loses it.
        """
        packed = await self._render_card(card)
        partial = self.client.get_partial_messageable(self.id).get_partial_message(message)
        # Messages of earlier versions had text beside their components, which is no longer allowed.
        arguments: dict[str, Any] = {"content": None, "view": packed.layout}
        if packed.files or card.picture is None:
            arguments["attachments"] = packed.files
        await partial.edit(allowed_mentions=discord.AllowedMentions.none(), **arguments)

    async def _render_card(self, card: Card) -> CardPayload:
        look = await _load_view(self.client.app, views.SERVER, self.guild, card)
        return await render_card(card, look, self.client.app.lineage.mark)


def _make_nonce(app: App, name: str) -> str:
    """Return the nonce of a post: a nonce used minutes ago returns the existing message."""
    # What was posted under that name before a backup was restored is not meant.
    mark = app.lineage.mark
    named = f"{mark} {name}" if mark else name
    return hashlib.blake2b(named.encode(), digest_size=NONCE_BYTES).hexdigest()


@dataclass(frozen=True, slots=True)
class DirectMessages:
    """Somebody's direct messages. They may have closed them, so nothing may depend on these."""

    client: AppClient
    person: int

    async def post(self, card: Card, name: str) -> None:
        """Send a card; `name` makes sure that it is sent once, however often it is tried.

        Raises discord.HTTPException, or what a broken connection raises, if it cannot be sent.
        """
        channel = await self.client.create_dm(discord.Object(self.person))
        app = self.client.app
        look = await _load_view(app, views.PERSON, self.person, card)
        packed = await render_card(card, look, app.lineage.mark)
        await channel.send(view=packed.layout, files=packed.files, nonce=_make_nonce(app, name))


async def _load_view(app: App, scope: str, owner: int, card: Card) -> View:
    # A film is finished, and a picture that is kept is not drawn: neither needs a style.
    if card.picture is None or card.picture.shows is None or isinstance(card.picture.shows, bytes):
        return View()
    return await views.load_view(app, scope, owner, card.seats)


@dataclass(frozen=True, slots=True)
class InteractionAnswer:
    """The answer to an interaction.

    Discord waits three seconds for the acknowledgement, and a quarter of an hour for what follows
    it. The first answer of any kind acknowledges: mostly that is after the change is saved, and
    earlier only if saving takes long.
    """

    interaction: Interaction
    private: bool = True

    @property
    def client(self) -> AppClient:
        """The client to which it came."""
        return self.interaction.client

    @property
    def app(self) -> App:
        """The program behind the client."""
        return self.interaction.client.app

    @property
    def person(self) -> DiscordPerson:
        """Who asked."""
        return make_person(self.interaction.user)

    @property
    def guild(self) -> int:
        """The server in which it was asked, 0 in direct messages."""
        return self.interaction.guild_id or 0

    @property
    def channel(self) -> int:
        """The channel or thread in which it was asked."""
        return self.interaction.channel_id or 0

    @property
    def reader(self) -> Reader:
        """Who reads: the one who asked, or the server where everyone sees the answer."""
        if self.private:
            return self.client.get_reader(self.interaction.locale)
        return self.public_reader

    @property
    def public_reader(self) -> Reader:
        """Who reads what everyone sees: the server; the one who asked where there is none."""
        return self.client.get_reader(self.interaction.guild_locale or self.interaction.locale)

    @property
    def is_component(self) -> bool:
        """Whether a button or menu was used, rather than a command."""
        return self.interaction.type is discord.InteractionType.component

    async def acknowledge(self) -> None:
        """Acknowledge the interaction to Discord once, however often this is called.

        Raises Unanswered if it is too late for that, Elsewhere if another program has answered.
        """
        extras = self.interaction.extras
        if ACKNOWLEDGE_TASK_KEY not in extras:
            extras[ACKNOWLEDGE_TASK_KEY] = asyncio.create_task(self._acknowledge_once())
        with wrap_failures():
            # Whoever stops waiting does not stop it.
            await asyncio.shield(extras[ACKNOWLEDGE_TASK_KEY])

    async def _acknowledge_once(self) -> None:
        await self._defer_or_find_deferred()
        took = time.monotonic() - self.interaction.extras[RECEIVED_AT_KEY]
        self.interaction.client.app.measures.record_acknowledgement(took)

    async def _defer_or_find_deferred(self) -> None:
        exchanges = self.interaction.client.exchanges
        try:
            await self._defer_in_time()
        except (*FAILURES, *UNREADABLE_ERRORS) as error:
            code = getattr(error, "code", 0)
            # It is too late, and another attempt would be later still.
            if code == UNKNOWN_INTERACTION:
                raise
            if code != ALREADY_ACKNOWLEDGED:
                exchanges.mark_unsure(self.interaction.id)
                log.warning(
                    "acknowledging interaction %s again: %s",
                    self.interaction.id,
                    describe_error(error),
                )
                await self._defer_again()
            # No attempt of ours can have arrived, so it was somebody else's.
            elif not exchanges.may_have_arrived(self.interaction.id):
                raise AnsweredElsewhereError("another program has answered it") from error

    async def _defer_in_time(self) -> None:
        """Acknowledge; raises TimeoutError where Discord says nothing for so long."""
        asking = asyncio.create_task(self._defer())
        await asyncio.wait((asking,), timeout=ACKNOWLEDGE_TIMEOUT_S)
        if self.interaction.client.exchanges.is_awaiting(self.interaction.id):
            # At no other moment: cancelled between two of its own tries, discord.py would allow no
            # more.
            asking.cancel()
        await asyncio.wait((asking,))
        if asking.cancelled():
            raise TimeoutError(f"Discord has not answered for {ACKNOWLEDGE_TIMEOUT_S} s")
        asking.result()

    async def _defer_again(self) -> None:
        """Ask once more; Discord may have received the first, and says so, however late."""
        try:
            await self._defer()
        except discord.HTTPException as error:
            if error.code != ALREADY_ACKNOWLEDGED:
                raise

    async def _defer(self) -> None:
        if self.is_component:
            await self.interaction.response.defer()
        else:
            # An ephemeral placeholder, even if the answer is for everyone: a refusal never is.
            await self.interaction.response.defer(ephemeral=True, thinking=True)

    async def send(self, card: Card) -> None:
        """Say something in answer: to the one who asked alone, or to everyone in the channel."""
        await self.acknowledge()
        if self.private:
            packed = await self.render_card(card)
            with wrap_failures():
                await self.interaction.followup.send(
                    view=packed.layout, files=packed.files, ephemeral=True
                )
            return
        await self._get_channel().post(card, f"answer to {self.interaction.id}")
        await self.finish()

    async def send_editable(self, card: Card) -> "EphemeralMessage":
        """Say something to the one who asked alone, to be changed later."""
        await self.acknowledge()
        packed = await self.render_card(card)
        with wrap_failures():
            # `wait` makes discord.py return the message, without which it cannot be changed later.
            message = await self.interaction.followup.send(
                view=packed.layout, files=packed.files, ephemeral=True, wait=True
            )
        return EphemeralMessage(self, message)

    async def send_page(self, name: str, card: Card) -> None:
        """Answer with a page that can be turned; the copy opened before loses its controls."""
        client, person = self.interaction.client, self.interaction.user.id
        if self.private:
            told = await self.send_editable(card)
            await client.pages.add(person, name, OpenPage(told.message.id, card, told.edit))
            return
        await self.acknowledge()
        channel = self._get_channel()
        message = await channel.post(card, f"answer to {self.interaction.id}")
        await self.finish()
        change = partial(channel.edit, message)
        await client.pages.add(person, name, OpenPage(message, card, change))

    async def turn_page(self, name: str, card: Card) -> None:
        """Show another page in the message with the button or menu."""
        await self.edit_message(card)
        interaction = self.interaction
        # A client may send a form that belongs to no message, with the id of one of our buttons.
        if interaction.message is not None:
            page = OpenPage(interaction.message.id, card, self.edit_message)
            await interaction.client.pages.add(interaction.user.id, name, page)

    def _get_channel(self) -> ServerChannel:
        interaction = self.interaction
        return ServerChannel(
            interaction.client, interaction.guild_id or 0, interaction.channel_id or 0
        )

    async def edit_message(self, card: Card) -> None:
        """Change the message with the button or menu."""
        await self.acknowledge()
        packed = await self.render_card(card)
        with wrap_failures():
            await self.interaction.edit_original_response(**_build_edit(card, packed))

    async def load_message(self) -> discord.Message:
        """Return the message with the button or menu as it is now; it may have changed since."""
        # Before that Discord knows of no message to the interaction.
        await self.acknowledge()
        with wrap_failures():
            return await self.interaction.original_response()

    async def finish(self) -> None:
        """Remove the placeholder of a command whose result shows in the channel."""
        with log_answer_failures(self.interaction):
            await self.acknowledge()
            if self.is_component:
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

    async def finish_in(self, channel: int, elsewhere: Card) -> None:
        """End an answer whose result shows in a channel; users in other channels get a link."""
        if self.interaction.channel_id == channel:
            await self.finish()
            return
        with log_answer_failures(self.interaction):
            await self.send(elsewhere)

    async def render_card(self, card: Card) -> CardPayload:
        """Prepare a card for the reader of this answer."""
        scope, owner = views.SERVER, self.interaction.guild_id or 0
        if self.private:
            scope, owner = views.PERSON, self.interaction.user.id
        app = self.interaction.client.app
        return await render_card(card, await _load_view(app, scope, owner, card), app.lineage.mark)


def _build_edit(card: Card, packed: CardPayload) -> dict[str, Any]:
    """Return what changes a message to a card; one that keeps its picture uploads nothing."""
    changes: dict[str, Any] = {
        "view": packed.layout,
        "allowed_mentions": discord.AllowedMentions.none(),
    }
    if packed.files or card.picture is None:
        changes["attachments"] = packed.files
    return changes


class UnansweredError(Exception):
    """Discord did not take an answer to an interaction; its user sees none. Nobody is at fault."""


class AnsweredElsewhereError(UnansweredError):
    """An interaction was answered by another program with the same token."""


@contextmanager
def wrap_failures() -> Iterator[None]:
    """Send a part of an answer; raises Unanswered where Discord refuses it or cannot be reached."""
    try:
        yield
    except FAILURES as error:
        raise UnansweredError(describe_error(error)) from error
    except UNREADABLE_ERRORS as error:
        raise UnansweredError("what came in answer is not Discord's own") from error


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

    async def add(self, person: int, name: str, page: OpenPage) -> None:
        """Remember a page, and take the controls from the copy that the person opened before."""
        before = self._live.pop((person, name), None)
        self._live[person, name] = page
        while len(self._live) > MAX_PAGES:
            self._live.popitem(last=False)
        if before is None or before.message == page.message:
            return
        # The message keeps its picture; it would be drawn anew only to be the same.
        picture = before.card.picture and replace(before.card.picture, shows=None)
        try:
            await before.change(replace(before.card, controls=(), picture=picture))
        except (*FAILURES, UnansweredError) as error:
            # After a quarter of an hour only a press could still change a message for one alone.
            log.info(
                "could not remove the controls of an earlier copy of a page: %s",
                describe_error(error),
            )


@dataclass(frozen=True, slots=True)
class EphemeralMessage:
    """What the one who asked was told alone, and can be told otherwise for a quarter of an hour."""

    answer: InteractionAnswer
    message: discord.WebhookMessage

    async def edit(self, card: Card) -> None:
        """Say something else in its place."""
        packed = await self.answer.render_card(card)
        with wrap_failures():
            await self.message.edit(**_build_edit(card, packed))


@contextmanager
def log_answer_failures(interaction: Interaction) -> Iterator[None]:
    """End an answer whose action is saved: a failure now must not look as if nothing was done."""
    try:
        yield
    except (*FAILURES, UnansweredError) as error:
        log.warning(
            "interaction %s was handled, but its response could not be completed: %s",
            interaction.id,
            describe_error(error),
        )


async def delete_message(client: AppClient, channel: int, message: int) -> None:
    """Delete a message of ours, which somebody may have deleted before."""
    try:
        await client.get_partial_messageable(channel).get_partial_message(message).delete()
    except discord.NotFound as error:
        require_error_code(error)
        log.info("message %s is already gone", message)


def require_error_code(error: discord.NotFound) -> None:
    """Raise the error again unless Discord says what is missing.

    A bare 404 is not Discord's own, and may be wrong.
    """
    if error.code == 0:
        raise error


def describe_error(error: BaseException) -> str:
    """Return an error's message, or the name of its type if it has none."""
    return str(error) or type(error).__name__


def require_permissions(interaction: Interaction) -> None:
    """Raise Declined if the bot cannot post: in a locked thread, or without some permissions.

    The missing permissions are named.
    """
    if is_thread_locked(interaction.channel, interaction.app_permissions):
        raise DeclinedError(DeclineReason.THREAD_LOCKED)
    missing = list_missing_permissions(interaction.channel, interaction.app_permissions)
    if missing:
        raise DeclinedError(DeclineReason.MISSING_PERMISSIONS, permissions=missing)


def can_post(client: discord.Client, guild: int, channel: int) -> bool:
    """Whether a channel or thread exists, and takes what the bot posts."""
    server = client.get_guild(guild)
    where = server.get_channel_or_thread(channel) if server else None
    if where is None:
        return False
    permissions = where.permissions_for(where.guild.me)
    return not list_missing_permissions(where, permissions) and not is_thread_locked(
        where, permissions
    )


def find_missing_permissions(client: discord.Client, guild: int, channel: int) -> tuple[str, ...]:
    """Return the permissions that the bot lacks in a channel, as far as it knows the channel."""
    server = client.get_guild(guild)
    where = server and server.get_channel_or_thread(channel)
    return list_missing_permissions(where, where.permissions_for(where.guild.me)) if where else ()


def list_missing_permissions(channel: object, permissions: discord.Permissions) -> tuple[str, ...]:
    """Return the permissions that the bot needs in a channel or thread, and that those lack."""
    needed: tuple[str, ...] = NEEDED_PERMISSIONS
    # In threads, and a forum's posts are threads, another permission lets somebody write.
    if isinstance(channel, discord.Thread | discord.ForumChannel):
        needed = ("view_channel", "send_messages_in_threads", "attach_files")
    if isinstance(channel, discord.VoiceChannel | discord.StageChannel):
        # Who may not join a voice channel sees no message there either.
        needed = (*NEEDED_PERMISSIONS, "connect")
    return tuple(name for name in needed if not getattr(permissions, name))


def is_thread_locked(channel: object, permissions: discord.Permissions) -> bool:
    """Whether a channel is a thread that moderators have locked, and the bot is none of them."""
    return isinstance(channel, discord.Thread) and channel.locked and not permissions.manage_threads


def build_link(guild: int, channel: int, message: int | None) -> str:
    """Return a link to a message of a server, or to its channel without a message."""
    # Only its address is used, for which discord.py needs no state.
    there = discord.PartialMessageable(
        state=None,  # type: ignore[arg-type]
        id=channel,
        guild_id=guild,
    )
    return there.jump_url if message is None else f"{there.jump_url}/{message}"


def build_match_link(row: MatchRow) -> str:
    """Point to the message of a match."""
    return build_link(row.guild, row.channel, row.message)
