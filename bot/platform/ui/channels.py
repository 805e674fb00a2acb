"""Channels, threads and direct messages: what may be done there, posting, and how places go."""

import hashlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import ParamSpec, TypeAlias, TypeVar

import discord

from bot.platform.context import NO_SERVER, App, DirectReader, DirectReaders, Languages
from bot.platform.db.errors import StoreError
from bot.platform.db.preferences import PERSON_STYLE, SERVER_STYLE, ServerSettings
from bot.platform.features import ExtensionPoint
from bot.platform.i18n.common import format_permissions
from bot.platform.i18n.reader import DeclinedError, Reader, mark_text
from bot.platform.jobs.runner import Done, JobResult, Removed
from bot.platform.people import is_pseudonym
from bot.platform.time_zones import find_quiet_end, find_zone_or_utc
from bot.platform.ui import app_client as failures
from bot.platform.ui.app_client import AppClient, Interaction
from bot.platform.ui.card import Card, text_only_card
from bot.platform.ui.controls import list_control_ids
from bot.platform.ui.icons import send_with_icons
from bot.platform.ui.layout import CardPayload, pack_card
from engine.clock import DAY

log = logging.getLogger(__name__)

NEEDED_PERMISSIONS = ("view_channel", "send_messages", "attach_files")
"""What the bot must be allowed in a channel in which a match is played."""
THREAD_PERMISSIONS = ("create_public_threads", "send_messages_in_threads", "read_message_history")
"""What it must be allowed besides to open a thread for each match."""

WANTED_PERMISSIONS = ("create_events", "manage_roles", "pin_messages")
"""What contests use where it is granted, and do without where it is not."""


def build_invitation(application: int) -> str:
    """Return the address by which a server invites the bot, with all permissions that it uses."""
    wanted = dict.fromkeys(NEEDED_PERMISSIONS + THREAD_PERMISSIONS + WANTED_PERMISSIONS, True)
    return discord.utils.oauth_url(application, permissions=discord.Permissions(**wanted))


class MayNotWriteError(DeclinedError):
    """Whoever asks may not write in a channel."""

    channel: int | None

    def _format(self, say: Reader) -> str:
        return say(
            "You aren't allowed to write in {channel}, so I won't post there for you. Use a "
            "channel where you can write.",
            channel=f"<#{self.channel}>",
        )


class ThreadLockedError(DeclinedError):
    sentence = mark_text(
        "This thread is locked, so I can't post here. Ask a moderator to unlock it, or use "
        "another channel."
    )


class MissingPermissionsError(DeclinedError):
    """The bot lacks permissions in a channel, or where it is asked for something."""

    permissions: tuple[str, ...]
    channel: int | None = None

    def _format(self, say: Reader) -> str:
        count = len(self.permissions)
        named = format_permissions(say, self.permissions)
        if self.channel:
            return say.plural(
                "I'm missing the permission {permissions} in {channel}. A moderator can grant it "
                "in the channel's settings, under Permissions.",
                "I'm missing the permissions {permissions} in {channel}. A moderator can grant "
                "them in the channel's settings, under Permissions.",
                count,
                permissions=named,
                channel=f"<#{self.channel}>",
            )
        return say.plural(
            "I'm missing the permission {permissions} in this channel. A moderator can grant it in "
            "the channel's settings, under Permissions.",
            "I'm missing the permissions {permissions} in this channel. A moderator can grant them "
            "in the channel's settings, under Permissions.",
            count,
            permissions=named,
        )


def require_permissions(interaction: Interaction) -> None:
    """Raise DeclinedError unless whoever asks, and the bot, may post where they ask.

    The permissions that the bot lacks are named.
    """
    require_own_permissions(interaction)
    require_may_write(interaction)


def require_may_write(interaction: Interaction) -> None:
    """Raise DeclinedError unless whoever asks may write where they ask.

    The bot posts there for nobody who couldn't do so themselves.
    """
    if not may_write(interaction):
        raise MayNotWriteError(interaction.channel_id)


def may_write(interaction: Interaction) -> bool:
    """Whether whoever asks may write where they ask; in direct messages everybody may."""
    user = interaction.user
    if not isinstance(user, discord.Member):
        return True
    is_silenced = user.is_timed_out() and not interaction.permissions.administrator
    return not is_silenced and can_write(interaction.channel, interaction.permissions)


def can_write(channel: object, permissions: discord.Permissions) -> bool:
    """Whether somebody with those permissions can write in a channel or thread."""
    if permissions.administrator:
        return True
    # The pictures are the bot's.
    missing = {*list_missing_permissions(channel, permissions)} - {"attach_files"}
    return not missing and not is_thread_locked(channel, permissions)


def require_own_permissions(interaction: Interaction) -> None:
    """Raise DeclinedError if the bot cannot post: in a locked thread, or without some permissions.

    The missing permissions are named.
    """
    if is_thread_locked(interaction.channel, interaction.app_permissions):
        raise ThreadLockedError
    missing = list_missing_here(interaction)
    if missing:
        raise MissingPermissionsError(permissions=missing)


def is_direct(interaction: Interaction) -> bool:
    """Whether something is asked for in somebody's direct messages with the bot."""
    # Between two people, or in a group of them, the bot can only answer who asks it.
    return interaction.guild_id is None and interaction.context.dm_channel


def list_missing_here(interaction: Interaction) -> tuple[str, ...]:
    """Return the permissions that the bot needs where it is asked, and lacks."""
    # Nobody gives or takes any in direct messages, and Discord names only a few of them.
    if is_direct(interaction):
        return ()
    return list_missing_permissions(interaction.channel, interaction.app_permissions)


def can_post(client: discord.Client, guild: int, channel: int) -> bool:
    """Whether a channel or thread exists, and takes what the bot posts.

    Direct messages, which have no server, do as far as anybody knows.
    """
    if guild == NO_SERVER:
        return True
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
    """Whether a channel is a locked thread, for somebody who is not among its moderators."""
    return isinstance(channel, discord.Thread) and channel.locked and not permissions.manage_threads


def build_link(guild: int, channel: int, message: int | None) -> str:
    """Return a link to a message, or to its channel without a message."""
    # Only its address is used, for which discord.py needs no state.
    there = discord.PartialMessageable(
        state=None,  # type: ignore[arg-type]
        id=channel,
        guild_id=guild or None,
    )
    return there.jump_url if message is None else f"{there.jump_url}/{message}"


P = ParamSpec("P")


FollowPlace: TypeAlias = Callable[[AppClient, int, int], Awaitable[None]]
FollowServer: TypeAlias = Callable[[AppClient, int], Awaitable[None]]
FollowMessages: TypeAlias = Callable[[AppClient, int, Collection[int]], Awaitable[None]]
FollowShard: TypeAlias = Callable[[AppClient, int, Collection[int]], Awaitable[None]]

CHANNEL_DELETIONS: ExtensionPoint[FollowPlace] = ExtensionPoint()
"""A channel or thread was deleted, given its server and itself."""
ROLE_DELETIONS: ExtensionPoint[FollowPlace] = ExtensionPoint()
"""A role was deleted, given its server and itself."""
THREAD_LOCKS: ExtensionPoint[FollowServer] = ExtensionPoint()
"""A thread was locked, given its id."""
MESSAGE_DELETIONS: ExtensionPoint[FollowMessages] = ExtensionPoint()
"""Messages were deleted, given their channel."""
PERMISSION_LOSSES: ExtensionPoint[FollowServer] = ExtensionPoint()
"""The bot may do less in a server than before."""
SIGHT_CHANGES: ExtensionPoint[FollowServer] = ExtensionPoint()
"""Others may see a channel of a server, or no longer."""
LANGUAGE_CHANGES: ExtensionPoint[FollowServer] = ExtensionPoint()
"""Discord names another language for a server that has chosen none."""
INVITATIONS: ExtensionPoint[FollowServer] = ExtensionPoint()
"""A server has invited the bot."""
REMOVALS: ExtensionPoint[FollowServer] = ExtensionPoint()
"""A server has removed the bot."""
SHARD_RETURNS: ExtensionPoint[FollowShard] = ExtensionPoint()
"""A shard is ready, given the servers that it has."""
SHUTDOWNS: ExtensionPoint[Callable[[App], Awaitable[None]]] = ExtensionPoint()
"""The program ends."""


async def notify_features(
    functions: Iterable[Callable[P, Awaitable[None]]], *args: P.args, **kwargs: P.kwargs
) -> None:
    """Let features follow what has happened, one after another, by functions of theirs.

    What one of them could not find out is found out when what it concerns is shown next.
    """
    for follow in functions:
        try:
            await follow(*args, **kwargs)
        except (StoreError, DeclinedError) as error:
            log.warning("a feature could not follow what has happened on Discord: %s", error)


_Sent = TypeVar("_Sent")

CLOSED_AGAIN_MS = 7 * DAY
"""Milliseconds after which somebody is notified again about the same locked thread."""
# 24 characters in hexadecimal; Discord takes nonces of 25 at most.
NONCE_BYTES = 12


def build_mentions(card: Card) -> discord.AllowedMentions:
    """Whom a card may notify."""
    # Discord refuses a message that would notify an id which is none.
    called = card.pings if card.ping is None else (card.ping, *card.pings)
    users = [discord.Object(person) for person in called if not is_pseudonym(person)]
    if not users:
        return discord.AllowedMentions.none()
    return discord.AllowedMentions(everyone=False, roles=False, users=users)


@dataclass(slots=True)
class ServerChannel:
    """A channel or thread of a server, in which everyone sees what is posted.

    Somebody's direct messages with the bot are one as well, of no server.

    The server's choices, and whether its quiet hours hold, are read once, so what is posted agrees
    with what follows.
    """

    client: AppClient
    guild: int
    id: int
    opens_locked: bool = True
    """Whether an archived thread is opened though it is locked, where the bot may."""
    _chosen: ServerSettings | None = None
    _quiet: int | None = None

    @property
    def reader(self) -> Reader:
        """Who reads here: the server, in its language, or whose direct messages these are."""
        if direct := self._find_direct_reader():
            # They may have chosen another language elsewhere since.
            chosen = self.client.app.get_part(Languages).people
            return self.client.get_reader(chosen.get(direct.person, direct.locale))
        return self.client.get_server_reader(self.guild)

    def _find_direct_reader(self) -> DirectReader | None:
        return self.client.app.get_part(DirectReaders).find(self.guild, self.id)

    async def _pack(self, card: Card) -> CardPayload:
        """Make a card ready for those who read here."""
        direct = self._find_direct_reader()
        if direct:
            return await pack_card(self.client.app, card, PERSON_STYLE, direct.person)
        return await pack_card(self.client.app, card, SERVER_STYLE, self.guild)

    async def load_server(self) -> ServerSettings:
        """Return what the server chose."""
        if self._chosen is None:
            app = self.client.app
            self._chosen = chosen = await app.store.servers.load_settings(self.guild)
            if chosen.quiet:
                zone = find_zone_or_utc(chosen.zone)
                self._quiet = find_quiet_end(chosen.quiet, zone, app.clock())
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
            if error.code != failures.UNKNOWN_MESSAGE:
                raise
        # Discord remembers the name of a message that was deleted since, and posts nothing under
        # it.
        return await self.post(card, f"{name} again")

    async def _post_once(self, card: Card, name: str) -> int:
        packed = await self._pack(card)
        quiet = await self.load_quiet_end() is not None
        messages = self.client.get_partial_messageable(self.id)

        async def send() -> discord.Message:
            return await messages.send(
                view=packed.layout,
                files=packed.open_files(),
                nonce=_build_nonce(self.client.app, name),
                allowed_mentions=discord.AllowedMentions.none() if quiet else build_mentions(card),
                silent=quiet,
            )

        message = await self._send(packed, send)
        # For a known nonce Discord returns the message from before, which may show an earlier
        # state.
        if list_control_ids(message) != list_control_ids(packed.layout):
            await self.edit(message.id, card)
        return message.id

    async def edit(self, message: int, card: Card, *, reopens: bool = True) -> None:
        """Change a message of ours; an archived thread is opened for that unless told otherwise.

        A card that keeps its picture uploads nothing; a card without a picture loses it.
        """
        packed = await self._pack(card)
        partial = self.client.get_partial_messageable(self.id).get_partial_message(message)

        async def send() -> None:
            # Messages of earlier versions had text beside their components, which is no longer
            # allowed.
            await partial.edit(content=None, **packed.build_edit())

        if not reopens:
            await send_with_icons(self.client, packed.layout, send)
            return
        await self._send(packed, send)

    async def _send(self, packed: CardPayload, send: Callable[[], Awaitable[_Sent]]) -> _Sent:
        return await _send_to_open_thread(
            self.client,
            self.id,
            partial(send_with_icons, self.client, packed.layout, send),
            opens_locked=self.opens_locked,
        )


async def _send_to_open_thread(
    client: AppClient,
    channel: int,
    send: Callable[[], Awaitable[_Sent]],
    *,
    opens_locked: bool,
) -> _Sent:
    """Post or change something in a channel; a thread that is archived is opened for it.

    Where it is not to be opened, or can't be, the error is that of the archived thread.
    """
    try:
        return await send()
    except discord.HTTPException as error:
        if error.code != failures.THREAD_ARCHIVED:
            raise
        if not await _open_thread(client, channel, opens_locked=opens_locked):
            raise
    return await send()


async def _open_thread(client: AppClient, channel: int, *, opens_locked: bool) -> bool:
    """Open an archived thread; return False where that isn't wanted or allowed."""
    try:
        # Fetched, since the library's cache forgets threads that are archived.
        thread = await client.fetch_channel(channel)
        if not isinstance(thread, discord.Thread) or (thread.locked and not opens_locked):
            return False
        await thread.edit(archived=False)
    except (discord.Forbidden, discord.NotFound) as error:
        log.warning("could not open the archived thread %d: %s", channel, error)
        return False
    except discord.HTTPException as error:
        if error.code != failures.THREAD_ARCHIVED:
            raise
        log.warning("could not open the locked thread %d: %s", channel, error)
        return False
    log.info("opened the archived thread %d", channel)
    return True


@asynccontextmanager
async def report_closed_thread(
    channel: ServerChannel, person: int, subject: Callable[[Reader], str]
) -> AsyncIterator[None]:
    """Tell somebody that what is theirs can't be shown in a thread that the bot may not open.

    They are notified once a week, by direct message. The error is raised again.
    """
    try:
        yield
    except discord.HTTPException as error:
        if failures.is_thread_closed(error):
            await _notify_thread_closed(channel, person, subject)
        raise


async def _notify_thread_closed(
    channel: ServerChannel, person: int, subject: Callable[[Reader], str]
) -> None:
    client, app = channel.client, channel.client.app
    note, now = f"closed thread {channel.id} of {person}", app.clock()
    before = await app.store.metadata.load_value(note)
    if before is not None and now - int(before) < CLOSED_AGAIN_MS:
        return
    await app.store.metadata.save(note, str(now))
    say = await client.load_direct_reader(person, channel.guild)
    text = say(
        "I can't bring {subject} up to date: the thread {channel} is locked, and I'm missing the "
        "permission {permissions} there. Unlock the thread or give me the permission; I'll try "
        "again by myself.",
        subject=subject(say),
        channel=f"<#{channel.id}>",
        permissions=format_permissions(say, ["manage_threads"]),
    )
    try:
        await DirectMessages(client, person).post(text_only_card(text), f"{note} at {now}")
    except discord.HTTPException as error:
        log.info("could not tell user %d of the locked thread %d: %s", person, channel.id, error)


def _build_nonce(app: App, name: str) -> str:
    """Return the nonce of a post: a nonce used minutes ago returns the existing message."""
    # What was posted under that name before a backup was restored is not meant.
    mark = app.lineage.mark
    named = f"{mark} {name}" if mark else name
    return hashlib.blake2b(named.encode(), digest_size=NONCE_BYTES).hexdigest()


Refusals: TypeAlias = tuple[type[discord.HTTPException], ...]


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
        packed = await pack_card(app, card, PERSON_STYLE, self.person)

        async def send() -> discord.Message:
            return await channel.send(
                view=packed.layout, files=packed.open_files(), nonce=_build_nonce(app, name)
            )

        await send_with_icons(self.client, packed.layout, send)

    async def try_post(
        self, card: Card, name: str, refusals: Refusals = (discord.Forbidden, discord.NotFound)
    ) -> bool:
        """Send a card, and return False where it is refused, as by those who take none."""
        try:
            await self.post(card, name)
        except refusals as error:
            log.info("user %d accepts no direct messages: %s", self.person, error)
            return False
        return True


async def keep_message(
    channel: ServerChannel,
    card: Card,
    message: int | None,
    name: str,
    save: Callable[[int], Awaitable[bool]],
    *,
    reposts: bool = True,
) -> JobResult | None:
    """Bring a message up to date; post and pin it where it was never posted, or is deleted.

    Unless it `reposts`, one that is deleted stays so.

    `save` stores the posted one, with the end of the job that posts it, and returns False where
    another shows the same by now: then ours is deleted. Return how the job ends, None where the
    message was changed. Raises discord.NotFound where the channel is gone.
    """
    if message is not None:
        try:
            await channel.edit(message, card)
        except discord.NotFound as error:
            if error.code != failures.UNKNOWN_MESSAGE:
                raise
        else:
            return None
        if not reposts:
            return None
    posted = await channel.post(card, f"{name} in place of {message}")
    if not await save(posted):
        await delete_message(channel.client, channel.id, posted)
        return Done()
    await _pin_message(channel.client, channel.guild, channel.id, posted)
    return Removed()


async def delete_message(client: AppClient, channel: int, message: int) -> None:
    """Delete a message of ours, which somebody may have deleted before."""
    partial = client.get_partial_messageable(channel).get_partial_message(message)
    try:
        await _send_to_open_thread(client, channel, partial.delete, opens_locked=False)
    except discord.NotFound as error:
        failures.require_error_code(error)
        log.info("message %s is already gone", message)


async def _pin_message(client: AppClient, guild: int, channel: int, message: int) -> None:
    """Pin a message of ours where that is allowed; what it shows works without."""
    server = client.get_guild(guild)
    where = server.get_channel_or_thread(channel) if server else None
    if server is None or where is None or not where.permissions_for(server.me).pin_messages:
        return
    try:
        await client.get_partial_messageable(channel).get_partial_message(message).pin()
    except discord.HTTPException as error:
        log.info("could not pin message %d: %s", message, error)
